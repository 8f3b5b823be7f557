//! Correction history: learns the difference between static evaluation and search result, by features of a position.

use super::Slot;
use crate::game::{SearchGame, Side};
use crate::simd::prefetch;

/// Entries for each feature and side.
const SIZE: usize = 16_384;
/// Corrections are kept in 1/`GRAIN` of an evaluation unit.
const GRAIN: i32 = 64;
/// No feature corrects by more than this many grains. It fits sixteen bits: small tables stay in the cache.
const LIMIT: i32 = 256 * GRAIN;

/// The tables of one thread: one for each of the game's features, and one for the last two moves.
pub(crate) struct Correction {
    slots: usize,
    features: Box<[i16]>,
    moves: Box<[i16]>,
}

impl Correction {
    /// For a game with so many features and so many history slots (both sides together).
    pub fn new(features: usize, slots: usize) -> Self {
        Correction { slots, features: vec![0; features * 2 * SIZE].into(), moves: vec![0; slots * slots].into() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.features.fill(0);
        self.moves.fill(0);
    }

    #[inline(always)]
    fn feature<G: SearchGame>(game: &G, feature: usize, side: Side) -> usize {
        (feature * 2 + side.index()) * SIZE + game.correction_key(feature) as usize % SIZE
    }

    #[inline(always)]
    fn pair(&self, last: [Slot; 2]) -> usize {
        usize::from(last[0]) * self.slots + usize::from(last[1])
    }

    /// Prefetches what [`Correction::value`] will read: the tables do not fit the nearest cache.
    #[inline(always)]
    pub fn prefetch<G: SearchGame>(&self, game: &G, last: [Slot; 2]) {
        prefetch(&self.moves[self.pair(last)]);
        for feature in 0..G::CORRECTIONS {
            prefetch(&self.features[Self::feature(game, feature, game.side())]);
        }
    }

    /// What to add to the static evaluation here, after the moves of these slots.
    pub fn value<G: SearchGame>(&self, game: &G, last: [Slot; 2]) -> i32 {
        let mut sum = i32::from(self.moves[self.pair(last)]);
        for feature in 0..G::CORRECTIONS {
            sum += i32::from(self.features[Self::feature(game, feature, game.side())]);
        }
        sum / GRAIN
    }

    /// A search of this depth found `error` more than the (corrected) static evaluation.
    pub fn learn<G: SearchGame>(&mut self, game: &G, last: [Slot; 2], depth: i32, error: i32) {
        // A deeper search is more reliable, so it moves the mean further.
        let weight = (depth + 1).clamp(1, 16);
        let pull = |value: &mut i16| {
            let step = (error * GRAIN).clamp(-LIMIT, LIMIT) * weight / 256;
            *value = (i32::from(*value) + step).clamp(-LIMIT, LIMIT) as i16;
        };
        let pair = self.pair(last);
        pull(&mut self.moves[pair]);
        for feature in 0..G::CORRECTIONS {
            pull(&mut self.features[Self::feature(game, feature, game.side())]);
        }
    }
}
