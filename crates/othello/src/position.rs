//! A position of Othello: the rules for the core.

use crate::board::{Board, inverse, transform};
use crate::endgame::CERTAIN;
use crate::square::{Square, Squares};
use polyply_core::game::{Game, MoveList, Observer, Outcome, Side};

/// Evaluation units in a disc.
pub const DISC: i32 = 100;

/// A position: the discs, the side to move, and its legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Othello {
    board: Board,
    side: Side,
    moves: u64,
}

/// What to restore when a move is undone.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    flips: u64,
    /// The legal moves of the side that moved.
    moves: u64,
}

impl Othello {
    /// A position with these discs and this side to move.
    pub fn new(board: Board, side: Side) -> Othello {
        Othello { board, side, moves: board.moves() }
    }

    /// The discs.
    #[inline(always)]
    pub fn discs(&self) -> Board {
        self.board
    }

    /// Where the side to move may play.
    #[inline(always)]
    pub fn legal(&self) -> u64 {
        self.moves
    }

    /// The number of empty squares.
    #[inline(always)]
    pub fn empties(&self) -> i32 {
        self.board.empties() as i32
    }

    /// Whether the side to move must pass.
    #[inline(always)]
    pub fn must_pass(&self) -> bool {
        self.moves == 0 && self.board.passed().moves() != 0
    }

    /// Plays a move, given its flips and the opponent's moves after it.
    #[inline(always)]
    pub(crate) fn play_known(&mut self, square: Square, flips: u64, replies: u64) -> Undo {
        let undo = Undo { flips, moves: self.moves };
        self.board = self.board.after(square.bit(), flips);
        self.side = self.side.other();
        self.moves = replies;
        undo
    }
}

impl Game for Othello {
    type Move = Square;
    type Change = ();
    type Undo = Undo;

    const ENDS_COUNT: bool = true;

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        key(self.board, self.side)
    }

    fn recomputed_key(&self) -> u64 {
        Othello::new(self.board, self.side).key()
    }

    fn moves(&self, out: &mut MoveList<Square>) {
        out.extend(Squares(self.moves));
        if self.must_pass() {
            out.push(Square::PASS);
        }
    }

    fn count_moves(&self) -> usize {
        if self.moves != 0 { self.moves.count_ones() as usize } else { usize::from(self.must_pass()) }
    }

    #[inline]
    fn decode(&self, bits: u16) -> Option<Square> {
        match bits {
            0..64 => (self.moves >> bits & 1 != 0).then_some(Square::new(bits.into())),
            64 => self.must_pass().then_some(Square::PASS),
            _ => None,
        }
    }

    #[inline]
    fn play<O: Observer<()>>(&mut self, square: Square, _: &mut O) -> Undo {
        let flips = if square == Square::PASS { 0 } else { self.board.flips(square) };
        let replies = self.board.after(square.bit(), flips).moves();
        self.play_known(square, flips, replies)
    }

    #[inline]
    fn undo<O: Observer<()>>(&mut self, square: Square, undo: Undo, _: &mut O) {
        let Board { own, other } = self.board;
        self.board = Board { own: other ^ (undo.flips | square.bit()), other: own ^ undo.flips };
        self.side = self.side.other();
        self.moves = undo.moves;
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        if self.moves != 0 || self.board.passed().moves() != 0 {
            return None;
        }
        let result = DISC * self.board.result();
        Some(Outcome::Points(if self.side == Side::First { result } else { -result }))
    }

    #[inline(always)]
    fn horizon(&self) -> i32 {
        // After every move there may be one pass, never two, so a search of this depth reaches the end of the game.
        2 * self.empties() + i32::from(self.moves == 0) + CERTAIN
    }

    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, symmetry: usize) -> Othello {
        Othello::new(self.board.transform(symmetry), self.side)
    }

    fn transform_move(&self, square: Square, symmetry: usize) -> Square {
        if square == Square::PASS { square } else { Square::first(transform(square.bit(), symmetry)) }
    }

    fn inverse(&self, symmetry: usize) -> usize {
        inverse(symmetry)
    }
}

/// The key of a position: the folded product of two 64-bit words, as in [wyhash].
///
/// [wyhash]: https://github.com/wangyi-fudan/wyhash
#[inline(always)]
pub(crate) fn key(board: Board, side: Side) -> u64 {
    const SIDES: [u64; 2] = [0xa076_1d64_78bd_642f, 0x8ebc_6af0_9c88_c6e3];
    let folded = fold(board.own ^ SIDES[side.index()], board.other ^ 0xe703_7ed1_a0b4_28db);
    fold(folded ^ board.own, 0x5899_65cc_7537_4cc3)
}

#[inline(always)]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}
