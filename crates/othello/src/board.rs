//! The discs of both sides, and what a move does to them.
//!
//! Flips and legal moves are computed in the fastest way that the processor supports: four directions at a time with
//! AVX2, else one after the other by arithmetic. Code that does little else, like the solver, is compiled for each
//! [`Cpu`]. All other code calls the methods of [`Board`], which check the processor at run time.

use crate::portable::Portable;
use crate::square::{Square, Squares};

/// A way to compute flips and moves.
pub trait Cpu {
    /// The discs of `other` that flip when `own` plays on an empty square.
    fn flips(own: u64, other: u64, square: usize) -> u64;
    /// Where `own` may play.
    fn moves(own: u64, other: u64) -> u64;
    /// Runs `work`, compiled for this processor. Its arguments are passed one by one, so that they stay in registers.
    #[inline(never)]
    fn compiled<S, L, T>(
        work: impl FnOnce(&mut S, u64, u64, u64, i32, L) -> T,
        state: &mut S,
        own: u64,
        other: u64,
        squares: u64,
        alpha: i32,
        last: L,
    ) -> T {
        work(state, own, other, squares, alpha, last)
    }
}

/// The discs of the side to move and of its opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Board {
    /// The discs of the side to move.
    pub own: u64,
    /// The discs of its opponent.
    pub other: u64,
}

impl Board {
    /// The start of a game.
    pub const START: Board = Board { own: 0x0000_0008_1000_0000, other: 0x0000_0010_0800_0000 };

    /// The empty squares.
    #[inline(always)]
    pub const fn empty(self) -> u64 {
        !(self.own | self.other)
    }

    /// The number of empty squares.
    #[inline(always)]
    pub const fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// Where the side to move may play.
    #[inline]
    pub fn moves(self) -> u64 {
        #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
        if crate::simd::available() {
            return crate::simd::Avx2::moves(self.own, self.other);
        }
        Portable::moves(self.own, self.other)
    }

    /// The discs that flip when the side to move plays on an empty square; the move is legal if there are any.
    #[inline]
    pub fn flips(self, square: Square) -> u64 {
        #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
        if crate::simd::available() {
            return crate::simd::Avx2::flips(self.own, self.other, square.index());
        }
        Portable::flips(self.own, self.other, square.index())
    }

    /// The board after a move with these flips, from the opponent's side.
    #[inline(always)]
    pub const fn after(self, square: u64, flips: u64) -> Board {
        Board { own: self.other ^ flips, other: self.own ^ (flips | square) }
    }

    /// The board after a pass, from the opponent's side.
    #[inline(always)]
    pub const fn passed(self) -> Board {
        Board { own: self.other, other: self.own }
    }

    /// The result for the side to move if the game ends here: the difference of discs, where empty squares go to the
    /// winner.
    pub const fn result(self) -> i32 {
        let (own, other) = (self.own.count_ones() as i32, self.other.count_ones() as i32);
        let empty = 64 - own - other;
        own - other + empty * (own - other).signum()
    }

    /// The image under a symmetry of the square: bit 0 mirrors left and right, bit 1 up and down, and bit 2, which
    /// comes last, swaps rows and columns.
    pub const fn transform(self, symmetry: usize) -> Board {
        Board { own: transform(self.own, symmetry), other: transform(self.other, symmetry) }
    }

    /// Every legal move with its flips.
    pub fn moves_with_flips(self) -> impl Iterator<Item = (Square, u64)> {
        Squares(self.moves()).map(move |square| (square, self.flips(square)))
    }
}

/// The image of a set of squares under a symmetry, see [`Board::transform`].
pub const fn transform(set: u64, symmetry: usize) -> u64 {
    let mut image = set;
    if symmetry & 1 != 0 {
        // Bits of a byte are the columns of a row.
        image = image.reverse_bits().swap_bytes();
    }
    if symmetry & 2 != 0 {
        image = image.swap_bytes();
    }
    if symmetry & 4 != 0 {
        image = transpose(image);
    }
    image
}

/// The inverse of a symmetry.
pub const fn inverse(symmetry: usize) -> usize {
    match symmetry {
        // The two quarter turns are each other's inverse.
        5 => 6,
        6 => 5,
        other => other,
    }
}

/// Swaps rows and columns: exchanges blocks of 4, then of 2, then of 1 across the diagonal.
const fn transpose(set: u64) -> u64 {
    let mut set = set;
    let mut swap = (set ^ (set >> 28)) & 0x0000_0000_f0f0_f0f0;
    set ^= swap ^ (swap << 28);
    swap = (set ^ (set >> 14)) & 0x0000_cccc_0000_cccc;
    set ^= swap ^ (swap << 14);
    swap = (set ^ (set >> 7)) & 0x00aa_00aa_00aa_00aa;
    set ^ swap ^ (swap << 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_have_their_inverses() {
        let set = 0x0123_4567_89ab_cdef_u64.rotate_left(11) ^ 0x00ff_1248;
        let mut images: Vec<u64> = (0..8).map(|symmetry| transform(set, symmetry)).collect();
        for symmetry in 0..8 {
            assert_eq!(transform(transform(set, symmetry), inverse(symmetry)), set, "{symmetry}");
        }
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
        // b1 becomes a2.
        assert_eq!(transform(1 << 1, 4), 1 << 8);
    }

    #[test]
    fn empty_squares_go_to_the_winner() {
        assert_eq!(Board { own: 0b111, other: 0b1000 }.result(), 62);
        assert_eq!(Board { own: 0b1000, other: 0b111 }.result(), -62);
        assert_eq!(Board::START.result(), 0);
    }
}
