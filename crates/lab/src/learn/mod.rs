//! Learning the weights of any game from games of it.
//!
//! A game declares its features and how their weights are fitted ([`polyply_core::learn`]); nothing here knows more of it.
//! [`replay`] plays games over, [`samples`] and [`choices`] collect what can be learned from, [`logistic`], [`squares`]
//! and [`order`] fit weights to it, [`probcut`] measures how searches predict each other, [`mod@test`] says how weights do on
//! other games, and [`page`] shows how it went.

mod adam;
pub mod choices;
mod fitting;
pub mod logistic;
pub mod order;
pub mod page;
pub mod probcut;
pub mod replay;
pub mod samples;
pub mod squares;
pub mod test;

use crate::LabError;
use polyply_engine::Variant;
use polyply_engine::learning::{Kind, Lesson, Loss};
use samples::Samples;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// How to learn, besides what the game declares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitOptions {
    /// How much the result counts against what the search thought, 0 to 1.
    pub result: f32,
    /// Times that all positions are seen, at most.
    pub epochs: u32,
    /// The order of the positions, and which games are held out.
    pub seed: u64,
}

/// What has been learned from a pass over all positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The step size.
    pub rate: f32,
    /// The mean loss on the positions learned from.
    pub training: f32,
    /// The mean loss on the games held out.
    pub held_out: f32,
}

/// How weights do in a phase of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Positions of it.
    pub positions: usize,
    /// The mean loss, or the mean error in points, on those learned from.
    pub training: f32,
    /// And on games that were held out.
    pub held_out: f32,
}

/// How learning goes on.
pub enum Progress<'a> {
    /// Another pass is done.
    Epoch(&'a Epoch),
    /// A phase that is learned for itself is done.
    Phase(&'a Phase),
}

/// Weights and how they were found.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The weights, by slot and phase.
    pub numbers: Vec<f32>,
    /// The loss on the games held out: of the weights to begin with, and of those found.
    pub held_out: [f32; 2],
    /// The evaluation at which the chance to win is e times the chance to lose, in units of the numbers.
    pub unit: f32,
    /// All passes.
    pub epochs: Vec<Epoch>,
    /// The phases of the game.
    pub phases: Vec<Phase>,
    /// What else there is to say, a line each.
    pub remarks: Vec<String>,
}

/// A fit that is about to begin.
pub struct Training<'a> {
    /// What the game declares.
    pub lesson: &'a Lesson,
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

/// The variant with the weights of a file, with its own for `built-in`, or with those that nothing was learned for.
pub fn with_weights(variant: &Variant, name: &str) -> Result<Variant, LabError> {
    match name {
        "built-in" => Ok(variant.clone()),
        "handmade" => Ok(variant.with_weights(name)?),
        file => {
            let path = Path::new(file);
            let text = std::fs::read_to_string(path).map_err(|error| LabError::asked(path, error))?;
            variant.with_weights(&text).map_err(|error| LabError::asked(path, error))
        }
    }
}

/// The variant with the weights that learning begins with, and how it is done. Without a name there are none to begin
/// with: the hand-made ones stand in for what a game can't learn, and an order of moves is added to the built-in ones.
pub fn begin(variant: &Variant, kind: Kind, start: Option<&str>) -> Result<(Variant, Lesson), LabError> {
    let usual = if kind == Kind::Linear { "handmade" } else { "built-in" };
    // A game without weights has no hand-made ones either, and says so better.
    variant.lesson(kind, start.is_none())?;
    let begun = with_weights(variant, start.unwrap_or(usual))?;
    let lesson = begun.lesson(kind, start.is_none())?;
    Ok((begun, lesson))
}

/// The command that weights were learned by, for their file.
pub fn command(what: &str, data: &[PathBuf], start: Option<&str>, choice: &[(&str, String)]) -> String {
    let data: Vec<String> = data.iter().map(|path| path.display().to_string()).collect();
    let start = start.map_or(String::new(), |start| format!(" --start {start}"));
    let rest: String = choice.iter().map(|(name, value)| format!(" --{name} {value}")).collect();
    format!("command: polyply learn {what} --data {}{start}{rest}", data.join(" "))
}
