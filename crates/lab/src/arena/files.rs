//! The files of a match: the journal from which it can resume, and what is made of the journal at the end.

use super::contest::Resume;
use super::settings::MatchSettings;
use crate::LabError;
use crate::record::{Format, Record, json};
use crate::refusals;
use polyply_engine::{Refusal, Variant};
use std::collections::{BTreeSet, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The paths of all files of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// The games, in a format that other programs read.
    pub games: PathBuf,
    /// The format of that file.
    pub format: Format,
    /// Every game as soon as it has ended, one per line.
    pub journal: PathBuf,
    /// The settings; a run that resumes must have the same.
    pub settings: PathBuf,
    /// Errors of the engines.
    pub log: PathBuf,
    /// The report for people.
    pub html: PathBuf,
    /// The report for programs.
    pub json: PathBuf,
}

impl Files {
    /// The files beside the one for the games. Without a file extension, that one has the usual format of the variant.
    pub fn of(out: &Path, variant: &Variant) -> Result<Files, LabError> {
        let games = if out.extension().is_none() { out.with_extension(variant.about().record) } else { out.to_owned() };
        let format = Format::of(&games)?;
        let trial = Record { variant: variant.name().to_owned(), ..Record::default() };
        format.write(&trial).map_err(|reason| LabError::asked(&games, reason))?;
        let beside = |ending: &str| games.with_extension(ending);
        Ok(Files {
            format,
            journal: beside("jsonl"),
            settings: beside("settings.json"),
            log: beside("log"),
            html: beside("html"),
            json: beside("json"),
            games,
        })
    }

    /// Refuses to overwrite what is not part of this match.
    pub fn check(&self, resume: Resume) -> Result<(), LabError> {
        let refuse =
            |refusal: fn(String) -> Refusal, path: &Path| Err(LabError::Call(refusal(path.display().to_string())));
        if self.journal.exists() {
            if !self.settings.exists() {
                return refuse(refusals::not_a_match, &self.journal);
            }
            // The other files were made from the journal and can be made again.
            return if resume == Resume::Never { refuse(refusals::match_there, &self.journal) } else { Ok(()) };
        }
        match [&self.games, &self.html, &self.json].into_iter().find(|path| path.exists()) {
            Some(path) => refuse(refusals::file_there, path),
            None => Ok(()),
        }
    }

    /// Writes the settings, or says how they differ from those the match was begun with.
    pub fn keep_settings(&self, settings: &MatchSettings) -> Result<(), LabError> {
        let failed = |reason: String| LabError::file(&self.settings, reason);
        let wanted = settings.identity();
        if self.journal.exists() {
            let text = std::fs::read_to_string(&self.settings).map_err(|error| failed(error.to_string()))?;
            let begun: MatchSettings = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
            if begun != wanted {
                let journal = self.journal.display().to_string();
                return Err(LabError::Call(refusals::other_settings(journal, difference(&begun, &wanted))));
            }
        }
        let text = serde_json::to_string_pretty(&wanted).map_err(|error| failed(error.to_string()))?;
        write_whole(&self.settings, text.as_bytes())
    }

    /// Makes the file of games out of the journal.
    pub fn write_games(&self) -> Result<(), LabError> {
        if self.format == Format::Json {
            return Ok(());
        }
        let failed = |error: std::io::Error| LabError::file(&self.games, error);
        let temporary = self.games.with_extension("part");
        let mut output = BufWriter::new(File::create(&temporary).map_err(failed)?);
        Journal::read(&self.journal, &mut |record| {
            let text = self.format.write(&record).map_err(|reason| LabError::file(&self.games, reason))?;
            output.write_all(text.as_bytes()).map_err(failed)
        })?;
        output.into_inner().map_err(|error| failed(error.into_error()))?.sync_all().map_err(failed)?;
        std::fs::rename(&temporary, &self.games).map_err(failed)
    }
}

/// The names of what differs.
fn difference(begun: &MatchSettings, wanted: &MatchSettings) -> String {
    let (begun, wanted) = (begun.told(), wanted.told());
    let names: BTreeSet<&String> = begun.keys().chain(wanted.keys()).collect();
    let differ = |name: &&String| begun.get(*name) != wanted.get(*name);
    names.into_iter().filter(differ).map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Writes a file as a whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), LabError> {
    let temporary = path.with_extension("part");
    let written = std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|error| LabError::file(path, error))
}

/// A file that gets every game as soon as it has ended.
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// Claims a file for this process, until it is closed.
pub(crate) fn own(file: &File, path: &Path) -> Result<(), LabError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LabError::file(path, refusals::file_busy())),
        Err(TryLockError::Error(error)) => Err(LabError::file(path, error)),
    }
}

impl Journal {
    /// Opens a journal to add to it. Fails if another process does. An incomplete last line, left by a run that was killed, is dropped.
    pub fn open(path: &Path) -> Result<Journal, LabError> {
        let failed = |error: std::io::Error| LabError::file(path, error);
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        own(&file, path)?;
        let mut whole = 0;
        let mut reader = BufReader::new(&mut file);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).map_err(failed)? > 0 {
            if line.ends_with(b"\n") {
                whole += line.len() as u64;
            }
            line.clear();
        }
        file.set_len(whole).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Journal { path: path.to_owned(), file })
    }

    /// Adds a game.
    pub fn add(&mut self, record: &Record) -> Result<(), LabError> {
        self.add_line(json::line(record))
    }

    /// Adds a line.
    pub fn add_line(&mut self, line: String) -> Result<(), LabError> {
        self.file.write_all((line + "\n").as_bytes()).map_err(|error| LabError::file(&self.path, error))
    }

    /// Reads the games one after the other; there may be more than fit into memory. A game that stands there twice, after
    /// files were put together by hand, is read once.
    pub fn read(path: &Path, each: &mut dyn FnMut(Record) -> Result<(), LabError>) -> Result<(), LabError> {
        let mut known = HashSet::new();
        Journal::read_lines(path, &mut |number, line| {
            let refuse = |reason| LabError::file(path, refusals::in_line(number, reason));
            let record = json::parse(line).map_err(refuse)?;
            if known.insert(record.number) { each(record) } else { Ok(()) }
        })
    }

    /// Reads the lines one after the other, with their numbers from 1.
    pub fn read_lines(path: &Path, each: &mut dyn FnMut(u64, &str) -> Result<(), LabError>) -> Result<(), LabError> {
        let failed = |error: std::io::Error| LabError::file(path, error);
        let mut reader = BufReader::new(File::open(path).map_err(failed)?);
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            reader.read_line(&mut line).map_err(failed)?;
            // An incomplete last line was left by a run that was killed.
            let Some(whole) = line.strip_suffix('\n') else { break };
            each(number, whole)?;
        }
        Ok(())
    }
}
