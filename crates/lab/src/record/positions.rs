//! Positions, one per line: [EPD](https://www.chessprogramming.org/Extended_Position_Description) of chess, and OBF of
//! Othello as Edax has it.
//!
//! A game is reduced to its last position. Operations after a position (`bm`, `id`, scores of moves) are kept as they
//! are.

use super::{Format, Record};
use crate::refusals;
use polyply_engine::{Board, PositionSpec, Refusal, Variant};

/// The property that keeps the operations after a position.
const OPERATIONS: &str = "Operations";

/// The name of a format in the aliases of games.
fn ending(format: Format) -> &'static str {
    if format == Format::Epd { "epd" } else { "obf" }
}

/// The positions of a text, or what is wrong with a line.
pub fn read(text: &str, format: Format) -> Vec<Result<Record, Refusal>> {
    let Some(variant) = Variant::main_of(ending(format)) else {
        return vec![Err(refusals::format_unused())];
    };
    let lines = crate::suite::lines(text).enumerate();
    lines
        .map(|(number, (at, line))| {
            let record = position(line, &variant).map_err(|reason| refusals::in_line(at, reason))?;
            Ok(Record { number: number as u64, ..record })
        })
        .collect()
}

fn position(line: &str, variant: &Variant) -> Result<Record, Refusal> {
    let written = variant.problem(line)?;
    let board = Board::at(variant, &written.spec)?;
    let settings = match written.operations.is_empty() {
        true => Vec::new(),
        false => vec![(OPERATIONS.to_owned(), written.operations)],
    };
    let mut record = Record {
        variant: variant.name().to_owned(),
        opening: PositionSpec { position: Some(board.text()), moves: Vec::new() },
        settings,
        ..Record::default()
    };
    record.end_by_rules();
    Ok(record)
}

/// The last position of a game, with its operations if it is the position that was read.
fn last(record: &Record, format: Format) -> Result<(String, String), Refusal> {
    let board = record.last()?;
    if board.variant().alias(ending(format)).is_none() {
        let known = Variant::main_of(ending(format)).map_or(String::new(), |variant| variant.name().to_owned());
        return Err(refusals::positions_of(known, &record.variant));
    }
    let operations = record.settings.iter().find(|(name, _)| name == OPERATIONS && board.moves().is_empty());
    Ok((board.text(), operations.map_or(String::new(), |(_, text)| text.clone())))
}

/// The last position of a game, as EPD.
pub fn write_epd(record: &Record) -> Result<String, Refusal> {
    let (fen, operations) = last(record, Format::Epd)?;
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let (board, counters) = fields.split_at(4.min(fields.len()));
    // Counters are operations in EPD, written only if they are not the usual ones.
    let mut said = operations;
    for (name, usual, counter) in [("hmvc", "0", counters.first()), ("fmvn", "1", counters.get(1))] {
        if let Some(counter) = counter.filter(|counter| **counter != usual && !said.contains(name)) {
            said = format!("{name} {counter}; {said}");
        }
    }
    Ok(format!("{} {}", board.join(" "), said).trim_end().to_owned() + "\n")
}

/// The last position of a game, as OBF.
pub fn write_obf(record: &Record) -> Result<String, Refusal> {
    let (position, operations) = last(record, Format::Obf)?;
    Ok(format!("{position}; {operations}").trim_end().to_owned() + "\n")
}
