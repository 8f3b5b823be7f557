//! What happens to a protocol: lines from the other end, and news from its own thinking.

use super::Thought;
use crate::lines::{Line, Lines};
use polyply_core::lock::{lock, unpoisoned};
use polyply_engine::Info;
use std::io::{self, BufRead};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

/// Something that happens.
pub enum Event<R> {
    /// The other end has sent a line.
    Line(Said),
    /// The other end will send no more.
    Over,
    /// The search has something to tell on its way.
    Info(Info),
    /// The answer is there.
    Thought(Box<Thought<R>>),
}

/// A line, and when it came.
pub struct Said {
    /// The line.
    pub line: Line,
    /// When it came.
    pub when: Instant,
}

/// Room for lines that wait to be answered, in bytes. More than this stays in the pipe.
const ROOM: usize = 1 << 20;

/// Counts the bytes of lines that wait.
#[derive(Default)]
pub struct Waiting {
    bytes: Mutex<usize>,
    fewer: Condvar,
}

impl Waiting {
    /// Waits until there is room for another line, and takes it.
    fn add(&self, line: &Line) {
        let mut bytes = lock(&self.bytes);
        while *bytes > ROOM {
            bytes = unpoisoned(self.fewer.wait(bytes));
        }
        *bytes += size(line);
    }

    /// A line is dealt with.
    pub fn remove(&self, line: &Line) {
        let mut bytes = lock(&self.bytes);
        *bytes = bytes.saturating_sub(size(line));
        self.fewer.notify_all();
    }

    /// Nobody deals with lines any more.
    pub fn give_up(&self) {
        *lock(&self.bytes) = 0;
        self.fewer.notify_all();
    }
}

fn size(line: &Line) -> usize {
    // Even an empty line takes room in the queue.
    size_of::<Said>() + if let Line::Text(text) = line { text.len() } else { 0 }
}

/// Reads lines in a thread of their own, until the input ends or nobody listens.
pub fn listen<R: Send + 'static>(
    input: impl BufRead + Send + 'static,
    events: Sender<Event<R>>,
) -> io::Result<Arc<Waiting>> {
    let waiting = Arc::new(Waiting::default());
    let shared = waiting.clone();
    let read = move || {
        for line in Lines::new(input) {
            let when = Instant::now();
            shared.add(&line);
            if events.send(Event::Line(Said { line, when })).is_err() {
                return;
            }
        }
        let _ = events.send(Event::Over);
    };
    thread::Builder::new().name("reader".into()).spawn(read)?;
    Ok(waiting)
}
