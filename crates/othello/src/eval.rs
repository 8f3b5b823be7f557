//! The evaluation that the search uses: learned patterns, or the hand-made one.

use crate::handmade;
use crate::pattern::Indices;
use crate::position::{DISC, Othello, Undo};
use crate::square::Square;
use crate::weights::Weights;
use polyply_core::game::{Evaluation, Game, Observer};
use polyply_core::score::Score;

/// No line has more discs to place than this.
const MOST: usize = 64;

/// Judges positions; follows the moves of a line on a stack of indices.
#[derive(Clone)]
pub struct Evaluator {
    /// Learned weights; without any it is the hand-made evaluation.
    weights: Option<&'static Weights>,
    stack: Box<[Indices; MOST]>,
    top: usize,
}

impl Evaluator {
    /// An evaluation by learned weights, or the hand-made one.
    pub fn new(weights: Option<&'static Weights>) -> Self {
        Evaluator { weights, stack: Box::new([Indices::default(); MOST]), top: 0 }
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
        let board = game.discs();
        let Some(weights) = self.weights else { return Score::eval(handmade::value(board)) };
        let (moves, replies) = (game.legal().count_ones(), board.passed().moves().count_ones());
        let value = weights.value(&self.stack[self.top], game.side(), board.empties(), moves, replies);
        Score::eval(value.clamp(-64 * DISC, 64 * DISC))
    }

    fn weights(&self) -> u64 {
        self.weights.map_or(handmade::HASH, |weights| weights.hash)
    }

    #[inline]
    fn play(&mut self, game: &mut Othello, square: Square) -> Undo {
        let side = game.side();
        let undo = game.play(square, &mut ());
        if square != Square::PASS && self.weights.is_some() {
            self.stack[self.top + 1] = self.stack[self.top].after(side, square.index(), undo.flips());
            self.top += 1;
        }
        undo
    }

    #[inline]
    fn undo(&mut self, game: &mut Othello, square: Square, undo: Undo) {
        game.undo(square, undo, &mut ());
        if square != Square::PASS && self.weights.is_some() {
            self.top -= 1;
        }
    }
}
