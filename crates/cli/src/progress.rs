//! Progress bars on stderr. None is drawn unless stderr is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often a bar is drawn again while nothing moves it.
const TICK: Duration = Duration::from_millis(200);

/// A bar over so many things, which are named in the plural.
pub fn bar(count: u64, things: &str) -> ProgressBar {
    let template = format!("{{bar:40}} {{pos}}/{{len}} {things} {{elapsed}} (eta {{eta}}) {{msg}}");
    styled(ProgressBar::new(count), &template)
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
