//! Where engines' complaints are kept.

use polyply_core::lock::lock;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A file that gets what engines write to stderr, each line with the name of its engine; or nothing.
#[derive(Clone, Default)]
pub struct Log {
    file: Option<Arc<Mutex<File>>>,
    name: String,
}

impl Log {
    /// Nothing is kept.
    pub fn none() -> Log {
        Log::default()
    }

    /// Adds to a file.
    pub fn append(path: &Path) -> io::Result<Log> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Log { file: Some(Arc::new(Mutex::new(file))), name: String::new() })
    }

    /// The same file for another engine.
    pub fn of(&self, name: &str) -> Log {
        Log { file: self.file.clone(), name: name.to_owned() }
    }

    /// Keeps a line.
    pub fn line(&self, text: &str) {
        if let Some(file) = &self.file {
            let mut file = lock(file);
            // A full disk costs the log, not the games.
            let _ = file.write_all(format!("{}: {text}\n", self.name).as_bytes());
        }
    }
}
