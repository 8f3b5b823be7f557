//! What can go wrong, each in a sentence that says what would be right.

use crate::score::Outcome;
use polyply_core::refusal::Refusal;
use polyply_core::table::TableError;
use polyply_core::table::snapshot::SnapshotError;

/// Why an engine or a board refused.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// There is no variant of this name.
    #[error("there is no game `{name}`; there are {known}")]
    Variant {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The variant can't be set up like this.
    #[error("{reason}")]
    Setup {
        /// The variant.
        variant: &'static str,
        /// What it takes instead.
        reason: Refusal,
    },
    /// The position was not understood, or can't be.
    #[error("the position `{text}` is refused: {reason}")]
    Position {
        /// What was asked for.
        text: String,
        /// What is wrong with it.
        reason: Refusal,
    },
    /// The move was not understood, or is not legal.
    #[error("the move `{text}` is refused: {reason}")]
    Move {
        /// What was asked for.
        text: String,
        /// What is wrong with it.
        reason: Refusal,
    },
    /// There is nothing left to search.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// There is no option of this name.
    #[error("there is no option `{name}`; the main ones are Threads, Hash, EvalCache and MultiPV")]
    UnknownOption {
        /// What was asked for.
        name: String,
    },
    /// The option takes other values.
    #[error("the option `{name}` takes a whole number from {min} to {max}, not `{value}`")]
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
    #[error("the option `{name}` is refused: {reason}")]
    TextOption {
        /// The option.
        name: &'static str,
        /// What is wrong with the text.
        reason: Refusal,
    },
    /// The board is one of another game than the engine plays.
    #[error("the engine plays {expected}, and the board is of another game")]
    OtherGame {
        /// What the engine plays.
        expected: &'static str,
    },
    /// A table can't be had.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A snapshot was not saved or not loaded.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A line of a file of problems was not understood.
    #[error("{reason}")]
    Problem {
        /// What is wrong with it.
        reason: Refusal,
    },
}
