//! `polyply suite`: tests the search on positions with known best moves.

use crate::args::{SuiteArgs, USUAL_HASH};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::printer::Printer;
use crate::progress::bar;
use crate::{json, words};
use polyply_engine::Best;
use polyply_lab::suite::{self, Attempt, Puzzle};
use serde_json::Value;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

pub fn run(args: &SuiteArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Failure::Call(format!("the file `{}` can't be read: {error}", args.file.display())))?;
    let mut engine = args.engine.engine(&variant, USUAL_HASH)?;
    let interrupt = Interrupt::stopping(engine.control())?;
    let lines: Vec<_> = suite::lines(&text).collect();
    let mut out = Out::create(args.out.as_ref())?;
    let bar = bar(lines.len() as u64, "positions");
    let mut printer = Printer::new();
    let (mut solved_after, mut tried, mut bad) = (Vec::new(), 0, 0);
    for &(number, line) in &lines {
        match Puzzle::read(line, &variant) {
            Ok(puzzle) => {
                let told = &mut |_: &_| interrupt.pass_on();
                let (attempt, best) = suite::attempt(&mut engine, &puzzle, args.limits(), told)?;
                // A search cut short by Ctrl-C is neither solved nor failed.
                if interrupt.pressed() {
                    break;
                }
                tried += 1;
                solved_after.extend(attempt.solved_after_ms);
                let value = json::attempt(&attempt);
                out.line(&value)?;
                let line = if args.json { value.to_string() } else { words_of(&attempt, &best, &puzzle) };
                bar.suspend(|| printer.line(line));
            }
            Err(reason) => {
                bad += 1;
                // If stderr is closed, the exit code must do.
                let _ = bar.suspend(|| writeln!(io::stderr(), "polyply: line {number}: {reason}"));
            }
        }
        bar.inc(1);
        bar.set_message(format!("{} solved", solved_after.len()));
        if interrupt.pressed() || printer.has_failed() {
            break;
        }
    }
    bar.finish_and_clear();
    if interrupt.pressed() {
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
fn words_of(attempt: &Attempt, best: &Best, puzzle: &Puzzle) -> String {
    let Best { mv, nodes, stage, .. } = best;
    let score = best.lines.first().map_or("not searched".into(), |line| words::bounded(line.score, line.bound));
    let verdict = match attempt.solved_after_ms {
        Some(after) => format!("solved  {mv} after {}", words::time(Duration::from_millis(after))),
        None => format!("failed  {mv} instead of {}", puzzle.wanted()),
    };
    format!("{}  {verdict}  ({score}, {stage}, {nodes} nodes, {})", puzzle.name(), words::time(best.time))
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
