//! The [Universal Chess Interface](https://www.shredderchess.com/download/div/uci.zip), with Polyply as the engine, for
//! all its games.
//!
//! The same protocol exists under a second name, `uai`, for another game. With `uci` the game is chess until the option
//! `UCI_Variant` changes it. Moves and positions use the notation of the game, and `fen` precedes every position, even
//! one that is not a FEN. [`run`] is the entry point. `docs/protocols.md` lists commands and options.
//!
//! ```
//! let commands = "setoption name Hash value 1\nsetoption name UCI_Variant value connect4\n";
//! let script = format!("{commands}position startpos moves d\ngo depth 6\n");
//! let mut answers = Vec::new();
//! polyply_protocol::uci::run(std::io::Cursor::new(script), &mut answers).unwrap();
//! assert!(String::from_utf8(answers).unwrap().lines().last().unwrap().starts_with("bestmove d"));
//! ```

mod command;
mod engine;
mod go;
mod messages;
mod options;

use crate::session;
use std::io::{self, BufRead, Write};

/// Runs until it is told to quit, its input has ended and every command is answered, or its output is closed.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    session::run(input, &mut engine::UciEngine::new(output))
}
