//! A run of a suite: its puzzles are tried on this machine or on others, and told in their order.

use super::{Attempt, Puzzle, attempt};
use crate::LabError;
use crate::refusals;
use crate::work::{self, Fleet, Flow, Halt, JobAbout, Place, Site, Task, Work, refuse_text_option};
use polyply_engine::{Bound, Engine, Limits, Options, Variant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How puzzles are tried.
pub struct Suite {
    variant: Variant,
    options: Options,
    /// Further options, by name.
    settings: Vec<(String, String)>,
    limits: Limits,
}

/// A suite as other machines are told of it; the puzzles come one by one.
#[derive(Serialize, Deserialize)]
pub struct SuiteTask {
    variant: String,
    threads: usize,
    hash: usize,
    settings: Vec<(String, String)>,
    nodes: Option<u64>,
    time: Option<Duration>,
}

/// A puzzle that was tried.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tried {
    /// What came out.
    pub attempt: Attempt,
    /// What the score means: `None` if it is exact, else whether the true one is at least or at most so much.
    bound: Option<bool>,
}

impl Tried {
    /// What the score means.
    pub fn bound(&self) -> Bound {
        match self.bound {
            None => Bound::Exact,
            Some(true) => Bound::AtLeast,
            Some(false) => Bound::AtMost,
        }
    }
}

impl Suite {
    /// Checks the options.
    pub fn new(
        variant: &Variant,
        options: Options,
        settings: Vec<(String, String)>,
        limits: Limits,
    ) -> Result<Suite, LabError> {
        let suite = Suite { variant: variant.clone(), options, settings, limits };
        suite.engine()?;
        Ok(suite)
    }

    fn engine(&self) -> Result<Engine, LabError> {
        let mut engine = Engine::new(&self.variant, &self.options)?;
        for (name, value) in &self.settings {
            engine.set_option(name, value)?;
        }
        Ok(engine)
    }

    /// Tries puzzles, given by their lines. `each` is called with the index of every puzzle and what came out, in their
    /// order, and says whether to go on.
    pub fn run(
        &self,
        lines: &[&str],
        place: &Place,
        stop: &AtomicBool,
        each: &mut dyn FnMut(usize, &Tried) -> Flow,
    ) -> Result<(), LabError> {
        let mut pieces = lines.iter().enumerate();
        let mut next = || Ok(pieces.next().map(|(index, line)| (index as u64, (*line).to_owned())));
        let (mut waiting, mut told) = (BTreeMap::new(), 0);
        work::run(self, place, stop, &mut next, &mut |(index, _), tried| {
            waiting.insert(index, tried);
            while let Some(tried) = waiting.remove(&told) {
                if each(told as usize, &tried) == Flow::Enough {
                    return Ok(Flow::Enough);
                }
                told += 1;
            }
            Ok(Flow::GoOn)
        })
    }
}

impl SuiteTask {
    /// The suite, as this machine tries it.
    pub(crate) fn open(self, site: &Site<'_>) -> Result<Suite, LabError> {
        let SuiteTask { variant, threads, hash, settings, nodes, time } = self;
        site.check_options(&settings)?;
        site.check_options(&[("Hash".into(), hash.to_string()), ("Threads".into(), threads.to_string())])?;
        let scaled = |time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() * site.time_scale);
        let time = time.map(scaled).transpose();
        let time = time.map_err(|error| LabError::Call(refusals::fleet_task(error.to_string())))?;
        let options = Options { threads, hash, ..Options::default() };
        Suite::new(&Variant::find(&variant)?, options, settings, Limits { nodes, time, ..Limits::default() })
    }
}

impl Work for Suite {
    /// The index of the puzzle, and its line.
    type Piece = (u64, String);
    type Done = Tried;
    type Worker = (Engine, Arc<Halt>);

    fn worker(&self, halt: &Arc<Halt>) -> Result<Self::Worker, LabError> {
        let engine = self.engine()?;
        halt.watch(&engine.control());
        Ok((engine, halt.clone()))
    }

    fn perform(&self, (engine, halt): &mut Self::Worker, (_, line): &Self::Piece) -> Result<Option<Tried>, LabError> {
        let puzzle = Puzzle::read(line, &self.variant).map_err(LabError::Call)?;
        let (attempt, best) = attempt(engine, &puzzle, self.limits)?;
        let bound = match best.lines.first().map(|line| line.bound) {
            None | Some(Bound::Exact) => None,
            Some(bound) => Some(bound == Bound::AtLeast),
        };
        // A search that was cut short is neither solved nor failed.
        Ok((!halt.is_halted()).then_some(Tried { attempt, bound }))
    }

    fn ahead(&self) -> usize {
        1
    }

    fn task(&self, _: &dyn Fleet) -> Result<Task, LabError> {
        self.settings.iter().try_for_each(|(name, _)| refuse_text_option(name))?;
        Ok(Task::Suite(SuiteTask {
            variant: self.variant.name().to_owned(),
            threads: self.options.threads,
            hash: self.options.hash,
            settings: self.settings.clone(),
            nodes: self.limits.nodes,
            time: self.limits.time,
        }))
    }

    fn about(&self) -> JobAbout {
        JobAbout {
            title: format!("{}: suite", self.variant.name()),
            game: self.variant.about().name.to_owned(),
            file: None,
            pieces: None,
            is_timed: self.limits.time.is_some(),
        }
    }

    fn number(&self, (index, _): &Self::Piece) -> u64 {
        *index
    }

    fn write_piece(&self, piece: &Self::Piece) -> String {
        serde_json::to_string(piece).unwrap_or_default()
    }

    fn read_piece(&self, text: &str) -> Result<Self::Piece, LabError> {
        serde_json::from_str(text).map_err(|error| LabError::Call(refusals::fleet_task(error.to_string())))
    }

    fn write_done(&self, _: &Self::Piece, tried: &Tried) -> String {
        serde_json::to_string(tried).unwrap_or_default()
    }

    fn read_done(&self, _: &Self::Piece, text: &str) -> Result<Tried, LabError> {
        serde_json::from_str(text).map_err(|error| LabError::Run(refusals::fleet_task(error.to_string())))
    }

    fn verdict(&self, _: &Self::Piece, tried: &Tried) -> Option<&'static str> {
        Some(if tried.attempt.solved { "solved" } else { "failed" })
    }
}
