//! The search core of Polyply: everything that alpha-beta engines of different games share, and nothing about any game.
//!
//! Begin with [`game`], the contract between a game and the core; then [`threads::Searcher`], the engine that plays
//! any game which keeps that contract. How a position is searched is in the `search` folder, in which order moves are
//! tried in `order`, what is remembered in [`table`].
//!
//! A decided score is always proven: pruning never claims a win or a loss (see `search/prune.rs`), so
//! [`score::Score::is_win`] may be believed whatever techniques were on.

mod busy;
pub mod clock;
pub mod conformance;
pub mod control;
pub mod family;
pub mod frontier;
pub mod game;
pub mod glance;
pub mod guide;
pub mod hash;
pub mod idle;
pub mod learn;
pub mod linear;
pub mod lock;
pub mod look;
mod order;
pub mod params;
pub mod perft;
pub mod problem;
pub mod random;
pub mod refusal;
pub mod resources;
pub mod rows;
pub mod score;
mod search;
mod simd;
pub mod solve;
pub mod stats;
pub mod swap;
mod sync;
pub mod table;
pub mod threads;
mod vote;
mod watch;
pub mod weights;

pub use search::{Best, Info, Line, MAX_PLY};
pub use threads::{Searcher, Task};

/// The example of the README compiles and is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
