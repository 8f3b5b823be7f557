//! The games. A new one is one line here.

use crate::erased::{ErasedFamily, Registered};
use polyply_chess::Chess;
use polyply_core::family::About;
use polyply_five::Five;
use polyply_five::rule::{Capture, Caro, Freestyle, Standard};
use polyply_othello::Othello;
use polyply_small::ataxx::Ataxx;
use polyply_small::connect4::Connect4;
use polyply_small::tictactoe::TicTacToe;

/// All games, in the order in which they are shown. (A constant would be compiled, with every search, wherever it is used.)
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

/// What all games say of themselves, in the order in which they are shown.
pub fn games() -> impl Iterator<Item = &'static About> {
    GAMES.iter().map(|game| game.about())
}
