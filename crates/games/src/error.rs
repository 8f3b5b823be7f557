//! Errors. Each one is a refusal: a code with arguments, and a sentence that says what would be right.

use crate::refusals;
use crate::score::Outcome;
use polyply_core::refusal::{Argument, Refusal};
use polyply_core::table::TableError;
use polyply_core::table::snapshot::SnapshotError;
use std::fmt;

/// Why an engine or a board refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum EngineError {
    /// There is no variant of this name.
    Variant {
        /// The text that was given.
        name: String,
        /// The known names.
        known: String,
    },
    /// The variant does not have this size, rule or weights.
    Setup {
        /// The variant.
        variant: &'static str,
        /// What is wrong, and what would be right.
        reason: Refusal,
    },
    /// The position could not be parsed, or is illegal.
    Position {
        /// The text that was given.
        text: String,
        /// What is wrong with it.
        reason: Refusal,
    },
    /// The move could not be parsed, or is illegal.
    Move {
        /// The text that was given.
        text: String,
        /// What is wrong with it.
        reason: Refusal,
    },
    /// The game is over.
    Over(Outcome),
    /// There is no option of this name.
    UnknownOption {
        /// The text that was given.
        name: String,
    },
    /// The value of an option is out of range.
    OptionValue {
        /// The option.
        name: &'static str,
        /// Its smallest value.
        min: i64,
        /// Its largest value.
        max: i64,
        /// The text that was given.
        value: String,
    },
    /// The game refused the text of an option.
    TextOption {
        /// The option.
        name: &'static str,
        /// What is wrong with the text.
        reason: Refusal,
    },
    /// The board is of another game than the engine.
    OtherGame {
        /// What the engine plays.
        expected: &'static str,
    },
    /// A table could not be allocated.
    Table(TableError),
    /// A snapshot could not be saved or loaded.
    Snapshot(SnapshotError),
    /// A line of a problem file could not be parsed.
    Problem(Refusal),
}

impl EngineError {
    /// The error as a code with arguments.
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
