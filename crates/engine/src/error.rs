//! What can go wrong. Each is a refusal: a code with arguments, and a sentence that says what would be right.

use crate::refusals;
use crate::score::Outcome;
use polyply_core::refusal::{Argument, Refusal};
use polyply_core::table::TableError;
use polyply_core::table::snapshot::SnapshotError;
use std::fmt;

/// Why an engine or a board refused.
#[derive(Debug)]
pub enum EngineError {
    /// There is no variant of this name.
    Variant {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The variant can't be set up like this.
    Setup {
        /// The variant.
        variant: &'static str,
        /// What it takes instead.
        reason: Refusal,
    },
    /// The position was not understood, or can't be.
    Position {
        /// What was asked for.
        text: String,
        /// What is wrong with it.
        reason: Refusal,
    },
    /// The move was not understood, or is not legal.
    Move {
        /// What was asked for.
        text: String,
        /// What is wrong with it.
        reason: Refusal,
    },
    /// There is nothing left to search.
    Over(Outcome),
    /// There is no option of this name.
    UnknownOption {
        /// What was asked for.
        name: String,
    },
    /// The option takes other values.
    OptionValue {
        /// The option.
        name: &'static str,
        /// Its smallest value.
        min: i64,
        /// Its largest value.
        max: i64,
        /// What was asked for.
        value: String,
    },
    /// The game refuses the text of an option.
    TextOption {
        /// The option.
        name: &'static str,
        /// What is wrong with the text.
        reason: Refusal,
    },
    /// The board is one of another game than the engine plays.
    OtherGame {
        /// What the engine plays.
        expected: &'static str,
    },
    /// A table can't be had.
    Table(TableError),
    /// A snapshot was not saved or not loaded.
    Snapshot(SnapshotError),
    /// A line of a file of problems was not understood.
    Problem(Refusal),
}

impl EngineError {
    /// Why, as a code with arguments.
    pub fn refusal(&self) -> Refusal {
        match self {
            EngineError::Variant { name, known } => refusals::unknown_variant(name, known),
            EngineError::Setup { reason, .. } | EngineError::Problem(reason) => reason.clone(),
            EngineError::Position { text, reason } => refusals::position_refused(text, reason.clone()),
            EngineError::Move { text, reason } => refusals::move_refused(text, reason.clone()),
            EngineError::Over(outcome) => refusals::over(*outcome),
            EngineError::UnknownOption { name } => refusals::unknown_option(name),
            EngineError::OptionValue { name, min, max, value } => refusals::option_value(*name, *min, *max, value),
            EngineError::TextOption { name, reason } => refusals::option_refused(*name, reason.clone()),
            EngineError::OtherGame { expected } => refusals::other_game(*expected),
            EngineError::Table(error) => refusals::table_refused(error.to_string()),
            EngineError::Snapshot(error) => refusals::snapshot_refused(error.to_string()),
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal().fmt(f)
    }
}

impl std::error::Error for EngineError {}

impl From<TableError> for EngineError {
    fn from(error: TableError) -> EngineError {
        EngineError::Table(error)
    }
}

impl From<SnapshotError> for EngineError {
    fn from(error: SnapshotError) -> EngineError {
        EngineError::Snapshot(error)
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Refusal {
        error.refusal()
    }
}

impl From<EngineError> for Argument {
    fn from(error: EngineError) -> Argument {
        error.refusal().into()
    }
}
