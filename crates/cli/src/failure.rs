//! How a run fails: one sentence to stderr and an exit code, 2 for a bad call and 1 for a failed run.

use polyply_engine::EngineError;
use polyply_fleet::FleetError;
use polyply_lab::LabError;
use polyply_server::ServerError;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What was asked for makes no sense.
    #[error("{0}")]
    Call(String),
    /// It made sense, but could not be done.
    #[error("{0}")]
    Run(String),
    /// The reader of the output has closed it.
    #[error("the output was closed")]
    Closed,
}

impl Failure {
    /// Something is wrong with a file.
    pub fn file(path: &Path, reason: impl Display) -> Failure {
        Failure::Run(format!("{}: {reason}", path.display()))
    }

    /// Prints it and returns the exit code.
    pub fn report(&self) -> ExitCode {
        let code = match self {
            Failure::Call(_) => 2,
            Failure::Run(_) => 1,
            Failure::Closed => return ExitCode::SUCCESS,
        };
        // If stderr is closed too, the exit code must do.
        let _ = writeln!(io::stderr(), "polyply: {self}");
        ExitCode::from(code)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Snapshot(_) => Failure::Run(error.to_string()),
            _ => Failure::Call(error.to_string()),
        }
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Call(_) => Failure::Call(error.to_string()),
            LabError::Engine(error) => error.into(),
            _ => Failure::Run(error.to_string()),
        }
    }
}

impl From<FleetError> for Failure {
    fn from(error: FleetError) -> Self {
        match error {
            FleetError::Address(_) => Failure::Call(error.to_string()),
            _ => Failure::Run(error.to_string()),
        }
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        match error {
            ServerError::Option(_) => Failure::Call(error.to_string()),
            _ => Failure::Run(error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Run(error.to_string()),
        }
    }
}

/// Clap's message is a paragraph followed by tips and usage; only the paragraph is kept.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let text = error.to_string();
        let paragraph = text.split("\n\n").next().unwrap_or_default();
        let sentence = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
        Failure::Call(format!("{sentence}; `polyply --help` shows how"))
    }
}
