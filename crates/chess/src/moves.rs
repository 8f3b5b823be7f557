//! A move in sixteen bits.

use cozy_chess::{Piece, Square};

/// A move: six bits each for where it begins and ends, the rest for what a pawn becomes. Castling is the king taking its
/// own rook, in usual chess as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u16);

impl Move {
    /// A move; whether it is legal is a question for a position.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, promotion: Option<Piece>) -> Move {
        let becomes = match promotion {
            Some(piece) => piece as u16,
            None => 0,
        };
        Move(from as u16 | (to as u16) << 6 | becomes << 12)
    }

    /// The move with these bits, if they are those of a move at all.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u16) -> Option<Move> {
        if bits >> 12 <= Piece::Queen as u16 { Some(Move(bits)) } else { None }
    }

    /// Where it begins.
    #[inline(always)]
    pub fn from(self) -> Square {
        Square::index(usize::from(self.0 & 63))
    }

    /// Where it ends; the square of the rook when castling.
    #[inline(always)]
    pub fn to(self) -> Square {
        Square::index(usize::from(self.0 >> 6 & 63))
    }

    /// What the pawn becomes.
    #[inline(always)]
    pub fn promotion(self) -> Option<Piece> {
        match self.0 >> 12 {
            0 => None,
            piece => Some(Piece::index(usize::from(piece))),
        }
    }

    pub(crate) fn cozy(self) -> cozy_chess::Move {
        cozy_chess::Move { from: self.from(), to: self.to(), promotion: self.promotion() }
    }
}

impl From<Move> for u16 {
    fn from(mv: Move) -> u16 {
        mv.0
    }
}
