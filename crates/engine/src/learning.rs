//! What can be learned about a game, without its types: what the game declares in [`polyply_core::learn`].

use crate::board::Board;
use crate::error::EngineError;
use crate::refusals;
use crate::variant::Variant;
use polyply_core::refusal::common;
use polyply_core::weights;
use std::ops::RangeInclusive;

pub use polyply_core::learn::{Features, Loss, Model, Parts, Recipe, Schedule, View};
pub use polyply_core::weights::Kind;

/// How weights are learned.
pub struct Lesson {
    /// The weights, and where they begin.
    pub model: Model,
    /// How they are fitted.
    pub recipe: Recipe,
    /// From whose side features count.
    pub view: View,
}

/// How the errors of short searches as predictions of longer ones are measured.
pub struct Measuring {
    /// The deepest search.
    pub depth: i32,
    /// Parameters that are set to 0.
    pub off: &'static [&'static str],
    /// What the moves until the end are called.
    pub remaining_name: &'static str,
    /// Positions are searched that have so many left.
    pub searched: RangeInclusive<i32>,
    /// And solved if they have so many.
    pub solved: RangeInclusive<i32>,
}

impl Variant {
    /// How weights of a kind are learned, beginning with those of this variant. With `fresh` there are none to begin with.
    pub fn lesson(&self, kind: Kind, fresh: bool) -> Result<Lesson, EngineError> {
        self.game().lesson(kind, fresh).ok_or_else(|| self.nothing_to_learn(kind))
    }

    /// How predictions are measured.
    pub fn measuring(&self) -> Result<Measuring, EngineError> {
        self.game().probcut().ok_or_else(|| self.nothing_to_learn(Kind::Probcut))
    }

    fn nothing_to_learn(&self, kind: Kind) -> EngineError {
        let name = self.about().name;
        let reason = match kind {
            Kind::Linear => common::no_weights(name),
            Kind::Order => refusals::no_order(name),
            Kind::Probcut => refusals::no_predictions(name),
        };
        EngineError::Setup { variant: name, reason }
    }

    /// Writes down what the evaluation sees on a board where this move was played. False where that can't be learned from.
    pub fn features(&self, board: &Board, mv: &str, out: &mut Features) -> Result<bool, EngineError> {
        self.game().features(board.position(), mv, out)
    }

    /// Calls with the features of every move that the search looks at. Returns which of them was played.
    pub fn choices(&self, board: &Board, mv: &str, each: &mut dyn FnMut(&[u32])) -> Result<Option<usize>, EngineError> {
        self.game().choices(board.position(), mv, each)
    }

    /// The moves until the end at the most, where predictions depend on them.
    pub fn remaining(&self, board: &Board) -> Result<i32, EngineError> {
        self.game().remaining(board.position())
    }

    /// The text of a file of weights: those of this variant, but for learned ones of a kind. The evaluation is written in
    /// `percent` of its unit. `about` says where they come from, a line each.
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
        // What was learned before has its unit already.
        if kind == Kind::Linear {
            weights::scale(&sections, &mut tables, percent);
        }
        Ok(weights::write(self.about().name, &sections, &tables, about))
    }
}
