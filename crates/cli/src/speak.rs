//! `polyply uci`, `gomocup`, `nboard` and `gtp`: engine protocols on stdin and stdout.

use crate::args::Command;
use crate::failure::Failure;
use polyply_protocol::{gomocup, gtp, nboard, uci};
use std::io::{self, BufReader};

/// Speaks the protocol of a command.
pub fn run(command: &Command) -> Result<(), Failure> {
    // Stdin is not locked, because another thread reads it.
    let (input, output) = (BufReader::new(io::stdin()), io::stdout());
    match command {
        Command::Gtp(args) => gtp::run(input, output, &args.variant()?)?,
        Command::Nboard => nboard::run(input, output)?,
        Command::Gomocup => gomocup::run(input, output)?,
        _ => uci::run(input, output)?,
    }
    Ok(())
}
