//! The strings by which others hold a running search.

use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU8};

/// No search is under way; a stop has nothing to stop.
const IDLE: u8 = 0;
/// A search is under way, or promised.
const RUNNING: u8 = 1;
/// It was told to stop.
const STOPPED: u8 = 2;

/// Stops a search from another thread, or tells it that the opponent played the expected move.
///
/// Whoever hands a search to another thread calls [`Control::arm`] first, so that a stop that comes before that thread
/// has begun is not lost. A stop while nothing runs does nothing.
#[derive(Default, Debug)]
pub struct Control {
    state: AtomicU8,
    pondering: AtomicBool,
}

impl Control {
    /// Promises a search: from now on a stop counts. `ponder` as in [`crate::clock::Limits::ponder`].
    pub fn arm(&self, ponder: bool) {
        self.pondering.store(ponder, SeqCst);
        self.state.store(RUNNING, SeqCst);
    }

    /// The search ends within a few milliseconds and returns the best it has.
    pub fn stop(&self) {
        // Sequentially consistent, so that one who announces a reason to stop before stopping, and one who looks for
        // reasons after arming, can't miss each other.
        let _ = self.state.compare_exchange(RUNNING, STOPPED, SeqCst, SeqCst);
    }

    /// The search was told to stop.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.state.load(Relaxed) == STOPPED
    }

    /// The opponent played the expected move: the search goes on under its limits, whose time begins now.
    pub fn ponderhit(&self) {
        self.pondering.store(false, SeqCst);
    }

    /// The search runs on the opponent's time.
    pub fn pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// A search begins: the promised one, or one that nobody promised.
    pub(crate) fn begin(&self, ponder: bool) {
        if self.state.load(SeqCst) == IDLE {
            self.arm(ponder);
        }
    }

    /// The search is over, or the promise is taken back.
    pub fn disarm(&self) {
        self.state.store(IDLE, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_counts_from_the_promise_to_the_end() {
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
    fn a_ponderhit_that_comes_early_is_kept() {
        let control = Control::default();
        control.arm(true);
        control.ponderhit();
        control.begin(true);
        assert!(!control.pondering());
    }
}
