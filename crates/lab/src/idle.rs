//! What idle improvement is worth: how much deeper an engine answers after it has idled, how games from the same openings
//! end, and how fast it makes way for a player.

use crate::LabError;
use crate::arena::Openings;
use crate::stats::{Points, Tally};
use polyply_engine::{
    Best, Board, Engine, EngineError, IdleThread, Limits, Options, Reason, Request, Score, Share, Side, Variant,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A game that has not ended after so many plies counts as a draw.
const LONGEST_GAME: usize = 400;

/// What is measured.
#[derive(Clone, Debug)]
pub struct IdleTest {
    /// The game.
    pub variant: Variant,
    /// How many openings there are.
    pub openings: u64,
    /// The seed of the openings.
    pub seed: u64,
    /// How many moves the engine plays from each opening before it idles.
    pub plies: usize,
    /// Nodes of an answer.
    pub nodes: u64,
    /// The size of the Search TT in megabytes.
    pub hash: usize,
    /// When the engine has idled enough.
    pub idling: Idling,
}

/// How long an engine idles. It ends earlier if there is nothing left to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idling {
    /// So many steps, which are the same in every run.
    Steps(u64),
    /// So long.
    Time(Duration),
}

/// What happens during a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Progress {
    /// So many openings were played.
    Played(u64),
    /// So many steps of idle improvement were done.
    Idled(u64),
    /// So many positions were answered.
    Answered(usize),
    /// So many games of the match are over.
    Games(u64),
}

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct IdleReport {
    /// Steps of idle improvement.
    pub steps: u64,
    /// Positions that were improved.
    pub improved: usize,
    /// Nothing was left to do.
    pub done: bool,
    /// The answers to positions that were played, compared with those from an empty table.
    pub answers: Answers,
    /// The same for a table that has seen the games but has not idled.
    pub without_idling: Answers,
    /// The score of the engine that has idled against one that begins with an empty table.
    pub tally: Tally,
}

/// Answers with a table compared with answers without, for the same nodes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Answers {
    /// How many there are.
    pub count: usize,
    /// Deeper with the table, or decided only with it.
    pub deeper: usize,
    /// Less deep with it.
    pub shallower: usize,
    /// Where neither is decided: the sum of the differences in depth, and how many there are.
    gain: (i64, usize),
}

impl Answers {
    fn add(&mut self, empty: Answer, known: Answer) {
        self.count += 1;
        self.deeper += usize::from(known > empty);
        self.shallower += usize::from(known < empty);
        if !known.decided && !empty.decided {
            self.gain.0 += i64::from(known.depth - empty.depth);
            self.gain.1 += 1;
        }
    }

    /// The mean gain in plies, where neither answer is decided.
    pub fn gain(&self) -> f64 {
        if self.gain.1 == 0 { 0.0 } else { self.gain.0 as f64 / self.gain.1 as f64 }
    }
}

/// How good an answer is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Answer {
    decided: bool,
    depth: i32,
}

impl Answer {
    fn of(best: &Best) -> Answer {
        let decided = matches!(best.score(), Some(Score::Win(_)));
        let depth = best.lines.first().map_or(0, |line| line.depth);
        // A decided answer is no better for being found at a greater depth.
        Answer { decided, depth: if decided { 0 } else { depth } }
    }
}

impl IdleTest {
    /// Runs the test. Tables are kept in `folder` meanwhile. After a stop the report has what was measured so far.
    pub fn run(
        &self,
        folder: &Path,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<IdleReport, LabError> {
        let mut report = IdleReport::default();
        let mut engine = self.engine()?;
        let lines = self.play_lines(&mut engine, stop, progress)?;
        let [played, idled] = ["played.tt", "idled.tt"].map(|name| folder.join(name));
        engine.save(&played)?;
        self.idle(&mut engine, &lines, stop, &mut report, progress)?;
        engine.save(&idled)?;
        self.compare_answers(&lines, [&played, &idled], stop, &mut report, progress)?;
        self.play_match(&lines, &idled, stop, &mut report.tally, progress)?;
        Ok(report)
    }

    fn engine(&self) -> Result<Engine, EngineError> {
        Engine::new(&self.variant, &Options { hash: self.hash, ..Options::default() })
    }

    fn best(&self, engine: &mut Engine, board: &Board) -> Result<Best, EngineError> {
        let request = Request { limits: Limits::nodes(self.nodes), ..Request::new(board) };
        engine.best_move(&request, &mut |_| ())
    }

    /// Some moves of the engine from each opening. Lines whose game is over are left out.
    fn play_lines(
        &self,
        engine: &mut Engine,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Board>, LabError> {
        let (openings, mut judge) = (Openings::random(self.seed), None);
        let mut lines = Vec::new();
        for number in 0..self.openings {
            let spec = openings.get(number, &self.variant, &mut judge)?;
            let mut board = Board::at(&self.variant, &spec)?;
            for _ in 0..self.plies {
                if board.outcome().is_none() && !stop.load(Relaxed) {
                    board.play(&self.best(engine, &board)?.mv)?;
                }
            }
            progress(Progress::Played(number + 1));
            if board.outcome().is_none() {
                lines.push(board);
            }
        }
        Ok(lines)
    }

    /// Lets the engine idle after these games.
    fn idle(
        &self,
        engine: &mut Engine,
        lines: &[Board],
        stop: &AtomicBool,
        report: &mut IdleReport,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), LabError> {
        let mut improvement = engine.improvement();
        for line in lines {
            improvement.add(line, Reason::Played)?;
        }
        let began = Instant::now();
        while !report.done && !stop.load(Relaxed) {
            let enough = match self.idling {
                Idling::Steps(steps) => report.steps >= steps,
                Idling::Time(time) => began.elapsed() >= time,
            };
            if enough {
                break;
            }
            report.done = !improvement.step(&|| false);
            report.steps += u64::from(!report.done);
            progress(Progress::Idled(report.steps));
        }
        report.improved = improvement.improved();
        Ok(())
    }

    /// Answers each position with an empty table, and with each of two saved ones: before and after idling.
    fn compare_answers(
        &self,
        lines: &[Board],
        tables: [&PathBuf; 2],
        stop: &AtomicBool,
        report: &mut IdleReport,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), LabError> {
        let mut engine = self.engine()?;
        for line in lines.iter().take_while(|_| !stop.load(Relaxed)) {
            let mut answer = |table: Option<&PathBuf>| -> Result<Answer, EngineError> {
                engine.new_game();
                match table {
                    Some(path) => drop(engine.load(path)?),
                    None => engine.flush(),
                }
                Ok(Answer::of(&self.best(&mut engine, line)?))
            };
            let empty = answer(None)?;
            report.without_idling.add(empty, answer(Some(tables[0]))?);
            report.answers.add(empty, answer(Some(tables[1]))?);
            progress(Progress::Answered(report.answers.count));
        }
        Ok(())
    }

    /// Two games from the end of each line, with the colours swapped.
    fn play_match(
        &self,
        lines: &[Board],
        idled: &Path,
        stop: &AtomicBool,
        tally: &mut Tally,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), LabError> {
        let mut engines = [self.engine()?, self.engine()?];
        for line in lines {
            let mut pair = [Points::Draw; 2];
            for (points, side) in pair.iter_mut().zip([Side::First, Side::Second]) {
                engines.iter_mut().for_each(Engine::new_game);
                engines[0].load(idled)?;
                engines[1].flush();
                *points = self.play_game(&mut engines, line.clone(), side, stop)?;
                if stop.load(Relaxed) {
                    return Ok(());
                }
            }
            tally.add_pair(pair);
            progress(Progress::Games(tally.count()));
        }
        Ok(())
    }

    /// A game in which the first engine has this side; its points.
    fn play_game(
        &self,
        engines: &mut [Engine; 2],
        mut board: Board,
        side: Side,
        stop: &AtomicBool,
    ) -> Result<Points, LabError> {
        for _ in 0..LONGEST_GAME {
            if let Some(outcome) = board.outcome() {
                return Ok(match outcome.winner() {
                    Some(winner) if winner == side => Points::Win,
                    Some(_) => Points::Loss,
                    None => Points::Draw,
                });
            }
            if stop.load(Relaxed) {
                break;
            }
            let engine = &mut engines[usize::from(board.side() != side)];
            let best = self.best(engine, &board)?;
            board.play(&best.mv)?;
        }
        Ok(Points::Draw)
    }
}

/// Interrupts idle improvement so many times. Returns how long it took each time until it held still, the shortest first.
pub fn interrupt(variant: &Variant, times: usize, stop: &AtomicBool) -> Result<Vec<Duration>, LabError> {
    /// How long it works before it is interrupted: different each time, up to this.
    const WORK: u64 = 20_000;
    let thread = IdleThread::start(Share::FULL);
    let mut engine = Engine::new(variant, &Options { hash: 16, ..Options::default() })?;
    let idle = engine.start_idle(&thread);
    let mut random = polyply_core::random::Random::new(1);
    let mut taken = Vec::new();
    while taken.len() < times && !stop.load(Relaxed) && !idle.is_done() {
        std::thread::sleep(Duration::from_micros(random.scaled(WORK as usize) as u64));
        if idle.is_resting() {
            continue;
        }
        let began = Instant::now();
        let hold = thread.hold();
        while !idle.is_resting() {
            std::thread::sleep(Duration::from_micros(50));
        }
        taken.push(began.elapsed());
        drop(hold);
    }
    taken.sort();
    Ok(taken)
}
