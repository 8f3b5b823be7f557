//! Self-play of chess, and the weights of its evaluation learned from it.

pub mod fit;
pub mod samples;

use crate::LabError;
use crate::games::Games;
use crate::selfplay::{self, Pace, Played};
use polyply_chess::{Chess, Evaluator, Weights};
use polyply_core::game::Notation;
use polyply_engine::Variant;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The name of the variant, in files of games as well.
pub const NAME: &str = "chess";

/// The weights of a file, or the built-in ones for `built-in`, or those that nothing was learned for, `handmade`.
pub fn weights(name: &str) -> Result<&'static Weights, LabError> {
    match name {
        "built-in" => Ok(Weights::built_in()),
        "handmade" => Ok(Box::leak(Box::new(Weights::handmade()))),
        file => {
            let path = Path::new(file);
            let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, error))?;
            let weights = Weights::parse(&text).map_err(|reason| LabError::file(path, reason))?;
            // An evaluation keeps its weights for the life of the program, and a program reads a few of them at most.
            Ok(Box::leak(Box::new(weights)))
        }
    }
}

/// Plays games until a file has so many; `told` hears how many there are.
pub fn selfplay(
    weights: &'static Weights,
    pace: Pace,
    count: u64,
    path: &Path,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> Result<(), LabError> {
    let origin = format!("nodes={} seed={} weights={:016x}", pace.nodes, pace.seed, weights.hash);
    let mut games = Games::open(path, NAME, &origin)?;
    let missing = games.missing(count);
    told(games.done.len() as u64);
    let (variant, start) = (Variant::find(NAME)?, Chess::start());
    let played = Played { variant: &variant, start: &start, eval: &Evaluator::new(weights) };
    selfplay::run(&played, pace, &missing, stop, &mut |record| {
        games.add(&record)?;
        told(games.done.len() as u64);
        Ok(())
    })
}
