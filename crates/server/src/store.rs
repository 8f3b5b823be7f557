//! The database: games and their moves, reviews, and when the server was last seen alive.
//!
//! SQLite in WAL mode: what was written survives a kill of the process. Every call is a short transaction of a few
//! pages that does not wait for the disk, so it needs no thread of its own.

use crate::games::{Game, GameRecord, PlayedMove};
use polyply_core::lock::lock;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

/// How many finished games are kept. The oldest are deleted first.
const MAX_GAMES: i64 = 100_000;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY, created INTEGER NOT NULL, status TEXT NOT NULL, kept TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS games_by_age ON games (created);
    CREATE TABLE IF NOT EXISTS moves (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, ply INTEGER NOT NULL, played TEXT NOT NULL,
        PRIMARY KEY (game, ply)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS reviews (
        id TEXT PRIMARY KEY, created INTEGER NOT NULL, done INTEGER NOT NULL, review TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS alive (only INTEGER PRIMARY KEY CHECK (only = 1), at INTEGER NOT NULL);
";

/// The database.
pub struct Store {
    connection: Mutex<Connection>,
}

/// A row that can't be read.
fn damaged(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
}

impl Store {
    /// Opens the database in a file, or creates it.
    pub fn open(path: &Path) -> rusqlite::Result<Store> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.execute_batch(SCHEMA)?;
        Ok(Store { connection: Mutex::new(connection) })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        lock(&self.connection)
    }

    /// Stores a game as it is now.
    pub fn keep(&self, game: &mut Game) -> rusqlite::Result<()> {
        let kept = serde_json::to_string(&game.record).map_err(damaged)?;
        let status = serde_json::to_string(&game.status()).map_err(damaged)?;
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        transaction
            .prepare_cached(
                "INSERT INTO games (id, created, status, kept) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (id) DO UPDATE SET status = ?3, kept = ?4",
            )?
            .execute(params![game.record.id, game.record.created as i64, status.trim_matches('"'), kept])?;
        transaction
            .prepare_cached("DELETE FROM moves WHERE game = ?1 AND ply >= ?2")?
            .execute(params![game.record.id, game.stored_moves as i64])?;
        let mut insert = transaction.prepare_cached("INSERT INTO moves (game, ply, played) VALUES (?1, ?2, ?3)")?;
        for (ply, played) in game.moves.iter().enumerate().skip(game.stored_moves) {
            insert.execute(params![game.record.id, ply as i64, serde_json::to_string(played).map_err(damaged)?])?;
        }
        drop(insert);
        transaction.commit()?;
        game.stored_moves = game.moves.len();
        Ok(())
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

    /// The ids of the newest games, or only of those being played.
    pub fn games(&self, playing: bool, limit: usize) -> rusqlite::Result<Vec<String>> {
        let connection = self.lock();
        let condition = if playing { "WHERE status = 'playing'" } else { "" };
        let mut names =
            connection.prepare_cached(&format!("SELECT id FROM games {condition} ORDER BY created DESC LIMIT ?1"))?;
        names.query_map([limit as i64], |row| row.get(0))?.collect()
    }

    /// Deletes the oldest finished games if there are too many.
    pub fn forget_old_games(&self) -> rusqlite::Result<usize> {
        self.lock().execute(
            "DELETE FROM games WHERE status = 'over' AND id NOT IN
             (SELECT id FROM games WHERE status = 'over' ORDER BY created DESC LIMIT ?1)",
            [MAX_GAMES],
        )
    }

    /// Notes that the server is alive.
    pub fn alive(&self, now: u64) -> rusqlite::Result<()> {
        let connection = self.lock();
        let mut note =
            connection.prepare_cached("INSERT INTO alive VALUES (1, ?1) ON CONFLICT (only) DO UPDATE SET at = ?1")?;
        note.execute([now as i64]).map(drop)
    }

    /// When the server was last alive.
    pub fn last_alive(&self) -> rusqlite::Result<Option<u64>> {
        let connection = self.lock();
        let mut last = connection.prepare("SELECT at FROM alive")?;
        last.query_row([], |row| row.get::<_, i64>(0)).optional().map(|at| at.map(|at| at as u64))
    }

    /// Stores a review as JSON.
    pub fn keep_review(&self, id: &str, created: u64, done: bool, review: &str) -> rusqlite::Result<()> {
        let connection = self.lock();
        let mut keep = connection.prepare_cached(
            "INSERT INTO reviews VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET done = ?3, review = ?4",
        )?;
        keep.execute(params![id, created as i64, done, review]).map(drop)
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
    pub fn forget_reviews(&self, id: Option<&str>, most: usize) -> rusqlite::Result<()> {
        let connection = self.lock();
        if let Some(id) = id {
            connection.execute("DELETE FROM reviews WHERE id = ?1", [id])?;
        }
        let old = "DELETE FROM reviews WHERE id NOT IN (SELECT id FROM reviews ORDER BY created DESC LIMIT ?1)";
        connection.execute(old, [most as i64]).map(drop)
    }
}
