//! Which moves are being searched right now, so that threads do not duplicate work. A thread puts off a move that
//! another thread is searching; when it returns to the move, the Search TT mostly has the result (Kerrigan's
//! [simplified ABDADA]).
//!
//! A lost or overwritten mark only costs some duplicate work, so the table is tiny and its atomics are relaxed.
//!
//! [simplified ABDADA]: https://www.chessprogramming.org/ABDADA#Simplified

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Size of the table; a thread needs one place for every ply of its line.
const PLACES: usize = 1 << 12;

/// A move in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visit(u64);

impl Visit {
    /// No move, for searches on one thread.
    pub const NONE: Visit = Visit(0);

    /// The move with these bits in the position with this key.
    #[inline(always)]
    pub fn of(key: u64, bits: u16) -> Visit {
        // Never 0, which marks a free place.
        Visit((key ^ (u64::from(bits) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1)
    }

    fn place(self) -> usize {
        (self.0 >> 52) as usize % PLACES
    }
}

/// The moves that all threads are searching. With one thread the table is empty.
#[derive(Default)]
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Busy {
    /// A table for this many threads.
    pub fn for_threads(threads: usize) -> Busy {
        let places = if threads > 1 { PLACES } else { 0 };
        Busy((0..places).map(|_| AtomicU64::new(0)).collect())
    }

    /// There is more than one thread.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        !self.0.is_empty()
    }

    /// Another thread is searching this move.
    pub fn contains(&self, visit: Visit) -> bool {
        self.0[visit.place()].load(Relaxed) == visit.0
    }

    /// This thread begins to search a move.
    pub fn enter(&self, visit: Visit) {
        self.0[visit.place()].store(visit.0, Relaxed);
    }

    /// This thread has searched the move.
    pub fn leave(&self, visit: Visit) {
        let place = &self.0[visit.place()];
        if place.load(Relaxed) == visit.0 {
            place.store(0, Relaxed);
        }
    }
}
