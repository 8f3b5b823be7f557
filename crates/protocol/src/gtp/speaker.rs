//! The engine's end: the game so far, and what is answered to each command.

use super::command::{Command, NAMES};
use super::pace::Pace;
use crate::lines::{LONGEST, Line};
use crate::session::{Desk, Errand, Flow, GO_ON, Overheard, Said, Talk, Thinking, Thought};
use crate::vertex;
use polyply_engine::registry::games;
use polyply_engine::{Best, Board, Engine, EngineError, Info, Limits, Options, Outcome, Request, Side, Variant};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// One end of a conversation.
pub struct Speaker<W> {
    output: W,
    variant: Variant,
    board: Option<Board>,
    pace: Pace,
    /// The engine, while it does not think.
    engine: Option<Engine>,
    errand: Option<Errand<Result<Best, EngineError>>>,
    /// Whose answer is being thought about, and whether the move is played.
    asked: (String, bool),
}

impl<W: Write> Talk for Speaker<W> {
    type Reply = Result<Best, EngineError>;

    fn overhear(&mut self, line: &str, desk: &mut Desk<Self::Reply>) -> io::Result<Overheard> {
        // A comment to everybody else; GoGui says it where the engine knows `gogui-interrupt`.
        if line.trim().eq_ignore_ascii_case("# interrupt") {
            desk.thinking().iter().for_each(|thinking| thinking.stop());
            return Ok(Overheard::Done);
        }
        Ok(if Command::parse(line).name == "quit" { Overheard::Ends } else { Overheard::Waits })
    }

    fn hear(&mut self, said: &Said, desk: &mut Desk<Self::Reply>) -> Flow {
        let command = match &said.line {
            Line::Text(line) => Command::parse(line),
            Line::TooLong => {
                self.reply("", Err(format!("a line has at most {LONGEST} bytes; this one is ignored")))?;
                return GO_ON;
            }
        };
        if command.name.is_empty() {
            return GO_ON;
        }
        let done = self.obey(&command, said.when);
        match self.errand.take() {
            Some(errand) => desk.think(errand),
            None => self.reply(&command.id, done)?,
        }
        if command.name == "quit" { Ok(ControlFlow::Break(())) } else { GO_ON }
    }

    fn tell(&mut self, _: Info) -> io::Result<()> {
        Ok(())
    }

    fn answer(&mut self, thought: Thought<Self::Reply>, thinking: Thinking) -> io::Result<()> {
        self.engine = thought.engine;
        let (id, plays) = std::mem::take(&mut self.asked);
        let done = match thought.reply {
            Some(Ok(best)) => self.finish(&best, plays, &thinking),
            Some(Err(error)) => Err(error.to_string()),
            None => Err("the search broke down".into()),
        };
        self.reply(&id, done)
    }
}

impl<W: Write> Speaker<W> {
    /// One that has heard nothing yet.
    pub fn new(output: W, variant: &Variant) -> Self {
        Speaker {
            output,
            variant: variant.clone(),
            board: None,
            pace: Pace::default(),
            engine: None,
            errand: None,
            asked: Default::default(),
        }
    }

    /// Does what was asked; the answer, or why it can't be done.
    fn obey(&mut self, command: &Command, when: Instant) -> Result<String, String> {
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
            "genmove" => self.think(command, when, true)?,
            "reg_genmove" => self.think(command, when, false)?,
            "undo" => match self.board().undo() {
                true => String::new(),
                false => return Err("there is nothing to undo".into()),
            },
            "showboard" => format!("\n{}", self.board().drawing().trim_end()),
            "time_settings" => {
                let what = "main time, extra time and moves";
                self.pace.set(command.number(0, what)?, command.number(1, what)?, command.number(2, what)?);
                String::new()
            }
            "time_left" => {
                let what = "a colour, seconds and moves";
                let wrong = |_| format!("time_left takes {what}");
                let left = Duration::try_from_secs_f64(command.number(1, what)?).map_err(wrong)?;
                self.pace.tell_left(command.side(0)?, left, command.number(2, what)?);
                String::new()
            }
            "set_limit" => {
                let number: u64 = command.number(1, "depth or nodes, and a number")?;
                self.pace.limit(match command.args[0].as_str() {
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
                // Other engines write a capital.
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

    /// The game, begun if it was not.
    fn board(&mut self) -> &mut Board {
        self.board.get_or_insert_with(|| Board::new(&self.variant))
    }

    /// Another game begins.
    fn begin(&mut self, variant: &Variant) {
        self.variant = variant.clone();
        self.board = None;
        self.pace.restart();
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

    fn think(&mut self, command: &Command, began: Instant, plays: bool) -> Result<String, String> {
        let side = command.side(0)?;
        let board = self.board();
        if let Some(outcome) = board.outcome() {
            return Err(format!("the game is over: {outcome}"));
        }
        if board.side() != side {
            return Err(format!("it is {}'s turn", colour(board.side())));
        }
        let request = Request { multipv: Some(1), ..Request::new(board) };
        let limits = self.pace.limits(side);
        let request = Request { limits, ..request };
        self.engine()?;
        let engine = self.engine.take().ok_or("there is no engine")?;
        let time = limits.time.or(limits.clock.map(|clock| clock.remaining));
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let question = Box::new(move |mind: &mut crate::session::Mind<'_, _>| mind.best(&request));
        self.asked = (command.id.clone(), plays);
        self.errand = Some(Errand { engine, began, limits, deadline, question });
        Ok(String::new())
    }

    /// The move that was found, played where it was asked for.
    fn finish(&mut self, best: &Best, plays: bool, thinking: &Thinking) -> Result<String, String> {
        let board = self.board();
        let (name, side) = (vertex::of_move(board, &best.mv), board.side());
        if plays {
            board.play(&best.mv).map_err(|error| error.to_string())?;
            self.pace.spend(side, thinking.began.elapsed());
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

    /// The engine, made anew if there is none.
    fn engine(&mut self) -> Result<&mut Engine, String> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::new(&self.variant, &Options::default()).map_err(|error| error.to_string())?,
        };
        Ok(self.engine.insert(engine))
    }

    /// `=` and the answer, or `?` and a sentence, and an empty line.
    fn reply(&mut self, id: &str, done: Result<String, String>) -> io::Result<()> {
        let (sign, text) = match done {
            Ok(text) => ('=', text),
            Err(text) => ('?', quote_long(&text)),
        };
        let blank = if text.is_empty() { "" } else { " " };
        write!(self.output, "{sign}{id}{blank}{text}\n\n")?;
        self.output.flush()
    }
}

/// A sentence of one line and bounded length.
fn quote_long(text: &str) -> String {
    text.replace(['\n', '\r'], " ").chars().take(300).collect()
}

fn colour(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

/// The rows of a board, the one with the greatest number first, `X` for black and `O` for white.
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
