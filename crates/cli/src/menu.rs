//! `polyply menu`: asks what to play, then plays it in the terminal.

use crate::args::{EngineArgs, GameArgs, KeptEngineArgs, PlaceArgs, PlayArgs, PlayerKind, RuleArgs};
use crate::failure::Failure;
use crate::play;
use polyply_engine::Share;
use polyply_engine::registry::games;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// Longer than anybody wants to wait for a move.
const MOST_SECONDS: f64 = 3600.0;

pub fn run() -> Result<(), Failure> {
    let Some(args) = ask()? else { return Ok(()) };
    play::run(&args)
}

/// The answers, or `None` if the input ends.
fn ask() -> io::Result<Option<PlayArgs>> {
    println_to(format_args!("What shall we play?"))?;
    for (number, about) in (1..).zip(games()) {
        println_to(format_args!("  {number}  {:<14} {}", about.title, about.description))?;
    }
    let game = |answer: &str| {
        let by_number = answer.parse::<usize>().ok().and_then(|number| games().nth(number.checked_sub(1)?));
        by_number.or_else(|| games().find(|about| about.name == answer)).map(|about| about.name)
    };
    let Some(variant) = question("Number or name", "1", game)? else { return Ok(None) };

    println_to(format_args!(
        "  1  you begin\n  2  the engine begins\n  3  two people\n  4  the engine against itself"
    ))?;
    let players = |answer: &str| match answer {
        "1" => Some((PlayerKind::Human, PlayerKind::Engine)),
        "2" => Some((PlayerKind::Engine, PlayerKind::Human)),
        "3" => Some((PlayerKind::Human, PlayerKind::Human)),
        "4" => Some((PlayerKind::Engine, PlayerKind::Engine)),
        _ => None,
    };
    let Some((first, second)) = question("Who plays", "1", players)? else { return Ok(None) };

    let seconds = |answer: &str| answer.parse::<f64>().ok().filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds));
    let Some(seconds) = question("Seconds for a move of the engine", "1", seconds)? else { return Ok(None) };

    Ok(Some(PlayArgs {
        game: GameArgs { variant: variant.to_owned(), rules: RuleArgs::default() },
        time: Duration::from_secs_f64(seconds),
        level: None,
        first,
        second: Some(second),
        idle: Share::USUAL,
        no_book: false,
        place: PlaceArgs { position: None, moves: String::new() },
        kept: KeptEngineArgs { engine: EngineArgs { threads: 1, hash: None, settings: Vec::new() }, snapshot: None },
    }))
}

/// Asks until the answer is valid. An empty answer means the default.
fn question<T>(prompt: &str, usual: &str, read: impl Fn(&str) -> Option<T>) -> io::Result<Option<T>> {
    loop {
        let mut out = io::stdout();
        write!(out, "{prompt} [{usual}]: ")?;
        out.flush()?;
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            println_to(format_args!(""))?;
            return Ok(None);
        }
        let answer = if line.trim().is_empty() { usual } else { line.trim() };
        match read(answer) {
            Some(value) => return Ok(Some(value)),
            None => println_to(format_args!("`{}` is not a valid answer.", answer.escape_debug()))?,
        }
    }
}

fn println_to(line: std::fmt::Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
