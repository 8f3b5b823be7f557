//! The engine room: one engine and one Search TT a variant, and the threads that let everybody use them in turn.
//!
//! Work comes with a [`Class`] and a client. Live moves go before analysis, and an analysis under way makes way for them:
//! its search is stopped, and it goes on later from what the table has kept. Among analyses everybody has a turn. Idle
//! improvement runs where nothing else does, and only for the variant that was used last.

mod desk;
mod queue;

pub use desk::{Desk, Opening};
pub use queue::Class;

use crate::error::ApiError;
use crate::refusals;
use polyply_core::lock::{lock, unpoisoned};
use polyply_engine::{Engine, EngineError, Hold, Variant};
use queue::Queue;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Live moves and analyses that may wait.
const LIVE_ROOM: usize = 1024;
const ANALYSIS_ROOM: usize = 128;
/// Engines that are open at a time; the one that was not used for longest is closed for another.
const OPEN_ENGINES: usize = 6;
/// An analysis has at least this long before another has its turn, and longer each time it comes back: a deep search must
/// get beyond where it was.
const TURN: Duration = Duration::from_secs(1);
const LONGEST_TURN: Duration = Duration::from_secs(8);
/// How often turns are looked at.
const TICK: Duration = Duration::from_millis(100);

/// Whether work is finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// It is.
    Done,
    /// It made way and wants to go on.
    Again,
}

/// What is done with an engine.
pub type Work = Box<dyn FnMut(&mut Engine, &Turn) -> Next + Send>;

/// What work is told about its turn.
#[derive(Clone, Default)]
pub struct Turn {
    yielded: Arc<AtomicBool>,
    cancelled: Arc<AtomicBool>,
}

impl Turn {
    /// Another one needs the engine: what was stopped is to go on later.
    pub fn makes_way(&self) -> bool {
        self.yielded.load(SeqCst) && !self.is_cancelled()
    }

    /// Nobody wants the result any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(SeqCst)
    }
}

/// Work that was handed in. It is cancelled when this is dropped.
pub struct Ticket {
    room: Arc<Shared>,
    number: u64,
    cancelled: Arc<AtomicBool>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.cancelled.store(true, SeqCst);
        let mut state = self.room.lock();
        state.queue.retain(|job| job.number != self.number);
        if let Some(running) = state.running.iter().find(|running| running.number == self.number) {
            running.stop();
        }
    }
}

struct Job {
    number: u64,
    desk: Arc<Desk>,
    work: Work,
    turn: Turn,
    turns: u32,
}

/// A job that a worker is at.
struct Running {
    number: u64,
    class: Class,
    desk: Arc<Desk>,
    turn: Turn,
    since: Instant,
    lasts: Duration,
}

impl Running {
    fn stop(&self) {
        if let Some(control) = self.desk.glass().control {
            control.stop();
        }
    }

    fn make_way(&self) {
        self.turn.yielded.store(true, SeqCst);
        self.stop();
    }
}

struct State {
    desks: HashMap<String, Arc<Desk>>,
    queue: Queue<Job>,
    running: Vec<Running>,
    /// Keeps the idle improvement of all engines still, but for the one that was used last.
    holds: Vec<Hold>,
    last_used: Option<Arc<Desk>>,
    over: bool,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    opening: Opening,
    workers: usize,
    numbers: AtomicU64,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// There is no room in the queue.
#[derive(Debug)]
pub struct Busy;

/// The engine room.
pub struct Room {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Room {
    /// A room with so many workers: that many searches run at a time.
    pub fn new(opening: Opening, workers: usize) -> Room {
        let state = State {
            desks: HashMap::new(),
            queue: Queue::new(LIVE_ROOM, ANALYSIS_ROOM),
            running: Vec::new(),
            holds: Vec::new(),
            last_used: None,
            over: false,
        };
        let (state, wake, numbers) = (Mutex::new(state), Condvar::new(), AtomicU64::new(1));
        let shared = Arc::new(Shared { state, wake, opening, workers, numbers });
        let spawn = |name: &str, life: fn(&Arc<Shared>)| {
            let shared = shared.clone();
            std::thread::Builder::new().name(name.into()).spawn(move || life(&shared)).expect("threads can be had")
        };
        let mut threads: Vec<_> = (0..workers).map(|_| spawn("engine", work)).collect();
        threads.push(spawn("turns", keep_turns));
        Room { shared, threads: Mutex::new(threads) }
    }

    /// A number that nobody else has, for a client.
    pub fn client(&self) -> u64 {
        self.shared.numbers.fetch_add(1, SeqCst)
    }

    /// The desk of a variant.
    pub fn desk(&self, variant: &Variant) -> Arc<Desk> {
        let mut state = self.shared.lock();
        let desk = state.desks.entry(variant.name().to_owned());
        desk.or_insert_with(|| Arc::new(Desk::new(variant.clone()))).clone()
    }

    /// Hands in work. It is done unless the ticket is dropped before.
    pub fn submit(&self, variant: &Variant, class: Class, client: u64, work: Work) -> Result<Ticket, Busy> {
        let desk = self.desk(variant);
        let number = self.client();
        let turn = Turn::default();
        let cancelled = turn.cancelled.clone();
        let mut state = self.shared.lock();
        let job = Job { number, desk: desk.clone(), work, turn, turns: 0 };
        state.queue.push(class, client, job).map_err(|_| {
            metrics::counter!("polyply_refused_total", "class" => class.name()).increment(1);
            Busy
        })?;
        if class == Class::Live {
            state.clear_the_way(&desk, self.shared.workers);
        }
        metrics::gauge!("polyply_waiting", "class" => class.name()).set(state.queue.waiting(class) as f64);
        drop(state);
        self.shared.wake.notify_all();
        Ok(Ticket { room: self.shared.clone(), number, cancelled })
    }

    /// Has something done with the engine of a variant and waits for it. It is done anew after it had to make way.
    pub async fn ask<T: Send + 'static>(
        &self,
        variant: &Variant,
        class: Class,
        client: u64,
        mut task: impl FnMut(&mut Engine) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (answer, answered) = oneshot::channel();
        let mut answer = Some(answer);
        let work = Box::new(move |engine: &mut Engine, turn: &Turn| {
            let done = task(engine);
            if turn.makes_way() {
                return Next::Again;
            }
            if let Some(answer) = answer.take() {
                // Where nobody waits any more the answer is not needed.
                let _ = answer.send(done);
            }
            Next::Done
        });
        let _ticket = self.submit(variant, class, client, work)?;
        Ok(answered.await.map_err(|_| ApiError::unavailable(refusals::engine_closed()))??)
    }

    /// All desks whose engine is open, and those that are busy: what runs there, and what waits by class.
    pub fn desks(&self) -> Vec<(Arc<Desk>, Option<Class>, [usize; 2])> {
        let state = self.shared.lock();
        let mut desks: Vec<_> = state
            .desks
            .values()
            .filter(|desk| desk.glass().gauge.is_some())
            .map(|desk| {
                let runs = state.running.iter().find(|running| Arc::ptr_eq(&running.desk, desk));
                let waits = [Class::Live, Class::Analysis]
                    .map(|class| state.queue.count(class, |job| Arc::ptr_eq(&job.desk, desk)));
                (desk.clone(), runs.map(|running| running.class), waits)
            })
            .collect();
        desks.sort_by(|one, other| one.0.variant.name().cmp(other.0.variant.name()));
        desks
    }

    /// Ends all work, keeps the tables in their files and ends the threads.
    pub fn close(&self) {
        let mut state = self.shared.lock();
        state.over = true;
        state.queue.retain(|_| false);
        state.running.iter().for_each(|running| {
            running.turn.cancelled.store(true, SeqCst);
            running.stop();
        });
        drop(state);
        self.shared.wake.notify_all();
        let threads = std::mem::take(&mut *lock(&self.threads));
        for thread in threads {
            // A thread that panicked has said so itself.
            let _ = thread.join();
        }
        let desks: Vec<_> = self.shared.lock().desks.values().cloned().collect();
        desks.iter().for_each(|desk| desk.close(&self.shared.opening));
    }
}

impl State {
    /// A live move has come for a desk: what is in its way makes way.
    fn clear_the_way(&mut self, desk: &Arc<Desk>, workers: usize) {
        let analysis = |running: &&Running| running.class == Class::Analysis;
        if let Some(here) = self.running.iter().find(|running| Arc::ptr_eq(&running.desk, desk)) {
            if analysis(&here) {
                here.make_way();
            }
        } else if self.running.len() >= workers
            && let Some(oldest) = self.running.iter().filter(analysis).min_by_key(|running| running.since)
        {
            oldest.make_way();
        }
    }

    /// The next job that can be done, taken out of the queue and noted as running.
    fn next(&mut self) -> Option<(Class, u64, Job)> {
        let busy: Vec<_> = self.running.iter().map(|running| running.desk.clone()).collect();
        let free = |_: Class, job: &Job| !busy.iter().any(|desk| Arc::ptr_eq(desk, &job.desk));
        let (class, client, job) = self.queue.pop(free)?;
        job.turn.yielded.store(false, SeqCst);
        // From now on a stop counts, before the search has begun.
        if let Some(control) = job.desk.glass().control {
            control.arm(false);
        }
        self.running.push(Running {
            number: job.number,
            class,
            desk: job.desk.clone(),
            turn: job.turn.clone(),
            since: Instant::now(),
            lasts: (TURN * (1 + job.turns)).min(LONGEST_TURN),
        });
        self.hold_all();
        Some((class, client, job))
    }

    /// Keeps all idle improvement still.
    fn hold_all(&mut self) {
        self.holds = self.desks.values().filter_map(|desk| Some(desk.glass().idle?.hold())).collect();
    }

    /// Lets the desk that was used last improve itself, if nothing else runs.
    fn release(&mut self) {
        if self.running.is_empty() {
            let others =
                self.desks.values().filter(|desk| !self.last_used.as_ref().is_some_and(|last| Arc::ptr_eq(last, desk)));
            self.holds = others.filter_map(|desk| Some(desk.glass().idle?.hold())).collect();
        }
    }

    /// A desk to close so that another can open, if there are too many.
    fn surplus(&mut self) -> Option<Arc<Desk>> {
        let open = |desk: &&Arc<Desk>| desk.glass().gauge.is_some();
        if self.desks.values().filter(open).count() < OPEN_ENGINES {
            return None;
        }
        let busy = |desk: &Arc<Desk>| self.running.iter().any(|running| Arc::ptr_eq(&running.desk, desk));
        let closable = self.desks.values().filter(open).filter(|desk| !busy(desk));
        closable.min_by_key(|desk| desk.glass().used).cloned()
    }
}

/// The life of a worker.
fn work(shared: &Arc<Shared>) {
    loop {
        let mut state = shared.lock();
        let (class, client, mut job) = loop {
            if state.over {
                return;
            }
            match state.next() {
                Some(next) => break next,
                None => state = unpoisoned(shared.wake.wait(state)),
            }
        };
        metrics::gauge!("polyply_waiting", "class" => class.name()).set(state.queue.waiting(class) as f64);
        let surplus = if job.desk.glass().gauge.is_none() { state.surplus() } else { None };
        drop(state);
        if let Some(desk) = surplus {
            desk.close(&shared.opening);
        }
        let desk = job.desk.clone();
        let worked = catch_unwind(AssertUnwindSafe(|| {
            desk.with(&shared.opening, |engine| {
                let next = if job.turn.is_cancelled() { Next::Done } else { (job.work)(engine, &job.turn) };
                // Where nothing was searched, the promise of a search is taken back.
                engine.control().disarm();
                next
            })
        }));
        let next = match worked {
            Ok(Ok(next)) => next,
            Ok(Err(error)) => {
                tracing::error!(variant = desk.variant.name(), %error, "the engine can't be opened");
                Next::Done
            }
            Err(_) => {
                tracing::error!(variant = desk.variant.name(), "the engine broke down and is opened anew");
                desk.discard();
                Next::Done
            }
        };
        desk.touch();
        let mut state = shared.lock();
        state.running.retain(|running| running.number != job.number);
        if next == Next::Again && !job.turn.is_cancelled() && !state.over {
            job.turns += 1;
            state.queue.put_back(class, client, job);
        }
        state.last_used = Some(desk);
        state.release();
        drop(state);
        shared.wake.notify_all();
    }
}

/// Ends the turns of analyses that others wait for.
fn keep_turns(shared: &Arc<Shared>) {
    loop {
        std::thread::sleep(TICK);
        let state = shared.lock();
        if state.over {
            return;
        }
        let full = state.running.len() >= shared.workers;
        for running in state.running.iter().filter(|running| running.class == Class::Analysis) {
            let here = |job: &Job| Arc::ptr_eq(&job.desk, &running.desk);
            let wanted = state.queue.count(Class::Analysis, |job| full || here(job)) > 0;
            if wanted && running.since.elapsed() >= running.lasts {
                running.make_way();
            }
            // A stop that came before the engine was open had nobody to hear it.
            if running.turn.is_cancelled() || running.turn.makes_way() {
                running.stop();
            }
        }
    }
}
