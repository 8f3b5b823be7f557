//! The log of what engines write to stderr.

use polyply_core::lock::lock;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A log file for the stderr of engines, each line with the name of its engine; or no file.
#[derive(Clone, Default)]
pub struct Log {
    file: Option<Arc<Mutex<File>>>,
    name: String,
}

impl Log {
    /// A log that keeps nothing.
    pub fn none() -> Log {
        Log::default()
    }

    /// A log that appends to a file.
    pub fn append(path: &Path) -> io::Result<Log> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Log { file: Some(Arc::new(Mutex::new(file))), name: String::new() })
    }

    /// The same log for another engine.
    pub fn of(&self, name: &str) -> Log {
        Log { file: self.file.clone(), name: name.to_owned() }
    }

    /// Writes a line.
    pub fn line(&self, text: &str) {
        if let Some(file) = &self.file {
            let mut file = lock(file);
            // A full disk must not stop the games.
            let _ = file.write_all(format!("{}: {text}\n", self.name).as_bytes());
        }
    }
}
