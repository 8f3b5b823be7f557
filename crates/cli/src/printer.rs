//! Prints lines to stdout from places that can't return an error.

use std::fmt::Display;
use std::io::{self, Stdout, Write};

/// Prints lines until one fails, and remembers the error.
pub struct Printer {
    out: Stdout,
    failed: Option<io::Error>,
}

impl Printer {
    pub fn new() -> Printer {
        Printer { out: io::stdout(), failed: None }
    }

    /// Prints a line and flushes it.
    pub fn line(&mut self, line: impl Display) {
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{line}").and_then(|()| self.out.flush()).err();
        }
    }

    /// A line could not be printed.
    pub fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// The error, if not everything was printed.
    pub fn finish(self) -> io::Result<()> {
        self.failed.map_or(Ok(()), Err)
    }
}
