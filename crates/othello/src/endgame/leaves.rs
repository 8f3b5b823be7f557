//! The last moves: no tables and little ordering, since searching is faster.

use super::{NONE, cut_by_stable, odd_quarters};
use crate::board::{Board, Cpu};
use crate::portable::RAYS;
use std::marker::PhantomData;

/// Searches the last moves with the null window from `alpha` to the next score, fail-soft.
pub(super) struct Leaves<C> {
    /// Nodes not yet added to the count of the search.
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
            |leaves: &mut Self, own, other, moves, alpha, empties| {
                leaves.shallow_here(own, other, moves, alpha, empties)
            },
            self,
            own,
            other,
            moves,
            alpha,
            empties,
        )
    }

    #[inline(always)]
    fn shallow_here(&mut self, own: u64, other: u64, moves: u64, alpha: i32, empties: u32) -> i32 {
        self.nodes += 1;
        if let Some(most) = cut_by_stable(own, other, alpha, empties) {
            return most;
        }
        if moves == 0 {
            let replies = C::moves(other, own);
            if replies == 0 {
                return Board { own, other }.result();
            }
            return -self.shallow(other, own, replies, -alpha - 1, empties);
        }
        let odd = odd_quarters(!(own | other));
        let (mut now, mut later) = (moves & odd, moves & !odd);
        let mut best = NONE;
        loop {
            if now == 0 {
                if later == 0 {
                    return best;
                }
                (now, later) = (later, 0);
            }
            let square = now.trailing_zeros() as usize;
            now &= now - 1;
            let flips = C::flips(own, other, square);
            let (next_own, next_other) = (other ^ flips, own ^ flips ^ 1 << square);
            let score = if empties == 5 {
                -self.four(next_own, next_other, -alpha - 1)
            } else {
                let replies = C::moves(next_own, next_other);
                -self.shallow(next_own, next_other, replies, -alpha - 1, empties - 1)
            };
            best = best.max(score);
            if best > alpha {
                return best;
            }
        }
    }

    /// Four empty squares.
    #[inline(always)]
    pub fn four(&mut self, own: u64, other: u64, alpha: i32) -> i32 {
        let mut empty = !(own | other);
        let mut squares = 0;
        for place in 0..4 {
            squares |= empty.trailing_zeros() << (8 * place);
            empty &= empty.wrapping_sub(1);
        }
        self.last_four(own, other, alpha, FourOrder::of(squares), false)
    }

    #[inline(always)]
    fn last_four(&mut self, own: u64, other: u64, alpha: i32, order: FourOrder, passed: bool) -> i32 {
        self.nodes += 1;
        if let Some(most) = cut_by_stable(own, other, alpha, 4) {
            return most;
        }
        let mut best = NONE;
        for next in 0..4 {
            if let Some((own, other)) = Self::after(own, other, order.square(next)) {
                best = best.max(-self.last_three(own, other, order.others(next), -alpha - 1, false));
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
            -self.last_four_passed(other, own, -alpha - 1, order)
        }
    }

    #[cold]
    #[inline(never)]
    fn last_four_passed(&mut self, own: u64, other: u64, alpha: i32, order: FourOrder) -> i32 {
        C::compiled(
            #[inline(always)]
            |leaves: &mut Self, own, other, _, alpha, order| leaves.last_four(own, other, alpha, order, true),
            self,
            own,
            other,
            0,
            alpha,
            order,
        )
    }

    /// Three empty squares, one byte each.
    #[inline(always)]
    fn last_three(&mut self, own: u64, other: u64, squares: u64, alpha: i32, passed: bool) -> i32 {
        C::compiled(
            #[inline(always)]
            |leaves: &mut Self, own, other, squares, alpha, passed| {
                leaves.last_three_here(own, other, squares, alpha, passed)
            },
            self,
            own,
            other,
            squares,
            alpha,
            passed,
        )
    }

    #[inline(always)]
    fn last_three_here(&mut self, own: u64, other: u64, squares: u64, alpha: i32, passed: bool) -> i32 {
        self.nodes += 1;
        let [a, b, c] = [0, 8, 16].map(|place| (squares >> place) as usize & 63);
        let mut best = NONE;
        if let Some((own, other)) = Self::after(own, other, a) {
            best = -self.last_two(own, other, -alpha - 1, b, c, false);
            if best > alpha {
                return best;
            }
        }
        if let Some((own, other)) = Self::after(own, other, b) {
            best = best.max(-self.last_two(own, other, -alpha - 1, a, c, false));
            if best > alpha {
                return best;
            }
        }
        if let Some((own, other)) = Self::after(own, other, c) {
            best = best.max(-self.last_two(own, other, -alpha - 1, a, b, false));
        }
        if best > NONE {
            best
        } else if passed {
            Board { own, other }.result()
        } else {
            -self.last_three(other, own, squares, -alpha - 1, true)
        }
    }

    #[inline(always)]
    fn last_two(&mut self, own: u64, other: u64, alpha: i32, a: usize, b: usize, passed: bool) -> i32 {
        self.nodes += 1;
        let mut best = NONE;
        if let Some((next_own, _)) = Self::after(own, other, a) {
            self.nodes += 1;
            best = -last_one(next_own, b, -alpha - 1);
            if best > alpha {
                return best;
            }
        }
        if let Some((next_own, _)) = Self::after(own, other, b) {
            self.nodes += 1;
            best = best.max(-last_one(next_own, a, -alpha - 1));
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
            |leaves: &mut Self, own, other, a, alpha, b| leaves.last_two(own, other, alpha, a as usize, b, true),
            self,
            own,
            other,
            a as u64,
            alpha,
            b,
        )
    }

    /// The board after a move from the opponent's side, if the move is legal.
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

/// Four squares in the order they are tried: first those alone in their quarter, then those of an odd quarter.
#[derive(Clone, Copy)]
struct FourOrder {
    /// One byte each.
    squares: u32,
    /// Two quarters have two squares each: after a move in one of them, its other square is next.
    pairs: bool,
}

impl FourOrder {
    /// The order of four squares, one byte each.
    #[inline(always)]
    fn of(squares: u32) -> FourOrder {
        // Bit 2 of a square is the half of its column, bit 5 the half of its row; the multiplication gathers the bits
        // of all four squares in one byte.
        let quarters = (squares >> 2 & 0x0101_0101) | (squares >> 4 & 0x0202_0202);
        let (shifts, pairs) = ORDERS[(quarters.wrapping_mul(0x0104_1040) >> 24) as usize];
        let place = |number: usize| (squares >> shifts[number] & 63) << (8 * number);
        FourOrder { squares: place(0) | place(1) | place(2) | place(3), pairs }
    }

    #[inline(always)]
    fn square(self, number: usize) -> usize {
        (self.squares >> (8 * number)) as usize & 63
    }

    /// The other three, in their order.
    #[inline(always)]
    fn others(self, number: usize) -> u64 {
        let squares = u64::from(self.squares);
        let below = (1 << (8 * number)) - 1;
        let others = (squares & below) | (squares >> 8 & !below);
        // The last of the three is the partner of either square of the second pair.
        if self.pairs && number >= 2 { others >> 16 | (others & 0xffff) << 8 } else { others }
    }
}

/// The order of four squares by their quarters, two bits each: the shift of each square, and whether they are two
/// pairs.
static ORDERS: [([u8; 4], bool); 256] = {
    let mut orders = [([0; 4], false); 256];
    let mut index = 0;
    while index < 256 {
        let mut counts = [0; 4];
        let mut place = 0;
        while place < 4 {
            counts[index >> (2 * place) & 3] += 1;
            place += 1;
        }
        // By the number of squares in a quarter: one, three, two, four; squares of one quarter stay together.
        let mut shifts = [0; 4];
        let mut next = 0;
        let mut rank = 0;
        while rank < 16 {
            let (count, quarter) = ([1, 3, 2, 4][rank / 4], rank % 4);
            place = 0;
            while place < 4 {
                if index >> (2 * place) & 3 == quarter && counts[quarter] == count {
                    shifts[next] = 8 * place as u8;
                    next += 1;
                }
                place += 1;
            }
            rank += 1;
        }
        let two_pairs = counts[0] != 1 && counts[1] != 1 && counts[2] != 1 && counts[index >> 6] == 2 && counts[3] != 1;
        orders[index] = (shifts, two_pairs);
        index += 1;
    }
    orders
};

/// One empty square: the result for the side to move, which has `own`, or an upper bound of it that is not above
/// `alpha`.
#[inline(always)]
fn last_one(own: u64, square: usize, alpha: i32) -> i32 {
    let discs = own.count_ones() as i32;
    let lines = &LINES[square];
    let (row, column) = (square / 8, square % 8);
    let rows = (own >> (8 * row)) as u8;
    // The multiplication gathers one bit of each row in the highest byte.
    let columns = ((own >> column & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let diagonal = ((own & lines.diagonal).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8;
    let antidiagonal = ((own & lines.antidiagonal).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8;
    // All other squares are occupied, so the own discs on the lines are enough.
    let (by_row, by_column) = (&LINE_FLIPS[row], &LINE_FLIPS[column]);
    let flips = |rows: u8, columns: u8, diagonal: u8, antidiagonal: u8| {
        i32::from(by_column[rows as usize])
            + i32::from(by_row[columns as usize])
            + i32::from(by_column[diagonal as usize])
            + i32::from(by_column[antidiagonal as usize])
    };
    let own_flips = flips(rows, columns, diagonal, antidiagonal);
    if own_flips > 0 {
        return 2 * (discs + own_flips) - 62;
    }
    // The opponent may play there; if nobody can, the winner gets the square.
    let most = 2 * discs - if discs >= 32 { 62 } else { 64 };
    if most <= alpha {
        return most;
    }
    match flips(!rows, !columns, diagonal ^ lines.diagonal_columns, antidiagonal ^ lines.antidiagonal_columns) {
        0 => most,
        other_flips => 2 * (discs - other_flips) - 64,
    }
}

/// The two diagonals through a square.
struct Lines {
    diagonal: u64,
    antidiagonal: u64,
    /// The columns that they touch.
    diagonal_columns: u8,
    antidiagonal_columns: u8,
}

static LINES: [Lines; 64] = {
    let mut lines =
        [const { Lines { diagonal: 0, antidiagonal: 0, diagonal_columns: 0, antidiagonal_columns: 0 } }; 64];
    let mut square = 0;
    while square < 64 {
        let rays = &RAYS[square];
        let (diagonal, antidiagonal) = (rays[3] | rays[7], rays[1] | rays[5]);
        lines[square] = Lines {
            diagonal,
            antidiagonal,
            diagonal_columns: (diagonal.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8,
            antidiagonal_columns: (antidiagonal.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8,
        };
        square += 1;
    }
    lines
};

/// The squares around each.
static NEIGHBOURS: [u64; 64] = {
    let mut neighbours = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let mut other = 0;
        while other < 64 {
            let (rows, columns) = ((other / 8) as i32 - row as i32, (other % 8) as i32 - column as i32);
            if other != square && rows.abs() <= 1 && columns.abs() <= 1 {
                neighbours[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    neighbours
};

/// The number of flips on a line that is full except for one square, by that square and the own discs.
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
