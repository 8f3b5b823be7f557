//! What a game declares for learning in [`polyply_core::learn`], without its types.

use crate::board::Board;
use crate::error::EngineError;
use crate::refusals;
use crate::variant::Variant;
use polyply_core::refusal::common;
use polyply_core::weights;
use std::ops::RangeInclusive;

pub use polyply_core::learn::{Activation, Features, Inputs, Loss, Model, Parts, Recipe, Schedule, View};
pub use polyply_core::weights::Kind;

/// How weights of one kind are learned.
#[non_exhaustive]
pub struct LearningTask {
    /// The weights and their initial values.
    pub model: Model,
    /// How they are fitted.
    pub recipe: Recipe,
    /// The side from which features are counted.
    pub view: View,
}

/// How to measure how well short searches predict longer ones.
#[non_exhaustive]
pub struct PredictionTest {
    /// The deepest search.
    pub depth: i32,
    /// Parameters to set to 0.
    pub off: &'static [&'static str],
    /// The name of the count of moves until the end.
    pub remaining_name: &'static str,
    /// Positions with this many moves left are searched.
    pub searched: RangeInclusive<i32>,
    /// Positions with this many moves left are solved.
    pub solved: RangeInclusive<i32>,
}

/// The net that a game can learn to evaluate with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NetTask {
    /// The number of features of a perspective.
    pub features: usize,
    /// Perspectives: 1 or 2.
    pub perspectives: usize,
    /// Sets of weights after the first layer.
    pub buckets: usize,
    /// The activation.
    pub activation: Activation,
    /// The usual width of the first layer.
    pub hidden: usize,
    /// The usual number of neurons after it.
    pub middle: usize,
    /// The first layer is computed for every site of the board.
    pub pooled: bool,
}

/// The net that a game can learn to order moves with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PolicyTask {
    /// Rows of weights.
    pub rows: usize,
    /// Rows that a move touches in either view.
    pub active: usize,
}

impl Variant {
    /// How weights of a kind are learned, starting from those of this variant, or from none if `fresh`.
    pub fn learning_task(&self, kind: Kind, fresh: bool) -> Result<LearningTask, EngineError> {
        self.game().learning_task(kind, fresh).ok_or_else(|| self.nothing_to_learn(kind))
    }

    /// How ProbCut predictions are measured.
    pub fn prediction_test(&self) -> Result<PredictionTest, EngineError> {
        self.game().probcut().ok_or_else(|| self.nothing_to_learn(Kind::Probcut))
    }

    /// The net that the game can learn to evaluate with.
    pub fn net_task(&self) -> Result<NetTask, EngineError> {
        self.game().net_task().ok_or_else(|| self.nothing_to_learn(Kind::Net))
    }

    /// Writes the features of a board for a net to `out`. Returns false if the board is not suited for learning, given
    /// the move that was played on it. Without a move, every board is.
    pub fn net_inputs(&self, board: &Board, mv: Option<&str>, out: &mut Inputs) -> Result<bool, EngineError> {
        self.game().net_inputs(board.position(), mv, out)
    }

    /// The net that the game can learn to order moves with.
    pub fn policy_task(&self) -> Result<PolicyTask, EngineError> {
        self.game().policy_task().ok_or_else(|| self.nothing_to_learn(Kind::Policy))
    }

    /// Calls `each` for every move that the search considers, with the logarithm of odds that a net adds to and the rows
    /// of weights that the move touches in either view. Returns the index of `mv` among them.
    pub fn policy_choices(
        &self,
        board: &Board,
        mv: &str,
        each: &mut dyn FnMut(f32, [&[u16]; 2]),
    ) -> Result<Option<usize>, EngineError> {
        self.game().policy_choices(board.position(), mv, each)
    }

    fn nothing_to_learn(&self, kind: Kind) -> EngineError {
        let name = self.about().name;
        let reason = match kind {
            Kind::Linear => common::no_weights(name),
            Kind::Order => refusals::no_order(name),
            Kind::Probcut => refusals::no_predictions(name),
            Kind::Net => refusals::no_net(name),
            Kind::Policy => refusals::no_policy(name),
        };
        EngineError::Setup { variant: name, reason }
    }

    /// Writes the features of a board to `out`. Returns false if the board is not suited for learning, given the move
    /// that was played on it. Without a move, every board is.
    pub fn features(&self, board: &Board, mv: Option<&str>, out: &mut Features) -> Result<bool, EngineError> {
        self.game().features(board.position(), mv, out)
    }

    /// Calls `each` with the features of every move that the search considers. Returns the index of `mv` among them.
    pub fn choices(&self, board: &Board, mv: &str, each: &mut dyn FnMut(&[u32])) -> Result<Option<usize>, EngineError> {
        self.game().choices(board.position(), mv, each)
    }

    /// The most moves until the end of the game, if predictions depend on them.
    pub fn remaining(&self, board: &Board) -> Result<i32, EngineError> {
        self.game().remaining(board.position())
    }

    /// The text of a weights file: the weights of this variant, with those of one kind replaced by `numbers`. The
    /// evaluation is scaled to `percent` of its unit. `about` are comment lines that say where the weights come from.
    pub fn weights_text(
        &self,
        kind: Kind,
        numbers: &[f32],
        percent: u16,
        about: &[String],
    ) -> Result<String, EngineError> {
        let game = self.game();
        let mut tables = game.tables(kind, numbers).ok_or_else(|| self.nothing_to_learn(kind))?;
        let sections = game.sections();
        // The other kinds are in their unit already.
        if kind == Kind::Linear {
            weights::scale(&sections, &mut tables, percent);
        }
        Ok(weights::write(self.about().name, &sections, &tables, about))
    }
}
