//! Where strength is measured and evaluations come from: games between engines, self-play, and learning from it.
//!
//! Begin with [`arena`], which lets engines play each other, ours or anybody's; [`stats`] says what the results mean,
//! [`record`] keeps the games, [`report`] tells of them. [`suite`] asks for moves that are known, [`speed`] compares builds, and
//! [`diversity`] counts different games. [`arena::SelfPlay`] plays games to learn from, and [`learn`] learns from them, of
//! any game and told nothing about it but what it declares.

pub mod arena;
pub mod date;
pub mod diversity;
pub mod duration;
pub mod learn;
pub mod record;
pub mod report;
pub mod speed;
pub mod stats;
pub mod suite;

/// Why there is no result, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// What was asked for makes no sense.
    #[error("{0}")]
    Call(String),
    /// It made sense, but could not be done.
    #[error("{0}")]
    Run(String),
    /// The engine refuses it.
    #[error(transparent)]
    Engine(#[from] polyply_engine::EngineError),
    /// A file can't be read, or says something that can't be.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl LabError {
    /// What was asked for in a file makes no sense.
    pub(crate) fn asked(path: &std::path::Path, reason: impl ToString) -> LabError {
        LabError::Call(format!("{}: {}", path.display(), reason.to_string()))
    }

    /// Something is wrong with a file.
    pub(crate) fn file(path: &std::path::Path, reason: impl ToString) -> LabError {
        LabError::File { path: path.display().to_string(), reason: reason.to_string() }
    }
}

/// The example of the README compiles and is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
