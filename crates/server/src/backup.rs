//! Copies of the data directory: made while a server runs, and put back where none does.

use crate::ServerError;
use crate::data_lock::DataLock;
use crate::refusals;
use polyply_engine::refusal::Argument;
use rusqlite::{Connection, OpenFlags};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The database, in the data directory and in a copy of it.
const DATABASE: &str = "games.db";
/// The journals of matches.
const MATCHES: &str = "matches";

/// Copies the games, reviews and matches of a data directory to a new directory. A server may be using it. The tables are
/// left out: they can be learned again.
pub fn backup(data: &Path, to: &Path) -> Result<(), ServerError> {
    let draft = draft_of(to)?;
    let made = copy(data, &draft).map_err(|reason| refused(data, reason)).and_then(|()| publish(&draft, to));
    if made.is_err() {
        let _ = fs::remove_dir_all(&draft);
    }
    made
}

/// Puts a copy back as a data directory, which must not have games yet.
pub fn restore(from: &Path, data: &Path) -> Result<(), ServerError> {
    fs::create_dir_all(data).map_err(|error| refused(data, error))?;
    let _owner = DataLock::take(data).map_err(|reason| refused(data, reason))?;
    if data.join(DATABASE).exists() {
        return Err(refused(data, refusals::folder_has_games()));
    }
    let draft = data.join("restoring");
    let _ = fs::remove_dir_all(&draft);
    fs::create_dir(&draft).map_err(|error| refused(data, error))?;
    copy(from, &draft).map_err(|reason| refused(from, reason))?;
    // The database comes last: where it is, everything is.
    let moved = [MATCHES, DATABASE].iter().try_for_each(|name| match draft.join(name) {
        part if part.exists() => fs::rename(part, data.join(name)),
        _ => Ok(()),
    });
    moved.and_then(|()| fs::remove_dir(&draft)).map_err(|error| refused(data, error))
}

fn refused(path: &Path, reason: impl Into<Argument>) -> ServerError {
    ServerError::Data { path: path.to_owned(), reason: reason.into() }
}

/// The directory that a copy is made in, until it is whole.
fn draft_of(to: &Path) -> Result<PathBuf, ServerError> {
    if to.exists() {
        return Err(refused(to, refusals::folder_exists()));
    }
    let mut name = to.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    let draft = to.with_file_name(name);
    let _ = fs::remove_dir_all(&draft);
    fs::create_dir_all(&draft).map_err(|error| refused(to, error))?;
    Ok(draft)
}

fn publish(draft: &Path, to: &Path) -> Result<(), ServerError> {
    fs::rename(draft, to).map_err(|error| refused(to, error))
}

/// Copies what belongs to the games. The database is copied as it is at one moment, however much is written meanwhile.
fn copy(from: &Path, to: &Path) -> Result<(), Argument> {
    let text = |error: rusqlite::Error| Argument::from(error.to_string());
    let database = Connection::open_with_flags(from.join(DATABASE), OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(text)?;
    let whole: String = database.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(text)?;
    if whole != "ok" {
        return Err(whole.into());
    }
    database.execute("VACUUM INTO ?1", [to.join(DATABASE).to_string_lossy()]).map_err(text)?;
    fs::File::open(to.join(DATABASE)).and_then(|file| file.sync_all())?;
    copy_files(&from.join(MATCHES), &to.join(MATCHES))?;
    Ok(())
}

fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_files(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
            fs::File::open(&target)?.sync_all()?;
        }
    }
    Ok(())
}
