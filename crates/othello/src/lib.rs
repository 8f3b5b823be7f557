//! Othello on the search core of Polyply.
//!
//! Begin reading with [`board`], the discs and what a move does to them, by bit tricks; then [`position`], the rules
//! for the core. [`handmade`] is an evaluation by the advice of a beginners' book.

pub mod board;
mod endgame;
mod eval;
mod family;
mod glance;
pub mod handmade;
mod learn;
mod look;
mod notation;
pub mod pattern;
mod portable;
pub mod position;
pub mod refusals;
mod search;
#[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
mod simd;
pub mod square;
pub mod stable;
pub mod weights;

pub use eval::Evaluator;
pub use portable::Portable;
pub use position::Othello;
pub use search::Params;
pub use square::Square;
pub use weights::Weights;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
