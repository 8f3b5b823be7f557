//! Test suites: positions with known best moves, how many of them a search finds, and how fast.
//!
//! [`written`] parses the lines of a file, a [`Puzzle`] is such a line with its board, and a [`Suite`] lets engines try
//! puzzles. The attempts of a run are written as JSON lines; [`compare`] compares two runs.

pub mod compare;
mod puzzle;
mod run;
pub mod written;

pub use puzzle::Puzzle;
pub use run::{Suite, SuiteTask, Tried};

use crate::record::json::JsonScore;
use polyply_engine::{Best, Engine, EngineError, Limits, Request};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The result of a search on a puzzle, as written to files.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Attempt {
    /// The name of the puzzle, if it has one.
    pub id: Option<String>,
    /// The position.
    pub position: String,
    /// It was solved.
    pub solved: bool,
    /// When the right move was found and kept to the end, if it was.
    pub solved_after_ms: Option<u64>,
    /// The move that was found.
    #[serde(rename = "move")]
    pub mv: String,
    /// The best moves.
    pub best: Vec<String>,
    /// The moves to avoid.
    pub avoid: Vec<String>,
    /// The score of the search.
    pub score: Option<JsonScore>,
    /// What found the move: `search`, or one of the game's stages before it.
    pub stage: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Time used.
    pub time_ms: u64,
}

/// Searches a puzzle with empty tables.
fn attempt(engine: &mut Engine, puzzle: &Puzzle, limits: Limits) -> Result<(Attempt, Best), EngineError> {
    engine.flush();
    engine.new_game();
    let request = Request { limits, ..Request::new(&puzzle.board) };
    let mut right_since = None;
    let best = engine.search(&request, &mut |info| {
        let right = info.multipv == 1
            && info.line.first().is_some_and(|mv| puzzle.is_right(mv))
            && puzzle.is_proven(Some(info.score));
        right_since = if right { right_since.or(Some(info.time)) } else { None };
    })?;
    let solved = puzzle.is_right(&best.mv) && puzzle.is_proven(best.score());
    let attempt = Attempt {
        id: puzzle.id.clone(),
        position: puzzle.board.text(),
        solved,
        solved_after_ms: solved.then(|| milliseconds(right_since.unwrap_or(best.time))),
        mv: best.mv.clone(),
        best: puzzle.best.clone(),
        avoid: puzzle.avoid.clone(),
        score: best.score().map(JsonScore::from),
        stage: best.stage.to_owned(),
        nodes: best.nodes,
        time_ms: milliseconds(best.time),
    };
    Ok((attempt, best))
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The lines of a file that hold a position, with their numbers. A comment begins with `#`, or as in OBF with `%` at
/// the beginning of a line.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let content = |line: &'_ str| {
        // A `#` in quotes begins no comment.
        let mut quoted = false;
        line.find(|letter| {
            quoted ^= letter == '"';
            letter == '#' && !quoted
        })
    };
    let numbered = text.lines().enumerate().map(move |(index, line)| {
        let line = line[..content(line).unwrap_or(line.len())].trim();
        (index + 1, line)
    });
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('%'))
}

#[cfg(test)]
mod tests {
    #[test]
    fn comments_are_left_out_and_numbers_signs_in_quotes_are_not() {
        let text = "# a heading\n% another\n\nh8; bm i9 # why\n {\"id\": \"#4\"}\n";
        assert_eq!(super::lines(text).collect::<Vec<_>>(), [(4, "h8; bm i9"), (5, "{\"id\": \"#4\"}")]);
    }
}
