//! Parsing of commands.

use super::go::Go;
use crate::lines::quote;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Identify yourself. The word is the name of the protocol, `uci` or `uai`.
    Hello(&'static str),
    /// Answer when ready.
    IsReady,
    /// Sets an option; a button has no value.
    SetOption {
        /// Its name.
        name: String,
        /// Its value.
        value: Option<String>,
    },
    /// A new game begins.
    NewGame,
    /// The position to search: a position (`None` is the start) and moves from it.
    Position {
        /// The position.
        position: Option<String>,
        /// The moves.
        moves: Vec<String>,
    },
    /// Search.
    Go(Go),
    /// Count the lines of this many plies.
    Perft(u32),
    /// Stop the search and answer.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Quit.
    Quit,
    /// Show the board.
    Show,
    /// Show the static evaluation of the position.
    Eval,
    /// Run the bench.
    Bench,
    /// A command that has no effect here.
    Nothing,
}

impl Command {
    /// Parses a line, or returns an error message. Unknown words before a command are skipped, as the protocol demands.
    pub fn parse(line: &str) -> Result<Command, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            let rest = &words[at + 1..];
            return Ok(match *word {
                "uci" => Command::Hello("uci"),
                // The same protocol under the name it has for another game.
                "uai" => Command::Hello("uai"),
                "isready" => Command::IsReady,
                "setoption" => set_option(rest)?,
                "ucinewgame" | "uainewgame" => Command::NewGame,
                "position" => position(rest)?,
                "go" if rest.first() == Some(&"perft") => Command::Perft(plies(&rest[1..])?),
                "go" => Command::Go(Go::parse(rest)),
                "perft" => Command::Perft(plies(rest)?),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                "d" => Command::Show,
                "eval" => Command::Eval,
                "bench" => Command::Bench,
                "debug" | "register" => Command::Nothing,
                _ => continue,
            });
        }
        match words.is_empty() {
            true => Ok(Command::Nothing),
            false => Err(format!("there is no command `{}`", quote(line.trim()))),
        }
    }
}

/// `name <words> value <words>`.
fn set_option(words: &[&str]) -> Result<Command, String> {
    let named = words.strip_prefix(&["name"]).ok_or("an option is set by `setoption name … value …`")?;
    let at = named.iter().position(|word| *word == "value");
    let name = named[..at.unwrap_or(named.len())].join(" ");
    Ok(Command::SetOption { name, value: at.map(|at| named[at + 1..].join(" ")) })
}

/// `startpos` or `fen <words>`, and `moves <words>`.
fn position(words: &[&str]) -> Result<Command, String> {
    let at = words.iter().position(|word| *word == "moves");
    let (board, moves) = (&words[..at.unwrap_or(words.len())], at.map_or(&[][..], |at| &words[at + 1..]));
    let position = match board {
        ["startpos"] => None,
        ["fen", text @ ..] if !text.is_empty() => Some(text.join(" ")),
        _ => return Err("a position is `position startpos` or `position fen …`, with `moves …` behind it".into()),
    };
    Ok(Command::Position { position, moves: moves.iter().map(|&mv| mv.to_owned()).collect() })
}

fn plies(words: &[&str]) -> Result<u32, String> {
    let plies = words.first().and_then(|word| word.parse().ok()).filter(|plies| (1..=64).contains(plies));
    plies.ok_or_else(|| "perft takes a number of plies from 1 to 64".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_may_have_blanks() {
        let set = Command::parse("setoption  name Move Overhead value 30").unwrap();
        assert_eq!(set, Command::SetOption { name: "Move Overhead".into(), value: Some("30".into()) });
        let button = Command::parse("setoption name Clear Hash").unwrap();
        assert_eq!(button, Command::SetOption { name: "Clear Hash".into(), value: None });
        let path = Command::parse("setoption name BookFile value /a b/c.bin").unwrap();
        assert_eq!(path, Command::SetOption { name: "BookFile".into(), value: Some("/a b/c.bin".into()) });
    }

    #[test]
    fn a_position_is_the_start_or_a_text_with_moves() {
        let position = |line| match Command::parse(line) {
            Ok(Command::Position { position, moves }) => (position, moves.join(" ")),
            other => panic!("{other:?}"),
        };
        assert_eq!(position("position startpos"), (None, String::new()));
        assert_eq!(position("position startpos moves e2e4 e7e5"), (None, "e2e4 e7e5".into()));
        let (text, moves) = position("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2");
        assert_eq!((text.as_deref(), moves.as_str()), (Some("8/8/8/8/8/8/8/K1k5 w - - 0 1"), "a1a2"));
        for bad in ["position", "position fen", "position startpos e2e4", "position moves e2e4"] {
            assert!(Command::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn words_before_a_command_are_passed_over_and_garbage_is_told() {
        assert_eq!(Command::parse("joho isready"), Ok(Command::IsReady));
        assert_eq!(Command::parse("  "), Ok(Command::Nothing));
        assert!(Command::parse("xyzzy plugh").unwrap_err().contains("xyzzy"));
    }
}
