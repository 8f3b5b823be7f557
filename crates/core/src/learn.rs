//! What a game declares so that its weights can be learned from its games: features, and how their weights are fitted.
//!
//! All of it is plain data and plain functions, which the game's position type returns from
//! [`Family::learning`](crate::family::Family::learning). Whoever learns knows no game: it reads games, collects features,
//! fits numbers to them and hands the numbers back to be written.

use crate::game::SearchGame;
use crate::weights::{Section, Tables};
use std::ops::RangeInclusive;

/// What can be learned about a game.
pub struct Learning<G: SearchGame> {
    /// The tables of its files of weights.
    pub sections: fn() -> Vec<Section>,
    /// The evaluation.
    pub linear: Option<Linear<G>>,
    /// The order of moves.
    pub order: Option<Order<G>>,
    /// How short searches predict longer ones.
    pub probcut: Option<Probcut<G>>,
}

/// An evaluation that is a sum of features times weights.
pub struct Linear<G: SearchGame> {
    /// How the weights are fitted.
    pub recipe: Recipe,
    /// From whose side the features count.
    pub view: View,
    /// The weights to learn, beginning with those of an evaluation. Where there are none to begin with, `fresh` is true and
    /// the evaluation is the hand-made one.
    pub model: fn(eval: &G::Eval, fresh: bool) -> Model,
    /// Writes down what the evaluation sees of a position.
    pub features: fn(game: &G, eval: &G::Eval, out: &mut Features),
    /// A position can be learned from, given the move that was played there.
    pub is_quiet: fn(game: &G, mv: G::Move) -> bool,
    /// The tables of an evaluation with these numbers in place of its own.
    pub tables: fn(eval: &G::Eval, numbers: &[f32]) -> Tables,
}

/// Is called with a move and the slots of its features.
pub type EachMove<'a, M> = &'a mut dyn FnMut(M, &[u32]);

/// An order of moves: the sum of the weights of a move's features decides its place.
pub struct Order<G: SearchGame> {
    /// How the weights are fitted.
    pub recipe: Recipe,
    /// The weights to learn.
    pub model: fn() -> Model,
    /// Calls with the moves that the search looks at and the slots of the features of each.
    pub choices: fn(game: &G, each: EachMove<'_, G::Move>),
    /// The tables of an evaluation with these numbers in place of its own.
    pub tables: fn(eval: &G::Eval, numbers: &[f32]) -> Tables,
}

/// How the errors of short searches as predictions of longer ones are measured.
#[derive(Clone, Copy)]
pub struct Probcut<G> {
    /// The deepest search.
    pub depth: i32,
    /// Parameters of the search that are set to 0, so that nothing prunes.
    pub off: &'static [&'static str],
    /// The moves until the end, at the most.
    pub remaining: fn(&G) -> i32,
    /// What `remaining` is called: `empties`.
    pub remaining_name: &'static str,
    /// Positions are searched that have so many moves left.
    pub searched: RangeBounds,
    /// And solved if they have so many.
    pub solved: RangeBounds,
}

/// The first and the last of a range.
pub type RangeBounds = [i32; 2];

/// The range of bounds.
pub const fn range([first, last]: RangeBounds) -> RangeInclusive<i32> {
    first..=last
}

/// From whose side features count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The side to move.
    SideToMove,
    /// The first player.
    First,
}

/// What an evaluation sees of a position.
///
/// Its value is the sum over `phases` of the share times the sum over `terms` of count times weight, where the weights of
/// phase `p` begin at `p` times the slots of a phase.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Features {
    /// Slots of weights, and how often each counts.
    pub terms: Vec<(u32, i16)>,
    /// The phases of the game it belongs to, and how much.
    pub phases: Vec<(u8, f32)>,
    /// Other phases that can be learned from it as well.
    pub near: Vec<u8>,
}

impl Features {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.phases.clear();
        self.near.clear();
    }
}

/// The weights that are learned, and what holds them.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Weights of each phase.
    pub slots: usize,
    /// The names of the phases.
    pub phases: Vec<String>,
    /// Where all weights begin, phase after phase.
    pub start: Vec<f32>,
    /// What they are made of.
    pub parts: Parts,
}

impl Model {
    /// Weights without phases.
    pub fn single(start: Vec<f32>, parts: Parts) -> Model {
        Model { slots: start.len(), phases: vec!["all".to_owned()], start, parts }
    }
}

/// What weights are made of. A prior holds each part near where it began.
#[derive(Clone, PartialEq, Debug)]
pub enum Parts {
    /// Each weight is learned for itself.
    Own {
        /// The spread that the prior allows; infinite where nothing holds it.
        spread: f32,
    },
    /// A weight is where it began plus the sum of its parts, which weights share: what is seen seldom is worth what is
    /// known of its parts.
    Sums {
        /// Weights and their parts, by number.
        members: Vec<(u32, u32)>,
        /// The spread that the prior allows to each part.
        spreads: Vec<f32>,
    },
}

/// How weights are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recipe {
    /// What is made small.
    pub loss: Loss,
    /// One game of so many is held out.
    pub held_out: usize,
    /// Positions of a step.
    pub batch: usize,
    /// The sizes of steps.
    pub schedule: Schedule,
    /// What one position counts against the priors: less than 1 where the positions of a game share its result.
    pub independent: f32,
    /// Steps are smaller for parts that count more.
    pub even: bool,
}

/// What is made small.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Loss {
    /// Cross-entropy: `1 / (1 + exp(-value / unit))` is taken for the chance to win. The target is a mixture of the result
    /// of the game and of what the search thought.
    Logistic {
        /// The unit of the weights; without one it is that in which the weights to begin with tell the results best.
        unit: Option<f32>,
        /// Units are looked for between these two,
        units: [f32; 2],
        /// in so many steps.
        rounds: u32,
    },
    /// The square of the difference in points. A position is worth what the search thought of those after it: each counts
    /// less than the one before it, and the result is the last. Each phase is learned for itself.
    Squares,
    /// Cross-entropy of the move that was played, under the softmax over all moves.
    Choice,
}

/// The sizes of steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Schedule {
    /// From `first` on, and half as large after `patience` epochs in which the loss on held-out games got no smaller by
    /// `gain`; learning ends below `last`.
    Patient {
        /// The first step size.
        first: f32,
        /// The last one.
        last: f32,
        /// Epochs without a gain.
        patience: u32,
        /// What counts as one.
        gain: f32,
    },
    /// From `first` in the first epoch to `last` in the last one, by the same factor each time.
    Falling {
        /// The first step size.
        first: f32,
        /// The last one.
        last: f32,
    },
    /// By this factor after each epoch; all of it takes as many epochs as are given, whatever else is asked for.
    Decaying {
        /// The first step size.
        first: f32,
        /// The factor.
        factor: f32,
        /// Epochs.
        epochs: u32,
    },
}
