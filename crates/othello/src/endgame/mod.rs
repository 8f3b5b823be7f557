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

/// The quarters of the board that have an odd number of empty squares: who moves first there also moves last.
#[inline(always)]
fn odd_quarters(empty: u64) -> u64 {
    // The parity of each half row, then of each quarter, in its lowest bit.
    let rows = empty ^ empty >> 1;
    let rows = rows ^ rows >> 2;
    let quarters = rows ^ rows >> 8;
    let quarters = (quarters ^ quarters >> 16) & 0x0000_0011_0000_0011;
    quarters.wrapping_mul(0x0f0f_0f0f)
}

/// A score that the side to move can't exceed, for so many discs of the opponent are stable; if that is not above `alpha`.
#[inline(always)]
fn cut_by_stable(own: u64, other: u64, alpha: i32, empties: u32) -> Option<i32> {
    // Where the score is low (by empty squares) it is not worth counting, nor where the opponent has too few discs.
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
