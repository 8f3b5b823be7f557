//! Small neural nets that value positions of board games: inference for a search, and training. Knows no game.
//!
//! A game describes a position by the numbers of its active features, once for each perspective (each player's view of
//! the board). The first layer of a net adds up a row of weights for each of them. A move changes only a few features,
//! so [`Accumulators`] keep these sums incrementally. One or two small dense layers turn them into a value
//! ([efficiently updatable neural networks][nnue]).
//!
//! In a pooled net every site of the board has such a first layer of its own, with the same weights, and their activations are
//! summed up; [`PooledSums`] keeps them.
//!
//! A [`Policy`] values the moves of a position instead.
//!
//! Begin reading with [`Shape`], then [`Net`] and [`Accumulators`] for inference; [`train::Trainer`] for training, which
//! works on a
//! [`train::Lesson`].
//!
//! [nnue]: https://www.chessprogramming.org/NNUE

mod accumulators;
mod choices;
mod file;
mod float;
mod kernels;
mod net;
mod policy;
mod pooled;
mod positions;
mod shape;
mod simd;
pub mod train;

pub use accumulators::Accumulators;
pub use choices::MoveChoices;
pub use float::FloatNet;
pub use net::Net;
pub use policy::{POLICY_UNIT, Policy, PolicyShape, WIDTH as POLICY_WIDTH};
pub use polyply_core::learn::Inputs;
pub use pooled::{Changed, PooledSums};
pub use positions::{Position, Positions};
pub use shape::{Activation, POOLED, Shape};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
