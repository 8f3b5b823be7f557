//! Idle improvement: while nobody plays, deepens the positions that are most likely to be asked for next.
//!
//! The [`Frontier`] says which position that is. Here it is searched, by ordinary searches that write to the Search TT
//! and nowhere else, so an entry never claims more depth than was searched. A position is searched twice: first with a
//! few lines and less depth, to learn by how much the second-best moves are worse; then with one line, as a player would
//! search it, up to the depth that it deserves. What the table already knows is not searched again.
//!
//! Work is done in steps of a bounded number of nodes. A step that was interrupted or fell short goes on from what the
//! table has kept. A position that is decided, or too hard for its budget, is finished.

use crate::clock::Limits;
use crate::family::Family;
use crate::frontier::{self, Choice, Frontier, Reason, Searched};
use crate::game::{SearchGame, Unit};
use crate::score::FirstScore;
use crate::search::{Best, Line};
use crate::table::{Bound, Entry};
use crate::threads::{Searcher, Task};
use std::collections::HashMap;

/// How deep idle improvement searches a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depths {
    /// The depth of positions that were on the board.
    pub deepest: i32,
    /// Positions that deserve less depth than this are left alone: a player's own search is as deep.
    pub shallowest: i32,
}

impl Depths {
    /// For games without special needs: somewhat deeper than a search of a few seconds.
    pub const USUAL: Depths = Depths { deepest: 18, shallowest: 11 };
}

/// What to improve, and by how much work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Which positions, and how deep.
    pub frontier: frontier::Settings,
    /// How many moves of a position are compared.
    pub lines: usize,
    /// They are compared by a search that is so many plies less deep than the position deserves.
    pub lines_lag: i32,
    /// Nodes of a step.
    pub step_nodes: u64,
    /// A position that is not as deep as it deserves after so many nodes is too hard.
    pub position_nodes: u64,
}

impl Settings {
    /// The settings of a game. Errors are measured by the score that decides games ([`crate::look::Look::CHANCE`]).
    pub fn of<G: Family>() -> Settings {
        let units = if let Unit::Points(units) = G::UNIT { f64::from(units) } else { 1.0 };
        let part = |part: f64| ((G::CHANCE * units * part) as i32).max(1);
        let Depths { deepest, shallowest } = G::ABOUT.idle;
        Settings {
            frontier: frontier::Settings {
                ply_cost: part(0.06),
                margin: part(0.25),
                error_percent: [100; 2],
                deepest,
                // Two good plies lower the depth by one. The search of the position before them has seen that far.
                cost_per_depth: part(0.12),
                shallowest,
                positions: 4000,
                roots: 200,
            },
            lines: 4,
            lines_lag: 5,
            step_nodes: 400_000,
            position_nodes: 8_000_000,
        }
    }
}

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Nothing: everything likely is as deep as it deserves.
    Rest,
    /// Less than a step, because a live request came first.
    Interrupted,
    /// A position was searched and is known to this depth.
    Deepened(i32),
}

/// A position that waits, the root from which it is reached, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting<M, N> {
    /// What the owner noted about the root.
    pub root: N,
    /// Why the root matters.
    pub reason: Reason,
    /// The moves from the root.
    pub path: Vec<M>,
    /// How deep the position is known.
    pub known: i32,
    /// How deep it deserves to be known.
    pub target: i32,
}

/// What was done for a position that is not finished.
#[derive(Clone, Debug)]
struct Effort<M> {
    nodes: u64,
    /// Searches that ended early, and not by the search itself.
    shortfalls: u32,
    choices: Vec<Choice<M>>,
}

/// Deepens likely positions step by step. `N` is what the owner notes about a root.
pub struct Improver<G: SearchGame, N> {
    settings: Settings,
    frontier: Frontier<G::Move, (G, N)>,
    efforts: HashMap<u64, Effort<G::Move>>,
}

/// Efforts for more positions than this are not remembered: those positions are begun anew.
const EFFORTS: usize = 256;
/// After so many searches that ended early, the stages before the search have nothing else to say.
const SHORTFALLS: u32 = 8;

impl<G: SearchGame, N: Clone> Improver<G, N> {
    /// Knows no position yet.
    pub fn new(settings: Settings) -> Self {
        Improver { settings, frontier: Frontier::new(settings.frontier), efforts: HashMap::new() }
    }

    /// Adds a position that matters. The one on the board now takes the place of the one before.
    pub fn add(&mut self, position: &G, note: N, reason: Reason) {
        if position.outcome().is_some() {
            return;
        }
        if reason == Reason::Current {
            self.frontier.end_current();
        }
        let cost = if reason == Reason::Start { self.settings.frontier.ply_cost } else { 0 };
        self.frontier.add_root(position.key(), (position.clone(), note), reason, cost);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.frontier.clear();
        self.efforts.clear();
    }

    /// Forgets what was searched, because the table has. The roots stay.
    pub fn begin_anew(&mut self) {
        let mut anew = Frontier::new(self.settings.frontier);
        for root in self.frontier.roots() {
            anew.add_root(root.key, root.position.clone(), root.reason, root.cost);
        }
        self.frontier = anew;
        self.efforts.clear();
    }

    /// The positions that come next, as far as that is known now.
    pub fn waiting(&self, most: usize) -> Vec<Waiting<G::Move, N>> {
        let tasks = self.frontier.tasks(most).into_iter();
        let show = |task: frontier::Task<G::Move>| {
            let root = &self.frontier.roots()[task.root];
            let (root, reason) = (root.position.1.clone(), root.reason);
            Waiting { root, reason, path: task.path, known: task.known, target: task.target }
        };
        tasks.map(show).collect()
    }

    /// How many positions were searched and not forgotten.
    pub fn improved(&self) -> usize {
        self.frontier.len()
    }

    /// Searches the position that comes next, for one step. If `live` says that a player waits, nothing is started. A
    /// running search is ended by its searcher's [`crate::control::Control::stop`].
    pub fn step(&mut self, searcher: &mut Searcher<G>, live: &dyn Fn() -> bool) -> Step {
        let Some(task) = self.frontier.next() else { return Step::Rest };
        let mut position = self.frontier.roots()[task.root].position.0.clone();
        task.path.iter().for_each(|&mv| drop(position.play(mv, &mut ())));
        if position.outcome().is_some() {
            self.learn(&position, 0, true, Vec::new());
            return Step::Deepened(0);
        }
        let target = task.target.min(position.horizon());
        // In this order: a request that comes before the test is seen by it, and one that comes after stops the search.
        searcher.shared.control.arm(false);
        let step = if live() {
            Step::Interrupted
        } else if self.efforts.contains_key(&task.key) {
            self.deepen(searcher, &position, target)
        } else {
            self.compare(searcher, &position, target)
        };
        searcher.shared.control.disarm();
        step
    }

    /// Learns what the best moves are, and by how much they differ.
    fn compare(&mut self, searcher: &mut Searcher<G>, position: &G, target: i32) -> Step {
        let depth = (target - self.settings.lines_lag).max(1);
        let limits = Limits { nodes: Some(self.settings.step_nodes), ..Limits::depth(depth) };
        let lines = Task { multipv: self.settings.lines, ..Task::new(limits) };
        let best = searcher.run(position, &lines, &mut |_| ());
        let reached = finished_depth(&best);
        let decided = is_decided(&best);
        if reached == 0 || (reached < depth && best.stats.nodes < self.settings.step_nodes && !decided) {
            return Step::Interrupted;
        }
        let choices = choices(position, &best.lines);
        let known = known(searcher.entry(position)).max(reached);
        let finished = decided || known >= position.horizon();
        self.learn(position, known, finished, choices.clone());
        if !finished && known < target {
            if self.efforts.len() >= EFFORTS {
                self.efforts.clear();
            }
            self.efforts.insert(position.key(), Effort { nodes: 0, shortfalls: 0, choices });
        }
        Step::Deepened(known)
    }

    /// Searches a position towards its depth, as a player would.
    fn deepen(&mut self, searcher: &mut Searcher<G>, position: &G, target: i32) -> Step {
        let key = position.key();
        let Some(effort) = self.efforts.get_mut(&key) else { return Step::Interrupted };
        // A step that continues another one first repeats it, though quickly. So every step is longer than the last.
        let nodes = self.settings.step_nodes.max(effort.nodes);
        let limits = Limits { nodes: Some(nodes), ..Limits::depth(target) };
        let best = searcher.run(position, &Task::new(limits), &mut |_| ());
        let reached = finished_depth(&best);
        let decided = is_decided(&best);
        if best.stats.nodes < nodes && reached < target && !decided {
            // It was stopped, or it is the answer of a stage before the search, which can't be deepened.
            effort.shortfalls += u32::from(best.stage != "search");
            if effort.shortfalls < SHORTFALLS {
                return Step::Interrupted;
            }
        }
        effort.nodes += best.stats.nodes;
        let known = known(searcher.entry(position)).max(reached);
        let too_hard = 2 * effort.nodes > self.settings.position_nodes || effort.shortfalls >= SHORTFALLS;
        let finished = decided || known >= position.horizon() || (known < target && too_hard);
        let choices = corrected(&effort.choices, choices(position, best.lines.get(..1).unwrap_or_default()).pop());
        self.learn(position, known, finished, choices);
        if finished || known >= target {
            self.efforts.remove(&key);
        }
        Step::Deepened(known)
    }

    fn learn(&mut self, position: &G, depth: i32, finished: bool, choices: Vec<Choice<G::Move>>) {
        let searched = Searched { side: position.side(), depth, finished, choices };
        self.frontier.learn(position.key(), searched);
    }
}

/// The depth to which the table knows a position.
fn known(entry: Option<Entry>) -> i32 {
    entry.filter(|entry| entry.bound == Bound::Exact).map_or(0, |entry| entry.depth.into())
}

/// The depth of the last iteration that was finished: only such a one ends with an exact score.
fn finished_depth<M>(best: &Best<M>) -> i32 {
    let finished = |line: &Line<M>| if line.bound == Bound::Exact { line.depth } else { line.depth - 1 };
    best.lines.first().map_or(0, finished)
}

fn is_decided<M: Copy>(best: &Best<M>) -> bool {
    best.score().is_some_and(|score: FirstScore| score.plies_to_end().is_some())
}

/// The first moves of lines with their scores.
fn choices<G: SearchGame>(position: &G, lines: &[Line<G::Move>]) -> Vec<Choice<G::Move>> {
    let choice = |line: &Line<G::Move>| {
        let &mv = line.moves.first()?;
        let mut child = position.clone();
        child.play(mv, &mut ());
        Some(Choice { mv, key: child.key(), value: line.score.for_side(position.side()).value() })
    };
    lines.iter().filter(|line| line.depth > 0).filter_map(choice).collect()
}

/// What a comparison of moves found, after a deeper search has found the best one and its value: all values change by as
/// much as the best one.
fn corrected<M: PartialEq + Clone>(compared: &[Choice<M>], best: Option<Choice<M>>) -> Vec<Choice<M>> {
    let Some(best) = best else { return compared.to_vec() };
    let highest = compared.iter().map(|choice| choice.value).max().unwrap_or(best.value);
    let others = compared.iter().filter(|choice| choice.mv != best.mv);
    let shifted = others.map(|choice| Choice { value: choice.value - highest + best.value, ..choice.clone() });
    std::iter::once(best.clone()).chain(shifted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deeper_search_moves_all_values_with_the_best_one() {
        let choice = |mv: u8, value: i32| Choice { mv, key: mv.into(), value };
        let compared = [choice(1, 40), choice(2, 30), choice(3, -10)];
        let best = |mv, value| corrected(&compared, Some(choice(mv, value)));
        assert_eq!(best(1, 50), [choice(1, 50), choice(2, 40), choice(3, 0)]);
        assert_eq!(best(2, 20), [choice(2, 20), choice(1, 20), choice(3, -30)]);
        assert_eq!(best(9, 40), [choice(9, 40), choice(1, 40), choice(2, 30), choice(3, -10)]);
        assert_eq!(corrected(&compared, None), compared);
    }
}
