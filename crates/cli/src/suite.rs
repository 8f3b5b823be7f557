//! `polyply suite`: positions whose best moves are known, and how many of them the search finds.

use crate::args::{SuiteArgs, USUAL_HASH};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::printer::Printer;
use crate::puzzle::Puzzle;
use crate::solve::problem_lines;
use crate::{json, words};
use indicatif::{ProgressBar, ProgressStyle};
use polyply_engine::{Best, Engine, EngineError, Request};
use std::io::{self, Write};
use std::time::Duration;

pub fn run(args: &SuiteArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Failure::Call(format!("the file `{}` can't be read: {error}", args.file.display())))?;
    let mut engine = args.engine.engine(&variant, USUAL_HASH)?;
    let interrupt = Interrupt::stopping(engine.control())?;
    let lines = problem_lines(&text);
    let bar = bar(lines.len() as u64);
    let mut printer = Printer::new();
    let (mut solved, mut tried, mut bad) = (0, 0, 0);
    for &(number, line) in &lines {
        match Puzzle::read(line, &variant) {
            Ok(puzzle) => {
                let attempt = try_puzzle(&mut engine, &puzzle, args, &interrupt)?;
                // What Ctrl-C cut short is neither solved nor failed.
                if interrupt.pressed() {
                    break;
                }
                tried += 1;
                solved += u32::from(attempt.solved_after.is_some());
                let line = if args.json { attempt.json(&puzzle).to_string() } else { attempt.words(&puzzle) };
                bar.suspend(|| printer.line(line));
            }
            Err(reason) => {
                bad += 1;
                // Where stderr is closed, the exit code has to do.
                let _ = bar.suspend(|| writeln!(io::stderr(), "polyply: line {number}: {reason}"));
            }
        }
        bar.inc(1);
        bar.set_message(format!("{solved} solved"));
        if interrupt.pressed() || printer.has_failed() {
            break;
        }
    }
    bar.finish_and_clear();
    if interrupt.pressed() {
        // Nothing depends on it.
        let _ = writeln!(io::stderr(), "polyply: stopped after {tried} of {} positions", lines.len());
    }
    printer.line(if args.json { json::suite(solved, tried).to_string() } else { format!("{solved}/{tried}") });
    printer.finish()?;
    if bad > 0 {
        return Err(Failure::Run(format!("of {} lines, {bad} refused", lines.len())));
    }
    Ok(())
}

/// A bar over so many positions; it is not drawn unless stderr is a terminal.
fn bar(positions: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} (eta {eta}) {msg}");
    let bar = ProgressBar::new(positions).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// What the search made of a puzzle.
pub struct Attempt {
    pub best: Best,
    /// When the right move was found for good, if it was.
    pub solved_after: Option<Duration>,
}

/// Searches a puzzle as if it were the first.
fn try_puzzle(
    engine: &mut Engine,
    puzzle: &Puzzle,
    args: &SuiteArgs,
    interrupt: &Interrupt,
) -> Result<Attempt, EngineError> {
    engine.flush();
    engine.new_game();
    let request = Request { place: puzzle.place.clone(), limits: args.limits(), ..Request::default() };
    let mut right_since = None;
    let best = engine.search(&request, &mut |info| {
        let right = info.multipv == 1
            && info.line.first().is_some_and(|mv| puzzle.is_right(mv))
            && puzzle.is_proven(Some(info.score));
        right_since = if right { right_since.or(Some(info.time)) } else { None };
        interrupt.pass_on();
    })?;
    let solved = puzzle.is_right(&best.mv) && puzzle.is_proven(best.score());
    let solved_after = solved.then(|| right_since.unwrap_or(best.time));
    Ok(Attempt { best, solved_after })
}

impl Attempt {
    fn words(&self, puzzle: &Puzzle) -> String {
        let Best { mv, nodes, stage, .. } = &self.best;
        let score =
            self.best.lines.first().map_or("not searched".into(), |line| words::bounded(line.score, line.bound));
        let verdict = match self.solved_after {
            Some(after) => format!("solved  {mv} after {}", words::time(after)),
            None => format!("failed  {mv} instead of {}", wanted(puzzle)),
        };
        format!("{}  {verdict}  ({score}, {stage}, {nodes} nodes, {})", puzzle.name(), words::time(self.best.time))
    }

    fn json(&self, puzzle: &Puzzle) -> serde_json::Value {
        json::attempt(puzzle, &self.best, self.solved_after)
    }
}

/// What was to be found.
fn wanted(puzzle: &Puzzle) -> String {
    let mut parts = Vec::new();
    if !puzzle.best.is_empty() {
        parts.push(puzzle.best.join(" or "));
    }
    if !puzzle.avoid.is_empty() {
        parts.push(format!("anything but {}", puzzle.avoid.join(", ")));
    }
    if let Some(win) = puzzle.win {
        parts.push(format!("a win in {}", win.abs()));
    }
    parts.join(" with ")
}
