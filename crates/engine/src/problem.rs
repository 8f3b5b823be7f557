//! Positions to solve, one a line of a file, with the answer where the file has it.

use crate::request::Place;
use crate::score::Score;
use polyply_core::score::FirstScore;

/// A position to solve.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// The position.
    pub place: Place,
    /// What it is called.
    pub id: Option<String>,
    /// One of these moves is right, if there are any.
    pub best: Vec<String>,
    /// None of these is.
    pub avoid: Vec<String>,
    /// A win in at most so many plies is to be proven; negative for the second player's.
    pub win: Option<i32>,
    /// The value under perfect play, if the file says it.
    pub value: Option<Score>,
    /// Everything behind the position, as it is written.
    pub operations: String,
}

impl Problem {
    /// A problem of the core; `score` turns its value into the unit of the game.
    pub(crate) fn of(read: polyply_core::problem::Problem, score: impl Fn(FirstScore) -> Score) -> Problem {
        let polyply_core::problem::Problem { position, id, best, avoid, win, value, operations } = read;
        let place = Place { position, moves: Vec::new() };
        Problem { place, id, best, avoid, win, value: value.map(score), operations }
    }
}
