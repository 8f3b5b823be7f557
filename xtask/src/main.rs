//! Chores of the project, run as `cargo xtask <chore>`.

mod genericity;
mod prove;
mod tests;
mod tools;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test         install what the tests need and pass them all
cargo xtask genericity   count what the core's generality costs in instructions (needs valgrind)
cargo xtask prove        solve Connect Four by each of its seven first moves, and check the known results";

fn main() -> ExitCode {
    let chore = std::env::args().nth(1);
    let done = match chore.as_deref() {
        Some("test") => tests::run(),
        Some("genericity") => genericity::run(),
        Some("prove") => prove::every_first_move(),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
