//! The memory of one thread.

use super::{MAX_PLY, RootMove};
use crate::game::{Class, Evaluation, MAX_MOVES, NO_MOVE, ScoredMove, SearchGame, Side};
use crate::order::{Correction, History, Killers, Path, Slot};
use crate::score::Score;
use crate::stats::Stats;
use arrayvec::ArrayVec;

/// What a node keeps for the nodes below it.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The static evaluation, unless the side to move is threatened.
    pub eval: Option<Score>,
    /// The move that a singular search leaves out.
    pub excluded: u16,
}

impl Frame {
    const EMPTY: Frame = Frame { eval: None, excluded: NO_MOVE };
}

/// Frames above the root, so that looking two plies back needs no check.
pub(super) const ABOVE: usize = 2;
/// Frames of a thread.
const STACK: usize = MAX_PLY + ABOVE + 2;

/// One thread's memory, kept from search to search.
pub(crate) struct Worker<G: SearchGame> {
    pub eval: G::Eval,
    pub history: History,
    pub killers: Killers,
    pub correction: Correction,
    pub frames: Box<[Frame; STACK]>,
    pub path: Path,
    /// A stack of the moves of all nodes from the root to here.
    pub moves: Vec<ScoredMove<G::Move>>,
    /// A stack of the moves of those nodes that were searched and did not cause a cutoff.
    pub tried: Vec<(Slot, Class)>,
    /// A stack of the moves of those nodes that were put off because another thread was searching them.
    pub deferred: Vec<(G::Move, Class)>,
    /// The children of a node that looks them all up in the Search TT.
    pub children: Vec<Child>,
    /// The principal variation from each ply on.
    pub lines: Box<[ArrayVec<G::Move, MAX_PLY>]>,
    pub root_moves: Vec<RootMove<G::Move>>,
    /// The best lines as the last search that was not stopped found them.
    pub finished: Vec<RootMove<G::Move>>,
    pub stats: Stats,
}

impl<G: SearchGame> Worker<G> {
    pub fn new(eval: G::Eval) -> Self {
        let history = History::new(G::HISTORY);
        let slots = history.slots();
        Worker {
            eval,
            killers: Killers::new(MAX_PLY + 1, slots),
            correction: Correction::new(G::CORRECTIONS, slots),
            history,
            frames: Box::new([Frame::EMPTY; STACK]),
            path: Path::new(),
            children: Vec::with_capacity(MAX_MOVES),
            tried: Vec::with_capacity(MAX_PLY * MAX_MOVES),
            deferred: Vec::with_capacity(MAX_PLY * MAX_MOVES),
            moves: Vec::with_capacity(MAX_PLY * MAX_MOVES),
            lines: (0..=MAX_PLY + 1).map(|_| ArrayVec::new()).collect(),
            root_moves: Vec::with_capacity(MAX_MOVES),
            finished: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Gets ready for a search from this position.
    pub fn begin(&mut self, root: &G) {
        self.frames.fill(Frame::EMPTY);
        self.path.clear();
        self.moves.clear();
        self.tried.clear();
        self.deferred.clear();
        self.killers.new_search();
        self.eval.reset(root);
        self.stats = Stats::default();
    }

    /// Where the stacks of moves end now.
    #[inline(always)]
    pub fn mark(&self) -> Mark {
        Mark { moves: self.moves.len(), tried: self.tried.len(), deferred: self.deferred.len() }
    }

    /// Drops the moves of a node that is done.
    #[inline(always)]
    pub fn release(&mut self, mark: Mark) {
        self.moves.truncate(mark.moves);
        self.tried.truncate(mark.tried);
        self.deferred.truncate(mark.deferred);
    }

    /// A move of this node that was put off.
    #[inline(always)]
    pub fn next_deferred(&mut self, mark: Mark) -> Option<(G::Move, Class)> {
        if self.deferred.len() > mark.deferred { self.deferred.pop() } else { None }
    }

    /// Forgets what was learned from earlier games.
    pub fn clear(&mut self) {
        self.history.clear();
        self.killers.clear();
        self.correction.clear();
    }
}

/// A position after one move, to be looked up later.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    pub key: u64,
    pub side: Side,
    pub depth: i32,
    /// The move that leads to it.
    pub bits: u16,
}

/// Where the moves of a node begin on its thread's stacks.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub moves: usize,
    pub tried: usize,
    pub deferred: usize,
}
