//! The engine side: the game so far, and the answer to each command.

use super::command::Command;
use crate::ggf::{self, move_name};
use crate::lines::quote;
use crate::session::{
    self, CONTINUE, Flow, Handler, InputLine, LineStatus, QUIT, RunningSearch, SearchContext, SearchResult, SearchTask,
    Session,
};
use polyply_engine::{
    Best, Board, Bound, Clock, Engine, EngineError, Info, Limits, Options, Request, Score, Side, Variant,
};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The depth if none was set.
const USUAL_DEPTH: i32 = 12;

/// What a search task returns.
pub enum Reply {
    /// The move to play.
    Best(Box<Result<Best, EngineError>>),
    /// The score of each position of the game.
    Analysis(Vec<String>),
    /// Nothing: the hints were reported during the search.
    Told,
}

/// An NBoard engine.
pub struct NboardEngine<W> {
    output: W,
    game: Option<Board>,
    depth: Option<i32>,
    time: Option<Duration>,
    /// The engine, unless it is searching.
    engine: Option<Engine>,
    task: Option<SearchTask<Reply>>,
    /// The search was cancelled by a `ping`: its result is not reported.
    cancelled: bool,
}

impl<W: Write> Handler for NboardEngine<W> {
    type Reply = Reply;

    fn on_line_during_search(&mut self, line: &str, session: &mut Session<Reply>) -> io::Result<LineStatus> {
        Ok(match Command::parse(line) {
            Ok(Command::Quit) => {
                session.search().iter().for_each(|search| search.stop());
                LineStatus::Quit
            }
            Ok(Command::Ping(_)) => {
                self.cancelled = true;
                session.search().iter().for_each(|search| search.stop());
                LineStatus::Deferred
            }
            _ => LineStatus::Deferred,
        })
    }

    fn on_line(&mut self, line: &InputLine, session: &mut Session<Reply>) -> Flow {
        let done = match line.parse(Command::parse) {
            Ok(Command::Quit) => return QUIT,
            Ok(command) => self.execute(command, line.received),
            Err(message) => Err(message),
        };
        match done {
            Ok(text) if text.is_empty() => {}
            Ok(text) => self.write(&text)?,
            Err(message) => self.write_error(&message)?,
        }
        if let Some(task) = self.task.take() {
            self.cancelled = false;
            session.start_search(task);
        }
        CONTINUE
    }

    fn on_info(&mut self, info: Info) -> io::Result<()> {
        let Some(game) = self.game.as_ref().filter(|_| !self.cancelled && info.bound == Bound::Exact) else {
            return Ok(());
        };
        let line: String = info.line.iter().map(|mv| move_name(mv)).collect();
        let eval = discs(info.score, game.side());
        // A search to the end of the game is exact.
        let depth = if info.depth >= empties(game) { "100%".to_owned() } else { info.depth.to_string() };
        let nodes = format!("nodestats {} {:.3}", info.nodes, info.time.as_secs_f64());
        self.write(&format!("search {line} {eval} 0 {depth}\n{nodes}"))
    }

    fn on_result(&mut self, result: SearchResult<Reply>, search: RunningSearch) -> io::Result<()> {
        self.engine = result.engine;
        if self.cancelled {
            return self.write("status");
        }
        let text = match (result.reply, &self.game) {
            (Some(Reply::Best(best)), Some(game)) => match *best {
                Ok(best) => {
                    let eval = best.score().map_or(String::new(), |score| discs(score, game.side()));
                    format!("=== {}/{eval}/{:.3}", move_name(&best.mv), search.received.elapsed().as_secs_f64())
                }
                Err(error) => return self.write_error(&error.to_string()),
            },
            (Some(Reply::Analysis(lines)), _) => lines.join("\n"),
            (Some(_), _) => String::new(),
            (None, _) => return self.write_error("the search broke down"),
        };
        self.write(format!("{text}\nstatus").trim_start())
    }
}

impl<W: Write> NboardEngine<W> {
    /// An engine before its first command.
    pub fn new(output: W) -> Self {
        NboardEngine { output, game: None, depth: None, time: None, engine: None, task: None, cancelled: false }
    }

    /// Executes a command. Returns the text to write, or an error message.
    fn execute(&mut self, command: Command, received: Instant) -> Result<String, String> {
        let text = |error: EngineError| error.to_string();
        match command {
            Command::Hello => return Ok(format!("set myname Polyply {}", env!("CARGO_PKG_VERSION"))),
            Command::Depth(depth) => self.depth = Some(depth),
            Command::Game(spec, time) => {
                self.game = Some(Board::at(&variant()?, &spec).map_err(text)?);
                self.time = time;
            }
            Command::Set(name, value) => self.engine()?.set_option(&name, &value).map_err(text)?,
            Command::Move(mv) => self.game.as_mut().ok_or(NO_GAME)?.play(&mv).map_err(text)?,
            Command::Ping(number) => return Ok(format!("pong {}", quote(&number))),
            Command::Learn => return Ok("learned".into()),
            Command::Go => {
                let request = self.request(1)?;
                return self
                    .start(received, request.limits, move |context| Reply::Best(Box::new(context.play(&request))));
            }
            Command::Hint(lines) => {
                let request = self.request(lines)?;
                return self.start(received, request.limits, move |context| match context.best_move(&request) {
                    Ok(_) => Reply::Told,
                    Err(error) => Reply::Best(Box::new(Err(error))),
                });
            }
            Command::Analyze => {
                let game = self.game.as_ref().ok_or(NO_GAME)?.clone();
                let limits = Limits::depth(self.depth.unwrap_or(USUAL_DEPTH));
                return self.start(received, limits, move |context| Reply::Analysis(analysis(&game, limits, context)));
            }
            Command::Quit | Command::Nothing => {}
        }
        Ok(String::new())
    }

    /// A search of the current position.
    fn request(&self, lines: usize) -> Result<Request, String> {
        let game = self.game.as_ref().ok_or(NO_GAME)?;
        if let Some(outcome) = game.outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        let clock = self.time.map(|remaining| Clock { remaining, increment: Duration::ZERO, moves_to_go: None });
        let limits = match (self.depth, clock) {
            (None, Some(_)) => Limits { clock, ..Limits::default() },
            (depth, _) => Limits::depth(depth.unwrap_or(USUAL_DEPTH)),
        };
        Ok(Request { limits, multipv: Some(lines), ..Request::new(game) })
    }

    fn start(
        &mut self,
        received: Instant,
        limits: Limits,
        work: impl FnOnce(&mut SearchContext<'_, Reply>) -> Reply + Send + 'static,
    ) -> Result<String, String> {
        self.engine()?;
        let engine = self.engine.take().ok_or("there is no engine")?;
        let deadline = limits.clock.map(|clock| Instant::now() + clock.remaining);
        self.task = Some(SearchTask { engine, received, limits, deadline, work: Box::new(work) });
        Ok("status thinking".into())
    }

    /// The engine, created if there is none.
    fn engine(&mut self) -> Result<&mut Engine, String> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::new(&variant()?, &Options { own_book: true, ..Options::default() })
                .map_err(|error| error.to_string())?,
        };
        Ok(self.engine.insert(engine))
    }

    fn write_error(&mut self, message: &str) -> io::Result<()> {
        self.write(&format!("status error: {}", session::one_line(message)))
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        session::write_line(&mut self.output, text)
    }
}

const NO_GAME: &str = "there is no game yet; it begins with `set game`";

/// The game that the protocol is used for.
fn variant() -> Result<Variant, String> {
    Variant::main_of("nboard").ok_or_else(|| "there is no game that NBoard knows".into())
}

fn empties(game: &Board) -> i32 {
    game.pieces().iter().filter(|piece| piece.is_none()).count() as i32
}

/// A score in discs, from the side to move.
fn discs(score: Score, side: Side) -> String {
    let sign = if side == Side::First { 1.0 } else { -1.0 };
    let discs = match score {
        Score::Points(points) => f64::from(points),
        Score::Centi(centi) => f64::from(centi) / 100.0,
        Score::Win(plies) => ggf::cells() as f64 * f64::from(plies.signum()),
    };
    format!("{:+.2}", sign * discs)
}

/// The score of each position of a game, the last position first.
fn analysis(game: &Board, limits: Limits, context: &mut SearchContext<'_, Reply>) -> Vec<String> {
    let (mut lines, mut board) = (Vec::new(), game.clone());
    loop {
        let score = match board.outcome() {
            Some(polyply_engine::Outcome::Points(points)) => Some(Score::Points(points)),
            Some(_) => Some(Score::Points(0)),
            None => context.search(&Request { limits, ..Request::new(&board) }).ok().and_then(|best| best.score()),
        };
        if context.stopped() {
            break;
        }
        let played = board.moves().len();
        lines.extend(score.map(|score| format!("analysis {played} {}", discs(score, board.side()))));
        if !board.undo() {
            break;
        }
    }
    lines
}
