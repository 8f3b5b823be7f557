//! Methods that find better values of parameters by the results of games.
//!
//! A [`Tuner`] proposes duels between points of a [`Space`], is told their results, and says where it stands; [`spsa`],
//! [`rspsa`], [`clop`] and [`genetic`] are the methods. Who plays the duels is not their concern.

pub mod clop;
pub mod genetic;
mod regression;
pub mod rspsa;
mod space;
pub mod spsa;
mod tuner;

pub use space::{Axis, Point, Space};
pub use tuner::{Batch, Curve, Duel, Method, MethodSettings, Standing, Tuner};
