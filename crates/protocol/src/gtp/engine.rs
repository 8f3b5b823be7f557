//! The engine side: the game so far, and the answer to each command.

use super::command::{Command, NAMES};
use super::time::TimeControl;
use crate::session::{
    self, CONTINUE, Flow, Handler, InputLine, LineStatus, QUIT, RunningSearch, SearchContext, SearchResult, SearchTask,
    Session,
};
use crate::vertex;
use polyply_engine::registry::games;
use polyply_engine::{Best, Board, Engine, EngineError, Info, Limits, Options, Outcome, Request, Side, Variant};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// A GTP engine.
pub struct GtpEngine<W> {
    output: W,
    variant: Variant,
    board: Option<Board>,
    time: TimeControl,
    /// The engine, unless it is searching.
    engine: Option<Engine>,
    task: Option<SearchTask<Result<Best, EngineError>>>,
    /// The id of the command that is being searched for, and whether to play the move.
    asked: (String, bool),
}

impl<W: Write> Handler for GtpEngine<W> {
    type Reply = Result<Best, EngineError>;

    fn on_line_during_search(&mut self, line: &str, session: &mut Session<Self::Reply>) -> io::Result<LineStatus> {
        // A comment by the protocol; GoGui sends it to engines that know `gogui-interrupt`.
        if line.trim().eq_ignore_ascii_case("# interrupt") {
            session.search().iter().for_each(|search| search.stop());
            return Ok(LineStatus::Handled);
        }
        Ok(if Command::parse(line).name == "quit" { LineStatus::Quit } else { LineStatus::Deferred })
    }

    fn on_line(&mut self, line: &InputLine, session: &mut Session<Self::Reply>) -> Flow {
        let command = match line.parse(|text| Ok(Command::parse(text))) {
            Ok(command) if command.name.is_empty() => return CONTINUE,
            Ok(command) => command,
            Err(message) => {
                self.respond("", Err(message))?;
                return CONTINUE;
            }
        };
        let done = self.execute(&command, line.received);
        match self.task.take() {
            Some(task) => session.start_search(task),
            None => self.respond(&command.id, done)?,
        }
        if command.name == "quit" { QUIT } else { CONTINUE }
    }

    fn on_info(&mut self, _: Info) -> io::Result<()> {
        Ok(())
    }

    fn on_result(&mut self, result: SearchResult<Self::Reply>, search: RunningSearch) -> io::Result<()> {
        self.engine = result.engine;
        let (id, plays) = std::mem::take(&mut self.asked);
        let done = match result.reply {
            Some(Ok(best)) => self.finish(&best, plays, &search),
            Some(Err(error)) => Err(error.to_string()),
            None => Err("the search broke down".into()),
        };
        self.respond(&id, done)
    }
}

impl<W: Write> GtpEngine<W> {
    /// An engine before its first command.
    pub fn new(output: W, variant: &Variant) -> Self {
        GtpEngine {
            output,
            variant: variant.clone(),
            board: None,
            time: TimeControl::default(),
            engine: None,
            task: None,
            asked: Default::default(),
        }
    }

    /// Executes a command. Returns the answer, or an error message.
    fn execute(&mut self, command: &Command, received: Instant) -> Result<String, String> {
        let text = |error: EngineError| error.to_string();
        let done = match command.name.as_str() {
            "protocol_version" => "2".into(),
            "name" => "Polyply".into(),
            "version" => env!("CARGO_PKG_VERSION").into(),
            "known_command" => NAMES.contains(&command.arg(0, "a name")?).to_string(),
            "list_commands" => NAMES.join("\n"),
            "quit" | "komi" | "gogui-interrupt" => String::new(),
            "boardsize" => self.resize(command.number(0, "a size")?)?,
            "clear_board" => {
                self.begin(&self.variant.clone());
                String::new()
            }
            "play" => self.play(command.side(0)?, command.arg(1, "a colour and a move")?)?,
            "genmove" => self.think(command, received, true)?,
            "reg_genmove" => self.think(command, received, false)?,
            "undo" => match self.board().undo() {
                true => String::new(),
                false => return Err("there is nothing to undo".into()),
            },
            "showboard" => format!("\n{}", self.board().drawing().trim_end()),
            "time_settings" => {
                let what = "main time, extra time and moves";
                self.time.set(command.number(0, what)?, command.number(1, what)?, command.number(2, what)?);
                String::new()
            }
            "time_left" => {
                let what = "a colour, seconds and moves";
                let wrong = |_| format!("time_left takes {what}");
                let left = Duration::try_from_secs_f64(command.number(1, what)?).map_err(wrong)?;
                self.time.tell_left(command.side(0)?, left, command.number(2, what)?);
                String::new()
            }
            "set_limit" => {
                let number: u64 = command.number(1, "depth or nodes, and a number")?;
                self.time.limit(match command.args[0].as_str() {
                    "depth" => Limits::depth(number.clamp(1, 255) as i32),
                    "nodes" => Limits::nodes(number.max(1)),
                    _ => return Err("set_limit takes depth or nodes, and a number".into()),
                });
                String::new()
            }
            "set_option" => {
                let (name, value) = (command.arg(0, "a name and a value")?, command.arg(1, "a name and a value")?);
                self.engine()?.set_option(name, value).map_err(text)?;
                String::new()
            }
            "list_games" => games().map(|about| about.name).collect::<Vec<_>>().join("\n"),
            "set_game" => {
                // Other programs capitalise the name.
                let variant = Variant::find(&command.arg(0, "a game")?.to_ascii_lowercase()).map_err(text)?;
                self.begin(&variant);
                String::new()
            }
            "final_score" => self.final_score()?,
            "gogui-rules_game_id" => self.variant.about().title.to_owned(),
            "gogui-rules_board_size" => {
                let layout = self.variant.layout();
                layout.columns.max(layout.rows).to_string()
            }
            "gogui-rules_board" => rows(self.board()),
            "gogui-rules_legal_moves" => vertex::legal(self.board()).join(" "),
            "gogui-rules_side_to_move" => match self.board() {
                board if board.outcome().is_some() => String::new(),
                board => colour(board.side()).to_owned(),
            },
            "gogui-rules_final_result" => self.board().outcome().map_or(String::new(), |outcome| outcome.to_string()),
            _ => return Err("unknown command".into()),
        };
        Ok(done)
    }

    /// The game, started if there is none.
    fn board(&mut self) -> &mut Board {
        self.board.get_or_insert_with(|| Board::new(&self.variant))
    }

    /// Starts a new game.
    fn begin(&mut self, variant: &Variant) {
        self.variant = variant.clone();
        self.board = None;
        self.time.restart();
        if let Some(engine) = &mut self.engine {
            if engine.variant().name() != variant.name() {
                engine.set_variant(variant);
            }
            engine.new_game();
        }
    }

    fn resize(&mut self, size: usize) -> Result<String, String> {
        let layout = self.variant.layout();
        if (layout.columns, layout.rows) != (size, size) {
            let name = format!("{}:{size}", self.variant.about().name);
            let rules = &self.variant.setup().rules;
            let variant = Variant::with_rules(&name, rules).map_err(|_| "unacceptable size")?;
            self.begin(&variant);
        } else {
            self.begin(&self.variant.clone());
        }
        Ok(String::new())
    }

    fn play(&mut self, side: Side, vertex: &str) -> Result<String, String> {
        let board = self.board();
        if board.outcome().is_none() && board.side() != side {
            return Err(format!("illegal move: it is {}'s turn", colour(board.side())));
        }
        let mv = vertex::to_move(board, vertex);
        board.play(&mv).map_err(|error| format!("illegal move: {error}"))?;
        Ok(String::new())
    }

    fn think(&mut self, command: &Command, received: Instant, plays: bool) -> Result<String, String> {
        let side = command.side(0)?;
        let board = self.board();
        if let Some(outcome) = board.outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        if board.side() != side {
            return Err(format!("it is {}'s turn", colour(board.side())));
        }
        let request = Request { multipv: Some(1), ..Request::new(board) };
        let limits = self.time.limits(side);
        let request = Request { limits, ..request };
        self.engine()?;
        let engine = self.engine.take().ok_or("there is no engine")?;
        let longest = limits.time.or(limits.clock.map(|clock| clock.remaining));
        let deadline = longest.and_then(|time| Instant::now().checked_add(time));
        let work = Box::new(move |context: &mut SearchContext<'_, _>| context.play(&request));
        self.asked = (command.id.clone(), plays);
        self.task = Some(SearchTask { engine, received, limits, deadline, work });
        Ok(String::new())
    }

    /// Names the move that was found, and plays it if the command says so.
    fn finish(&mut self, best: &Best, plays: bool, search: &RunningSearch) -> Result<String, String> {
        let board = self.board();
        let (name, side) = (vertex::of_move(board, &best.mv), board.side());
        if plays {
            board.play(&best.mv).map_err(|error| error.to_string())?;
            self.time.spend(side, search.received.elapsed());
        }
        Ok(name)
    }

    fn final_score(&mut self) -> Result<String, String> {
        let outcome = self.board().outcome().ok_or("the game is not over")?;
        let letter = |side: Side| if side == Side::First { "B" } else { "W" };
        Ok(match (outcome.winner(), outcome) {
            (None, _) => "0".into(),
            (Some(side), Outcome::Points(points)) => format!("{}+{}", letter(side), points.abs()),
            (Some(side), _) => format!("{}+", letter(side)),
        })
    }

    /// The engine, created if there is none.
    fn engine(&mut self) -> Result<&mut Engine, String> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::new(&self.variant, &Options { own_book: true, ..Options::default() })
                .map_err(|error| error.to_string())?,
        };
        Ok(self.engine.insert(engine))
    }

    /// Writes `=` and the answer, or `?` and a message, and an empty line.
    fn respond(&mut self, id: &str, done: Result<String, String>) -> io::Result<()> {
        let (sign, text) = match done {
            Ok(text) => ('=', text),
            Err(text) => ('?', session::one_line(&text)),
        };
        let blank = if text.is_empty() { "" } else { " " };
        write!(self.output, "{sign}{id}{blank}{text}\n\n")?;
        self.output.flush()
    }
}

fn colour(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

/// The rows of a board, the highest number first, with `X` for black and `O` for white.
fn rows(board: &Board) -> String {
    let layout = board.variant().layout();
    let cells = board.pieces();
    let sign = |code: &Option<&'static str>| match code {
        None => ".",
        Some("x") => "X",
        Some("o") => "O",
        Some(piece) if piece.starts_with('w') => "X",
        Some(_) => "O",
    };
    let row = |row: &[Option<&'static str>]| row.iter().map(sign).collect::<Vec<_>>().join(" ");
    let mut rows: Vec<String> = cells.chunks(layout.columns).map(row).collect();
    if layout.first_row_on_top {
        rows.reverse();
    }
    format!("\n{}", rows.join("\n"))
}
