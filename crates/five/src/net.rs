//! A net that adds to the evaluation: the codes of the empty cells, as both sides see them.

use crate::cells::Change;
use crate::position::Five;
use crate::rule::Rule;
use crate::settings::Kind;
use crate::shape::Code;
use polyply_core::MAX_PLY;
use polyply_core::game::Game;
use polyply_core::learn::{Activation, Inputs};
use polyply_nn::{Accumulators, Net, Shape};
use std::sync::Arc;

/// Features of a perspective: the codes of the player's own lines, then of the opponent's.
pub(crate) const FEATURES: usize = 2 * Code::COUNT;
/// What a move usually changes at most: two codes for each cell within reach.
const CHANGES: usize = 96;
/// The sizes of a net, its width apart.
pub(crate) const PERSPECTIVES: usize = 2;
pub(crate) const BUCKETS: usize = 1;
pub(crate) const ACTIVATION: Activation = Activation::Clipped;

/// The evaluation of a game by a net.
#[derive(Clone)]
pub(crate) struct NetEvaluation {
    sums: Accumulators<CHANGES>,
}

/// The feature of a code of a side, as the player of a perspective sees it.
#[inline(always)]
const fn feature(perspective: usize, side: usize, code: usize) -> u32 {
    (code + if perspective == side { 0 } else { Code::COUNT }) as u32
}

/// Calls `add` with the features of a perspective.
fn features<R: Rule>(game: &Five<R>, perspective: usize, mut add: impl FnMut(u32)) {
    for cell in game.board.empty().iter() {
        for side in 0..2 {
            add(feature(perspective, side, game.board.code(cell, side).index()));
        }
    }
}

/// The features of a position for learning.
pub(crate) fn inputs<R: Rule>(game: &Five<R>, out: &mut Inputs) {
    let own = game.side().index();
    for (perspective, active) in [own, 1 - own].into_iter().zip(&mut out.perspectives) {
        features(game, perspective, |feature| active.push(feature));
    }
}

impl NetEvaluation {
    /// Reads a net for a game of the family. The error is one sentence.
    pub fn parse(text: &str) -> Result<Arc<Net>, String> {
        let games: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        let net = Net::parse(text, &games)?;
        let shape = Shape {
            features: FEATURES,
            perspectives: PERSPECTIVES,
            buckets: BUCKETS,
            activation: ACTIVATION,
            ..*net.shape()
        };
        match *net.shape() == shape {
            true => Ok(Arc::new(net)),
            false => Err(format!("a net of five in a row has {FEATURES} features and {PERSPECTIVES} perspectives")),
        }
    }

    pub fn new(net: &Arc<Net>) -> NetEvaluation {
        NetEvaluation { sums: Accumulators::new(net, MAX_PLY) }
    }

    pub fn net(&self) -> &Net {
        self.sums.net()
    }

    pub fn reset(&mut self) {
        self.sums.reset();
    }

    /// A move is about to be played.
    #[inline(always)]
    pub fn push(&mut self) {
        self.sums.push();
    }

    /// A move was taken back.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.sums.pop();
    }

    #[inline(always)]
    pub fn change(&mut self, Change { side, from, to }: Change) {
        if from == to {
            return;
        }
        for perspective in 0..PERSPECTIVES {
            if from < Code::COUNT {
                self.sums.change(perspective, feature(perspective, side, from), false);
            }
            if to < Code::COUNT {
                self.sums.change(perspective, feature(perspective, side, to), true);
            }
        }
    }

    /// The value for the side to move.
    #[inline(always)]
    pub fn value<R: Rule>(&mut self, game: &Five<R>) -> i32 {
        self.sums.value(game.side().index(), 0, |perspective, add| features(game, perspective, add))
    }
}
