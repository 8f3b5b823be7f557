//! `polyply book`: opening books for chess in Polyglot's format.

use crate::args::{BookExportArgs, BookImportArgs, BookShowArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::bar;
use polyply_engine::{Board, PositionSpec, Variant};
use polyply_lab::record::{self, Record};
use polyply_protocol::polyglot::{Book, BookMove, Maker};
use serde_json::json;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// The game that this format is for.
fn variant() -> Result<Variant, Failure> {
    Variant::main_of("polyglot").ok_or_else(|| Failure::Call("no game has books in Polyglot's format".into()))
}

fn open(path: &Path) -> Result<Book, Failure> {
    Book::open(path).map_err(|error| Failure::file(path, error))
}

/// Shows the moves of a position.
pub fn show(args: &BookShowArgs) -> Result<(), Failure> {
    let book = open(&args.book)?;
    let board = Board::at(&variant()?, &args.place.place())?;
    let moves = book.moves(&board);
    let sum: u64 = moves.iter().map(|mv| u64::from(mv.weight)).sum();
    let share = |mv: &BookMove| if sum == 0 { 0.0 } else { 100.0 * f64::from(mv.weight) / sum as f64 };
    let mut printer = Printer::new();
    if args.json {
        let listed: Vec<_> = moves.iter().map(|mv| json!({"move": mv.mv, "weight": mv.weight})).collect();
        printer.line(json!({"position": board.text(), "moves": listed}));
        return Ok(printer.finish()?);
    }
    printer.line(format_args!("{} moves of {} positions", book.entries().len(), book.positions()));
    for mv in &moves {
        printer.line(format_args!("{:<6} {:>6}  {:>5.1} %", mv.mv, mv.weight, share(mv)));
    }
    if moves.is_empty() {
        printer.line("the book does not know this position");
    }
    Ok(printer.finish()?)
}

/// Makes a book from games.
pub fn import(args: &BookImportArgs) -> Result<(), Failure> {
    let stop = interrupt::flag()?;
    let variant = variant()?;
    let mut maker = Maker::default();
    for path in &args.games {
        let records = record::read(path)?;
        let bar = bar(records.len() as u64, "games");
        for record in &records {
            let refuse = |reason| Failure::file(path, format!("game {}: {reason}", record.number + 1));
            add(&mut maker, &variant, record, args.plies).map_err(refuse)?;
            bar.inc(1);
            if stop.load(Relaxed) {
                return Err(Failure::Run("stopped; nothing was written".into()));
            }
        }
        bar.finish_and_clear();
    }
    let book = maker.book(args.least);
    save(&args.out, &book.bytes())?;
    let mut printer = Printer::new();
    let (moves, positions) = (book.entries().len(), book.positions());
    printer.line(format_args!("{moves} moves of {positions} positions in {}", args.out.display()));
    Ok(printer.finish()?)
}

/// Adds the moves of a game; how much each counts depends on the result for the side that played it.
fn add(maker: &mut Maker, variant: &Variant, record: &Record, plies: usize) -> Result<(), String> {
    if record.variant != variant.name() {
        return Err(format!("a book holds moves of {}, not of {}", variant.name(), record.variant));
    }
    let place = PositionSpec { position: record.opening.position.clone(), moves: Vec::new() };
    let mut board = Board::at(variant, &place).map_err(|error| error.to_string())?;
    for mv in record.all_moves().take(plies) {
        let count = match record.end.winner {
            Some(winner) if winner == board.side() => 2,
            Some(_) => 0,
            None => 1,
        };
        maker.add(&board, mv, count).map_err(|reason| reason.to_string())?;
        board.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Lists the positions that book moves reach from the start, with their moves and weights.
pub fn export(args: &BookExportArgs) -> Result<(), Failure> {
    let book = open(&args.book)?;
    let board = Board::at(&variant()?, &PositionSpec::default())?;
    let mut printer = Printer::new();
    let (mut open, mut seen) = (vec![board], HashSet::new());
    while let Some(board) = open.pop() {
        // A position may be reached in several ways, but is listed once.
        let text = board.text();
        let fields: Vec<&str> = text.split_whitespace().take(4).collect();
        if !seen.insert(fields.join(" ")) || printer.has_failed() {
            continue;
        }
        let moves = book.moves(&board);
        if !moves.is_empty() {
            let weighed: Vec<String> = moves.iter().map(|mv| format!("{} {}", mv.mv, mv.weight)).collect();
            printer.line(format_args!("{}; {}", fields.join(" "), weighed.join(", ")));
        }
        for mv in moves.iter().rev() {
            let mut next = board.clone();
            if next.play(&mv.mv).is_ok() {
                open.push(next);
            }
        }
    }
    Ok(printer.finish()?)
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    use std::io::Write;
    let written = std::fs::File::create_new(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| Failure::file(path, error))
}
