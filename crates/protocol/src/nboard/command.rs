//! Parsing of commands.

use crate::ggf;
use crate::lines::quote;
use crate::refusals;
use polyply_engine::{PositionSpec, Refusal};
use std::time::Duration;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Identify yourself.
    Hello,
    /// Plies to search.
    Depth(i32),
    /// The game so far, and the time for it.
    Game(PositionSpec, Option<Duration>),
    /// Another setting, by name.
    Set(String, String),
    /// A move was played.
    Move(String),
    /// Show this many of the best moves.
    Hint(usize),
    /// Find the move to play.
    Go,
    /// Stop searching, and answer.
    Ping(String),
    /// Learn the game.
    Learn,
    /// Evaluate each position of the game.
    Analyze,
    /// Quit.
    Quit,
    /// A line that has no effect here.
    Nothing,
}

impl Command {
    /// Parses a line, or returns an error message. Unknown lines are ignored, as the protocol demands.
    pub fn parse(line: &str) -> Result<Command, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(match word {
            "nboard" => Command::Hello,
            "set" => set(rest)?,
            "move" if !rest.is_empty() => Command::Move(ggf::move_text(rest)),
            "move" => return Err("a move is as in `move F5`".into()),
            "hint" => Command::Hint(number(word, rest)?.clamp(1, 64) as usize),
            "go" => Command::Go,
            "ping" => Command::Ping(rest.to_owned()),
            "learn" => Command::Learn,
            "analyze" => Command::Analyze,
            "quit" => Command::Quit,
            _ => Command::Nothing,
        })
    }
}

fn set(text: &str) -> Result<Command, String> {
    let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let value = value.trim();
    Ok(match name {
        "" => return Err("a setting is as in `set depth 12`".into()),
        "depth" => Command::Depth(number("depth", value)?.clamp(1, 60) as i32),
        "game" => game(value).map_err(|refusal| refusal.to_string())?,
        // A draw is worth the same to both sides here.
        "contempt" => Command::Nothing,
        _ => Command::Set(name.to_owned(), value.to_owned()),
    })
}

fn number(what: &str, text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("behind `{what}` stands a whole number, not `{}`", quote(text)))
}

/// A game in GGF.
fn game(text: &str) -> Result<Command, Refusal> {
    let (body, _) = ggf::body(text)?.ok_or_else(refusals::nboard_game)?;
    let (mut spec, mut time) = (PositionSpec::default(), None);
    for (name, value) in ggf::properties(body)? {
        match name {
            "BO" => spec.position = ggf::position(value)?,
            "B" | "W" => spec.moves.push(ggf::move_text(value)),
            "TI" => time = ggf::time(value).filter(|time| !time.is_zero()),
            _ => {}
        }
    }
    Ok(Command::Game(spec, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_read_with_its_moves_and_its_time() {
        let line = format!("set game (;GM[Othello]PB[a]PW[b]TI[01:00]TY[8]BO[8 {} *]B[F5//1.2]W[PA];)", "-".repeat(64));
        let Ok(Command::Game(spec, time)) = Command::parse(&line) else { panic!("no game") };
        assert_eq!(spec, PositionSpec::new(Some(&("-".repeat(64) + " X")), &["f5", "pass"]));
        assert_eq!(time, Some(Duration::from_secs(60)));
        for bad in ["set game", "set game (;GM[Othello]", "set game (;BO[10 ---];)", "set depth deep", "hint"] {
            assert!(Command::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_means_nothing_is_passed_over() {
        assert_eq!(Command::parse("xyzzy"), Ok(Command::Nothing));
        assert_eq!(Command::parse("move f5/2.0/1"), Ok(Command::Move("f5".into())));
        assert_eq!(Command::parse(" ping  7 "), Ok(Command::Ping("7".into())));
    }
}
