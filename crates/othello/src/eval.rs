//! The evaluation for the search: learned patterns, or the hand-made one.

use crate::handmade;
use crate::pattern::Indices;
use crate::position::{DISC, Othello, Undo};
use crate::search::Spread;
use crate::square::Square;
use crate::weights::Weights;
use polyply_core::game::{Evaluation, Game, Observer};
use polyply_core::score::Score;
use std::sync::Arc;

/// The longest line, in discs.
const MOST: usize = 64;

/// The evaluator, with a stack of pattern indices that follows the moves of a line.
#[derive(Clone)]
pub struct Evaluator {
    /// Learned weights; without them it is the hand-made evaluation.
    weights: Option<Arc<Weights>>,
    stack: Box<[Indices; MOST]>,
    top: usize,
}

impl Evaluator {
    /// An evaluation by learned weights, or the hand-made one.
    pub fn new(weights: Option<&Arc<Weights>>) -> Self {
        Evaluator { weights: weights.cloned(), stack: Box::new([Indices::default(); MOST]), top: 0 }
    }

    /// The learned weights, if any.
    pub fn weights(&self) -> Option<&Weights> {
        self.weights.as_deref()
    }

    /// The errors of short searches as predictions: of longer ones, and of the end.
    #[inline(always)]
    pub(crate) fn spreads(&self) -> &[Spread; 2] {
        self.weights.as_ref().map_or(&Spread::USUAL, |weights| &weights.spreads)
    }

    /// The value for the side to move, given the squares where its opponent could play.
    #[inline(always)]
    pub(crate) fn value(&self, game: &Othello, replies: u64) -> i32 {
        let board = game.discs();
        let Some(weights) = &self.weights else { return handmade::value(board) };
        let (moves, replies) = (game.legal().count_ones(), replies.count_ones());
        let value = weights.value(&self.stack[self.top], game.side(), board.empties(), moves, replies);
        value.clamp(-64 * DISC, 64 * DISC)
    }

    /// [`Evaluation::play`], given the flips and the opponent's moves after it.
    #[inline(always)]
    pub(crate) fn play_known(&mut self, game: &mut Othello, square: Square, flips: u64, replies: u64) -> Undo {
        if square != Square::PASS && self.weights.is_some() {
            self.stack[self.top + 1] = self.stack[self.top].after(game.side(), square.index(), flips);
            self.top += 1;
        }
        game.play_known(square, flips, replies)
    }
}

impl Default for Evaluator {
    fn default() -> Self {
        Evaluator::new(Some(Weights::built_in()))
    }
}

impl Observer<()> for Evaluator {
    #[inline(always)]
    fn change(&mut self, _: ()) {}
}

impl Evaluation<Othello> for Evaluator {
    fn reset(&mut self, game: &Othello) {
        self.top = 0;
        self.stack[0] = Indices::of(game.discs(), game.side());
    }

    fn score(&mut self, game: &Othello) -> Score {
        Score::eval(self.value(game, game.discs().passed().moves()))
    }

    fn weights_hash(&self) -> u64 {
        self.weights.as_ref().map_or(handmade::HASH, |weights| weights.hash)
    }

    #[inline]
    fn play(&mut self, game: &mut Othello, square: Square) -> Undo {
        let board = game.discs();
        let flips = if square == Square::PASS { 0 } else { board.flips(square) };
        self.play_known(game, square, flips, board.after(square.bit(), flips).moves())
    }

    #[inline]
    fn undo(&mut self, game: &mut Othello, square: Square, undo: Undo) {
        game.undo(square, undo, &mut ());
        if square != Square::PASS && self.weights.is_some() {
            self.top -= 1;
        }
    }
}
