//! The terms that depend on pawns and kings alone, and a cache of their sums, since pawns and kings seldom move.

use crate::eval::{Sum, Tally};
use crate::position::Chess;
use crate::squares::{ahead, beside, distance, files_of, forward, rank_of};
use crate::terms::Term;
use crate::weights::{Pair, Weights};
use cozy_chess::{BitBoard, Board, Color, File, Piece, Square};

/// Number of entries of the cache; a new entry always replaces the old one.
const ENTRIES: usize = 4096;

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    passed: BitBoard,
    sum: Pair,
}

/// Sums of [`count`] for one set of weights.
#[derive(Clone)]
pub(crate) struct PawnCache(Box<[Entry]>);

impl Default for PawnCache {
    fn default() -> PawnCache {
        // No position has the key 0, since there are always two kings.
        PawnCache(vec![Entry { key: 0, passed: BitBoard::EMPTY, sum: Pair::ZERO }; ENTRIES].into())
    }
}

impl PawnCache {
    /// The sum of [`count`], and the passed pawns.
    #[inline(always)]
    pub fn count(&mut self, game: &Chess, weights: &Weights) -> (Pair, BitBoard) {
        let key = game.pawns_and_kings_key();
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key {
            let mut sum = Sum { weights: &weights.pairs, total: Pair::ZERO };
            let passed = count(game.board(), &mut sum);
            *entry = Entry { key, passed, sum: sum.total };
        }
        (entry.sum, entry.passed)
    }
}

/// Counts the terms of both sides, and returns the passed pawns.
pub(crate) fn count<T: Tally>(board: &Board, tally: &mut T) -> BitBoard {
    let mut passed = BitBoard::EMPTY;
    for color in Color::ALL {
        passed |= structure(board, color, tally);
        shelter(board, color, tally);
    }
    passed
}

/// The structure of a side's pawns; returns the passed ones.
fn structure<T: Tally>(board: &Board, color: Color, tally: &mut T) -> BitBoard {
    let mine = board.colored_pieces(color, Piece::Pawn);
    let theirs = board.colored_pieces(!color, Piece::Pawn);
    let held = beside(forward(mine, color));
    let mut set = |term: Term, squares: BitBoard| tally.count(color, term.at(0), squares.len() as i32);
    let isolated = mine & !beside(files_of(mine));
    set(Term::Isolated, isolated);
    set(Term::Doubled, mine & ahead(mine, !color));
    // Squares that own pawns attack now or after steps forward.
    let covered = held | beside(ahead(mine, color));
    let stuck = forward(mine, color) & beside(forward(theirs, !color)) & !covered;
    set(Term::Backward, forward(stuck, !color) & !isolated);
    for square in mine & beside(mine) {
        tally.count(color, Term::Phalanx.at(rank_of(square, color)), 1);
    }
    for square in mine & held {
        tally.count(color, Term::Supported.at(rank_of(square, color)), 1);
    }
    let stopped = ahead(theirs, !color) | beside(ahead(theirs, !color));
    let passed = mine & !stopped & !ahead(mine, !color);
    for square in passed {
        let rank = rank_of(square, color);
        tally.count(color, Term::Passed.at(rank), 1);
        if rank >= 3
            && let Some(before) = forward(square.bitboard(), color).next_square()
        {
            let times = rank as i32 - 2;
            tally.count(color, Term::PassedOwnKing.at(distance(board.king(color), before)), times);
            tally.count(color, Term::PassedOtherKing.at(distance(board.king(!color), before)), times);
        }
    }
    passed
}

/// The pawns in front of the king.
fn shelter<T: Tally>(board: &Board, color: Color, tally: &mut T) {
    let king = board.king(color);
    let mine = board.colored_pieces(color, Piece::Pawn);
    let theirs = board.colored_pieces(!color, Piece::Pawn);
    let middle = (king.file() as usize).clamp(1, 6);
    // From the king's rank on forward.
    let front = ahead(king.rank().bitboard(), color) | king.rank().bitboard();
    for file in middle - 1..=middle + 1 {
        let squares = File::index(file).bitboard() & front;
        let nearest = |pawns: BitBoard| {
            let pawns = pawns & squares;
            match color {
                Color::White => pawns.next_square(),
                Color::Black => (!pawns.is_empty()).then(|| Square::index(63 - pawns.0.leading_zeros() as usize)),
            }
        };
        let shelter = nearest(mine).map_or(0, |pawn| rank_of(pawn, color));
        let storm = nearest(theirs).map_or(0, |pawn| rank_of(pawn, color));
        tally.count(color, Term::Shelter.at(file.min(7 - file) * 8 + shelter), 1);
        let blocked = storm != 0 && shelter + 1 == storm;
        tally.count(color, Term::Storm.at(usize::from(blocked) * 8 + storm), 1);
    }
}
