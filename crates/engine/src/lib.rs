//! The one door to the games of Polyply: everything behind it is generic, everything in front of it is plain data.
//!
//! A [`Variant`] is found by its name in the [`registry`]. An [`Engine`] plays it: it keeps one searcher from move to
//! move and answers a [`Request`] with [`Info`]s and a [`Best`]. A [`Board`] is a game that people play: moves as text,
//! undo and redo. Positions and moves are text, scores are seen from the first player's side, and every error is one
//! sentence.
//!
//! ```
//! use polyply_engine::{Engine, Limits, Options, Request, Score, Variant};
//!
//! let variant = Variant::find("connect4").unwrap();
//! let mut engine = Engine::new(&variant, &Options { hash: 1, ..Options::default() }).unwrap();
//! let request = Request { limits: Limits::depth(8), ..Request::at(Some("4455"), &["6"]) };
//! let best = engine.search(&request, &mut |info| assert!(info.depth > 0)).unwrap();
//! // Three in a row with both ends open: whatever the second player does, the first wins two plies later.
//! assert_eq!(best.score(), Some(Score::Win(2)));
//! ```
//!
//! Begin reading with [`registry`], where a game gets its name, and `erased`, where its types end.

pub mod bargain;
mod bench;
mod board;
mod engine;
mod erased;
mod error;
mod force;
mod idle;
mod level;
pub mod look;
mod openings;
mod options;
pub mod polyglot;
mod problem;
pub mod registry;
mod report;
mod request;
mod score;

pub use bench::{Bench, BenchLine, bench};
pub use board::Board;
pub use engine::{Caches, Engine, Gauge};
pub use error::EngineError;
pub use idle::{Hold, Idea, Idle, IdleHandle};
pub use level::{LEVELS, Level};
pub use options::{OptionKind, OptionSpec, Options};
pub use polyply_core::clock::{Clock, Limits};
pub use polyply_core::control::Control;
pub use polyply_core::explore::Reason;
pub use polyply_core::game::Side;
pub use polyply_core::table::{EvalCounters, TableCounters, TableReport};
pub use problem::{Obf, Problem};
pub use registry::Variant;
pub use report::{Best, Bound, Counters, Info, Known, Line, MoveValue, Progress, Solution};
pub use request::{Place, Request};
pub use score::{Outcome, Score};

/// The example of the front page compiles and is right.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;
