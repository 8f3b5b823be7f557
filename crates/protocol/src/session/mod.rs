//! What all protocols have in common: reading commands while the engine searches.
//!
//! Three threads take part. One reads lines (`input`), so that commands are received at any time. One searches
//! (`search_thread`). The thread that called [`run`] does everything else: it passes each event to a [`Handler`], and
//! only the handler knows the game and writes output.

mod input;
mod search_thread;

pub use input::InputLine;
pub use search_thread::{RunningSearch, SearchContext, SearchTask, Work};

use crate::lines::Line;
use input::{Event, PendingInput, read_lines};
use polyply_engine::{Engine, Info};
use search_thread::SearchThread;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long to wait for the end of the input after a quit command during a search. A manager keeps the pipe open until
/// the engine has exited, so the engine exits at once and silently. If the input ends right after the quit command, the
/// input is a script, and every command before it must still be answered.
const SCRIPT_GRACE: Duration = Duration::from_millis(50);

/// How long a stopped search may take to end before we exit without it.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// The longest error message, in characters.
const LONGEST_MESSAGE: usize = 300;

/// Whether the session continues.
pub type Flow = io::Result<ControlFlow<()>>;
/// The session continues.
pub const CONTINUE: Flow = Ok(ControlFlow::Continue(()));
/// The session ends.
pub const QUIT: Flow = Ok(ControlFlow::Break(()));

/// The engine side of a protocol: how it reacts to each event.
pub trait Handler {
    /// What a search task returns.
    type Reply: Send + 'static;

    /// A line arrived while no search is running.
    fn on_line(&mut self, line: &InputLine, session: &mut Session<Self::Reply>) -> Flow;

    /// A line arrived while a search is running.
    fn on_line_during_search(&mut self, line: &str, session: &mut Session<Self::Reply>) -> io::Result<LineStatus>;

    /// The search reports progress.
    fn on_info(&mut self, info: Info) -> io::Result<()>;

    /// The search has ended.
    fn on_result(&mut self, result: SearchResult<Self::Reply>, search: RunningSearch) -> io::Result<()>;

    /// The input has ended, and every command was answered.
    fn on_input_end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What happens to a line that arrived during a search.
pub enum LineStatus {
    /// It was handled.
    Handled,
    /// It waits until the search has ended.
    Deferred,
    /// It ends the session.
    Quit,
}

/// The end of a search task.
pub struct SearchResult<R> {
    /// The engine, unless the search panicked.
    pub engine: Option<Engine>,
    /// The reply, unless the search panicked.
    pub reply: Option<R>,
}

/// The state of a session that a handler may use: the search thread and the lines that wait.
pub struct Session<R> {
    search_thread: SearchThread<R>,
    search: Option<RunningSearch>,
    queue: VecDeque<InputLine>,
    /// The input has ended.
    input_ended: bool,
}

impl<R: Send + 'static> Session<R> {
    /// Starts a search.
    pub fn start_search(&mut self, task: SearchTask<R>) {
        let mut search = self.search_thread.start_search(task);
        if self.input_ended {
            search.bound_without_manager();
        }
        self.search = Some(search);
    }

    /// The search that is running, if any.
    pub fn search(&mut self) -> Option<&mut RunningSearch> {
        self.search.as_mut()
    }

    /// No earlier line waits to be handled.
    pub fn queue_is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

/// Writes text and a line end, and flushes.
pub fn write_line(output: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(output, "{text}")?;
    output.flush()
}

/// An error message as one line of bounded length.
pub fn one_line(message: &str) -> String {
    message.replace(['\n', '\r'], " ").chars().take(LONGEST_MESSAGE).collect()
}

/// Runs a protocol until it quits, its input ends and everything is answered, or its output is closed.
pub fn run<H: Handler>(input: impl BufRead + Send + 'static, handler: &mut H) -> io::Result<()> {
    let (sender, events) = channel();
    let pending = read_lines(input, sender.clone())?;
    let search_thread = SearchThread::spawn(sender)?;
    let session = Session { search_thread, search: None, queue: VecDeque::new(), input_ended: false };
    let mut event_loop = EventLoop { handler, session, events, pending: &pending, quitting: None, held: None };
    let done = event_loop.run();
    pending.close();
    event_loop.stop_search();
    done
}

struct EventLoop<'a, H: Handler> {
    handler: &'a mut H,
    session: Session<H::Reply>,
    events: Receiver<Event<H::Reply>>,
    pending: &'a PendingInput,
    /// The line that asked to quit during a search, and when to do so.
    quitting: Option<(Instant, InputLine)>,
    /// A search result that arrived after that.
    held: Option<Box<SearchResult<H::Reply>>>,
}

impl<H: Handler> EventLoop<'_, H> {
    fn run(&mut self) -> io::Result<()> {
        loop {
            while self.session.search.is_none() {
                let Some(line) = self.session.queue.pop_front() else {
                    if self.session.input_ended {
                        return self.handler.on_input_end();
                    }
                    break;
                };
                self.pending.remove(&line.line);
                if self.handler.on_line(&line, &mut self.session)?.is_break() {
                    return Ok(());
                }
            }
            if self.wait()?.is_break() {
                return Ok(());
            }
        }
    }

    /// Waits for the next event or deadline.
    fn wait(&mut self) -> Flow {
        let deadline = self.session.search.as_ref().and_then(|search| search.deadline);
        let quit_at = self.quitting.as_ref().map(|(moment, _)| *moment);
        let event = match [deadline, quit_at].into_iter().flatten().min() {
            None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(moment) => self.events.recv_timeout(moment.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(Event::Line(line)) => self.receive(line)?,
            Ok(Event::InputEnd) => self.end_input()?,
            Ok(Event::Info(info)) if self.quitting.is_none() && self.session.search.is_some() => {
                self.handler.on_info(info)?;
            }
            Ok(Event::Info(_)) => {}
            Ok(Event::Result(result)) if self.quitting.is_some() => self.held = Some(result),
            Ok(Event::Result(result)) => self.finish_search(*result)?,
            Err(RecvTimeoutError::Timeout) => return Ok(self.check_deadlines()),
            // The search thread holds a sender, so this does not happen while it lives.
            Err(RecvTimeoutError::Disconnected) => return QUIT,
        }
        CONTINUE
    }

    fn check_deadlines(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        if self.quitting.as_ref().is_some_and(|(moment, _)| now >= *moment) {
            return ControlFlow::Break(());
        }
        if let Some(search) = &mut self.session.search
            && search.deadline.is_some_and(|deadline| now >= deadline)
        {
            search.deadline = None;
            search.stop();
        }
        ControlFlow::Continue(())
    }

    /// A line arrived. During a search only a few commands are handled at once; the others wait.
    fn receive(&mut self, line: InputLine) -> io::Result<()> {
        if self.session.search.is_some()
            && let Line::Text(text) = &line.line
        {
            match self.handler.on_line_during_search(text, &mut self.session)? {
                LineStatus::Handled => {
                    self.pending.remove(&line.line);
                    return Ok(());
                }
                LineStatus::Quit => {
                    self.quitting = Some((Instant::now() + SCRIPT_GRACE, line));
                    return Ok(());
                }
                LineStatus::Deferred => {}
            }
        }
        self.session.queue.push_back(line);
        Ok(())
    }

    fn end_input(&mut self) -> io::Result<()> {
        self.session.input_ended = true;
        // The input was a script: its quit command comes after all others.
        self.session.queue.extend(self.quitting.take().map(|(_, line)| line));
        self.session.search.iter_mut().for_each(RunningSearch::bound_without_manager);
        match self.held.take() {
            Some(result) => self.finish_search(*result),
            None => Ok(()),
        }
    }

    fn finish_search(&mut self, result: SearchResult<H::Reply>) -> io::Result<()> {
        match self.session.search.take() {
            Some(search) => self.handler.on_result(result, search),
            None => Ok(()),
        }
    }

    /// Stops a search that is still running.
    fn stop_search(&mut self) {
        if let Some(search) = self.session.search.take().filter(|_| self.held.is_none()) {
            search.stop();
            let until = Instant::now() + STOP_GRACE;
            while let Ok(event) = self.events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                if matches!(event, Event::Result(_)) {
                    break;
                }
            }
        }
    }
}
