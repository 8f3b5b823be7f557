//! An engine that plays: a built-in one, or an external program.

use super::entrant::{Entrant, Kind, built_in};
use crate::work::Halt;
use polyply_engine::{Engine, Limits, Request, Variant};
use polyply_protocol::drive::{Driver, Fault, Log, MoveReply, MoveRequest};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the games of a thread share while they are played.
pub struct RunContext {
    /// The longest time for an engine to start up.
    pub start: Duration,
    /// Where errors of the engines are written.
    pub log: Log,
    halt: Arc<Halt>,
}

impl RunContext {
    /// The context of games that are about to begin, and which `halt` ends.
    pub fn new(start: Duration, log: Log, halt: Arc<Halt>) -> RunContext {
        RunContext { start, log, halt }
    }

    /// All games are to end.
    pub fn is_halted(&self) -> bool {
        self.halt.is_halted()
    }
}

/// An engine that plays.
pub enum RunningEngine {
    /// A built-in engine.
    BuiltIn(BuiltIn),
    /// An external program.
    Program(Driver),
}

/// A built-in engine that plays.
pub struct BuiltIn {
    /// `None` after it panicked.
    engine: Option<Box<Engine>>,
}

impl RunningEngine {
    /// Starts an entrant. The variant has its weights, see [`Entrant::variant`].
    pub fn start(entrant: &Entrant, variant: &Variant, context: &RunContext) -> Result<RunningEngine, Fault> {
        match &entrant.kind {
            Kind::BuiltIn { options, .. } => {
                let engine = built_in(variant, options).map_err(|error| Fault::Start(error.to_string()))?;
                context.halt.watch(&engine.control());
                Ok(RunningEngine::BuiltIn(BuiltIn { engine: Some(Box::new(engine)) }))
            }
            Kind::Program(program) => {
                let log = context.log.of(&entrant.name);
                Driver::start(program, context.start, &log, context.halt.flag()).map(RunningEngine::Program)
            }
        }
    }

    /// Prepares for a new game and forgets the last one.
    pub fn new_game(&mut self, variant: &Variant) -> Result<(), Fault> {
        match self {
            RunningEngine::BuiltIn(built_in) => {
                if let Some(engine) = &mut built_in.engine {
                    engine.flush();
                    engine.new_game();
                }
                Ok(())
            }
            RunningEngine::Program(driver) => driver.new_game(variant),
        }
    }

    /// Asks for a move.
    pub fn think(&mut self, question: &MoveRequest<'_>, context: &RunContext) -> Result<MoveReply, Fault> {
        match self {
            RunningEngine::BuiltIn(built_in) => search(built_in, question, context),
            RunningEngine::Program(driver) => driver.find_move(question),
        }
    }

    /// It can play another game: it has not broken down.
    pub fn is_usable(&self) -> bool {
        match self {
            RunningEngine::BuiltIn(built_in) => built_in.engine.is_some(),
            RunningEngine::Program(driver) => driver.is_usable(),
        }
    }
}

/// Searches with a built-in engine. One that panics loses the game and is not asked again.
fn search(built_in: &mut BuiltIn, question: &MoveRequest<'_>, context: &RunContext) -> Result<MoveReply, Fault> {
    let BuiltIn { engine } = built_in;
    let broke = || Fault::Gone { how: "its search broke down".into(), last: String::new() };
    let mut thinking = engine.take().ok_or_else(broke)?;
    let budget = question.budget;
    let clock = question.clock();
    let timed = budget.time.is_some() || clock.is_some();
    // A search without any limit must end at some time all the same.
    let stall = (!timed).then(|| question.until.saturating_duration_since(Instant::now()));
    let limits =
        Limits { depth: budget.depth, nodes: budget.nodes, time: budget.time.or(stall), clock, ..Limits::default() };
    let request = Request { limits, ..Request::new(question.board) };
    let control = thinking.control();
    control.arm(false);
    // `halt` sets the flag first and stops searches then, so one of the two is seen here.
    if context.is_halted() {
        control.stop();
    }
    let began = Instant::now();
    let (best, mut back) =
        catch_unwind(AssertUnwindSafe(move || (thinking.play(&request, &mut |_| ()), Some(thinking))))
            .map_err(|_| broke())?;
    std::mem::swap(engine, &mut back);
    let time = began.elapsed();
    if context.is_halted() {
        return Err(Fault::Stopped);
    }
    let best = best.map_err(|error| Fault::Refused(error.to_string()))?;
    let line = best.lines.into_iter().next();
    Ok(MoveReply {
        mv: best.mv,
        score: line.as_ref().map(|line| line.score),
        value: best.value,
        depth: line.as_ref().map(|line| line.depth),
        nodes: Some(best.nodes),
        line: line.map(|line| line.moves).unwrap_or_default(),
        time,
    })
}
