//! `pbrain-polyply`: `polyply gomocup` under the name that Gomocup managers expect.

use polyply_protocol::gomocup;
use std::io::{self, BufReader, ErrorKind};
use std::process::ExitCode;

fn main() -> ExitCode {
    match gomocup::run(BufReader::new(io::stdin()), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        // The manager has gone.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pbrain-polyply: {error}");
            ExitCode::FAILURE
        }
    }
}
