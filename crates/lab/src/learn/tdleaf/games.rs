//! The games that are learned from: self-play with the weights of the moment, and the leaves of what was searched.

use super::evaluation::{Evaluation, Leaf};
use crate::arena::{Flow, GameResult, SHORT_LOOK, SelfPlayOptions, selfplay_plan};
use crate::{LabError, refusals};
use polyply_engine::{Board, PositionSpec, Score};
use polyply_protocol::drive::Log;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A game that was played.
pub(super) struct PlayedGame {
    opening: PositionSpec,
    result: GameResult,
}

/// Plays the games with these numbers. Returns them in the order of their numbers, or `None` if they were stopped. `done` is
/// called after each.
pub(super) fn play(
    evaluation: &Evaluation,
    options: &SelfPlayOptions,
    numbers: Range<u64>,
    stop: &AtomicBool,
    done: &mut dyn FnMut(),
) -> Result<Option<Vec<PlayedGame>>, LabError> {
    let plan = selfplay_plan(&evaluation.variant()?, options, numbers.end)?;
    plan.check()?;
    let mut games: Vec<Option<PlayedGame>> = numbers.clone().map(|_| None).collect();
    plan.play(&mut numbers.clone(), &Log::none(), stop, &(), &mut |game, opening, result| {
        if result.end.reason.is_failure() {
            return Err(LabError::Run(refusals::selfplay_broken(game.number, &result.end.detail)));
        }
        games[(game.number - numbers.start) as usize] = Some(PlayedGame { opening, result });
        done();
        Ok(Flow::GoOn)
    })?;
    Ok(games.into_iter().collect())
}

/// What a search saw at the end of its principal variation.
pub(super) enum Sight {
    /// A position that the evaluation judged.
    Leaf(Leaf),
    /// The end of the game, with its value. No weight has a part in it.
    Over(f32),
}

/// A game as temporal differences see it.
pub(super) struct Trace {
    /// What was seen in each position, until the result was proven; `None` before a random move.
    pub sights: Vec<Option<Sight>>,
    /// The value of the result.
    pub result: f32,
}

impl Trace {
    /// The trace of a game.
    pub fn of(game: &PlayedGame, evaluation: &Evaluation) -> Result<Trace, LabError> {
        let PlayedGame { opening, result } = game;
        let mut board = Board::at(evaluation.start(), opening)?;
        let mut sights = Vec::with_capacity(result.moves.len());
        for (mv, line) in result.moves.iter().zip(&result.lines) {
            let sight = match mv.score {
                None => None,
                Some(Score::Win(_)) => break,
                Some(_) if board.is_solved_after(SHORT_LOOK) => break,
                Some(_) => Some(sight(&board, line, evaluation)?),
            };
            sights.push(sight);
            board.play(&mv.text)?;
        }
        Ok(Trace { sights, result: evaluation.measure.end(&result.end)? })
    }

    /// The leaves, with the index of the position that they were seen from.
    pub fn leaves(&self) -> impl Iterator<Item = (usize, &Leaf)> {
        self.sights.iter().enumerate().filter_map(|(at, sight)| match sight {
            Some(Sight::Leaf(leaf)) => Some((at, leaf)),
            _ => None,
        })
    }
}

/// What is at the end of a line.
fn sight(board: &Board, line: &[String], evaluation: &Evaluation) -> Result<Sight, LabError> {
    let mut leaf = board.clone();
    // A line may be known from a table, where two positions can look alike; what can't be played is left out.
    line.iter().all(|mv| leaf.play(mv).is_ok());
    match leaf.outcome() {
        Some(outcome) => Ok(Sight::Over(evaluation.measure.outcome(outcome)?)),
        None => Ok(Sight::Leaf(evaluation.leaf(&leaf)?)),
    }
}
