//! Points in time as numbers: milliseconds since 1970, so that they can be stored and sent.

use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Now. It never goes back and never jumps while the server runs, whatever happens to the clock of the system: no game is
/// lost on time because somebody set it.
pub fn now() -> u64 {
    static BEGAN: LazyLock<(u64, Instant)> = LazyLock::new(|| (unix_milliseconds(SystemTime::now()), Instant::now()));
    BEGAN.0 + milliseconds(BEGAN.1.elapsed())
}

/// A point in time; 0 for one before 1970.
pub fn unix_milliseconds(time: SystemTime) -> u64 {
    milliseconds(time.duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// A duration in whole milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
