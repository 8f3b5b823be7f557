//! The database: games and their moves, reviews, and when the server was last seen alive.
//!
//! SQLite in WAL mode. What was written is on the disk before anybody is told (`synchronous = FULL`), and survives a kill
//! of the process as well as a failure of the machine. Reads are short; [`writer`] does all the writing.

mod schema;
mod writer;

use crate::games::{Game, GameRecord, PlayedMove};
use polyply_core::lock::lock;
use rusqlite::{Connection, OptionalExtension, params};
use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use writer::{Write, Writer};

/// How many finished games are kept. The oldest are deleted first.
const MAX_GAMES: usize = 100_000;

/// Why something was not stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreError {
    /// The database does not take it: the disk is full, say.
    Refused(String),
    /// The file of the database was deleted or replaced.
    Gone,
    /// Too much waits to be written.
    Busy,
    /// The server is ending.
    Closed,
    /// The file is of a newer version.
    Newer(i64),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Refused(reason) => f.write_str(reason),
            StoreError::Gone => f.write_str("its file was deleted or replaced"),
            StoreError::Busy => f.write_str("too much waits to be written"),
            StoreError::Closed => f.write_str("it is closed"),
            StoreError::Newer(version) => {
                write!(f, "games.db has version {version}, and this build knows versions up to {}", schema::VERSION)
            }
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Refused(error.to_string())
    }
}

/// A review in the database.
pub struct ReviewRow {
    pub id: String,
    pub created: u64,
    pub done: bool,
    /// The game as text, by which its review is found again.
    pub game: String,
    /// A larger number is a deeper review.
    pub effort: u8,
    /// The review as JSON.
    pub review: String,
}

/// The database.
pub struct Store {
    reader: Mutex<Connection>,
    writer: Writer,
}

/// A row that can't be read.
fn damaged(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
}

impl Store {
    /// Opens the database in a file, or creates it.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let mut connection = connect(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        schema::migrate(&mut connection)?.map_err(StoreError::Newer)?;
        let reader = Mutex::new(connect(path)?);
        Ok(Store { reader, writer: Writer::start(connection, path) })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        lock(&self.reader)
    }

    /// Stores a game as it is now, and returns when it is on the disk.
    pub async fn keep(&self, game: &mut Game) -> Result<(), StoreError> {
        let text =
            |value: Result<String, serde_json::Error>| value.map_err(|error| StoreError::Refused(error.to_string()));
        let status = text(serde_json::to_string(&game.status()))?;
        let moves = game.moves.iter().skip(game.stored_moves).map(|played| text(serde_json::to_string(played)));
        let write = Write::Game {
            id: game.record.id.clone(),
            created: game.record.created,
            status: status.trim_matches('"').to_owned(),
            kept: text(serde_json::to_string(&game.record))?,
            from_ply: game.stored_moves,
            moves: moves.collect::<Result<_, _>>()?,
        };
        self.writer.write(write).await?;
        game.stored_moves = game.moves.len();
        Ok(())
    }

    /// Sets a game aside that can't be read, so that nobody tries again.
    pub async fn set_aside(&self, id: &str) -> Result<(), StoreError> {
        self.writer.write(Write::SetAside { id: id.to_owned() }).await
    }

    /// Notes when the server ended, and writes nothing any more.
    pub async fn close(&self, at: u64) {
        let _ = self.alive(at).await;
        self.writer.close();
    }

    /// The last transaction failed.
    pub fn is_failing(&self) -> bool {
        self.writer.is_failing()
    }

    /// A game with its moves.
    pub fn game(&self, id: &str) -> rusqlite::Result<Option<(GameRecord, Vec<PlayedMove>)>> {
        let connection = self.lock();
        let kept: Option<String> = connection
            .prepare_cached("SELECT kept FROM games WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        let Some(kept) = kept else { return Ok(None) };
        let mut moves = connection.prepare_cached("SELECT played FROM moves WHERE game = ?1 ORDER BY ply")?;
        let moves = moves.query_map([id], |row| row.get::<_, String>(0))?;
        let moves = moves.map(|text| serde_json::from_str(&text?).map_err(damaged)).collect::<Result<_, _>>()?;
        Ok(Some((serde_json::from_str(&kept).map_err(damaged)?, moves)))
    }

    /// The ids of the newest games, with all invitations or only with those that are listed.
    pub fn newest_games(&self, limit: usize, unlisted: bool) -> rusqlite::Result<Vec<String>> {
        let connection = self.lock();
        let mut names = connection.prepare_cached(
            "SELECT id FROM games
             WHERE status != 'damaged' AND (?2 OR status != 'waiting' OR json_extract(kept, '$.listed'))
             ORDER BY created DESC LIMIT ?1",
        )?;
        names.query_map(params![limit as i64, unlisted], |row| row.get(0))?.collect()
    }

    /// The ids of unfinished games in which nothing has happened since then.
    pub fn unfinished_games(&self, before: u64) -> rusqlite::Result<Vec<String>> {
        let connection = self.lock();
        // Games of older versions do not say when somebody last did something. What can't be read is no JSON.
        let mut names = connection.prepare(
            "SELECT id FROM games WHERE status IN ('playing', 'waiting') AND created < ?1 AND json_valid(kept)
             AND max(created, coalesce(json_extract(kept, '$.acted'), json_extract(kept, '$.turn_began'))) < ?1",
        )?;
        names.query_map([before as i64], |row| row.get(0))?.collect()
    }

    /// The ids of all games that are being played, the newest first.
    pub fn games_in_play(&self) -> rusqlite::Result<Vec<String>> {
        let connection = self.lock();
        let mut names = connection.prepare("SELECT id FROM games WHERE status = 'playing' ORDER BY created DESC")?;
        names.query_map([], |row| row.get(0))?.collect()
    }

    /// Deletes the oldest finished games if there are too many.
    pub async fn forget_old_games(&self) -> Result<(), StoreError> {
        self.writer.write(Write::ForgetGames { most: MAX_GAMES }).await
    }

    /// Notes that the server is alive.
    pub async fn alive(&self, at: u64) -> Result<(), StoreError> {
        self.writer.write(Write::Alive { at }).await
    }

    /// When the server was last alive.
    pub fn last_alive(&self) -> rusqlite::Result<Option<u64>> {
        let connection = self.lock();
        let mut last = connection.prepare("SELECT at FROM alive")?;
        last.query_row([], |row| row.get::<_, i64>(0)).optional().map(|at| at.map(|at| at as u64))
    }

    /// Stores a review, and returns when it is on the disk.
    pub async fn keep_review(&self, row: ReviewRow) -> Result<(), StoreError> {
        self.writer.write(Write::Review(row)).await
    }

    /// The id of the deepest review of a game with one of these efforts; one that is done comes first.
    pub fn review_of(&self, game: &str, efforts: RangeInclusive<u8>) -> rusqlite::Result<Option<String>> {
        let connection = self.lock();
        let mut id = connection.prepare_cached(
            "SELECT id FROM reviews WHERE game = ?1 AND effort BETWEEN ?2 AND ?3 ORDER BY done DESC, effort DESC LIMIT 1",
        )?;
        id.query_row((game, efforts.start(), efforts.end()), |row| row.get(0)).optional()
    }

    /// A review as JSON.
    pub fn review(&self, id: &str) -> rusqlite::Result<Option<String>> {
        let connection = self.lock();
        let mut review = connection.prepare_cached("SELECT review FROM reviews WHERE id = ?1")?;
        review.query_row([id], |row| row.get(0)).optional()
    }

    /// The reviews that are not done.
    pub fn open_reviews(&self) -> rusqlite::Result<Vec<String>> {
        let connection = self.lock();
        let mut reviews = connection.prepare("SELECT review FROM reviews WHERE NOT done ORDER BY created")?;
        reviews.query_map([], |row| row.get(0))?.collect()
    }

    /// Deletes a review, and the oldest beyond `most`.
    pub async fn forget_reviews(&self, id: Option<&str>, most: usize) -> Result<(), StoreError> {
        self.writer.write(Write::ForgetReviews { id: id.map(str::to_owned), most }).await
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    Ok(connection)
}
