//! What a game declares so that its weights can be learned from its games: features, and how their weights are fitted.
//!
//! All of it is plain data and plain functions, which the game's position type returns from
//! [`Family::learning`](crate::family::Family::learning). The learning code itself knows no game: it reads games,
//! collects features, fits numbers to them, and asks the game for the tables to write.

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
    /// A neural net that adds to the evaluation.
    pub net: Option<Net<G>>,
    /// A neural net that adds to the order of moves.
    pub policy: Option<Policy<G>>,
}

/// An evaluation that is a sum of features times weights.
pub struct Linear<G: SearchGame> {
    /// How the weights are fitted.
    pub recipe: Recipe,
    /// From whose side the features count.
    pub view: View,
    /// The weights to learn, starting from those of an evaluation. With `fresh`, there are no learned weights to start
    /// from, and the evaluation is the hand-made one.
    pub model: fn(eval: &G::Eval, fresh: bool) -> Model,
    /// Collects the features of a position.
    pub features: fn(game: &G, eval: &G::Eval, out: &mut Features),
    /// Whether to learn from a position, given the move that was played there.
    pub is_quiet: fn(game: &G, mv: G::Move) -> bool,
    /// The tables of an evaluation with these numbers in place of its own.
    pub tables: fn(eval: &G::Eval, numbers: &[f32]) -> Tables,
}

/// A callback that gets a move and the slots of its features.
pub type EachMove<'a, M> = &'a mut dyn FnMut(M, &[u32]);

/// An order of moves: the sum of the weights of a move's features decides its place.
pub struct Order<G: SearchGame> {
    /// How the weights are fitted.
    pub recipe: Recipe,
    /// The weights to learn.
    pub model: fn() -> Model,
    /// Calls `each` with every move that the search would try, and the slots of its features.
    pub choices: fn(game: &G, each: EachMove<'_, G::Move>),
    /// The tables of an evaluation with these numbers in place of its own.
    pub tables: fn(eval: &G::Eval, numbers: &[f32]) -> Tables,
}

/// A neural net whose first layer adds up a row of weights for each active feature of a position.
pub struct Net<G: SearchGame> {
    /// The number of features of a perspective.
    pub features: usize,
    /// Perspectives: 1, or 2 if each player's view is summed up separately with the same weights.
    pub perspectives: usize,
    /// How many sets of weights the layers after the first one have.
    pub buckets: usize,
    /// The activation of its neurons.
    pub activation: Activation,
    /// The usual width of the first layer.
    pub hidden: usize,
    /// The usual number of neurons between these and the output; 0 if there is no such layer.
    pub middle: usize,
    /// The first layer is computed for every site of the board, and its activations are summed up.
    pub pooled: bool,
    /// Collects the active features of a position. The side to move is the first perspective.
    pub inputs: fn(game: &G, eval: &G::Eval, out: &mut Inputs),
    /// Whether to learn from a position, given the move that was played there.
    pub is_quiet: fn(game: &G, mv: G::Move) -> bool,
}

/// A callback that gets a move, the logarithm of odds that a net adds to, and the rows of weights that the move touches: as
/// the side to move sees them, and as the opponent does.
pub type EachChoice<'a, M> = &'a mut dyn FnMut(M, f32, [&[u16]; 2]);

/// A neural net for moves: each move adds up some rows of weights for each side's view.
pub struct Policy<G: SearchGame> {
    /// Rows of weights.
    pub rows: usize,
    /// Rows that a move touches in either view.
    pub active: usize,
    /// Calls `each` with every move that the search would try.
    pub choices: fn(game: &G, eval: &G::Eval, each: EachChoice<'_, G::Move>),
    /// The tables of an evaluation with a net of these numbers in place of its own.
    pub tables: fn(eval: &G::Eval, numbers: &[f32]) -> Tables,
}

/// What a neuron of the first layer makes of the sum of its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activation {
    /// The sum, clipped to 0 … 1.
    Clipped,
    /// The square of that.
    Squared,
}

/// The active features of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// The features of each perspective; the second list is empty if there is one perspective.
    pub perspectives: [Vec<u32>; 2],
    /// In a pooled net: how many of the features belong to each site, the same number in all perspectives.
    pub sites: Vec<u8>,
    /// Which set of weights counts after the first layer.
    pub bucket: u8,
    /// The evaluation that the net adds to, for the player of the first perspective; 0 if there is none.
    pub base: i16,
}

impl Inputs {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.perspectives.iter_mut().for_each(Vec::clear);
        self.sites.clear();
        (self.bucket, self.base) = (0, 0);
    }
}

/// How the errors of short searches as predictions of longer ones are measured.
pub struct Probcut<G: SearchGame> {
    /// The deepest search.
    pub depth: i32,
    /// Parameters of the search that are set to 0, so that nothing prunes.
    pub off: &'static [&'static str],
    /// The most moves that the game can still last.
    pub remaining: fn(&G) -> i32,
    /// What `remaining` is called: `empties`.
    pub remaining_name: &'static str,
    /// Positions with this many moves left are searched.
    pub searched: RangeBounds,
    /// Positions with this many moves left are solved.
    pub solved: RangeBounds,
    /// The tables of an evaluation with these numbers in place of its own: four for the middle game and four for the end.
    /// They are a standard deviation, and what each ply of the deep search, each ply of the short one and each remaining
    /// move adds to it.
    pub tables: fn(eval: &G::Eval, numbers: &[f32]) -> Tables,
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

/// The features of a position.
///
/// Its value is the sum over `phases` of the share times the sum over `terms` of count times weight. The weights of
/// phase `p` start at `p` times the number of slots of a phase.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Features {
    /// Slots of weights, and how often each counts.
    pub terms: Vec<(u32, i16)>,
    /// The phases of the game that the position belongs to, with the share of each.
    pub phases: Vec<(u8, f32)>,
    /// Neighbouring phases that also learn from it.
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
    /// The initial weights, phase after phase.
    pub start: Vec<f32>,
    /// How weights share parts.
    pub parts: Parts,
}

impl Model {
    /// Weights without phases.
    pub fn single(start: Vec<f32>, parts: Parts) -> Model {
        Model { slots: start.len(), phases: vec!["all".to_owned()], start, parts }
    }
}

/// How weights share parts. A prior holds each part near its initial value.
#[derive(Clone, PartialEq, Debug)]
pub enum Parts {
    /// Each weight is learned for itself.
    Own {
        /// The spread that the prior allows; infinite where nothing holds it.
        spread: f32,
    },
    /// A weight is its initial value plus the sum of its parts, which several weights share. So a rare feature gets a
    /// value from features that have parts in common with it.
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
    /// The loss to minimise.
    pub loss: Loss,
    /// One game in this many is held out.
    pub held_out: usize,
    /// Positions per step.
    pub batch: usize,
    /// The step sizes.
    pub schedule: Schedule,
    /// The weight of one position against the priors: less than 1, because the positions of a game share its result.
    pub independent: f32,
    /// Parts that occur more often take smaller steps.
    pub even: bool,
}

/// What learning minimises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Loss {
    /// Cross-entropy, where `1 / (1 + exp(-value / unit))` is the chance to win. The target is a mixture of the result
    /// of the game and the score of the search.
    Logistic {
        /// The unit of the weights. Without one, it is the unit with which the initial weights predict the results
        /// best.
        unit: Option<f32>,
        /// The range in which the unit is searched for,
        units: [f32; 2],
        /// in this many steps.
        rounds: u32,
    },
    /// The square of the difference in points. The target of a position is a mean of the search scores of the positions
    /// after it and of the result, each with less weight than the one before. Each phase is learned separately.
    Squares,
    /// Cross-entropy of the move that was played, with a softmax over all moves.
    Choice,
}

/// The step sizes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Schedule {
    /// Starts with `first`. The step is halved after `patience` epochs in which the loss on held-out games did not fall
    /// by `gain`; learning ends below `last`.
    Patient {
        /// The first step size.
        first: f32,
        /// The last one.
        last: f32,
        /// Epochs without a gain.
        patience: u32,
        /// The smallest fall of the loss that counts as a gain.
        gain: f32,
    },
    /// Falls from `first` in the first epoch to `last` in the last one, by the same factor each time.
    Falling {
        /// The first step size.
        first: f32,
        /// The last one.
        last: f32,
    },
    /// Is multiplied by a factor after each epoch. The number of epochs is fixed, whatever else is asked for.
    Decaying {
        /// The first step size.
        first: f32,
        /// The factor.
        factor: f32,
        /// The number of epochs.
        epochs: u32,
    },
}
