//! Work by other machines.

use super::{Desk, Ended, Source, TICK, Taken, Work, carry};
use crate::LabError;
use crate::refusals;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Machines that do pieces of work.
pub trait Fleet: Send + Sync {
    /// Keeps a file where all workers find it, under the name that is returned.
    fn keep(&self, bytes: &[u8]) -> Result<String, LabError>;
    /// Begins a job, or continues it.
    fn open(&self, task: &str, about: &JobAbout) -> Result<Box<dyn RemoteJob>, LabError>;
}

/// What a fleet should know about a job.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JobAbout {
    /// What it is, for people.
    pub title: String,
    /// The game; a worker shows that its build searches this game in the same way.
    pub game: String,
    /// The file that gets the results. The same task for the same file is the same job, so it can be continued.
    pub file: Option<String>,
    /// How many pieces there are, if that is known.
    pub pieces: Option<u64>,
    /// Pieces take so much time on a machine as fast as this one; slower ones are given more.
    pub is_timed: bool,
}

/// A job that other machines work on.
pub trait RemoteJob {
    /// How many pieces to have under way if so many may wait for each thread of the fleet.
    fn capacity(&self, ahead: usize) -> usize;
    /// Has a piece done.
    fn give(&mut self, number: u64, piece: &str) -> Result<(), LabError>;
    /// A result, if there is one within this time. Every piece has one.
    fn take(&mut self, wait: Duration) -> Result<Option<RemoteDone>, LabError>;
    /// Notes how a piece ended, so that workers whose pieces end unlike those of others are noticed.
    fn note(&mut self, by: &str, verdict: &str) -> Result<(), LabError>;
    /// Ends the job. If it is not done, what it has is kept where it can be continued.
    fn close(&mut self, is_done: bool) -> Result<(), LabError>;
}

/// A piece that another machine has done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteDone {
    /// Its number.
    pub number: u64,
    /// The result, or why there is none: no worker could do it.
    pub output: Result<String, String>,
    /// The name of the worker.
    pub by: String,
}

struct Remote<'a, W: Work> {
    work: &'a W,
    job: Box<dyn RemoteJob>,
    under_way: HashMap<u64, W::Piece>,
    /// Pieces that nobody could do, and why the first of them could not be done.
    failed: u64,
    first_failure: Option<(u64, String)>,
}

/// Has the pieces done by a fleet.
pub fn run<W: Work>(
    work: &W,
    fleet: &dyn Fleet,
    stop: &AtomicBool,
    source: &mut Source<'_, W>,
) -> Result<(), LabError> {
    let task = work.task(fleet)?.write()?;
    let job = fleet.open(&task, &work.about())?;
    let mut remote = Remote { work, job, under_way: HashMap::new(), failed: 0, first_failure: None };
    let ended = carry(&mut remote, stop, source);
    let closed = remote.job.close(matches!(ended, Ok(Ended::Done)) && remote.failed == 0);
    ended?;
    closed?;
    match remote.first_failure {
        Some((number, reason)) => Err(LabError::Run(refusals::fleet_failed(remote.failed, number, reason))),
        None => Ok(()),
    }
}

impl<W: Work> Desk<W> for Remote<'_, W> {
    fn capacity(&self) -> usize {
        self.job.capacity(self.work.ahead())
    }

    fn give(&mut self, piece: W::Piece) -> Result<(), LabError> {
        let number = self.work.number(&piece);
        self.job.give(number, &self.work.write_piece(&piece))?;
        self.under_way.insert(number, piece);
        Ok(())
    }

    fn take(&mut self) -> Result<Taken<W>, LabError> {
        let Some(RemoteDone { number, output, by }) = self.job.take(TICK)? else { return Ok(Taken::NothingYet) };
        // A piece that was done twice, because its first worker was taken for dead, counts once.
        let Some(piece) = self.under_way.remove(&number) else { return Ok(Taken::NothingYet) };
        let read = output.and_then(|text| self.work.read_done(&piece, &text).map_err(|error| error.to_string()));
        match read {
            Ok(done) => {
                if let Some(verdict) = self.work.verdict(&piece, &done) {
                    self.job.note(&by, verdict)?;
                }
                Ok(Taken::Done(piece, done))
            }
            Err(reason) => {
                self.failed += 1;
                self.first_failure.get_or_insert((number, reason));
                Ok(Taken::Failed)
            }
        }
    }
}
