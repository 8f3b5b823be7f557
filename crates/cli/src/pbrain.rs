//! `pbrain-polyply`: the engine under a name by which Gomocup managers find it.

mod gomocup;

use std::io::ErrorKind;
use std::process::ExitCode;

fn main() -> ExitCode {
    match gomocup::run() {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads the answers any more.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pbrain-polyply: {error}");
            ExitCode::FAILURE
        }
    }
}
