//! Scores, and whose side they are seen from.
//!
//! Two types keep the two views apart. [`Score`] is from the side to move, and is the only kind that the search
//! computes with. [`FirstScore`] is from the first player, and is the only kind that is stored in a table, printed or
//! written to a file. Every conversion names the side to move.

use crate::game::Side;
use std::ops::{Add, Neg, Sub};

/// A win on the board. A win in `n` plies is `WIN - n`.
const WIN: i32 = 32_000;
/// The longest win, in plies. A score is a proven win if and only if it is at least `WIN - LONGEST_WIN`.
const LONGEST_WIN: i32 = 1_000;

/// A score from the point of view of the side to move.
///
/// ```
/// use polyply_core::score::Score;
/// let win = Score::win_in(3);
/// assert!(win.is_win() && (-win).is_loss());
/// assert_eq!(win.plies_to_end(), Some(3));
/// assert!(Score::win_in(1) > Score::win_in(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
#[repr(transparent)]
pub struct Score(i32);

impl Score {
    /// A draw, before contempt.
    pub const ZERO: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(WIN + 1);
    /// The largest heuristic score. Anything above is a proven win.
    pub const MAX_EVAL: Score = Score(WIN - LONGEST_WIN - 1);

    /// A heuristic score, clamped so that it can't be mistaken for a proven one.
    pub const fn eval(value: i32) -> Score {
        let max = Score::MAX_EVAL.0;
        Score(if value > max {
            max
        } else if value < -max {
            -max
        } else {
            value
        })
    }

    /// Proven wins that are further away than this have an unknown distance, as those that endgame tables prove.
    pub const COUNTED: i32 = 500;
    /// A proven win at an unknown distance.
    pub const WON: Score = Score::win_in(700);
    /// A proven loss at an unknown distance.
    pub const LOST: Score = Score::loss_in(700);

    /// The side to move wins in `plies`.
    pub const fn win_in(plies: i32) -> Score {
        Score(WIN - plies)
    }

    /// The side to move loses in `plies`.
    pub const fn loss_in(plies: i32) -> Score {
        Score(plies - WIN)
    }

    /// The plain number.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// A proven win.
    pub const fn is_win(self) -> bool {
        self.0 > Score::MAX_EVAL.0
    }

    /// A proven loss.
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::MAX_EVAL.0
    }

    /// A proven win or loss.
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Plies to the proven end: positive for a win, negative (or zero) for a loss.
    pub const fn plies_to_end(self) -> Option<i32> {
        if self.is_win() {
            Some(WIN - self.0)
        } else if self.is_loss() {
            Some(-(WIN + self.0))
        } else {
            None
        }
    }

    /// The same score as the first player sees it, when `side` is to move.
    pub const fn for_first(self, side: Side) -> FirstScore {
        match side {
            Side::First => FirstScore(self.0),
            Side::Second => FirstScore(-self.0),
        }
    }

    /// A score counted from the root, made relative to a node `ply` below it, as tables store it.
    pub const fn from_node(self, ply: usize) -> Score {
        if self.is_win() {
            Score(self.0 + ply as i32)
        } else if self.is_loss() {
            Score(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`Score::from_node`].
    pub const fn from_root(self, ply: usize) -> Score {
        if self.is_win() {
            Score(self.0 - ply as i32)
        } else if self.is_loss() {
            Score(self.0 + ply as i32)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl Sub for Score {
    type Output = i32;
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// A score from the first player's point of view: positive is good for the first player. Fits sixteen bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
#[repr(transparent)]
pub struct FirstScore(i32);

impl FirstScore {
    /// The plain number.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The same score as the side to move sees it.
    pub const fn for_side(self, side: Side) -> Score {
        match side {
            Side::First => Score(self.0),
            Side::Second => Score(-self.0),
        }
    }

    /// The score that tables keep in sixteen bits.
    pub const fn to_bits(self) -> u16 {
        self.0 as i16 as u16
    }

    /// The inverse of [`FirstScore::to_bits`].
    pub const fn from_bits(bits: u16) -> FirstScore {
        FirstScore(bits as i16 as i32)
    }

    /// Plies to the proven end: positive when the first player wins, negative when the second does.
    pub const fn plies_to_end(self) -> Option<i32> {
        Score(self.0).plies_to_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn win_distance_survives_the_way_to_a_table_and_back() {
        for ply in 0..200 {
            for score in [Score::win_in(250), Score::loss_in(201), Score::eval(77), Score::ZERO] {
                assert_eq!(score.from_node(ply).from_root(ply), score);
            }
        }
        // A win on ply 9 of the search, seen at ply 4, is five plies away from that node.
        assert_eq!(Score::win_in(9).from_node(4), Score::win_in(5));
        assert_eq!(Score::loss_in(9).from_node(4), Score::loss_in(5));
    }

    #[test]
    fn evaluations_never_look_decided() {
        assert!(!Score::eval(i32::MAX).is_decisive());
        assert!(!Score::eval(i32::MIN + 1).is_decisive());
    }

    #[test]
    fn both_views_agree() {
        let score = Score::eval(35);
        assert_eq!(score.for_first(Side::Second).value(), -35);
        for side in [Side::First, Side::Second] {
            let stored = FirstScore::from_bits(score.for_first(side).to_bits());
            assert_eq!(stored.for_side(side), score);
        }
        assert_eq!(Score::win_in(7).for_first(Side::Second).plies_to_end(), Some(-7));
    }
}
