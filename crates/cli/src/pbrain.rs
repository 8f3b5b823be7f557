//! `pbrain-polyply`: the engine under a name by which Gomocup managers find it.

use polyply_protocol::gomocup;
use std::io::{self, BufReader, ErrorKind};
use std::process::ExitCode;

fn main() -> ExitCode {
    match gomocup::run(BufReader::new(io::stdin()), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads the answers any more.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pbrain-polyply: {error}");
            ExitCode::FAILURE
        }
    }
}
