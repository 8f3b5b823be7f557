//! Self-play of Othello, and the weights of its patterns learned from it.

pub mod fit;
pub mod probcut;
pub mod samples;
pub mod test;

use crate::LabError;
use crate::games::Games;
use crate::selfplay::{self, Pace, Played};
use polyply_core::game::Notation;
use polyply_engine::Variant;
use polyply_othello::{Evaluator, Othello, Weights};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The name of the variant, in files of games as well.
pub const NAME: &str = "othello";

/// The weights of a file, or the built-in ones for `built-in`, or none, which is the hand-made evaluation, for `handmade`.
pub fn weights(name: &str) -> Result<Option<&'static Weights>, LabError> {
    match name {
        "built-in" => Ok(Some(Weights::built_in())),
        "handmade" => Ok(None),
        file => {
            let path = Path::new(file);
            let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, error))?;
            let weights = Weights::parse(&text).map_err(|reason| LabError::file(path, reason))?;
            // An evaluation keeps its weights for the life of the program, and a program reads a few of them at most.
            Ok(Some(Box::leak(Box::new(weights))))
        }
    }
}

/// Plays games until a file has so many; `told` hears how many there are.
pub fn selfplay(
    weights: Option<&'static Weights>,
    pace: Pace,
    count: u64,
    path: &Path,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> Result<(), LabError> {
    let hash = weights.map_or(0, |weights| weights.hash);
    let origin = format!("nodes={} seed={} weights={hash:016x}", pace.nodes, pace.seed);
    let mut games = Games::open(path, NAME, &origin)?;
    let missing = games.missing(count);
    told(games.done.len() as u64);
    let (variant, start) = (Variant::find(NAME)?, Othello::start());
    let played = Played { variant: &variant, start: &start, eval: &Evaluator::new(weights) };
    selfplay::run(&played, pace, &missing, stop, &mut |record| {
        games.add(&record)?;
        told(games.done.len() as u64);
        Ok(())
    })
}
