//! Idle improvement: a thread that deepens positions in the Search TT while nobody plays, and pauses while a search
//! runs.

use crate::board::Board;
use crate::erased::ErasedExplorer;
use polyply_core::control::Control;
use polyply_core::explore::{Reason, Step};
use polyply_core::lock::{lock, unpoisoned};
use polyply_core::table::SearchTt;
use std::ops::Deref;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, fence};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

/// A position in the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct QueuedPosition {
    /// The position.
    pub position: String,
    /// Why it is in the queue.
    pub reason: Reason,
    /// The depth of its next search.
    pub depth: i32,
}

/// A message to the thread.
enum Message {
    Add(Box<Board>, Reason),
    Clear,
    Param(&'static str, i32),
    Table(Arc<SearchTt>),
}

/// What the thread and its owner share.
struct Shared {
    inbox: Mutex<Vec<Message>>,
    /// Signals a change that the thread may be waiting for.
    wake: Condvar,
    /// The number of searches that are running.
    holds: AtomicUsize,
    on: AtomicBool,
    over: AtomicBool,
    resting: AtomicBool,
    steps: AtomicU64,
    queue: Mutex<Vec<QueuedPosition>>,
    control: Arc<Control>,
}

impl Shared {
    /// Whether the thread must pause.
    fn must_rest(&self) -> bool {
        // This fence is between arming the searcher and reading the flags; the one in `interrupt` is between setting a
        // flag and stopping. So either this sees the flag, or the stop comes after the arming and is not lost.
        fence(SeqCst);
        self.holds.load(Relaxed) > 0 || !self.on.load(Relaxed) || self.over.load(Relaxed)
    }

    /// Ends a running step, after `must_rest` has become true.
    fn interrupt(&self) {
        fence(SeqCst);
        self.control.stop();
    }

    /// Wakes the thread if it waits.
    fn wake(&self) {
        // Taking the lock ensures that a thread between its check and its wait does not miss the signal.
        drop(lock(&self.inbox));
        self.wake.notify_all();
    }
}

/// A background thread that improves the Search TT of an engine. It starts switched on and ends when it is dropped.
pub struct Idle {
    handle: IdleHandle,
    thread: Option<JoinHandle<()>>,
}

/// A handle to idle improvement, usable from any thread and while the engine searches.
#[derive(Clone)]
pub struct IdleHandle {
    shared: Arc<Shared>,
}

impl Deref for Idle {
    type Target = IdleHandle;

    fn deref(&self) -> &IdleHandle {
        &self.handle
    }
}

impl Idle {
    /// Starts the thread.
    pub(crate) fn start(explorer: Box<dyn ErasedExplorer>) -> Idle {
        let shared = Arc::new(Shared {
            inbox: Mutex::default(),
            wake: Condvar::new(),
            holds: AtomicUsize::new(0),
            on: AtomicBool::new(true),
            over: AtomicBool::new(false),
            resting: AtomicBool::new(false),
            steps: AtomicU64::new(0),
            queue: Mutex::default(),
            control: explorer.control(),
        });
        let thread = std::thread::spawn({
            let shared = shared.clone();
            move || explore(&shared, explorer)
        });
        Idle { handle: IdleHandle { shared }, thread: Some(thread) }
    }
}

impl IdleHandle {
    /// Adds a position to the queue.
    pub fn add(&self, board: &Board, reason: Reason) {
        self.send(Message::Add(Box::new(board.clone()), reason));
    }

    /// Empties the queue.
    pub fn clear(&self) {
        self.send(Message::Clear);
    }

    /// The queue, as of the last step.
    pub fn queue(&self) -> Vec<QueuedPosition> {
        lock(&self.shared.queue).clone()
    }

    /// The number of positions deepened so far.
    pub fn steps(&self) -> u64 {
        self.shared.steps.load(Relaxed)
    }

    /// Switches it on or off. The queue stays.
    pub fn set_on(&self, on: bool) {
        self.shared.on.store(on, Relaxed);
        if !on {
            self.shared.interrupt();
        }
        self.shared.wake();
    }

    /// Whether it is switched on.
    pub fn is_on(&self) -> bool {
        self.shared.on.load(Relaxed)
    }

    /// Whether the thread sleeps: it is paused or off, or has nothing to do.
    pub fn is_resting(&self) -> bool {
        self.shared.resting.load(Relaxed)
    }

    /// Pauses the thread within a few milliseconds, until the guard is dropped: a search begins, in this engine or in
    /// another one on this machine.
    pub fn hold(&self) -> Hold {
        self.shared.holds.fetch_add(1, Relaxed);
        self.shared.interrupt();
        Hold { shared: self.shared.clone() }
    }

    /// Sets a parameter of the searcher.
    pub(crate) fn set_param(&self, name: &'static str, value: i32) {
        self.send(Message::Param(name, value));
    }

    /// Switches to another table at the next step. Only then is the memory of the old one freed.
    pub(crate) fn set_table(&self, table: Arc<SearchTt>) {
        self.send(Message::Table(table));
    }

    fn send(&self, message: Message) {
        lock(&self.shared.inbox).push(message);
        self.shared.wake.notify_all();
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        self.shared.over.store(true, Relaxed);
        self.shared.interrupt();
        self.shared.wake();
        if let Some(thread) = self.thread.take() {
            // A panic was reported by the thread itself.
            let _ = thread.join();
        }
    }
}

/// Pauses idle improvement until it is dropped.
pub struct Hold {
    shared: Arc<Shared>,
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.shared.holds.fetch_sub(1, Relaxed);
        self.shared.wake();
    }
}

/// The main loop of the thread.
fn explore(shared: &Shared, mut explorer: Box<dyn ErasedExplorer>) {
    lower_priority();
    let mut done = true;
    while !shared.over.load(Relaxed) {
        for message in receive(shared, done) {
            match message {
                Message::Add(board, reason) => {
                    let added = explorer.add(board.position(), reason);
                    debug_assert!(added.is_ok(), "the board is of the game that the engine plays");
                }
                Message::Clear => explorer.clear(),
                Message::Param(name, value) => {
                    let set = explorer.set_param(name, value);
                    debug_assert_eq!(set, Ok(()), "the live searcher has taken it");
                }
                Message::Table(table) => explorer.set_table(table),
            }
        }
        *lock(&shared.queue) = explorer.queue();
        let step = explorer.step(&|| shared.must_rest());
        done = step == Step::Idle;
        if let Step::Deepened(_) = step {
            shared.steps.fetch_add(1, Relaxed);
        }
    }
}

/// Gives the thread the lowest priority, if the system supports it. A failure does no harm.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19);
}

/// Waits until there is a message or something to do, and takes all messages. `done` means that the queue is empty.
fn receive(shared: &Shared, done: bool) -> Vec<Message> {
    let mut inbox = lock(&shared.inbox);
    while inbox.is_empty() && (done || shared.must_rest()) && !shared.over.load(Relaxed) {
        shared.resting.store(true, Relaxed);
        inbox = unpoisoned(shared.wake.wait(inbox));
    }
    shared.resting.store(false, Relaxed);
    std::mem::take(&mut inbox)
}
