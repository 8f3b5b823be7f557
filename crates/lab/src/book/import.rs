//! Filling a book from games and from other books.

use crate::record::{self, Record};
use crate::{LabError, refusals};
use polyply_core::hash::Fnv;
use polyply_engine::book::{BookWriter, Game, Results, Source};
use polyply_engine::{Board, PositionSpec, Refusal, Variant};
use polyply_protocol::polyglot;
use std::collections::HashSet;
use std::path::Path;

/// What to take from a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportSettings {
    /// How many moves of each game, counting both sides.
    pub plies: usize,
    /// Where the games come from.
    pub source: Source,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportReport {
    /// Games that were added, or positions of another book; `None` if this file was imported before.
    pub added: Option<u64>,
    /// Why games were left out, with their number or line.
    pub faults: Vec<Refusal>,
}

/// Adds the games of a file to a book, or the moves of a Polyglot book (`.bin`). Games that can't be replayed are left
/// out. A file that was imported before, by whatever name, changes nothing.
pub fn import(
    writer: &mut BookWriter,
    variant: &Variant,
    path: &Path,
    settings: &ImportSettings,
) -> Result<ImportReport, LabError> {
    let bytes = std::fs::read(path).map_err(|error| LabError::file(path, error))?;
    let hash = Fnv::of(bytes.iter().copied());
    let refuse = |reason| LabError::file(path, reason);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    if is_polyglot(path) {
        if Variant::main_of("polyglot").is_none_or(|of| of.name() != variant.name()) {
            return Err(LabError::Call(refusals::book_format("Polyglot", variant.name())));
        }
        let book = polyglot::Book::read(&bytes).map_err(refuse)?;
        let added = writer.import(&file, hash, |game| add_book(game, variant, &book, settings)).map_err(refuse)?;
        return Ok(ImportReport { added, faults: Vec::new() });
    }
    let (mut records, mut faults) = (Vec::new(), Vec::new());
    for (index, record) in record::read_each(path, &bytes, Some(variant))?.into_iter().enumerate() {
        match record {
            Ok(record) => match plays(variant, &record, settings.plies) {
                Ok(plays) => records.push(plays),
                Err(reason) => faults.push(refusals::in_game(index + 1, reason)),
            },
            // The readers of formats say where it is.
            Err(reason) => faults.push(reason),
        }
    }
    let add = |game: &mut Game<'_>| {
        for (board, mv, results) in records.iter().flatten() {
            game.add(board, mv, settings.source, results)?;
        }
        Ok(records.len() as u64)
    };
    let added = writer.import(&file, hash, add).map_err(refuse)?;
    Ok(ImportReport { added, faults })
}

/// Whether a file is a Polyglot book, by its name.
pub(super) fn is_polyglot(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bin"))
}

/// The moves of a game with the positions they were played in, and the result for the side that played each.
fn plays(variant: &Variant, record: &Record, plies: usize) -> Result<Vec<(Board, String, Results)>, Refusal> {
    let [asked, of] = [variant.name(), record.variant.as_str()].map(Variant::named);
    let (asked, of) = (asked?, of?);
    if asked.name() != of.name() {
        return Err(refusals::book_game(asked.name(), of.name()));
    }
    let start = PositionSpec { position: record.opening.position.clone(), moves: Vec::new() };
    let mut board = Board::at(variant, &start)?;
    let mut plays = Vec::new();
    for mv in record.all_moves().take(plies) {
        let mut results = Results::default();
        let count = match (record.end.result(), record.end.winner) {
            ("*", _) => &mut results.unfinished,
            (_, None) => &mut results.drawn,
            (_, Some(winner)) if winner == board.side() => &mut results.won,
            _ => &mut results.lost,
        };
        *count = 1;
        let before = board.clone();
        board.play(mv).map_err(|error| refusals::at_ply(plays.len() + 1, error))?;
        plays.push((before, mv.to_owned(), results));
    }
    Ok(plays)
}

/// Adds the moves of all positions that book moves lead to. A weight is read as two points for each won game.
fn add_book(
    game: &mut Game<'_>,
    variant: &Variant,
    book: &polyglot::Book,
    settings: &ImportSettings,
) -> Result<u64, Refusal> {
    let (mut open, mut seen, mut added) = (vec![Board::new(variant)], HashSet::new(), 0);
    while let Some(board) = open.pop() {
        if board.moves().len() >= settings.plies || !seen.insert(board.canonical_key()) {
            continue;
        }
        let moves = book.weighed_moves(&board);
        added += u64::from(!moves.is_empty());
        for (mv, weight) in moves {
            let weight = u64::from(weight);
            let results = Results { won: weight / 2, drawn: weight % 2, ..Results::default() };
            game.add(&board, &mv, settings.source, &results)?;
            open.push(board.after(&mv)?);
        }
    }
    Ok(added)
}
