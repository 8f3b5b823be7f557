//! A conversation with whoever is at the other end, while an engine thinks: what all protocols have in common.
//!
//! Three threads take part. One reads lines (`input`), so that the other end is heard at any time; one thinks (`think`);
//! and the one that called [`converse`] does everything else: there a [`Talk`] alone knows the game and writes.

mod input;
mod think;

pub use input::Said;
pub use think::{Errand, Mind, Question, Thinking};

use crate::lines::Line;
use input::{Event, listen};
use polyply_engine::{Engine, Info};
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use think::Thinker;

/// How long after an end in the middle of a search the end of the input is waited for. A manager keeps the pipe open
/// until the engine has ended, and then the engine ends at once and silently. Where the input ends with the word that
/// ends it, it was written beforehand, by somebody who wants to see every command answered.
const SCRIPT: Duration = Duration::from_millis(50);

/// How long a search that was told to stop may take to do so before it is left behind.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Whether the conversation goes on.
pub type Flow = io::Result<ControlFlow<()>>;
/// It does.
pub const GO_ON: Flow = Ok(ControlFlow::Continue(()));

/// A protocol: what it does with each thing that happens.
pub trait Talk {
    /// What a thought comes to.
    type Reply: Send + 'static;

    /// A line has come while a search is under way.
    fn overhear(&mut self, line: &str, desk: &mut Desk<Self::Reply>) -> io::Result<Overheard>;

    /// A line has come, and nothing is being thought about.
    fn hear(&mut self, said: &Said, desk: &mut Desk<Self::Reply>) -> Flow;

    /// The search has something to tell on its way.
    fn tell(&mut self, info: Info) -> io::Result<()>;

    /// The thinking has come to an end.
    fn answer(&mut self, thought: Thought<Self::Reply>, thinking: Thinking) -> io::Result<()>;

    /// The input is over, and everything before is answered.
    fn fall_silent(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What becomes of a line that came while a search is under way.
pub enum Overheard {
    /// It was dealt with.
    Done,
    /// It waits until the search has ended.
    Waits,
    /// It ends the conversation.
    Ends,
}

/// The end of a thought.
pub struct Thought<R> {
    /// The engine, unless it broke.
    pub engine: Option<Engine>,
    /// What it came to; nothing where the search broke down.
    pub reply: Option<R>,
}

/// What lies before a protocol: the thread that thinks, and the lines that wait.
pub struct Desk<R> {
    thinker: Thinker<R>,
    thinking: Option<Thinking>,
    queue: VecDeque<Said>,
    /// The other end will send no more.
    over: bool,
}

impl<R: Send + 'static> Desk<R> {
    /// Begins to think.
    pub fn think(&mut self, errand: Errand<R>) {
        let mut thinking = self.thinker.think(errand);
        if self.over {
            thinking.outlive_manager();
        }
        self.thinking = Some(thinking);
    }

    /// What is being thought about.
    pub fn thinking(&mut self) -> Option<&mut Thinking> {
        self.thinking.as_mut()
    }

    /// Nothing was said that is not dealt with.
    pub fn nothing_waits(&self) -> bool {
        self.queue.is_empty()
    }
}

/// Talks until the conversation is over: the other end says so, its input ends and everything is answered, or nobody
/// reads the answers.
pub fn converse<T: Talk>(input: impl BufRead + Send + 'static, talk: &mut T) -> io::Result<()> {
    let (events, inbox) = channel();
    let waiting = listen(input, events.clone())?;
    let desk = Desk { thinker: Thinker::start(events)?, thinking: None, queue: VecDeque::new(), over: false };
    let mut conversation = Conversation { talk, desk, inbox, waiting: &waiting, ending: None, held: None };
    let lived = conversation.run();
    waiting.give_up();
    conversation.leave();
    lived
}

struct Conversation<'a, T: Talk> {
    talk: &'a mut T,
    desk: Desk<T::Reply>,
    inbox: Receiver<Event<T::Reply>>,
    waiting: &'a input::Waiting,
    /// The other end has said that this is the end, in the middle of a search: when to end.
    ending: Option<(Instant, Said)>,
    /// An answer that came after that.
    held: Option<Box<Thought<T::Reply>>>,
}

impl<T: Talk> Conversation<'_, T> {
    fn run(&mut self) -> io::Result<()> {
        loop {
            while self.desk.thinking.is_none() {
                let Some(said) = self.desk.queue.pop_front() else {
                    if self.desk.over {
                        return self.talk.fall_silent();
                    }
                    break;
                };
                self.waiting.remove(&said.line);
                if self.talk.hear(&said, &mut self.desk)?.is_break() {
                    return Ok(());
                }
            }
            if self.attend()?.is_break() {
                return Ok(());
            }
        }
    }

    /// Waits for the next thing to happen, and for the moments that were set.
    fn attend(&mut self) -> Flow {
        let deadline = self.desk.thinking.as_ref().and_then(|thinking| thinking.deadline);
        let ending = self.ending.as_ref().map(|(moment, _)| *moment);
        let event = match [deadline, ending].into_iter().flatten().min() {
            None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(moment) => self.inbox.recv_timeout(moment.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(Event::Line(said)) => self.receive(said)?,
            Ok(Event::Over) => {
                self.desk.over = true;
                // It was a script, whose last word comes after all others.
                self.desk.queue.extend(self.ending.take().map(|(_, said)| said));
                self.desk.thinking.iter_mut().for_each(Thinking::outlive_manager);
                if let Some(thought) = self.held.take() {
                    self.answer(*thought)?;
                }
            }
            Ok(Event::Info(info)) if self.ending.is_none() && self.desk.thinking.is_some() => self.talk.tell(info)?,
            Ok(Event::Info(_)) => {}
            Ok(Event::Thought(thought)) if self.ending.is_some() => self.held = Some(thought),
            Ok(Event::Thought(thought)) => self.answer(*thought)?,
            Err(RecvTimeoutError::Timeout) => return Ok(self.time_is_up()),
            // The thinker holds a sender, so there is always one.
            Err(RecvTimeoutError::Disconnected) => return Ok(ControlFlow::Break(())),
        }
        GO_ON
    }

    fn time_is_up(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        if self.ending.as_ref().is_some_and(|(moment, _)| now >= *moment) {
            return ControlFlow::Break(());
        }
        if let Some(thinking) = &mut self.desk.thinking
            && thinking.deadline.is_some_and(|deadline| now >= deadline)
        {
            thinking.deadline = None;
            thinking.stop();
        }
        ControlFlow::Continue(())
    }

    /// A line has come in. While the engine thinks only a few commands count at once; all others wait.
    fn receive(&mut self, said: Said) -> io::Result<()> {
        if self.desk.thinking.is_some()
            && let Line::Text(line) = &said.line
        {
            match self.talk.overhear(line, &mut self.desk)? {
                Overheard::Done => {
                    self.waiting.remove(&said.line);
                    return Ok(());
                }
                Overheard::Ends => {
                    self.ending = Some((Instant::now() + SCRIPT, said));
                    return Ok(());
                }
                Overheard::Waits => {}
            }
        }
        self.desk.queue.push_back(said);
        Ok(())
    }

    fn answer(&mut self, thought: Thought<T::Reply>) -> io::Result<()> {
        match self.desk.thinking.take() {
            Some(thinking) => self.talk.answer(thought, thinking),
            None => Ok(()),
        }
    }

    /// Ends a search that is still under way.
    fn leave(&mut self) {
        if let Some(thinking) = self.desk.thinking.take().filter(|_| self.held.is_none()) {
            thinking.stop();
            let until = Instant::now() + LAST_WORDS;
            while let Ok(event) = self.inbox.recv_timeout(until.saturating_duration_since(Instant::now())) {
                if matches!(event, Event::Thought(_)) {
                    break;
                }
            }
        }
    }
}
