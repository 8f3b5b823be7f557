//! Problems: positions to solve, one a line of a file, with the answer if the file has it.

use crate::request::PositionSpec;
use crate::score::Score;
use polyply_core::score::FirstScore;

/// A position to solve.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// The position.
    pub spec: PositionSpec,
    /// Its name.
    pub id: Option<String>,
    /// The right moves, if given: any of them counts.
    pub best: Vec<String>,
    /// The wrong moves, if given.
    pub avoid: Vec<String>,
    /// A win in at most this many plies has to be proven; negative if the second player wins.
    pub win: Option<i32>,
    /// The value under perfect play, if given.
    pub value: Option<Score>,
    /// Everything after the position, as it is in the file.
    pub operations: String,
}

impl Problem {
    /// Converts a problem of the core. `score` converts its value to the game's unit.
    pub(crate) fn of(read: polyply_core::problem::Problem, score: impl Fn(FirstScore) -> Score) -> Problem {
        let polyply_core::problem::Problem { position, id, best, avoid, win, value, operations } = read;
        let spec = PositionSpec { position, moves: Vec::new() };
        Problem { spec, id, best, avoid, win, value: value.map(score), operations }
    }
}
