//! Replays games.

use crate::LabError;
use crate::record::{self, End, Move, Record};
use polyply_engine::{Board, Score, Side, Variant};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// A game to replay.
pub struct ReplayedGame<'a> {
    /// The moves, those of the opening first.
    pub moves: Vec<&'a str>,
    /// The search's value before each move; `None` if the move was random or from the opening.
    pub searched: Vec<Option<SearchValue>>,
    /// The points that the first player got: 1, ½ or 0.
    pub result: f32,
    /// Its number among all games.
    pub number: u32,
    start: Board,
}

/// The result of the search in a position, from the first player's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchValue {
    /// A value in units of the evaluation.
    Value(i32),
    /// The result is proven.
    Proven,
}

impl SearchValue {
    fn of(mv: &Move, units: i32) -> Option<SearchValue> {
        Some(match (mv.score?, mv.value) {
            (Score::Win(_), _) => SearchValue::Proven,
            (_, Some(value)) => SearchValue::Value(value),
            (Score::Centi(value), None) => SearchValue::Value(value),
            (Score::Points(points), None) => SearchValue::Value(points * units),
        })
    }

    /// The value, unless the result is proven.
    pub fn value(self) -> Option<i32> {
        match self {
            SearchValue::Value(value) => Some(value),
            SearchValue::Proven => None,
        }
    }
}

impl ReplayedGame<'_> {
    /// Calls `visit` with the board before each move and the index of the move. Returns the final board.
    pub fn each(&self, mut visit: impl FnMut(&Board, usize) -> Result<(), LabError>) -> Result<Board, LabError> {
        let mut board = self.start.clone();
        for (at, mv) in self.moves.iter().enumerate() {
            visit(&board, at)?;
            board.play(mv)?;
        }
        Ok(board)
    }

    /// The index of the first move after the last random one. Positions before that did not lead to the result.
    pub fn steady(&self) -> usize {
        self.searched.iter().rposition(Option::is_none).map_or(0, |last| last + 1)
    }
}

/// Goes through the games in files. All are of the same game; board sizes and rules may differ.
pub fn replay(
    variant: &Variant,
    paths: &[PathBuf],
    each: &mut dyn FnMut(&ReplayedGame<'_>) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let mut variants = HashMap::new();
    let mut number = 0;
    for path in paths {
        for record in record::read(path)? {
            let refuse = |error: LabError| LabError::file(path, format!("game {}: {error}", record.number));
            let game = game(variant, path, &record, number, &mut variants)?;
            each(&game).map_err(refuse)?;
            number += 1;
        }
    }
    Ok(())
}

/// A position in the games of files: the number of the game and the index of the move played there.
pub type Spot = (u32, usize);

/// The boards at some spots. The boards of all games might not fit into memory.
pub fn boards(variant: &Variant, paths: &[PathBuf], spots: &[Spot]) -> Result<HashMap<Spot, Board>, LabError> {
    let wanted: HashSet<Spot> = spots.iter().copied().collect();
    let mut boards = HashMap::new();
    replay(variant, paths, &mut |game| {
        game.each(|board, at| {
            if wanted.contains(&(game.number, at)) {
                boards.insert((game.number, at), board.clone());
            }
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(boards)
}

fn game<'a>(
    variant: &Variant,
    path: &Path,
    record: &'a Record,
    number: u32,
    variants: &mut HashMap<String, Variant>,
) -> Result<ReplayedGame<'a>, LabError> {
    let refuse = |reason: String| LabError::file(path, format!("game {}: {reason}", record.number));
    if !variants.contains_key(&record.variant) {
        let found = Variant::find(&record.variant).map_err(|error| refuse(error.to_string()))?;
        variants.insert(record.variant.clone(), found);
    }
    let played = &variants[&record.variant];
    if played.about().name != variant.about().name {
        let name = variant.about().name;
        return Err(LabError::file(path, format!("it has games of {}, not of {name}", record.variant)));
    }
    let place = polyply_engine::PositionSpec { position: record.opening.position.clone(), moves: Vec::new() };
    let units = played.units();
    let given = record.opening.moves.iter().map(|_| None);
    Ok(ReplayedGame {
        moves: record.all_moves().collect(),
        searched: given.chain(record.moves.iter().map(|mv| SearchValue::of(mv, units))).collect(),
        result: points(&record.end),
        number,
        start: Board::at(played, &place).map_err(|error| refuse(error.to_string()))?,
    })
}

/// The points of the first player.
fn points(end: &End) -> f32 {
    match end.winner {
        Some(Side::First) => 1.0,
        None => 0.5,
        Some(Side::Second) => 0.0,
    }
}
