//! The list of games, with their types erased: below this crate everything is generic over a game, above it everything is
//! plain data.
//!
//! A [`Variant`] is found by its name in the [`registry`]. A [`Board`] is a game in progress, with moves as text, undo and
//! redo. Scores are from the first player's side, and every error is one sentence.
//!
//! Every search of every game is compiled in this crate and nowhere above it. What plays the games is in `polyply-engine`,
//! which re-exports all of this and can change without compiling a search.
//!
//! Begin reading with [`registry`], the list of games, and [`erased`], where their types are erased.

mod board;
#[doc(hidden)]
pub mod erased;
mod error;
pub mod learning;
pub mod look;
mod openings;
mod options;
mod problem;
pub mod refusals;
pub mod registry;
mod report;
mod request;
mod score;
mod variant;

pub use board::Board;
pub use error::EngineError;
pub use options::{EngineOption, FULL_STRENGTH, OptionKind, OptionSpec, Options, PERSONAS, text_options};
pub use polyply_core::family::{About, Alias, Handicap, RuleChoice, Setup, Solving, TextOption};
pub use polyply_core::game::Side;
pub use polyply_core::guide::{Guide, Lesson, RulePart, Scene};
pub use polyply_core::refusal::{self, Refusal};
pub use polyply_core::refusals;
pub use problem::Problem;
pub use report::{
    Best, Bound, Counters, Glance, Info, Line, Progress, QueuedPosition, Solution, TableEntry, per_second,
};
pub use request::{PositionSpec, Request};
pub use score::{Outcome, Score};
pub use variant::Variant;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
