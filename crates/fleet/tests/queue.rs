//! A fleet with a real NATS server and virtual machines: nothing is lost, nothing counts twice, whatever dies.

mod nats;

use nats::Nats;
use polyply_fleet::job::{Class, JobState};
use polyply_fleet::worker::{self, Machine, Signature, Slot, WorkerConfig};
use polyply_fleet::{Address, Fleet, FleetError, JobSpec, OpenJob};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// The nodes of the right build.
const NODES: u64 = 1000;
const TICK: Duration = Duration::from_millis(50);

/// A machine whose pieces are words, and which answers with the word in capitals.
#[derive(Clone)]
struct Virtual {
    nodes: u64,
    told: Arc<Mutex<Vec<String>>>,
    gate: Arc<Gate>,
}

/// Lets pieces wait until they are let through.
#[derive(Default)]
struct Gate {
    is_closed: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn set(&self, is_closed: bool) {
        *self.is_closed.lock().unwrap() = is_closed;
        self.opened.notify_all();
    }
}

impl Virtual {
    fn new() -> Virtual {
        Virtual { nodes: NODES, told: Arc::default(), gate: Arc::default() }
    }

    fn has_told(&self, part: &str) -> bool {
        self.told.lock().unwrap().iter().any(|sentence| sentence.contains(part))
    }
}

struct VirtualSlot {
    gate: Arc<Gate>,
    stop: Arc<AtomicBool>,
    file: String,
}

impl Machine for Virtual {
    fn signature(&self, _: &str) -> Result<Signature, String> {
        Ok(Signature { nodes: self.nodes, speed: 1_000_000 })
    }

    fn slot(&self) -> Box<dyn Slot> {
        Box::new(VirtualSlot { gate: self.gate.clone(), stop: Arc::default(), file: String::new() })
    }

    fn build(&self) -> String {
        "virtual".into()
    }

    fn tell(&self, sentence: &str) {
        self.told.lock().unwrap().push(sentence.to_owned());
    }
}

impl Slot for VirtualSlot {
    fn open(&mut self, task: &str, _: f64, file: &dyn Fn(&str) -> Result<PathBuf, String>) -> Result<(), String> {
        if let Some(name) = task.strip_prefix("file ") {
            self.file = std::fs::read_to_string(file(name)?).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn perform(&mut self, piece: &str) -> Result<Option<String>, String> {
        let mut is_closed = self.gate.is_closed.lock().unwrap();
        while *is_closed && !self.stop.load(SeqCst) {
            is_closed = self.gate.opened.wait_timeout(is_closed, TICK).unwrap().0;
        }
        drop(is_closed);
        match piece {
            _ if self.stop.load(SeqCst) => Ok(None),
            "poison" => Err("it is poison".into()),
            "panic" => panic!("a piece that breaks its worker"),
            piece => Ok(Some(format!("{}{}", self.file, piece.to_uppercase()))),
        }
    }

    fn stopper(&self) -> Arc<dyn Fn(bool) + Send + Sync> {
        let stop = self.stop.clone();
        Arc::new(move |is_stopped| stop.store(is_stopped, SeqCst))
    }
}

/// A worker in this process.
struct Working {
    runtime: Option<tokio::runtime::Runtime>,
    leave: Option<tokio::sync::oneshot::Sender<()>>,
    ended: std::sync::mpsc::Receiver<()>,
    _folder: tempfile::TempDir,
}

impl Working {
    fn start(nats: &Nats, machine: &Virtual, name: &str) -> Working {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (leave, left) = tokio::sync::oneshot::channel::<()>();
        let (end, ended) = std::sync::mpsc::channel();
        let address: Address = nats.address().parse().unwrap();
        let config = WorkerConfig {
            name: name.into(),
            threads: 2,
            folder: folder.path().to_owned(),
            only: None,
            features: Vec::new(),
            games: vec!["words".into()],
        };
        let machine = Arc::new(machine.clone());
        runtime.spawn(async move {
            let leave = async { drop(left.await) };
            worker::run(&address, config, machine, leave).await.unwrap();
            let _ = end.send(());
        });
        Working { runtime: Some(runtime), leave: Some(leave), ended, _folder: folder }
    }

    /// Leaves cleanly.
    fn leave(mut self) {
        drop(self.leave.take());
        self.ended.recv_timeout(Duration::from_secs(20)).unwrap();
    }

    /// Disappears, as after `kill -9`: whatever it had is never mentioned again.
    fn die(mut self) {
        std::mem::forget(self.leave.take());
        self.runtime.take().unwrap().shutdown_background();
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn spec(file: Option<&str>) -> JobSpec {
    JobSpec {
        title: "words".into(),
        task: "capitals".into(),
        class: Class::Lab,
        game: "words".into(),
        nodes: NODES,
        speed: 1_000_000,
        is_timed: false,
        file: file.map(str::to_owned),
        pieces: None,
        ack_wait: Duration::from_secs(2),
        tries: 3,
    }
}

fn connect(nats: &Nats) -> Fleet {
    Fleet::connect(&nats.address().parse().unwrap()).unwrap()
}

fn give(job: &mut OpenJob, numbers: impl IntoIterator<Item = u64>) {
    numbers.into_iter().for_each(|number| job.give(number, &format!("word-{number}")).unwrap());
}

/// Takes so many results; each number once.
fn take(job: &mut OpenJob, count: usize) -> BTreeMap<u64, Result<String, String>> {
    let mut results = BTreeMap::new();
    while results.len() < count {
        if let Some(reply) = job.take(TICK).unwrap() {
            assert_eq!(results.insert(reply.number, reply.output), None, "{} came twice", reply.number);
        }
    }
    results
}

fn words(numbers: std::ops::Range<u64>) -> BTreeMap<u64, Result<String, String>> {
    numbers.map(|number| (number, Ok(format!("WORD-{number}")))).collect()
}

/// Waits until something is the case.
fn until(mut is_so: impl FnMut() -> bool) {
    while !is_so() {
        std::thread::sleep(TICK);
    }
}

/// No further result comes.
fn nothing_left(job: &mut OpenJob) {
    for _ in 0..10 {
        assert_eq!(job.take(TICK).unwrap(), None);
    }
}

#[test]
fn workers_do_all_pieces_once() {
    let nats = Nats::start();
    let machine = Virtual::new();
    let workers = ["one", "two", "three"].map(|name| Working::start(&nats, &machine, name));
    let mut job = connect(&nats).open(spec(None)).unwrap();
    give(&mut job, 0..500);
    assert_eq!(take(&mut job, 500), words(0..500));
    nothing_left(&mut job);
    job.close(true).unwrap();
    let status = connect(&nats).status().unwrap();
    assert!(status.jobs.is_empty() && status.dead.is_empty(), "{status:?}");
    workers.into_iter().for_each(Working::leave);
}

#[test]
fn pieces_of_dead_workers_go_to_others() {
    let nats = Nats::start();
    let (stuck, alive) = (Virtual::new(), Virtual::new());
    stuck.gate.set(true);
    let dying = Working::start(&nats, &stuck, "dying");
    let fleet = connect(&nats);
    let mut job = fleet.open(spec(None)).unwrap();
    give(&mut job, 0..20);
    until(|| fleet.status().unwrap().jobs[0].running == 2);
    dying.die();
    let _worker = Working::start(&nats, &alive, "alive");
    assert_eq!(take(&mut job, 20), words(0..20));
    stuck.gate.set(false);
    nothing_left(&mut job);
}

#[test]
fn a_worker_that_leaves_gives_back_what_it_has() {
    let nats = Nats::start();
    let (stuck, alive) = (Virtual::new(), Virtual::new());
    stuck.gate.set(true);
    let leaving = Working::start(&nats, &stuck, "leaving");
    let fleet = connect(&nats);
    // Without giving back, the pieces would come after an hour.
    let mut job = fleet.open(JobSpec { ack_wait: Duration::from_secs(3600), ..spec(None) }).unwrap();
    give(&mut job, 0..2);
    until(|| fleet.status().unwrap().jobs[0].running == 2);
    leaving.leave();
    assert!(fleet.status().unwrap().workers.is_empty());
    let _worker = Working::start(&nats, &alive, "alive");
    assert_eq!(take(&mut job, 2), words(0..2));
}

#[test]
fn a_restart_of_the_server_loses_nothing() {
    let mut nats = Nats::start();
    let machine = Virtual::new();
    let _workers = ["one", "two"].map(|name| Working::start(&nats, &machine, name));
    let mut job = connect(&nats).open(spec(None)).unwrap();
    let mut results = BTreeMap::new();
    for round in 0..3 {
        give(&mut job, round * 100..round * 100 + 100);
        results.append(&mut take(&mut job, 40));
        nats.restart();
    }
    let mut rest = take(&mut job, 300 - results.len());
    results.append(&mut rest);
    assert_eq!(results, words(0..300));
    nothing_left(&mut job);
}

#[test]
fn an_asker_that_dies_finds_what_was_done_without_it() {
    let nats = Nats::start();
    let machine = Virtual::new();
    let _worker = Working::start(&nats, &machine, "one");
    let fleet = connect(&nats);
    let mut job = fleet.open(spec(Some("results"))).unwrap();
    give(&mut job, 0..50);
    let before = take(&mut job, 10);
    let rest: Vec<u64> = (0..50).filter(|number| !before.contains_key(number)).collect();
    // It dies without a word; the worker goes on.
    drop(job);
    until(|| fleet.status().unwrap().jobs[0].waiting + fleet.status().unwrap().jobs[0].running == 0);
    machine.gate.set(true);
    let mut again = connect(&nats).open(spec(Some("results"))).unwrap();
    rest.iter().for_each(|number| again.give(*number, &format!("word-{number}")).unwrap());
    // Nobody does anything any more, so these are the results of then.
    let mut all = take(&mut again, rest.len());
    all.extend(before);
    assert_eq!(all, words(0..50));
    machine.gate.set(false);
    again.close(true).unwrap();
}

#[test]
fn a_piece_that_nobody_can_do_becomes_a_dead_letter() {
    let nats = Nats::start();
    let machine = Virtual::new();
    let _worker = Working::start(&nats, &machine, "one");
    let fleet = connect(&nats);
    let mut job = fleet.open(spec(Some("results"))).unwrap();
    for (number, piece) in ["fine", "poison", "panic"].iter().enumerate() {
        job.give(number as u64, piece).unwrap();
    }
    let results = take(&mut job, 3);
    assert_eq!(results[&0], Ok("FINE".into()));
    assert_eq!(results[&1], Err("it is poison".into()));
    assert!(results[&2].as_ref().is_err_and(|reason| reason.contains("broke")), "{results:?}");
    nothing_left(&mut job);
    let dead = fleet.status().unwrap().dead;
    let told: Vec<(u64, u32)> = dead.iter().map(|dead| (dead.number, dead.letter.tries)).collect();
    assert_eq!(told, [(1, 3), (2, 3)]);
    // Whoever asks again has it tried again.
    job.close(false).unwrap();
    let mut again = fleet.open(spec(Some("results"))).unwrap();
    again.give(1, "medicine").unwrap();
    assert_eq!(take(&mut again, 1)[&1], Ok("MEDICINE".into()));
    assert_eq!(fleet.status().unwrap().dead.len(), 1);
}

#[test]
fn a_worker_with_another_build_is_refused_in_a_sentence() {
    let nats = Nats::start();
    let other = Virtual { nodes: 999, ..Virtual::new() };
    let _other = Working::start(&nats, &other, "other");
    let fleet = connect(&nats);
    let mut job = fleet.open(spec(None)).unwrap();
    give(&mut job, 0..3);
    until(|| other.has_told("it is for the build whose bench of words has 1000 nodes, and this one has 999"));
    until(|| fleet.status().unwrap().workers.iter().any(|worker| !worker.refused.is_empty()));
    assert_eq!(fleet.status().unwrap().jobs[0].running, 0);
    let _right = Working::start(&nats, &Virtual::new(), "right");
    assert_eq!(take(&mut job, 3), words(0..3));
}

#[test]
fn files_of_a_job_reach_the_workers() {
    let nats = Nats::start();
    let fleet = connect(&nats);
    let _worker = Working::start(&nats, &Virtual::new(), "one");
    // Longer than a message may be.
    let contents = "weights ".repeat(300_000);
    let name = fleet.keep(contents.as_bytes()).unwrap();
    let mut job = fleet.open(JobSpec { task: format!("file {name}"), ..spec(None) }).unwrap();
    job.give(0, "x").unwrap();
    // The result would be too long, which is told as well.
    assert!(take(&mut job, 1)[&0].as_ref().is_err_and(|reason| reason.contains("too long")));
    let name = fleet.keep(b"short ").unwrap();
    let mut job = fleet.open(JobSpec { task: format!("file {name}"), ..spec(None) }).unwrap();
    job.give(0, "x").unwrap();
    assert_eq!(take(&mut job, 1)[&0], Ok("short X".into()));
    // A name that is a path is no file of the fleet.
    let mut job = fleet.open(JobSpec { task: "file ../../etc/passwd".into(), ..spec(None) }).unwrap();
    job.give(0, "x").unwrap();
    assert!(take(&mut job, 1)[&0].as_ref().is_err_and(|reason| reason.contains("not the name of a file")));
}

#[test]
fn a_job_can_be_paused_and_cancelled() {
    let nats = Nats::start();
    let machine = Virtual::new();
    machine.gate.set(true);
    let _worker = Working::start(&nats, &machine, "one");
    let fleet = connect(&nats);
    let mut job = fleet.open(spec(None)).unwrap();
    give(&mut job, 0..4);
    until(|| fleet.status().unwrap().jobs[0].running == 2);
    let id = job.id().to_owned();
    // What is being done is stopped and given back.
    fleet.set_state(&id, JobState::Paused).unwrap();
    until(|| fleet.status().unwrap().workers.iter().all(|worker| worker.busy == 0));
    machine.gate.set(false);
    nothing_left(&mut job);
    fleet.set_state(&id, JobState::Running).unwrap();
    assert_eq!(take(&mut job, 4), words(0..4));
    fleet.set_state(&id, JobState::Cancelled).unwrap();
    let ended = loop {
        match job.take(TICK) {
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    assert_eq!(ended, FleetError::Cancelled);
    assert!(fleet.set_state("unknown", JobState::Paused).is_err());
}

#[test]
fn a_worker_whose_pieces_end_unlike_others_is_set_aside() {
    let nats = Nats::start();
    let fleet = connect(&nats);
    let mut job = fleet.open(spec(None)).unwrap();
    for _ in 0..64 {
        job.note("good-1", "won");
        job.note("good-1", "lost");
        job.note("bad-2", "time forfeit");
    }
    let notices = job.notices();
    assert!(notices.iter().any(|notice| notice.contains("bad-2 was set aside")), "{notices:?}");
    until(|| fleet.status().unwrap().aside.iter().any(|aside| aside.worker == "bad-2"));
}

#[test]
fn without_a_server_there_is_a_sentence() {
    let error = Fleet::connect(&"nats://127.0.0.1:1".parse().unwrap()).err().unwrap();
    assert!(error.to_string().starts_with("there is no fleet at nats://127.0.0.1:1: "), "{error}");
}
