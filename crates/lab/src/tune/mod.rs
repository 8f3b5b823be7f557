//! Better values for the parameters of the engine, found by games.
//!
//! A [`Tuner`] proposes duels between points of a [`Space`], is told their results, and says where it stands; [`spsa`],
//! [`rspsa`], [`clop`] and [`genetic`] are the methods. An [`Objective`] plays the duels: games by the rules of the arena,
//! or a test function with a known optimum. A [`Tuning`] does all of it: it is made from [`TuneSettings`], keeps a
//! journal from which it can resume, and writes the result and a report.

pub mod clop;
pub mod genetic;
mod journal;
mod objective;
mod page;
mod regression;
pub mod rspsa;
mod run;
mod settings;
mod space;
pub mod spsa;
mod test_function;
mod tuner;

pub use objective::{Games, Objective, PlayedGame};
pub use run::{Progress, TuneFiles, Tuning};
pub use settings::{FinalTest, MethodSettings, TuneSettings};
pub use space::{Axis, Point, Space};
pub use test_function::{Function, TestFunction};
pub use tuner::{Batch, Curve, Duel, Method, Standing, Tuner};
