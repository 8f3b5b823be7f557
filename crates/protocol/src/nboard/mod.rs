//! The [NBoard protocol](https://github.com/weltyc/ntest/blob/master/instructions/Protocol.htm) of Othello, version 2,
//! with Polyply as the engine.
//!
//! The board sends the whole game in GGF, and then each move. The engine is asked for a move (`go`) or for hints, and
//! never plays by itself. A `ping` stops a search. [`run`] is the entry point; `docs/protocols.md` lists the commands.

mod command;
mod engine;

use crate::session;
use std::io::{self, BufRead, Write};

/// Runs until it is told to quit, its input has ended and every command is answered, or its output is closed.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    session::run(input, &mut engine::NboardEngine::new(output))
}
