//! Watching games while they are played.

use crate::record::Move;
use polyply_engine::Board;
use std::time::Duration;

/// A game in progress: after a move, or at its beginning.
#[non_exhaustive]
pub struct Moment<'a> {
    /// The number of the game.
    pub number: u64,
    /// The names of the players, the first player first.
    pub players: [&'a str; 2],
    /// The board.
    pub board: &'a Board,
    /// The moves of the players, after the opening, with their scores.
    pub played: &'a [Move],
    /// The time left on the clocks.
    pub left: [Option<Duration>; 2],
}

/// Is notified of every move of every game, from the thread that plays it.
pub trait Watcher: Sync {
    /// A game began, or a move was made.
    fn moved(&self, moment: &Moment<'_>);
}

/// Nobody watches.
impl Watcher for () {
    fn moved(&self, _: &Moment<'_>) {}
}
