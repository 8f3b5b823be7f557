//! The games of Polyply behind one interface without generics: below this crate everything is generic over a game,
//! above it everything is plain data.
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
//! Begin reading with [`registry`], the list of games, and `erased`, where their types are erased.

mod bench;
mod board;
pub mod book;
mod engine;
mod erased;
mod error;
mod files;
mod forced_win;
mod idle;
pub mod learning;
mod level;
pub mod look;
mod openings;
mod options;
mod problem;
pub mod refusals;
pub mod registry;
mod report;
mod request;
mod score;
pub mod swap;
mod variant;

pub use bench::{Bench, BenchLine, bench};
pub use board::Board;
pub use engine::{CacheMonitor, Caches, Engine};
pub use error::EngineError;
pub use files::read_at_most;
pub use idle::{Hold, Idle, IdleHandle, IdleThread, Improvement, QueuedPosition, Share};
pub use level::{LEVELS, Level};
pub use options::{OptionKind, OptionSpec, Options, text_options};
pub use polyply_core::clock::{Clock, Limits};
pub use polyply_core::control::Control;
pub use polyply_core::family::{About, Alias, RuleChoice, Setup, Solving, TextOption};
pub use polyply_core::frontier::Reason;
pub use polyply_core::game::Side;
pub use polyply_core::guide::{Guide, Lesson, RulePart, Scene};
pub use polyply_core::refusal::{self, Refusal};
pub use polyply_core::refusals;
pub use polyply_core::table::{DEPTH_BANDS, EvalCounters, Rate, TableCounters, TableReport};
pub use problem::Problem;
pub use report::{BOOK, Best, Bound, Counters, Info, Line, MoveValue, Progress, Solution, TableEntry};
pub use request::{PositionSpec, Request};
pub use score::{Outcome, Score};
pub use variant::Variant;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
