//! Learns the weights of any game from its games.
//!
//! A game declares its features and how their weights are fitted ([`polyply_core::learn`]); nothing else here depends
//! on the game. [`replay`] replays games, [`samples`] and [`choices`] collect training data, [`logistic`], [`squares`]
//! and [`order`] fit weights to it, [`net`] and [`policy`] train neural nets, [`probcut`] measures how short searches predict longer ones, [`mod@test`] measures
//! weights on other games, and [`page`] writes a report. [`tdleaf`] needs no files of games: it learns while it plays.

mod adam;
pub mod choices;
mod fitting;
pub mod logistic;
pub mod net;
pub mod order;
pub mod page;
pub mod policy;
pub mod probcut;
pub mod replay;
pub mod samples;
pub mod squares;
pub mod tdleaf;
pub mod test;
pub mod training;

use crate::LabError;
pub use polyply_core::weights::TITLE as WEIGHTS_TITLE;
use polyply_engine::learning::{Kind, LearningTask, Loss};
use polyply_engine::{Variant, read_at_most};
pub use polyply_nn::train::Options as TrainOptions;
use samples::Samples;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// How to learn, besides what the game declares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitOptions {
    /// The weight of the game's result in the training target, 0 to 1; the rest is the search's score.
    pub result: f32,
    /// Passes over all positions, at most.
    pub epochs: u32,
    /// Seed for the order of the positions and for the choice of held-out games.
    pub seed: u64,
}

/// A pass over all positions.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The step size.
    pub rate: f32,
    /// The mean loss on the training positions.
    pub training: f32,
    /// The mean loss on the held-out games.
    pub held_out: f32,
}

/// How good the weights are in a phase of the game.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// The number of training positions.
    pub positions: usize,
    /// The mean loss, or the mean error in points, on these.
    pub training: f32,
    /// The same on held-out games.
    pub held_out: f32,
}

/// The progress of learning.
#[non_exhaustive]
pub enum Progress<'a> {
    /// A pass is done.
    Epoch(&'a Epoch),
    /// A phase that is learned separately is done.
    Phase(&'a Phase),
}

/// Learned weights and how they were found.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Fit {
    /// The weights, by slot and phase; none if the evaluation is a net.
    pub numbers: Vec<f32>,
    /// The loss on held-out games, before and after.
    pub held_out: [f32; 2],
    /// The evaluation at which a win is e times as likely as a loss, in the unit of the weights.
    pub unit: f32,
    /// All passes.
    pub epochs: Vec<Epoch>,
    /// The phases of the game; those learned so far if a fit by phases was stopped.
    pub phases: Vec<Phase>,
    /// Further remarks, a line each.
    pub remarks: Vec<String>,
}

/// A fit that is about to begin.
pub struct Training<'a> {
    /// What the game declares.
    pub lesson: &'a LearningTask,
    /// How to learn.
    pub options: FitOptions,
    /// Once this is set, the best weights so far are the result.
    pub stop: &'a AtomicBool,
    /// Is called after every pass or phase.
    pub progress: Box<dyn FnMut(Progress<'_>) + 'a>,
}

/// Learns an evaluation from samples.
pub fn linear(samples: &Samples, training: Training<'_>) -> Fit {
    match training.lesson.recipe.loss {
        Loss::Logistic { .. } | Loss::Choice => logistic::fit(samples, training),
        Loss::Squares => squares::fit(samples, training),
    }
}

/// Files of weights are smaller.
const LARGEST_WEIGHTS: usize = 256 << 20;

/// The variant with weights by name: `built-in`, `linear`, `handmade`, or a file.
pub fn with_weights(variant: &Variant, name: &str) -> Result<Variant, LabError> {
    match name {
        "built-in" => Ok(variant.clone()),
        "handmade" | "linear" => Ok(variant.with_weights(name)?),
        file => {
            let text = read_weights(Path::new(file))?;
            variant.with_weights(&text).map_err(|error| LabError::asked(Path::new(file), error))
        }
    }
}

/// The text of a file of weights.
fn read_weights(path: &Path) -> Result<String, LabError> {
    let bytes = read_at_most(path, LARGEST_WEIGHTS).map_err(|error| LabError::asked(path, error))?;
    // What is no text is no file of weights, and is refused as such.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The variant with the weights to begin with, and the lesson. Without a name, an evaluation begins from scratch, with
/// the hand-made weights for what can't be learned; an order of moves is added to the built-in evaluation.
pub fn begin(variant: &Variant, kind: Kind, start: Option<&str>) -> Result<(Variant, LearningTask), LabError> {
    let usual = if kind == Kind::Linear { "handmade" } else { "built-in" };
    // For a game without weights, this error is clearer than the one about missing hand-made weights.
    variant.learning_task(kind, start.is_none())?;
    let begun = with_weights(variant, start.unwrap_or(usual))?;
    let lesson = begun.learning_task(kind, start.is_none())?;
    Ok((begun, lesson))
}

/// The command that learned the weights, for the header of their file.
pub fn command(what: &str, data: &[PathBuf], start: Option<&str>, choice: &[(&str, String)]) -> String {
    let files: String = data.iter().map(|path| format!(" {}", path.display())).collect();
    let data = if data.is_empty() { "" } else { " --data" };
    let start = start.map_or(String::new(), |start| format!(" --start {start}"));
    let rest: String = choice.iter().map(|(name, value)| format!(" --{name} {value}")).collect();
    format!("command: polyply learn {what}{data}{files}{start}{rest}")
}
