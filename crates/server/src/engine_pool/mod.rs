//! The engine pool: one engine with its Search TT for each variant, and the worker threads that share them out.
//!
//! Work comes with a [`Priority`] and a client. Live moves go before analysis and preempt it: the search of the
//! analysis is stopped, and later goes on from what the table has kept. Analyses take turns. Idle improvement runs only
//! while nothing else does, and only for the variant that was used last.

mod queue;
mod slot;

pub use queue::Priority;
pub use slot::{EngineSettings, EngineSlot};

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

/// How many live moves and analyses may wait.
const LIVE_CAPACITY: usize = 1024;
const ANALYSIS_CAPACITY: usize = 128;
/// How many engines are open at a time. The least recently used one is closed for another.
const OPEN_ENGINES: usize = 6;
/// How long an analysis runs before another has its turn. Each of its turns is longer than the one before, for a deep
/// search must get beyond where it was.
const TURN: Duration = Duration::from_secs(1);
const LONGEST_TURN: Duration = Duration::from_secs(8);
/// How often turns are checked.
const TICK: Duration = Duration::from_millis(100);

/// What becomes of work after its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// It is finished.
    Done,
    /// It was preempted and goes back into the queue.
    Again,
}

/// Something to do with an engine.
pub type Work = Box<dyn FnMut(&mut Engine, &Turn) -> Next + Send>;

/// What work is told about its turn.
#[derive(Clone, Default)]
pub struct Turn {
    preempted: Arc<AtomicBool>,
    cancelled: Arc<AtomicBool>,
}

impl Turn {
    /// Others need the engine: the work was stopped, and goes on later.
    pub fn is_preempted(&self) -> bool {
        self.preempted.load(SeqCst) && !self.is_cancelled()
    }

    /// Nobody wants the result any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(SeqCst)
    }
}

/// Work that was submitted. Dropping the ticket cancels the work.
pub struct Ticket {
    pool: Arc<Shared>,
    number: u64,
    cancelled: Arc<AtomicBool>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.cancelled.store(true, SeqCst);
        let mut state = self.pool.lock();
        state.queue.retain(|job| job.number != self.number);
        if let Some(running) = state.running.iter().find(|running| running.number == self.number) {
            running.stop();
        }
    }
}

struct Job {
    number: u64,
    slot: Arc<EngineSlot>,
    work: Work,
    turn: Turn,
    turns: u32,
}

/// A job that a worker is doing.
struct Running {
    number: u64,
    priority: Priority,
    slot: Arc<EngineSlot>,
    turn: Turn,
    since: Instant,
    lasts: Duration,
}

impl Running {
    fn stop(&self) {
        if let Some(control) = self.slot.status().control {
            control.stop();
        }
    }

    fn preempt(&self) {
        self.turn.preempted.store(true, SeqCst);
        self.stop();
    }
}

struct State {
    slots: HashMap<String, Arc<EngineSlot>>,
    queue: Queue<Job>,
    running: Vec<Running>,
    /// Pauses the idle improvement of all engines but the one used last.
    holds: Vec<Hold>,
    last_used: Option<Arc<EngineSlot>>,
    over: bool,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    settings: EngineSettings,
    workers: usize,
    numbers: AtomicU64,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// The queue takes no more work.
#[derive(Debug)]
pub struct QueueFull;

/// Engines that many clients share.
pub struct EnginePool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl EnginePool {
    /// A pool with so many workers: that many searches run at a time.
    pub fn new(settings: EngineSettings, workers: usize) -> EnginePool {
        let state = State {
            slots: HashMap::new(),
            queue: Queue::new(LIVE_CAPACITY, ANALYSIS_CAPACITY),
            running: Vec::new(),
            holds: Vec::new(),
            last_used: None,
            over: false,
        };
        let (state, wake, numbers) = (Mutex::new(state), Condvar::new(), AtomicU64::new(1));
        let shared = Arc::new(Shared { state, wake, settings, workers, numbers });
        let spawn = |name: &str, life: fn(&Arc<Shared>)| {
            let shared = shared.clone();
            std::thread::Builder::new().name(name.into()).spawn(move || life(&shared)).expect("threads can be had")
        };
        let mut threads: Vec<_> = (0..workers).map(|_| spawn("engine", work)).collect();
        threads.push(spawn("turns", keep_turns));
        EnginePool { shared, threads: Mutex::new(threads) }
    }

    /// A new number for a client.
    pub fn client(&self) -> u64 {
        self.shared.numbers.fetch_add(1, SeqCst)
    }

    /// The slot of a variant.
    pub fn slot(&self, variant: &Variant) -> Arc<EngineSlot> {
        let mut state = self.shared.lock();
        let slot = state.slots.entry(variant.name().to_owned());
        slot.or_insert_with(|| Arc::new(EngineSlot::new(variant.clone()))).clone()
    }

    /// Puts work into the queue. It is done unless the ticket is dropped before.
    pub fn submit(&self, variant: &Variant, priority: Priority, client: u64, work: Work) -> Result<Ticket, QueueFull> {
        let slot = self.slot(variant);
        let number = self.client();
        let turn = Turn::default();
        let cancelled = turn.cancelled.clone();
        let mut state = self.shared.lock();
        let job = Job { number, slot: slot.clone(), work, turn, turns: 0 };
        state.queue.push(priority, client, job).map_err(|_| {
            metrics::counter!("polyply_refused_total", "class" => priority.name()).increment(1);
            QueueFull
        })?;
        if priority == Priority::Live {
            state.preempt_for(&slot, self.shared.workers);
        }
        metrics::gauge!("polyply_waiting", "class" => priority.name()).set(state.queue.waiting(priority) as f64);
        drop(state);
        self.shared.wake.notify_all();
        Ok(Ticket { pool: self.shared.clone(), number, cancelled })
    }

    /// Runs a task on the engine of a variant and waits for its result. A task that was preempted runs again from the
    /// start.
    pub async fn ask<T: Send + 'static>(
        &self,
        variant: &Variant,
        priority: Priority,
        client: u64,
        mut task: impl FnMut(&mut Engine) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (answer, answered) = oneshot::channel();
        let mut answer = Some(answer);
        let work = Box::new(move |engine: &mut Engine, turn: &Turn| {
            let done = task(engine);
            if turn.is_preempted() {
                return Next::Again;
            }
            if let Some(answer) = answer.take() {
                // The client may be gone.
                let _ = answer.send(done);
            }
            Next::Done
        });
        let _ticket = self.submit(variant, priority, client, work)?;
        Ok(answered.await.map_err(|_| ApiError::unavailable(refusals::engine_closed()))??)
    }

    /// All slots whose engine is open: the priority of what runs there, and how much waits by priority.
    pub fn slots(&self) -> Vec<(Arc<EngineSlot>, Option<Priority>, [usize; 2])> {
        let state = self.shared.lock();
        let mut slots: Vec<_> = state
            .slots
            .values()
            .filter(|slot| slot.status().gauge.is_some())
            .map(|slot| {
                let runs = state.running.iter().find(|running| Arc::ptr_eq(&running.slot, slot));
                let waits = [Priority::Live, Priority::Analysis]
                    .map(|priority| state.queue.count(priority, |job| Arc::ptr_eq(&job.slot, slot)));
                (slot.clone(), runs.map(|running| running.priority), waits)
            })
            .collect();
        slots.sort_by(|one, other| one.0.variant.name().cmp(other.0.variant.name()));
        slots
    }

    /// Cancels all work, ends the threads and saves the tables.
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
            // A thread that panicked has logged that itself.
            let _ = thread.join();
        }
        let slots: Vec<_> = self.shared.lock().slots.values().cloned().collect();
        slots.iter().for_each(|slot| slot.close(&self.shared.settings));
    }
}

impl State {
    /// Preempts the analysis that keeps a live move for this slot waiting.
    fn preempt_for(&mut self, slot: &Arc<EngineSlot>, workers: usize) {
        let analysis = |running: &&Running| running.priority == Priority::Analysis;
        if let Some(here) = self.running.iter().find(|running| Arc::ptr_eq(&running.slot, slot)) {
            if analysis(&here) {
                here.preempt();
            }
        } else if self.running.len() >= workers
            && let Some(oldest) = self.running.iter().filter(analysis).min_by_key(|running| running.since)
        {
            oldest.preempt();
        }
    }

    /// Takes the next job whose engine is free out of the queue and marks it as running.
    fn next(&mut self) -> Option<(Priority, u64, Job)> {
        let busy: Vec<_> = self.running.iter().map(|running| running.slot.clone()).collect();
        let free = |_: Priority, job: &Job| !busy.iter().any(|slot| Arc::ptr_eq(slot, &job.slot));
        let (priority, client, job) = self.queue.pop(free)?;
        job.turn.preempted.store(false, SeqCst);
        // From now on a stop counts, even before the search begins.
        if let Some(control) = job.slot.status().control {
            control.arm(false);
        }
        self.running.push(Running {
            number: job.number,
            priority,
            slot: job.slot.clone(),
            turn: job.turn.clone(),
            since: Instant::now(),
            lasts: (TURN * (1 + job.turns)).min(LONGEST_TURN),
        });
        self.hold_all();
        Some((priority, client, job))
    }

    /// Pauses all idle improvement.
    fn hold_all(&mut self) {
        self.holds = self.slots.values().filter_map(|slot| Some(slot.status().idle?.hold())).collect();
    }

    /// Resumes the idle improvement of the slot used last, if nothing else runs.
    fn release(&mut self) {
        if self.running.is_empty() {
            let others =
                self.slots.values().filter(|slot| !self.last_used.as_ref().is_some_and(|last| Arc::ptr_eq(last, slot)));
            self.holds = others.filter_map(|slot| Some(slot.status().idle?.hold())).collect();
        }
    }

    /// A slot to close so that another can open, if there are too many.
    fn slot_to_close(&mut self) -> Option<Arc<EngineSlot>> {
        let open = |slot: &&Arc<EngineSlot>| slot.status().gauge.is_some();
        if self.slots.values().filter(open).count() < OPEN_ENGINES {
            return None;
        }
        let busy = |slot: &Arc<EngineSlot>| self.running.iter().any(|running| Arc::ptr_eq(&running.slot, slot));
        let closable = self.slots.values().filter(open).filter(|slot| !busy(slot));
        closable.min_by_key(|slot| slot.status().used).cloned()
    }
}

/// What a worker thread does.
fn work(shared: &Arc<Shared>) {
    loop {
        let mut state = shared.lock();
        let (priority, client, mut job) = loop {
            if state.over {
                return;
            }
            match state.next() {
                Some(next) => break next,
                None => state = unpoisoned(shared.wake.wait(state)),
            }
        };
        metrics::gauge!("polyply_waiting", "class" => priority.name()).set(state.queue.waiting(priority) as f64);
        let slot_to_close = if job.slot.status().gauge.is_none() { state.slot_to_close() } else { None };
        drop(state);
        if let Some(slot) = slot_to_close {
            slot.close(&shared.settings);
        }
        let slot = job.slot.clone();
        let worked = catch_unwind(AssertUnwindSafe(|| {
            slot.with(&shared.settings, |engine| {
                let next = if job.turn.is_cancelled() { Next::Done } else { (job.work)(engine, &job.turn) };
                // The work may not have searched at all.
                engine.control().disarm();
                next
            })
        }));
        let next = match worked {
            Ok(Ok(next)) => next,
            Ok(Err(error)) => {
                tracing::error!(variant = slot.variant.name(), %error, "the engine can't be opened");
                Next::Done
            }
            Err(_) => {
                tracing::error!(variant = slot.variant.name(), "the engine panicked and is opened anew");
                slot.discard();
                Next::Done
            }
        };
        slot.touch();
        let mut state = shared.lock();
        state.running.retain(|running| running.number != job.number);
        if next == Next::Again && !job.turn.is_cancelled() && !state.over {
            job.turns += 1;
            state.queue.put_back(priority, client, job);
        }
        state.last_used = Some(slot);
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
        for running in state.running.iter().filter(|running| running.priority == Priority::Analysis) {
            let here = |job: &Job| Arc::ptr_eq(&job.slot, &running.slot);
            let wanted = state.queue.count(Priority::Analysis, |job| full || here(job)) > 0;
            if wanted && running.since.elapsed() >= running.lasts {
                running.preempt();
            }
            // A stop before the engine was open had no effect.
            if running.turn.is_cancelled() || running.turn.is_preempted() {
                running.stop();
            }
        }
    }
}
