//! Sets of squares, relative to a side.

use cozy_chess::{BitBoard, Color, File, Square};

#[inline(always)]
pub(crate) fn forward(squares: BitBoard, color: Color) -> BitBoard {
    BitBoard(if color == Color::White { squares.0 << 8 } else { squares.0 >> 8 })
}

/// All squares in front, to the end of the board.
#[inline(always)]
pub(crate) fn ahead(squares: BitBoard, color: Color) -> BitBoard {
    let mut fill = forward(squares, color).0;
    if color == Color::White {
        fill |= fill << 8;
        fill |= fill << 16;
        fill |= fill << 32;
    } else {
        fill |= fill >> 8;
        fill |= fill >> 16;
        fill |= fill >> 32;
    }
    BitBoard(fill)
}

#[inline(always)]
pub(crate) fn left_of(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & !File::A.bitboard().0) >> 1)
}

#[inline(always)]
pub(crate) fn right_of(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & !File::H.bitboard().0) << 1)
}

#[inline(always)]
pub(crate) fn beside(squares: BitBoard) -> BitBoard {
    left_of(squares) | right_of(squares)
}

#[inline(always)]
pub(crate) fn files_of(squares: BitBoard) -> BitBoard {
    ahead(squares, Color::White) | ahead(squares, Color::Black) | squares
}

#[inline(always)]
pub(crate) fn rank_of(square: Square, color: Color) -> usize {
    square.rank().relative_to(color) as usize
}

pub(crate) fn distance(one: Square, two: Square) -> usize {
    let gap = |one: usize, two: usize| one.abs_diff(two);
    gap(one.file() as usize, two.file() as usize).max(gap(one.rank() as usize, two.rank() as usize))
}
