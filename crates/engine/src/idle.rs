//! Idle improvement: a thread that deepens positions in the Search TT while nobody plays, and holds still while somebody
//! does.

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
pub struct Idea {
    /// The position.
    pub position: String,
    /// Why it is here.
    pub reason: Reason,
    /// How deep it will be searched next.
    pub depth: i32,
}

/// What the thread is told.
enum Message {
    Add(Box<Board>, Reason),
    Clear,
    Param(&'static str, i32),
    Table(Arc<SearchTt>),
}

/// What the thread and its owner share.
struct Shared {
    inbox: Mutex<Vec<Message>>,
    /// Something has changed that the thread may be waiting for.
    wake: Condvar,
    /// Live searches under way.
    holds: AtomicUsize,
    on: AtomicBool,
    over: AtomicBool,
    resting: AtomicBool,
    steps: AtomicU64,
    ideas: Mutex<Vec<Idea>>,
    control: Arc<Control>,
}

impl Shared {
    /// The thread must not search.
    fn must_rest(&self) -> bool {
        // Between the searcher's readiness to be stopped and this look, as `interrupt` has one between its two: so either
        // this sees what changed, or the stop comes after the readiness and is not lost.
        fence(SeqCst);
        self.holds.load(Relaxed) > 0 || !self.on.load(Relaxed) || self.over.load(Relaxed)
    }

    /// Ends a step under way, after `must_rest` has become true.
    fn interrupt(&self) {
        fence(SeqCst);
        self.control.stop();
    }

    /// Makes a waiting thread look again.
    fn wake(&self) {
        // The lock is taken so that a thread between its look and its sleep does not miss the call.
        drop(lock(&self.inbox));
        self.wake.notify_all();
    }
}

/// A background thread that improves the Search TT of an engine. It is switched on when it starts and ends when it is
/// dropped.
pub struct Idle {
    handle: IdleHandle,
    thread: Option<JoinHandle<()>>,
}

/// What can be asked and told of idle improvement, from any thread and while the engine searches.
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
            ideas: Mutex::default(),
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

    /// What waits in the queue, as of the last step.
    pub fn queue(&self) -> Vec<Idea> {
        lock(&self.shared.ideas).clone()
    }

    /// How many positions have been deepened so far.
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

    /// It is switched on.
    pub fn is_on(&self) -> bool {
        self.shared.on.load(Relaxed)
    }

    /// The thread sleeps: it is held or off, or there is nothing to do.
    pub fn is_resting(&self) -> bool {
        self.shared.resting.load(Relaxed)
    }

    /// A live search begins, here or in another engine on this machine: the thread holds still, within a few
    /// milliseconds and until the guard is dropped.
    pub fn hold(&self) -> Hold {
        self.shared.holds.fetch_add(1, Relaxed);
        self.shared.interrupt();
        Hold { shared: self.shared.clone() }
    }

    /// Sets a parameter of the searcher.
    pub(crate) fn set_param(&self, name: &'static str, value: i32) {
        self.send(Message::Param(name, value));
    }

    /// Improves another table from the next step on; only then the old one's memory is free.
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
            // A thread that panicked has said so itself.
            let _ = thread.join();
        }
    }
}

/// Keeps idle improvement still while it lives.
pub struct Hold {
    shared: Arc<Shared>,
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.shared.holds.fetch_sub(1, Relaxed);
        self.shared.wake();
    }
}

/// The life of the thread.
fn explore(shared: &Shared, mut explorer: Box<dyn ErasedExplorer>) {
    give_way();
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
        *lock(&shared.ideas) = explorer.ideas();
        let step = explorer.step(&|| shared.must_rest());
        done = step == Step::Idle;
        if let Step::Deepened(_) = step {
            shared.steps.fetch_add(1, Relaxed);
        }
    }
}

/// Lets every other thread of the machine go first, where the system knows how. That it can't is no harm.
fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19);
}

/// Waits until there is something to do or to be told, and takes what there is. `done` says that the queue is empty.
fn receive(shared: &Shared, done: bool) -> Vec<Message> {
    let mut inbox = lock(&shared.inbox);
    while inbox.is_empty() && (done || shared.must_rest()) && !shared.over.load(Relaxed) {
        shared.resting.store(true, Relaxed);
        inbox = unpoisoned(shared.wake.wait(inbox));
    }
    shared.resting.store(false, Relaxed);
    std::mem::take(&mut inbox)
}
