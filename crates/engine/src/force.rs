//! Solving by force: a win of either side that the other can't avoid, in games too long for the value of a position.
//!
//! First the game's own stages look for an attack that leaves the opponent no choice, with budgets that grow from round
//! to round; then the search goes on until somebody has won for certain.

use crate::erased::{Param, Player};
use crate::error::EngineError;
use crate::report::{Best, Bound, Counters, Progress, Solution};
use crate::request::{Place, Request};
use crate::score::Score;
use polyply_core::clock::Limits;
use std::time::{Duration, Instant};

/// How much larger the budgets of the stages are in the next round.
const GROWTH: i32 = 8;
/// The stages have one part of so many of the limits, the search has the rest.
const STAGES_PART: u32 = 2;
/// Nodes for each step in which a line is followed to the end of the game.
const FOLLOWING_NODES: u64 = 200_000;
/// And time.
const FOLLOWING_TIME: Duration = Duration::from_secs(1);

/// How forced wins of a game are found.
pub(crate) struct Force {
    /// Parameters of the game that bound its stages.
    pub budgets: &'static [&'static str],
    /// Parameters that solving needs to be other than playing does.
    pub params: &'static [(&'static str, i32)],
}

impl Force {
    /// Looks for a forced win at a place. The parameters are afterwards what they were before.
    pub fn solve(
        &self,
        player: &mut dyn Player,
        place: &Place,
        limits: Limits,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<Solution, EngineError> {
        let concerned =
            |name: &str| self.budgets.contains(&name) || self.params.iter().any(|&(other, _)| other == name);
        let before: Vec<Param> = player.params().into_iter().filter(|param| concerned(param.spec.name)).collect();
        for &(name, value) in self.params {
            set(player, name, value);
        }
        let budgets = before.iter().filter(|param| self.budgets.contains(&param.spec.name)).copied().collect();
        let mut hunt =
            Hunt { player, place, limits, began: Instant::now(), nodes: 0, counters: Vec::new(), progress, budgets };
        let solution = hunt.run();
        for Param { spec, value, .. } in before {
            set(player, spec.name, value);
        }
        solution
    }
}

fn set(player: &mut dyn Player, name: &str, value: i32) {
    let set = player.set_param(name, value);
    debug_assert_eq!(set, Ok(()), "{name}");
}

/// A proven win in a line of a search, from the first player's side.
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

/// Looking for a forced win at one place.
struct Hunt<'a> {
    player: &'a mut dyn Player,
    place: &'a Place,
    limits: Limits,
    began: Instant,
    nodes: u64,
    counters: Counters,
    progress: &'a mut (dyn FnMut(&Progress) + Send),
    budgets: Vec<Param>,
}

impl Hunt<'_> {
    fn run(&mut self) -> Result<Solution, EngineError> {
        let found = match self.attack()? {
            Some(best) if proven_by(&best).is_some() => Some(best),
            Some(_) => self.look(self.place, self.left(1))?,
            None => None,
        };
        let value = found.as_ref().and_then(proven_by);
        let (line, stage) = match (&found, value) {
            (Some(best), Some(plies)) => (self.follow(best, plies)?, best.stage),
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

    /// The stages, with larger and larger budgets. The last answer, or nothing when it was stopped.
    fn attack(&mut self) -> Result<Option<Best>, EngineError> {
        let mut budgets = self.budgets.clone();
        loop {
            let limits = Limits { depth: Some(1), ..self.left(STAGES_PART) };
            let Some(best) = self.look(self.place, limits)? else { break Ok(None) };
            let most = budgets.iter().map(|budget| budget.value).max().unwrap_or(0);
            let exhausted = best.nodes < most as u64 || budgets.iter().all(|budget| budget.value >= budget.spec.max);
            if proven_by(&best).is_some() || exhausted || self.is_over(STAGES_PART) {
                // The search does not look for what was just not found.
                for budget in &self.budgets {
                    set(self.player, budget.spec.name, budget.value);
                }
                break Ok(Some(best));
            }
            for budget in &mut budgets {
                budget.value = budget.value.saturating_mul(GROWTH).min(budget.spec.max);
                set(self.player, budget.spec.name, budget.value);
            }
        }
    }

    /// What is left of a part of the limits.
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

    /// Searches until somebody has won for certain; nothing when it was stopped before it began.
    fn look(&mut self, place: &Place, limits: Limits) -> Result<Option<Best>, EngineError> {
        let control = self.player.control();
        // From here on a stop counts: whoever listens may know of one that came between two searches.
        control.arm(false);
        (self.progress)(&Progress { low: None, high: None, nodes: self.nodes });
        if control.stopped() {
            control.disarm();
            return Ok(None);
        }
        let request = Request { place: place.clone(), limits, ..Request::default() };
        let (before, progress) = (self.nodes, &mut self.progress);
        let best = self.player.search(&request, 1, &mut |info| {
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

    /// The line of a win to the end of the game, as far as it can be followed: a line of the search ends where an attack
    /// was proven that need not be searched.
    fn follow(&mut self, best: &Best, plies: i32) -> Result<Vec<String>, EngineError> {
        let mut line = best.lines.first().map_or(Vec::new(), |line| line.moves.clone());
        let end = plies.unsigned_abs() as usize;
        while line.len() < end {
            let mut place = self.place.clone();
            place.moves.extend(line.iter().cloned());
            let limits = Limits { nodes: Some(FOLLOWING_NODES), time: Some(FOLLOWING_TIME), ..Limits::default() };
            let next = match self.look(&place, limits) {
                Ok(Some(next)) => next,
                // It was stopped, or the game is over sooner than promised.
                Ok(None) | Err(EngineError::Over(_)) => break,
                Err(error) => return Err(error),
            };
            let left = (end - line.len()) as i32;
            match proven_by(&next) {
                Some(rest) if rest.signum() == plies.signum() && rest.abs() <= left => {
                    line.extend(next.lines.into_iter().next().map_or(Vec::new(), |line| line.moves));
                }
                _ => break,
            }
        }
        Ok(line)
    }
}
