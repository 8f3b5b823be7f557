//! The [Go Text Protocol](https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html), version 2, with Polyply
//! as the engine, for all its games.
//!
//! [GoGui's extension](https://github.com/Remi-Coulom/gogui/blob/master/doc/manual/xml/rules.xml) `gogui-rules` tells a board
//! which moves are legal, so that it can play games whose rules it does not know. [`run`] is the whole conversation;
//! `docs/protocols.md` lists the commands.

mod command;
mod engine;
mod time;

use crate::session;
use polyply_engine::Variant;
use std::io::{self, BufRead, Write};

/// Answers until it is told to quit, its input ends and everything is answered, or nobody reads the answers. The game is
/// this one until another is asked for.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write, variant: &Variant) -> io::Result<()> {
    session::run(input, &mut engine::GtpEngine::new(output, variant))
}
