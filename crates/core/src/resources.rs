//! What a game's own solver may use of the search.

use crate::busy::{Busy, Visit};
use crate::game::SearchGame;
use crate::table::SearchTt;
use crate::watch::{NodeCount, Watch};
use std::sync::Arc;

/// The table, the node counter, the stop signal and the game's parameters, lent to a game for one call.
pub struct Resources<'a, G: SearchGame> {
    /// A solver stores what it has proven here, under [`Resources::key`].
    pub table: &'a SearchTt,
    /// The game's tunables.
    pub params: &'a G::Params,
    /// At a node of the principal variation, its distance from the root; elsewhere [`usize::MAX`]. Such nodes are few
    /// and matter most, so a solver may spend more on them.
    pub pv_ply: usize,
    pub(crate) salt: u64,
    pub(crate) watch: &'a mut Watch,
    pub(crate) busy: &'a Busy,
}

impl<G: SearchGame> Resources<'_, G> {
    /// The key of a position in the table. It differs for other weights and other modes.
    pub fn key(&self, game: &G) -> u64 {
        game.key() ^ self.salt
    }

    /// The part of a budget of nodes that a solver may use before the search begins: most of a small node limit is kept
    /// for the search.
    pub fn share(&self, budget: u32) -> u32 {
        (self.watch.left() / 8).min(u64::from(budget)) as u32
    }

    /// Counts a node of the solver; true when it must stop at once, with nothing proven.
    #[inline(always)]
    pub fn visit(&mut self) -> bool {
        self.watch.visit()
    }

    /// Counts many nodes at once; true when the solver must stop.
    #[inline(always)]
    pub fn visited(&mut self, nodes: u64) -> bool {
        self.watch.visited(nodes)
    }

    /// The solver was told to stop: what it has found since means nothing.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.watch.stopped()
    }

    /// Several threads search.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        self.busy.is_shared()
    }

    /// Another thread is searching this move in the position with this key. The solver should try other moves first.
    pub fn is_busy(&self, key: u64, bits: u16) -> bool {
        self.is_shared() && self.busy.contains(Visit::of(key, bits))
    }

    /// This thread begins to search a move. Only for searches on several threads.
    pub fn enter(&self, key: u64, bits: u16) {
        self.busy.enter(Visit::of(key, bits));
    }

    /// This thread has searched the move.
    pub fn leave(&self, key: u64, bits: u16) {
        self.busy.leave(Visit::of(key, bits));
    }
}

/// Resources without a search, for solvers that are called on their own, and for tests.
pub struct Standalone<G: SearchGame> {
    table: SearchTt,
    params: G::Params,
    watch: Watch,
    busy: Busy,
}

impl<G: SearchGame> Standalone<G> {
    /// A table of this many bytes, the game's default parameters, and no limit.
    pub fn new(bytes: usize) -> Self {
        let watch = Watch::new(Arc::default(), Arc::new([NodeCount::default()]), 0, None, None);
        Standalone { table: SearchTt::new(bytes), params: G::Params::default(), watch, busy: Busy::default() }
    }

    /// The resources for one call.
    pub fn lend(&mut self) -> Resources<'_, G> {
        Resources {
            table: &self.table,
            params: &self.params,
            pv_ply: usize::MAX,
            salt: 0,
            watch: &mut self.watch,
            busy: &self.busy,
        }
    }
}
