//! Stable discs: those that can never flip again.

use crate::square::CORNERS;

/// A subset of the stable discs of `own`: those on full lines in all four directions, and those supported by such
/// discs.
///
/// A disc is stable along a line if the line is full, or if its neighbour on one side is the edge or a stable disc of
/// the same colour; it is stable if that holds for all four lines.
#[inline(always)]
pub fn stable(own: u64, other: u64) -> u64 {
    let [rows, antidiagonals, columns, diagonals] = full_lines(own | other);
    let mut stable = own & (rows & antidiagonals & columns & diagonals | CORNERS);
    if stable == 0 {
        return 0;
    }
    let (rows, columns) = (rows | ROW_ENDS, columns | COLUMN_ENDS);
    let (antidiagonals, diagonals) = (antidiagonals | DIAGONAL_ENDS, diagonals | DIAGONAL_ENDS);
    loop {
        // A bit shifted over the left or right edge lands on a square that is an end in that direction anyway.
        let grown = stable
            | own
                & (rows | stable << 1 | stable >> 1)
                & (antidiagonals | stable << 7 | stable >> 7)
                & (columns | stable << 8 | stable >> 8)
                & (diagonals | stable << 9 | stable >> 9);
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// The squares that have no neighbour on one side along a row, a column or a diagonal.
const ROW_ENDS: u64 = 0x8181_8181_8181_8181;
const COLUMN_ENDS: u64 = 0xff00_0000_0000_00ff;
const DIAGONAL_ENDS: u64 = ROW_ENDS | COLUMN_ENDS;

/// The squares of full lines, by direction: rows, antidiagonals, columns, diagonals.
///
/// A square stays while the square one step away is in the set or beyond the edge; then two steps, then four, both
/// ways.
#[inline(always)]
fn full_lines(discs: u64) -> [u64; 4] {
    let columns = discs & discs.rotate_right(8);
    let columns = columns & columns.rotate_right(16);
    let columns = columns & columns.rotate_right(32);

    let rows = discs & (discs >> 4 & 0x0f0f_0f0f_0f0f_0f0f | discs << 4 & 0xf0f0_f0f0_f0f0_f0f0);
    let rows = rows & (rows >> 2 & 0x3333_3333_3333_3333 | rows << 2 & 0xcccc_cccc_cccc_cccc);
    let rows = rows & (rows >> 1 & 0x5555_5555_5555_5555 | rows << 1 & 0xaaaa_aaaa_aaaa_aaaa);

    let (mut down, mut up) = (discs, discs);
    down &= 0xff01_0101_0101_0101 | down >> 7;
    up &= 0x8080_8080_8080_80ff | up << 7;
    down &= 0xffff_0303_0303_0303 | down >> 14;
    up &= 0xc0c0_c0c0_c0c0_ffff | up << 14;
    down &= 0xffff_ffff_0f0f_0f0f | down >> 28;
    up &= 0xf0f0_f0f0_ffff_ffff | up << 28;
    let antidiagonals = down & up;

    let (mut down, mut up) = (discs, discs);
    down &= 0xff80_8080_8080_8080 | down >> 9;
    up &= 0x0101_0101_0101_01ff | up << 9;
    down &= 0xffff_c0c0_c0c0_c0c0 | down >> 18;
    up &= 0x0303_0303_0303_ffff | up << 18;
    down &= 0xffff_ffff_f0f0_f0f0 | down >> 36;
    up &= 0x0f0f_0f0f_ffff_ffff | up << 36;
    [rows, antidiagonals, columns, down & up]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::portable::RAYS;
    use crate::square::Squares;
    use polyply_core::random::Random;

    /// The same, computed square by square.
    fn full_lines_of(discs: u64) -> [u64; 4] {
        let mut open = [0; 4];
        for square in Squares(!discs) {
            let rays = &RAYS[square.index()];
            for direction in 0..4 {
                open[direction] |= rays[direction] | rays[direction + 4] | square.bit();
            }
        }
        open.map(|open| !open)
    }

    #[test]
    fn full_lines_are_those_without_an_empty_square() {
        let mut random = Random::new(1);
        for round in 0..10_000 {
            let discs = (0..round % 6).fold(random.next(), |discs, _| discs | random.next());
            assert_eq!(full_lines(discs), full_lines_of(discs), "{discs:#x}");
        }
    }
}
