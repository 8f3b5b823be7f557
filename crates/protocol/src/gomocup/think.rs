//! A thread that thinks about one question after the other, so that the manager is heard meanwhile.

use super::input::Event;
use super::point::Point;
use super::time::Plan;
use polyply_engine::{Best, Control, Engine, EngineError, Info, Request};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Recursion is bounded by the longest line of a search; this is several times what it needs.
const STACK: usize = 16 << 20;

/// How long a search may go on when the manager has gone.
const ALONE: Duration = Duration::from_secs(60);

/// What the brain answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It plays or places these stones.
    Stones(Vec<Point>),
    /// It takes the other colour.
    Swap,
    /// It can't answer, for this reason.
    Refuse(String),
}

/// The end of a thought.
pub struct Thought {
    /// The engine, unless it broke.
    pub engine: Option<Engine>,
    /// The answer.
    pub reply: Reply,
}

/// A question, asked of whoever has the engine.
pub type Question = Box<dyn FnOnce(&mut Mind<'_>) -> Reply + Send>;

struct Job {
    engine: Engine,
    question: Question,
    stop: Arc<AtomicBool>,
}

/// The thread that thinks. It ends when this is dropped.
pub struct Thinker {
    jobs: Sender<Job>,
}

impl Thinker {
    /// Starts the thread, which sends its answers as events.
    pub fn start(events: Sender<Event>) -> io::Result<Thinker> {
        let (jobs, inbox) = channel::<Job>();
        let think = move || {
            for Job { mut engine, question, stop } in inbox {
                let mut mind = Mind { engine: &mut engine, events: &events, stop: &stop };
                let thought = match catch_unwind(AssertUnwindSafe(|| question(&mut mind))) {
                    Ok(reply) => Thought { engine: Some(engine), reply },
                    Err(_) => Thought { engine: None, reply: Reply::Refuse("the search broke down".into()) },
                };
                if events.send(Event::Thought(Box::new(thought))).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("thinker".into()).stack_size(STACK).spawn(think)?;
        Ok(Thinker { jobs })
    }

    /// Begins to think about a question that was asked at `began`.
    pub fn think(&self, engine: Engine, began: Instant, plan: &Plan, question: Question) -> Thinking {
        let control = engine.control();
        // The promise comes before the thread takes it up, so that a stop is not lost.
        control.arm(false);
        let stop = Arc::new(AtomicBool::new(false));
        let job = Job { engine, question, stop: stop.clone() };
        // The thread ends before its sender only if it was never needed again.
        let _ = self.jobs.send(job);
        let counted = plan.limits.depth.is_some() || plan.limits.nodes.is_some();
        Thinking { began, deadline: plan.deadline, counted, last: None, stop, control }
    }
}

/// A question that is being thought about.
pub struct Thinking {
    /// When the manager asked.
    pub began: Instant,
    /// When to answer at the latest.
    pub deadline: Option<Instant>,
    /// It has a limit of depth or nodes.
    counted: bool,
    /// The last iteration, to be told at the end.
    pub last: Option<Info>,
    stop: Arc<AtomicBool>,
    control: Arc<Control>,
}

impl Thinking {
    /// Nobody is left who could end it: what was not meant to end by itself in a while ends now.
    pub fn outlive_manager(&mut self) {
        let latest = Instant::now() + ALONE;
        if self.counted {
            self.deadline = Some(self.deadline.map_or(latest, |deadline| deadline.min(latest)));
        } else if self.deadline.is_none_or(|deadline| deadline > latest) {
            self.stop();
        }
    }

    /// Ends it within a few milliseconds.
    pub fn stop(&self) {
        self.stop.store(true, SeqCst);
        self.control.stop();
    }
}

/// The engine while it thinks about one question, which may take several searches.
pub struct Mind<'a> {
    engine: &'a mut Engine,
    events: &'a Sender<Event>,
    stop: &'a AtomicBool,
}

impl Mind<'_> {
    /// It was told to answer now.
    pub fn stopped(&self) -> bool {
        self.stop.load(SeqCst)
    }

    /// Searches, and tells nobody.
    pub fn search(&mut self, request: &Request) -> Result<Best, EngineError> {
        self.arm();
        self.engine.search(request, &mut |_| ())
    }

    /// The best move; whoever listens hears of every iteration.
    pub fn best(&mut self, request: &Request) -> Result<Best, EngineError> {
        self.arm();
        let events = self.events;
        self.engine.best_move(request, &mut |info| {
            let _ = events.send(Event::Info(info.clone()));
        })
    }

    /// Promises a search, which ends at once where all of it was told to.
    fn arm(&self) {
        let control = self.engine.control();
        control.arm(false);
        if self.stopped() {
            control.stop();
        }
    }
}
