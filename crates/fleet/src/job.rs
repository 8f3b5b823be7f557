//! What is written about jobs, workers and results. Everything that comes from the wire is bounded and checked here.

use serde::{Deserialize, Serialize};

/// The longest text for people, in letters.
const LONGEST_TEXT: usize = 500;

/// Whether a job goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// Workers take its pieces.
    Running,
    /// They wait.
    Paused,
    /// Its asker ends.
    Cancelled,
}

/// How urgent a job is, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Somebody waits for a move.
    Live,
    /// Work of the lab, which can wait.
    Lab,
}

/// A job, as all workers see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JobRecord {
    /// What it is, for people.
    pub title: String,
    /// How urgent it is.
    pub class: Class,
    /// The game that a worker must know.
    pub game: String,
    /// The nodes of the bench of this game: the signature of the build.
    pub nodes: u64,
    /// Nodes a second of the bench on the asker's machine.
    pub speed: u64,
    /// Pieces take time that is scaled by the speed of the worker.
    pub is_timed: bool,
    /// The hash of the task in the object store.
    pub task: String,
    /// Whether it goes on.
    pub state: JobState,
    /// How many pieces there are, if that is known.
    pub pieces: Option<u64>,
    /// Milliseconds after which a worker that was not heard of has lost a piece.
    pub ack_wait_ms: u64,
    /// How often a piece is tried before it is a dead letter.
    pub tries: u32,
    /// Who asks.
    pub asker: String,
    /// When it began, in seconds since 1970.
    pub began: u64,
}

/// How far a job has come.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct JobProgress {
    /// Pieces that are done.
    pub done: u64,
    /// Pieces that nobody could do.
    pub dead: u64,
    /// Results a second over the last seconds.
    pub rate: f64,
}

/// A worker, as everybody sees it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WorkerRecord {
    /// Its name, which is unique.
    pub name: String,
    /// Pieces that it does at once.
    pub threads: usize,
    /// What its processor can do beyond the usual.
    pub features: Vec<String>,
    /// The version of its program, and a hash of the executable file.
    pub build: String,
    /// The games that it knows.
    pub games: Vec<String>,
    /// The bench of games that were asked for so far: nodes, and nodes a second.
    pub benches: std::collections::BTreeMap<String, [u64; 2]>,
    /// Pieces that are being done.
    pub busy: usize,
    /// Pieces that it has done.
    pub done: u64,
    /// Pieces that it could not do.
    pub faults: u64,
    /// Searches that it did for servers.
    pub searches: u64,
    /// Why it takes no part in a job, by the job.
    pub refused: std::collections::BTreeMap<String, String>,
}

/// What comes out of a piece.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResultRecord {
    /// The worker.
    pub by: String,
    /// The signature of its build for the game of the job.
    pub nodes: u64,
    /// The result, or why nobody could do it.
    pub output: Result<String, String>,
}

/// A piece that nobody could do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeadLetter {
    /// The worker that tried it last.
    pub by: String,
    /// How often it was tried.
    pub tries: u32,
    /// Why it failed.
    pub reason: String,
}

/// A text for people, cut to a sensible length.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
}

/// Reads what came from the wire.
pub(crate) fn read<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}

/// Writes what goes over the wire.
pub(crate) fn write<T: Serialize>(value: &T) -> bytes::Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}
