//! The jobs that a worker may take part in.

use super::Shared;
use crate::job::{self, Class, JobRecord, JobState};
use crate::names::{self, Site};
use crate::objects;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::kv::{Entry, Operation};
use futures_util::StreamExt;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The pause after the server did not answer.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a job is left alone after this worker could not do a piece of it, so that others can try.
const AVOIDED: Duration = Duration::from_secs(5);
/// A machine that is more than so many times slower or faster than the asker's takes no part in timed jobs.
const MOST_SCALED: f64 = 8.0;

/// What is known of the jobs.
pub struct Jobs {
    only: Option<Class>,
    known: watch::Receiver<Known>,
    prepared: tokio::sync::Mutex<HashMap<String, Arc<Prepared>>>,
    avoided: Mutex<HashMap<String, Instant>>,
    refused: Mutex<BTreeMap<String, String>>,
}

/// The jobs by name, and those that this worker was set aside from.
#[derive(Clone, Default)]
struct Known {
    jobs: BTreeMap<String, JobRecord>,
    aside: BTreeSet<String>,
}

/// A job that this worker can do.
pub struct Prepared {
    pub id: String,
    pub record: JobRecord,
    pub task: String,
    pub time_scale: f64,
    pub consumer: PullConsumer,
}

impl Jobs {
    /// Begins to watch.
    pub fn watch(site: Site, worker: String, only: Option<Class>) -> Jobs {
        let (sender, known) = watch::channel(Known::default());
        tokio::spawn(follow(site, worker, sender));
        Jobs {
            only,
            known,
            prepared: tokio::sync::Mutex::default(),
            avoided: Mutex::default(),
            refused: Mutex::default(),
        }
    }

    /// Is notified when something changes.
    pub fn changes(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut known = self.known.clone();
        known.mark_unchanged();
        async move {
            if known.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// The job goes on, and this worker may take part.
    pub fn goes_on(&self, id: &str) -> bool {
        let known = self.known.borrow();
        !known.aside.contains(id) && known.jobs.get(id).is_some_and(|job| job.state == JobState::Running)
    }

    /// Nobody wants results of the job any more.
    pub fn is_gone(&self, id: &str) -> bool {
        self.known.borrow().jobs.get(id).is_none_or(|job| job.state == JobState::Cancelled)
    }

    /// Leaves a job to others for a while.
    pub fn avoid(&self, id: &str) {
        let mut avoided = self.avoided.lock().unwrap_or_else(PoisonError::into_inner);
        avoided.insert(id.to_owned(), Instant::now() + AVOIDED);
    }

    /// Why this worker takes no part in jobs, by their names.
    pub fn refused(&self) -> BTreeMap<String, String> {
        let jobs = self.known.borrow();
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.retain(|id, _| jobs.jobs.contains_key(id));
        refused.clone()
    }

    /// The jobs that this worker can do now.
    pub async fn open(&self, shared: &Shared) -> Vec<Arc<Prepared>> {
        let running: Vec<(String, JobRecord)> = {
            let known = self.known.borrow();
            let avoided = self.avoided.lock().unwrap_or_else(PoisonError::into_inner);
            let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            let may = |id: &String, job: &JobRecord| {
                job.state == JobState::Running
                    && self.only.is_none_or(|only| only == job.class)
                    && !known.aside.contains(id)
                    && !refused.contains_key(id)
                    && avoided.get(id).is_none_or(|until| Instant::now() >= *until)
            };
            known.jobs.iter().filter(|(id, job)| may(id, job)).map(|(id, job)| (id.clone(), job.clone())).collect()
        };
        let mut open = Vec::with_capacity(running.len());
        let mut prepared = self.prepared.lock().await;
        prepared.retain(|id, _| running.iter().any(|(other, _)| other == id));
        for (id, record) in running {
            if let Some(ready) = prepared.get(&id).filter(|ready| ready.record.began == record.began) {
                open.push(ready.clone());
                continue;
            }
            match prepare(shared, &id, record).await {
                Ok(ready) => {
                    let ready = Arc::new(ready);
                    prepared.insert(id, ready.clone());
                    open.push(ready);
                }
                Err(Unprepared::Refused(reason)) => {
                    shared.machine.tell(&reason);
                    let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
                    refused.insert(id, job::short(&reason));
                }
                // The server is busy, or the job has just ended.
                Err(Unprepared::NotYet) => {}
            }
        }
        // The most urgent ones first.
        open.sort_by_key(|job| job.record.class);
        open
    }
}

enum Unprepared {
    Refused(String),
    NotYet,
}

/// Shows that this worker has the right build for a job, and gets what it needs.
async fn prepare(shared: &Shared, id: &str, record: JobRecord) -> Result<Prepared, Unprepared> {
    let (machine, game) = (shared.machine.clone(), record.game.clone());
    let bench = tokio::task::spawn_blocking(move || machine.signature(&game)).await;
    let title = &record.title;
    let refuse = |reason: String| Unprepared::Refused(format!("no part in job {id} ({title}): {reason}"));
    let bench = bench.map_err(|error| refuse(error.to_string()))?.map_err(&refuse)?;
    shared.record().benches.insert(record.game.clone(), [bench.nodes, bench.speed]);
    if bench.nodes != record.nodes {
        let (game, theirs, ours) = (&record.game, record.nodes, bench.nodes);
        return Err(refuse(format!(
            "it is for the build whose bench of {game} has {theirs} nodes, and this one has {ours}"
        )));
    }
    let time_scale = if record.is_timed { record.speed as f64 / bench.speed.max(1) as f64 } else { 1.0 };
    if !(1.0 / MOST_SCALED..=MOST_SCALED).contains(&time_scale) {
        return Err(refuse(format!("this machine would need {time_scale:.2} times as long as the asker's")));
    }
    let task = objects::get(&shared.site, &record.task).await.map_err(|_| Unprepared::NotYet)?;
    let task = String::from_utf8(task).map_err(|error| refuse(error.to_string()))?;
    let consumer = shared.site.work.get_consumer(id).await.map_err(|_| Unprepared::NotYet)?;
    Ok(Prepared { id: id.to_owned(), record, task, time_scale, consumer })
}

/// Follows the state of the fleet for ever.
async fn follow(site: Site, worker: String, known: watch::Sender<Known>) {
    loop {
        let Ok(mut entries) = site.state.watch_with_history(">").await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // What was removed while nobody watched is not told.
        let ids: Vec<String> = known.borrow().jobs.keys().cloned().collect();
        for id in ids {
            if let Ok(None) = site.state.get(names::job(&id)).await {
                known.send_modify(|known| drop(known.jobs.remove(&id)));
            }
        }
        while let Some(Ok(entry)) = entries.next().await {
            known.send_if_modified(|known| known.learn(&entry, &worker));
            if known.is_closed() {
                return;
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

impl Known {
    /// Takes over an entry; returns whether something has changed.
    fn learn(&mut self, entry: &Entry, worker: &str) -> bool {
        let is_there = entry.operation == Operation::Put;
        let parts: Vec<&str> = entry.key.split('.').collect();
        match parts[..] {
            ["job", id] => {
                match job::read(&entry.value).filter(|_| is_there) {
                    Some(record) => drop(self.jobs.insert(id.to_owned(), record)),
                    None => drop(self.jobs.remove(id)),
                }
                true
            }
            ["aside", id, other] if other == names::token(worker) => {
                if is_there {
                    self.aside.insert(id.to_owned())
                } else {
                    self.aside.remove(id)
                }
            }
            _ => false,
        }
    }
}
