//! Progress on stderr: bars, which are drawn only if stderr is a terminal, and counts, which are also printed elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often a bar is drawn again while nothing moves it.
const TICK: Duration = Duration::from_millis(200);

/// A bar over so many things, which are named in the plural.
pub fn bar(count: u64, things: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {things} {{elapsed}} (eta {{eta}}) {{msg}}");
    styled(ProgressBar::new(count), &template)
}

/// How often a count is printed where there is no terminal.
const PRINTED: Duration = Duration::from_secs(10);

/// A bar on a terminal; elsewhere a plain line from time to time.
pub struct Counted {
    bar: ProgressBar,
    things: &'static str,
    wanted: u64,
    printed: Option<Instant>,
}

impl Counted {
    /// Counts to so many things, which are named in the plural.
    pub fn new(wanted: u64, things: &'static str) -> Counted {
        let printed = (!std::io::stderr().is_terminal()).then(Instant::now);
        Counted { bar: bar(wanted, things), things, wanted, printed }
    }

    /// There are so many now.
    pub fn set(&mut self, count: u64) {
        self.bar.set_position(count);
        if self.printed.is_some_and(|printed| printed.elapsed() >= PRINTED) {
            self.printed = Some(Instant::now());
            // Progress that can't be shown must not stop the work.
            let _ = writeln!(std::io::stderr(), "{count}/{} {}", self.wanted, self.things);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A sign of life where nobody knows how long it takes.
pub fn spinner() -> ProgressBar {
    styled(ProgressBar::new_spinner(), "{spinner} {elapsed} {msg}")
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let bar = bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(TICK);
    bar
}
