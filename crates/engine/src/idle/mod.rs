//! Idle improvement: a thread that deepens likely positions in the Search TTs of engines while nobody plays.
//!
//! One [`IdleThread`] serves all engines of a process. It is a guest on the machine: it runs at the lowest priority, takes
//! a [`Share`] of one processor, does nothing on battery, stops within milliseconds when a search begins, and sleeps when
//! everything likely is as deep as it deserves.

mod inbox;
mod pace;
mod power;
mod thread;

pub use pace::Share;
pub use thread::{Hold, IdleThread};

use inbox::Message;
use polyply_core::control::Control;
use polyply_core::frontier::Reason;
use polyply_core::idle::Step;
use polyply_core::lock::lock;
use polyply_core::table::SearchTt;
use polyply_games::{Board, EngineError, QueuedPosition, erased::ErasedImprover};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use thread::Member;

/// Idle improvement of an engine's Search TT step by step, on the caller's thread, for measurements.
pub struct Improvement {
    improver: Box<dyn ErasedImprover>,
}

impl Improvement {
    pub(crate) fn new(improver: Box<dyn ErasedImprover>) -> Improvement {
        Improvement { improver }
    }

    /// Adds a position that matters.
    pub fn add(&mut self, board: &Board, reason: Reason) -> Result<(), EngineError> {
        self.improver.add(board.position(), board.spec().clone(), reason)
    }

    /// Does a step; false if everything likely is as deep as it deserves. Does nothing if `stop` says so.
    pub fn step(&mut self, stop: &dyn Fn() -> bool) -> bool {
        self.improver.step(stop) != Step::Rest
    }

    /// The handle by which other threads stop a step.
    pub fn control(&self) -> Arc<Control> {
        self.improver.control()
    }

    /// The positions that come next.
    pub fn queue(&self, most: usize) -> Vec<QueuedPosition> {
        self.improver.queue(most)
    }

    /// How many positions were improved.
    pub fn improved(&self) -> usize {
        self.improver.improved()
    }
}

/// The idle improvement of one engine. It ends when it is dropped.
pub struct Idle {
    handle: IdleHandle,
}

/// A handle to the idle improvement of one engine, usable from any thread and while the engine searches.
#[derive(Clone)]
pub struct IdleHandle {
    thread: IdleThread,
    member: Arc<Member>,
}

impl Deref for Idle {
    type Target = IdleHandle;

    fn deref(&self) -> &IdleHandle {
        &self.handle
    }
}

impl Idle {
    /// Hands an improver to the thread.
    pub(crate) fn start(thread: &IdleThread, improver: Box<dyn ErasedImprover>) -> Idle {
        Idle { handle: IdleHandle { thread: thread.clone(), member: thread.join(improver) } }
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        self.handle.thread.leave(&self.handle.member);
    }
}

impl IdleHandle {
    /// Adds a position that matters.
    pub fn add(&self, board: &Board, reason: Reason) {
        self.send(Message::Add(Box::new(board.clone()), reason));
    }

    /// Forgets all positions.
    pub fn clear(&self) {
        self.send(Message::Clear);
    }

    /// The positions that come next, as of the last step.
    pub fn queue(&self) -> Vec<QueuedPosition> {
        lock(&self.member.queue).clone()
    }

    /// The number of steps so far: searches of a bounded number of nodes.
    pub fn steps(&self) -> u64 {
        self.member.steps.load(Relaxed)
    }

    /// The number of positions that were improved, as of the last step.
    pub fn improved(&self) -> usize {
        self.member.improved.load(Relaxed)
    }

    /// Switches it on or off for this engine. The queue stays.
    pub fn set_on(&self, on: bool) {
        self.member.on.store(on, Relaxed);
        self.thread.notice();
    }

    /// Whether it is switched on for this engine.
    pub fn is_on(&self) -> bool {
        self.member.on.load(Relaxed)
    }

    /// Whether the thread does nothing for this engine: it is paused or off, has nothing to do, or works for another
    /// engine.
    pub fn is_resting(&self) -> bool {
        self.thread.is_resting_for(&self.member)
    }

    /// Whether everything likely is as deep as it deserves.
    pub fn is_done(&self) -> bool {
        self.member.done.load(Relaxed) && self.is_resting()
    }

    /// Pauses the thread within milliseconds, until the guard is dropped: a search begins.
    pub fn hold(&self) -> Hold {
        self.thread.hold()
    }

    /// Sets a parameter of the searcher.
    pub(crate) fn set_param(&self, name: &'static str, value: i32) {
        self.send(Message::Param(name, value));
    }

    /// Switches to another table at the next step. Only then is the memory of the old one freed.
    pub(crate) fn set_table(&self, table: Arc<SearchTt>) {
        self.send(Message::Table(table));
    }

    /// The table has forgotten everything.
    pub(crate) fn begin_anew(&self) {
        self.send(Message::BeginAnew);
    }

    fn send(&self, message: Message) {
        lock(&self.member.inbox).push(message);
        self.thread.notice_use_of(&self.member);
    }
}
