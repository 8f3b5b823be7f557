//! File formats, by the extensions of their files.

use super::{Record, ggf, json, moves, pgn, positions, psq, sgf, wthor};
use crate::{LabError, refusals};
use polyply_engine::{Refusal, Variant};
use std::collections::HashSet;
use std::path::Path;

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Format {
    /// JSON, one game per line.
    Json,
    /// Portable Game Notation.
    Pgn,
    /// Smart Game Format, for five in a row and Othello.
    Sgf,
    /// Piskvork's format for five in a row.
    Psq,
    /// Generic Game Format, for Othello.
    Ggf,
    /// The database of Othello tournament games.
    Wthor,
    /// Only moves, one game per line.
    Moves,
    /// Positions of chess.
    Epd,
    /// Positions of Othello.
    Obf,
}

impl Format {
    /// All formats with their file extensions.
    pub const NAMES: [(Format, &str); 9] = [
        (Format::Json, "jsonl"),
        (Format::Pgn, "pgn"),
        (Format::Sgf, "sgf"),
        (Format::Psq, "psq"),
        (Format::Ggf, "ggf"),
        (Format::Wthor, "wtb"),
        (Format::Moves, "txt"),
        (Format::Epd, "epd"),
        (Format::Obf, "obf"),
    ];

    /// The format of a file, by its extension.
    pub fn of(path: &Path) -> Result<Format, LabError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let found = Format::NAMES.iter().find(|(_, name)| *name == ending).map(|(format, _)| *format);
        let endings: Vec<String> = Format::NAMES.iter().map(|(_, name)| format!(".{name}")).collect();
        found.ok_or_else(|| LabError::Call(refusals::format_unknown(path.display().to_string(), endings.join(", "))))
    }

    /// Its files hold whole games, not only positions or moves.
    pub fn holds_games(self) -> bool {
        !matches!(self, Format::Epd | Format::Obf | Format::Moves)
    }

    /// A game as text to append to a file, or why the format can't hold it.
    pub fn write(self, record: &Record) -> Result<String, Refusal> {
        match self {
            Format::Json => Ok(json::line(record) + "\n"),
            Format::Pgn => Ok(pgn::write(record)),
            Format::Sgf => sgf::write(record),
            Format::Psq => psq::write(record),
            Format::Ggf => ggf::write(record),
            Format::Moves => moves::write(record),
            Format::Epd => positions::write_epd(record),
            Format::Obf => positions::write_obf(record),
            Format::Wthor => Err(refusals::wthor_whole()),
        }
    }

    /// All games as the bytes of a file, and why the games that it can't hold were left out.
    pub fn write_all(self, records: &[Record]) -> (Vec<u8>, Vec<Refusal>) {
        if self == Format::Wthor {
            return wthor::write(records);
        }
        let (mut bytes, mut faults) = (Vec::new(), Vec::new());
        for (index, record) in records.iter().enumerate() {
            match self.write(record) {
                Ok(text) => bytes.extend(text.into_bytes()),
                Err(reason) => faults.push(refusals::in_game(index + 1, reason)),
            }
        }
        (bytes, faults)
    }

    /// The games of a file: each game, or what is wrong with it and in which game or line. `variant` is the game if the
    /// format does not say.
    pub fn read_all(self, bytes: &[u8], variant: Option<&Variant>) -> Vec<Result<Record, Refusal>> {
        if self == Format::Wthor {
            return wthor::read(bytes);
        }
        let text = String::from_utf8_lossy(bytes);
        match self {
            Format::Json => json::read(&text),
            Format::Pgn => numbered(pgn::read(&text)),
            Format::Sgf => numbered(sgf::read(&text)),
            Format::Psq => psq::read(&text),
            Format::Ggf => ggf::read(&text),
            Format::Moves => moves::read(&text, variant),
            Format::Epd | Format::Obf => positions::read(&text, self),
            Format::Wthor => Vec::new(),
        }
    }

    /// The games of a file, or what is wrong with the first bad one.
    pub fn read(self, bytes: &[u8], variant: Option<&Variant>) -> Result<Vec<Record>, Refusal> {
        self.read_all(bytes, variant).into_iter().collect()
    }
}

/// Numbers the games of a file as the file does, or by their order if numbers are missing or shared by the games of a
/// pair.
fn numbered(mut games: Vec<Result<Record, Refusal>>) -> Vec<Result<Record, Refusal>> {
    let mut seen = HashSet::new();
    if !games.iter().flatten().all(|game| seen.insert(game.number)) {
        (0..).zip(games.iter_mut().flatten()).for_each(|(number, game)| game.number = number);
    }
    games
}
