//! The results of an engine. All scores are from the first player's side.

use crate::request::PositionSpec;
use crate::score::Score;
use polyply_core::frontier::Reason;
use polyply_core::game::Side;
use polyply_core::table;
use std::time::Duration;

/// A move as people see it.
pub type Glance = polyply_core::glance::Glance<String>;

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
    pub fn of(bound: table::Bound, side: Side) -> Bound {
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
    pub fn without_search(mv: String) -> Best {
        let (lines, counters, time) = (Vec::new(), Vec::new(), Duration::ZERO);
        Best { mv, ponder: None, lines, value: None, stage: "glance", seldepth: 0, nodes: 0, counters, time }
    }

    /// The counters that are shares of others, as such: how often the tables had what was looked up, in all and by
    /// depth.
    pub fn rates(&self) -> Vec<(&'static str, f64)> {
        polyply_core::stats::rates(&self.counters)
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

/// A position that waits for idle improvement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct QueuedPosition {
    /// The position from which it is reached: one that was on the board, or the start of a game.
    pub root: PositionSpec,
    /// The moves from there.
    pub line: Vec<String>,
    /// Why the root matters.
    pub reason: Reason,
    /// How deep the position is known; 0 if it was not searched.
    pub known: i32,
    /// How deep it deserves to be known.
    pub target: i32,
}

impl QueuedPosition {
    /// The position itself.
    pub fn spec(&self) -> PositionSpec {
        let moves = self.root.moves.iter().chain(&self.line).cloned().collect();
        PositionSpec { position: self.root.position.clone(), moves }
    }
}

/// Nodes a second; a search too short to measure counts as a microsecond.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}
