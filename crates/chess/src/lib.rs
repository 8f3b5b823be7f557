//! Chess and Chess960 for Polyply.
//!
//! [`Chess`] is a game: the rules come from `cozy-chess`; repetition, fifty moves, dead positions and keys are added
//! here. Begin reading with `position.rs`. `search.rs` is what the search needs to know, `eval.rs` the evaluation,
//! `see.rs` the static exchange evaluation. [`san`] reads and writes moves as people do.
//!
//! ```
//! use polyply_chess::Chess;
//! use polyply_core::game::{Game, Notation};
//! let mut game = Chess::start();
//! for mv in ["e2e4", "e7e5", "Nf3"] {
//!     let mv = game.parse_move(mv).unwrap();
//!     game.play(mv, &mut ());
//! }
//! assert_eq!(game.text(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
//! ```

mod eval;
mod family;
mod fen;
mod glance;
mod guide;
mod learn;
mod look;
mod moves;
mod net;
mod pawns;
mod position;
pub mod refusals;
pub mod san;
mod search;
mod see;
mod simd;
mod squares;
pub mod tablebase;
mod terms;
mod weights;

pub use eval::Evaluator;
pub use moves::Move;
pub use position::{Change, Chess};
pub use search::ChessParams;
pub use weights::Weights;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
