//! The Gomocup protocol of five in a row, with Polyply as the engine (the protocol says "brain").
//!
//! A manager (Piskvork, c-gomoku-cli, Yixin-Board) sends one command a line: `START 15`, `TURN 7,7`. The engine answers
//! most of them with one line: `OK`, the point it plays, `ERROR` with a message, or `UNKNOWN`. [`run`] is the entry
//! point. `docs/gomocup.md` lists the commands.
//!
//! ```
//! let script = "START 15\nINFO max_node 1000\nBEGIN\n";
//! let mut answers = Vec::new();
//! polyply_protocol::gomocup::run(script.as_bytes(), &mut answers).unwrap();
//! let answers = String::from_utf8(answers).unwrap();
//! assert_eq!((answers.lines().next(), answers.lines().last()), (Some("OK"), Some("7,7")));
//! ```

mod command;
mod engine;
mod game;
mod lists;
mod messages;
mod openings;
pub(crate) mod point;
mod point_list;
mod settings;
mod time;

use crate::session;
use std::io::{self, BufRead, Write};

/// Runs until the manager sends `END`, the input has ended and every command is answered, or the output is closed.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    session::run(input, &mut engine::GomocupEngine::new(output))
}
