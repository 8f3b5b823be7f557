//! Idle improvement: while nobody plays, deepens positions that are likely to be asked for next. Writes to the Search
//! TT and nothing else.
//!
//! The queue holds positions of recent games and of the edge of the book. While they are deepened, it takes in
//! positions after their good moves that the table knows only shallowly. Results come from ordinary searches, so an
//! entry never claims more depth than was searched.

use crate::clock::Limits;
use crate::game::{MoveList, SearchGame};
use crate::search::Line;
use crate::table::Bound;
use crate::threads::{Searcher, Task};

/// Why a position is worth a search, the best reason last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// A good move leads to it, and the table knows it only shallowly.
    Shallow,
    /// It is at the edge of the book.
    Book,
    /// It was on the board in a recent game.
    Played,
}

/// A position in the queue.
#[derive(Clone, Debug)]
pub struct Idea<G> {
    /// The position.
    pub position: G,
    /// Why it is in the queue.
    pub reason: Reason,
    /// How deep it will be searched next.
    pub depth: i32,
}

impl<G> Idea<G> {
    /// Higher comes first: played positions before others, and shallow ones before deep ones.
    fn priority(&self) -> i32 {
        let reason = match self.reason {
            Reason::Played => 4,
            Reason::Book => 2,
            Reason::Shallow => 0,
        };
        reason - self.depth
    }
}

/// Nodes that one step may take. Later steps search the position deeper.
const STEP_NODES: u64 = 2_000_000;
/// A position that was searched to this depth leaves the queue.
const DEEP_ENOUGH: i32 = 40;
/// A position is known only shallowly when its entry is this much less deep than its parent's.
const SHALLOW: i32 = 3;

/// The queue of positions. When it is full, the one of least priority is dropped.
pub struct Explorer<G> {
    queue: Vec<Idea<G>>,
    capacity: usize,
}

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// There is nothing to do.
    Idle,
    /// A live request came first; the position stays in the queue.
    Interrupted,
    /// A position was searched to this depth.
    Deepened(i32),
}

impl<G: SearchGame> Explorer<G> {
    /// An empty queue of at most `capacity` positions.
    pub fn new(capacity: usize) -> Self {
        Explorer { queue: Vec::with_capacity(capacity), capacity }
    }

    /// What is in the queue, in no particular order.
    pub fn queue(&self) -> &[Idea<G>] {
        &self.queue
    }

    /// Empties the queue.
    pub fn clear(&mut self) {
        self.queue.clear();
    }

    /// Adds a position; one that is there already just takes the better reason.
    pub fn add(&mut self, position: &G, reason: Reason) {
        self.push(Idea { position: position.clone(), reason, depth: 1 });
    }

    fn push(&mut self, idea: Idea<G>) {
        if idea.position.outcome().is_some() || self.capacity == 0 {
            return;
        }
        let key = idea.position.key();
        if let Some(known) = self.queue.iter_mut().find(|known| known.position.key() == key) {
            known.reason = known.reason.max(idea.reason);
            return;
        }
        if self.queue.len() == self.capacity {
            let least = (0..self.queue.len()).min_by_key(|&index| self.queue[index].priority());
            match least {
                Some(least) if self.queue[least].priority() < idea.priority() => self.queue[least] = idea,
                _ => {}
            }
            return;
        }
        self.queue.push(idea);
    }

    /// Deepens the position of highest priority by a ply or more. If `live` says that a player waits, nothing is
    /// started. A running search is ended by its searcher's [`crate::control::Control::stop`].
    pub fn step(&mut self, searcher: &mut Searcher<G>, live: &dyn Fn() -> bool) -> Step {
        let Some(next) = (0..self.queue.len()).max_by_key(|&index| self.queue[index].priority()) else {
            return Step::Idle;
        };
        // In this order: a request that comes before the test is seen by it, and one that comes after stops the search.
        searcher.shared.control.arm(false);
        if live() {
            searcher.shared.control.disarm();
            return Step::Interrupted;
        }
        let idea = self.queue.swap_remove(next);
        let limits = Limits { depth: Some(idea.depth), nodes: Some(STEP_NODES), ..Limits::default() };
        let best = searcher.run(&idea.position, &Task::new(limits), &mut |_| ());
        searcher.shared.control.disarm();
        // Only a finished iteration ends with an exact score.
        let finished = |line: &Line<G::Move>| if line.bound == Bound::Exact { line.depth } else { line.depth - 1 };
        let reached = best.lines.first().map_or(0, finished);
        let decided = best.score().is_some_and(|score| score.plies_to_end().is_some());
        let out_of_nodes = best.stats.nodes >= STEP_NODES;
        // An answer of a stage before the search can't be deepened. A search that fell short was stopped.
        let searched = best.stats.nodes > 0;
        if searched && reached < idea.depth && !decided && !out_of_nodes {
            self.push(idea);
            return Step::Interrupted;
        }
        if !decided {
            self.add_shallow(searcher, &idea.position, reached);
            let deeper = idea.depth + 1;
            if !out_of_nodes && deeper <= DEEP_ENOUGH.min(idea.position.horizon()) {
                self.push(Idea { depth: deeper, ..idea });
            }
        }
        Step::Deepened(reached)
    }

    /// Adds the positions after the moves of this one that the table knows, but too shallowly for their parent.
    fn add_shallow(&mut self, searcher: &Searcher<G>, position: &G, depth: i32) {
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        for mv in moves {
            let mut child = position.clone();
            child.play(mv, &mut ());
            let known = searcher.entry(&child).map(|entry| i32::from(entry.depth));
            if known.is_some_and(|known| known + SHALLOW < depth) {
                self.push(Idea { position: child, reason: Reason::Shallow, depth: depth - SHALLOW });
            }
        }
    }
}
