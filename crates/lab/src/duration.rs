//! Durations as people write them.

use std::time::Duration;

/// Reads `500ms`, `5s`, `1.5s` or `2m`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let refuse = || "a time is a number with ms, s or m, as in 500ms, 5s or 2m".to_owned();
    let unit_at = text.find(|letter: char| letter.is_ascii_alphabetic()).ok_or_else(refuse)?;
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return Err(refuse()),
    };
    let number: f64 = number.parse().map_err(|_| refuse())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| refuse())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        let ms = |text| parse_duration(text).unwrap().as_millis();
        assert_eq!([ms("500ms"), ms("5s"), ms("1.5s"), ms("2m")], [500, 5_000, 1_500, 120_000]);
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "5", "s", "-5s", "5h", "5 s s", "nan", "infs", "1e300m", "٣s"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
