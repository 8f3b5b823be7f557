//! `polyply gomocup`: the Gomocup protocol on stdin and stdout.

use polyply_protocol::gomocup;
use std::io::{self, BufReader};

pub fn run() -> io::Result<()> {
    // Not the locked stdin: it is read in another thread.
    gomocup::run(BufReader::new(io::stdin()), io::stdout())
}
