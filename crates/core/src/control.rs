//! The strings by which others hold a running search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Stops a search from another thread, or tells it that the opponent played the expected move.
#[derive(Default, Debug)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// The search ends within a few milliseconds and returns the best it has.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The search was told to stop.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The opponent played the expected move: the search goes on under its limits, whose time begins now.
    pub fn ponderhit(&self) {
        self.pondering.store(false, Relaxed);
    }

    /// The search runs on the opponent's time.
    pub fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// Before a search begins.
    pub(crate) fn start(&self, ponder: bool) {
        self.stop.store(false, Relaxed);
        self.pondering.store(ponder, Relaxed);
    }
}
