//! A review as the API sends it and the database keeps it.

use super::why::Why;
use crate::error::ApiError;
use crate::wire::{GameEnd, WireScore, WireSide};
use polyply_engine::{Board, PositionSpec, Variant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// How long each move is searched.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// A moment.
    Quick,
    /// Enough for most games.
    #[default]
    Normal,
    /// For close study.
    Deep,
}

impl Effort {
    /// How many nodes a position gets.
    pub fn nodes(self) -> u64 {
        match self {
            Effort::Quick => 20_000,
            Effort::Normal => 100_000,
            Effort::Deep => 600_000,
        }
    }
}

/// A judged move.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct ReviewedMove {
    pub text: String,
    /// Who played it.
    pub side: WireSide,
    /// The score of the best move.
    pub score_before: WireScore,
    /// The score of this move.
    pub score_after: WireScore,
    /// The best move.
    pub best: String,
    /// The best line.
    pub line: Vec<String>,
    /// This move, the best one and the best line as people write them, if that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
    /// How much the chance of winning fell, 0 to 1.
    pub win_chance_drop: f64,
    /// The same as a score: hundredths or points.
    pub loss: i32,
    /// `!!`, `!`, nothing, `?!`, `?` or `??`.
    pub quality: String,
    /// 0 to 100.
    pub accuracy: f64,
    /// What was wrong with it, in words of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
}

/// Moves as people write them.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct Shown {
    pub text: String,
    pub best: String,
    pub line: Vec<String>,
}

impl Shown {
    /// As people write them at a board; none if the engine writes them the same way.
    pub fn at(board: &Board, text: &str, best: &str, line: &[String]) -> Option<Shown> {
        if !board.variant().has_short_moves() {
            return None;
        }
        let one = |mv: &str| board.short_line(&[mv.to_owned()])?.pop();
        Some(Shown { text: one(text)?, best: one(best)?, line: board.short_line(line)? })
    }
}

/// The summary of one side.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug, Default)]
pub struct SideSummary {
    /// 0 to 100; 100 where it has not moved.
    pub accuracy: f64,
    /// Moves by their quality.
    pub counts: BTreeMap<String, usize>,
}

/// Both sides.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug, Default)]
pub struct Summary {
    pub first: SideSummary,
    pub second: SideSummary,
}

/// A review as it is now.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct Review {
    pub id: String,
    pub created: u64,
    #[serde(flatten)]
    pub place: Subject,
    pub level_of_effort: Effort,
    /// 0 to 1.
    pub progress: f64,
    pub done: bool,
    /// How the game ended by its rules, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<GameEnd>,
    /// The moves judged so far.
    pub moves: Vec<ReviewedMove>,
    pub summary: Summary,
    /// The hash of the token of who began it, and may delete it.
    #[serde(default)]
    pub owner: Option<String>,
}

/// The game that is reviewed.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct Subject {
    pub variant: String,
    pub position: Option<String>,
    /// All its moves.
    pub played: Vec<String>,
}

impl Subject {
    /// The game of a board.
    pub fn of(board: &Board) -> Subject {
        Subject {
            variant: board.variant().name().to_owned(),
            position: board.spec().position.clone(),
            played: board.moves().to_vec(),
        }
    }

    /// The board after so many moves.
    pub fn board(&self, plies: usize) -> Result<Board, ApiError> {
        let moves = self.played[..plies].to_vec();
        Ok(Board::at(&Variant::named(&self.variant)?, &PositionSpec { position: self.position.clone(), moves })?)
    }

    /// The game in one line of text, the same for the same game.
    pub fn text(&self) -> String {
        format!("{};{};{}", self.variant, self.position.as_deref().unwrap_or(""), self.played.join(" "))
    }
}
