//! Requests to an engine.

use crate::board::Board;
use polyply_core::clock::Limits;

/// A position, given by a starting position and the moves played from it.
///
/// The moves matter in games whose rules depend on the history, such as repetitions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PositionSpec {
    /// The starting position, or `None` for the start of the game.
    pub position: Option<String>,
    /// The moves from it.
    pub moves: Vec<String>,
}

impl PositionSpec {
    /// A starting position (`None` for the start of the game) and moves from it.
    pub fn new(position: Option<&str>, moves: &[&str]) -> PositionSpec {
        PositionSpec { position: position.map(str::to_owned), moves: moves.iter().map(|&mv| mv.to_owned()).collect() }
    }

    /// The position one move later.
    pub fn after(&self, mv: &str) -> PositionSpec {
        let mut spec = self.clone();
        spec.moves.push(mv.to_owned());
        spec
    }
}

/// What to search, and for how long.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The position.
    pub board: Board,
    /// When to stop.
    pub limits: Limits,
    /// The number of best lines to find; `None` uses the option `MultiPV`.
    pub multipv: Option<usize>,
    /// Search only these moves; all moves if empty.
    pub search_moves: Vec<String>,
}

impl Request {
    /// A request without limits.
    pub fn new(board: &Board) -> Request {
        Request { board: board.clone(), limits: Limits::default(), multipv: None, search_moves: Vec::new() }
    }
}
