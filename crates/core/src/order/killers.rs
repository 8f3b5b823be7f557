//! Killers, which caused a cutoff in a sibling node, and counter moves, which refuted the move just played.

use super::Slot;
use crate::game::NO_MOVE;

/// Two killers for each ply, and one counter move for each slot of the previous move.
pub(crate) struct Killers {
    by_ply: Box<[[u16; 2]]>,
    counters: Box<[u16]>,
}

impl Killers {
    /// `slots` counts the history slots of both sides.
    pub fn new(plies: usize, slots: usize) -> Self {
        Killers { by_ply: vec![[NO_MOVE; 2]; plies].into(), counters: vec![NO_MOVE; slots].into() }
    }

    /// A search from a new root begins: forgets the killers. Counter moves stay, as they do not depend on the ply.
    pub fn new_search(&mut self) {
        self.by_ply.fill([NO_MOVE; 2]);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.new_search();
        self.counters.fill(NO_MOVE);
    }

    pub fn killers(&self, ply: usize) -> [u16; 2] {
        self.by_ply[ply]
    }

    pub fn counter(&self, previous: Slot) -> u16 {
        self.counters[usize::from(previous)]
    }

    pub fn add_killer(&mut self, ply: usize, mv: u16) {
        let [first, second] = &mut self.by_ply[ply];
        if *first != mv {
            *second = *first;
            *first = mv;
        }
    }

    pub fn add_counter(&mut self, previous: Slot, mv: u16) {
        self.counters[usize::from(previous)] = mv;
    }
}
