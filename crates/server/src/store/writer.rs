//! All writing goes through one thread, which puts what waits into one transaction (group commit). A thousand games do not
//! pay for a thousand syncs of the disk, and nobody is told of a change before it is on the disk.

use super::{ReviewRow, StoreError};
use polyply_core::lock::lock;
use rusqlite::{Connection, Savepoint, params};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// So much may wait to be written. Each of at most so many live games waits for one write at a time.
const QUEUE: usize = 4096;
/// No transaction has more parts than this.
const BATCH: usize = 256;

/// A change of the database.
pub enum Write {
    /// A game as it is now. Its moves from `from_ply` on replace those in the database.
    Game { id: String, created: u64, status: String, kept: String, from_ply: usize, moves: Vec<String> },
    /// A game that can't be read is set aside.
    SetAside { id: String },
    /// A review.
    Review(ReviewRow),
    /// A review is deleted, and so are the oldest beyond `most`.
    ForgetReviews { id: Option<String>, most: usize },
    /// The oldest finished games beyond `most` are deleted.
    ForgetGames { most: usize },
    /// The server is alive. The next note replaces this one, so it need not wait for the disk.
    Alive { at: u64 },
}

impl Write {
    fn must_sync(&self) -> bool {
        !matches!(self, Write::Alive { .. })
    }

    fn apply(&self, to: &Savepoint<'_>) -> rusqlite::Result<()> {
        match self {
            Write::Game { id, created, status, kept, from_ply, moves } => {
                to.prepare_cached(
                    "INSERT INTO games (id, created, status, kept) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (id) DO UPDATE SET status = ?3, kept = ?4",
                )?
                .execute(params![id, *created as i64, status, kept])?;
                to.prepare_cached("DELETE FROM moves WHERE game = ?1 AND ply >= ?2")?
                    .execute(params![id, *from_ply as i64])?;
                let mut insert = to.prepare_cached("INSERT INTO moves (game, ply, played) VALUES (?1, ?2, ?3)")?;
                for (ply, played) in (*from_ply..).zip(moves) {
                    insert.execute(params![id, ply as i64, played])?;
                }
            }
            Write::SetAside { id } => {
                to.execute("UPDATE games SET status = 'damaged' WHERE id = ?1", [id])?;
            }
            Write::Review(ReviewRow { id, created, done, game, effort, review }) => {
                to.prepare_cached(
                    "INSERT INTO reviews (id, created, done, review, game, effort) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT (id) DO UPDATE SET done = ?3, review = ?4",
                )?
                .execute(params![id, *created as i64, done, review, game, effort])?;
            }
            Write::ForgetReviews { id, most } => {
                if let Some(id) = id {
                    to.execute("DELETE FROM reviews WHERE id = ?1", [id])?;
                }
                let old = "DELETE FROM reviews WHERE id NOT IN (SELECT id FROM reviews ORDER BY created DESC LIMIT ?1)";
                to.execute(old, [*most as i64])?;
            }
            Write::ForgetGames { most } => {
                let old = "DELETE FROM games WHERE status = 'over' AND id NOT IN
                           (SELECT id FROM games WHERE status = 'over' ORDER BY created DESC LIMIT ?1)";
                to.execute(old, [*most as i64])?;
            }
            Write::Alive { at } => {
                to.prepare_cached("INSERT INTO alive VALUES (1, ?1) ON CONFLICT (only) DO UPDATE SET at = ?1")?
                    .execute([*at as i64])?;
            }
        }
        Ok(())
    }
}

/// Something to write, and who waits for it.
struct Job {
    write: Write,
    done: oneshot::Sender<Result<(), StoreError>>,
}

/// The thread that writes. Dropping it waits until everything that was asked for is written.
pub struct Writer {
    jobs: Mutex<Option<SyncSender<Job>>>,
    thread: Option<JoinHandle<()>>,
    /// The last transaction failed.
    failing: Arc<AtomicBool>,
}

impl Writer {
    /// Starts the thread with its connection to the database in this file.
    pub fn start(connection: Connection, path: &Path) -> Writer {
        let (jobs, waiting) = sync_channel(QUEUE);
        let failing = Arc::new(AtomicBool::new(false));
        let thread = std::thread::spawn({
            let (failing, file) = (failing.clone(), File::new(path));
            move || write_all(connection, &file, &waiting, &failing)
        });
        Writer { jobs: Mutex::new(Some(jobs)), thread: Some(thread), failing }
    }

    /// Writes, and returns when it is on the disk.
    pub async fn write(&self, write: Write) -> Result<(), StoreError> {
        let (done, written) = oneshot::channel();
        self.submit(Job { write, done })?;
        written.await.unwrap_or(Err(StoreError::Closed))
    }

    fn submit(&self, job: Job) -> Result<(), StoreError> {
        let jobs = lock(&self.jobs);
        let sent = jobs.as_ref().ok_or(StoreError::Closed)?.try_send(job);
        sent.map_err(|error| match error {
            TrySendError::Full(_) => StoreError::Busy,
            TrySendError::Disconnected(_) => StoreError::Closed,
        })
    }

    /// Nothing is written any more that was not asked for yet.
    pub fn close(&self) {
        lock(&self.jobs).take();
    }

    /// The last transaction failed.
    pub fn is_failing(&self) -> bool {
        self.failing.load(Relaxed)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
        if let Some(thread) = self.thread.take() {
            // A panic was reported by the thread itself.
            let _ = thread.join();
        }
    }
}

/// The file of the database. SQLite goes on writing to a file that was deleted, and then everything is lost.
struct File {
    path: PathBuf,
    identity: Option<Identity>,
}

#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = ();

impl File {
    fn new(path: &Path) -> File {
        File { path: path.to_owned(), identity: identity(path) }
    }

    fn is_there(&self) -> bool {
        let now = identity(&self.path);
        now.is_some() && now == self.identity
    }
}

/// What tells a file from another one of the same name, where the system tells.
fn identity(path: &Path) -> Option<Identity> {
    let metadata = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    return Some((std::os::unix::fs::MetadataExt::dev(&metadata), std::os::unix::fs::MetadataExt::ino(&metadata)));
    #[cfg(not(unix))]
    return Some(drop(metadata));
}

/// The main loop of the thread.
fn write_all(mut connection: Connection, file: &File, waiting: &Receiver<Job>, failing: &AtomicBool) {
    while let Ok(first) = waiting.recv() {
        let mut jobs = vec![first];
        while jobs.len() < BATCH
            && let Ok(job) = waiting.try_recv()
        {
            jobs.push(job);
        }
        let committed = if file.is_there() { commit(&mut connection, &jobs) } else { Err(StoreError::Gone) };
        if let Err(error) = &committed {
            tracing::error!(%error, "the database can't be written");
        }
        failing.store(committed.is_err(), Relaxed);
        let answers = committed.unwrap_or_else(|error| vec![Err(error); jobs.len()]);
        for (job, answer) in jobs.into_iter().zip(answers) {
            // If nobody waits any more, it is written all the same.
            let _ = job.done.send(answer);
        }
    }
}

/// Writes jobs in one transaction. One that can't be written alone does not keep the others out.
fn commit(connection: &mut Connection, jobs: &[Job]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let sync = if jobs.iter().any(|job| job.write.must_sync()) { "FULL" } else { "NORMAL" };
    connection.pragma_update(None, "synchronous", sync)?;
    let mut transaction = connection.transaction()?;
    let mut answers = Vec::with_capacity(jobs.len());
    for job in jobs {
        let part = transaction.savepoint()?;
        answers.push(job.write.apply(&part).and_then(|()| part.commit()).map_err(StoreError::from));
    }
    transaction.commit()?;
    Ok(answers)
}
