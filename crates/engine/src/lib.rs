//! The engine that plays the games of Polyply: searches, tables, opening books, levels and idle improvement. Nothing here is
//! generic over a game.
//!
//! A [`Variant`] is found by its name in the [`registry`]. A [`Board`] is a game in progress, with moves as text, undo
//! and redo. An [`Engine`] plays a variant: it keeps one searcher from move to move, and answers a [`Request`] with
//! [`Info`]s and a [`Best`]. Scores are from the first player's side, and every error is one sentence.
//!
//! ```
//! use polyply_engine::{Board, Engine, Limits, Options, PositionSpec, Request, Score, Variant};
//!
//! let variant = Variant::find("connect4").unwrap();
//! let mut engine = Engine::new(&variant, &Options { hash: 1, ..Options::default() }).unwrap();
//! let board = Board::at(&variant, &PositionSpec::new(Some("4455"), &["6"])).unwrap();
//! let request = Request { limits: Limits::depth(8), ..Request::new(&board) };
//! let best = engine.search(&request, &mut |info| assert!(info.depth > 0)).unwrap();
//! // Three in a row with both ends open: whatever the second player does, the first wins two plies later.
//! assert_eq!(best.score(), Some(Score::Win(2)));
//! ```
//!
//! The games are in [`polyply_games`], which this crate re-exports. Begin reading with [`Engine`].

mod bench;
pub mod book;
mod engine;
mod files;
mod forced_win;
mod idle;
mod level;
pub mod refusals;
pub mod swap;

pub use bench::{Bench, BenchLine, bench};
pub use book::BOOK;
pub use engine::{CacheMonitor, Caches, Engine, MoveValue};
pub use files::read_at_most;
pub use idle::{Hold, Idle, IdleHandle, IdleThread, Improvement, Share};
pub use level::{LEVELS, Level, PERSONAS, Persona, Player};
pub use polyply_core::clock::{Clock, Limits};
pub use polyply_core::control::Control;
pub use polyply_core::frontier::Reason;
pub use polyply_core::table::{DEPTH_BANDS, EvalCounters, Rate, TableCounters, TableReport};
pub use polyply_games::*;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
