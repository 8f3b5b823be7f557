//! The five-in-a-row family: freestyle, standard, Caro and capture gomoku.
//!
//! Begin reading at [`settings`], which says what the games of the family differ in. [`opening`] holds the restrictions
//! of the first moves.

mod attack;
mod board;
mod capture;
pub mod cell;
mod cells;
mod defence;
mod eval;
mod family;
mod learn;
mod look;
pub mod notation;
pub mod opening;
pub mod pattern;
pub mod position;
pub mod refusals;
pub mod rule;
mod search;
pub mod settings;
pub mod shape;
mod text;
mod vcf;
mod vct;
mod weights;

pub use capture::Deeds;
pub use cells::Change;
pub use eval::{Choice, Evaluator, Terms};
pub use position::Five;
pub use search::FiveParams;
pub use weights::{CaptureWeights, Menace, Weights};

/// The example of the README compiles and is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
