//! The error of weights by phase, on games they were not learned from, such as those of people or other engines.

use super::fitting::mean;
use super::logistic::cross_entropy;
use super::replay::{self, Spot, replay};
use super::samples::Samples;
use crate::LabError;
use crate::arena::SHORT_LOOK;
use polyply_core::random::Random;
use polyply_engine::learning::{Features, LearningTask, Loss, View};
use polyply_engine::{Engine, Limits, Options, Request, Side, Variant};
use std::path::PathBuf;

/// Positions per phase.
const POSITIONS: usize = 200;
/// Positions that are not solved get the score of a search of this depth.
const DEPTH: i32 = 10;
/// Size of the search's table in megabytes.
const HASH: usize = 64;

/// The error in a phase.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct PhaseError {
    /// The phase.
    pub name: String,
    /// The number of positions.
    pub positions: usize,
    /// The mean error in points, or the mean loss on the results for games that do not count points.
    pub error: f32,
}

/// The mean errors by phase on random positions of the games in these files. The variant has the weights.
pub fn errors(
    variant: &Variant,
    lesson: &LearningTask,
    numbers: &[f32],
    unit: f32,
    paths: &[PathBuf],
) -> Result<Vec<PhaseError>, LabError> {
    let (mut samples, mut spots) = (Samples::default(), Vec::new());
    let mut features = Features::default();
    replay(variant, paths, &mut |game| {
        game.each(|board, at| {
            if variant.features(board, Some(game.moves[at]), &mut features)? {
                let turned = lesson.view == View::SideToMove && board.side() == Side::Second;
                samples.add(&features, if turned { 1.0 - game.result } else { game.result }, 0.0);
                spots.push((game.number, at));
            }
            Ok(())
        })?;
        samples.game_count += 1;
        Ok(())
    })?;
    let mut random = Random::of(1, 0);
    let value = |index: usize| samples.value(numbers, lesson.model.slots, index);
    let mut errors = Vec::new();
    for (phase, name) in lesson.model.phases.iter().enumerate() {
        let mut indices: Vec<usize> = (0..samples.len()).filter(|&index| samples.main_phase(index) == phase).collect();
        random.shuffle(&mut indices);
        indices.truncate(POSITIONS);
        let error = match lesson.recipe.loss {
            Loss::Squares => {
                let drawn: Vec<Spot> = indices.iter().map(|&index| spots[index]).collect();
                let truth = truth(variant, paths, &drawn)?;
                let off = |(&index, truth): (&usize, &f32)| (truth - value(index)).abs();
                indices.iter().zip(&truth).map(off).sum::<f32>() / indices.len().max(1) as f32
            }
            _ => mean(&indices, |index| cross_entropy(value(index) / unit, samples.results[index])),
        };
        errors.push(PhaseError { name: name.clone(), positions: indices.len(), error });
    }
    Ok(errors)
}

/// The scores of positions by search, in points for the side to move.
fn truth(variant: &Variant, paths: &[PathBuf], spots: &[Spot]) -> Result<Vec<f32>, LabError> {
    let boards = replay::boards(variant, paths, spots)?;
    let mut engine = Engine::new(variant, &Options { hash: HASH, ..Options::default() })?;
    let mut values = Vec::with_capacity(spots.len());
    for spot in spots {
        let Some(board) = boards.get(spot) else { continue };
        let solved = board.is_solved_after(SHORT_LOOK);
        let limits = if solved { Limits::default() } else { Limits::depth(DEPTH) };
        let best = engine.search(&Request { limits, ..Request::new(board) }, &mut |_| ())?;
        let value = best.value.unwrap_or_default() as f32 / variant.units() as f32;
        values.push(if board.side() == Side::First { value } else { -value });
    }
    Ok(values)
}
