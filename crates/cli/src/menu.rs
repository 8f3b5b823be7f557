//! `polyply menu`: asks what to play, then plays it in the terminal.

use crate::args::{EngineArgs, GameArgs, KeptEngineArgs, PlaceArgs, PlayArgs, PlayerKind, RuleArgs};
use crate::failure::Failure;
use crate::play;
use polyply_engine::registry::games;
use polyply_engine::{LEVELS, Level, Share};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// The whole menu fits on a terminal of 80 columns and 24 lines.
const WIDTH: usize = 80;
/// The time for a move. Only full strength uses all of it.
const MOVE_TIME: Duration = Duration::from_secs(2);
const USUAL_LEVEL: &str = "3";

pub fn run() -> Result<(), Failure> {
    let Some(args) = ask()? else { return Ok(()) };
    play::run(&args)
}

/// The answers, or `None` if the input ends.
fn ask() -> io::Result<Option<PlayArgs>> {
    println_to(format_args!("What shall we play?"))?;
    for (number, about) in (1..).zip(games()) {
        println_to(format_args!("{}", cut(&format!(" {number:>2}  {:<17} {}", about.title, about.description))))?;
    }
    let game = |answer: &str| {
        let by_number = answer.parse::<usize>().ok().and_then(|number| games().nth(number.checked_sub(1)?));
        by_number.or_else(|| games().find(|about| about.name == answer)).map(|about| about.name)
    };
    let Some(variant) = question("Number or name", "1", game)? else { return Ok(None) };

    println_to(format_args!("  1  you begin     2  the engine begins     3  two people     4  two engines"))?;
    let players = |answer: &str| match answer {
        "1" => Some((PlayerKind::Human, PlayerKind::Engine)),
        "2" => Some((PlayerKind::Engine, PlayerKind::Human)),
        "3" => Some((PlayerKind::Human, PlayerKind::Human)),
        "4" => Some((PlayerKind::Engine, PlayerKind::Engine)),
        _ => None,
    };
    let Some((first, second)) = question("Who plays", "1", players)? else { return Ok(None) };

    let level = match [first, second].contains(&PlayerKind::Engine) {
        true => {
            let Some(level) = ask_level()? else { return Ok(None) };
            Some(level)
        }
        false => None,
    };

    Ok(Some(PlayArgs {
        game: GameArgs { variant: variant.to_owned(), rules: RuleArgs::default() },
        time: MOVE_TIME,
        level,
        first,
        second: Some(second),
        idle: Share::USUAL,
        no_book: false,
        place: PlaceArgs { position: None, moves: String::new() },
        kept: KeptEngineArgs { engine: EngineArgs { threads: 1, hash: None, settings: Vec::new() }, snapshot: None },
    }))
}

/// The level of the engine, or `None` if the input ends.
fn ask_level() -> io::Result<Option<u8>> {
    for pair in LEVELS.chunks(2) {
        let both: Vec<String> = pair.iter().map(|level| format!(" {:>2}  {:<30}", level.number, level.name)).collect();
        println_to(format_args!("{}", both.concat().trim_end()))?;
    }
    let level = |answer: &str| answer.parse().ok().and_then(Level::find).map(|level| level.number);
    question("How strong is the engine", USUAL_LEVEL, level)
}

/// A line that is not wrapped.
fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        Some(_) => line.chars().take(WIDTH - 1).chain(['…']).collect(),
        None => line.to_owned(),
    }
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
