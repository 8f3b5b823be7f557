//! What the Search TT knows about a position, and how it fits into one word.
//!
//! From the lowest bit: score 16, static evaluation 16, move 16, depth 8, generation 6, bound 2. A word with bound 0 is
//! a blank slot.

use super::generation;
use crate::game::{NO_MOVE, Side};
use crate::score::{FirstScore, Score};

/// How a score relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is at most this, seen from the side to move.
    Upper = 1,
    /// The true score is at least this, seen from the side to move.
    Lower = 2,
    /// The score is the true one.
    Exact = 3,
}

impl Bound {
    /// The bound of the `score` of a node that was searched with the window `(alpha, beta)`.
    #[inline(always)]
    pub fn of(score: Score, alpha: Score, beta: Score) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// A score with this bound answers the window, so that no search is needed.
    #[inline(always)]
    pub fn answers(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The score; win distances count from this position.
    pub score: FirstScore,
    /// The static evaluation, where it was computed.
    pub eval: Option<FirstScore>,
    /// The bits of the best move, or [`NO_MOVE`](crate::game::NO_MOVE).
    pub best: u16,
    /// The depth of the search.
    pub depth: u8,
    /// How the score relates to the true one.
    pub bound: Bound,
    /// When it was last stored or found; see [`SearchTt::age`](super::SearchTt::age).
    pub generation: u8,
}

/// Stands for "no evaluation". No score has these bits.
const NO_EVAL: u16 = 0x8000;

impl Entry {
    #[inline]
    pub(super) fn pack(self) -> u64 {
        u64::from(self.score.to_bits())
            | u64::from(self.eval.map_or(NO_EVAL, FirstScore::to_bits)) << 16
            | u64::from(self.best) << 32
            | u64::from(self.depth) << 48
            | u64::from(self.generation) << 56
            | (self.bound as u64) << 62
    }

    /// The entry in a word, if there is one.
    #[inline]
    pub(super) fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 62 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            score: FirstScore::from_bits(data as u16),
            eval: Some((data >> 16) as u16).filter(|&bits| bits != NO_EVAL).map(FirstScore::from_bits),
            best: (data >> 32) as u16,
            depth: (data >> 48) as u8,
            bound,
            generation: generation::from_bits(data >> 56),
        })
    }

    /// A static evaluation that no search stands behind. It says "at least a loss at once", which is true of every
    /// position and answers no window.
    pub fn evaluation(eval: FirstScore, side: Side) -> Entry {
        let score = Score::loss_in(0).for_first(side);
        Entry { score, eval: Some(eval), best: NO_MOVE, depth: 0, bound: Bound::Lower, generation: 0 }
    }

    /// The entry is a static evaluation and no result of a search. No result has such a score: a game that is over is
    /// not stored.
    #[inline]
    pub fn is_evaluation(&self) -> bool {
        self.score.plies_to_end() == Some(0)
    }

    /// Deeper beats shallower; at equal depth an exact score beats a bound.
    #[inline]
    pub(super) fn worth(&self) -> i32 {
        PLY_WORTH * i32::from(self.depth) + i32::from(self.bound == Bound::Exact)
    }

    /// What is left of its worth in generation `now`: a ply less for every root search that did not ask for it. One that
    /// nobody has asked for longer than the clock can tell is worth less than any new entry.
    #[inline]
    pub(super) fn aged_worth(&self, now: u8) -> i32 {
        match generation::age(now, self.generation) {
            generation::OLDEST => ANCIENT,
            age => self.worth() - PLY_WORTH * i32::from(age),
        }
    }
}

/// What an entry is worth that is as old as the clock can tell.
const ANCIENT: i32 = i32::MIN + 1;

/// What a ply of depth is worth.
const PLY_WORTH: i32 = 2;

/// The bits of the generation in a packed entry. They change when an entry is found, and everything else stays.
pub(super) const GENERATION_BITS: u64 = 0x3F << 56;

/// A packed entry with another generation.
#[inline]
pub(super) fn with_generation(data: u64, generation: u8) -> u64 {
    data & !GENERATION_BITS | u64::from(generation) << 56
}
