//! What a fleet is doing, and how people interfere.

use crate::job::{self, DeadLetter, JobProgress, JobRecord, JobState, WorkerRecord};
use crate::names::{self, Site};
use crate::{Fleet, FleetError};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use futures_util::StreamExt;
use serde::Serialize;
use std::time::Duration;

/// How long the server remembers a listing that nobody goes on with.
const LISTING: Duration = Duration::from_secs(10);
/// Entries that are fetched at once.
const BATCH: usize = 500;

/// A fleet at a moment.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Status {
    /// The jobs.
    pub jobs: Vec<JobStatus>,
    /// The workers.
    pub workers: Vec<WorkerRecord>,
    /// Pieces that nobody could do.
    pub dead: Vec<DeadStatus>,
    /// Workers that take no part in a job any more.
    pub aside: Vec<AsideStatus>,
}

/// A job at a moment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JobStatus {
    /// Its name.
    pub id: String,
    /// What it is.
    #[serde(flatten)]
    pub job: JobRecord,
    /// How far it is, if its asker is there.
    pub progress: Option<JobProgress>,
    /// Pieces that wait.
    pub waiting: u64,
    /// Pieces that are being done.
    pub running: u64,
}

/// A piece that nobody could do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DeadStatus {
    /// The job.
    pub job: String,
    /// The number of the piece.
    pub number: u64,
    /// Why.
    #[serde(flatten)]
    pub letter: DeadLetter,
}

/// A worker that takes no part in a job any more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AsideStatus {
    /// The job.
    pub job: String,
    /// The worker.
    pub worker: String,
    /// Why.
    pub reason: String,
}

impl Fleet {
    /// What the fleet is doing.
    pub fn status(&self) -> Result<Status, FleetError> {
        self.wait(status(&self.site))
    }

    /// Pauses a job, resumes it, or cancels it. The asker of a cancelled job ends; one whose asker is gone is removed.
    pub fn set_state(&self, id: &str, state: JobState) -> Result<(), FleetError> {
        self.wait(set_state(&self.site, id, state))
    }
}

async fn status(site: &Site) -> Result<Status, FleetError> {
    let mut status = Status::default();
    for (key, value) in entries(site, names::STATE).await? {
        let parts: Vec<&str> = key.split('.').collect();
        match parts[..] {
            ["job", id] => {
                let Some(record) = job::read::<JobRecord>(&value) else { continue };
                let progress = site.live.get(names::progress(id)).await.ok().flatten();
                let info = site.work.get_consumer(id).await.ok().map(|consumer: PullConsumer| {
                    let info = consumer.cached_info();
                    (info.num_pending, info.num_ack_pending as u64)
                });
                let (waiting, running) = info.unwrap_or_default();
                let progress = progress.and_then(|bytes| job::read(&bytes));
                status.jobs.push(JobStatus { id: id.to_owned(), job: record, progress, waiting, running });
            }
            ["dead", id, number] => {
                let (Some(letter), Ok(number)) = (job::read(&value), number.parse()) else { continue };
                status.dead.push(DeadStatus { job: id.to_owned(), number, letter });
            }
            ["aside", id, worker] => {
                let reason = job::short(&String::from_utf8_lossy(&value));
                status.aside.push(AsideStatus { job: id.to_owned(), worker: worker.to_owned(), reason });
            }
            _ => {}
        }
    }
    for (key, value) in entries(site, names::LIVE).await? {
        if key.starts_with("worker.") {
            status.workers.extend(job::read::<WorkerRecord>(&value));
        }
    }
    status.jobs.sort_by_key(|job| job.job.began);
    status.workers.sort_by(|one, other| one.name.cmp(&other.name));
    status.dead.sort_by(|one, other| (&one.job, one.number).cmp(&(&other.job, other.number)));
    Ok(status)
}

/// All entries of a bucket.
async fn entries(site: &Site, bucket: &str) -> Result<Vec<(String, bytes::Bytes)>, FleetError> {
    let failed = |error: &dyn std::fmt::Display| FleetError::server("the fleet does not answer", error);
    let prefix = format!("$KV.{bucket}.");
    let config = pull::Config {
        filter_subject: format!("{prefix}>"),
        ack_policy: AckPolicy::None,
        deliver_policy: DeliverPolicy::LastPerSubject,
        inactive_threshold: LISTING,
        ..Default::default()
    };
    let stream = format!("KV_{bucket}");
    let created = site.context.create_consumer_on_stream(config, stream).await;
    let consumer: PullConsumer = created.map_err(|error| failed(&error))?;
    let mut left = consumer.cached_info().num_pending;
    let mut entries = Vec::new();
    while left > 0 {
        let fetched = consumer.fetch().max_messages(BATCH).messages().await;
        let mut messages = fetched.map_err(|error| failed(&error))?;
        let before = left;
        while let Some(message) = messages.next().await {
            let message = message.map_err(|error| failed(&error))?;
            left = left.saturating_sub(1);
            // Removed entries stay as markers for a while.
            let is_removed = message.headers.as_ref().is_some_and(|headers| headers.get("KV-Operation").is_some());
            if let Some(key) = message.subject.strip_prefix(&prefix).filter(|_| !is_removed) {
                entries.push((key.to_owned(), message.payload.clone()));
            }
        }
        // The rest has expired in between.
        if left == before {
            break;
        }
    }
    Ok(entries)
}

async fn set_state(site: &Site, id: &str, state: JobState) -> Result<(), FleetError> {
    let failed = |error: &dyn std::fmt::Display| FleetError::server("the fleet does not answer", error);
    let unknown =
        || FleetError::Server(format!("there is no job `{}`; `polyply fleet status` lists them", names::token(id)));
    let key = names::job(&names::token(id));
    let entry = site.state.get(&key).await.map_err(|error| failed(&error))?;
    let mut record: JobRecord = entry.and_then(|bytes| job::read(&bytes)).ok_or_else(unknown)?;
    record.state = state;
    site.state.put(&key, job::write(&record)).await.map_err(|error| failed(&error))?;
    if state != JobState::Cancelled {
        return Ok(());
    }
    // An asker that is there closes the job itself.
    if site.live.get(names::progress(id)).await.ok().flatten().is_none() {
        let _ = site.work.purge().filter(names::pieces(id)).await;
        let _ = site.work.delete_consumer(id).await;
        let _ = site.results.purge().filter(names::results(id)).await;
        for (key, _) in entries(site, names::STATE).await? {
            if key.split('.').nth(1) == Some(id) {
                let _ = site.state.purge(key).await;
            }
        }
    }
    Ok(())
}
