//! The [Universal Chess Interface](https://www.shredderchess.com/download/div/uci.zip), with Polyply as the engine, for all
//! its games.
//!
//! The protocol has a second name, `uai`, under which it is made for another game and is otherwise the same. With `uci`,
//! chess is what is played until the option `UCI_Variant` says otherwise; moves and positions are written as the game
//! writes them, and a position that is no FEN goes behind `fen` all the same. [`run`] is the whole conversation.
//! `docs/protocols.md` lists commands and options.
//!
//! ```
//! let script = "setoption name Hash value 1\nsetoption name UCI_Variant value connect4\nposition startpos moves d\ngo depth 6\n";
//! let mut answers = Vec::new();
//! polyply_protocol::uci::run(script.as_bytes(), &mut answers).unwrap();
//! assert!(String::from_utf8(answers).unwrap().lines().last().unwrap().starts_with("bestmove d"));
//! ```

mod command;
mod engine;
mod go;
mod messages;
mod options;

use crate::session;
use std::io::{self, BufRead, Write};

/// Answers until it is told to quit, its input ends and everything is answered, or nobody reads the answers.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    session::run(input, &mut engine::UciEngine::new(output))
}
