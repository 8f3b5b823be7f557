//! Scores and results from the first player's side.

use crate::refusals;
use polyply_core::game::{Side, Unit};
use polyply_core::refusal::Argument;
use polyply_core::score::FirstScore;
use std::fmt;

/// A score from the first player's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of the game's natural unit.
    Centi(i32),
    /// A proven win in this many plies; negative if the second player wins.
    Win(i32),
    /// A difference of points, such as discs.
    Points(i32),
}

impl Score {
    /// Converts a score of the core, in the unit of its game.
    pub fn of(score: FirstScore, unit: Unit) -> Score {
        match (score.plies_to_end(), unit) {
            (Some(plies), _) => Score::Win(plies),
            (None, Unit::Centi) => Score::Centi(score.value()),
            (None, Unit::Points(units)) => Score::Points(rounded(score.value(), units)),
        }
    }

    /// Converts a bound, or returns `None` if it is trivial: every score lies between a loss now and a win now.
    pub(crate) fn bound(score: FirstScore, unit: Unit) -> Option<Score> {
        (score.plies_to_end() != Some(0)).then(|| Score::of(score, unit))
    }

    /// The score as one number: a proven win is more than any evaluation, and a sooner win is more than a later one.
    pub fn hundredths(self) -> i32 {
        const WIN: i32 = 1_000_000_000;
        match self {
            Score::Centi(centi) => centi,
            Score::Points(points) => points.saturating_mul(100),
            Score::Win(plies) => plies.signum() * (WIN - plies.abs()),
        }
    }

    /// A proven result whose distance is unknown: endgame tables know the winner, but not when.
    pub fn is_uncounted(self) -> bool {
        matches!(self, Score::Win(plies) if plies.abs() > polyply_core::score::Score::COUNTED)
    }

    /// The same result, seen a ply earlier.
    pub fn one_ply_before(self) -> Score {
        match self {
            Score::Win(plies) => Score::Win(plies + plies.signum()),
            other => other,
        }
    }

    /// The same result, seen a ply later, before the game is over.
    pub fn one_ply_after(self) -> Score {
        match self {
            Score::Win(plies) if plies.abs() > 1 => Score::Win(plies - plies.signum()),
            other => other,
        }
    }
}

/// `+0.35`, `first player wins in 7 plies`, `-4`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Centi(centi) => write!(f, "{:+.2}", f64::from(centi) / 100.0),
            Score::Win(plies) => {
                let player = if plies < 0 { "second" } else { "first" };
                if self.is_uncounted() {
                    return write!(f, "{player} player wins");
                }
                write!(f, "{player} player wins in {} pl{}", plies.abs(), if plies.abs() == 1 { "y" } else { "ies" })
            }
            Score::Points(points) => write!(f, "{points:+}"),
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Nobody has won.
    Draw,
    /// The first player has this many points more than the second.
    Points(i32),
}

impl Outcome {
    /// Converts a result of the core, in the unit of its game.
    pub(crate) fn of(outcome: polyply_core::game::Outcome, unit: Unit) -> Outcome {
        use polyply_core::game::Outcome as Core;
        match (outcome, unit) {
            (Core::Win(side), _) => Outcome::Win(side),
            (Core::Draw, _) => Outcome::Draw,
            (Core::Points(points), Unit::Centi) => Outcome::Points(points),
            (Core::Points(points), Unit::Points(units)) => Outcome::Points(rounded(points, units)),
        }
    }

    /// The winner, if there is one.
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw | Outcome::Points(0) => None,
            Outcome::Points(points) => Some(if points > 0 { Side::First } else { Side::Second }),
        }
    }

    /// The score one ply before the end of the game.
    pub fn as_last_move(self) -> Score {
        match self {
            Outcome::Win(Side::First) => Score::Win(1),
            Outcome::Win(Side::Second) => Score::Win(-1),
            Outcome::Draw => Score::Centi(0),
            Outcome::Points(points) => Score::Points(points),
        }
    }
}

/// `the first player has won`, `it is a draw`, `the second player has won by 4`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Argument::from(*self).fmt(f)
    }
}

/// A result as a part of a sentence.
impl From<Outcome> for Argument {
    fn from(outcome: Outcome) -> Argument {
        let words = match (outcome, outcome.winner()) {
            (_, None) => refusals::draw(),
            (Outcome::Points(points), Some(Side::First)) => refusals::first_won_by(points),
            (Outcome::Points(points), Some(Side::Second)) => refusals::second_won_by(-points),
            (_, Some(Side::First)) => refusals::first_won(),
            (_, Some(Side::Second)) => refusals::second_won(),
        };
        words.into()
    }
}

/// Evaluation units as the nearest number of points.
fn rounded(value: i32, units: i32) -> i32 {
    (f64::from(value) / f64::from(units)).round() as i32
}
