//! Better values for the parameters of the engine, found by games.
//!
//! The methods are those of [`polyply_stats::tuners`]. An [`Objective`] plays the duels that they propose: games by the rules of
//! the arena, or a test function with a known optimum. A [`Tuning`] does all of it: it is made from [`TuneSettings`], keeps a
//! journal from which it can resume, and writes the result and a report.

mod journal;
mod objective;
mod page;
mod run;
mod settings;
mod test_function;

pub use objective::{Games, Objective, PlayedGame};
pub use polyply_stats::tuners::{
    Axis, Batch, Curve, Duel, Method, MethodSettings, Point, Space, Standing, Tuner, clop, genetic, rspsa, spsa,
};
pub use run::{Progress, TuneFiles, Tuning};
pub use settings::{FinalTest, TuneSettings};
pub use test_function::{Function, TestFunction};
