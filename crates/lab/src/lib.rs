//! Where strength is measured and evaluations come from: games between engines, self-play, and learning from it.
//!
//! Begin with [`arena`], which plays engines against each other, ours or anybody's. [`stats`] says what the results
//! mean, [`record`] stores the games, and [`report`] presents them. [`suite`] tests an engine on positions with known
//! best moves, [`speed`] compares builds, [`diversity`] counts different games, and [`idle`] tests idle improvement.
//! [`arena::SelfPlay`] plays games to learn from, and [`learn`] learns from them; all it knows about a game is what the game
//! declares. [`tune`] finds better values for the parameters of the engine, and [`book`] builds opening books. All of them
//! consist of pieces of [`work`], which can be done on threads of this process or by other machines.

pub mod arena;
pub mod book;
pub mod diversity;
pub mod duration;
pub mod idle;
pub mod learn;
pub mod record;
pub mod refusals;
pub mod report;
pub mod speed;
pub mod suite;
pub mod tune;
pub mod work;

pub use polyply_stats as stats;

use polyply_engine::refusal::Argument;
use polyply_engine::{EngineError, Refusal};
use std::path::Path;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// What was asked for makes no sense.
    #[error("{0}")]
    Call(Refusal),
    /// It made sense, but could not be done.
    #[error("{0}")]
    Run(Refusal),
    /// The engine refuses it.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file can't be read, or its contents make no sense.
    #[error("{0}")]
    File(Refusal),
}

impl LabError {
    /// What was asked for in a file makes no sense.
    pub(crate) fn asked(path: &Path, reason: impl Into<Argument>) -> LabError {
        LabError::Call(refusals::in_file(path.display().to_string(), reason))
    }

    /// Something is wrong with a file.
    pub(crate) fn file(path: &Path, reason: impl Into<Argument>) -> LabError {
        LabError::File(refusals::in_file(path.display().to_string(), reason))
    }

    /// Why, as a code with arguments.
    pub fn refusal(&self) -> Refusal {
        match self {
            LabError::Call(refusal) | LabError::Run(refusal) | LabError::File(refusal) => refusal.clone(),
            LabError::Engine(error) => error.refusal(),
        }
    }
}

/// The example of the README compiles and is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
