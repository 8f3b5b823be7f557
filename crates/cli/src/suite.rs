//! `polyply suite`: tests the search on positions with known best moves.

use crate::args::{SuiteArgs, USUAL_HASH};
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::bar;
use crate::{json, words};
use polyply_lab::suite::{self, Attempt, Puzzle, Suite, Tried};
use polyply_lab::work::Flow;
use serde_json::Value;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

pub fn run(args: &SuiteArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Failure::Call(format!("the file `{}` can't be read: {error}", args.file.display())))?;
    let options = args.engine.options(USUAL_HASH);
    let suite = Suite::new(&variant, options, args.engine.settings.clone(), args.limits())?;
    let place = args.fleet.place(1)?;
    let stop = interrupt::flag()?;
    let lines: Vec<_> = suite::lines(&text).collect();
    let mut out = Out::create(args.out.as_ref())?;
    let bar = bar(lines.len() as u64, "positions");
    let mut printer = Printer::new();
    let (mut solved_after, mut tried, mut bad) = (Vec::new(), 0, 0);
    let mut puzzles = Vec::new();
    for &(number, line) in &lines {
        match Puzzle::read(line, &variant) {
            Ok(puzzle) => puzzles.push((puzzle, line)),
            Err(reason) => {
                bad += 1;
                bar.inc(1);
                // If stderr is closed, the exit code must do.
                let _ = bar.suspend(|| writeln!(io::stderr(), "polyply: line {number}: {reason}"));
            }
        }
    }
    let wanted: Vec<&str> = puzzles.iter().map(|(_, line)| *line).collect();
    let mut unwritten = Ok(());
    suite.run(&wanted, &place, &stop, &mut |index, found| {
        tried += 1;
        solved_after.extend(found.attempt.solved_after_ms);
        let value = json::attempt(&found.attempt);
        unwritten = out.line(&value);
        let line = if args.json { value.to_string() } else { words_of(found, &puzzles[index].0) };
        bar.suspend(|| printer.line(line));
        bar.inc(1);
        bar.set_message(format!("{} solved", solved_after.len()));
        if printer.has_failed() || unwritten.is_err() { Flow::Enough } else { Flow::GoOn }
    })?;
    unwritten?;
    bar.finish_and_clear();
    if stop.load(Relaxed) {
        // That stderr is closed does not matter.
        let _ = writeln!(io::stderr(), "polyply: stopped after {tried} of {} positions", lines.len());
    }
    let solved = solved_after.len();
    let sum = json::suite(solved, tried);
    out.line(&sum)?;
    if args.json {
        printer.line(sum);
    } else {
        times(solved_after).into_iter().for_each(|times| printer.line(times));
        printer.line(format_args!("{solved}/{tried}"));
    }
    printer.finish()?;
    if bad > 0 {
        return Err(Failure::Run(format!("of {} lines, {bad} refused", lines.len())));
    }
    Ok(())
}

/// An attempt as a line of text.
fn words_of(tried: &Tried, puzzle: &Puzzle) -> String {
    let Attempt { mv, nodes, stage, score, solved_after_ms, time_ms, .. } = &tried.attempt;
    let score = score.map_or("not searched".into(), |score| words::bounded(score.into(), tried.bound()));
    let time = |milliseconds: u64| words::time(Duration::from_millis(milliseconds));
    let verdict = match solved_after_ms {
        Some(after) => format!("solved  {mv} after {}", time(*after)),
        None => format!("failed  {mv} instead of {}", puzzle.wanted()),
    };
    format!("{}  {verdict}  ({score}, {stage}, {nodes} nodes, {})", puzzle.name(), time(*time_ms))
}

/// The file that gets the attempts.
struct Out(Option<(PathBuf, File)>);

impl Out {
    /// Creates the file; an existing one is never overwritten.
    fn create(path: Option<&PathBuf>) -> Result<Out, Failure> {
        let create = |path: &PathBuf| match File::create_new(path) {
            Ok(file) => Ok((path.clone(), file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Failure::Call(format!("{} already exists; choose another file", path.display())))
            }
            Err(error) => Err(Failure::file(path, error)),
        };
        Ok(Out(path.map(create).transpose()?))
    }

    fn line(&mut self, line: &Value) -> Result<(), Failure> {
        match &mut self.0 {
            Some((path, file)) => writeln!(file, "{line}").map_err(|error| Failure::file(path, error)),
            None => Ok(()),
        }
    }
}

/// The times to the solutions, in words; `None` without solutions.
fn times(mut solved_after_ms: Vec<u64>) -> Option<String> {
    solved_after_ms.sort_unstable();
    let (median, slowest) = (solved_after_ms.get(solved_after_ms.len() / 2)?, solved_after_ms.last()?);
    let mean = solved_after_ms.iter().sum::<u64>() / solved_after_ms.len() as u64;
    Some(format!("time to the solution: mean {mean} ms, median {median} ms, longest {slowest} ms"))
}
