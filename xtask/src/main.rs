//! Chores of the project, run as `cargo xtask <chore>`.

mod api;
mod figures;
mod genericity;
mod kill;
mod load;
mod long;
mod prove;
mod signatures;
mod tests;
mod tools;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask test         everything a change must pass, in less than twenty minutes; installs the tools it needs
cargo xtask test --long  the same, then the checks that take minutes each: packages, licences, portable code, Miri,
                         memcheck, fuzz targets
cargo xtask test --only CHECK
                         one check of either list, by its name
cargo xtask fuzz-api     send the server requests generated from its API description; an answer of 500 or above fails
cargo xtask fuzz-server [COUNT [SEED]]
                         send the server so many hostile requests and messages; a panic, a failure or no answer fails
cargo xtask load [GAMES [LEVELS]]
                         play so many games at once against the server, as in `1000 1-3` (200 against level 3 without
                         arguments), and print how quickly it answers, and its memory before and after
cargo xtask load overload
                         ask it for far more than it has room for, and print how soon it refuses and how it is meanwhile
cargo xtask kill --count N
                         kill the server, matches, tournaments, self-play, book building, saves of tables, idle work and
                         workers of a fleet so often, and check that nothing is lost or doubled
cargo xtask web          check the web app: its types, and its pages in a real browser (needs Node and Chromium)
cargo xtask contact-sheet
                         photograph all pages at three widths in both themes into target/contact-sheet
cargo xtask pictures     renew the pictures of the README
cargo xtask genericity   count the instructions that the generic search costs over a hand-written one (needs valgrind)
cargo xtask prove        solve Connect Four after each of its seven first moves, and compare with the known results
cargo xtask bench-signatures [--update]
                         compare the node counts of every game's bench with those on file, or replace them
cargo xtask figures [--check]
                         write the tables and plots of the documentation from measurements/, or check that they match";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        ["test"] => tests::run_quick(),
        ["test", "--long"] => tests::run_quick().and_then(|()| tests::run(long::CHECKS)),
        ["test", "--only", name] => tests::run_only(name),
        ["fuzz-api"] => api::run(),
        ["fuzz-server", ref arguments @ ..] => api::hostile(arguments),
        ["load", ref arguments @ ..] => load::run(arguments),
        ["kill", "--count", count] => kill::run(count),
        ["web"] => web::run(),
        ["contact-sheet"] => web::contact_sheet(),
        ["pictures"] => web::pictures(),
        ["genericity"] => genericity::run(),
        ["prove"] => prove::every_first_move(),
        ["bench-signatures"] => signatures::check(),
        ["bench-signatures", "--update"] => signatures::update(),
        ["figures"] => figures::write(),
        ["figures", "--check"] => figures::check(),
        ["test", ref flags @ ..] => {
            eprintln!("xtask: `cargo xtask test` takes `--long` or `--only CHECK`, not `{}`", flags.join(" "));
            return ExitCode::from(2);
        }
        _ => {
            eprintln!("xtask: `{}` is not a chore; `cargo xtask` lists them", words.join(" "));
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
