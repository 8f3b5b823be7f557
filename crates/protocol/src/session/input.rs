//! The events of a session, and the thread that reads its input.

use super::SearchResult;
use crate::lines::{LONGEST, Line, Lines};
use polyply_core::lock::{lock, unpoisoned};
use polyply_engine::Info;
use std::io::{self, BufRead};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

/// An event.
pub enum Event<R> {
    /// A line was read.
    Line(InputLine),
    /// The input has ended.
    InputEnd,
    /// The search reports progress.
    Info(Info),
    /// The search has ended.
    Result(Box<SearchResult<R>>),
}

/// A line, and when it arrived.
pub struct InputLine {
    /// The line.
    pub line: Line,
    /// When it arrived.
    pub received: Instant,
}

impl InputLine {
    /// Parses the command in the line, or returns an error message.
    pub fn parse<C>(&self, parse: impl FnOnce(&str) -> Result<C, String>) -> Result<C, String> {
        match &self.line {
            Line::Text(text) => parse(text),
            Line::TooLong => Err(format!("a line has at most {LONGEST} bytes; this one is ignored")),
        }
    }
}

/// How many bytes of lines may wait to be handled. The rest stays in the pipe.
const CAPACITY: usize = 1 << 20;

/// Counts the bytes of lines that wait to be handled.
#[derive(Default)]
pub struct PendingInput {
    bytes: Mutex<usize>,
    changed: Condvar,
}

impl PendingInput {
    /// Waits until there is room for another line, and adds it.
    fn add(&self, line: &Line) {
        let mut bytes = lock(&self.bytes);
        while *bytes > CAPACITY {
            bytes = unpoisoned(self.changed.wait(bytes));
        }
        *bytes += size(line);
    }

    /// A line was handled.
    pub fn remove(&self, line: &Line) {
        let mut bytes = lock(&self.bytes);
        *bytes = bytes.saturating_sub(size(line));
        self.changed.notify_all();
    }

    /// No more lines will be handled: unblocks the reader.
    pub fn close(&self) {
        *lock(&self.bytes) = 0;
        self.changed.notify_all();
    }
}

fn size(line: &Line) -> usize {
    // Even an empty line takes room in the queue.
    size_of::<InputLine>() + if let Line::Text(text) = line { text.len() } else { 0 }
}

/// Reads lines in a separate thread, until the input ends or the receiver is dropped.
pub fn read_lines<R: Send + 'static>(
    input: impl BufRead + Send + 'static,
    events: Sender<Event<R>>,
) -> io::Result<Arc<PendingInput>> {
    let pending = Arc::new(PendingInput::default());
    let shared = pending.clone();
    let read = move || {
        for line in Lines::new(input) {
            let received = Instant::now();
            shared.add(&line);
            if events.send(Event::Line(InputLine { line, received })).is_err() {
                return;
            }
        }
        let _ = events.send(Event::InputEnd);
    };
    thread::Builder::new().name("reader".into()).spawn(read)?;
    Ok(pending)
}
