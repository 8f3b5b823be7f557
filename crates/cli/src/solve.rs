//! `polyply solve`: the value of one position, of every position of a file, or of every move of a position.

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::printer::Printer;
use crate::progress::{bar, spinner};
use crate::{json, words};
use indicatif::ProgressBar;
use polyply_engine::{Board, Engine, EngineError, Limits, Problem, Progress, Score, Solving};
use polyply_lab::suite;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// Default table size in megabytes: solving depends on a large table.
const SOLVE_HASH: usize = 1024;
/// Default time for a position if only a forced win would end the search.
const FORCE_TIME: Duration = Duration::from_secs(10);

pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    let variant = args.game.variant()?;
    let engine = args.kept.engine(&variant, SOLVE_HASH)?;
    let interrupt = Interrupt::stopping(engine.control())?;
    let usual = matches!(variant.about().solving, Solving::ForcedWin { .. }).then_some(FORCE_TIME);
    let limits = Limits { time: args.limit.or(usual), ..Limits::default() };
    let mut solver = Solver { engine, limits, interrupt, printer: Printer::new(), args, bar: spinner() };
    match &args.file {
        None => {
            let problem = Problem { spec: args.place.place(), ..Problem::default() };
            solver.solve(&problem)?;
            solver.finish()
        }
        Some(path) => solver.solve_file(path),
    }
}

/// There may still be one that takes longer to find.
const NO_WIN: &str = "no forced win found within the limit";

/// The result of a position.
#[derive(PartialEq, Eq)]
enum Verdict {
    Solved,
    Open,
    /// Solved, but the file says otherwise.
    Disagrees,
}

struct Solver<'a> {
    engine: Engine,
    limits: Limits,
    interrupt: Interrupt,
    printer: Printer,
    args: &'a SolveArgs,
    bar: ProgressBar,
}

impl Solver<'_> {
    fn finish(self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        self.args.kept.save(&self.engine)?;
        Ok(self.printer.finish()?)
    }

    /// The game is solved only by looking for forced wins.
    fn by_force(&self) -> bool {
        matches!(self.engine.variant().about().solving, Solving::ForcedWin { .. })
    }

    /// A value in words.
    fn verdict(&self, value: Score, board: &Board) -> String {
        match value {
            Score::Win(plies) if self.by_force() => words::forced(plies, board.side()),
            value => words::verdict(value, board.spec()),
        }
    }

    fn say(&mut self, line: String) {
        self.bar.suspend(|| self.printer.line(line));
    }

    fn solve(&mut self, problem: &Problem) -> Result<Verdict, EngineError> {
        let board = Board::at(self.engine.variant(), &problem.spec)?;
        if self.args.all {
            self.solve_moves(&board)?;
            if problem.value.is_none() {
                return Ok(Verdict::Solved);
            }
        }
        let (bar, interrupt) = (self.bar.clone(), &self.interrupt);
        let solution = self.engine.solve(&board, self.limits, &mut |progress| show(&bar, interrupt, progress))?;
        let disagrees = solution.value.is_some_and(|value| problem.value.is_some_and(|expected| expected != value));
        let line = if self.args.json {
            json::solution(&board.text(), &solution, problem.value).to_string()
        } else {
            let found = match solution.value {
                Some(value) => self.verdict(value, &board),
                None if self.by_force() => NO_WIN.into(),
                None => format!("not solved ({})", words::between(solution.low, solution.high)),
            };
            let said = problem
                .value
                .filter(|_| disagrees)
                .map_or(String::new(), |expected| format!(", but the file says {}", self.verdict(expected, &board)));
            let line = if solution.line.is_empty() { String::new() } else { format!("  {}", solution.line.join(" ")) };
            let staged = self.by_force() && solution.value.is_some();
            let stage = if staged { format!("  {}", solution.stage) } else { String::new() };
            let (nodes, time) = (solution.nodes, words::time(solution.time));
            format!("{}  {found}{said}{line}{stage}  {nodes} nodes  {time}", board.text())
        };
        self.say(line);
        Ok(match solution.value {
            None => Verdict::Open,
            Some(_) if disagrees => Verdict::Disagrees,
            Some(_) => Verdict::Solved,
        })
    }

    /// Solves every move of a position.
    fn solve_moves(&mut self, board: &Board) -> Result<(), EngineError> {
        if let Some(outcome) = board.outcome() {
            return Err(EngineError::Over(outcome));
        }
        for mv in board.legal_moves() {
            if self.interrupt.pressed() {
                break;
            }
            let (bar, interrupt) = (self.bar.clone(), &self.interrupt);
            let value =
                self.engine.solve_move(board, &mv, self.limits, &mut |progress| show(&bar, interrupt, progress))?;
            let line = if self.args.json {
                json::move_value(&board.text(), &value).to_string()
            } else {
                let unsolved = if self.by_force() { NO_WIN } else { "not solved" };
                let found = value.value.map_or(unsolved.into(), |value| self.verdict(value, board));
                format!("{mv}  {found}  {}  {} nodes  {}", value.line.join(" "), value.nodes, words::time(value.time))
            };
            self.say(line);
        }
        Ok(())
    }

    /// Solves every position of a file. Bad lines are reported and skipped.
    fn solve_file(mut self, path: &Path) -> Result<(), Failure> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::Call(format!("the file `{}` can't be read: {error}", path.display())))?;
        let lines: Vec<_> = suite::lines(&text).collect();
        self.bar = bar(lines.len() as u64, "positions");
        let (mut solved, mut bad, mut disagree) = (0, 0, 0);
        let variant = self.engine.variant().clone();
        for &(number, line) in &lines {
            if self.interrupt.pressed() || self.printer.has_failed() {
                break;
            }
            match variant.problem(line).and_then(|problem| self.solve(&problem)) {
                Ok(verdict) => {
                    solved += u32::from(verdict != Verdict::Open);
                    disagree += u32::from(verdict == Verdict::Disagrees);
                }
                Err(error) => {
                    bad += 1;
                    // If stderr is closed, the exit code must do.
                    let _ = self.bar.suspend(|| writeln!(io::stderr(), "polyply: line {number}: {error}"));
                }
            }
            self.bar.inc(1);
        }
        let total = lines.len();
        if !self.args.json {
            self.say(format!("{solved}/{total} solved"));
        }
        self.finish()?;
        if bad + disagree > 0 {
            let what = format!("of {total} lines, {bad} refused and {disagree} with another score than given");
            return Err(Failure::Run(what));
        }
        Ok(())
    }
}

fn show(bar: &ProgressBar, interrupt: &Interrupt, progress: &Progress) {
    bar.set_message(format!("{}, {} nodes", words::between(progress.low, progress.high), progress.nodes));
    interrupt.pass_on();
}
