//! Stopping a running search from another thread.

use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU8};

/// No search is running; a stop does nothing.
const IDLE: u8 = 0;
/// A search is running or announced.
const RUNNING: u8 = 1;
/// It was told to stop.
const STOPPED: u8 = 2;

/// Stops a search from another thread, or tells it that the opponent played the expected move.
///
/// Before a search is handed to another thread, [`Control::arm`] announces it, so that a stop that comes before that
/// thread has started is not lost. A stop while nothing runs does nothing.
#[derive(Default)]
pub struct Control {
    state: AtomicU8,
    pondering: AtomicBool,
    pace: OnceLock<Pace>,
}

/// Called by a search every few hundred nodes. It may sleep.
pub type Pace = Box<dyn Fn() + Send + Sync>;

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Control({})", ["idle", "running", "stopped"][usize::from(self.state.load(Relaxed))])
    }
}

impl Control {
    /// Announces a search: from now on a stop counts. `ponder` as in [`crate::clock::Limits::ponder`].
    pub fn arm(&self, ponder: bool) {
        self.pondering.store(ponder, SeqCst);
        self.state.store(RUNNING, SeqCst);
    }

    /// The search ends within a few milliseconds and returns the best it has.
    pub fn stop(&self) {
        // Sequentially consistent: one thread announces a reason to stop and then stops; another arms and then looks
        // for reasons. They must not miss each other.
        let _ = self.state.compare_exchange(RUNNING, STOPPED, SeqCst, SeqCst);
    }

    /// The search was told to stop.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.state.load(Relaxed) == STOPPED
    }

    /// Searches are slowed down by this from now on. It can be set once.
    pub fn set_pace(&self, pace: Pace) {
        // Nobody else sets it.
        let _ = self.pace.set(pace);
    }

    /// Sleeps as long as the search has to.
    pub(crate) fn keep_pace(&self) {
        if let Some(pace) = self.pace.get() {
            pace();
        }
    }

    /// The opponent played the expected move: the search goes on under its limits, whose time begins now.
    pub fn ponderhit(&self) {
        self.pondering.store(false, SeqCst);
    }

    /// The search runs on the opponent's time.
    pub fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// A search begins, announced or not.
    pub(crate) fn begin(&self, ponder: bool) {
        if self.state.load(SeqCst) == IDLE {
            self.arm(ponder);
        }
    }

    /// The search is over, or the announced one will not come.
    pub fn disarm(&self) {
        self.state.store(IDLE, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_counts_from_the_announcement_to_the_end() {
        let control = Control::default();
        control.stop();
        assert!(!control.stopped(), "there was nothing to stop");
        control.arm(false);
        control.stop();
        control.begin(false);
        assert!(control.stopped(), "the stop came before the search began");
        control.disarm();
        control.stop();
        control.begin(false);
        assert!(!control.stopped(), "the stop was for the search before");
    }

    #[test]
    fn a_pace_is_kept_and_set_once() {
        let control = Control::default();
        control.keep_pace();
        let calls = std::sync::Arc::new(AtomicU8::new(0));
        for step in [1, 10] {
            let calls = calls.clone();
            control.set_pace(Box::new(move || {
                calls.fetch_add(step, SeqCst);
            }));
            control.keep_pace();
        }
        assert_eq!(calls.load(SeqCst), 2);
    }

    #[test]
    fn a_ponderhit_that_comes_early_is_kept() {
        let control = Control::default();
        control.arm(true);
        control.ponderhit();
        control.begin(true);
        assert!(!control.pondering());
    }
}
