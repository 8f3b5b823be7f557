//! Ending work at once.

use polyply_core::lock::lock;
use polyply_engine::Control;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, Weak};

/// Ends the work of some threads at once, in the middle of their searches.
#[derive(Default)]
pub struct Halt {
    flag: Arc<AtomicBool>,
    searches: Mutex<Vec<Weak<Control>>>,
}

impl Halt {
    /// Ends all work.
    pub fn halt(&self) {
        self.flag.store(true, SeqCst);
        let searches = lock(&self.searches);
        searches.iter().filter_map(Weak::upgrade).for_each(|control| control.stop());
    }

    /// All work is to end.
    pub fn is_halted(&self) -> bool {
        self.flag.load(SeqCst)
    }

    /// Work may begin again.
    pub fn reset(&self) {
        self.flag.store(false, SeqCst);
    }

    /// The flag, for code that knows nothing else of this.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// From now on searches with this control are stopped as well.
    pub fn watch(&self, control: &Arc<Control>) {
        let mut searches = lock(&self.searches);
        searches.retain(|control| control.strong_count() > 0);
        searches.push(Arc::downgrade(control));
    }
}
