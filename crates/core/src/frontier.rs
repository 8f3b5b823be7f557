//! The frontier: which position is worth a search next.
//!
//! Idle improvement and the book builder ask the same question and share this answer, drop-out expansion as in
//! [Lincke's] and [Buro's] book builders. The positions that matter are roots: those of played games, and the starts of
//! an opening rule. From there the moves that were searched lead to other positions. To reach a position costs a little
//! for each ply, and for each move as much as it is worse than the best one: a side that errs has dropped out of what is
//! likely. The cheapest position that is not yet as deep as its cost deserves is searched next. Costs grow with every
//! ply, so there is an end: when everything likely is deep enough, there is nothing to do.
//!
//! A frontier knows keys, moves and values; who searches and what a position is, is its owner's business.
//!
//! ```
//! use polyply_core::frontier::{Choice, Frontier, Reason, Searched, Settings};
//! use polyply_core::game::Side;
//!
//! let settings = Settings { ply_cost: 10, margin: 50, deepest: 12, cost_per_depth: 10, ..Settings::default() };
//! let mut frontier: Frontier<&str, ()> = Frontier::new(settings);
//! frontier.add_root(1, (), Reason::Start, 0);
//!
//! // The root comes first. Its search found two moves, the second of them 30 worse.
//! assert_eq!(frontier.next().unwrap().key, 1);
//! let choices = vec![Choice { mv: "a", key: 2, value: 40 }, Choice { mv: "b", key: 3, value: 10 }];
//! frontier.learn(1, Searched { side: Side::First, depth: 12, finished: false, choices });
//!
//! // The better move leads to the position that comes next.
//! let task = frontier.next().unwrap();
//! assert_eq!((task.key, task.path.as_slice(), task.cost, task.target), (2, ["a"].as_slice(), 10, 11));
//! ```
//!
//! [Lincke's]: https://doi.org/10.1007/3-540-45579-5_4
//! [Buro's]: https://skatgame.net/mburo/ps/book.pdf

use crate::game::Side;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// Why a position is a root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// A game may begin with it.
    Start,
    /// It was on the board in an earlier game.
    Played,
    /// It is on the board now.
    Current,
}

/// How far and how deep to look. Values and costs are in units of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What a ply costs.
    pub ply_cost: i32,
    /// Moves that are worse than the best one by more than this are not followed.
    pub margin: i32,
    /// What an error costs, in percent of the loss, by the side that errs.
    pub error_percent: [i32; 2],
    /// The depth of positions that cost nothing to reach.
    pub deepest: i32,
    /// So much cost lowers the depth of a position by one.
    pub cost_per_depth: i32,
    /// Positions that deserve less depth than this are not searched.
    pub shallowest: i32,
    /// No more positions are kept than this. The costliest are forgotten first, and only positions among the cheapest
    /// three quarters of this number are searched, so that none is forgotten and searched again for ever.
    pub positions: usize,
    /// No more roots are kept than this. Of those with the least reason the oldest is forgotten first.
    pub roots: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            ply_cost: 20,
            margin: 60,
            error_percent: [100; 2],
            deepest: 20,
            cost_per_depth: 20,
            shallowest: 6,
            positions: 20_000,
            roots: 400,
        }
    }
}

/// A move that was searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// The key of the position after it.
    pub key: u64,
    /// What it is worth to the side that plays it.
    pub value: i32,
}

/// What a search found out about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched<M> {
    /// The side to move.
    pub side: Side,
    /// The depth that the search has finished.
    pub depth: i32,
    /// More depth is not wanted: the position is decided, or too hard for its budget.
    pub finished: bool,
    /// The best moves.
    pub choices: Vec<Choice<M>>,
}

/// A position to search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task<M> {
    /// Its key.
    pub key: u64,
    /// The root from which it is reached most cheaply, as an index into [`Frontier::roots`].
    pub root: usize,
    /// The moves from there.
    pub path: Vec<M>,
    /// What it costs to reach it.
    pub cost: i32,
    /// How deep it was searched so far; 0 if it was not.
    pub known: i32,
    /// How deep it should be searched.
    pub target: i32,
}

/// A position that matters by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root<R> {
    /// Its key.
    pub key: u64,
    /// What the owner knows of it.
    pub position: R,
    /// Why it matters.
    pub reason: Reason,
    /// What it costs to begin here, compared with other roots.
    pub cost: i32,
}

/// Positions that may be worth a search, and what is known of them.
#[derive(Clone, Debug)]
pub struct Frontier<M, R> {
    settings: Settings,
    roots: Vec<Root<R>>,
    positions: HashMap<u64, Position<M>>,
    /// For each position, searched or not, those one of whose choices leads to it.
    parents: HashMap<u64, HashSet<u64>>,
}

#[derive(Clone, Debug)]
struct Position<M> {
    searched: Searched<M>,
    /// The value of the best choice, with what is known of the positions after the choices.
    value: Option<i32>,
}

/// A position that the walk over the frontier has come to.
struct Reached {
    key: u64,
    cost: i32,
    root: usize,
    /// The position before it, by its place in the walk, and the number of the choice made there.
    from: Option<(usize, usize)>,
}

impl<M: Clone, R> Frontier<M, R> {
    /// An empty frontier.
    pub fn new(settings: Settings) -> Self {
        Frontier { settings, roots: Vec::new(), positions: HashMap::new(), parents: HashMap::new() }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The roots, the oldest first.
    pub fn roots(&self) -> &[Root<R>] {
        &self.roots
    }

    /// How many positions were searched and not forgotten.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Nothing was searched yet.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.roots.clear();
        self.positions.clear();
        self.parents.clear();
    }

    /// Adds a position that matters. One that is there already becomes the newest and takes the better reason.
    pub fn add_root(&mut self, key: u64, position: R, reason: Reason, cost: i32) {
        let mut root = Root { key, position, reason, cost };
        if let Some(at) = self.roots.iter().position(|root| root.key == key) {
            let old = self.roots.remove(at);
            (root.reason, root.cost) = (old.reason.max(reason), old.cost.min(cost));
        }
        if self.roots.len() >= self.settings.roots.max(1) {
            let least = self.roots.iter().enumerate().min_by_key(|(at, root)| (root.reason, *at));
            let least = least.map_or(0, |(at, _)| at);
            self.roots.remove(least);
        }
        self.roots.push(root);
    }

    /// No position is on the board any more: those that were have been played.
    pub fn end_current(&mut self) {
        for root in self.roots.iter_mut().filter(|root| root.reason == Reason::Current) {
            root.reason = Reason::Played;
        }
    }

    /// The depth that a position deserves.
    pub fn target(&self, cost: i32) -> i32 {
        self.settings.deepest - cost / self.settings.cost_per_depth.max(1)
    }

    /// Takes in what a search found out, and corrects the values of the positions before it.
    pub fn learn(&mut self, key: u64, searched: Searched<M>) {
        if self.positions.len() >= self.settings.positions.max(1) && !self.positions.contains_key(&key) {
            self.forget();
        }
        for choice in &searched.choices {
            self.parents.entry(choice.key).or_default().insert(key);
        }
        self.positions.insert(key, Position { searched, value: None });
        self.correct(key);
    }

    /// What a choice is worth: what its position is worth to the other side, where that was searched.
    fn value(&self, choice: &Choice<M>) -> i32 {
        let after = self.positions.get(&choice.key).and_then(|after| after.value);
        after.map_or(choice.value, |value| -value)
    }

    /// Brings the value of a position up to date, and those of the positions before it as far as they change. The
    /// values do not depend on the order in which positions were learned. A cycle could be followed for ever, so a
    /// position is corrected a few times at most.
    fn correct(&mut self, key: u64) {
        const MOST: u32 = 16;
        let (mut open, mut visits) = (vec![key], HashMap::new());
        while let Some(key) = open.pop() {
            let Some(position) = self.positions.get(&key) else { continue };
            let value = position.searched.choices.iter().map(|choice| self.value(choice)).max();
            let is_first = visits.is_empty();
            let count: &mut u32 = visits.entry(key).or_default();
            *count += 1;
            if *count > MOST || (value == position.value && !is_first) {
                continue;
            }
            let position = self.positions.get_mut(&key).expect("it was just found");
            position.value = value;
            open.extend(self.parents.get(&key).into_iter().flatten());
        }
    }

    /// The position to search next, if any is worth it.
    pub fn next(&self) -> Option<Task<M>> {
        self.tasks(1).pop()
    }

    /// The positions that come next, in their order, as far as that is known now.
    pub fn tasks(&self, most: usize) -> Vec<Task<M>> {
        let mut tasks = Vec::new();
        self.walk(&mut |walk| {
            let reached = &walk[walk.len() - 1];
            let position = self.positions.get(&reached.key);
            let known = position.map_or(0, |position| position.searched.depth);
            let target = self.target(reached.cost);
            if known < target && position.is_none_or(|position| !position.searched.finished) {
                let path = self.path(walk);
                tasks.push(Task { key: reached.key, root: reached.root, path, cost: reached.cost, known, target });
            }
            tasks.len() < most
        });
        tasks
    }

    /// Visits positions by what it costs to reach them, the cheapest first, while `visit` says to go on. It gets all
    /// that were visited, the last one last.
    fn walk(&self, visit: &mut dyn FnMut(&[Reached]) -> bool) {
        let mut walk: Vec<Reached> = Vec::new();
        let mut seen = HashSet::new();
        let mut open = BinaryHeap::new();
        // Equal costs: the position that is on the board now, then the one that was added last.
        for (index, root) in self.roots.iter().enumerate() {
            open.push(Reverse((root.cost, Reverse(root.reason), Reverse(index), root.key, None)));
        }
        while let Some(Reverse((cost, Reverse(reason), Reverse(root), key, from))) = open.pop() {
            if self.target(cost) < self.settings.shallowest {
                return;
            }
            if !seen.insert(key) {
                continue;
            }
            if walk.len() >= self.kept() {
                return;
            }
            walk.push(Reached { key, cost, root, from });
            if !visit(&walk) {
                return;
            }
            let Some(Position { searched, value: Some(best), .. }) = self.positions.get(&key) else { continue };
            for (number, choice) in searched.choices.iter().enumerate() {
                let loss = best.saturating_sub(self.value(choice)).max(0);
                if loss <= self.settings.margin {
                    let error = loss * self.settings.error_percent[searched.side.index()] / 100;
                    let cost = cost + self.settings.ply_cost.max(1) + error;
                    let from = Some((walk.len() - 1, number));
                    open.push(Reverse((cost, Reverse(reason), Reverse(root), choice.key, from)));
                }
            }
        }
    }

    /// The moves from the root to the last position of a walk.
    fn path(&self, walk: &[Reached]) -> Vec<M> {
        let mut path = Vec::new();
        let mut at = &walk[walk.len() - 1];
        while let Some((before, number)) = at.from {
            at = &walk[before];
            let choices = &self.positions[&at.key].searched.choices;
            path.push(choices[number].mv.clone());
        }
        path.reverse();
        path
    }

    /// How many positions survive when some are forgotten.
    fn kept(&self) -> usize {
        (self.settings.positions - self.settings.positions / 4).max(1)
    }

    /// Forgets a quarter of the positions: those that no root leads to, then the costliest.
    fn forget(&mut self) {
        let mut cheapest = HashSet::new();
        self.walk(&mut |walk| {
            cheapest.insert(walk[walk.len() - 1].key);
            true
        });
        self.positions.retain(|key, _| cheapest.contains(key));
        self.parents.retain(|_, parents| {
            parents.retain(|key| cheapest.contains(key));
            !parents.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn settings() -> Settings {
        Settings { ply_cost: 10, margin: 30, deepest: 10, cost_per_depth: 10, shallowest: 4, ..Settings::default() }
    }

    fn searched(depth: i32, choices: &[(u8, u64, i32)]) -> Searched<u8> {
        let choices = choices.iter().map(|&(mv, key, value)| Choice { mv, key, value }).collect();
        Searched { side: Side::First, depth, finished: false, choices }
    }

    /// A made-up tree: position `key` has the children `3 key + 1` to `3 key + 3`, worth 0, -20 and -200.
    fn children(key: u64) -> [(u8, u64, i32); 3] {
        [(0, 3 * key + 1, 0), (1, 3 * key + 2, -20), (2, 3 * key + 3, -200)]
    }

    #[test]
    fn it_ends_and_every_likely_position_is_as_deep_as_it_deserves() {
        let mut frontier: Frontier<u8, ()> = Frontier::new(settings());
        frontier.add_root(0, (), Reason::Start, 0);
        let mut searches = 0;
        while let Some(task) = frontier.next() {
            assert!(task.known < task.target && task.target >= 4);
            // A search falls short now and then, and is asked for again.
            let depth = if searches % 3 == 0 { task.target - 1 } else { task.target };
            frontier.learn(task.key, searched(depth, &children(task.key)));
            searches += 1;
            assert!(searches < 10_000);
        }
        assert!(frontier.len() > 10);
        // The bad move was never followed.
        assert!(!frontier.positions.contains_key(&3));
        frontier.walk(&mut |walk| {
            let at = &walk[walk.len() - 1];
            assert!(frontier.positions[&at.key].searched.depth >= frontier.target(at.cost));
            true
        });
    }

    #[test]
    fn a_refuted_move_is_dropped_and_the_other_one_becomes_the_best() {
        let mut frontier: Frontier<u8, ()> = Frontier::new(settings());
        frontier.add_root(0, (), Reason::Start, 0);
        frontier.learn(0, searched(10, &[(0, 1, 50), (1, 2, 10)]));
        // The second move is 40 worse, beyond the margin.
        assert_eq!(frontier.tasks(9).iter().map(|task| task.key).collect::<Vec<_>>(), [1]);
        // A search of the position after the first one finds a reply that is worth 100 to the other side.
        frontier.learn(1, searched(9, &[(5, 7, 100)]));
        assert_eq!(frontier.next().unwrap().key, 2);
        // Then that reply fails too: the first move is the best again.
        frontier.learn(7, searched(8, &[(6, 8, 60)]));
        assert_eq!(frontier.positions[&0].value, Some(60));
    }

    #[test]
    fn errors_of_the_two_sides_are_weighted_apart() {
        let cost = |error_percent| {
            let mut frontier: Frontier<u8, ()> = Frontier::new(Settings { error_percent, ..settings() });
            frontier.add_root(0, (), Reason::Start, 0);
            frontier.learn(0, searched(10, &[(0, 1, 0), (1, 2, -20)]));
            frontier.tasks(9).into_iter().find(|task| task.key == 2).unwrap().cost
        };
        assert_eq!((cost([100, 100]), cost([50, 100]), cost([100, 50])), (30, 20, 30));
    }

    #[test]
    fn a_position_that_is_finished_is_not_asked_for_again() {
        let mut frontier: Frontier<u8, ()> = Frontier::new(settings());
        frontier.add_root(0, (), Reason::Start, 0);
        frontier.learn(0, Searched { finished: true, ..searched(2, &[]) });
        assert_eq!(frontier.next(), None);
    }

    #[test]
    fn the_position_on_the_board_comes_first_and_then_the_latest() {
        let mut frontier: Frontier<u8, &str> = Frontier::new(settings());
        frontier.add_root(1, "current", Reason::Current, 0);
        frontier.add_root(2, "start", Reason::Start, 0);
        frontier.add_root(3, "old", Reason::Played, 0);
        frontier.add_root(4, "new", Reason::Played, 0);
        let order: Vec<_> = frontier.tasks(9).iter().map(|task| frontier.roots()[task.root].position).collect();
        assert_eq!(order, ["current", "new", "old", "start"]);
        frontier.end_current();
        assert_eq!(frontier.tasks(1)[0].key, 4);
    }

    #[test]
    fn memory_is_bounded_and_the_costliest_positions_are_forgotten() {
        let bounds = Settings { positions: 40, roots: 3, deepest: 30, ..settings() };
        let mut frontier: Frontier<u8, ()> = Frontier::new(bounds);
        let mut random = Random::new(1);
        for number in 0..500 {
            frontier.add_root(random.below(7) as u64, (), Reason::Played, 0);
            if let Some(task) = frontier.next() {
                frontier.learn(task.key, searched(task.target, &children(task.key)));
            }
            assert!(frontier.len() <= 40 && frontier.roots().len() <= 3, "{number}");
        }
    }

    #[test]
    fn it_ends_even_if_more_positions_are_likely_than_are_kept() {
        let bounds = Settings { positions: 40, deepest: 30, ..settings() };
        let mut frontier: Frontier<u8, ()> = Frontier::new(bounds);
        frontier.add_root(0, (), Reason::Start, 0);
        let mut searches = 0;
        while let Some(task) = frontier.next() {
            frontier.learn(task.key, searched(task.target, &children(task.key)));
            searches += 1;
            assert!(searches < 1000 && frontier.len() <= 40);
        }
        assert!(searches >= 30);
    }

    #[test]
    fn cycles_do_no_harm() {
        let mut frontier: Frontier<u8, ()> = Frontier::new(settings());
        frontier.add_root(0, (), Reason::Start, 0);
        for round in 0..20 {
            frontier.learn(0, searched(10, &[(0, 1, round)]));
            frontier.learn(1, searched(10, &[(0, 0, -round), (1, 2, 3)]));
        }
        assert_eq!(frontier.next().unwrap().key, 2);
    }
}
