//! What is asked of an engine.

use crate::board::Board;
use polyply_core::clock::Limits;

/// A place in the tree of a game: a position and the moves that were played from it.
///
/// A game that remembers its past (repetitions, say) is told all of it this way.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Place {
    /// The position, or `None` for the start of the game.
    pub position: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
}

impl Place {
    /// A position (the start without one), and moves from it.
    pub fn new(position: Option<&str>, moves: &[&str]) -> Place {
        Place { position: position.map(str::to_owned), moves: moves.iter().map(|&mv| mv.to_owned()).collect() }
    }

    /// The place one move further.
    pub fn after(&self, mv: &str) -> Place {
        let mut place = self.clone();
        place.moves.push(mv.to_owned());
        place
    }
}

/// What to search, and how long.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// What is on the board.
    pub board: Board,
    /// When to end.
    pub limits: Limits,
    /// How many best lines to find; the option `MultiPV` decides where there is nothing.
    pub multipv: Option<usize>,
    /// Only these moves; all where it is empty.
    pub search_moves: Vec<String>,
}

impl Request {
    /// A request without limits.
    pub fn new(board: &Board) -> Request {
        Request { board: board.clone(), limits: Limits::default(), multipv: None, search_moves: Vec::new() }
    }
}
