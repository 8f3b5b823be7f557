//! Trains a neural net that evaluates the positions of a game.

use super::replay::{ReplayedGame, SearchValue, replay};
use super::{Epoch, Fit};
use crate::{LabError, refusals};
use polyply_engine::learning::{Inputs, NetTask};
use polyply_engine::{Side, Variant};
use polyply_nn::train::{self, Event, Options, Trainer};
use polyply_nn::{FloatNet, Position, Positions, Shape};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Checkpoints are this far apart.
const MINUTE: Duration = Duration::from_secs(60);
/// Quantisation is checked on this many positions.
const CHECKED: usize = 10_000;

/// How to train, besides what the game declares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetOptions {
    /// Hidden neurons for each perspective, or as many as the game proposes.
    pub hidden: Option<usize>,
    /// Neurons between these and the output; 0 if there is no such layer.
    pub middle: usize,
    /// How to train. The unit is found from the games.
    pub train: Options,
}

/// A net that is about to be trained.
pub struct NetTraining<'a> {
    /// The shape of the net.
    pub shape: Shape,
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

/// The positions of games in files, as a net sees them: those after the last random move that the game calls quiet, unless the
/// result was proven.
pub fn positions(variant: &Variant, paths: &[PathBuf]) -> Result<Positions, LabError> {
    variant.net_task()?;
    let mut positions = Positions::default();
    replay(variant, paths, &mut |game| {
        positions.begin_game();
        add_game(variant, game, &mut positions)
    })?;
    match positions.is_empty() || positions.game_count() < 2 {
        true => Err(LabError::Call(refusals::nothing_to_learn())),
        false => Ok(positions),
    }
}

fn add_game(variant: &Variant, game: &ReplayedGame<'_>, positions: &mut Positions) -> Result<(), LabError> {
    let from = game.steady();
    let mut inputs = Inputs::default();
    game.each(|board, at| {
        let value = game.searched[at].filter(|_| at >= from).and_then(SearchValue::value);
        if let Some(value) = value
            && variant.net_inputs(board, game.moves[at], &mut inputs)?
        {
            let (result, value) =
                if board.side() == Side::First { (game.result, value) } else { (1.0 - game.result, -value) };
            let score = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            positions.add(&Position { inputs: inputs.clone(), result: (2.0 * result) as u8, score });
        }
        Ok(())
    })?;
    Ok(())
}

/// The shape of a net and how to train it: what the game declares and what was asked for.
pub fn plan(task: &NetTask, options: &NetOptions, positions: &Positions) -> Result<(Shape, Options), LabError> {
    let NetTask { features, perspectives, buckets, activation, hidden, .. } = *task;
    let hidden = options.hidden.unwrap_or(hidden);
    let shape = Shape { features, perspectives, hidden, middle: options.middle, buckets, activation };
    shape.check().map_err(|reason| LabError::Call(refusals::net_refused(reason)))?;
    // The unit is kept in the file of the net as a whole number.
    let unit = train::fitted_unit(positions).round();
    Ok((shape, Options { unit, ..options.train }))
}

/// Trains a net. Returns it and how it was found.
pub fn fit(positions: &Positions, training: NetTraining<'_>) -> Result<(FloatNet, Fit), LabError> {
    let NetTraining { shape, options, checkpoint, resume, stop, mut progress } = training;
    let mut trainer = match resume {
        true => resumed(positions, shape, options, checkpoint)?,
        false => Trainer::new(positions, shape, options),
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
    let net = trainer.best();
    let fit = summary(&trainer, &net, positions, &options);
    Ok((net, fit))
}

fn resumed<'a>(
    positions: &'a Positions,
    shape: Shape,
    options: Options,
    checkpoint: &Path,
) -> Result<Trainer<'a>, LabError> {
    let bytes = std::fs::read(checkpoint).map_err(|error| LabError::asked(checkpoint, error))?;
    Trainer::resume(positions, shape, options, &bytes).map_err(|reason| LabError::asked(checkpoint, reason))
}

/// Writes a checkpoint so that there is always a whole one.
fn save(path: &Path, trainer: &Trainer<'_>) -> Result<(), LabError> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let written = std::fs::write(&new, trainer.checkpoint()).and_then(|()| std::fs::rename(&new, path));
    written.map_err(|error| LabError::file(path, error))
}

fn of(epoch: &train::Epoch) -> Epoch {
    let train::Epoch { number, rate, training, held_out, .. } = *epoch;
    Epoch { number, rate, training, held_out }
}

fn summary(trainer: &Trainer<'_>, net: &FloatNet, positions: &Positions, options: &Options) -> Fit {
    let epochs: Vec<Epoch> = trainer.epochs().iter().map(of).collect();
    let best = epochs.iter().map(|epoch| epoch.held_out).fold(f32::INFINITY, f32::min);
    let [training, held_out] = trainer.counts();
    let quantised = net.quantised(options.unit as i16);
    let some = positions.len().min(CHECKED);
    let inputs = (0..some).map(|number| {
        let mut inputs = Inputs::default();
        positions.read(number * positions.len() / some, &mut inputs);
        inputs
    });
    let (mean, most) = net.quantisation_error(&quantised, inputs);
    let remarks = vec![
        format!("trained on {training} positions; {held_out} are of games held out"),
        format!(
            "the search itself has {:.5} on games held out, with a unit of {}",
            trainer.loss_of_scores(),
            options.unit
        ),
        format!("quantisation: a mean error of {mean:.2} and at most {most:.1} on {some} positions"),
    ];
    let before = epochs.first().map_or(f32::INFINITY, |epoch| epoch.held_out);
    Fit { numbers: Vec::new(), held_out: [before, best], unit: options.unit, epochs, phases: Vec::new(), remarks }
}
