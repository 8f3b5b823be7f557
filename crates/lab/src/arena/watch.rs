//! Looking on while games are played.

use polyply_engine::{Board, Score};

/// A move was played, or a game begins.
pub struct Moment<'a> {
    /// The number of the game.
    pub number: u64,
    /// The players, who moves first first.
    pub players: [&'a str; 2],
    /// What is on the board.
    pub board: &'a Board,
    /// What its player thought of the move.
    pub score: Option<Score>,
}

/// Sees every move of every game, from whichever thread plays it.
pub trait Watcher: Sync {
    /// Something has changed on a board.
    fn moved(&self, moment: &Moment<'_>);
}

/// Nobody looks.
impl Watcher for () {
    fn moved(&self, _: &Moment<'_>) {}
}
