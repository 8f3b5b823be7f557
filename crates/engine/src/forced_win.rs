//! Finds forced wins, in games that are too long to solve.
//!
//! First the game's own stages look for an attack that leaves the opponent no choice, with budgets that grow from round
//! to round. Then the search runs until it has proven a win.

use polyply_core::clock::Limits;
use polyply_games::{
    Best, Board, Bound, Counters, EngineError, Progress, Request, Score, Solution,
    erased::{ErasedSearcher, Param},
};
use std::time::{Duration, Instant};

/// The factor by which the budgets of the stages grow from round to round.
const GROWTH: i32 = 8;
/// The stages may use one part in this many of the limits; the search gets the rest.
const STAGES_PART: u32 = 2;
/// Nodes for each step when following a line to the end of the game.
const FOLLOWING_NODES: u64 = 200_000;
/// Time for each of these steps.
const FOLLOWING_TIME: Duration = Duration::from_secs(1);

/// Looks for a forced win. `budgets` names the parameters that limit the stages, `params` those to set while solving.
/// All parameters are restored afterwards.
pub(crate) fn solve(
    searcher: &mut dyn ErasedSearcher,
    budgets: &[&str],
    params: &[(&str, i32)],
    board: &Board,
    limits: Limits,
    progress: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Solution, EngineError> {
    let concerned = |name: &str| budgets.contains(&name) || params.iter().any(|&(other, _)| other == name);
    let before: Vec<Param> = searcher.params().into_iter().filter(|param| concerned(param.spec.name)).collect();
    for &(name, value) in params {
        set(searcher, name, value);
    }
    let budgets = before.iter().filter(|param| budgets.contains(&param.spec.name)).copied().collect();
    let (began, counters) = (Instant::now(), Vec::new());
    let mut solver = Solver { searcher, board, limits, began, nodes: 0, counters, progress, budgets };
    let solution = solver.run();
    for Param { spec, value, .. } in before {
        set(searcher, spec.name, value);
    }
    solution
}

fn set(searcher: &mut dyn ErasedSearcher, name: &str, value: i32) {
    let set = searcher.set_param(name, value);
    debug_assert_eq!(set, Ok(()), "{name}");
}

/// The distance of a proven win, from the first player's side.
fn proven(score: Score, bound: Bound) -> Option<i32> {
    match (score, bound) {
        (Score::Win(plies), Bound::Exact) => Some(plies),
        (Score::Win(plies @ 1..), Bound::AtLeast) => Some(plies),
        (Score::Win(plies @ ..=-1), Bound::AtMost) => Some(plies),
        _ => None,
    }
}

fn proven_by(best: &Best) -> Option<i32> {
    best.lines.first().and_then(|line| proven(line.score, line.bound))
}

/// Looks for a forced win in one position.
struct Solver<'a> {
    searcher: &'a mut dyn ErasedSearcher,
    board: &'a Board,
    limits: Limits,
    began: Instant,
    nodes: u64,
    counters: Counters,
    progress: &'a mut (dyn FnMut(&Progress) + Send),
    budgets: Vec<Param>,
}

impl Solver<'_> {
    fn run(&mut self) -> Result<Solution, EngineError> {
        let found = match self.attack()? {
            Some(best) if proven_by(&best).is_some() => Some(best),
            Some(_) => self.search(self.board, self.left(1))?,
            None => None,
        };
        let value = found.as_ref().and_then(proven_by);
        let (line, stage) = match (&found, value) {
            (Some(best), Some(plies)) => {
                let line = best.lines.first().map_or(Vec::new(), |line| line.moves.clone());
                let board = self.board;
                (follow(board, line, plies, &mut |board, limits| self.search(board, limits))?, best.stage)
            }
            _ => (Vec::new(), "search"),
        };
        let score = value.map(Score::Win);
        Ok(Solution {
            value: score,
            low: score.filter(|_| value > Some(0)),
            high: score.filter(|_| value < Some(0)),
            line,
            stage,
            nodes: self.nodes,
            counters: std::mem::take(&mut self.counters),
            time: self.began.elapsed(),
        })
    }

    /// Runs the stages with growing budgets. Returns the last result, or nothing if it was stopped.
    fn attack(&mut self) -> Result<Option<Best>, EngineError> {
        let mut budgets = self.budgets.clone();
        loop {
            let limits = Limits { depth: Some(1), ..self.left(STAGES_PART) };
            let Some(best) = self.search(self.board, limits)? else { break Ok(None) };
            let most = budgets.iter().map(|budget| budget.value).max().unwrap_or(0);
            let exhausted = best.nodes < most as u64 || budgets.iter().all(|budget| budget.value >= budget.spec.max);
            if proven_by(&best).is_some() || exhausted || self.is_over(STAGES_PART) {
                // The search must not repeat the large budgets that have just failed.
                for budget in &self.budgets {
                    set(self.searcher, budget.spec.name, budget.value);
                }
                break Ok(Some(best));
            }
            for budget in &mut budgets {
                budget.value = budget.value.saturating_mul(GROWTH).min(budget.spec.max);
                set(self.searcher, budget.spec.name, budget.value);
            }
        }
    }

    /// What is left of one part of the limits.
    fn left(&self, parts: u32) -> Limits {
        Limits {
            nodes: self.limits.nodes.map(|nodes| (nodes / u64::from(parts)).saturating_sub(self.nodes).max(1)),
            time: self.limits.time.map(|time| (time / parts).saturating_sub(self.began.elapsed())),
            ..self.limits
        }
    }

    fn is_over(&self, parts: u32) -> bool {
        let left = self.left(parts);
        left.nodes.is_some_and(|nodes| nodes <= 1) || left.time.is_some_and(|time| time.is_zero())
    }

    /// Searches until a win is proven; `None` if it was stopped before it began.
    fn search(&mut self, board: &Board, limits: Limits) -> Result<Option<Best>, EngineError> {
        let control = self.searcher.control();
        // Armed first, so that a stop which the listener requests between two searches is not lost.
        control.arm(false);
        (self.progress)(&Progress { low: None, high: None, nodes: self.nodes });
        if control.stopped() {
            control.disarm();
            return Ok(None);
        }
        let request = Request { limits, ..Request::new(board) };
        let (before, progress) = (self.nodes, &mut self.progress);
        let best = self.searcher.search(&request, 1, &mut |info| {
            progress(&Progress { low: None, high: None, nodes: before + info.nodes });
            if proven(info.score, info.bound).is_some() {
                control.stop();
            }
        });
        control.disarm();
        let best = best?;
        self.nodes += best.nodes;
        self.count(&best.counters);
        Ok(Some(best))
    }

    fn count(&mut self, counters: &Counters) {
        if self.counters.is_empty() {
            return self.counters.clone_from(counters);
        }
        for ((_, sum), (_, count)) in self.counters.iter_mut().zip(counters) {
            *sum += count;
        }
    }
}

/// Searches a position within limits.
type Search<'a> = dyn FnMut(&Board, Limits) -> Result<Option<Best>, EngineError> + 'a;

/// Extends the line of a win to the end of the game as far as possible. A line of the search ends where a solver has proven
/// the rest. `search` returns nothing when it was stopped.
pub fn follow(
    board: &Board,
    mut line: Vec<String>,
    plies: i32,
    search: &mut Search<'_>,
) -> Result<Vec<String>, EngineError> {
    let end = plies.unsigned_abs() as usize;
    let mut board = board.clone();
    line.iter().try_for_each(|mv| board.play(mv))?;
    while line.len() < end {
        let limits = Limits { nodes: Some(FOLLOWING_NODES), time: Some(FOLLOWING_TIME), ..Limits::default() };
        let next = match search(&board, limits) {
            Ok(Some(next)) => next,
            // It was stopped, or the game ended sooner than expected.
            Ok(None) | Err(EngineError::Over(_)) => break,
            Err(error) => return Err(error),
        };
        let left = (end - line.len()) as i32;
        match proven_by(&next) {
            Some(rest) if rest.signum() == plies.signum() && rest.abs() <= left => {
                let moves = next.lines.into_iter().next().map_or(Vec::new(), |line| line.moves);
                if moves.is_empty() {
                    break;
                }
                moves.iter().try_for_each(|mv| board.play(mv))?;
                line.extend(moves);
            }
            _ => break,
        }
    }
    Ok(line)
}
