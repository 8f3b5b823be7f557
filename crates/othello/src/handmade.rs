//! A hand-made evaluation: the features that people use, weighted by the phase of the game.
//!
//! It is the baseline for the learned evaluation, and its first teacher.

use crate::board::Board;
use crate::position::DISC;
use crate::square::{C_SQUARES, CORNERS, Squares, X_SQUARES};
use crate::stable::stable;

/// The value of a feature at the start and at the end of a game, in hundredths of a disc, interpolated linearly.
#[derive(Clone, Copy)]
struct Worth {
    start: i32,
    end: i32,
}

/// One more move than the opponent.
const MOBILITY: Worth = Worth { start: 60, end: 90 };
/// An empty square next to the opponent's discs: a potential move.
const FRONTIER: Worth = Worth { start: 30, end: 10 };
/// A corner.
const CORNER: Worth = Worth { start: 700, end: 500 };
/// A disc diagonally next to an empty corner.
const X_SQUARE: Worth = Worth { start: -350, end: -250 };
/// A disc on the edge next to an empty corner.
const C_SQUARE: Worth = Worth { start: -150, end: -100 };
/// A disc that never flips.
const STABLE: Worth = Worth { start: 100, end: 120 };
/// Any disc.
const MATERIAL: Worth = Worth { start: -20, end: 60 };
/// Having the last move: the side to move has it if the number of empty squares is odd.
const PARITY: Worth = Worth { start: 0, end: 200 };

/// A hash of its weights.
pub(crate) const HASH: u64 = {
    let worth = [MOBILITY, FRONTIER, CORNER, X_SQUARE, C_SQUARE, STABLE, MATERIAL, PARITY];
    let mut hash: u64 = 0x0e11_0001;
    let mut index = 0;
    while index < worth.len() {
        hash ^= ((worth[index].start as u64) << 16) ^ worth[index].end as u64;
        hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        index += 1;
    }
    hash
};

/// The value for the side to move.
pub fn value(board: Board) -> i32 {
    let empties = board.empties() as i32;
    let phase = 60 - empties.min(60);
    let at = |worth: Worth| (worth.start * (60 - phase) + worth.end * phase) / 60;
    let count = |set: u64| set.count_ones() as i32;
    let difference = |own: u64, other: u64| count(own) - count(other);

    let Board { own, other } = board;
    let (own_near, other_near) = (near_empty_corners(own, board.empty()), near_empty_corners(other, board.empty()));
    let parity = if empties % 2 == 1 { at(PARITY) } else { -at(PARITY) };
    let value = at(MOBILITY) * difference(board.moves(), board.passed().moves())
        + at(FRONTIER) * difference(around(other) & board.empty(), around(own) & board.empty())
        + at(CORNER) * difference(own & CORNERS, other & CORNERS)
        + at(X_SQUARE) * difference(own_near & X_SQUARES, other_near & X_SQUARES)
        + at(C_SQUARE) * difference(own_near & C_SQUARES, other_near & C_SQUARES)
        + at(STABLE) * difference(stable(own, other), stable(other, own))
        + at(MATERIAL) * difference(own, other)
        + parity;
    value.clamp(-64 * DISC, 64 * DISC)
}

/// The discs that are next to an empty corner.
fn near_empty_corners(discs: u64, empty: u64) -> u64 {
    discs & Squares(empty & CORNERS).fold(0, |near, corner| near | around(corner.bit()))
}

/// The squares next to a set.
fn around(set: u64) -> u64 {
    let (right, left) = (set << 1 & !0x0101_0101_0101_0101, set >> 1 & !0x8080_8080_8080_8080);
    let row = set | right | left;
    row | row << 8 | row >> 8
}
