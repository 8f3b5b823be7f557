//! Solving: the value of the game itself, by null windows that close in on it from both sides.
//!
//! All threads search the same windows in the same order, put off moves that another thread is searching (`busy.rs`),
//! and share their results through the Search TT. The first thread that knows the value stops the others.

use crate::clock::{Limits, TimeKeeper};
use crate::game::{MoveList, Outcome, SearchGame, Side};
use crate::params::SearchParams;
use crate::score::{FirstScore, Score};
use crate::search::{Job, Line, MAX_PLY, NonPv, Search, Solve};
use crate::stats::Stats;
use crate::table::{Bound, TableCounters};
use crate::threads::{Searcher, Task, in_parallel};
use std::time::Duration;

/// What is known about the value of a position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solution<M> {
    /// The first player gets at least this.
    pub low: FirstScore,
    /// The first player gets at most this.
    pub high: FirstScore,
    /// Best play as far as it was followed; empty unless solved.
    pub line: Vec<M>,
    /// Counters of all threads together.
    pub stats: Stats,
    /// Time used.
    pub time: Duration,
}

impl<M> Solution<M> {
    /// The value, if it was found within the limits.
    pub fn score(&self) -> Option<FirstScore> {
        (self.low == self.high).then_some(self.low)
    }
}

/// The value lies in `low..=high` for the side to move.
#[derive(Clone, Copy)]
struct Interval {
    low: Score,
    high: Score,
}

impl Interval {
    /// The next null window `(alpha, alpha + 1)`: first who wins, then how soon.
    fn alpha(self) -> Score {
        if self.low <= Score::ZERO && Score::ZERO < self.high {
            Score::ZERO
        } else if self.low < Score::ZERO && Score::ZERO <= self.high {
            Score::ZERO - 1
        } else {
            self.low + (self.high - self.low) / 2
        }
    }
}

impl<G: SearchGame> Search<'_, G> {
    fn null_window(&mut self, alpha: Score, ply: usize) -> Score {
        let depth = self.game.horizon();
        self.node::<NonPv, Solve>(alpha, alpha + 1, depth, ply, true)
    }

    /// Closes in on the value of the root until it is known or the search is stopped. A thread that knows the value
    /// stops the others.
    fn close_in(&mut self, progress: &mut dyn FnMut(FirstScore, FirstScore, u64)) -> Interval {
        let side = self.game.side();
        let (game, mut resources) = self.lend();
        let proof = game.proof(game.horizon(), &mut resources);
        let mut value = Interval { low: proof.low, high: proof.high };
        while value.low < value.high {
            let alpha = value.alpha();
            let score = self.null_window(alpha, 0);
            if self.watch.stopped() {
                break;
            }
            if score > alpha {
                value.low = value.low.max(score);
            } else {
                value.high = value.high.min(score);
            }
            let (first, second) = (value.low.for_first(side), value.high.for_first(side));
            progress(first.min(second), first.max(second), self.watch.total());
        }
        if value.low == value.high {
            self.watch.control.stop();
        }
        value
    }

    /// Plays on from a solved position, each time with a move that keeps the value.
    fn solved_line(&mut self, value: Score) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut value = value;
        while line.len() < MAX_PLY && self.game.outcome().is_none() {
            let Some(mv) = self.keeping_move(value, line.len()) else { break };
            let slot = self.slot_of(mv);
            let _ = self.play(mv, slot, line.len());
            value = -value;
            line.push(mv);
        }
        line
    }

    /// A move that keeps the value. The hash move is tried first, because it is most likely the one.
    fn keeping_move(&mut self, value: Score, ply: usize) -> Option<G::Move> {
        let mut moves = MoveList::new();
        self.game.moves(&mut moves);
        let hash = self.probe(self.key(), self.game.horizon(), ply).map(|(entry, _)| entry.best);
        moves.sort_by_key(|&mv| Some(mv.into()) != hash);
        for mv in moves {
            let slot = self.slot_of(mv);
            let undo = self.play(mv, slot, ply);
            let score = match self.game.outcome() {
                Some(outcome) => -self.outcome_score(outcome, ply + 1),
                None => -self.null_window(-value, ply + 1),
            };
            self.undo(mv, undo);
            if self.watch.stopped() {
                return None;
            }
            if score >= value {
                return Some(mv);
            }
        }
        None
    }
}

impl<G: SearchGame> Searcher<G> {
    /// Finds the value of a position under perfect play, with a line that keeps it. The game must end within a
    /// known number of plies ([`crate::game::Game::horizon`]), else nothing is proven.
    ///
    /// After each null window, `progress` gets the bounds for the first player and the number of nodes.
    pub fn solve(
        &mut self,
        root: &G,
        limits: Limits,
        progress: &mut (dyn FnMut(FirstScore, FirstScore, u64) + Send),
    ) -> Solution<G::Move> {
        self.shared.control.begin(false);
        self.shared.table.next_generation();
        let solution = without_search(root).unwrap_or_else(|| {
            if G::FINISHES {
                self.solve_by_deepening(root, limits, progress)
            } else {
                self.solve_by_search(root, limits, progress)
            }
        });
        self.shared.control.disarm();
        solution
    }

    /// For games with a solver of their own, the last iteration of an ordinary search is the solution.
    fn solve_by_deepening(
        &mut self,
        root: &G,
        limits: Limits,
        progress: &mut (dyn FnMut(FirstScore, FirstScore, u64) + Send),
    ) -> Solution<G::Move> {
        let (worst, best) = (Score::loss_in(0).for_first(Side::First), Score::win_in(0).for_first(Side::First));
        let found = self.run(root, &Task::new(limits), &mut |info| progress(worst, best, info.nodes));
        let certain = |line: &&Line<G::Move>| line.bound == Bound::Exact && root.certainty(line.depth) == Some(100);
        let solved = found.lines.first().filter(certain);
        let (low, high) = solved.map_or((worst, best), |line| (line.score, line.score));
        let line = solved.map_or(Vec::new(), |line| line.moves.clone());
        Solution { low, high, line, stats: found.stats, time: found.time }
    }

    fn solve_by_search(
        &mut self,
        root: &G,
        limits: Limits,
        progress: &mut (dyn FnMut(FirstScore, FirstScore, u64) + Send),
    ) -> Solution<G::Move> {
        let side = root.side();
        let shared = &self.shared;
        let time = TimeKeeper::start(&limits, &shared.params, self.pid.factor(&shared.params));
        // A solver meets symmetric images of early positions as often as the positions themselves.
        let tt_symmetry = shared.params.tt_symmetry.max(SYMMETRIC_PLIES);
        let params = SearchParams { tt_symmetry, ..shared.params.clone() };
        // The game's value does not depend on any weights, nor on what a draw is worth to the searcher.
        let draw = Score::ZERO.for_first(side);
        let job = Job { params: &params, salt: SOLVED, draw, ..shared.job(root, limits, 1) };
        let (main, helpers) = self.workers.split_first_mut().expect("there is always one thread");
        let mut search = Search::new(&job, main, shared.watch(0, &limits, Some(time)));
        let helpers = helpers.iter_mut().enumerate().map(|(index, worker)| {
            let (job, watch) = (&job, shared.watch(index + 1, &limits, None));
            move || {
                let mut search = Search::new(job, worker, watch);
                let value = search.close_in(&mut |_, _, _| ());
                (value, search.count())
            }
        });
        let found = in_parallel(helpers, || (search.close_in(progress), Stats::default()));
        let mut stats = Stats::default();
        let mut value = found[0].0;
        for (other, counted) in &found {
            value = Interval { low: value.low.max(other.low), high: value.high.min(other.high) };
            stats.add(counted);
        }
        let mut line = Vec::new();
        if value.low == value.high {
            // The value is known, and the table has most of the line.
            shared.control.arm(false);
            search.watch.resume();
            line = search.solved_line(value.low);
        }
        stats.add(&search.count());
        let elapsed = search.watch.time.as_ref().map(|time| time.elapsed()).unwrap_or_default();
        shared.table.count(&TableCounters::from(&stats));
        let (first, second) = (value.low.for_first(side), value.high.for_first(side));
        Solution { low: first.min(second), high: first.max(second), line, stats, time: elapsed }
    }
}

/// Plies from the root in which symmetric positions are looked up.
const SYMMETRIC_PLIES: i32 = 10;

/// The salt of solved positions.
const SOLVED: u64 = 0x51ed_270b_9f2a_8e63;

/// The solution without a search: of a game that is over, or that can't be searched to its end.
fn without_search<G: SearchGame>(root: &G) -> Option<Solution<G::Move>> {
    let first = |score: Score| score.for_first(Side::First);
    let (low, high) = match root.outcome() {
        Some(Outcome::Win(winner)) => (Score::win_in(0).for_first(winner), Score::win_in(0).for_first(winner)),
        Some(Outcome::Draw) => (first(Score::ZERO), first(Score::ZERO)),
        Some(Outcome::Points(points)) => (first(Score::eval(points)), first(Score::eval(points))),
        None if root.horizon() >= MAX_PLY as i32 => (first(Score::loss_in(0)), first(Score::win_in(0))),
        None => return None,
    };
    Some(Solution { low, high, line: Vec::new(), stats: Stats::default(), time: Duration::ZERO })
}
