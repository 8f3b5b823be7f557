//! What a search reports.

use crate::score::FirstScore;
use crate::stats::Stats;
use crate::table::Bound;
use std::time::Duration;

/// Progress of a running search: one best line of one iteration. Scores are from the first player's side.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Info<'a, M> {
    /// Plies searched.
    pub depth: i32,
    /// Plies of the longest line that was searched.
    pub seldepth: i32,
    /// Which of the best lines this is, from 1.
    pub multipv: usize,
    /// The score of the line.
    pub score: FirstScore,
    /// Whether the score is exact; it is a bound while an aspiration window fails. `Lower`: at least as good for the
    /// side to move.
    pub bound: Bound,
    /// The line, beginning with the move to play.
    pub line: &'a [M],
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// Fill of the Search TT, per mille.
    pub fill: u32,
    /// What found the line: `search`, or one of the game's stages before it.
    pub stage: &'static str,
}

/// One of the best lines.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Line<M> {
    /// The score.
    pub score: FirstScore,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The depth of the iteration that found the score. It is 0 if the search was stopped before that, and then the
    /// score means nothing.
    pub depth: i32,
    /// The moves.
    pub moves: Vec<M>,
}

/// The answer of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Best<M> {
    /// The best lines, the best first; empty when there is no legal move.
    pub lines: Vec<Line<M>>,
    /// What found the answer: `search`, or one of the game's stages before it.
    pub stage: &'static str,
    /// Plies of the longest line that was searched.
    pub seldepth: i32,
    /// Counters of all threads together.
    pub stats: Stats,
    /// Time used.
    pub time: Duration,
}

impl<M: Copy> Best<M> {
    /// The answer where there is no legal move.
    pub(crate) fn over() -> Self {
        Best { lines: Vec::new(), stage: "over", seldepth: 0, stats: Stats::default(), time: Duration::ZERO }
    }

    /// The move to play.
    pub fn mv(&self) -> Option<M> {
        self.lines.first().and_then(|line| line.moves.first().copied())
    }

    /// The reply to expect.
    pub fn ponder(&self) -> Option<M> {
        self.lines.first().and_then(|line| line.moves.get(1).copied())
    }

    /// The score of the best line.
    pub fn score(&self) -> Option<FirstScore> {
        self.lines.first().map(|line| line.score)
    }
}
