//! The endgame solver.
//!
//! It has three layers, by the number of empty squares. [`leaves`] unrolls the last four moves, and a little above them
//! tries moves into odd regions first. [`table`] uses transposition tables and tries first the moves that leave the
//! opponent few replies. [`deep`] orders moves by the evaluation and, at the levels below full certainty, prunes by its
//! predictions. Scores are in discs, for the side to move.

mod deep;
mod leaves;
mod near;
mod table;

pub(crate) use deep::{CERTAIN, Endgame};

use crate::square::Square;
use crate::stable::stable;

/// How certain each level of a selective endgame is, in percent.
pub(crate) const CERTAINTY: [u8; 3] = [73, 95, 100];

/// Worse than any result.
const NONE: i32 = -100;

/// A move to be ordered.
#[derive(Clone, Copy)]
struct Candidate {
    square: Square,
    flips: u64,
    /// The opponent's moves after it.
    replies: u64,
    order: i32,
}

/// The most moves that a position can have.
const MOST_MOVES: usize = 34;

type Candidates = arrayvec::ArrayVec<Candidate, MOST_MOVES>;

/// Moves the best of the candidates from `next` on to the front.
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

/// The quarters of the board with an odd number of empty squares: the side that plays there first also plays there
/// last.
#[inline(always)]
fn odd_quarters(empty: u64) -> u64 {
    // The parity of each half row, then of each quarter, in its lowest bit.
    let rows = empty ^ empty >> 1;
    let rows = rows ^ rows >> 2;
    let quarters = rows ^ rows >> 8;
    let quarters = (quarters ^ quarters >> 16) & 0x0000_0011_0000_0011;
    quarters.wrapping_mul(0x0f0f_0f0f)
}

/// An upper bound of the score from the opponent's stable discs, if it is not above `alpha`.
#[inline(always)]
fn cut_by_stable(own: u64, other: u64, alpha: i32, empties: u32) -> Option<i32> {
    // Counting is not worth it if `alpha` is low (depending on the empty squares) or the opponent has too few discs.
    if alpha < 2 * empties as i32 - 4 || 64 - 2 * other.count_ones() as i32 > alpha {
        return None;
    }
    let most = 64 - 2 * stable(other, own).count_ones() as i32;
    (most <= alpha).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::random::Random;

    #[test]
    fn odd_quarters_are_those_with_an_odd_number_of_empty_squares() {
        const QUARTERS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let empty = random.next() & random.next();
            let odd = QUARTERS.iter().filter(|&quarter| (empty & quarter).count_ones() % 2 == 1).sum();
            assert_eq!(odd_quarters(empty), odd, "{empty:#x}");
        }
    }
}
