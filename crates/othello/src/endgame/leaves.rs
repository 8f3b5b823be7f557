//! The last moves: nothing is looked up and little is ordered, for searching is quicker.

use super::{NONE, may_be_stable, odd_quarters};
use crate::board::{Board, Cpu};
use crate::portable::RAYS;
use crate::square::Squares;
use crate::stable::stable;
use std::marker::PhantomData;

/// Searches the last moves with an empty window, `alpha` and the next score, fail-soft.
pub(super) struct Leaves<C> {
    /// Nodes that were not counted elsewhere yet.
    pub nodes: u64,
    cpu: PhantomData<C>,
}

impl<C: Cpu> Leaves<C> {
    pub fn new() -> Self {
        Leaves { nodes: 0, cpu: PhantomData }
    }

    /// Five empty squares or more: moves into odd regions come first.
    pub fn shallow(&mut self, own: u64, other: u64, moves: u64, alpha: i32, empties: u32) -> i32 {
        C::compiled(
            #[inline(always)]
            || self.shallow_here(own, other, moves, alpha, empties),
        )
    }

    #[inline(always)]
    fn shallow_here(&mut self, own: u64, other: u64, moves: u64, alpha: i32, empties: u32) -> i32 {
        self.nodes += 1;
        if may_be_stable(alpha, empties) {
            let most = 64 - 2 * stable(other, own).count_ones() as i32;
            if most <= alpha {
                return most;
            }
        }
        if moves == 0 {
            let replies = C::moves(other, own);
            if replies == 0 {
                return Board { own, other }.result();
            }
            return -self.shallow(other, own, replies, -alpha - 1, empties);
        }
        let odd = odd_quarters(!(own | other));
        let mut best = NONE;
        for part in [moves & odd, moves & !odd] {
            for square in Squares(part) {
                let flips = C::flips(own, other, square.index());
                let (next_own, next_other) = (other ^ flips, own ^ flips ^ square.bit());
                let score = if empties == 5 {
                    -self.four(next_own, next_other, -alpha - 1)
                } else {
                    let replies = C::moves(next_own, next_other);
                    -self.shallow(next_own, next_other, replies, -alpha - 1, empties - 1)
                };
                if score > best {
                    best = score;
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// Four empty squares, whichever they are.
    #[inline(always)]
    pub fn four(&mut self, own: u64, other: u64, alpha: i32) -> i32 {
        let empty = !(own | other);
        let odd = odd_quarters(empty);
        let mut squares = [0; 4];
        for (place, square) in squares.iter_mut().zip(Squares(empty & odd).chain(Squares(empty & !odd))) {
            *place = square.index();
        }
        self.last_four(own, other, alpha, squares, false)
    }

    #[inline(always)]
    fn last_four(&mut self, own: u64, other: u64, alpha: i32, squares: [usize; 4], passed: bool) -> i32 {
        self.nodes += 1;
        if may_be_stable(alpha, 4) {
            let most = 64 - 2 * stable(other, own).count_ones() as i32;
            if most <= alpha {
                return most;
            }
        }
        let [a, b, c, d] = squares;
        let mut best = NONE;
        for [square, first, second, third] in [[a, b, c, d], [b, a, c, d], [c, a, b, d], [d, a, b, c]] {
            if let Some((own, other)) = Self::after(own, other, square) {
                // The odd ones of what is left come first: of an odd pair the partner, else as they are.
                best = best.max(-self.last_three(own, other, -alpha - 1, order_three([first, second, third]), false));
                if best > alpha {
                    return best;
                }
            }
        }
        if best > NONE {
            best
        } else if passed {
            Board { own, other }.result()
        } else {
            -self.last_four_passed(other, own, -alpha - 1, squares)
        }
    }

    #[cold]
    #[inline(never)]
    fn last_four_passed(&mut self, own: u64, other: u64, alpha: i32, squares: [usize; 4]) -> i32 {
        C::compiled(
            #[inline(always)]
            || self.last_four(own, other, alpha, squares, true),
        )
    }

    #[inline(always)]
    fn last_three(&mut self, own: u64, other: u64, alpha: i32, squares: [usize; 3], passed: bool) -> i32 {
        self.nodes += 1;
        let [a, b, c] = squares;
        let mut best = NONE;
        for [square, first, second] in [[a, b, c], [b, a, c], [c, a, b]] {
            if let Some((own, other)) = Self::after(own, other, square) {
                best = best.max(-self.last_two(own, other, -alpha - 1, first, second, false));
                if best > alpha {
                    return best;
                }
            }
        }
        if best > NONE {
            best
        } else if passed {
            Board { own, other }.result()
        } else {
            -self.last_three_passed(other, own, -alpha - 1, squares)
        }
    }

    #[cold]
    #[inline(never)]
    fn last_three_passed(&mut self, own: u64, other: u64, alpha: i32, squares: [usize; 3]) -> i32 {
        C::compiled(
            #[inline(always)]
            || self.last_three(own, other, alpha, squares, true),
        )
    }

    #[inline(always)]
    fn last_two(&mut self, own: u64, other: u64, alpha: i32, a: usize, b: usize, passed: bool) -> i32 {
        self.nodes += 1;
        let mut best = NONE;
        if let Some((next_own, _)) = Self::after(own, other, a) {
            self.nodes += 1;
            best = -last_one(next_own, b);
            if best > alpha {
                return best;
            }
        }
        if let Some((next_own, _)) = Self::after(own, other, b) {
            self.nodes += 1;
            best = best.max(-last_one(next_own, a));
        }
        if best > NONE {
            best
        } else if passed {
            Board { own, other }.result()
        } else {
            -self.last_two_passed(other, own, -alpha - 1, a, b)
        }
    }

    #[cold]
    #[inline(never)]
    fn last_two_passed(&mut self, own: u64, other: u64, alpha: i32, a: usize, b: usize) -> i32 {
        C::compiled(
            #[inline(always)]
            || self.last_two(own, other, alpha, a, b, true),
        )
    }

    /// The opponent's view after a move, if it is legal.
    #[inline(always)]
    fn after(own: u64, other: u64, square: usize) -> Option<(u64, u64)> {
        if NEIGHBOURS[square] & other == 0 {
            return None;
        }
        let flips = C::flips(own, other, square);
        if flips == 0 {
            return None;
        }
        Some((other ^ flips, own ^ flips ^ (1 << square)))
    }
}

/// The one that is alone in its quarter first.
#[inline(always)]
fn order_three([a, b, c]: [usize; 3]) -> [usize; 3] {
    let quarter = |square: usize| square >> 2 & 1 | square >> 4 & 2;
    let (qa, qb, qc) = (quarter(a), quarter(b), quarter(c));
    if qa == qb && qb != qc {
        [c, a, b]
    } else if qa == qc && qb != qa {
        [b, a, c]
    } else {
        [a, b, c]
    }
}

/// The squares beside each.
static NEIGHBOURS: [u64; 64] = {
    let mut near = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let ray = RAYS[square][direction];
            // The nearest square of a ray is its lowest bit where it leads up, its highest where it leads down.
            near[square] |= if ray == 0 {
                0
            } else if direction < 4 {
                ray & ray.wrapping_neg()
            } else {
                1 << (63 - ray.leading_zeros())
            };
            direction += 1;
        }
        square += 1;
    }
    near
};

/// One empty square: the result for the side to move, who has `own`.
#[inline(always)]
fn last_one(own: u64, square: usize) -> i32 {
    let discs = own.count_ones() as i32;
    let flips = last_flips(own, square);
    if flips > 0 {
        return 2 * (discs + flips) - 62;
    }
    let flips = last_flips(!own, square);
    if flips > 0 {
        return 2 * (discs - flips) - 64;
    }
    // Nobody can take the last square, so the winner gets it.
    2 * discs - if discs >= 32 { 62 } else { 64 }
}

/// How many discs flip on the last empty square: all others are taken, so the own ones on its lines tell.
#[inline(always)]
fn last_flips(own: u64, square: usize) -> i32 {
    let (row, column) = (square / 8, square % 8);
    let lines = &DIAGONALS[square];
    let rows = (own >> (8 * row)) as u8;
    // Multiplying gathers one bit of each row in the highest byte.
    let columns = ((own >> column & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let diagonal = ((own & lines[0]).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8;
    let antidiagonal = ((own & lines[1]).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8;
    let by_column = &LINE_FLIPS[column];
    i32::from(by_column[rows as usize])
        + i32::from(LINE_FLIPS[row][columns as usize])
        + i32::from(by_column[diagonal as usize])
        + i32::from(by_column[antidiagonal as usize])
}

/// The two diagonals through a square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut lines = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let rays = &RAYS[square];
        lines[square] = [rays[3] | rays[7], rays[1] | rays[5]];
        square += 1;
    }
    lines
};

/// How many discs flip on a line that is full but for the place played on, by that place and the own discs.
static LINE_FLIPS: [[u8; 256]; 8] = {
    let mut flips = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let mut count = 0;
            let mut near = place + 1;
            while near < 8 && own >> near & 1 == 0 {
                near += 1;
            }
            if near < 8 {
                count += near - place - 1;
            }
            let mut far = place;
            while far > 0 && own >> (far - 1) & 1 == 0 {
                far -= 1;
            }
            if far > 0 {
                count += place - far;
            }
            flips[place][own] = count as u8;
            own += 1;
        }
        place += 1;
    }
    flips
};
