//! A game with everything that its file says of it: players, result, comments, clocks, variations.

use crate::error::ApiError;
use crate::refusals;
use polyply_engine::{Board, Outcome, PositionSpec};
use polyply_lab::record::{End, Move, Reason, Record};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// The most moves of a game that is written, with its variations. Every one of them is replayed.
const MOST_MOVES: usize = 20_000;

/// A game with what is known about it.
#[derive(Serialize, Deserialize, ToSchema, Clone, Default, Debug)]
#[serde(default)]
pub struct AnnotatedGame {
    /// The names of the players, as far as known.
    players: [String; 2],
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; empty if only the rules say.
    result: String,
    /// Why it ended, in the words of PGN: `normal`, `time forfeit`.
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    /// Details of the end.
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
    /// As in `2026-11-16`.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// The time that each player had left, in milliseconds.
    left_ms: [Option<u64>; 2],
    /// The comment before the first move.
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    /// Other properties of the file, with their names.
    settings: Vec<(String, String)>,
    /// The main line.
    line: Vec<AnnotatedMove>,
}

/// A move with what is known about it.
#[derive(Serialize, Deserialize, ToSchema, Clone, Default, Debug)]
pub struct AnnotatedMove {
    #[serde(rename = "move")]
    text: String,
    /// Its score, depth and time as match programs write them, and the comment: `+0.35/12 0.420s; a good move`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
    /// Numeric annotation glyphs of PGN: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?` and 6 `?!`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    /// Lines that replace this move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    variations: Vec<Vec<AnnotatedMove>>,
}

impl AnnotatedMove {
    fn of(mv: &Move) -> AnnotatedMove {
        let line = |line: &Vec<Move>| line.iter().map(AnnotatedMove::of).collect();
        AnnotatedMove {
            text: mv.text.clone(),
            note: mv.note(),
            nags: mv.nags.clone(),
            variations: mv.variations.iter().map(line).collect(),
        }
    }

    fn into_move(self) -> Move {
        let line = |line: Vec<AnnotatedMove>| line.into_iter().map(AnnotatedMove::into_move).collect();
        let variations = self.variations.into_iter().map(line).collect();
        Move { nags: self.nags, variations, ..Move::with_note(self.text, &self.note) }
    }

    /// The move and all moves of its variations.
    fn count(&self) -> usize {
        1 + self.variations.iter().flatten().map(AnnotatedMove::count).sum::<usize>()
    }
}

impl AnnotatedGame {
    /// What a record says.
    pub fn of(record: &Record) -> AnnotatedGame {
        let given = record.opening.moves.iter().map(|text| AnnotatedMove { text: text.clone(), ..Default::default() });
        AnnotatedGame {
            players: record.players.clone(),
            result: record.end.result().to_owned(),
            reason: record.end.reason.words().to_owned(),
            detail: record.end.detail.clone(),
            date: record.date.clone(),
            left_ms: record.left.map(|left| left.map(|left| left.as_millis() as u64)),
            comment: record.comment.clone(),
            settings: record.settings.clone(),
            line: given.chain(record.moves.iter().map(AnnotatedMove::of)).collect(),
        }
    }

    /// A game of which only the moves are known.
    pub fn of_moves(moves: &[String]) -> AnnotatedGame {
        let plain = |text: &String| AnnotatedMove { text: text.clone(), ..AnnotatedMove::default() };
        AnnotatedGame { line: moves.iter().map(plain).collect(), ..AnnotatedGame::default() }
    }

    /// The game as a record, from where the board's game began. Every move is replayed.
    pub fn into_record(self, board: &Board) -> Result<Record, ApiError> {
        if self.line.iter().map(AnnotatedMove::count).sum::<usize>() > MOST_MOVES {
            return Err(ApiError::invalid(refusals::moves_many(MOST_MOVES)));
        }
        let said = End::of_result(&self.result).map(|end| End {
            reason: Reason::parse(&self.reason).unwrap_or(end.reason),
            detail: self.detail,
            ..end
        });
        let mut record = Record {
            variant: board.variant().name().to_owned(),
            opening: PositionSpec { position: board.spec().position.clone(), moves: Vec::new() },
            players: self.players,
            comment: self.comment,
            moves: self.line.into_iter().map(AnnotatedMove::into_move).collect(),
            left: self.left_ms.map(|left| left.map(Duration::from_millis)),
            date: self.date,
            settings: self.settings,
            ..Record::default()
        };
        record.replay().map_err(ApiError::invalid)?;
        record.end = match (record.last().map_err(ApiError::invalid)?.outcome(), said) {
            (Some(outcome), said) => by_rules(outcome, said.unwrap_or_default()),
            (None, said) => said.unwrap_or_default(),
        };
        Ok(record)
    }
}

/// The end by the rules, with the details that a file gave.
fn by_rules(outcome: Outcome, said: End) -> End {
    let points = if let Outcome::Points(points) = outcome { Some(points) } else { None };
    let detail = if said.detail.is_empty() { outcome.to_string() } else { said.detail };
    End { winner: outcome.winner(), reason: Reason::Rules, points, detail }
}
