//! The [Go Text Protocol](https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html), version 2, with
//! Polyply as the engine, for all its games.
//!
//! [GoGui's extension](https://github.com/Remi-Coulom/gogui/blob/master/doc/manual/xml/rules.xml) `gogui-rules` lists
//! the legal moves, so that an interface can play games whose rules it does not know. [`run`] is the entry point;
//! `docs/protocols.md` lists the commands.

mod command;
mod engine;
mod time;

use crate::session;
use polyply_engine::Variant;
use std::io::{self, BufRead, Write};

/// Runs until it is told to quit, its input has ended and every command is answered, or its output is closed. Plays
/// `variant` until `set_game` changes it.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write, variant: &Variant) -> io::Result<()> {
    session::run(input, &mut engine::GtpEngine::new(output, variant))
}
