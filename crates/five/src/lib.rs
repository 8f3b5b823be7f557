//! The five-in-a-row family: freestyle, standard, Caro and capture gomoku.
//!
//! Begin reading with [`settings`], which lists how the games of the family differ. [`opening`] has the rules for the
//! first moves.

mod attack;
mod board;
mod capture;
pub mod cell;
mod cells;
mod defence;
mod eval;
mod family;
mod glance;
mod guide;
mod learn;
mod look;
mod net;
pub mod notation;
pub mod opening;
pub mod pattern;
mod policy;
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

pub use capture::PairEffects;
pub use cells::Change;
pub use eval::{Choice, Evaluator, Terms};
pub use position::Five;
pub use search::FiveParams;
pub use weights::{CaptureWeights, ThreatSet, Weights};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
