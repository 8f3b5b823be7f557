//! The old format of self-play games, which is only read.
//!
//! The first line says where the games come from; every other line is a game, with tabs between its fields (here
//! spaces):
//!
//! ```text
//! # freestyle:15 nodes=2000 seed=1 weights=9c2f01d24e7a55b0
//! freestyle:15  0  1-0  h8 i9 g7 h9  - - 12 -40
//! ```
//!
//! 1. the variant, the size of its board and its rules, as in `caro:15,opening=none`,
//! 2. the game's number,
//! 3. the result: `1-0`, `0-1` or `1/2`,
//! 4. the moves,
//! 5. for each move the score of the position before it, from the first player's side and in units of the evaluation;
//!    `-` where the move was random, `+w12` where the first player wins in twelve plies, `-w12` where the second does.
//!
//! A last line without a line feed is ignored.

use super::{End, Move, Reason, Record};
use polyply_engine::{Score, Side, Variant};
use std::collections::HashMap;

/// Files begin with one of these.
pub fn is_one(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#"));
    lines.next().is_none_or(|line| line.is_empty() || line.contains(&b'\t'))
}

/// The games of a file. The error is one sentence.
pub fn read(text: &str) -> Result<Vec<Record>, String> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let numbered = text[..whole].lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let mut variants = HashMap::new();
    numbered
        .map(|(index, line)| parse(line, &mut variants).map_err(|reason| format!("line {}: {reason}", index + 1)))
        .collect()
}

/// Reads a line. The error is one sentence.
fn parse(line: &str, variants: &mut HashMap<String, Variant>) -> Result<Record, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, number, end, moves, scores] = fields[..] else {
        return Err(format!("a game has 5 fields separated by tabs, not {}", fields.len()));
    };
    let number = number.parse().map_err(|_| format!("`{}` is no number of a game", number.escape_debug()))?;
    let winner = match end {
        "1-0" => Some(Side::First),
        "0-1" => Some(Side::Second),
        "1/2" => None,
        _ => return Err(format!("a result is 1-0, 0-1 or 1/2, not `{}`", end.escape_debug())),
    };
    if !variants.contains_key(name) {
        variants.insert(name.to_owned(), Variant::find(name).map_err(|error| error.to_string())?);
    }
    let variant = &variants[name];
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let scores = scores.split_whitespace().map(|text| score(text, variant)).collect::<Result<Vec<_>, _>>()?;
    if moves.len() != scores.len() {
        return Err(format!("there are {} moves and {} scores", moves.len(), scores.len()));
    }
    let proven = scores.iter().any(|(score, _)| matches!(score, Some(Score::Win(_))));
    let reason = if proven { Reason::Adjudication } else { Reason::Rules };
    let mut record =
        Record { number, variant: name.to_owned(), end: End { winner, reason, ..End::default() }, ..Record::default() };
    for (text, (score, value)) in moves.into_iter().zip(scores) {
        record.add(Move { text: text.to_owned(), score, value, ..Move::default() }, score.is_none());
    }
    Ok(record)
}

fn score(text: &str, variant: &Variant) -> Result<(Option<Score>, Option<i32>), String> {
    let wrong = || format!("`{}` is no score", text.escape_debug());
    let plies = |digits: &str| digits.parse().ok().filter(|plies| (0..=1000).contains(plies)).ok_or_else(wrong);
    if text == "-" {
        Ok((None, None))
    } else if let Some(digits) = text.strip_prefix("+w") {
        Ok((Some(Score::Win(plies(digits)?)), None))
    } else if let Some(digits) = text.strip_prefix("-w") {
        Ok((Some(Score::Win(-plies(digits)?)), None))
    } else {
        let value: i32 = text.parse().map_err(|_| wrong())?;
        Ok((Some(variant.score(value)), Some(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_game_whose_opening_nobody_thought_about() {
        let text = "# caro:15,opening=none nodes=5\ncaro:15,opening=none\t3\t0-1\th8 i9 j10 a1\t- 12 - -w7\ncaro:15\t4";
        let games = read(text).unwrap();
        let [game] = &games[..] else { panic!("the last line is not whole") };
        assert_eq!((game.number, game.variant.as_str()), (3, "caro:15,opening=none"));
        assert_eq!((game.end.winner, game.opening.moves.join(" ").as_str()), (Some(Side::Second), "h8"));
        let scores: Vec<_> = game.moves.iter().map(|mv| (mv.score, mv.value)).collect();
        assert_eq!(scores, [(Some(Score::Centi(12)), Some(12)), (None, None), (Some(Score::Win(-7)), None)]);
        let discs = read("# othello\nothello\t0\t1/2\tf5\t-260\n").unwrap();
        assert_eq!((discs[0].moves[0].score, discs[0].moves[0].value), (Some(Score::Points(-3)), Some(-260)));
    }

    #[test]
    fn a_bad_line_is_told_in_a_sentence() {
        for (line, says) in [
            ("freestyle:15\t1\t1-0", "line 1: a game has 5 fields"),
            ("freestyle:15\tx\t1-0\th8\t1", "`x`"),
            ("freestyle:15\t1\t2-0\th8\t1", "`2-0`"),
            ("freestyle:15\t1\t1-0\th8\t1 2", "1 moves and 2 scores"),
            ("freestyle:15\t1\t1-0\th8\t+w9999", "`+w9999`"),
            ("go\t1\t1-0\th8\t1", "no game `go`"),
        ] {
            let error = read(&format!("{line}\n")).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
