//! A thread that thinks about one question after the other, so that the other end is heard meanwhile.

use super::Thought;
use super::input::Event;
use polyply_engine::{Best, Control, Engine, EngineError, Info, Level, Limits, Request};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Recursion is bounded by the longest line of a search; this is several times what it needs.
const STACK: usize = 16 << 20;

/// How long a search may go on when the other end has gone.
const ALONE: Duration = Duration::from_secs(60);

/// A question, asked of whoever has the engine.
pub type Question<R> = Box<dyn FnOnce(&mut Mind<'_, R>) -> R + Send>;

/// A question with what it takes to think about it.
pub struct Errand<R> {
    /// Whoever thinks.
    pub engine: Engine,
    /// When it was asked.
    pub began: Instant,
    /// What limits the thinking.
    pub limits: Limits,
    /// When to answer at the latest.
    pub deadline: Option<Instant>,
    /// The question.
    pub question: Question<R>,
}

struct Job<R> {
    engine: Engine,
    question: Question<R>,
    stop: Arc<AtomicBool>,
}

/// The thread that thinks. It ends when this is dropped.
pub struct Thinker<R> {
    jobs: Sender<Job<R>>,
}

impl<R: Send + 'static> Thinker<R> {
    /// Starts the thread, which sends its answers as events.
    pub fn start(events: Sender<Event<R>>) -> io::Result<Thinker<R>> {
        let (jobs, inbox) = channel::<Job<R>>();
        let think = move || {
            for Job { mut engine, question, stop } in inbox {
                let mut mind = Mind { engine: &mut engine, events: &events, stop: &stop, promised: true };
                let thought = match catch_unwind(AssertUnwindSafe(|| question(&mut mind))) {
                    Ok(reply) => Thought { engine: Some(engine), reply: Some(reply) },
                    Err(_) => Thought { engine: None, reply: None },
                };
                if events.send(Event::Thought(Box::new(thought))).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("thinker".into()).stack_size(STACK).spawn(think)?;
        Ok(Thinker { jobs })
    }

    /// Begins to think.
    pub fn think(&self, errand: Errand<R>) -> Thinking {
        let Errand { engine, began, limits, deadline, question } = errand;
        let control = engine.control();
        // The promise comes before the thread takes it up, so that neither a stop nor a ponderhit is lost.
        control.arm(limits.ponder);
        let stop = Arc::new(AtomicBool::new(false));
        // The thread ends before its sender only if it was never needed again.
        let _ = self.jobs.send(Job { engine, question, stop: stop.clone() });
        let counted = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
        Thinking { began, deadline, counted: counted && !limits.ponder, stop, control }
    }
}

/// A question that is being thought about.
pub struct Thinking {
    /// When it was asked.
    pub began: Instant,
    /// When to answer at the latest.
    pub deadline: Option<Instant>,
    /// It ends by itself, though nobody knows when.
    counted: bool,
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

    /// The opponent played the expected move: from now on its limits count.
    pub fn ponderhit(&self) {
        self.control.ponderhit();
    }
}

/// The engine while it thinks about one question, which may take several searches.
pub struct Mind<'a, R> {
    engine: &'a mut Engine,
    events: &'a Sender<Event<R>>,
    stop: &'a AtomicBool,
    /// The next search is the one that was promised when the question was asked.
    promised: bool,
}

impl<R> Mind<'_, R> {
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
        self.engine.best_move(request, &mut |info: &Info| {
            let _ = events.send(Event::Info(info.clone()));
        })
    }

    /// A move as a player of a level would play it; whoever listens hears of every iteration.
    pub fn level(&mut self, request: &Request, level: &Level) -> Result<Best, EngineError> {
        self.arm();
        let events = self.events;
        self.engine.play_level(&request.board, level, request.limits, &mut |info: &Info| {
            let _ = events.send(Event::Info(info.clone()));
        })
    }

    /// Promises a search, which ends at once where all of it was told to.
    fn arm(&mut self) {
        if std::mem::take(&mut self.promised) {
            return;
        }
        let control = self.engine.control();
        control.arm(false);
        if self.stopped() {
            control.stop();
        }
    }
}
