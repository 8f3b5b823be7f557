//! The brain: what it knows of the game, and what it answers to each command.

use super::command::{Command, List, Refusal};
use super::game::Game;
use super::input::{Event, Said, Waiting, listen};
use super::point::Point;
use super::reading::Reading;
use super::settings::Settings;
use super::think::{Question, Reply, Thinker, Thinking, Thought};
use super::time::Plan;
use super::{messages, openings};
use crate::lines::{LONGEST, Line};
use polyply_engine::{Bound, Engine, EngineError, Info, Options, Reason, Request};
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long after an `END` in the middle of a search the end of the input is waited for. A manager keeps the pipe open
/// until the brain has ended, and then the brain ends at once and silently. Where the input ends with the `END` it was
/// written beforehand, by somebody who wants to see every command answered.
const SCRIPT: Duration = Duration::from_millis(50);

/// How long a search that was told to stop may take to do so before it is left behind.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// One end of a conversation.
pub struct Brain<W> {
    output: W,
    inbox: Receiver<Event>,
    waiting: Arc<Waiting>,
    thinker: Thinker,
    queue: VecDeque<Said>,
    /// The manager will send no more.
    over: bool,
    /// It has said `END` in the middle of a search: when to end.
    ending: Option<Instant>,
    /// An answer that came after that.
    held: Option<Box<Thought>>,
    settings: Settings,
    /// What was wrong with an `INFO`, to be said with the next answer.
    complaints: Vec<String>,
    /// The engine, while it does not think.
    engine: Option<Engine>,
    thinking: Option<Thinking>,
    game: Option<Game>,
    blocked: BTreeSet<Point>,
    reading: Option<Reading>,
    /// Since when the manager waits for nothing.
    answered: Instant,
    /// Who shall be told how many lines.
    lines: usize,
}

type Flow = io::Result<ControlFlow<()>>;
const GO_ON: Flow = Ok(ControlFlow::Continue(()));

impl<W: Write> Brain<W> {
    /// A brain that has heard nothing yet.
    pub fn new(input: impl BufRead + Send + 'static, output: W) -> io::Result<Self> {
        let (events, inbox) = channel();
        Ok(Brain {
            output,
            inbox,
            waiting: listen(input, events.clone())?,
            thinker: Thinker::start(events)?,
            queue: VecDeque::new(),
            over: false,
            ending: None,
            held: None,
            settings: Settings::default(),
            complaints: Vec::new(),
            engine: None,
            thinking: None,
            game: None,
            blocked: BTreeSet::new(),
            reading: None,
            answered: Instant::now(),
            lines: 1,
        })
    }

    /// Answers until the conversation is over.
    pub fn live(mut self) -> io::Result<()> {
        let lived = self.converse();
        self.waiting.give_up();
        if let Some(thinking) = self.thinking.take().filter(|_| self.held.is_none()) {
            thinking.stop();
            let until = Instant::now() + LAST_WORDS;
            while let Ok(event) = self.inbox.recv_timeout(until.saturating_duration_since(Instant::now())) {
                if matches!(event, Event::Thought(_)) {
                    break;
                }
            }
        }
        lived
    }

    fn converse(&mut self) -> io::Result<()> {
        loop {
            while self.thinking.is_none() {
                let flow = match self.queue.pop_front() {
                    Some(said) => self.hear(&said)?,
                    None if self.over => return self.fall_silent(),
                    None => break,
                };
                if flow.is_break() {
                    return Ok(());
                }
            }
            if self.attend()?.is_break() {
                return Ok(());
            }
        }
    }

    /// The input is over and everything before it is answered.
    fn fall_silent(&mut self) -> io::Result<()> {
        match self.reading.take() {
            Some(reading) => self.error(&format!("the input ended before the DONE of {}", reading.list.word())),
            None => Ok(()),
        }
    }

    /// Waits for the next thing to happen, and for the moments that were set.
    fn attend(&mut self) -> Flow {
        let deadline = self.thinking.as_ref().and_then(|thinking| thinking.deadline);
        let event = match [deadline, self.ending].into_iter().flatten().min() {
            None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(moment) => self.inbox.recv_timeout(moment.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(Event::Line(said)) => self.receive(said),
            Ok(Event::Over) => {
                self.over = true;
                if self.ending.take().is_some() {
                    self.queue.push_back(Said { line: Line::Text("END".into()), when: Instant::now() });
                }
                self.thinking.iter_mut().for_each(Thinking::outlive_manager);
                self.held.take().map_or(GO_ON, |thought| self.answer(*thought))
            }
            Ok(Event::Info(info)) => self.tell(info),
            Ok(Event::Thought(thought)) if self.ending.is_some() => {
                self.held = Some(thought);
                GO_ON
            }
            Ok(Event::Thought(thought)) => self.answer(*thought),
            Err(RecvTimeoutError::Timeout) => Ok(self.time_is_up()),
            // The thinker holds a sender, so there is always one.
            Err(RecvTimeoutError::Disconnected) => Ok(ControlFlow::Break(())),
        }
    }

    fn time_is_up(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        if self.ending.is_some_and(|moment| now >= moment) {
            return ControlFlow::Break(());
        }
        if let Some(thinking) = &mut self.thinking
            && thinking.deadline.is_some_and(|deadline| now >= deadline)
        {
            thinking.deadline = None;
            thinking.stop();
        }
        ControlFlow::Continue(())
    }

    /// A line has come in. While the brain thinks only a few commands count at once; all others wait.
    fn receive(&mut self, said: Said) -> Flow {
        if let Some(thinking) = &mut self.thinking
            && let Line::Text(line) = &said.line
        {
            match Command::parse(line) {
                Ok(Command::Stop) => {
                    thinking.stop();
                    self.waiting.remove(&said.line);
                    return GO_ON;
                }
                Ok(Command::End) => {
                    self.ending = Some(Instant::now() + SCRIPT);
                    return GO_ON;
                }
                // What was said before it comes first.
                Ok(Command::Info { key, value }) if self.queue.is_empty() => {
                    let began = thinking.began;
                    self.info(&key, &value);
                    self.waiting.remove(&said.line);
                    let plan = Plan::new(&self.settings, began, Instant::now());
                    if let Some(thinking) = &mut self.thinking {
                        thinking.deadline = plan.deadline;
                    }
                    return GO_ON;
                }
                _ => {}
            }
        }
        self.queue.push_back(said);
        GO_ON
    }

    /// Deals with a line.
    fn hear(&mut self, said: &Said) -> Flow {
        self.waiting.remove(&said.line);
        match &said.line {
            Line::TooLong => self.error(&format!("a line has at most {LONGEST} bytes; this one is ignored"))?,
            Line::Text(line) if line.trim().is_empty() => return GO_ON,
            Line::Text(line) => {
                if self.reading.is_some() && self.read_on(line.trim(), said.when)? {
                    return GO_ON;
                }
                match Command::parse(line) {
                    Ok(Command::End) => return Ok(ControlFlow::Break(())),
                    Ok(command) => self.obey(command, said.when)?,
                    Err(Refusal::Error(text)) => self.error(&text)?,
                    Err(Refusal::Unknown(text)) => self.say(&format!("UNKNOWN {text}"))?,
                }
            }
        }
        if self.thinking.is_none() {
            self.answered = Instant::now();
        }
        GO_ON
    }

    fn obey(&mut self, command: Command, when: Instant) -> io::Result<()> {
        let done = match command {
            Command::Info { key, value } => {
                self.info(&key, &value);
                return Ok(());
            }
            Command::Start(size) => self.start(size as usize).map(|()| Some("OK".to_owned())),
            Command::Restart => self.restart().map(|()| Some("OK".to_owned())),
            Command::Begin => self.think(when, 1).map(|()| None),
            Command::Turn(point) => self.turn(point, when).map(|()| None),
            Command::Play(point) => self.with_game(|game| game.play(point)).map(|()| Some(point.to_string())),
            Command::TakeBack(point) => self.with_game(|game| game.take_back(point)).map(|()| Some("OK".to_owned())),
            Command::List(list) => {
                self.reading = Some(Reading::new(list));
                return Ok(());
            }
            Command::About => Ok(Some(about())),
            Command::ShowInfo => {
                self.settings.show_iterations = true;
                Ok(Some("MESSAGE INFO MAX_THREAD_NUM 256\nMESSAGE INFO MAX_HASH_SIZE 30".to_owned()))
            }
            Command::ShowForbid => self.with_game(|_| Ok(())).map(|()| Some("FORBID .".to_owned())),
            Command::BestLines(lines) => self.think(when, lines.min(512)).map(|()| None),
            Command::AllLines => self.think(when, 512).map(|()| None),
            Command::Balance { stones, bias } => self.balance(stones, bias, when).map(|()| None),
            Command::BlockReset => {
                self.blocked.clear();
                Ok(None)
            }
            Command::HashClear => {
                self.engine.as_mut().map(Engine::flush);
                Ok(Some("MESSAGE the table is empty".to_owned()))
            }
            Command::HashUsage => {
                let fill = self.engine.as_ref().map_or(0, |engine| engine.caches().search.fill);
                Ok(Some(format!("MESSAGE {}.{}% of the table are in use", fill / 10, fill % 10)))
            }
            // There is nothing to stop, and the end was dealt with.
            Command::Stop | Command::End => return Ok(()),
        };
        match done {
            Ok(Some(text)) => {
                self.complain()?;
                self.say(&text)
            }
            Ok(None) => Ok(()),
            Err(text) => {
                self.complain()?;
                self.error(&text)
            }
        }
    }

    fn info(&mut self, key: &str, value: &str) {
        if let Err(complaint) = self.settings.set(key, value) {
            // A manager that says one thing wrong a thousand times is told once.
            if !self.complaints.contains(&complaint) && self.complaints.len() < 16 {
                self.complaints.push(complaint);
            }
        }
    }

    fn start(&mut self, size: usize) -> Result<(), String> {
        let variant = self.settings.variant(size)?;
        Settings::make_rules_ready(size);
        let before = self.game.replace(Game::new(&variant, size)?);
        if let Err(text) = self.equip() {
            self.game = before;
            return Err(text);
        }
        self.settings.new_game();
        self.blocked.clear();
        if let Some(engine) = &mut self.engine {
            engine.new_game();
            engine.prepare();
        }
        Ok(())
    }

    fn restart(&mut self) -> Result<(), String> {
        let size = self.game.as_ref().ok_or(NO_GAME)?.size();
        self.start(size)
    }

    /// Does something with the game, if there is one, under the rules the manager wants.
    fn with_game<T>(&mut self, act: impl FnOnce(&mut Game) -> Result<T, String>) -> Result<T, String> {
        self.follow_rules()?;
        act(self.game.as_mut().ok_or(NO_GAME)?)
    }

    /// The rules may have changed since the game began.
    fn follow_rules(&mut self) -> Result<(), String> {
        let game = self.game.as_mut().ok_or(NO_GAME)?;
        let variant = self.settings.variant(game.size())?;
        if variant.name() != game.variant().name() {
            *game = game.under(&variant)?;
        }
        Ok(())
    }

    /// Makes the engine one that plays this game with these settings.
    fn equip(&mut self) -> Result<(), String> {
        let game = self.game.as_ref().ok_or(NO_GAME)?;
        let text = |error: EngineError| error.to_string();
        let (threads, hash) = (self.settings.threads, self.settings.hash());
        let engine = match &mut self.engine {
            Some(engine) => engine,
            None => {
                let options = Options { threads, hash, ..Options::default() };
                let engine = Engine::new(game.variant(), &options).map_err(text)?;
                engine.prepare();
                self.engine.insert(engine)
            }
        };
        if engine.variant().name() != game.variant().name() {
            engine.set_variant(game.variant());
        }
        if engine.option("Threads").map_err(text)?.value != threads as i64 {
            engine.set_option("Threads", &threads.to_string()).map_err(text)?;
        }
        if engine.option("Hash").map_err(text)?.value != hash as i64 {
            engine.set_option("Hash", &hash.to_string()).map_err(text)?;
            engine.prepare();
        }
        for (name, value) in std::mem::take(&mut self.settings.options) {
            match engine.set_option(&name, &value) {
                // A key that is not ours.
                Ok(()) | Err(EngineError::UnknownOption { .. }) => {}
                Err(error) => self.complaints.push(error.to_string()),
            }
        }
        if self.settings.pondering {
            engine.start_idle();
        } else {
            engine.stop_idle();
        }
        Ok(())
    }

    fn turn(&mut self, point: Point, when: Instant) -> Result<(), String> {
        let before = self.with_game(|game| {
            let before = game.clone();
            game.play(point).map(|()| before)
        })?;
        let asked = self.think(when, 1);
        // A stone that ends the game stays; one that can't be answered for another reason was not played.
        if asked.is_err() && self.game.as_ref().is_some_and(|game| game.goes_on().is_ok()) {
            self.game = Some(before);
        }
        asked
    }

    /// Thinks about the next move.
    fn think(&mut self, when: Instant, lines: usize) -> Result<(), String> {
        self.follow_rules()?;
        let game = self.game.as_ref().ok_or(NO_GAME)?;
        game.goes_on()?;
        let (size, place) = (game.size(), game.place().clone());
        let middle = Point { x: size / 2, y: size / 2 };
        if game.is_empty() && lines == 1 && game.free(&self.blocked).contains(&middle) {
            // There is nothing to find out about it.
            return self.ask(when, 1, move |_| Box::new(move |_| Reply::Stones(vec![middle])));
        }
        let search_moves = game.search_moves(&self.blocked)?;
        self.ask(when, lines, move |plan| {
            let request = Request { place, limits: plan.limits, multipv: Some(lines), search_moves };
            Box::new(move |mind| match mind.best(&request) {
                Ok(best) => Reply::Stones(Point::of_name(&best.mv, size).into_iter().collect()),
                Err(error) => Reply::Refuse(error.to_string()),
            })
        })
    }

    /// Hands a question to the thinker.
    fn ask(&mut self, when: Instant, lines: usize, question: impl FnOnce(&Plan) -> Question) -> Result<(), String> {
        self.equip()?;
        let Some(engine) = self.engine.take() else { return Err("there is no engine".into()) };
        let began = when.max(self.answered);
        let plan = Plan::new(&self.settings, began, Instant::now());
        self.lines = lines;
        let mut thinking = self.thinker.think(engine, began, &plan, question(&plan));
        if self.over {
            thinking.outlive_manager();
        }
        self.thinking = Some(thinking);
        Ok(())
    }

    fn balance(&mut self, stones: usize, bias: i32, when: Instant) -> Result<(), String> {
        self.follow_rules()?;
        let game = self.game.clone().ok_or(NO_GAME)?;
        game.goes_on()?;
        let blocked = self.blocked.clone();
        self.ask(when, 1, move |plan| openings::balance(game, blocked, stones, bias, *plan))
    }

    /// Reads a line of a list of points; false when it is none of them and the list is given up.
    fn read_on(&mut self, line: &str, when: Instant) -> io::Result<bool> {
        let Some(reading) = &mut self.reading else { return Ok(false) };
        if line.eq_ignore_ascii_case("DONE") {
            if let Some(reading) = self.reading.take() {
                self.complain()?;
                if let Err(text) = self.finish(reading, when) {
                    self.error(&text)?;
                }
                if self.thinking.is_none() {
                    self.answered = Instant::now();
                }
            }
            return Ok(true);
        }
        match Command::parse(line) {
            Ok(Command::Info { key, value }) => {
                self.info(&key, &value);
                return Ok(true);
            }
            Ok(_) => {
                let word = reading.list.word();
                self.reading = None;
                self.error(&format!("{word} was not ended by DONE and is ignored"))?;
                return Ok(false);
            }
            Err(_) => {}
        }
        reading.read(line);
        Ok(true)
    }

    /// A list of points is complete.
    fn finish(&mut self, reading: Reading, when: Instant) -> Result<(), String> {
        self.follow_rules()?;
        let list = reading.list;
        let stones = reading.finish()?;
        let game = self.game.as_ref().ok_or(NO_GAME)?;
        let size = game.size();
        match list {
            List::Board | List::Position => {
                let owned: Vec<_> = stones.iter().filter_map(|&(point, owner)| Some((point, owner?))).collect();
                let game = Game::of_stones(game.variant(), size, &owned, self.settings.captured)?;
                if list == List::Position {
                    self.game = Some(game);
                } else {
                    game.goes_on()?;
                    game.search_moves(&self.blocked)?;
                    self.game = Some(game);
                    self.think(when, 1)?;
                }
                self.settings.captured = [0; 2];
            }
            List::Swap2 => {
                let mut game = Game::new(game.variant(), size)?;
                stones.iter().try_for_each(|&(point, _)| game.play(point))?;
                if !matches!(stones.len(), 0 | 3 | 5) {
                    return Err(format!("SWAP2BOARD has 0, 3 or 5 stones, not {}", stones.len()));
                }
                game.goes_on()?;
                self.game = Some(game.clone());
                self.ask(when, 1, move |plan| openings::swap2(game, stones.len(), *plan))?;
            }
            List::Block | List::Unblock => {
                if let Some(&(point, _)) = stones.iter().find(|(point, _)| !point.is_on(size)) {
                    return Err(format!("{point} is outside the board"));
                }
                for (point, _) in stones {
                    if list == List::Block {
                        self.blocked.insert(point);
                    } else {
                        self.blocked.remove(&point);
                    }
                }
            }
        }
        Ok(())
    }

    /// The search has finished an iteration.
    fn tell(&mut self, info: Info) -> Flow {
        let (Some(game), Some(thinking)) = (&self.game, &mut self.thinking) else { return GO_ON };
        if self.ending.is_some() {
            return GO_ON;
        }
        let (size, side) = (game.size(), game.side());
        let mut texts = Vec::new();
        if self.settings.show_lines {
            texts.push(messages::details(&info, self.lines, side, size));
        }
        if self.settings.show_realtime {
            texts.extend(messages::realtime(&info, size));
        }
        if self.settings.show_iterations {
            texts.push(messages::iteration(&info));
        } else if info.multipv == 1 && (info.bound == Bound::Exact || thinking.last.is_none()) {
            thinking.last = Some(info);
        }
        texts.iter().try_for_each(|text| self.say(text))?;
        GO_ON
    }

    /// The thinking has come to an end.
    fn answer(&mut self, thought: Thought) -> Flow {
        let Some(thinking) = self.thinking.take() else { return GO_ON };
        self.engine = thought.engine;
        if let Some(info) = &thinking.last {
            self.say(&messages::iteration(info))?;
        }
        self.complain()?;
        match thought.reply {
            Reply::Stones(points) => match self.place(&points) {
                Ok(()) => self.say(&points.iter().map(Point::to_string).collect::<Vec<_>>().join(" "))?,
                Err(text) => self.error(&text)?,
            },
            Reply::Swap => self.say("SWAP")?,
            Reply::Refuse(text) => self.error(&text)?,
        }
        self.settings.spend(thinking.began.elapsed());
        self.answered = Instant::now();
        self.ponder();
        GO_ON
    }

    fn place(&mut self, points: &[Point]) -> Result<(), String> {
        let game = self.game.as_mut().ok_or(NO_GAME)?;
        points.iter().try_for_each(|&point| game.play(point))
    }

    /// Lets the engine look at the position while the opponent thinks.
    fn ponder(&mut self) {
        let idle = self.engine.as_ref().and_then(Engine::idle);
        if let (Some(idle), Some(game)) = (idle, &self.game)
            && game.goes_on().is_ok()
        {
            idle.clear();
            // It may be refused only if the game has gone, and then there is nothing to think about.
            let _ = idle.add(game.place(), Reason::Played);
        }
    }

    /// Says what was wrong with an `INFO`.
    fn complain(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.complaints).iter().try_for_each(|text| self.say(&format!("MESSAGE {text}")))
    }

    fn error(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("ERROR {text}"))
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }
}

const NO_GAME: &str = "there is no board yet; it begins with START";

fn about() -> String {
    format!("name=\"Polyply\", version=\"{}\", author=\"{}\"", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_AUTHORS"))
}
