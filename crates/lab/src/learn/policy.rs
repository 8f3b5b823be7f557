//! Trains a neural net that adds to the order of moves.

use super::Fit;
use super::replay::{ReplayedGame, SearchValue, replay};
use super::training::{self, NetTraining};
use crate::{LabError, refusals};
use polyply_engine::Variant;
use polyply_nn::train::Choices;
use polyply_nn::{MoveChoices, PolicyShape};
use std::path::PathBuf;

/// The choices in the games of files, with the order that the weights of the variant give them.
pub fn choices(variant: &Variant, paths: &[PathBuf]) -> Result<MoveChoices, LabError> {
    let task = variant.policy_task()?;
    let mut choices = MoveChoices::new(PolicyShape { rows: task.rows, active: task.active });
    replay(variant, paths, &mut |game| {
        choices.begin_game();
        add_game(variant, game, &mut choices)
    })?;
    match choices.is_empty() || choices.game_count() < 2 {
        true => Err(LabError::Call(refusals::nothing_to_learn())),
        false => Ok(choices),
    }
}

fn add_game(variant: &Variant, game: &ReplayedGame<'_>, choices: &mut MoveChoices) -> Result<(), LabError> {
    game.each(|board, at| {
        // Random moves teach nothing, and once the result is proven any move that keeps it is as good.
        if game.searched[at].and_then(SearchValue::value).is_some() {
            let mut add = |offset: f32, views: [&[u16]; 2]| choices.add_move(offset, views);
            let chosen = variant.policy_choices(board, game.moves[at], &mut add)?;
            choices.choose(chosen);
        }
        Ok(())
    })?;
    Ok(())
}

/// Trains a net for moves. The numbers of the fit are its parameters.
pub fn fit(choices: &MoveChoices, training: NetTraining<'_>) -> Result<Fit, LabError> {
    let lesson = Choices::new(choices);
    let trainer = training::run(&lesson, training)?;
    let numbers = trainer.best();
    let percent = |parameters: &[f32]| lesson.among_first(parameters, trainer.held_out()).map(|share| 100.0 * share);
    let ([one, three, eight], without) = (percent(&numbers), percent(&vec![0.0; numbers.len()]));
    let [count, held_out] = trainer.counts();
    let remarks = vec![
        format!("trained on {count} positions; {held_out} are of games held out"),
        format!(
            "on held-out games the move played comes first in {one:.1} %, among three in {three:.1} %, \
             among eight in {eight:.1} %; without the net in {:.1} %, {:.1} % and {:.1} %",
            without[0], without[1], without[2]
        ),
    ];
    let epochs = training::epochs(&trainer);
    Ok(Fit { numbers, held_out: training::held_out(&epochs), unit: 1.0, epochs, phases: Vec::new(), remarks })
}
