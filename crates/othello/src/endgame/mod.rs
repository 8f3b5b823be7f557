//! The end of the game, played perfectly.
//!
//! By the number of empty squares, from the last to the first: [`leaves`] unrolls the last four moves and tries those of
//! odd regions first a little above them; [`table`] looks positions up and tries first what leaves the opponent few
//! moves; [`deep`] asks the evaluation for the order, and cuts by what it predicts where certainty is not asked for.
//! Scores here are discs, for the side to move.

mod deep;
mod leaves;
mod near;
mod table;

pub(crate) use deep::{CERTAIN, Endgame};

use crate::square::Square;

/// How certain each level of a selective endgame is, in percent.
pub(crate) const CERTAINTY: [u8; 6] = [73, 87, 95, 98, 99, 100];

/// Worse than any result.
const NONE: i32 = -100;

/// A move with the position after it, to be ordered.
#[derive(Clone, Copy)]
struct Candidate {
    square: Square,
    flips: u64,
    /// Where the opponent may play then.
    replies: u64,
    order: i32,
}

/// No position has more moves than this.
const MOST_MOVES: usize = 34;

type Candidates = arrayvec::ArrayVec<Candidate, MOST_MOVES>;

/// Brings the best of the candidates from `next` on to the front.
#[inline(always)]
fn take_best(candidates: &mut [Candidate], next: usize) -> Candidate {
    let mut best = next;
    for index in next + 1..candidates.len() {
        if candidates[index].order > candidates[best].order {
            best = index;
        }
    }
    candidates.swap(next, best);
    candidates[next]
}

/// The four quarters of the board. In a region with an odd number of empty squares, who moves first also moves last.
const QUARTERS: [u64; 4] = [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The quarters that have an odd number of empty squares.
#[inline(always)]
fn odd_quarters(empty: u64) -> u64 {
    QUARTERS.iter().fold(0, |odd, quarter| {
        let count = (empty & quarter).count_ones() as u64;
        odd | quarter & (count & 1).wrapping_neg()
    })
}

/// Below this score for the side to move (by empty squares), it is not worth counting the stable discs of the opponent.
#[inline(always)]
fn may_be_stable(alpha: i32, empties: u32) -> bool {
    alpha >= 2 * empties as i32 - 4
}
