//! Books in SQLite: a file that grows by building and importing, one writer at a time, any number of readers.
//!
//! WAL mode and one transaction for each position or imported file: whatever kills the process, the file has everything
//! that was committed. Scores are from the first player's side, in evaluation units; results are those of the side that
//! played the move. A position has the value of its best move, and a move has the value of the position after it, as
//! soon as that is searched too.

use super::weigh::moves_of;
use super::{Book, BookMove, Entry, Results, Source, one_ply_before};
use crate::refusals;
use polyply_core::game::Side;
use polyply_core::lock::lock;
use polyply_core::refusal::Refusal;
use polyply_games::{Board, Variant};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};
use std::fs::File;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// Marks the file as a book, in the header that SQLite has for that: `Pbok`.
const APPLICATION: i32 = 0x5062_6f6b;
/// The version of the schema.
const VERSION: i32 = 2;
/// How long to wait for another process.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most positions whose values one new position corrects. Cycles, which some games have, end there.
const MOST_CORRECTIONS: usize = 10_000;

const SCHEMA: &str = "
    CREATE TABLE book (
        only INTEGER PRIMARY KEY CHECK (only = 1), variant TEXT NOT NULL, start_key INTEGER NOT NULL, made_by TEXT
    );
    CREATE TABLE positions (
        key INTEGER PRIMARY KEY, position TEXT NOT NULL, side INTEGER NOT NULL, name TEXT,
        value INTEGER, depth INTEGER NOT NULL DEFAULT 0, nodes INTEGER NOT NULL DEFAULT 0,
        finished INTEGER NOT NULL DEFAULT 0, start INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE moves (
        key INTEGER NOT NULL REFERENCES positions (key), move TEXT NOT NULL, source INTEGER NOT NULL,
        after INTEGER NOT NULL, searched INTEGER, value INTEGER, depth INTEGER NOT NULL DEFAULT 0,
        won INTEGER NOT NULL DEFAULT 0, drawn INTEGER NOT NULL DEFAULT 0, lost INTEGER NOT NULL DEFAULT 0,
        unfinished INTEGER NOT NULL DEFAULT 0, checked INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (key, move, source)
    ) WITHOUT ROWID;
    CREATE INDEX moves_by_position_after ON moves (after);
    CREATE TABLE imports (hash INTEGER PRIMARY KEY, file TEXT NOT NULL, games INTEGER NOT NULL);
";

/// What makes a file of version 1 one of version 2.
const FROM_VERSION_1: &str = "
    ALTER TABLE book ADD COLUMN made_by TEXT;
    ALTER TABLE moves ADD COLUMN checked INTEGER NOT NULL DEFAULT 0;
    PRAGMA user_version = 2;
";

/// A book that is only read.
pub struct BookFile {
    connection: Mutex<Connection>,
}

/// A book that is written to. Others may read it meanwhile, but not write.
pub struct BookWriter {
    pub(super) connection: Connection,
    /// Locked as long as this lives; closed after the connection, whose own locks would be lost otherwise.
    _owner: File,
}

/// What a search has found of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best moves.
    pub moves: Vec<FoundMove>,
    /// The depth of the search.
    pub depth: i32,
    /// The nodes that it was given.
    pub nodes: u64,
    /// More searching would not tell more: the position is decided.
    pub is_finished: bool,
    /// Games may begin with this position.
    pub is_start: bool,
}

/// A move that a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundMove {
    /// The move, as the board writes it.
    pub mv: String,
    /// Its value from the first player's side; see [`value_of`](super::value_of).
    pub value: i32,
    /// The depth.
    pub depth: i32,
    /// The value is proven.
    pub is_solved: bool,
}

/// A position as it is in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPosition {
    /// The canonical key.
    pub key: u64,
    /// The canonical position as text.
    pub position: String,
    /// The side to move.
    pub side: Side,
    /// The name of the opening.
    pub name: Option<String>,
    /// The depth of the search; 0 if it was not searched.
    pub depth: i32,
    /// The nodes that the search was given; 0 if it was not searched.
    pub nodes: u64,
    /// More searching would not tell more.
    pub is_finished: bool,
    /// Games may begin with it.
    pub is_start: bool,
    /// Its moves, and for each the key of the position after it and the value that its own search has found.
    pub moves: Vec<(Entry, u64, Option<i32>)>,
}

/// What is wrong with a file, in a sentence.
pub(super) fn refuse(error: rusqlite::Error) -> Refusal {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => refusals::book_foreign(),
        Some(ErrorCode::DatabaseCorrupt) => refusals::book_damaged(error.to_string()),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => refusals::book_busy(),
        _ => refusals::book_failed(error.to_string()),
    }
}

/// The variant's name without what is usual, by which a file knows it.
fn full_name(variant: &Variant) -> Result<String, Refusal> {
    Ok(Variant::named(variant.name())?.name().to_owned())
}

/// The version of a book. Refuses a file that is no book, or one of a newer version.
fn version(connection: &Connection) -> Result<i32, Refusal> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0)).map_err(refuse);
    if pragma("application_id")? != APPLICATION {
        return Err(refusals::book_foreign());
    }
    match pragma("user_version")? {
        version if version > VERSION => Err(refusals::book_newer(version, VERSION)),
        version => Ok(version),
    }
}

/// Refuses a book of another variant, or of another version of the game.
fn check_variant(connection: &Connection, variant: &Variant) -> Result<(), Refusal> {
    let row = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?));
    let (name, start) = connection.query_row("SELECT variant, start_key FROM book", [], row).map_err(refuse)?;
    let asked = full_name(variant)?;
    if name != asked {
        return Err(refusals::book_variant(name, asked));
    }
    if start != Board::new(variant).canonical_key() as i64 {
        return Err(refusals::book_keys());
    }
    Ok(())
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let count = |index| row.get::<_, i64>(index).map(|count| count.max(0) as u64);
    Ok(Entry {
        mv: row.get(0)?,
        source: Source::of_number(count(1)?).unwrap_or(Source::Imported),
        value: row.get(2)?,
        depth: row.get(3)?,
        results: Results { won: count(4)?, drawn: count(5)?, lost: count(6)?, unfinished: count(7)? },
    })
}

/// The columns that [`entry`] reads.
const ENTRY: &str = "move, source, value, depth, won, drawn, lost, unfinished";

fn entries(connection: &Connection, key: u64) -> rusqlite::Result<Vec<Entry>> {
    let mut rows = connection.prepare_cached(&format!("SELECT {ENTRY} FROM moves WHERE key = ?1"))?;
    rows.query_map([key as i64], entry)?.collect()
}

fn all(connection: &Connection) -> rusqlite::Result<Vec<StoredPosition>> {
    let columns = "key, position, side, name, depth, nodes, finished, start";
    let mut positions = connection.prepare(&format!("SELECT {columns} FROM positions ORDER BY key"))?;
    let position = |row: &Row<'_>| {
        Ok(StoredPosition {
            key: row.get::<_, i64>(0)? as u64,
            position: row.get(1)?,
            side: if row.get::<_, i64>(2)? == 0 { Side::First } else { Side::Second },
            name: row.get(3)?,
            depth: row.get(4)?,
            nodes: row.get::<_, i64>(5)? as u64,
            is_finished: row.get(6)?,
            is_start: row.get(7)?,
            moves: Vec::new(),
        })
    };
    let mut positions: Vec<StoredPosition> = positions.query_map([], position)?.collect::<Result<_, _>>()?;
    let mut moves = connection.prepare(&format!("SELECT {ENTRY}, after, searched FROM moves WHERE key = ?1"))?;
    for position in &mut positions {
        let known = |row: &Row<'_>| Ok((entry(row)?, row.get::<_, i64>(8)? as u64, row.get(9)?));
        position.moves = moves.query_map([position.key as i64], known)?.collect::<Result<_, _>>()?;
    }
    Ok(positions)
}

impl BookFile {
    /// Opens a book of a variant.
    pub fn open(path: &Path, variant: &Variant) -> Result<BookFile, Refusal> {
        // SQLite would report a file that is missing as one that it is unable to open.
        std::fs::metadata(path).map_err(refusals::book_failed)?;
        let connection = BookFile::connect(path, false).or_else(|_| BookFile::connect(path, true))?;
        check_variant(&connection, variant)?;
        Ok(BookFile { connection: Mutex::new(connection) })
    }

    /// A file in a folder that can't be written to can only be read if nobody changes it meanwhile.
    fn connect(path: &Path, is_immutable: bool) -> Result<Connection, Refusal> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match is_immutable {
            false => Connection::open_with_flags(path, flags),
            true => {
                let path = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
                let flags = flags | OpenFlags::SQLITE_OPEN_URI;
                Connection::open_with_flags(format!("file:{path}?immutable=1"), flags)
            }
        };
        let connection = connection.map_err(refuse)?;
        connection.busy_timeout(PATIENCE).map_err(refuse)?;
        version(&connection)?;
        Ok(connection)
    }

    /// All positions, by key.
    pub fn positions(&self) -> Result<Vec<StoredPosition>, Refusal> {
        all(&lock(&self.connection)).map_err(refuse)
    }

    /// The command that has built it; `None` if it was only filled from games.
    pub fn made_by(&self) -> Result<Option<String>, Refusal> {
        let connection = lock(&self.connection);
        match version(&connection)? {
            1 => Ok(None),
            _ => connection.query_row("SELECT made_by FROM book", [], |row| row.get(0)).map_err(refuse),
        }
    }

    /// The number of positions and of moves.
    pub fn counts(&self) -> Result<(u64, u64), Refusal> {
        let connection = lock(&self.connection);
        let count = |query| connection.query_row(query, [], |row| row.get::<_, i64>(0)).map(|count| count as u64);
        let moves = count("SELECT count(*) FROM (SELECT DISTINCT key, move FROM moves)").map_err(refuse)?;
        Ok((count("SELECT count(*) FROM positions").map_err(refuse)?, moves))
    }
}

impl Book for BookFile {
    fn moves(&self, board: &Board) -> Result<Vec<BookMove>, Refusal> {
        let entries = entries(&lock(&self.connection), board.canonical_key()).map_err(refuse)?;
        Ok(moves_of(board, entries))
    }
}

impl BookWriter {
    /// Opens a book of a variant for writing, or creates it. Fails if another process writes to it.
    pub fn open(path: &Path, variant: &Variant) -> Result<BookWriter, Refusal> {
        let owner = File::options().create(true).truncate(false).read(true).write(true).open(path);
        let owner = owner.map_err(refusals::book_failed)?;
        match owner.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Err(refusals::book_busy()),
            Err(std::fs::TryLockError::Error(error)) => return Err(refusals::book_failed(error)),
        }
        let mut connection = Connection::open(path).map_err(refuse)?;
        connection.busy_timeout(PATIENCE).map_err(refuse)?;
        let is_new = |connection: &Connection| {
            let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
            Ok((tables, application) == (0, 0))
        };
        if is_new(&connection).map_err(refuse)? {
            BookWriter::create(&mut connection, variant)?;
        }
        if version(&connection)? < VERSION {
            let update = connection.transaction().map_err(refuse)?;
            update.execute_batch(FROM_VERSION_1).and_then(|()| update.commit()).map_err(refuse)?;
        }
        check_variant(&connection, variant)?;
        let sound: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(refuse)?;
        if sound != "ok" {
            return Err(refusals::book_damaged(sound));
        }
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(refuse)?;
        Ok(BookWriter { connection, _owner: owner })
    }

    /// All in one transaction: a file is a book or still empty.
    fn create(connection: &mut Connection, variant: &Variant) -> Result<(), Refusal> {
        let (name, start) = (full_name(variant)?, Board::new(variant).canonical_key() as i64);
        let mut create = || {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            let transaction = connection.transaction()?;
            transaction.execute_batch(SCHEMA)?;
            transaction
                .execute("INSERT INTO book (only, variant, start_key) VALUES (1, ?1, ?2)", params![name, start])?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.commit()
        };
        create().map_err(refuse)
    }

    /// Notes the command that builds the book.
    pub fn set_made_by(&mut self, command: &str) -> Result<(), Refusal> {
        self.connection.execute("UPDATE book SET made_by = ?1", [command]).map(drop).map_err(refuse)
    }

    /// All positions, by key.
    pub fn positions(&self) -> Result<Vec<StoredPosition>, Refusal> {
        all(&self.connection).map_err(refuse)
    }

    /// Stores what a search has found of a position, and corrects the values of the positions before it.
    pub fn accept(&mut self, board: &Board, found: &Found) -> Result<(), Refusal> {
        let key = board.canonical_key();
        let mut moves = Vec::new();
        for mv in &found.moves {
            moves.push((board.canonical_move(&mv.mv)?, board.after(&mv.mv)?.canonical_key(), mv));
        }
        let transaction = self.connection.transaction().map_err(refuse)?;
        let store = || {
            add_position(&transaction, key, board)?;
            let update =
                "UPDATE positions SET depth = ?2, nodes = ?3, finished = ?4, start = max(start, ?5) WHERE key = ?1";
            let values = params![key as i64, found.depth, found.nodes as i64, found.is_finished, found.is_start];
            transaction.prepare_cached(update)?.execute(values)?;
            let old = "DELETE FROM moves WHERE key = ?1 AND searched IS NOT NULL";
            transaction.prepare_cached(old)?.execute([key as i64])?;
            let insert = "INSERT OR IGNORE INTO moves (key, move, source, after, searched, value, depth) VALUES
                (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let mut insert = transaction.prepare_cached(insert)?;
            for (text, after, mv) in &moves {
                let source = if mv.is_solved { Source::Solved } else { Source::Searched };
                let value = position_value(&transaction, *after)?.map_or(mv.value, one_ply_before);
                insert.execute(params![key as i64, text, source.number(), *after as i64, mv.value, value, mv.depth])?;
            }
            correct_values(&transaction, key)
        };
        store().map_err(refuse)?;
        transaction.commit().map_err(refuse)
    }

    /// Adds games, in one transaction, unless they were added before: a file is known by its hash. `add` is given the
    /// means to add moves and returns the number of games. Returns that number, or `None` if the file was known.
    pub fn import(
        &mut self,
        file: &str,
        hash: u64,
        add: impl FnOnce(&mut Game<'_>) -> Result<u64, Refusal>,
    ) -> Result<Option<u64>, Refusal> {
        let transaction = self.connection.transaction().map_err(refuse)?;
        let query = "SELECT games FROM imports WHERE hash = ?1";
        let known = transaction.query_row(query, [hash as i64], |row| row.get::<_, i64>(0)).optional();
        if known.map_err(refuse)?.is_some() {
            return Ok(None);
        }
        let games = add(&mut Game { connection: &transaction })?;
        let note = "INSERT INTO imports (hash, file, games) VALUES (?1, ?2, ?3)";
        transaction.execute(note, params![hash as i64, file, games as i64]).map_err(refuse)?;
        transaction.commit().map_err(refuse)?;
        Ok(Some(games))
    }
}

/// Adds moves of games to a book.
pub struct Game<'a> {
    connection: &'a Connection,
}

impl Game<'_> {
    /// Adds a move that was played in a position.
    pub fn add(&mut self, board: &Board, mv: &str, source: Source, results: &Results) -> Result<(), Refusal> {
        let (key, text) = (board.canonical_key(), board.canonical_move(mv)?);
        let after = board.after(mv)?.canonical_key();
        let store = || {
            add_position(self.connection, key, board)?;
            let add = "INSERT INTO moves (key, move, source, after, won, drawn, lost, unfinished) VALUES
                (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET won = won + ?5, drawn = drawn + ?6,
                lost = lost + ?7, unfinished = unfinished + ?8";
            let Results { won, drawn, lost, unfinished } = *results;
            let values = params![
                key as i64,
                text,
                source.number(),
                after as i64,
                won as i64,
                drawn as i64,
                lost as i64,
                unfinished as i64
            ];
            self.connection.prepare_cached(add)?.execute(values)
        };
        store().map(drop).map_err(refuse)
    }
}

fn add_position(connection: &Connection, key: u64, board: &Board) -> rusqlite::Result<()> {
    let add = "INSERT OR IGNORE INTO positions (key, position, side, name) VALUES (?1, ?2, ?3, ?4)";
    let side = board.side().index() as i64;
    let values = params![key as i64, board.canonical_text(), side, board.opening_name()];
    connection.prepare_cached(add)?.execute(values).map(drop)
}

/// The value of a position's best move; `None` if it was not searched.
fn position_value(connection: &Connection, key: u64) -> rusqlite::Result<Option<i32>> {
    let mut value = connection.prepare_cached("SELECT value FROM positions WHERE key = ?1")?;
    Ok(value.query_row([key as i64], |row| row.get(0)).optional()?.flatten())
}

/// Brings the value of a position up to date, and those of the moves and positions before it as far as they change.
fn correct_values(connection: &Connection, key: u64) -> rusqlite::Result<()> {
    let best = "SELECT CASE side WHEN 0 THEN (SELECT max(value) FROM moves WHERE key = ?1)
        ELSE (SELECT min(value) FROM moves WHERE key = ?1) END FROM positions WHERE key = ?1";
    let mut open = vec![key as i64];
    for step in 0..MOST_CORRECTIONS {
        let Some(key) = open.pop() else { break };
        let value: Option<i32> = connection.prepare_cached(best)?.query_row([key], |row| row.get(0))?;
        if step > 0 && value == position_value(connection, key as u64)? {
            continue;
        }
        connection.prepare_cached("UPDATE positions SET value = ?2 WHERE key = ?1")?.execute(params![key, value])?;
        let Some(value) = value else { continue };
        let correct = "UPDATE moves SET value = ?2 WHERE after = ?1 AND searched IS NOT NULL";
        connection.prepare_cached(correct)?.execute(params![key, one_ply_before(value)])?;
        let before = "SELECT DISTINCT key FROM moves WHERE after = ?1 AND searched IS NOT NULL";
        let mut before = connection.prepare_cached(before)?;
        for parent in before.query_map([key], |row| row.get::<_, i64>(0))? {
            open.push(parent?);
        }
    }
    Ok(())
}
