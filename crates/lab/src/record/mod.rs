//! A game that was played, and the files that games are kept in.
//!
//! A [`Record`] is plain data. [`json`] keeps all of it, one game a line: that is the form which a run goes on from. The
//! other formats are what other programs read, and keep what they have a place for: [`pgn`] any game, [`sgf`] and
//! [`psq`] five in a row, [`ggf`] Othello. Scores are from the first player's side, but for GGF, which has them from the
//! side of the player who moves.

pub mod ggf;
pub mod json;
pub mod pgn;
pub mod psq;
pub mod sgf;
mod words;

use crate::LabError;
use polyply_engine::{Place, Score, Side};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

/// A game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Its number, from 0; games 2n and 2n + 1 are a pair.
    pub number: u64,
    /// What was played, with its size and rules: `caro:15,opening=none`.
    pub variant: String,
    /// Where the players began: a position, and moves that were given to them.
    pub opening: Place,
    /// The players, who moved first first.
    pub players: [String; 2],
    /// Their moves.
    pub moves: Vec<Move>,
    /// How it ended.
    pub end: End,
    /// The time that each had left at the end, where there were clocks.
    pub left: [Option<Duration>; 2],
    /// The day it was played, as in `2026-11-16`.
    pub date: Option<String>,
    /// What else there is to know, such as `TimeControl`: names of letters and digits, and values.
    pub settings: Vec<(String, String)>,
}

/// A move and what its player thought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Move {
    /// The move, as the game writes it.
    pub text: String,
    /// What it was thought to come to, from the first player's side.
    pub score: Option<Score>,
    /// Plies searched.
    pub depth: Option<i32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time used.
    pub time: Option<Duration>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct End {
    /// Who won, if anybody.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
    /// By how many points the first player won (or lost, below 0), in games that count them.
    pub points: Option<i32>,
    /// More about it, for people.
    pub detail: String,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Reason {
    /// By the rules of the game.
    Rules,
    /// Everybody could see how it would end.
    Adjudication,
    /// The loser took too long.
    Time,
    /// The loser did not answer at all.
    Stall,
    /// The loser played a move that is none.
    Illegal,
    /// The loser's program ended.
    Crash,
    /// The loser's program would not play.
    Refusal,
    /// It has not ended.
    #[default]
    Unfinished,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 8] = [
        Reason::Rules,
        Reason::Adjudication,
        Reason::Time,
        Reason::Stall,
        Reason::Illegal,
        Reason::Crash,
        Reason::Refusal,
        Reason::Unfinished,
    ];

    /// In words, as PGN has them in its tag `Termination`.
    pub fn words(self) -> &'static str {
        match self {
            Reason::Rules => "normal",
            Reason::Adjudication => "adjudication",
            Reason::Time => "time forfeit",
            Reason::Stall => "stall",
            Reason::Illegal => "illegal move",
            Reason::Crash => "crash",
            Reason::Refusal => "refusal",
            Reason::Unfinished => "unterminated",
        }
    }

    /// The reason of these words.
    pub fn parse(words: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.words() == words)
    }

    /// A player failed: the game says nothing about strength.
    pub fn is_failure(self) -> bool {
        matches!(self, Reason::Time | Reason::Stall | Reason::Illegal | Reason::Crash | Reason::Refusal)
    }
}

impl End {
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` where it has not ended.
    pub fn result(&self) -> &'static str {
        match (self.winner, self.reason) {
            (Some(Side::First), _) => "1-0",
            (Some(Side::Second), _) => "0-1",
            (None, Reason::Unfinished) => "*",
            (None, _) => "1/2-1/2",
        }
    }

    /// The end of a result like that; its reason is the usual one until it is known better.
    fn of_result(result: &str) -> Option<End> {
        let (winner, reason) = match result {
            "1-0" => (Some(Side::First), Reason::Rules),
            "0-1" => (Some(Side::Second), Reason::Rules),
            "1/2-1/2" => (None, Reason::Rules),
            "*" => (None, Reason::Unfinished),
            _ => return None,
        };
        Some(End { winner, reason, ..End::default() })
    }
}

impl Record {
    /// The moves of the opening and of the players, as text.
    pub fn all_moves(&self) -> impl Iterator<Item = &str> {
        self.opening.moves.iter().map(String::as_str).chain(self.moves.iter().map(|mv| mv.text.as_str()))
    }

    /// The second player is to move in the position that it began with: the field behind the board says so in all games.
    pub(crate) fn begins_second(&self) -> bool {
        let position = self.opening.position.as_deref().unwrap_or_default();
        matches!(position.split_whitespace().nth(1), Some("b" | "o" | "O"))
    }

    /// Adds a move that was read from a file: one of the opening while none of the players' was.
    fn add(&mut self, mv: Move, given: bool) {
        if given && self.moves.is_empty() {
            self.opening.moves.push(mv.text);
        } else {
            self.moves.push(mv);
        }
    }
}

/// Games of a file by the numbers that they have in it. Where these are missing, or the same for the games of a pair, their
/// order has to do.
fn numbered(mut games: Vec<Record>) -> Vec<Record> {
    let mut seen = HashSet::new();
    if !games.iter().all(|game| seen.insert(game.number)) {
        (0..).zip(&mut games).for_each(|(number, game)| game.number = number);
    }
    games
}

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// JSON, one game a line.
    Json,
    /// Portable Game Notation.
    Pgn,
    /// Smart Game Format, for five in a row.
    Sgf,
    /// Piskvork's.
    Psq,
    /// Generic Game Format, for Othello.
    Ggf,
}

impl Format {
    const NAMES: [(Format, &str); 5] = [
        (Format::Json, "jsonl"),
        (Format::Pgn, "pgn"),
        (Format::Sgf, "sgf"),
        (Format::Psq, "psq"),
        (Format::Ggf, "ggf"),
    ];

    /// The format that a file's name says it has.
    pub fn of(path: &Path) -> Result<Format, LabError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let found = Format::NAMES.iter().find(|(_, name)| *name == ending).map(|(format, _)| *format);
        found.ok_or_else(|| {
            LabError::Call(format!(
                "the games of `{}` are in no format that its name tells; it ends with .jsonl, .pgn, .sgf, .psq or .ggf",
                path.display()
            ))
        })
    }

    /// A game as a piece of text that can be added to a file, or why the format can't hold it.
    pub fn write(self, record: &Record) -> Result<String, String> {
        match self {
            Format::Json => Ok(json::line(record) + "\n"),
            Format::Pgn => Ok(pgn::write(record)),
            Format::Sgf => sgf::write(record),
            Format::Psq => psq::write(record),
            Format::Ggf => ggf::write(record),
        }
    }

    /// The games of a text. The error is one sentence that says which game, or which line, is wrong.
    pub fn read(self, text: &str) -> Result<Vec<Record>, String> {
        match self {
            Format::Json => json::read(text),
            Format::Pgn => pgn::read(text),
            Format::Sgf => sgf::read(text),
            Format::Psq => psq::read(text),
            Format::Ggf => ggf::read(text),
        }
    }
}

/// The games of a file, in the format that its name tells.
pub fn read(path: &Path) -> Result<Vec<Record>, LabError> {
    let format = Format::of(path)?;
    let text = std::fs::read_to_string(path).map_err(|error| LabError::file(path, error))?;
    format.read(&text).map_err(|reason| LabError::file(path, reason))
}
