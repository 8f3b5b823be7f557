//! Lines to stdout from places that can't return an error.

use std::fmt::Display;
use std::io::{self, Stdout, Write};

/// Prints lines until one can't be printed, and remembers why.
pub struct Printer {
    out: Stdout,
    failed: Option<io::Error>,
}

impl Printer {
    pub fn new() -> Printer {
        Printer { out: io::stdout(), failed: None }
    }

    /// Prints a line at once, for whoever reads along.
    pub fn line(&mut self, line: impl Display) {
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{line}").and_then(|()| self.out.flush()).err();
        }
    }

    /// A line could not be printed.
    pub fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Why not everything was printed, if that is so.
    pub fn finish(self) -> io::Result<()> {
        self.failed.map_or(Ok(()), Err)
    }
}
