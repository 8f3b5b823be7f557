//! Work as other machines are told of it, and how they do it.

use super::search::SearchTask;
use super::{Fleet, Halt, Work};
use crate::LabError;
use crate::arena::GamesTask;
use crate::book::BookTask;
use crate::refusals;
use crate::suite::SuiteTask;
use polyply_engine::text_options;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All that pieces of work share, as plain data.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Games between engines, or of an engine against itself.
    Games(Box<GamesTask>),
    /// Positions of an opening book.
    Book(BookTask),
    /// Positions with known best moves.
    Suite(SuiteTask),
    /// Moves for people who play.
    Search(SearchTask),
}

impl Task {
    /// The task as text.
    pub fn write(&self) -> Result<String, LabError> {
        serde_json::to_string(self).map_err(|error| LabError::Run(refusals::fleet_task(error.to_string())))
    }
}

/// The machine that does a task.
pub struct Site<'a> {
    /// Finds a file that was kept for the workers.
    pub file: &'a dyn Fn(&str) -> Result<PathBuf, String>,
    /// Times are multiplied by this: more than 1 where the machine is slower than the one that the times are for.
    pub time_scale: f64,
    /// The most megabytes for the table of an engine.
    pub hash: u64,
    /// The most threads of an engine.
    pub threads: u64,
}

impl Site<'_> {
    /// Refuses options that take more than the machine gives, and those that name its files.
    pub(crate) fn check_options(&self, options: &[(String, String)]) -> Result<(), LabError> {
        for (name, value) in options {
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            let limit = match () {
                () if is("Hash") || is("EvalCache") => Some(self.hash),
                () if is("Threads") => Some(self.threads),
                () => None,
            };
            if limit.is_some_and(|limit| value.parse::<u64>().is_ok_and(|value| value > limit)) {
                return Err(LabError::Call(refusals::fleet_limit(name, limit.unwrap_or_default(), value)));
            }
            refuse_text_option(name)?;
        }
        Ok(())
    }
}

/// Weights that every build has.
const NAMED: [&str; 3] = ["built-in", "linear", "handmade"];

/// Weights by name, or in a file that was kept for the workers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KeptWeights {
    Named(String),
    File(String),
}

impl KeptWeights {
    /// Gives the fleet the file of weights, if there is one.
    pub(crate) fn keep(name: &str, fleet: &dyn Fleet) -> Result<KeptWeights, LabError> {
        match name {
            name if NAMED.contains(&name) => Ok(KeptWeights::Named(name.to_owned())),
            file => {
                let path = Path::new(file);
                let bytes = std::fs::read(path).map_err(|error| LabError::asked(path, error))?;
                fleet.keep(&bytes).map(KeptWeights::File)
            }
        }
    }

    /// The name or the file on this machine. What is not one of the names is no path of anybody else's choice.
    pub(crate) fn find(&self, site: &Site<'_>) -> Result<String, LabError> {
        match self {
            KeptWeights::Named(name) if NAMED.contains(&name.as_str()) => Ok(name.clone()),
            KeptWeights::Named(name) => Err(LabError::Call(refusals::fleet_weights(name))),
            KeptWeights::File(name) => {
                let path = (site.file)(name).map_err(|reason| LabError::Run(refusals::fleet_unreachable(reason)))?;
                Ok(path.display().to_string())
            }
        }
    }
}

/// Options whose values are texts name files, and other machines have other files.
pub(crate) fn refuse_text_option(name: &str) -> Result<(), LabError> {
    match text_options().any(|option| option.name.eq_ignore_ascii_case(name)) {
        true => Err(LabError::Call(refusals::fleet_text_option(name))),
        false => Ok(()),
    }
}

/// Does pieces of a task, one after the other.
pub trait Performer: Send {
    /// Does a piece; `None` if it was stopped.
    fn perform(&mut self, piece: &str) -> Result<Option<String>, LabError>;
}

struct OfWork<W: Work> {
    work: W,
    worker: W::Worker,
}

impl<W: Work + Send> Performer for OfWork<W> {
    fn perform(&mut self, piece: &str) -> Result<Option<String>, LabError> {
        let piece = self.work.read_piece(piece)?;
        let done = self.work.perform(&mut self.worker, &piece)?;
        Ok(done.map(|done| self.work.write_done(&piece, &done)))
    }
}

fn performer<W: Work + Send + 'static>(work: W, halt: &Arc<Halt>) -> Result<Box<dyn Performer>, LabError> {
    let worker = work.worker(halt)?;
    Ok(Box::new(OfWork { work, worker }))
}

/// Prepares to do pieces of a task on this machine.
pub fn open(task: &str, site: &Site<'_>, halt: &Arc<Halt>) -> Result<Box<dyn Performer>, LabError> {
    let task: Task =
        serde_json::from_str(task).map_err(|error| LabError::Call(refusals::fleet_task(error.to_string())))?;
    match task {
        Task::Games(task) => performer(task.open(site)?, halt),
        Task::Book(task) => performer(task.open(site)?, halt),
        Task::Suite(task) => performer(task.open(site)?, halt),
        Task::Search(task) => task.open(site, halt),
    }
}
