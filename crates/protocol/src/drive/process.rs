//! A child process that exchanges lines with us, and never outlives its [`Process`].
//!
//! Three threads read its output, write its input and log its stderr, so that nothing it does can block us. At most
//! [`QUEUE`] unread lines are kept; then the engine has to wait.

use super::{Fault, Log, Program, group};
use crate::lines::{Line, Lines};
use polyply_core::lock::lock;
use std::io::{BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How many lines may wait to be read, and how many to be written.
const QUEUE: usize = 256;
/// How many bytes of a process's stderr are logged; the rest is dropped.
const LOGGED: usize = 1 << 20;
/// How often a wait checks whether it was told to stop.
const TICK: Duration = Duration::from_millis(20);
/// How long a process may take to exit when it was told to quit.
const QUIT_GRACE: Duration = Duration::from_millis(500);
/// How many characters of its last line are quoted.
const QUOTED: usize = 80;

/// The running processes, for [`kill_all`].
static ALIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Kills every running engine: for a program that exits without unwinding.
pub fn kill_all() {
    let alive = lock(&ALIVE);
    alive.iter().for_each(|&id| group::kill(id));
}

/// A line and when it arrived.
pub struct OutputLine {
    pub text: String,
    pub at: Instant,
}

/// A child process with its pipes.
pub struct Process {
    child: Child,
    input: Option<SyncSender<String>>,
    output: Receiver<OutputLine>,
    stop: Arc<AtomicBool>,
    log: Log,
    /// The last thing it wrote, to say why it failed.
    last: String,
    reaped: bool,
}

impl Process {
    /// Starts a program in a process group of its own.
    pub fn start(program: &Program, log: &Log, stop: &Arc<AtomicBool>) -> Result<Process, Fault> {
        let failed = |error: std::io::Error| Fault::Start(format!("{}: {error}", program.command.display()));
        // A relative path starts at our working directory, not at the engine's.
        let path = match &program.folder {
            Some(_) if program.command.components().count() > 1 => program.command.canonicalize().map_err(failed)?,
            _ => program.command.clone(),
        };
        let mut command = Command::new(path);
        command.args(&program.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        group::separate(&mut command);
        let mut child = command.spawn().map_err(failed)?;
        lock(&ALIVE).push(child.id());
        let (input, to_write) = sync_channel::<String>(QUEUE);
        let (sender, output) = sync_channel::<OutputLine>(QUEUE);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stop, log, last) = (stop.clone(), log.clone(), String::new());
        let process = Process { child, input: Some(input), output, stop, log: log.clone(), last, reaped: false };
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(Fault::Start("it has no pipes".into()));
        };
        thread::spawn(move || {
            for text in to_write {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        thread::spawn(move || {
            for line in Lines::new(BufReader::new(stdout)) {
                // No protocol has answers that long.
                let Line::Text(text) = line else { continue };
                if sender.send(OutputLine { text, at: Instant::now() }).is_err() {
                    return;
                }
            }
        });
        thread::spawn(move || {
            let mut kept = 0;
            for line in Lines::new(BufReader::new(stderr)) {
                let Line::Text(text) = line else { continue };
                if kept <= LOGGED {
                    kept += text.len() + 1;
                    log.line(if kept <= LOGGED { &text } else { "(it says more than is kept)" });
                }
            }
        });
        Ok(process)
    }

    /// Sends lines. If they can't be written, the wait for the answer will report the fault.
    pub fn send(&mut self, lines: &str) {
        if let Some(input) = &self.input {
            let _ = input.try_send(format!("{lines}\n"));
        }
    }

    /// The next line.
    pub fn line(&mut self, until: Instant) -> Result<OutputLine, Fault> {
        loop {
            if self.stop.load(Relaxed) {
                return Err(Fault::Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(TICK)) {
                Ok(line) => {
                    self.last = line.text.chars().take(QUOTED).collect();
                    // An engine that writes without end is late as well.
                    return if line.at > until { Err(Fault::Late(self.last.clone())) } else { Ok(line) };
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Fault::Late(self.last.clone())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::Gone { how: self.exit_reason(), last: self.last.clone() });
                }
            }
        }
    }

    /// Reads lines until `wanted` accepts one.
    pub fn wait_for<T>(&mut self, until: Instant, mut wanted: impl FnMut(&str) -> Option<T>) -> Result<T, Fault> {
        loop {
            let line = self.line(until)?;
            if let Some(found) = wanted(line.text.trim()) {
                return Ok(found);
            }
        }
    }

    /// Discards the lines it has written unasked.
    pub fn discard_pending(&mut self) {
        for _ in 0..QUEUE {
            if self.output.try_recv().is_err() {
                return;
            }
        }
    }

    /// Sends the command to quit, and gives the process time to exit.
    pub fn quit(&mut self, word: &str) {
        self.send(word);
        self.input = None;
        let until = Instant::now() + QUIT_GRACE;
        while !group::has_ended(&mut self.child) && Instant::now() < until {
            self.discard_pending();
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// How the process ended, after it closed its output.
    fn exit_reason(&mut self) -> String {
        let until = Instant::now() + TICK;
        while !group::has_ended(&mut self.child) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        if group::has_ended(&mut self.child) { self.reap() } else { "it closed its output".into() }
    }

    /// Kills the process with its whole group. Returns how it ended.
    fn reap(&mut self) -> String {
        if !self.reaped {
            group::kill(self.child.id());
            // On systems without process groups this is all we can do.
            let _ = self.child.kill();
            self.reaped = true;
            let mut alive = lock(&ALIVE);
            alive.retain(|&id| id != self.child.id());
        }
        self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        let how = self.reap();
        self.log.line(&format!("(process {} ended: {how})", self.child.id()));
    }
}
