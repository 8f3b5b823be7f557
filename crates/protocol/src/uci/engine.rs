//! The engine side: the position, and the answer to each command.

use super::command::Command;
use super::go::Go;
use super::messages;
use super::options::{self, OptionEffect, UciOptions};
use crate::book_file;
use crate::lines::quote;
use crate::session::{
    self, CONTINUE, Flow, Handler, InputLine, LineStatus, QUIT, RunningSearch, SearchResult, SearchTask, Session,
};
use polyply_engine::{
    BOOK, Best, Board, Engine, EngineError, Info, Limits, Options, Player, PositionSpec, Request, bench,
};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// What a search task returns.
pub enum Reply {
    /// The result of a search.
    Best(Box<Result<Best, EngineError>>),
    /// Text to write.
    Text(String),
}

/// A UCI engine.
pub struct UciEngine<W> {
    output: W,
    options: UciOptions,
    /// The last valid position.
    board: Option<Board>,
    /// The engine, unless it is searching.
    engine: Option<Engine>,
    /// The engine options that were set, in case the engine has to be created again.
    set: Vec<(String, String)>,
    /// The engine's tables have been touched since they were allocated.
    prepared: bool,
    /// The last report of the best line.
    last: Option<Info>,
    task: Option<SearchTask<Reply>>,
}

impl<W: Write> Handler for UciEngine<W> {
    type Reply = Reply;

    fn on_line_during_search(&mut self, line: &str, session: &mut Session<Reply>) -> io::Result<LineStatus> {
        let Some(search) = session.search() else { return Ok(LineStatus::Deferred) };
        match Command::parse(line) {
            Ok(Command::IsReady) => self.write("readyok")?,
            Ok(Command::Stop) => search.stop(),
            Ok(Command::PonderHit) => search.ponderhit(),
            Ok(Command::Quit) => {
                search.stop();
                return Ok(LineStatus::Quit);
            }
            _ => return Ok(LineStatus::Deferred),
        }
        Ok(LineStatus::Handled)
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
            session.start_search(task);
        }
        CONTINUE
    }

    fn on_info(&mut self, info: Info) -> io::Result<()> {
        let Some(board) = &self.board else { return Ok(()) };
        let text = messages::info(&info, board.side(), self.options.show_wdl);
        if info.multipv == 1 {
            self.last = Some(info);
        }
        self.write(&text)
    }

    fn on_result(&mut self, result: SearchResult<Reply>, _: RunningSearch) -> io::Result<()> {
        self.engine = result.engine;
        let failed = match result.reply {
            Some(Reply::Text(text)) => return self.write(&text),
            Some(Reply::Best(best)) => match *best {
                Ok(best) => {
                    if best.stage == BOOK {
                        self.write(&format!("info string {} is from the book", best.mv))?;
                    }
                    self.report_change(&best)?;
                    return self.write(&best_move(&best.mv, best.ponder.as_deref()));
                }
                Err(error) => error.to_string(),
            },
            None => "the search broke down".to_owned(),
        };
        // A `go` is always answered with a move.
        self.write_error(&failed)?;
        let any = self.board.as_ref().and_then(|board| board.legal_moves().first().cloned());
        self.write(&best_move(any.as_deref().unwrap_or("(none)"), None))
    }
}

fn best_move(mv: &str, ponder: Option<&str>) -> String {
    let ponder = ponder.map_or(String::new(), |mv| format!(" ponder {mv}"));
    format!("bestmove {mv}{ponder}")
}

impl<W: Write> UciEngine<W> {
    /// An engine before its first command.
    pub fn new(output: W) -> Self {
        UciEngine {
            output,
            options: UciOptions::default(),
            board: None,
            engine: None,
            set: Vec::new(),
            prepared: false,
            last: None,
            task: None,
        }
    }

    /// A search that was stopped may have found a better move since it last reported of one.
    fn report_change(&mut self, best: &Best) -> io::Result<()> {
        let reported = self.last.take();
        match (reported, best.lines.first()) {
            (Some(reported), Some(line)) if reported.line.first() != Some(&best.mv) => self.on_info(Info {
                depth: line.depth,
                certainty: line.certainty,
                seldepth: best.seldepth,
                score: line.score,
                bound: line.bound,
                nodes: best.nodes,
                time: best.time,
                nps: best.nps(),
                line: line.moves.clone(),
                ..reported
            }),
            _ => Ok(()),
        }
    }

    /// Executes a command. Returns the text to write, or an error message.
    fn execute(&mut self, command: Command, received: Instant) -> Result<String, String> {
        let text = |error: EngineError| error.to_string();
        match command {
            Command::Hello(protocol) => {
                self.greet(protocol)?;
                let options = options::declared(self.engine()?).join("\n");
                let (version, authors) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_AUTHORS"));
                Ok(format!("id name Polyply {version}\nid author {authors}\n{options}\n{protocol}ok"))
            }
            Command::IsReady => {
                if !self.prepared {
                    self.engine()?.prepare();
                    self.prepared = true;
                }
                Ok("readyok".into())
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()).map(|()| String::new()),
            Command::NewGame => {
                let engine = self.engine()?;
                engine.new_game();
                engine.flush();
                Ok(String::new())
            }
            Command::Position { position, moves } => {
                // Only the moves that differ from the current position are played or taken back.
                self.board()?.go_to(&PositionSpec { position, moves }).map_err(text)?;
                Ok(String::new())
            }
            Command::Go(go) => self.go(&go, received),
            Command::Perft(depth) => {
                let board = self.board()?.clone();
                self.work(move || perft(&board, depth))
            }
            Command::Show => {
                let board = self.board()?;
                let moves = board.legal_moves().join(" ");
                Ok(format!("{}\nFen: {}\nMoves: {moves}", board.drawing().trim_end(), board.text()))
            }
            Command::Eval => {
                let board = self.board()?;
                let score = board.evaluate().map_err(text)?;
                Ok(format!("info string the evaluation is {score} from the first player's side"))
            }
            Command::Bench => {
                let variant = self.options.variant().map_err(text)?;
                self.work(move || match bench(&variant, &Options::default(), &[], &mut |_| ()) {
                    Ok(sum) => format!("{} nodes {} nps", sum.nodes, sum.nps()),
                    Err(error) => error.to_string(),
                })
            }
            // No search is running.
            Command::Stop | Command::PonderHit | Command::Quit | Command::Nothing => Ok(String::new()),
        }
    }

    /// Switches to the game that the protocol of this name was made for.
    fn greet(&mut self, protocol: &'static str) -> Result<(), String> {
        self.options.speak(protocol);
        self.change_game()
    }

    /// Plays what the options say.
    fn change_game(&mut self) -> Result<(), String> {
        let variant = self.options.variant().map_err(|error| error.to_string())?;
        let engine = self.engine()?;
        if engine.variant().name() != variant.name() {
            engine.set_variant(&variant);
            self.board = None;
            // A book is for one game. That of another one stays set, in case that game comes back.
            let _ = self.open_book();
        }
        Ok(())
    }

    /// Opens the book file that was set.
    fn open_book(&mut self) -> Result<(), String> {
        let variant = self.options.variant().map_err(|error| error.to_string())?;
        let open = |path: &String| {
            book_file::open(Path::new(path), &variant).map_err(|error| format!("{}: {error}", quote(path)))
        };
        let book = self.options.book_file.as_ref().map(open).transpose()?;
        self.engine()?.set_book(book);
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let before = self.options.clone();
        match self.options.set(name, value)? {
            OptionEffect::Book => {
                if let Err(message) = self.open_book() {
                    self.options = before;
                    return Err(message);
                }
            }
            OptionEffect::Nothing => {}
            OptionEffect::Clear => self.engine()?.flush(),
            OptionEffect::Game => self.change_game()?,
            OptionEffect::Engine => {
                let (name, value) = (options::known(name), value.unwrap_or_default());
                self.engine()?.set_option(&name, value).map_err(|error| error.to_string())?;
                self.set.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
                self.set.push((name, value.to_owned()));
                self.prepared = false;
            }
        }
        Ok(())
    }

    /// The engine, created if there is none.
    fn engine(&mut self) -> Result<&mut Engine, String> {
        let text = |error: EngineError| error.to_string();
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let variant = self.options.variant().map_err(text)?;
                let mut engine = Engine::new(&variant, &Options::default()).map_err(text)?;
                for (name, value) in &self.set {
                    engine.set_option(name, value).map_err(text)?;
                }
                let open = |path: &String| book_file::open(Path::new(path), &variant).ok();
                engine.set_book(self.options.book_file.as_ref().and_then(open));
                engine
            }
        };
        Ok(self.engine.insert(engine))
    }

    /// The position; the start until one is set.
    fn board(&mut self) -> Result<&mut Board, String> {
        let board = match self.board.take() {
            Some(board) => board,
            None => {
                let variant = self.options.variant().map_err(|error| error.to_string())?;
                Board::new(&variant)
            }
        };
        Ok(self.board.insert(board))
    }

    fn go(&mut self, go: &Go, received: Instant) -> Result<String, String> {
        let board = self.board()?.clone();
        if let Some(outcome) = board.outcome() {
            let score = if outcome.winner().is_some() { "mate 0" } else { "cp 0" };
            return Ok(format!("info depth 0 score {score}\nbestmove (none)"));
        }
        let overhead = self.engine()?.option("move_overhead").map_or(10, |option| option.value);
        let limits = go.limits(board.side(), received.elapsed(), Duration::from_millis(overhead.max(0) as u64));
        // As other engines do: what is no move is reported and left out.
        let named = |mv: &String| board.after(mv).ok()?.moves().last().cloned();
        let search_moves: Vec<String> = go.search_moves.iter().filter_map(named).collect();
        let left_out = go.search_moves.len() - search_moves.len();
        let ends = !limits.infinite && !limits.ponder;
        let level = self.options.level(board.variant()).filter(|_| ends && go.search_moves.is_empty());
        let time = limits.time.or(limits.clock.map(|clock| clock.remaining)).filter(|_| ends);
        let request = Request { limits, search_moves, ..Request::new(&board) };
        self.last = None;
        self.task = Some(SearchTask {
            engine: self.engine.take().ok_or("there is no engine")?,
            received,
            limits,
            deadline: time.and_then(|time| Instant::now().checked_add(time)),
            work: Box::new(move |context| {
                let best = match level {
                    Some(level) => context.play_as(&request, &Player::of_level(level)),
                    None => context.play(&request),
                };
                Reply::Best(Box::new(best))
            }),
        });
        let mut told = Vec::from_iter(go.complaint.as_ref().map(|complaint| format!("info string {complaint}")));
        if left_out > 0 {
            told.push(format!("info string {left_out} of the moves to search are no moves here, and left out"));
        }
        Ok(told.join("\n"))
    }

    /// Runs something long in the search thread. The engine is not used meanwhile.
    fn work(&mut self, work: impl FnOnce() -> String + Send + 'static) -> Result<String, String> {
        self.engine()?;
        self.task = Some(SearchTask {
            engine: self.engine.take().ok_or("there is no engine")?,
            received: Instant::now(),
            // The work ends by itself.
            limits: Limits::depth(1),
            deadline: None,
            work: Box::new(move |_| Reply::Text(work())),
        });
        Ok(String::new())
    }

    fn write_error(&mut self, message: &str) -> io::Result<()> {
        self.write(&format!("info string {}", session::one_line(message)))
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        session::write_line(&mut self.output, text)
    }
}

/// The number of lines for each move and in total, in Stockfish's format.
fn perft(board: &Board, depth: u32) -> String {
    let lines = board.divide(depth);
    let sum: u64 = lines.iter().map(|(_, count)| count).sum();
    let moves: String = lines.iter().map(|(mv, count)| format!("{mv}: {count}\n")).collect();
    format!("{moves}\nNodes searched: {sum}")
}
