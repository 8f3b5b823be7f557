//! A worker: takes pieces of jobs, does them, and sends results.
//!
//! [`run`] connects, watches the jobs (`jobs.rs`), and lets every thread take pieces (`slot.rs`). What a piece is only its
//! [`Machine`] knows. No text from the wire is a command, a path or a program.

mod jobs;
mod slot;

use crate::job::{self, Class, WorkerRecord};
use crate::names::{self, LIVE_AGE, Site};
use crate::{Address, FleetError, objects};
use jobs::Jobs;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// How often a worker says what has changed.
const NEWS: Duration = Duration::from_secs(5);
/// How often it says that it is there even if nothing has changed: of ten thousand idle workers, hundreds of times a second.
const HEARTBEAT: Duration = LIVE_AGE.checked_div(3).unwrap();
/// How long a worker tries to give back what it has when it leaves.
const LEAVING: Duration = Duration::from_secs(5);

/// The bench of a game on this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Its nodes, the same for all machines with the same build.
    pub nodes: u64,
    /// Nodes a second.
    pub speed: u64,
}

/// What a worker can do.
pub trait Machine: Send + Sync + 'static {
    /// The bench of a game; an error if it does not know the game.
    fn signature(&self, game: &str) -> Result<Signature, String>;
    /// A thread that does pieces.
    fn slot(&self) -> Box<dyn Slot>;
    /// The version of the program, and a hash of the executable file.
    fn build(&self) -> String;
    /// Something that a person at this machine should read.
    fn tell(&self, sentence: &str);
}

/// A thread of a machine.
pub trait Slot: Send {
    /// Prepares for the pieces of a task. Times are multiplied by the scale; `file` finds a file of the fleet.
    fn open(
        &mut self,
        task: &str,
        time_scale: f64,
        file: &dyn Fn(&str) -> Result<PathBuf, String>,
    ) -> Result<(), String>;
    /// Does a piece; `None` if it was stopped.
    fn perform(&mut self, piece: &str) -> Result<Option<String>, String>;
    /// Stops the piece that is being done, from another thread; with `false`, what comes next is not stopped any more.
    fn stopper(&self) -> Arc<dyn Fn(bool) + Send + Sync>;
}

/// How a worker takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerConfig {
    /// Its name, made unique if that is not the case.
    pub name: String,
    /// Pieces to do at once.
    pub threads: usize,
    /// The only folder that it writes to.
    pub folder: PathBuf,
    /// The only kind of jobs that it takes part in; all of them without one.
    pub only: Option<Class>,
    /// What its processor can do.
    pub features: Vec<String>,
    /// The games that it knows.
    pub games: Vec<String>,
}

/// What all threads of a worker share.
struct Shared {
    site: Site,
    machine: Arc<dyn Machine>,
    name: String,
    folder: PathBuf,
    jobs: Jobs,
    leaving: watch::Receiver<bool>,
    record: Mutex<WorkerRecord>,
}

impl Shared {
    /// The record that everybody sees.
    fn record(&self) -> MutexGuard<'_, WorkerRecord> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_leaving(&self) -> bool {
        *self.leaving.borrow()
    }

    /// Waits until the worker leaves.
    async fn leaves(&self) {
        let mut leaving = self.leaving.clone();
        // Without a sender it has left.
        let _ = leaving.wait_for(|leaving| *leaving).await;
    }

    /// A file of the fleet in the folder of this worker.
    async fn file(&self, name: &str) -> Result<PathBuf, String> {
        if !objects::is_hash(name) {
            return Err("this is not the name of a file of the fleet".into());
        }
        let path = self.folder.join(name);
        let is_whole = |bytes: Vec<u8>| objects::hash(&bytes) == name;
        if tokio::fs::read(&path).await.is_ok_and(is_whole) {
            return Ok(path);
        }
        let bytes = objects::get(&self.site, name).await?;
        write_whole(&path, &bytes).await.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }
}

async fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // Several threads may fetch the same file at once.
    static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let part = path.with_extension(format!("{}-{number}.part", std::process::id()));
    tokio::fs::write(&part, bytes).await?;
    tokio::fs::rename(&part, path).await
}

/// Takes part in a fleet until `leave` is ready, then gives back what it has.
pub async fn run(
    address: &Address,
    config: WorkerConfig,
    machine: Arc<dyn Machine>,
    leave: impl Future<Output = ()>,
) -> Result<(), FleetError> {
    let name = format!("{}-{:08x}", names::token(&config.name), unique());
    let client = address.connect(&name).await?;
    let site = Site::open(client).await?;
    let (leaving_sender, leaving) = watch::channel(false);
    let record = WorkerRecord {
        name: name.clone(),
        threads: config.threads,
        features: config.features,
        games: config.games,
        benches: BTreeMap::new(),
        ..WorkerRecord::default()
    };
    let jobs = Jobs::watch(site.clone(), name.clone(), config.only);
    let shared =
        Arc::new(Shared { site, machine, name, folder: config.folder, jobs, leaving, record: Mutex::new(record) });
    shared.machine.tell(&format!("worker {} waits for work at {address}", shared.name));
    let heartbeat = tokio::spawn(heartbeat(shared.clone()));
    let slots: Vec<_> = (0..config.threads).map(|number| tokio::spawn(slot::live(shared.clone(), number))).collect();
    leave.await;
    // Everybody who listens is gone only if all slots are.
    let _ = leaving_sender.send(true);
    let all = async {
        for slot in slots {
            // A slot that panicked has nothing to give back.
            let _ = slot.await;
        }
        heartbeat.abort();
        let _ = shared.site.live.purge(names::worker(&shared.name)).await;
        let _ = shared.site.client.flush().await;
    };
    if tokio::time::timeout(LEAVING, all).await.is_err() {
        shared.machine.tell("the fleet does not answer; what this worker had goes to others after a while");
    }
    Ok(())
}

/// A number that no other worker has.
fn unique() -> u32 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let hash = objects::hash(format!("{now:?} {} {:?}", std::process::id(), std::thread::current().id()).as_bytes());
    u32::from_str_radix(&hash[..8], 16).unwrap_or_default()
}

/// Says that the worker is there, and what it does.
async fn heartbeat(shared: Arc<Shared>) {
    let machine = shared.machine.clone();
    let build = tokio::task::spawn_blocking(move || machine.build()).await;
    shared.record().build = build.unwrap_or_default();
    let (mut last, mut told) = (None, tokio::time::Instant::now());
    loop {
        let record = {
            let mut record = shared.record();
            record.refused = shared.jobs.refused();
            record.clone()
        };
        if told.elapsed() >= HEARTBEAT || last.as_ref() != Some(&record) {
            // If this fails, the next one will do.
            let _ = shared.site.live.put(names::worker(&shared.name), job::write(&record)).await;
            (last, told) = (Some(record), tokio::time::Instant::now());
        }
        tokio::time::sleep(NEWS).await;
    }
}
