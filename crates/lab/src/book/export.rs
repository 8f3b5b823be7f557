//! Writing a book in other formats: JSON lines, Polyglot, and the packed form that is part of the program.

use super::import::is_polyglot;
use crate::record::json::JsonScore;
use crate::{LabError, refusals};
use polyply_engine::book::{Book, BookFile, BookMove, StoredPosition, pack};
use polyply_engine::{Board, PositionSpec, Variant};
use polyply_protocol::polyglot::Maker;
use serde_json::{Value, json};
use std::path::Path;

/// The bytes of a book in the format that the name of the file to write says.
pub fn export(book: &BookFile, variant: &Variant, out: &Path) -> Result<Vec<u8>, LabError> {
    let refuse = |reason| LabError::file(out, reason);
    let positions = book.positions().map_err(refuse)?;
    let ending = out.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "jsonl" => json_lines(book, variant, &positions),
        "book" => {
            let entries = |position: &StoredPosition| {
                (position.key, position.moves.iter().map(|(entry, ..)| entry.clone()).collect())
            };
            let made_by = book.made_by().map_err(refuse)?.unwrap_or_default();
            pack(variant, &made_by, &positions.iter().map(entries).collect::<Vec<_>>()).map_err(refuse)
        }
        _ if is_polyglot(out) => polyglot(book, variant, &positions),
        _ => Err(LabError::Call(refusals::book_ending(out.display().to_string()))),
    }
}

fn board(variant: &Variant, position: &StoredPosition) -> Result<Board, LabError> {
    Ok(Board::at(variant, &PositionSpec::new(Some(&position.position), &[]))?)
}

fn json_lines(book: &BookFile, variant: &Variant, positions: &[StoredPosition]) -> Result<Vec<u8>, LabError> {
    let mut lines = Vec::new();
    for position in positions {
        let board = board(variant, position)?;
        let moves = book.moves(&board).map_err(LabError::File)?;
        let mut line = json_line(&board, &moves);
        line["name"] = json!(position.name);
        lines.extend(format!("{line}\n").into_bytes());
    }
    Ok(lines)
}

/// A position with its book moves as a JSON object.
pub fn json_line(board: &Board, moves: &[BookMove]) -> Value {
    json!({
        "variant": board.variant().name(),
        "position": board.text(),
        "name": board.opening_name(),
        "moves": json_moves(moves),
    })
}

/// Book moves as a JSON array.
pub fn json_moves(moves: &[BookMove]) -> Value {
    let object = |mv: &BookMove| {
        json!({
            "move": mv.mv,
            "score": mv.score.map(JsonScore::from),
            "depth": mv.depth,
            "source": mv.source.name(),
            "won": mv.results.won,
            "drawn": mv.results.drawn,
            "lost": mv.results.lost,
            "unfinished": mv.results.unfinished,
            "weight": mv.weight,
        })
    };
    moves.iter().map(object).collect()
}

fn polyglot(book: &BookFile, variant: &Variant, positions: &[StoredPosition]) -> Result<Vec<u8>, LabError> {
    if Variant::main_of("polyglot").is_none_or(|of| of.name() != variant.name()) {
        return Err(LabError::Call(refusals::book_format("Polyglot", variant.name())));
    }
    let mut maker = Maker::default();
    for position in positions {
        let board = board(variant, position)?;
        for mv in book.moves(&board).map_err(LabError::File)? {
            maker.add(&board, &mv.mv, mv.weight).map_err(LabError::File)?;
        }
    }
    Ok(maker.book(1).bytes())
}
