//! The results of an engine. All scores are from the first player's side.

use crate::book::BookMove;
use crate::score::Score;
use polyply_core::game::Side;
use polyply_core::table;
use std::time::Duration;

/// How a score relates to the true one, from the first player's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this, for the first player.
    AtLeast,
    /// The true score is at most this, for the first player.
    AtMost,
}

impl Bound {
    /// Converts a bound of the core, which is from the side to move.
    pub(crate) fn of(bound: table::Bound, side: Side) -> Bound {
        match (bound, side) {
            (table::Bound::Exact, _) => Bound::Exact,
            (table::Bound::Lower, Side::First) | (table::Bound::Upper, Side::Second) => Bound::AtLeast,
            (table::Bound::Upper, Side::First) | (table::Bound::Lower, Side::Second) => Bound::AtMost,
        }
    }

    /// `exact`, `at least`, `at most`.
    pub fn words(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::AtLeast => "at least",
            Bound::AtMost => "at most",
        }
    }
}

/// Counters of a search by name.
pub type Counters = Vec<(&'static str, u64)>;

/// Progress of a running search: one line of one iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Plies searched.
    pub depth: i32,
    /// Plies of the longest line searched.
    pub seldepth: i32,
    /// Which of the best lines this is, from 1.
    pub multipv: usize,
    /// How certain the score is, in percent, if the game was searched to its end; 100 is exact.
    pub certainty: Option<u8>,
    /// The score of the line.
    pub score: Score,
    /// The score in units of the evaluation, which may be finer.
    pub value: i32,
    /// How the score relates to the true one; a bound if an aspiration window failed.
    pub bound: Bound,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// Nodes a second.
    pub nps: u64,
    /// Fill of the Search TT, per mille.
    pub fill: u32,
    /// The source: `search`, or one of the game's stages before it.
    pub stage: &'static str,
    /// The line, beginning with the move to play.
    pub line: Vec<String>,
}

/// One of the best lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The score.
    pub score: Score,
    /// The score in units of the evaluation, which may be finer.
    pub value: i32,
    /// How the score relates to the true one.
    pub bound: Bound,
    /// The depth of the last finished iteration.
    pub depth: i32,
    /// How certain the score is, in percent, if the game was searched to its end; 100 is exact.
    pub certainty: Option<u8>,
    /// The moves.
    pub moves: Vec<String>,
}

/// The source of moves from the opening book.
pub const BOOK: &str = "book";

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Best {
    /// The move to play.
    pub mv: String,
    /// The reply to expect.
    pub ponder: Option<String>,
    /// The best lines, the best first; none if the search was stopped before it had searched anything.
    pub lines: Vec<Line>,
    /// The score of the best line in units of the evaluation, which may be finer.
    pub value: Option<i32>,
    /// The source: `search`, one of the game's stages before it, or `book`.
    pub stage: &'static str,
    /// Plies of the longest line searched.
    pub seldepth: i32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Other counters.
    pub counters: Counters,
    /// Time used.
    pub time: Duration,
}

impl Best {
    /// A move without a search.
    pub(crate) fn without_search(mv: String) -> Best {
        let (lines, counters, time) = (Vec::new(), Vec::new(), Duration::ZERO);
        Best { mv, ponder: None, lines, value: None, stage: "glance", seldepth: 0, nodes: 0, counters, time }
    }

    /// The counters that are shares of others, as such: how often the tables had what was looked up, in all and by
    /// depth.
    pub fn rates(&self) -> Vec<(&'static str, f64)> {
        polyply_core::stats::rates(&self.counters)
    }

    /// A move from an opening book. It has a line if the book knows its score.
    pub(crate) fn from_book(mv: &BookMove) -> Best {
        let line = |score| Line {
            score,
            value: mv.value.unwrap_or_default(),
            bound: Bound::Exact,
            depth: mv.depth,
            certainty: None,
            moves: vec![mv.mv.clone()],
        };
        let lines = mv.score.map(line).into_iter().collect();
        Best { lines, value: mv.value, stage: BOOK, ..Best::without_search(mv.mv.clone()) }
    }

    /// The score of the best line.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }

    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// The progress of solving a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The first player gets at least this, if known.
    pub low: Option<Score>,
    /// The first player gets at most this, if known.
    pub high: Option<Score>,
    /// Nodes of all threads so far.
    pub nodes: u64,
}

/// What is known about a position's true value.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// The value, if it was found within the limits.
    pub value: Option<Score>,
    /// The first player gets at least this, if known.
    pub low: Option<Score>,
    /// The first player gets at most this, if known.
    pub high: Option<Score>,
    /// Best play to the end; empty unless solved.
    pub line: Vec<String>,
    /// The source: `search`, or one of the game's stages before it.
    pub stage: &'static str,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Other counters.
    pub counters: Counters,
    /// Time used.
    pub time: Duration,
}

impl Solution {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// The value of a move under perfect play.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct MoveValue {
    /// The move.
    pub mv: String,
    /// The value of playing it, if it was found within the limits; distances count from before the move.
    pub value: Option<Score>,
    /// Best play from there, the move included.
    pub line: Vec<String>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// The Search TT's entry for a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TableEntry {
    /// The depth of the search.
    pub depth: i32,
    /// The score; win distances count from this position.
    pub score: Score,
    /// How the score relates to the true one.
    pub bound: Bound,
    /// The static evaluation, if it was computed.
    pub eval: Option<Score>,
    /// The best move, if it is stored.
    pub mv: Option<String>,
    /// How many root searches ago it was stored, on a counter that wraps at 64.
    pub age: u8,
}

/// Nodes a second; a search too short to measure counts as a microsecond.
pub(crate) fn per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_changes_its_name_with_the_side_that_sees_it() {
        assert_eq!(Bound::of(table::Bound::Lower, Side::First), Bound::AtLeast);
        assert_eq!(Bound::of(table::Bound::Lower, Side::Second), Bound::AtMost);
        assert_eq!(Bound::of(table::Bound::Upper, Side::Second), Bound::AtLeast);
        assert_eq!(Bound::of(table::Bound::Exact, Side::Second), Bound::Exact);
    }
}
