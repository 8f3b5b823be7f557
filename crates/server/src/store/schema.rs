//! The tables of the database, by version.
//!
//! `PRAGMA user_version` says which version a file has. A file of an older version is brought up to date, one step after
//! the other; a file of a newer version is refused, because this build does not know what it holds.

use rusqlite::Connection;

/// The steps from one version to the next. A step that was released is never changed.
const STEPS: &[&str] = &[
    "
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
",
    "
    ALTER TABLE reviews ADD COLUMN game TEXT NOT NULL DEFAULT '';
    ALTER TABLE reviews ADD COLUMN effort INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX reviews_by_game ON reviews (game, effort);
",
];

/// The version of this build.
pub const VERSION: i64 = STEPS.len() as i64;

/// Brings the tables up to date; the version of a file that is too new.
pub fn migrate(connection: &mut Connection) -> rusqlite::Result<Result<(), i64>> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if !(0..=VERSION).contains(&version) {
        return Ok(Err(version));
    }
    for (step, from) in STEPS.iter().zip(0..).skip(version as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", from + 1)?;
        transaction.commit()?;
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_version_becomes_one_of_this_version_and_keeps_its_rows() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(STEPS[0]).unwrap();
        connection.execute("INSERT INTO alive VALUES (1, 7)", []).unwrap();
        assert_eq!(migrate(&mut connection).unwrap(), Ok(()));
        let at: i64 = connection.query_row("SELECT at FROM alive", [], |row| row.get(0)).unwrap();
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
        assert_eq!((at, version), (7, VERSION));
    }

    #[test]
    fn a_file_of_a_newer_version_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert_eq!(migrate(&mut connection).unwrap(), Err(VERSION + 1));
    }
}
