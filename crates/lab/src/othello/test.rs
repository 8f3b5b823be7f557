//! How far an evaluation is off on positions that it was not learned from: those of games that people played.

use crate::LabError;
use crate::record::{self, Record};
use polyply_core::clock::Limits;
use polyply_core::game::{Evaluation, Game, Notation};
use polyply_core::random::Random;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use polyply_othello::position::DISC;
use polyply_othello::{Evaluator, Othello, Weights};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

/// Positions of a stage.
const POSITIONS: usize = 200;
/// Plies of a stage.
const PLIES: i32 = 4;
/// From so many empty squares on down, a position is worth its true result.
const SOLVED: i32 = 18;
/// And before that what a search of so many plies thinks.
const DEPTH: i32 = 10;
/// Bytes of its table.
const TABLE: usize = 64 << 20;

/// The error in one stage.
#[derive(Clone, Debug)]
pub struct StageError {
    /// Its empty squares.
    pub empties: RangeInclusive<i32>,
    /// Positions looked at.
    pub positions: u32,
    /// The mean error in discs.
    pub error: f64,
}

/// The mean errors by stage, on random positions of the games in these files.
pub fn errors(weights: Weights, paths: &[PathBuf]) -> Result<Vec<StageError>, LabError> {
    let mut games = Vec::new();
    for path in paths {
        games.extend(record::read(path)?);
    }
    if games.is_empty() {
        return Ok(Vec::new());
    }
    // An evaluation keeps its weights for the life of the program.
    let mut eval = Evaluator::new(Some(Box::leak(Box::new(weights))));
    let table = Arc::new(SearchTt::new(TABLE));
    let mut searcher = Searcher::new(eval.clone(), table, Arc::new(EvalCache::off()));
    let mut random = Random::of(1, 0);
    let mut errors = Vec::new();
    for stage in 0..14 {
        let empties = 60 - PLIES * stage - PLIES + 1..=60 - PLIES * stage;
        let (mut sum, mut positions) = (0.0, 0);
        for _ in 0..POSITIONS {
            let wanted = *empties.start() + random.scaled(PLIES as usize) as i32;
            let Some(game) = position(&games[random.scaled(games.len())], wanted) else { continue };
            let limits = if wanted <= SOLVED { Limits::default() } else { Limits::depth(DEPTH) };
            let best = searcher.search(&game, &Task::new(limits), &mut |_| ());
            let truth = best.score().unwrap_or_default().for_side(game.side()).value();
            eval.reset(&game);
            sum += f64::from((truth - eval.score(&game).value()).abs()) / f64::from(DISC);
            positions += 1;
        }
        errors.push(StageError { empties, positions, error: sum / f64::from(positions.max(1)) });
    }
    Ok(errors)
}

/// The position of a game with so many empty squares, if somebody is to move there.
fn position(record: &Record, empties: i32) -> Option<Othello> {
    let mut game = Othello::start();
    for text in record.all_moves() {
        if game.empties() <= empties && game.legal() != 0 {
            break;
        }
        let mv = game.parse_move(text).ok()?;
        game.play(mv, &mut ());
    }
    (game.empties() == empties && game.legal() != 0).then_some(game)
}
