//! Durations as people write them.

use std::time::Duration;

/// A longer text is no duration that anybody means. The limit also keeps sums away from the largest `Duration`, where
/// humantime panics.
const LONGEST: usize = 24;
/// Clocks can be set this far ahead.
const MOST: Duration = Duration::from_secs(366 * 24 * 3600);

/// Reads `500ms`, `5s`, `1.5s`, `2m`, `1h 30m` and whatever else [`humantime`] reads.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let refuse = || "a time is a number with its unit, as in 500ms, 1.5s, 2m or 1h 30m".to_owned();
    if text.len() > LONGEST {
        return Err(refuse());
    }
    let parsed = match text.starts_with('.') {
        true => humantime::parse_duration(&format!("0{text}")),
        false => humantime::parse_duration(text),
    };
    parsed.ok().filter(|time| *time <= MOST).ok_or_else(refuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        let ms = |text| parse_duration(text).unwrap().as_millis();
        assert_eq!([ms("500ms"), ms("5s"), ms("1.5s"), ms("2m")], [500, 5_000, 1_500, 120_000]);
        assert_eq!([ms(".5s"), ms("0s"), ms("1h 30m"), ms("2 min")], [500, 0, 5_400_000, 120_000]);
    }

    #[test]
    fn anything_else_is_refused() {
        let huge = "18446744073709551615s 1000ms";
        for text in
            ["", "5", "s", "-5s", "5q", "5 s s", "nan", "infs", "1e300m", "٣s", ".", "..5s", "9999999999y", huge]
        {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
