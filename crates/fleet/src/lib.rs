//! Work in numbered pieces for many machines, through NATS JetStream.
//!
//! An asker opens a job with [`Fleet::open`] and gives it pieces; [`worker::run`] on other machines takes pieces, does them and
//! sends results. This crate knows neither games nor searches: a task, a piece and a result are texts, and what is done
//! with them is up to the [`Machine`](worker::Machine) of a worker.
//!
//! What NATS has of a fleet ([`names`]):
//!
//! | what | where |
//! |---|---|
//! | pieces that wait or are being done | a work-queue stream with a durable consumer for each job; a piece leaves it when its result is stored |
//! | results | a stream that accepts one message for each piece, so that a piece that was done twice counts once |
//! | jobs, dead letters, workers that were set aside | a key-value bucket |
//! | workers | a key-value bucket whose entries expire unless they are renewed |
//! | tasks and the files they need | an object store, by hash |
//!
//! A worker that dies loses its pieces after [`ack_wait`](job::JobRecord::ack_wait_ms), and another one gets them. A piece
//! that nobody survives or can do becomes a dead letter. A server that is restarted has everything on its disk.

pub mod address;
mod asker;
pub mod job;
pub mod names;
mod objects;
pub mod odd;
mod queue;
pub mod status;
pub mod worker;

pub use address::Address;
pub use asker::{Fleet, JobSpec, OpenJob, Reply, host};
pub use objects::hash;

/// Why something could not be done, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    /// The address makes no sense, or is not allowed.
    #[error("{0}")]
    Address(String),
    /// The server can't be reached, or refuses something.
    #[error("{0}")]
    Server(String),
    /// The job was cancelled.
    #[error("the job was cancelled by `polyply fleet cancel`")]
    Cancelled,
}

impl FleetError {
    /// The server refuses something, or does not answer.
    pub(crate) fn server(what: &str, error: impl std::fmt::Display) -> FleetError {
        FleetError::Server(format!("{what}: {error}"))
    }
}
