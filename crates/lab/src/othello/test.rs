//! How far an evaluation is off on positions that it was not learned from: those of games that people played.

use crate::LabError;
use crate::random::Random;
use polyply_core::clock::Limits;
use polyply_core::game::{Evaluation, Game, Notation};
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use polyply_othello::position::DISC;
use polyply_othello::square::Square;
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
    pub positions: usize,
    /// The mean error in discs.
    pub error: f64,
}

/// The mean errors by stage, on random positions of the games in these WTHOR files.
pub fn errors(weights: Weights, paths: &[PathBuf]) -> Result<Vec<StageError>, LabError> {
    let mut games = Vec::new();
    for path in paths {
        let bytes = std::fs::read(path).map_err(|error| LabError::file(path, error))?;
        games.extend(wthor_games(&bytes).map_err(|reason| LabError::file(path, reason))?);
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
        let mut sum = 0.0;
        for _ in 0..POSITIONS {
            let moves = &games[random.below(games.len())];
            let wanted = *empties.start() + random.below(PLIES as usize) as i32;
            let Some(game) = position(moves, wanted) else { continue };
            let limits = if wanted <= SOLVED { Limits::default() } else { Limits::depth(DEPTH) };
            let best = searcher.search(&game, &Task::new(limits), &mut |_| ());
            let truth = best.score().unwrap_or_default().for_side(game.side()).value();
            eval.reset(&game);
            sum += f64::from((truth - eval.score(&game).value()).abs()) / f64::from(DISC);
        }
        errors.push(StageError { empties, positions: POSITIONS, error: sum / POSITIONS as f64 });
    }
    Ok(errors)
}

/// The position of a game with so many empty squares, if somebody is to move there.
fn position(moves: &[Square], empties: i32) -> Option<Othello> {
    let mut game = Othello::start();
    for &square in moves {
        if game.empties() <= empties && game.legal() != 0 {
            break;
        }
        if game.must_pass() {
            game.play(Square::PASS, &mut ());
        }
        game.play(game.decode(square.into())?, &mut ());
    }
    (game.empties() == empties && game.legal() != 0).then_some(game)
}

/// The moves of every game of a [WTHOR] file: 16 bytes about the file, then 68 a game, of which the last 60 are its moves.
///
/// [WTHOR]: https://www.ffothello.org/wthor/Format_WThor.pdf
fn wthor_games(bytes: &[u8]) -> Result<Vec<Vec<Square>>, String> {
    let (_, games) =
        bytes.split_at_checked(16).filter(|(_, games)| games.len() % 68 == 0).ok_or("it is no WTHOR file")?;
    let square = |&byte: &u8| {
        let (row, column) = (usize::from(byte) / 10, usize::from(byte) % 10);
        ((1..=8).contains(&row) && (1..=8).contains(&column)).then(|| Square::new(8 * (row - 1) + column - 1))
    };
    Ok(games.chunks_exact(68).map(|game| game[8..].iter().map_while(square).collect()).collect())
}
