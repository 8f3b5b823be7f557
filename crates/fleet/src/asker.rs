//! Asking a fleet: jobs, their pieces and results.

use crate::job::{self, Class, JobProgress, JobRecord, JobState, ResultRecord};
use crate::names::{self, LARGEST_PIECE, Site};
use crate::odd::Verdicts;
use crate::queue::publish;
use crate::{Address, FleetError, objects};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use futures_util::StreamExt;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// How often the length of the queue is looked at, and progress is told.
const LOOK: Duration = Duration::from_millis(500);
/// Results that are fetched at once.
const BATCH: usize = 256;
/// How long a fetch waits for results.
const FETCH: Duration = Duration::from_secs(2);
/// The pause after the server did not answer.
const PAUSE: Duration = Duration::from_millis(200);
/// Results are removed from the stream when so many were taken.
const PURGE: usize = 256;
/// Pieces that may be on their way to the server.
const SENDING: u32 = 256;
/// Pieces to have under way before the fleet is known.
const FIRST: usize = 16;
/// Without a free worker for this long, the asker is told.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection to a fleet. Its methods wait for the server.
#[derive(Clone)]
pub struct Fleet {
    runtime: Arc<Runtime>,
    pub(crate) site: Site,
    address: Address,
}

/// A job as it is asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct JobSpec {
    /// What it is, for people.
    pub title: String,
    /// All that pieces share.
    pub task: String,
    /// How urgent it is.
    pub class: Class,
    /// The game whose bench shows that a worker has the right build.
    pub game: String,
    /// The nodes of that bench.
    pub nodes: u64,
    /// Nodes a second of that bench on this machine.
    pub speed: u64,
    /// Times are scaled by the speed of the worker.
    pub is_timed: bool,
    /// The file that gets the results. The same task for the same file is the same job, so it can be continued.
    pub file: Option<String>,
    /// How many pieces there are, if that is known.
    pub pieces: Option<u64>,
    /// How long a worker that is not heard of keeps a piece.
    pub ack_wait: Duration,
    /// How often a piece is tried.
    pub tries: u32,
}

impl Fleet {
    /// Connects within a few seconds, or says why not.
    pub fn connect(address: &Address) -> Result<Fleet, FleetError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| FleetError::server("threads can't be had", error))?;
        let site = runtime.block_on(async {
            let client = address.connect("polyply").await?;
            Site::open(client).await
        })?;
        Ok(Fleet { runtime: Arc::new(runtime), site, address: address.clone() })
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Stores a file for the workers and returns its name.
    pub fn keep(&self, bytes: &[u8]) -> Result<String, FleetError> {
        self.runtime.block_on(objects::keep(&self.site, bytes))
    }

    pub(crate) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Begins a job, or continues it.
    pub fn open(&self, spec: JobSpec) -> Result<OpenJob, FleetError> {
        self.runtime.clone().block_on(OpenJob::open(self.clone(), spec))
    }
}

impl std::fmt::Debug for Fleet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fleet({})", self.address)
    }
}

/// What a job tells its asker.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// The number of the piece.
    pub number: u64,
    /// The worker.
    pub by: String,
    /// The result, or why nobody could do it.
    pub output: Result<String, String>,
}

enum Event {
    Result {
        number: u64,
        sequence: u64,
        record: Option<ResultRecord>,
    },
    Cancelled,
    /// A piece could not be sent.
    Unsent(FleetError),
}

/// A job that workers are busy with.
pub struct OpenJob {
    fleet: Fleet,
    id: String,
    spec: JobSpec,
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// Pieces that may be on their way to the server.
    sending: Arc<Semaphore>,
    tasks: Vec<JoinHandle<()>>,
    /// Results of an earlier asker, with their sequence numbers.
    early: HashMap<u64, (u64, ResultRecord)>,
    /// Those among them that were asked for.
    ready: VecDeque<(u64, u64, ResultRecord)>,
    /// Pieces without a result.
    given: HashMap<u64, String>,
    verdicts: Verdicts,
    queue: Arc<QueueLength>,
    /// What the asker should be told.
    notices: Vec<String>,
    idle_since: Option<Instant>,
    /// The last result that was taken, and how many since the last purge.
    last: u64,
    taken: usize,
}

/// The length of the queue, as of a moment ago.
#[derive(Default)]
struct QueueLength {
    /// Threads that wait for a piece or do one.
    threads: AtomicUsize,
    is_known: AtomicBool,
    done: AtomicU64,
    dead: AtomicU64,
}

impl OpenJob {
    async fn open(fleet: Fleet, spec: JobSpec) -> Result<OpenJob, FleetError> {
        let site = &fleet.site;
        let task = objects::keep(site, spec.task.as_bytes()).await?;
        let host = host();
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let which = match &spec.file {
            Some(file) => std::path::absolute(file).unwrap_or_else(|_| file.into()).display().to_string(),
            None => format!("{} {since_1970:?}", std::process::id()),
        };
        let id = objects::hash(format!("{task} {} {host} {which}", spec.nodes).as_bytes())[..16].to_owned();
        let failed = |error: &dyn std::fmt::Display| FleetError::server("the job could not be opened", error);
        let consumer: PullConsumer =
            site.work.get_or_create_consumer(&id, consumer(&id, &spec)).await.map_err(|error| failed(&error))?;
        let (early, next) = earlier(site, &id).await.map_err(|error| failed(&error))?;
        let record = JobRecord {
            title: job::short(&spec.title),
            class: spec.class,
            game: spec.game.clone(),
            nodes: spec.nodes,
            speed: spec.speed,
            is_timed: spec.is_timed,
            task,
            state: JobState::Running,
            pieces: spec.pieces,
            ack_wait_ms: u64::try_from(spec.ack_wait.as_millis()).unwrap_or(u64::MAX),
            tries: spec.tries,
            asker: host,
            began: since_1970.as_secs(),
        };
        site.state.put(names::job(&id), job::write(&record)).await.map_err(|error| failed(&error))?;
        let (events, receiver) = channel();
        let queue = Arc::new(QueueLength::default());
        let tasks = vec![
            tokio::spawn(read_results(site.clone(), id.clone(), next, events.clone())),
            tokio::spawn(watch_state(site.clone(), id.clone(), events.clone())),
            tokio::spawn(watch_queue(site.clone(), id.clone(), consumer, queue.clone())),
        ];
        Ok(OpenJob {
            fleet,
            id,
            spec,
            events: receiver,
            sender: events,
            sending: Arc::new(Semaphore::new(SENDING as usize)),
            tasks,
            early,
            ready: VecDeque::new(),
            given: HashMap::new(),
            verdicts: Verdicts::default(),
            queue,
            notices: Vec::new(),
            idle_since: None,
            last: 0,
            taken: 0,
        })
    }

    /// The name of the job, as `polyply fleet` shows it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How many pieces to have under way, if so many may wait for each thread of the fleet.
    pub fn capacity(&self, ahead: usize) -> usize {
        let threads = match self.queue.is_known.load(Relaxed) {
            true => self.queue.threads.load(Relaxed).max(1),
            false => FIRST,
        };
        // A few more than threads: the length of the queue is known with a delay.
        threads * (1 + ahead) + ahead * FIRST
    }

    /// Has a piece done.
    pub fn give(&mut self, number: u64, piece: &str) -> Result<(), FleetError> {
        if piece.len() > LARGEST_PIECE {
            return Err(FleetError::Server(format!("a piece of work has at most {LARGEST_PIECE} bytes")));
        }
        self.given.insert(number, piece.to_owned());
        match self.early.remove(&number) {
            Some((sequence, record)) if record.output.is_ok() && record.nodes == self.spec.nodes => {
                self.ready.push_back((number, sequence, record));
                Ok(())
            }
            // What failed earlier is tried again.
            Some(_) => self.again(number),
            None => self.send(number),
        }
    }

    /// Sends a piece without waiting for the server, unless many are on their way.
    fn send(&self, number: u64) -> Result<(), FleetError> {
        let payload = self.given.get(&number).cloned().unwrap_or_default();
        let (site, subject, sender) = (self.fleet.site.clone(), names::piece(&self.id, number), self.sender.clone());
        let permit = self.fleet.wait(self.sending.clone().acquire_owned());
        self.fleet.runtime.spawn(async move {
            let sent = publish(&site, subject, payload.into()).await;
            drop(permit);
            if let Err(error) = sent {
                // Without a receiver the job is over.
                let _ = sender.send(Event::Unsent(error));
            }
        });
        Ok(())
    }

    /// Nobody needs a piece any more. One that waits is removed; the result of one that is being done is dropped.
    pub fn withdraw(&mut self, number: u64) {
        self.given.remove(&number);
        let (site, subject) = (self.fleet.site.clone(), names::piece(&self.id, number));
        self.fleet.runtime.spawn(async move {
            // If this fails, it is done for nobody.
            let _ = site.work.purge().filter(subject).await;
        });
    }

    /// Removes a result that does not count, and has the piece done again.
    fn again(&self, number: u64) -> Result<(), FleetError> {
        let site = &self.fleet.site;
        self.fleet.wait(async {
            // If these fail, the old result stays and is seen again by the next asker.
            let _ = site.results.purge().filter(names::result(&self.id, number)).await;
            let _ = site.state.purge(names::dead(&self.id, number)).await;
        });
        self.send(number)
    }

    /// A result, if there is one within this time.
    pub fn take(&mut self, wait: Duration) -> Result<Option<Reply>, FleetError> {
        self.purge_taken();
        if let Some((number, sequence, record)) = self.ready.pop_front() {
            return Ok(self.accept(number, sequence, record));
        }
        let event = match self.events.recv_timeout(wait) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => {
                self.notice_idleness();
                return Ok(None);
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(FleetError::Server("the connection to the fleet has ended".into()));
            }
        };
        match event {
            Event::Cancelled => Err(FleetError::Cancelled),
            Event::Unsent(error) => Err(error),
            Event::Result { number, sequence, record } => match record {
                Some(record) if record.nodes == self.spec.nodes => Ok(self.accept(number, sequence, record)),
                _ if !self.given.contains_key(&number) => Ok(None),
                record => {
                    let by = record.map_or_else(|| "somebody".to_owned(), |record| record.by);
                    self.set_aside(&by, "it sends results of another build");
                    self.again(number)?;
                    Ok(None)
                }
            },
        }
    }

    fn accept(&mut self, number: u64, sequence: u64, record: ResultRecord) -> Option<Reply> {
        self.last = self.last.max(sequence);
        self.taken += 1;
        // What nobody has asked for yet, a later piece may ask for.
        if self.given.remove(&number).is_none() {
            self.early.insert(number, (sequence, record));
            return None;
        }
        self.idle_since = None;
        let counter = if record.output.is_ok() { &self.queue.done } else { &self.queue.dead };
        counter.fetch_add(1, Relaxed);
        Some(Reply { number, by: record.by, output: record.output })
    }

    /// Results that were taken earlier are in the asker's file by now, and can leave the stream.
    fn purge_taken(&mut self) {
        if self.taken < PURGE {
            return;
        }
        self.taken = 0;
        let waiting = self.ready.iter().map(|(_, sequence, _)| *sequence);
        let oldest = self.early.values().map(|(sequence, _)| *sequence).chain(waiting).min();
        let end = oldest.unwrap_or(u64::MAX).min(self.last + 1);
        let (site, id) = (self.fleet.site.clone(), self.id.clone());
        self.fleet.runtime.spawn(async move {
            // What stays is removed at the end.
            let _ = site.results.purge().filter(names::results(&id)).sequence(end).await;
        });
    }

    fn notice_idleness(&mut self) {
        let is_idle = self.queue.is_known.load(Relaxed) && self.queue.threads.load(Relaxed) == 0;
        if !is_idle {
            self.idle_since = None;
            return;
        }
        let since = *self.idle_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= PATIENCE {
            self.idle_since = Some(Instant::now() + Duration::from_secs(3600));
            self.notices.push(format!(
                "no worker takes part yet; start one with `polyply worker --fleet {}` (the same build, bench {} of {})",
                self.fleet.address, self.spec.nodes, self.spec.game
            ));
        }
    }

    /// Notes how a piece of a worker ended. A worker whose pieces end unlike those of others is set aside.
    pub fn note(&mut self, by: &str, verdict: &str) {
        if let Some(reason) = self.verdicts.add(by, verdict) {
            self.set_aside(by, &reason);
        }
    }

    fn set_aside(&mut self, worker: &str, reason: &str) {
        self.notices.push(format!("worker {worker} was set aside: {reason}"));
        let (site, key) = (self.fleet.site.clone(), names::aside(&self.id, &names::token(worker)));
        let reason = job::short(reason);
        self.fleet.runtime.spawn(async move {
            // If this fails, the worker is noticed again.
            let _ = site.state.put(key, reason.into()).await;
        });
    }

    /// What happened since the last call that the asker should be told.
    pub fn notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Ends the job. If it is not done, what was done and can be continued stays.
    pub fn close(&mut self, is_done: bool) -> Result<(), FleetError> {
        self.tasks.drain(..).for_each(|task| task.abort());
        let (site, id) = (&self.fleet.site, &self.id);
        let stays = !is_done && self.spec.file.is_some();
        self.fleet.wait(async {
            let failed = |error: &dyn std::fmt::Display| FleetError::server("the job could not be closed", error);
            // What is on its way arrives before it is removed.
            let _ = self.sending.acquire_many(SENDING).await;
            site.state.purge(names::job(id)).await.map_err(|error| failed(&error))?;
            site.work.purge().filter(names::pieces(id)).await.map_err(|error| failed(&error))?;
            site.work.delete_consumer(id).await.map_err(|error| failed(&error))?;
            if !stays {
                site.results.purge().filter(names::results(id)).await.map_err(|error| failed(&error))?;
            }
            // It would expire anyway.
            let _ = site.live.purge(names::progress(id)).await;
            Ok(())
        })
    }
}

impl Drop for OpenJob {
    fn drop(&mut self) {
        self.tasks.drain(..).for_each(|task| task.abort());
    }
}

/// The name of this machine.
pub fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    names::token(name.as_deref().unwrap_or("unknown").trim())
}

/// The consumer of the pieces of a job.
fn consumer(id: &str, spec: &JobSpec) -> pull::Config {
    pull::Config {
        durable_name: Some(id.to_owned()),
        filter_subject: names::pieces(id),
        ack_policy: AckPolicy::Explicit,
        ack_wait: spec.ack_wait,
        // Workers make dead letters of what was tried too often; the server only ends what not even they can handle.
        max_deliver: i64::from(spec.tries) * 4,
        max_ack_pending: 1_000_000,
        max_waiting: 100_000,
        ..Default::default()
    }
}

/// A consumer of the results of a job from a sequence number on.
async fn results_from(site: &Site, id: &str, next: u64) -> Result<PullConsumer, String> {
    let config = pull::Config {
        filter_subject: names::results(id),
        ack_policy: AckPolicy::None,
        deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: next.max(1) },
        inactive_threshold: Duration::from_secs(60),
        ..Default::default()
    };
    site.results.create_consumer(config).await.map_err(|error| error.to_string())
}

/// A result with its number and its sequence number.
fn read_result(message: &async_nats::jetstream::Message) -> Option<(u64, u64, Option<ResultRecord>)> {
    let number = names::number(&message.subject)?;
    let sequence = message.info().ok()?.stream_sequence;
    let record = job::read::<ResultRecord>(&message.payload);
    let record = record.filter(|record| names::token(&record.by) == record.by);
    Some((number, sequence, record))
}

/// The results that are there already, by number, and the sequence number after them.
async fn earlier(site: &Site, id: &str) -> Result<(HashMap<u64, (u64, ResultRecord)>, u64), String> {
    let consumer = results_from(site, id, 1).await?;
    let (mut left, mut next) = (consumer.cached_info().num_pending, 1);
    let mut early = HashMap::new();
    while left > 0 {
        let fetched = consumer.batch().max_messages(BATCH).expires(FETCH).messages().await;
        let mut messages = fetched.map_err(|error| error.to_string())?;
        let before = left;
        while let Some(message) = messages.next().await {
            let message = message.map_err(|error| error.to_string())?;
            left = left.saturating_sub(1);
            if let Some((number, sequence, record)) = read_result(&message) {
                next = next.max(sequence + 1);
                early.extend(record.map(|record| (number, (sequence, record))));
            }
        }
        if left == before {
            break;
        }
    }
    Ok((early, next))
}

/// Passes results on. After the server was lost, it goes on where it was.
async fn read_results(site: Site, id: String, mut next: u64, events: Sender<Event>) {
    loop {
        let Ok(consumer) = results_from(&site, &id, next).await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        while let Ok(mut messages) = consumer.batch().max_messages(BATCH).expires(FETCH).messages().await {
            let mut is_broken = false;
            while let Some(message) = messages.next().await {
                let Ok(message) = message else {
                    is_broken = true;
                    break;
                };
                let Some((number, sequence, record)) = read_result(&message) else { continue };
                if sequence >= next {
                    next = sequence + 1;
                    if events.send(Event::Result { number, sequence, record }).is_err() {
                        return;
                    }
                }
            }
            if is_broken {
                break;
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Tells when the job was cancelled.
async fn watch_state(site: Site, id: String, events: Sender<Event>) {
    loop {
        tokio::time::sleep(LOOK).await;
        let entry = site.state.get(names::job(&id)).await;
        let state = entry.ok().flatten().and_then(|bytes| job::read::<JobRecord>(&bytes)).map(|record| record.state);
        if state == Some(JobState::Cancelled) {
            let _ = events.send(Event::Cancelled);
            return;
        }
    }
}

/// Keeps an eye on the queue, and tells everybody how far the job is.
async fn watch_queue(site: Site, id: String, mut consumer: PullConsumer, queue: Arc<QueueLength>) {
    let mut past: VecDeque<(Instant, u64)> = VecDeque::new();
    for round in 0_u64.. {
        if let Ok(info) = consumer.info().await {
            queue.threads.store(info.num_waiting + info.num_ack_pending, Relaxed);
            queue.is_known.store(true, Relaxed);
        }
        if round.is_multiple_of(4) {
            let (done, dead) = (queue.done.load(Relaxed), queue.dead.load(Relaxed));
            past.push_back((Instant::now(), done));
            if past.len() > 10 {
                past.pop_front();
            }
            let rate = past.front().map_or(0.0, |(since, before)| {
                let seconds = since.elapsed().as_secs_f64();
                if seconds > 0.5 { (done - before) as f64 / seconds } else { 0.0 }
            });
            // The next one will do.
            let _ = site.live.put(names::progress(&id), job::write(&JobProgress { done, dead, rate })).await;
        }
        tokio::time::sleep(LOOK).await;
    }
}
