//! A small table for each thread, for positions near the end, where access to the Search TT is too slow to pay.

use super::table::Found;
use crate::board::Board;
use polyply_core::game::NO_MOVE;
use polyply_core::table::Bound;

/// Number of entries; the table fits into the cache of a core.
const ENTRIES: usize = 1 << 11;

#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    score: i8,
    bound: Bound,
    best: u16,
}

/// Results of null windows. Each key has one slot, and the last result stays.
pub(super) struct Near(Box<[Entry]>);

impl Near {
    pub fn new() -> Near {
        // Every position has discs.
        let free = Entry { board: Board { own: 0, other: 0 }, score: 0, bound: Bound::Exact, best: NO_MOVE };
        Near(vec![free; ENTRIES].into_boxed_slice())
    }

    #[inline(always)]
    fn place(board: Board) -> usize {
        let mixed = (board.own ^ board.other.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ board.other.wrapping_mul(0xd134_2543_de82_ef95)) as usize >> (usize::BITS - ENTRIES.trailing_zeros())
    }

    #[inline(always)]
    pub fn look_up(&self, board: Board) -> Option<Found> {
        let entry = &self.0[Near::place(board)];
        let Entry { score, bound, best, .. } = *entry;
        (entry.board == board).then_some(Found { score: score.into(), bound, depth: i32::MAX, best })
    }

    #[inline(always)]
    pub fn remember(&mut self, board: Board, found: Found) {
        let Found { score, bound, best, .. } = found;
        self.0[Near::place(board)] = Entry { board, score: score as i8, bound, best };
    }
}
