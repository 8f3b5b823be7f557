//! The training of a net, with checkpoints and progress.

use super::Epoch;
use crate::LabError;
use crate::arena::write_whole;
use polyply_nn::train::{self, Event, Lesson, Options, Trainer};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Checkpoints are this far apart.
const MINUTE: Duration = Duration::from_secs(60);

/// A training that is about to begin.
pub struct NetTraining<'a> {
    /// How to train.
    pub options: Options,
    /// The file that a stopped training goes on from.
    pub checkpoint: &'a Path,
    /// Go on from that file.
    pub resume: bool,
    /// Once this is set, the best net so far is the result.
    pub stop: &'a AtomicBool,
    /// Who is told how far it is.
    pub progress: Box<OnProgress<'a>>,
}

/// Is called after every batch, with the number of passes done and the share of the next one, and with every pass.
pub type OnProgress<'a> = dyn FnMut(f64, Option<&Epoch>) + 'a;

/// Trains until nothing is gained any more, or until it is stopped.
pub(super) fn run<'a, L: Lesson>(lesson: &'a L, training: NetTraining<'_>) -> Result<Trainer<'a, L>, LabError> {
    let NetTraining { options, checkpoint, resume, stop, mut progress } = training;
    let mut trainer = match resume {
        true => resumed(lesson, options, checkpoint)?,
        false => Trainer::new(lesson, options),
    };
    save(checkpoint, &trainer)?;
    let mut saved = Instant::now();
    while !stop.load(Relaxed) {
        let event = trainer.advance();
        let passes = trainer.epochs().len() as f64 + trainer.done() as f64 / trainer.counts()[0].max(1) as f64;
        match event {
            Event::Batch => progress(passes, None),
            Event::Epoch(epoch) => progress(passes, Some(&of(&epoch))),
            Event::Done => break,
        }
        if saved.elapsed() >= MINUTE {
            save(checkpoint, &trainer)?;
            saved = Instant::now();
        }
    }
    if stop.load(Relaxed) {
        save(checkpoint, &trainer)?;
    } else {
        // Nothing is left to resume. A file that stays does no harm.
        let _ = std::fs::remove_file(checkpoint);
    }
    Ok(trainer)
}

/// The passes that were done.
pub(super) fn epochs<L: Lesson>(trainer: &Trainer<'_, L>) -> Vec<Epoch> {
    trainer.epochs().iter().map(of).collect()
}

/// The loss on held-out games after the first pass and at best.
pub(super) fn held_out(epochs: &[Epoch]) -> [f32; 2] {
    let best = epochs.iter().map(|epoch| epoch.held_out).fold(f32::INFINITY, f32::min);
    [epochs.first().map_or(f32::INFINITY, |epoch| epoch.held_out), best]
}

fn resumed<'a, L: Lesson>(lesson: &'a L, options: Options, checkpoint: &Path) -> Result<Trainer<'a, L>, LabError> {
    let bytes = std::fs::read(checkpoint).map_err(|error| LabError::asked(checkpoint, error))?;
    Trainer::resume(lesson, options, &bytes).map_err(|reason| LabError::asked(checkpoint, reason))
}

/// Writes a checkpoint so that there is always a whole one.
fn save<L: Lesson>(path: &Path, trainer: &Trainer<'_, L>) -> Result<(), LabError> {
    write_whole(path, &trainer.checkpoint())
}

fn of(epoch: &train::Epoch) -> Epoch {
    let train::Epoch { number, rate, training, held_out, .. } = *epoch;
    Epoch { number, rate, training, held_out }
}
