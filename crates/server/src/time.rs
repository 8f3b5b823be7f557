//! Points in time as numbers: milliseconds since 1970, so that they can be stored and sent.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Now.
pub fn now() -> u64 {
    unix_milliseconds(SystemTime::now())
}

/// A point in time; 0 for one before 1970.
pub fn unix_milliseconds(time: SystemTime) -> u64 {
    milliseconds(time.duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// A duration in whole milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
