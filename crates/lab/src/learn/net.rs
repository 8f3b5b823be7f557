//! Trains a neural net that evaluates the positions of a game.

use super::Fit;
use super::replay::{ReplayedGame, SearchValue, replay};
use super::training::{self, NetTraining};
use crate::{LabError, refusals};
use polyply_engine::learning::{Inputs, NetTask};
use polyply_engine::{Side, Variant};
use polyply_nn::train::{self, Trainer, Values};
use polyply_nn::{FloatNet, Position, Positions, Shape};
use std::path::PathBuf;

/// Quantisation is checked on this many positions.
const CHECKED: usize = 10_000;

/// The net to train, besides what the game declares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetOptions {
    /// Hidden neurons for each perspective, or as many as the game proposes.
    pub hidden: Option<usize>,
    /// Neurons between these and the output, or as many as the game proposes; 0 if there is no such layer.
    pub middle: Option<usize>,
    /// The weight of the game's result in the target, 0 to 1; the rest is the search's score.
    pub result: f32,
}

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
            && variant.net_inputs(board, Some(game.moves[at]), &mut inputs)?
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

/// What a net is to learn: the positions, and the shape that the game declares and was asked for.
pub fn plan<'a>(task: &NetTask, options: &NetOptions, positions: &'a Positions) -> Result<Values<'a>, LabError> {
    let NetTask { features, perspectives, buckets, activation, pooled, .. } = *task;
    let (hidden, middle) = (options.hidden.unwrap_or(task.hidden), options.middle.unwrap_or(task.middle));
    let shape = Shape { features, perspectives, hidden, middle, buckets, activation, pooled };
    shape.check().map_err(|reason| LabError::Call(refusals::net_refused(reason)))?;
    // The unit is kept in the file of the net as a whole number.
    let unit = train::fitted_unit(positions).round();
    Ok(Values::new(positions, shape, options.result, unit))
}

/// Trains a net. Returns it and how it was found.
pub fn fit(values: &Values<'_>, training: NetTraining<'_>) -> Result<(FloatNet, Fit), LabError> {
    let trainer = training::run(values, training)?;
    let net = values.net(trainer.best());
    let fit = summary(&trainer, &net, values);
    Ok((net, fit))
}

fn summary(trainer: &Trainer<'_, Values<'_>>, net: &FloatNet, values: &Values<'_>) -> Fit {
    let [count, held_out] = trainer.counts();
    let unit = values.unit();
    let mean_of = |loss: &dyn Fn(usize) -> f32| {
        let sum: f64 = trainer.held_out().iter().map(|&index| f64::from(loss(index as usize))).sum();
        sum / held_out.max(1) as f64
    };
    let quantised = net.quantised(unit as i16);
    let positions = values.positions();
    let some = positions.len().min(CHECKED);
    let inputs = (0..some).map(|number| {
        let mut inputs = Inputs::default();
        positions.read(number * positions.len() / some, &mut inputs);
        inputs
    });
    let (mean, most) = net.quantisation_error(&quantised, inputs);
    let remarks = vec![
        format!("trained on {count} positions; {held_out} are of games held out"),
        format!(
            "the search itself has {:.5} on games held out, and what the net adds to {:.5}, with a unit of {unit}",
            mean_of(&|index| values.loss_of_score(index)),
            mean_of(&|index| values.loss_of_base(index))
        ),
        format!("quantisation: a mean error of {mean:.2} and at most {most:.1} on {some} positions"),
    ];
    let epochs = training::epochs(trainer);
    Fit { numbers: Vec::new(), held_out: training::held_out(&epochs), unit, epochs, phases: Vec::new(), remarks }
}
