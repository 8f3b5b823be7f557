//! A move in sixteen bits.

use cozy_chess::{Piece, Square};

/// A move: six bits for each square, the rest for the promotion. Castling is the king taking its own rook, in standard
/// chess as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u16);

impl Move {
    /// A move, which may be illegal.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, promotion: Option<Piece>) -> Move {
        let becomes = match promotion {
            Some(piece) => piece as u16,
            None => 0,
        };
        Move(from as u16 | (to as u16) << 6 | becomes << 12)
    }

    /// The move with these bits, if they encode one.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u16) -> Option<Move> {
        if bits >> 12 <= Piece::Queen as u16 { Some(Move(bits)) } else { None }
    }

    /// The square it starts from.
    #[inline(always)]
    pub fn from(self) -> Square {
        Square::index(usize::from(self.0 & 63))
    }

    /// The square it goes to; the rook's square when castling.
    #[inline(always)]
    pub fn to(self) -> Square {
        Square::index(usize::from(self.0 >> 6 & 63))
    }

    /// The promotion.
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
