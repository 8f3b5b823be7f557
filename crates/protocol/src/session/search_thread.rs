//! The thread that searches, so that commands are received meanwhile.

use super::SearchResult;
use super::input::Event;
use polyply_engine::{Best, Control, Engine, EngineError, Info, Limits, Player, Request};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Recursion is bounded by the longest line of a search; this is several times what it needs.
const STACK: usize = 16 << 20;

/// How long a search may run after the input has ended.
const WITHOUT_MANAGER: Duration = Duration::from_secs(60);

/// What the search thread runs: one or more searches that lead to a reply.
pub type Work<R> = Box<dyn FnOnce(&mut SearchContext<'_, R>) -> R + Send>;

/// Work for the search thread, and everything it needs.
pub struct SearchTask<R> {
    /// The engine that searches.
    pub engine: Engine,
    /// When the command arrived.
    pub received: Instant,
    /// The limits of the search.
    pub limits: Limits,
    /// When to stop at the latest.
    pub deadline: Option<Instant>,
    /// What to run.
    pub work: Work<R>,
}

struct Job<R> {
    engine: Engine,
    work: Work<R>,
    stop: Arc<AtomicBool>,
}

/// The search thread. It ends when this is dropped.
pub struct SearchThread<R> {
    jobs: Sender<Job<R>>,
}

impl<R: Send + 'static> SearchThread<R> {
    /// Starts the thread. It sends progress and results as events.
    pub fn spawn(events: Sender<Event<R>>) -> io::Result<SearchThread<R>> {
        let (jobs, inbox) = channel::<Job<R>>();
        let run = move || {
            for Job { mut engine, work, stop } in inbox {
                let mut context = SearchContext { engine: &mut engine, events: &events, stop: &stop, armed: true };
                let result = match catch_unwind(AssertUnwindSafe(|| work(&mut context))) {
                    Ok(reply) => SearchResult { engine: Some(engine), reply: Some(reply) },
                    Err(_) => SearchResult { engine: None, reply: None },
                };
                if events.send(Event::Result(Box::new(result))).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("search".into()).stack_size(STACK).spawn(run)?;
        Ok(SearchThread { jobs })
    }

    /// Starts a task.
    pub fn start_search(&self, task: SearchTask<R>) -> RunningSearch {
        let SearchTask { engine, received, limits, deadline, work } = task;
        let control = engine.control();
        // Armed before the thread begins, so that neither a stop nor a ponderhit is lost.
        control.arm(limits.ponder);
        let stop = Arc::new(AtomicBool::new(false));
        // The thread only ends before its sender if it is not needed any more.
        let _ = self.jobs.send(Job { engine, work, stop: stop.clone() });
        let counted = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
        RunningSearch { received, deadline, finite: counted && !limits.ponder, stop, control }
    }
}

/// A search that is running.
pub struct RunningSearch {
    /// When its command arrived.
    pub received: Instant,
    /// When to stop at the latest.
    pub deadline: Option<Instant>,
    /// It ends by itself, at an unknown time.
    finite: bool,
    stop: Arc<AtomicBool>,
    control: Arc<Control>,
}

impl RunningSearch {
    /// The input has ended, so no command will stop the search: it must end by itself within [`WITHOUT_MANAGER`].
    pub fn bound_without_manager(&mut self) {
        let latest = Instant::now() + WITHOUT_MANAGER;
        if self.finite {
            self.deadline = Some(self.deadline.map_or(latest, |deadline| deadline.min(latest)));
        } else if self.deadline.is_none_or(|deadline| deadline > latest) {
            self.stop();
        }
    }

    /// Stops the search within a few milliseconds.
    pub fn stop(&self) {
        self.stop.store(true, SeqCst);
        self.control.stop();
    }

    /// The opponent played the expected move: from now on the limits count.
    pub fn ponderhit(&self) {
        self.control.ponderhit();
    }
}

/// What [`Work`] may use: the engine, the stop flag and the event channel.
pub struct SearchContext<'a, R> {
    engine: &'a mut Engine,
    events: &'a Sender<Event<R>>,
    stop: &'a AtomicBool,
    /// The control is armed for the next search already: that was done when the task was started.
    armed: bool,
}

impl<R> SearchContext<'_, R> {
    /// The task was told to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(SeqCst)
    }

    /// Searches without reporting progress.
    pub fn search(&mut self, request: &Request) -> Result<Best, EngineError> {
        self.arm();
        self.engine.search(request, &mut |_| ())
    }

    /// Finds the best move and reports every iteration.
    pub fn best_move(&mut self, request: &Request) -> Result<Best, EngineError> {
        self.arm();
        let events = self.events;
        self.engine.best_move(request, &mut |info| report(events, info))
    }

    /// Finds the move to play, from the opening book if it is in use, and reports every iteration.
    pub fn play(&mut self, request: &Request) -> Result<Best, EngineError> {
        self.arm();
        let events = self.events;
        self.engine.play(request, &mut |info| report(events, info))
    }

    /// Finds a move as this player would, and reports every iteration.
    pub fn play_as(&mut self, request: &Request, player: &Player) -> Result<Best, EngineError> {
        self.arm();
        let events = self.events;
        self.engine.play_as(&request.board, player, request.limits, &mut |info| report(events, info))
    }

    /// Arms the control for the next search. If the task was stopped, that search ends at once.
    fn arm(&mut self) {
        if std::mem::take(&mut self.armed) {
            return;
        }
        let control = self.engine.control();
        control.arm(false);
        if self.stopped() {
            control.stop();
        }
    }
}

fn report<R>(events: &Sender<Event<R>>, info: &Info) {
    let _ = events.send(Event::Info(info.clone()));
}
