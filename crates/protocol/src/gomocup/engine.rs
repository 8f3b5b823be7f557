//! The engine side: the game so far, and the answer to each command.

use super::command::{Command, CommandError};
use super::game::GomocupGame;
use super::messages;
use super::openings;
use super::point::Point;
use super::point_list::PointList;
use super::settings::InfoSettings;
use super::time::TimeBudget;
use crate::lines::{LONGEST, Line};
use crate::session::{
    self, CONTINUE, Flow, Handler, InputLine, LineStatus, QUIT, RunningSearch, SearchContext, SearchResult, SearchTask,
    Session,
};
use polyply_engine::{Bound, Engine, EngineError, IdleThread, Info, Options, Reason, Request, Share};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Instant;

/// What a search task returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Play or place these stones.
    Stones(Vec<Point>),
    /// Swap colours.
    Swap,
    /// An error message.
    Error(String),
}

/// What the search thread runs.
pub type Work = session::Work<Reply>;
/// What it runs with.
pub type Context<'a> = SearchContext<'a, Reply>;

/// A Gomocup engine.
pub struct GomocupEngine<W> {
    output: W,
    pub(super) settings: InfoSettings,
    /// What was wrong with `INFO` lines; written with the next answer.
    warnings: Vec<String>,
    /// The engine, unless it is searching.
    engine: Option<Engine>,
    pub(super) game: Option<GomocupGame>,
    pub(super) blocked: BTreeSet<Point>,
    pub(super) list: Option<PointList>,
    /// The search to start next.
    task: Option<SearchTask<Reply>>,
    /// The last iteration, reported at the end.
    last: Option<Info>,
    /// When the last command was answered.
    answered: Instant,
    /// How many best lines to report.
    lines: usize,
}

impl<W: Write> Handler for GomocupEngine<W> {
    type Reply = Reply;

    fn on_line_during_search(&mut self, line: &str, session: &mut Session<Reply>) -> io::Result<LineStatus> {
        let queue_is_empty = session.queue_is_empty();
        let Some(search) = session.search() else { return Ok(LineStatus::Deferred) };
        Ok(match Command::parse(line) {
            Ok(Command::Stop) => {
                search.stop();
                LineStatus::Handled
            }
            Ok(Command::End) => LineStatus::Quit,
            // Lines that arrived earlier come first.
            Ok(Command::Info { key, value }) if queue_is_empty => {
                self.info(&key, &value);
                search.deadline = TimeBudget::new(&self.settings, search.received, Instant::now()).deadline;
                LineStatus::Handled
            }
            _ => LineStatus::Deferred,
        })
    }

    fn on_line(&mut self, line: &InputLine, session: &mut Session<Reply>) -> Flow {
        let flow = self.handle_line(line)?;
        if let Some(task) = self.task.take() {
            session.start_search(task);
        }
        Ok(flow)
    }

    fn on_info(&mut self, info: Info) -> io::Result<()> {
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
        texts.iter().try_for_each(|text| self.write(text))
    }

    fn on_result(&mut self, result: SearchResult<Reply>, search: RunningSearch) -> io::Result<()> {
        self.engine = result.engine;
        if let Some(info) = self.last.take() {
            self.write(&messages::iteration(&info))?;
        }
        self.write_warnings()?;
        match result.reply {
            Some(Reply::Stones(points)) => match self.place(&points) {
                Ok(()) => self.write(&points.iter().map(Point::to_string).collect::<Vec<_>>().join(" "))?,
                Err(text) => self.write_error(&text)?,
            },
            Some(Reply::Swap) => self.write("SWAP")?,
            Some(Reply::Error(text)) => self.write_error(&text)?,
            None => self.write_error("the search broke down")?,
        }
        self.settings.spend(search.received.elapsed());
        self.answered = Instant::now();
        self.ponder();
        Ok(())
    }

    fn on_input_end(&mut self) -> io::Result<()> {
        match self.list.take() {
            Some(list) => self.write_error(&format!("the input ended before the DONE of {}", list.kind.word())),
            None => Ok(()),
        }
    }
}

impl<W: Write> GomocupEngine<W> {
    /// An engine before its first command.
    pub fn new(output: W) -> Self {
        GomocupEngine {
            output,
            settings: InfoSettings::default(),
            warnings: Vec::new(),
            engine: None,
            game: None,
            blocked: BTreeSet::new(),
            list: None,
            task: None,
            last: None,
            answered: Instant::now(),
            lines: 1,
        }
    }

    /// Handles a line.
    fn handle_line(&mut self, line: &InputLine) -> Flow {
        match &line.line {
            Line::TooLong => self.write_error(&format!("a line has at most {LONGEST} bytes; this one is ignored"))?,
            Line::Text(text) if text.trim().is_empty() => return CONTINUE,
            Line::Text(text) => {
                if self.list.is_some() && self.read_list(text.trim(), line.received)? {
                    return CONTINUE;
                }
                match Command::parse(text) {
                    Ok(Command::End) => return QUIT,
                    Ok(command) => self.execute(command, line.received)?,
                    Err(CommandError::Invalid(message)) => self.write_error(&message)?,
                    Err(CommandError::Unknown(message)) => self.write(&format!("UNKNOWN {message}"))?,
                }
            }
        }
        self.note_answered();
        CONTINUE
    }

    fn execute(&mut self, command: Command, received: Instant) -> io::Result<()> {
        let done = match command {
            Command::Info { key, value } => {
                self.info(&key, &value);
                return Ok(());
            }
            Command::Start(size) => self.start(size as usize).map(|()| Some("OK".to_owned())),
            Command::Restart => self.restart().map(|()| Some("OK".to_owned())),
            Command::Begin => self.think(received, 1).map(|()| None),
            Command::Turn(point) => self.turn(point, received).map(|()| None),
            Command::Play(point) => self.with_game(|game| game.play(point)).map(|()| Some(point.to_string())),
            Command::TakeBack(point) => self.with_game(|game| game.take_back(point)).map(|()| Some("OK".to_owned())),
            Command::List(list) => {
                self.list = Some(PointList::new(list));
                return Ok(());
            }
            Command::About => Ok(Some(about())),
            Command::ShowInfo => {
                self.settings.show_iterations = true;
                Ok(Some("MESSAGE INFO MAX_THREAD_NUM 256\nMESSAGE INFO MAX_HASH_SIZE 30".to_owned()))
            }
            Command::ShowForbid => self.with_game(|_| Ok(())).map(|()| Some("FORBID .".to_owned())),
            Command::BestLines(lines) => self.think(received, lines.min(512)).map(|()| None),
            Command::AllLines => self.think(received, 512).map(|()| None),
            Command::Balance { stones, bias } => self.balance(stones, bias, received).map(|()| None),
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
            // No search is running, and `END` was handled before.
            Command::Stop | Command::End => return Ok(()),
        };
        match done {
            Ok(Some(text)) => {
                self.write_warnings()?;
                self.write(&text)
            }
            Ok(None) => Ok(()),
            Err(text) => {
                self.write_warnings()?;
                self.write_error(&text)
            }
        }
    }

    pub(super) fn info(&mut self, key: &str, value: &str) {
        if let Err(warning) = self.settings.set(key, value) {
            // A manager that repeats a mistake is warned once.
            if !self.warnings.contains(&warning) && self.warnings.len() < 16 {
                self.warnings.push(warning);
            }
        }
    }

    fn start(&mut self, size: usize) -> Result<(), String> {
        let variant = self.settings.variant(size)?;
        InfoSettings::make_rules_ready(size);
        let before = self.game.replace(GomocupGame::new(&variant, size)?);
        if let Err(text) = self.prepare_engine() {
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

    /// Changes the game, under the current rules. Fails if there is none.
    fn with_game<T>(&mut self, act: impl FnOnce(&mut GomocupGame) -> Result<T, String>) -> Result<T, String> {
        self.apply_rules()?;
        act(self.game.as_mut().ok_or(NO_GAME)?)
    }

    /// Applies a change of the rules to the current game.
    pub(super) fn apply_rules(&mut self) -> Result<(), String> {
        let game = self.game.as_mut().ok_or(NO_GAME)?;
        let variant = self.settings.variant(game.size())?;
        if variant.name() != game.variant().name() {
            *game = game.with_rules(&variant)?;
        }
        Ok(())
    }

    /// Creates the engine or adjusts it to the current game and settings.
    fn prepare_engine(&mut self) -> Result<(), String> {
        let game = self.game.as_ref().ok_or(NO_GAME)?;
        let text = |error: EngineError| error.to_string();
        let (threads, hash) = (self.settings.threads, self.settings.hash());
        let engine = match &mut self.engine {
            Some(engine) => engine,
            None => {
                let options = Options { threads, hash, own_book: true, ..Options::default() };
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
                // A key that is meant for other engines.
                Ok(()) | Err(EngineError::UnknownOption { .. }) => {}
                Err(error) => self.warnings.push(error.to_string()),
            }
        }
        if self.settings.pondering {
            if engine.idle().is_none() {
                // The opponent's time is ours to use in full.
                engine.start_idle(&IdleThread::start(Share::FULL));
            }
        } else {
            engine.stop_idle();
        }
        Ok(())
    }

    fn turn(&mut self, point: Point, received: Instant) -> Result<(), String> {
        let before = self.with_game(|game| {
            let before = game.clone();
            game.play(point).map(|()| before)
        })?;
        let asked = self.think(received, 1);
        // A stone that ends the game stays on the board. If the turn failed for another reason, it is taken back.
        if asked.is_err() && self.game.as_ref().is_some_and(|game| game.check_ongoing().is_ok()) {
            self.game = Some(before);
        }
        asked
    }

    /// Searches for the next move.
    pub(super) fn think(&mut self, received: Instant, lines: usize) -> Result<(), String> {
        self.apply_rules()?;
        let game = self.game.as_ref().ok_or(NO_GAME)?;
        game.check_ongoing()?;
        let (size, request) = (game.size(), Request::new(game.board()));
        let middle = Point { x: size / 2, y: size / 2 };
        if game.is_empty() && lines == 1 && game.free(&self.blocked).contains(&middle) {
            // The first stone needs no search.
            return self.ask(received, 1, move |_| Box::new(move |_| Reply::Stones(vec![middle])));
        }
        let search_moves = game.search_moves(&self.blocked)?;
        self.ask(received, lines, move |budget| {
            let request = Request { limits: budget.limits, multipv: Some(lines), search_moves, ..request };
            Box::new(move |context| match context.play(&request) {
                Ok(best) => Reply::Stones(Point::of_name(&best.mv, size).into_iter().collect()),
                Err(error) => Reply::Error(error.to_string()),
            })
        })
    }

    /// Prepares a search task, which is started when the command has been handled.
    pub(super) fn ask(
        &mut self,
        received: Instant,
        lines: usize,
        work: impl FnOnce(&TimeBudget) -> Work,
    ) -> Result<(), String> {
        self.prepare_engine()?;
        let Some(engine) = self.engine.take() else { return Err("there is no engine".into()) };
        let received = received.max(self.answered);
        let budget = TimeBudget::new(&self.settings, received, Instant::now());
        let TimeBudget { limits, deadline } = budget;
        (self.lines, self.last) = (lines, None);
        self.task = Some(SearchTask { engine, received, limits, deadline, work: work(&budget) });
        Ok(())
    }

    fn balance(&mut self, stones: usize, bias: i32, received: Instant) -> Result<(), String> {
        self.apply_rules()?;
        let game = self.game.clone().ok_or(NO_GAME)?;
        game.check_ongoing()?;
        let blocked = self.blocked.clone();
        self.ask(received, 1, move |budget| openings::balance(game, blocked, stones, bias, *budget))
    }

    /// Notes the time at which a command was answered, unless it started a search.
    pub(super) fn note_answered(&mut self) {
        if self.task.is_none() {
            self.answered = Instant::now();
        }
    }

    fn place(&mut self, points: &[Point]) -> Result<(), String> {
        let game = self.game.as_mut().ok_or(NO_GAME)?;
        points.iter().try_for_each(|&point| game.play(point))
    }

    /// Lets idle improvement search the position while the opponent thinks.
    fn ponder(&mut self) {
        let idle = self.engine.as_ref().and_then(Engine::idle);
        if let (Some(idle), Some(game)) = (idle, &self.game)
            && game.check_ongoing().is_ok()
        {
            idle.clear();
            idle.add(game.board(), Reason::Current);
        }
    }

    /// Writes what was wrong with `INFO` lines.
    pub(super) fn write_warnings(&mut self) -> io::Result<()> {
        std::mem::take(&mut self.warnings).iter().try_for_each(|text| self.write(&format!("MESSAGE {text}")))
    }

    pub(super) fn write_error(&mut self, text: &str) -> io::Result<()> {
        self.write(&format!("ERROR {text}"))
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        session::write_line(&mut self.output, text)
    }
}

pub(super) const NO_GAME: &str = "there is no board yet; it begins with START";

fn about() -> String {
    format!("name=\"Polyply\", version=\"{}\", author=\"{}\"", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_AUTHORS"))
}
