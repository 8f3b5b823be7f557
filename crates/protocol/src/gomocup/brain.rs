//! The brain: what it knows of the game, and what it answers to each command.

use super::command::{Command, Refusal};
use super::game::Game;
use super::messages;
use super::openings;
use super::point::Point;
use super::reading::Reading;
use super::settings::Settings;
use super::time::Plan;
use crate::lines::{LONGEST, Line};
use crate::session::{Desk, Errand, Flow, GO_ON, Mind, Overheard, Question, Said, Talk, Thinking, Thought};
use polyply_engine::{Bound, Engine, EngineError, Info, Options, Reason, Request};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;

/// What the brain answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It plays or places these stones.
    Stones(Vec<Point>),
    /// It takes the other colour.
    Swap,
    /// It can't answer, for this reason.
    Refuse(String),
}

/// What the brain thinks about.
pub type Problem = Question<Reply>;
/// The engine while it does.
pub type Thinker<'a> = Mind<'a, Reply>;

/// One end of a conversation.
pub struct Brain<W> {
    output: W,
    pub(super) settings: Settings,
    /// What was wrong with an `INFO`, to be said with the next answer.
    complaints: Vec<String>,
    /// The engine, while it does not think.
    engine: Option<Engine>,
    pub(super) game: Option<Game>,
    pub(super) blocked: BTreeSet<Point>,
    pub(super) reading: Option<Reading>,
    /// What is to be thought about next.
    errand: Option<Errand<Reply>>,
    /// The last iteration, to be told at the end.
    last: Option<Info>,
    /// Since when the manager waits for nothing.
    answered: Instant,
    /// Who shall be told how many lines.
    lines: usize,
}

impl<W: Write> Talk for Brain<W> {
    type Reply = Reply;

    fn overhear(&mut self, line: &str, desk: &mut Desk<Reply>) -> io::Result<Overheard> {
        let calm = desk.nothing_waits();
        let Some(thinking) = desk.thinking() else { return Ok(Overheard::Waits) };
        Ok(match Command::parse(line) {
            Ok(Command::Stop) => {
                thinking.stop();
                Overheard::Done
            }
            Ok(Command::End) => Overheard::Ends,
            // What was said before it comes first.
            Ok(Command::Info { key, value }) if calm => {
                self.info(&key, &value);
                thinking.deadline = Plan::new(&self.settings, thinking.began, Instant::now()).deadline;
                Overheard::Done
            }
            _ => Overheard::Waits,
        })
    }

    fn hear(&mut self, said: &Said, desk: &mut Desk<Reply>) -> Flow {
        let flow = self.listen(said)?;
        if let Some(errand) = self.errand.take() {
            desk.think(errand);
        }
        Ok(flow)
    }

    /// The search has finished an iteration.
    fn tell(&mut self, info: Info) -> io::Result<()> {
        let Some(game) = &self.game else { return Ok(()) };
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
        } else if info.multipv == 1 && (info.bound == Bound::Exact || self.last.is_none()) {
            self.last = Some(info);
        }
        texts.iter().try_for_each(|text| self.say(text))
    }

    fn answer(&mut self, thought: Thought<Reply>, thinking: Thinking) -> io::Result<()> {
        self.engine = thought.engine;
        if let Some(info) = self.last.take() {
            self.say(&messages::iteration(&info))?;
        }
        self.complain()?;
        match thought.reply {
            Some(Reply::Stones(points)) => match self.place(&points) {
                Ok(()) => self.say(&points.iter().map(Point::to_string).collect::<Vec<_>>().join(" "))?,
                Err(text) => self.error(&text)?,
            },
            Some(Reply::Swap) => self.say("SWAP")?,
            Some(Reply::Refuse(text)) => self.error(&text)?,
            None => self.error("the search broke down")?,
        }
        self.settings.spend(thinking.began.elapsed());
        self.answered = Instant::now();
        self.ponder();
        Ok(())
    }

    fn fall_silent(&mut self) -> io::Result<()> {
        match self.reading.take() {
            Some(reading) => self.error(&format!("the input ended before the DONE of {}", reading.list.word())),
            None => Ok(()),
        }
    }
}

impl<W: Write> Brain<W> {
    /// A brain that has heard nothing yet.
    pub fn new(output: W) -> Self {
        Brain {
            output,
            settings: Settings::default(),
            complaints: Vec::new(),
            engine: None,
            game: None,
            blocked: BTreeSet::new(),
            reading: None,
            errand: None,
            last: None,
            answered: Instant::now(),
            lines: 1,
        }
    }

    /// Deals with a line.
    fn listen(&mut self, said: &Said) -> Flow {
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
        self.settle();
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

    pub(super) fn info(&mut self, key: &str, value: &str) {
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
    pub(super) fn follow_rules(&mut self) -> Result<(), String> {
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
    pub(super) fn think(&mut self, when: Instant, lines: usize) -> Result<(), String> {
        self.follow_rules()?;
        let game = self.game.as_ref().ok_or(NO_GAME)?;
        game.goes_on()?;
        let (size, request) = (game.size(), Request::new(game.board()));
        let middle = Point { x: size / 2, y: size / 2 };
        if game.is_empty() && lines == 1 && game.free(&self.blocked).contains(&middle) {
            // There is nothing to find out about it.
            return self.ask(when, 1, move |_| Box::new(move |_| Reply::Stones(vec![middle])));
        }
        let search_moves = game.search_moves(&self.blocked)?;
        self.ask(when, lines, move |plan| {
            let request = Request { limits: plan.limits, multipv: Some(lines), search_moves, ..request };
            Box::new(move |mind| match mind.best(&request) {
                Ok(best) => Reply::Stones(Point::of_name(&best.mv, size).into_iter().collect()),
                Err(error) => Reply::Refuse(error.to_string()),
            })
        })
    }

    /// Makes a question the next thing to think about.
    pub(super) fn ask(
        &mut self,
        when: Instant,
        lines: usize,
        question: impl FnOnce(&Plan) -> Problem,
    ) -> Result<(), String> {
        self.equip()?;
        let Some(engine) = self.engine.take() else { return Err("there is no engine".into()) };
        let began = when.max(self.answered);
        let plan = Plan::new(&self.settings, began, Instant::now());
        let Plan { limits, deadline } = plan;
        (self.lines, self.last) = (lines, None);
        self.errand = Some(Errand { engine, began, limits, deadline, question: question(&plan) });
        Ok(())
    }

    fn balance(&mut self, stones: usize, bias: i32, when: Instant) -> Result<(), String> {
        self.follow_rules()?;
        let game = self.game.clone().ok_or(NO_GAME)?;
        game.goes_on()?;
        let blocked = self.blocked.clone();
        self.ask(when, 1, move |plan| openings::balance(game, blocked, stones, bias, *plan))
    }

    /// Nothing is owed to the manager, unless there is something to think about.
    pub(super) fn settle(&mut self) {
        if self.errand.is_none() {
            self.answered = Instant::now();
        }
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
            idle.add(game.board(), Reason::Played);
        }
    }

    /// Says what was wrong with an `INFO`.
    pub(super) fn complain(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.complaints).iter().try_for_each(|text| self.say(&format!("MESSAGE {text}")))
    }

    pub(super) fn error(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("ERROR {text}"))
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }
}

pub(super) const NO_GAME: &str = "there is no board yet; it begins with START";

fn about() -> String {
    format!("name=\"Polyply\", version=\"{}\", author=\"{}\"", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_AUTHORS"))
}
