//! Squares of the board, which are also the moves.

/// A square from a1 (the upper left corner, 0) along the rows to h8 (63), or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Square(u8);

impl Square {
    /// A pass.
    pub const PASS: Square = Square(64);

    /// The square of an index below 64.
    pub const fn new(index: usize) -> Square {
        debug_assert!(index < 64);
        Square(index as u8)
    }

    /// The first square of a non-empty set.
    #[inline(always)]
    pub const fn first(set: u64) -> Square {
        Square(set.trailing_zeros() as u8)
    }

    /// 0 to 63, and 64 for a pass.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this square alone; empty for a pass.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        if self.0 < 64 { 1 << self.0 } else { 0 }
    }

    /// 0 for the column a.
    pub const fn column(self) -> usize {
        self.0 as usize % 8
    }

    /// 0 for the top row.
    pub const fn row(self) -> usize {
        self.0 as usize / 8
    }
}

impl From<Square> for u16 {
    #[inline(always)]
    fn from(square: Square) -> u16 {
        u16::from(square.0)
    }
}

/// The squares of a set, from a1 on.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::first(self.0);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// The corners.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonally next to a corner.
pub const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The squares next to a corner on the edge.
pub const C_SQUARES: u64 = 0x4281_0000_0000_8142;
/// All squares except the columns a and h.
pub const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;
