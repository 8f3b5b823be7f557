//! Positions to solve, one per line of a file, with what is known about them.
//!
//! The common format is a position and operations in the manner of [EPD], separated by semicolons:
//! `h8 i9; bm h9 i10; am a1; id "first"`. A game with another format reads it itself
//! ([`Family::problem`](crate::family::Family::problem)).
//!
//! [EPD]: https://www.chessprogramming.org/Extended_Position_Description

use crate::refusal::{Refusal, common};
use crate::score::FirstScore;

/// A position to solve.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    /// The position; `None` for the start of the game.
    pub position: Option<String>,
    /// Its name.
    pub id: Option<String>,
    /// The right moves, any of them; empty if they are not known.
    pub best: Vec<String>,
    /// Wrong moves.
    pub avoid: Vec<String>,
    /// A win in at most this many plies is to be proven; negative for the second player.
    pub win: Option<i32>,
    /// The value under perfect play.
    pub value: Option<FirstScore>,
    /// Everything after the position, as it is written.
    pub operations: String,
}

impl Problem {
    /// Reads a position with the operations `bm`, `am` and `id`.
    pub fn parse(line: &str) -> Result<Problem, Refusal> {
        let (position, rest) = line.split_once(';').unwrap_or((line, ""));
        let position = Some(position.trim()).filter(|position| !position.is_empty()).map(str::to_owned);
        let mut problem = Problem { position, operations: rest.trim().to_owned(), ..Problem::default() };
        for (code, rest) in operations(rest) {
            if !problem.set(code, rest) {
                return Err(common::unknown_operation(code));
            }
        }
        Ok(problem)
    }

    /// Applies one of the operations `bm`, `am` and `id`; false for any other.
    pub fn set(&mut self, code: &str, rest: &str) -> bool {
        match code {
            "bm" => self.best = moves(rest),
            "am" => self.avoid = moves(rest),
            "id" => self.id = Some(rest.trim().trim_matches('"').to_owned()),
            _ => return false,
        }
        true
    }
}

/// The operations of a line: a code and what follows it. Semicolons in quotes separate nothing.
pub fn operations(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut quoted = false;
    let fields = text.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    });
    let fields = fields.map(str::trim).filter(|field| !field.is_empty());
    fields.map(|field| field.split_once(char::is_whitespace).unwrap_or((field, "")))
}

/// The moves of an operation.
pub fn moves(text: &str) -> Vec<String> {
    // In old suites a check sign is separated from its move by a space.
    text.split([' ', ',']).filter(|word| !matches!(*word, "" | "+" | "#")).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_position_with_operations() {
        let problem = Problem::parse(r#"h8 i9; bm h9 i10; am a1; id "one; two""#).unwrap();
        assert_eq!(problem.position.as_deref(), Some("h8 i9"));
        assert_eq!((problem.best, problem.avoid), (vec!["h9".into(), "i10".into()], vec!["a1".into()]));
        assert_eq!(problem.id.as_deref(), Some("one; two"));
        assert_eq!(Problem::parse("; bm a1").unwrap().position, None);
        assert!(Problem::parse("h8; dm 3").unwrap_err().to_string().contains("not `dm`"));
    }
}
