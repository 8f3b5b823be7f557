//! The [NBoard protocol](https://github.com/weltyc/ntest/blob/master/instructions/Protocol.htm) of Othello, version 2, with
//! Polyply as the engine.
//!
//! The board tells the whole game in GGF and then move by move; the engine is asked for a move (`go`) or for hints, and
//! never plays by itself. A `ping` ends whatever it thinks about. [`run`] is the whole conversation; `docs/protocols.md`
//! lists the commands.

mod command;
mod engine;

use crate::session;
use std::io::{self, BufRead, Write};

/// Answers until it is told to quit, its input ends and everything is answered, or nobody reads the answers.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    session::run(input, &mut engine::NboardEngine::new(output))
}
