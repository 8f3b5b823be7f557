//! Chores of the project, run as `cargo xtask <chore>`.

mod api;
mod figures;
mod genericity;
mod load;
mod prove;
mod signatures;
mod tests;
mod tools;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test         install what the tests need and pass them all
cargo xtask fuzz-api     make up requests to the server from its own description, and find no answer of 500 or above
cargo xtask load         play 200 games at a time against the server, and say how soon it answers
cargo xtask web          check the web app: its types, and its pages in a real browser (needs Node and Chromium)
cargo xtask genericity   count what the core's generality costs in instructions (needs valgrind)
cargo xtask prove        solve Connect Four by each of its seven first moves, and check the known results
cargo xtask bench-signatures [--update]
                         compare the nodes of every game's bench with those on file, or write them anew
cargo xtask figures [--check]
                         write the tables and plots of the documentation from measurements/, or see that they are in step";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => tests::run(),
        ["fuzz-api"] => api::run(),
        ["load"] => load::run(),
        ["web"] => web::run(),
        ["genericity"] => genericity::run(),
        ["prove"] => prove::every_first_move(),
        ["bench-signatures"] => signatures::check(),
        ["bench-signatures", "--update"] => signatures::update(),
        ["figures"] => figures::write(),
        ["figures", "--check"] => figures::check(),
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
