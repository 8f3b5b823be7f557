//! The moves that led from the root to the current node, by their history slots.

use super::{Context, Slot};
use crate::search::MAX_PLY;

/// Empty slots above the root, so that looking six plies back needs no check.
const ABOVE: usize = 6;

/// The history slots of the moves from the root to the current node; 0 stands for a null move, and for the moves
/// before the root.
pub(crate) struct Path {
    slots: Box<[Slot; MAX_PLY + ABOVE + 2]>,
}

impl Path {
    pub fn new() -> Self {
        Path { slots: Box::new([0; MAX_PLY + ABOVE + 2]) }
    }

    /// Returns to the root.
    pub fn clear(&mut self) {
        self.slots.fill(0);
    }

    /// A move is played at this ply; 0 for a null move.
    #[inline(always)]
    pub fn play(&mut self, ply: usize, slot: Slot) {
        self.slots[ply + ABOVE] = slot;
    }

    /// The last move before this ply.
    #[inline(always)]
    pub fn last(&self, ply: usize) -> Slot {
        self.slots[ply + ABOVE - 1]
    }

    /// The last two moves before this ply.
    #[inline(always)]
    pub fn last_two(&self, ply: usize) -> [Slot; 2] {
        [self.slots[ply + ABOVE - 2], self.slots[ply + ABOVE - 1]]
    }

    /// The last six moves before this ply.
    #[inline(always)]
    pub fn context(&self, ply: usize) -> &Context {
        self.slots[ply..].first_chunk().expect("there are six slots before every ply")
    }
}
