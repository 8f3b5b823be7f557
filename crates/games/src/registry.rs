//! The list of games. Adding a game takes one line here.

use crate::erased::{ErasedFamily, Registered};
use polyply_chess::Chess;
use polyply_core::family::About;
use polyply_five::Five;
use polyply_five::rule::{Capture, Caro, Freestyle, Standard};
use polyply_othello::Othello;
use polyply_small::ataxx::Ataxx;
use polyply_small::connect4::Connect4;
use polyply_small::tictactoe::TicTacToe;

/// All games, in display order. A `const` would be compiled, with every search, wherever it is used.
pub(crate) static GAMES: &[&dyn ErasedFamily] = &[
    &Registered::<TicTacToe>::NEW,
    &Registered::<Connect4>::NEW,
    &Registered::<Ataxx>::NEW,
    &Registered::<Five<Freestyle>>::NEW,
    &Registered::<Five<Standard>>::NEW,
    &Registered::<Five<Caro>>::NEW,
    &Registered::<Five<Capture>>::NEW,
    &Registered::<Othello>::NEW,
    &Registered::<Chess>::NEW,
];

/// The descriptions of all games, in display order.
pub fn games() -> impl Iterator<Item = &'static About> {
    GAMES.iter().map(|game| game.about())
}
