//! Othello on the search core of Polyply.
//!
//! Begin with [`board`], the discs and what a move does to them, by bit tricks; then [`position`], the rules as the core
//! wants them. [`handmade`] judges positions by what a book for beginners says.

pub mod board;
mod endgame;
mod eval;
mod family;
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

/// The example of the README compiles and is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
