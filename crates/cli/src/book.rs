//! `polyply book`: building, showing, filling and converting opening books.

use crate::args::{BookBuildArgs, BookCommand, BookExportArgs, BookImportArgs, BookOpeningsArgs, BookShowArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::Counted;
use polyply_engine::book::{self, Book, BookFile, BookMove, BookWriter};
use polyply_engine::{Board, Variant};
use polyply_lab::book::{BuildSettings, ImportSettings, OpeningsSettings};
use polyply_protocol::book_file;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

pub fn run(command: &BookCommand) -> Result<(), Failure> {
    match command {
        BookCommand::Build(args) => build(args),
        BookCommand::Show(args) => show(args),
        BookCommand::Probe(args) => probe(args),
        BookCommand::Import(args) => import(args),
        BookCommand::Export(args) => export(args),
        BookCommand::Openings(args) => openings(args),
    }
}

fn build(args: &BookBuildArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let settings = BuildSettings {
        positions: args.positions,
        nodes: args.nodes,
        depth: args.depth,
        margin: args.margin,
        lines: args.lines.into(),
        place: args.fleet.place(args.threads.into())?,
        seed: args.seed,
        hash: args.hash as usize,
        check: args.check,
    };
    let stop = interrupt::flag()?;
    let mut counted = Counted::new(args.positions, "positions");
    let mut checked: Option<(u64, Counted)> = None;
    let report = polyply_lab::book::build(&variant, &args.out, &settings, &stop, &mut |progress| {
        counted.set(progress.searched);
        // A move that is refuted lets others be played, which are to be checked as well.
        if checked.as_ref().map_or(0, |(all, _)| *all) < progress.unchecked {
            checked = Some((progress.unchecked, Counted::new(progress.unchecked, "moves checked")));
        }
        if let Some((all, counted)) = &mut checked {
            counted.set(*all - progress.unchecked);
        }
    })?;
    counted.finish();
    checked.iter().for_each(|(_, counted)| counted.finish());
    let end = if report.is_stopped { "; the same command continues" } else { "" };
    let mut printer = Printer::new();
    printer.line(format_args!("{} positions in {}{end}", report.searched, args.out.display()));
    Ok(printer.finish()?)
}

/// The book that was asked for, or the program's own.
fn open(path: Option<&Path>, variant: &Variant) -> Result<Arc<dyn Book>, Failure> {
    match path {
        Some(path) => book_file::open(path, variant).map_err(|reason| Failure::file(path, reason)),
        None => match book::embedded(variant) {
            Some(book) => Ok(book),
            None => {
                Err(Failure::Run(format!("there is no built-in book for {}; give one with --book", variant.name())))
            }
        },
    }
}

fn moves(args: &BookShowArgs) -> Result<(Board, Vec<BookMove>), Failure> {
    let variant = args.game.variant()?;
    let book = open(args.book.as_deref(), &variant)?;
    let board = Board::at(&variant, &args.place.place())?;
    let moves = book.moves(&board).map_err(|reason| match &args.book {
        Some(path) => Failure::file(path, reason),
        None => Failure::Run(reason.to_string()),
    })?;
    Ok((board, moves))
}

fn show(args: &BookShowArgs) -> Result<(), Failure> {
    let (board, moves) = moves(args)?;
    let mut printer = Printer::new();
    if args.json {
        printer.line(polyply_lab::book::json_line(&board, &moves));
        return Ok(printer.finish()?);
    }
    if let Some(name) = board.opening_name() {
        printer.line(format_args!("opening {name}"));
    }
    moves_table(&moves).iter().for_each(|line| printer.line(line));
    if moves.is_empty() {
        printer.line("the book does not know this position");
    }
    Ok(printer.finish()?)
}

/// A line for each move: how often it is played, its score and the results of games.
pub fn moves_table(moves: &[BookMove]) -> Vec<String> {
    let sum: u64 = moves.iter().map(|mv| mv.weight).sum();
    let line = |mv: &BookMove| {
        let share = if sum == 0 { 0.0 } else { 100.0 * mv.weight as f64 / sum as f64 };
        let score = mv.score.map_or(String::new(), |score| format!("  {score}  depth {}", mv.depth));
        let results = match mv.results.games() {
            0 => String::new(),
            games => {
                format!("  {games} games: {} won, {} drawn, {} lost", mv.results.won, mv.results.drawn, mv.results.lost)
            }
        };
        format!("{:<6} {share:>5.1} %{score}{results}  {}", mv.mv, mv.source.name())
    };
    moves.iter().map(line).collect()
}

fn probe(args: &BookShowArgs) -> Result<(), Failure> {
    let (board, moves) = moves(args)?;
    let best = moves.iter().max_by_key(|mv| mv.weight).filter(|mv| mv.weight > 0);
    let best = best.ok_or_else(|| Failure::Run("the book does not know this position".into()))?;
    let mut printer = Printer::new();
    match args.json {
        true => printer.line(polyply_lab::book::json_line(&board, std::slice::from_ref(best))),
        false => printer.line(&best.mv),
    }
    Ok(printer.finish()?)
}

fn import(args: &BookImportArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let stop = interrupt::flag()?;
    let settings = ImportSettings { plies: args.plies, source: args.source.into() };
    let mut writer = BookWriter::open(&args.out, &variant).map_err(|reason| Failure::file(&args.out, reason))?;
    let mut printer = Printer::new();
    let mut left_out = 0;
    for path in &args.files {
        if stop.load(SeqCst) {
            return Err(Failure::Run("stopped; the files named above are in the book".into()));
        }
        let report = polyply_lab::book::import(&mut writer, &variant, path, &settings)?;
        for fault in &report.faults {
            // If stderr is closed, the counts must do.
            let _ = writeln!(std::io::stderr(), "polyply: {}: {fault}", path.display());
        }
        left_out += report.faults.len();
        printer.line(match report.added {
            Some(added) => format!("{}: {added} added", path.display()),
            None => format!("{}: imported before", path.display()),
        });
    }
    drop(writer);
    let book = BookFile::open(&args.out, &variant).map_err(|reason| Failure::file(&args.out, reason))?;
    let (positions, moves) = book.counts().map_err(|reason| Failure::file(&args.out, reason))?;
    printer.line(format_args!("{moves} moves of {positions} positions in {}", args.out.display()));
    printer.finish()?;
    match left_out {
        0 => Ok(()),
        _ => Err(Failure::Run(format!("{left_out} games or lines were left out"))),
    }
}

fn export(args: &BookExportArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let book = BookFile::open(&args.book, &variant).map_err(|reason| Failure::file(&args.book, reason))?;
    let bytes = polyply_lab::book::export(&book, &variant, &args.out)?;
    let written = std::fs::File::create_new(&args.out).and_then(|mut file| file.write_all(&bytes));
    written.map_err(|error| Failure::file(&args.out, error))?;
    let mut printer = Printer::new();
    printer.line(format_args!("{} bytes in {}", bytes.len(), args.out.display()));
    Ok(printer.finish()?)
}

fn openings(args: &BookOpeningsArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let settings = OpeningsSettings {
        plies: args.plies.into(),
        within: args.within,
        count: args.count,
        nodes: args.nodes,
        threads: args.threads.into(),
        seed: args.seed,
    };
    let stop = interrupt::flag()?;
    let mut counted = Counted::new(args.count, "openings");
    let found = polyply_lab::book::balanced_openings(&variant, &args.out, &settings, &stop, &mut |count| {
        counted.set(count);
    })?;
    counted.finish();
    let end = if stop.load(SeqCst) { "; the same command continues" } else { "" };
    let mut printer = Printer::new();
    printer.line(format_args!("{found} openings in {}{end}", args.out.display()));
    Ok(printer.finish()?)
}
