//! The logical clock of a table. It ticks once per root search and does not depend on real time.
//!
//! The clock wraps at 64. So that nothing old looks new again, ages end at [`OLDEST`], and the Search TT visits every
//! entry once in [`SWEEPS`] ticks and sets back those that have reached it: between two visits an entry grows older by
//! less than what the wrap leaves.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// An entry has six bits for the generation, so the clock wraps at this.
const GENERATIONS: u8 = 64;

/// Ages end here.
pub(super) const OLDEST: u8 = GENERATIONS / 2 - 1;

/// In how many ticks every entry is visited.
pub(super) const SWEEPS: u8 = GENERATIONS - 1 - OLDEST;

/// The running generation.
#[derive(Default)]
pub(super) struct Generation(AtomicU8);

impl Generation {
    /// The running generation, below 64.
    #[inline]
    pub fn now(&self) -> u8 {
        // The byte itself wraps at 256, a multiple of 64.
        self.0.load(Relaxed) % GENERATIONS
    }

    /// A root search begins.
    pub fn advance(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// Continues from the generation of a snapshot.
    pub fn set(&self, generation: u8) {
        self.0.store(generation % GENERATIONS, Relaxed);
    }
}

/// The generation in the lowest six bits of a word.
#[inline]
pub(super) fn from_bits(bits: u64) -> u8 {
    bits as u8 % GENERATIONS
}

/// How many generations before `now`, at most [`OLDEST`].
#[inline]
pub(super) fn age(now: u8, then: u8) -> u8 {
    (now.wrapping_sub(then) % GENERATIONS).min(OLDEST)
}

/// The generation of this age, at most [`OLDEST`].
pub(super) fn of_age(now: u8, age: u8) -> u8 {
    now.wrapping_sub(age) % GENERATIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_right_across_the_wrap() {
        let generation = Generation::default();
        for _ in 0..300 {
            let then = generation.now();
            for expected in 1..GENERATIONS {
                generation.advance();
                assert_eq!(age(generation.now(), then), expected.min(OLDEST));
            }
        }
    }
}
