//! A neural net that adds to the evaluation: pieces on squares, seen from both sides.
//!
//! A feature is a piece on a square, as the player of a perspective sees it: own or other, and with the own king always
//! on the files a to d, so that mirrored positions share weights. The number of pieces chooses the weights after the first layer.

use crate::eval::Evaluator;
use crate::position::{Change, Chess, pieces_of};
use cozy_chess::{Board, Color, File, Piece, Square};
use polyply_core::MAX_PLY;
use polyply_core::game::Game;
use polyply_core::learn::{Activation, Inputs};

use polyply_nn::{Accumulators, Net, Shape};
use std::sync::Arc;

/// Features of a perspective.
pub(crate) const FEATURES: usize = Color::NUM * Piece::NUM * Square::NUM;
/// Sets of weights by the number of pieces.
pub(crate) const BUCKETS: usize = 8;
/// The most pieces that a move sets or lifts.
const CHANGES: usize = 2;

/// The shape of a net for chess with this many hidden neurons for each side.
pub(crate) const fn shape(hidden: usize, middle: usize, activation: Activation) -> Shape {
    Shape { features: FEATURES, perspectives: Color::NUM, hidden, middle, buckets: BUCKETS, activation, pooled: false }
}

/// What a net adds to the evaluation of a game.
#[derive(Clone)]
pub(crate) struct NetEvaluation {
    sums: Accumulators<CHANGES>,
    /// Whether each color sees the board mirrored.
    mirrored: [bool; Color::NUM],
}

/// Whether the player of a color sees the board mirrored.
#[inline(always)]
fn is_mirrored(king: Square) -> bool {
    king.file() >= File::E
}

#[inline(always)]
fn feature(perspective: Color, mirrored: bool, change: Change) -> u32 {
    let square = change.square.relative_to(perspective) as usize ^ if mirrored { 7 } else { 0 };
    let side = usize::from(change.color != perspective);
    ((side * Piece::NUM + change.piece as usize) * Square::NUM + square) as u32
}

#[inline(always)]
fn bucket(board: &Board) -> usize {
    // From two kings to all 32 pieces.
    ((board.occupied().len() as usize - 2) / 4).min(BUCKETS - 1)
}

/// Calls `add` with the features of a perspective.
fn features(board: &Board, perspective: Color, mut add: impl FnMut(u32)) {
    let mirrored = is_mirrored(board.king(perspective));
    pieces_of(board).for_each(|change| add(feature(perspective, mirrored, change)));
}

/// The features of a position for learning.
pub(crate) fn inputs(game: &Chess, eval: &Evaluator, out: &mut Inputs) {
    let own = game.color();
    for (perspective, active) in [own, !own].into_iter().zip(&mut out.perspectives) {
        features(game.board(), perspective, |feature| active.push(feature));
    }
    out.bucket = bucket(game.board()) as u8;
    out.base = eval.terms_of(game).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
}

impl NetEvaluation {
    /// Reads a net for chess. The error is one sentence.
    pub fn parse(text: &str) -> Result<Arc<Net>, String> {
        let net = Net::parse(text, &["chess"])?;
        let Shape { hidden, middle, activation, .. } = *net.shape();
        if *net.shape() != shape(hidden, middle, activation) {
            return Err(format!(
                "a net of chess has {FEATURES} features, {} perspectives and {BUCKETS} buckets",
                Color::NUM
            ));
        }
        Ok(Arc::new(net))
    }

    pub fn new(net: &Arc<Net>) -> NetEvaluation {
        NetEvaluation { sums: Accumulators::new(net, MAX_PLY), mirrored: [false; Color::NUM] }
    }

    pub fn net(&self) -> &Net {
        self.sums.net()
    }

    pub fn reset(&mut self, game: &Chess) {
        self.sums.reset();
        self.note_kings(game.board());
    }

    fn note_kings(&mut self, board: &Board) {
        self.mirrored = Color::ALL.map(|color| is_mirrored(board.king(color)));
    }

    /// A move is about to be played.
    #[inline(always)]
    pub fn push(&mut self) {
        self.sums.push();
    }

    /// A move was taken back.
    #[inline(always)]
    pub fn pop(&mut self, game: &Chess) {
        self.sums.pop();
        self.note_kings(game.board());
    }

    #[inline(always)]
    pub fn change(&mut self, change: Change) {
        let Change { piece, color, square, set } = change;
        if piece == Piece::King && set && self.mirrored[color as usize] != is_mirrored(square) {
            self.mirrored[color as usize] = !self.mirrored[color as usize];
            self.sums.forget(color as usize);
        }
        for perspective in Color::ALL {
            let feature = feature(perspective, self.mirrored[perspective as usize], change);
            self.sums.change(perspective as usize, feature, set);
        }
    }

    /// The value for the side to move.
    #[inline(always)]
    pub fn value(&mut self, game: &Chess) -> i32 {
        let board = game.board();
        let own = game.side().index();
        self.sums.value(own, bucket(board), |perspective, add| features(board, Color::ALL[perspective], add))
    }
}
