//! The Gomocup protocol of five in a row, with Polyply as the brain.
//!
//! A manager (Piskvork, c-gomoku-cli, a Yixin-Board) sends commands, one a line: `START 15`, `TURN 7,7`. The brain answers
//! most of them with one line: `OK`, the point it plays, `ERROR` with a sentence, or `UNKNOWN`. [`run`] is the whole
//! conversation. `docs/gomocup.md` lists the commands.
//!
//! A manager is heard while the brain thinks, see `session`; the `brain` knows the game and writes.
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

/// Answers a manager until it says `END`, its input ends and everything is answered, or nobody reads the answers.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    session::run(input, &mut engine::GomocupEngine::new(output))
}
