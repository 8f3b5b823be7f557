//! The engine pool: one engine with its Search TT for each variant, and the worker threads that share them out.
//!
//! Work comes with a [`Priority`] and from a [`Peer`]. Each class has its share of the time (`ledger`), and the peers of a
//! class take turns. Work that others have a better claim than is preempted: its search is stopped, and later goes on from
//! what the table has kept. Idle improvement runs only while nothing else does, on one thread for all engines.

mod ledger;
mod queue;
mod slot;

pub use queue::{Priority, QueueFull};
pub use slot::{ENGINE_BYTES, EngineSettings, EngineSlot};

use crate::error::ApiError;
use crate::peer::Peer;
use crate::priority;
use crate::refusals;
use ledger::Ledger;
use polyply_core::lock::{lock, unpoisoned};
use polyply_engine::{Engine, EngineError, Hold, IdleThread, Variant};
use queue::Queue;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How many live moves, analyses and moves of games between engines may wait.
const CAPACITY: [usize; 3] = [4096, 128, 128];
/// By how much workers are less urgent than the threads that answer requests.
const PRIORITY_STEPS: i32 = 5;
/// How many variants are remembered whose engine is not open.
const CLOSED_SLOTS: usize = 256;
/// How long a search runs before another of its class has its turn. Each of its turns is longer than the one before, for a
/// deep search must get beyond where it was.
const TURN: Duration = Duration::from_secs(1);
const LONGEST_TURN: Duration = Duration::from_secs(8);
/// How often turns are checked.
const TICK: Duration = Duration::from_millis(50);

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
    /// What the engine takes after the work, if that is more than before.
    needs: usize,
    work: Work,
    turn: Turn,
    turns: u32,
}

impl Job {
    /// The memory that must be there for it.
    fn bytes(&self) -> usize {
        self.slot.bytes().max(self.needs)
    }
}

/// A job that a worker is doing.
struct Running {
    number: u64,
    priority: Priority,
    client: u64,
    slot: Arc<EngineSlot>,
    turn: Turn,
    since: Instant,
    lasts: Duration,
    /// Until when its time was charged.
    charged: Instant,
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
    ledger: Ledger,
    /// The slots that have memory for their engine. A slot is admitted before its engine opens, and its engine opens only
    /// after those that make room for it were closed.
    open: Vec<Arc<EngineSlot>>,
    /// Bytes for all engines together, and how many of them are set aside for engines outside the pool.
    memory: usize,
    reserved: usize,
    /// Pauses idle improvement while anything runs.
    hold: Option<Hold>,
    over: bool,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    settings: EngineSettings,
    idle: IdleThread,
    workers: usize,
    numbers: AtomicU64,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// Memory that is set aside for engines outside the pool, until it is dropped.
pub struct Reservation {
    pool: Arc<Shared>,
    bytes: usize,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.pool.lock().reserved -= self.bytes;
        self.pool.wake.notify_all();
    }
}

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
            queue: Queue::new(CAPACITY),
            running: Vec::new(),
            ledger: Ledger::default(),
            open: Vec::new(),
            memory: settings.memory,
            reserved: 0,
            hold: None,
            over: false,
        };
        let (state, wake, numbers) = (Mutex::new(state), Condvar::new(), AtomicU64::new(1));
        let idle = IdleThread::start(settings.idle);
        let shared = Arc::new(Shared { state, wake, settings, idle, workers, numbers });
        let spawn = |name: &str, life: fn(&Arc<Shared>)| {
            let shared = shared.clone();
            std::thread::Builder::new().name(name.into()).spawn(move || life(&shared)).expect("threads can be had")
        };
        let mut threads: Vec<_> = (0..workers).map(|_| spawn("engine", work)).collect();
        threads.push(spawn("turns", keep_turns));
        threads.push(spawn("snapshots", keep_snapshots));
        EnginePool { shared, threads: Mutex::new(threads) }
    }

    /// The slot of a variant.
    pub fn slot(&self, variant: &Variant) -> Arc<EngineSlot> {
        let mut state = self.shared.lock();
        if state.slots.len() >= CLOSED_SLOTS + state.open.len() && !state.slots.contains_key(variant.name()) {
            // Slots that nobody else holds have no engine and no work.
            state.slots.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        let slot = state.slots.entry(variant.name().to_owned());
        slot.or_insert_with(|| Arc::new(EngineSlot::new(variant.clone(), &self.shared.settings))).clone()
    }

    /// Something of this priority waits for a thread already.
    pub fn is_crowded(&self, priority: Priority) -> bool {
        self.shared.lock().queue.waiting(priority) > 0
    }

    /// How engines are opened.
    pub fn settings(&self) -> &EngineSettings {
        &self.shared.settings
    }

    /// Puts work into the queue. It is done unless the ticket is dropped before.
    pub fn submit(&self, variant: &Variant, priority: Priority, peer: Peer, work: Work) -> Result<Ticket, QueueFull> {
        self.submit_growing(variant, priority, peer, 0, work)
    }

    /// The same for work after which the engine takes this much memory.
    fn submit_growing(
        &self,
        variant: &Variant,
        priority: Priority,
        peer: Peer,
        needs: usize,
        work: Work,
    ) -> Result<Ticket, QueueFull> {
        let slot = self.slot(variant);
        let number = self.shared.numbers.fetch_add(1, SeqCst);
        let turn = Turn::default();
        let cancelled = turn.cancelled.clone();
        let mut state = self.shared.lock();
        if !state.is_active(priority) {
            let State { ledger, queue, running, .. } = &mut *state;
            ledger.join(priority, |class| is_active(queue, running, class));
        }
        let job = Job { number, slot, needs, work, turn, turns: 0 };
        state.queue.push(priority, peer.number(), peer.waiting(priority), job).inspect_err(|_| {
            metrics::counter!("polyply_refused_total", "class" => priority.name()).increment(1);
        })?;
        state.end_turns(self.shared.workers);
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
        peer: Peer,
        task: impl FnMut(&mut Engine) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.ask_growing(variant, priority, peer, 0, task).await
    }

    /// The same for a task after which the engine takes this much memory.
    pub async fn ask_growing<T: Send + 'static>(
        &self,
        variant: &Variant,
        priority: Priority,
        peer: Peer,
        needs: usize,
        mut task: impl FnMut(&mut Engine) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (answer, answered) = oneshot::channel();
        let mut answer = Some(answer);
        let work = Box::new(move |engine: &mut Engine, turn: &Turn| {
            let done = task(engine);
            if turn.is_preempted() {
                return Next::Again;
            }
            // What was stopped in the middle is no answer.
            if turn.is_cancelled() {
                return Next::Done;
            }
            if let Some(answer) = answer.take() {
                // The client may be gone.
                let _ = answer.send(done);
            }
            Next::Done
        });
        let _ticket = self.submit_growing(variant, priority, peer, needs, work)?;
        Ok(answered.await.map_err(|_| ApiError::unavailable(refusals::engine_closed()))??)
    }

    /// Sets memory aside for engines that are not of the pool. Engines that nobody uses are closed for it; what is busy
    /// stays, and so does room for one engine, so that somebody can always play. Closing saves tables, which takes a while.
    pub fn reserve(&self, bytes: usize) -> Result<Reservation, ApiError> {
        let settings = &self.shared.settings;
        let mut state = self.shared.lock();
        let busy = state.busy();
        let kept = busy.iter().map(|slot| slot.bytes()).sum::<usize>().max(settings.largest_engine_bytes());
        let left = state.room().saturating_sub(kept);
        if bytes > left {
            return Err(ApiError::unavailable(refusals::engine_memory(bytes.div_ceil(1 << 20), left >> 20)));
        }
        state.reserved += bytes;
        let to_close = state.make_room(&busy);
        drop(state);
        to_close.iter().for_each(|slot| slot.close(settings));
        Ok(Reservation { pool: self.shared.clone(), bytes })
    }

    /// The memory that is set aside for engines outside the pool.
    pub fn reserved(&self) -> usize {
        self.shared.lock().reserved
    }

    /// The thread of idle improvement.
    pub fn idle(&self) -> &IdleThread {
        &self.shared.idle
    }

    /// All slots whose engine is open: the priority of what runs there, and how much waits by priority.
    pub fn slots(&self) -> Vec<(Arc<EngineSlot>, Option<Priority>, [usize; 3])> {
        let state = self.shared.lock();
        let mut slots: Vec<_> = state
            .slots
            .values()
            .filter(|slot| slot.status().gauge.is_some())
            .map(|slot| {
                let runs = state.running.iter().find(|running| Arc::ptr_eq(&running.slot, slot));
                let waits =
                    Priority::ALL.map(|priority| state.queue.count(priority, |_, job| Arc::ptr_eq(&job.slot, slot)));
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
        let slots = std::mem::take(&mut self.shared.lock().open);
        slots.iter().for_each(|slot| slot.close(&self.shared.settings));
    }
}

impl State {
    /// Work of a class runs or waits.
    fn is_active(&self, class: Priority) -> bool {
        is_active(&self.queue, &self.running, class)
    }

    /// Bytes for the engines of the pool.
    fn room(&self) -> usize {
        self.memory.saturating_sub(self.reserved)
    }

    /// The slots whose engines are working.
    fn busy(&self) -> Vec<Arc<EngineSlot>> {
        self.running.iter().map(|running| running.slot.clone()).collect()
    }

    /// Charges the classes for what runs.
    fn charge(&mut self) {
        let now = Instant::now();
        for running in &mut self.running {
            self.ledger.charge(running.priority, now - running.charged);
            running.charged = now;
        }
    }

    /// Something that waits has a better claim than what runs: a class that comes before it, at once if it is more urgent,
    /// and else when the turn is over; or another client of its class, when the turn is over. Analyses, which may have no
    /// end, also give way to others of the same client.
    fn is_claimed(&self, running: &Running, waits: impl Fn(&Job) -> bool) -> bool {
        let over = running.since.elapsed() >= running.lasts;
        Priority::ALL.into_iter().any(|class| {
            let same = class == running.priority;
            let before = same || self.ledger.is_before(class, running.priority);
            let other = |client| !same || class == Priority::Analysis || client != running.client;
            let due = over || class < running.priority;
            before && due && self.queue.count(class, |client, job| other(client) && waits(job)) > 0
        })
    }

    /// Ends turns that others have a better claim than: those on the engine that is wanted, and where no worker or no memory
    /// is free, the longest of the others.
    fn end_turns(&mut self, workers: usize) {
        self.charge();
        let here = |running: &Running| {
            let slot = running.slot.clone();
            move |job: &Job| Arc::ptr_eq(&job.slot, &slot)
        };
        for running in &self.running {
            if !running.turn.is_preempted() && self.is_claimed(running, here(running)) {
                running.preempt();
            }
        }
        if self.running.iter().any(|running| running.turn.is_preempted()) {
            return;
        }
        let full = self.running.len() >= workers;
        let used: usize = self.running.iter().map(|running| running.slot.bytes()).sum();
        let room = self.room();
        let kept_out = |job: &Job| full || used + job.bytes() > room;
        let claimed = self.running.iter().filter(|running| self.is_claimed(running, kept_out));
        if let Some(oldest) = claimed.min_by_key(|running| running.since) {
            oldest.preempt();
        }
    }

    /// Takes the next job whose engine is free, and fits into the memory, out of the queue and marks it as running. The
    /// slots that come with it must be closed first.
    fn next(&mut self) -> Option<(Priority, u64, Job, Vec<Arc<EngineSlot>>)> {
        let (mut busy, room) = (self.busy(), self.room());
        let used: usize = busy.iter().map(|slot| slot.bytes()).sum();
        let free = |job: &Job| {
            let fits = busy.is_empty() || used + job.bytes() <= room;
            fits && !busy.iter().any(|slot| Arc::ptr_eq(slot, &job.slot))
        };
        self.charge();
        let (priority, client, job) = self.queue.pop(self.ledger.order(), free)?;
        // Nothing else is done with this engine until the work is over.
        job.slot.expect_bytes(job.needs);
        if !self.open.iter().any(|open| Arc::ptr_eq(open, &job.slot)) {
            self.open.push(job.slot.clone());
        }
        busy.push(job.slot.clone());
        let to_close = self.make_room(&busy);
        job.turn.preempted.store(false, SeqCst);
        // From now on a stop counts, even before the search begins.
        if let Some(control) = job.slot.status().control {
            control.arm(false);
        }
        self.running.push(Running {
            number: job.number,
            priority,
            client,
            slot: job.slot.clone(),
            turn: job.turn.clone(),
            since: Instant::now(),
            charged: Instant::now(),
            lasts: (TURN * (1 + job.turns)).min(LONGEST_TURN),
        });
        Some((priority, client, job, to_close))
    }

    /// Returns the slots whose engines must be closed so that the others fit into the memory, the least recently used
    /// first. Those that are busy stay.
    fn make_room(&mut self, busy: &[Arc<EngineSlot>]) -> Vec<Arc<EngineSlot>> {
        let mut to_close = Vec::new();
        while self.open.iter().map(|open| open.bytes()).sum::<usize>() > self.room() {
            let closable = |open: &&Arc<EngineSlot>| !busy.iter().any(|busy| Arc::ptr_eq(open, busy));
            let least = self.open.iter().filter(closable).min_by_key(|open| open.status().used).cloned();
            let Some(least) = least else { break };
            self.open.retain(|open| !Arc::ptr_eq(open, &least));
            to_close.push(least);
        }
        to_close
    }
}

/// What a worker thread does.
fn work(shared: &Arc<Shared>) {
    priority::lower(PRIORITY_STEPS);
    loop {
        let mut state = shared.lock();
        let (priority, client, mut job, to_close) = loop {
            if state.over {
                return;
            }
            match state.next() {
                Some(next) => {
                    state.hold.get_or_insert_with(|| shared.idle.hold());
                    break next;
                }
                None => state = unpoisoned(shared.wake.wait(state)),
            }
        };
        metrics::gauge!("polyply_waiting", "class" => priority.name()).set(state.queue.waiting(priority) as f64);
        drop(state);
        to_close.iter().for_each(|slot| slot.close(&shared.settings));
        let slot = job.slot.clone();
        let worked = catch_unwind(AssertUnwindSafe(|| {
            slot.with(&shared.settings, &shared.idle, |engine| {
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
                slot.discard(&shared.settings);
                Next::Done
            }
        };
        slot.touch();
        let mut state = shared.lock();
        state.charge();
        state.running.retain(|running| running.number != job.number);
        if next == Next::Again && !job.turn.is_cancelled() && !state.over {
            job.turns += 1;
            state.queue.put_back(priority, client, job);
        }
        if state.running.is_empty() {
            state.hold = None;
        }
        drop(state);
        shared.wake.notify_all();
    }
}

/// Saves the tables of open engines from time to time, so that a server that is killed loses little.
fn keep_snapshots(shared: &Arc<Shared>) {
    let mut state = shared.lock();
    let mut saved = Instant::now();
    while !state.over {
        let left = shared.settings.save_every.saturating_sub(saved.elapsed());
        if !left.is_zero() {
            state = unpoisoned(shared.wake.wait_timeout(state, left)).0;
            continue;
        }
        let slots = state.open.clone();
        drop(state);
        slots.iter().for_each(|slot| slot.save(&shared.settings));
        saved = Instant::now();
        state = shared.lock();
    }
}

/// Ends turns when they are over and others wait.
fn keep_turns(shared: &Arc<Shared>) {
    loop {
        std::thread::sleep(TICK);
        let mut state = shared.lock();
        if state.over {
            return;
        }
        state.end_turns(shared.workers);
        // A stop before the engine was open had no effect.
        let stopped = |running: &&Running| running.turn.is_cancelled() || running.turn.is_preempted();
        state.running.iter().filter(stopped).for_each(Running::stop);
    }
}

/// Work of a class runs or waits.
fn is_active(queue: &Queue<Job>, running: &[Running], class: Priority) -> bool {
    queue.waiting(class) > 0 || running.iter().any(|running| running.priority == class)
}
