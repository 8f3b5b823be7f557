//! What a player thought of a move, in the form that match programs of chess have made customary:
//! `+0.35/12 0.420s, n=48213`.

use super::Move;
use polyply_engine::Score;
use std::time::Duration;

/// Behind the moves of the opening.
pub const BOOK: &str = "book";

/// `+0.35`, `+M7` for a win of the first player in seven plies, `-4` for points.
pub fn score(score: Score) -> String {
    match score {
        Score::Centi(centi) => format!("{:+.2}", f64::from(centi) / 100.0),
        Score::Win(plies) => format!("{}M{}", if plies < 0 { '-' } else { '+' }, plies.abs()),
        Score::Points(points) => format!("{points:+}"),
    }
}

fn parse_score(text: &str) -> Option<Score> {
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let number = &text[1..];
    if let Some(plies) = number.strip_prefix('M') {
        return Some(Score::Win(sign * digits(plies)?));
    }
    match number.split_once('.') {
        None => Some(Score::Points(sign * digits(number)?)),
        Some(_) => {
            let value: f64 = number.parse().ok().filter(|value: &f64| value.abs() < 1e6)?;
            Some(Score::Centi(sign * (value * 100.0).round() as i32))
        }
    }
}

/// Without a sign, unlike what the library reads.
fn digits(text: &str) -> Option<i32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Seconds with three decimals.
pub fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// Reads seconds.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// All that is known of a move; empty where that is nothing.
pub fn comment(mv: &Move) -> String {
    let mut text = mv.score.map_or(String::new(), score);
    if let Some(depth) = mv.depth {
        text += &format!("/{depth}");
    }
    if let Some(time) = mv.time {
        text += &format!(" {}s", seconds(time));
    }
    if let Some(nodes) = mv.nodes {
        text += &format!(", n={nodes}");
    }
    text.trim_start_matches([' ', ',']).to_owned()
}

/// Reads a comment. What is not understood is somebody's remark, and passed over.
pub fn read_comment(text: &str, mv: &mut Move) {
    for word in text.split([' ', ',', '\n', '\t', '\r']).filter(|word| !word.is_empty()) {
        if let Some(time) = word.strip_suffix("ms").and_then(|number| number.parse::<f64>().ok()) {
            mv.time = mv.time.or(Duration::try_from_secs_f64(time / 1000.0).ok());
        } else if let Some(time) = word.strip_suffix('s').and_then(parse_seconds) {
            mv.time = mv.time.or(Some(time));
        } else if let Some(nodes) = word.strip_prefix("n=") {
            mv.nodes = mv.nodes.or(nodes.parse().ok());
        } else {
            let (score, depth) = word.split_once('/').unwrap_or((word, ""));
            mv.score = mv.score.or(parse_score(score));
            mv.depth = mv.depth.or(digits(depth));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_thought_is_written_as_match_programs_do() {
        let mv = Move {
            text: "e4".into(),
            score: Some(Score::Centi(35)),
            depth: Some(12),
            nodes: Some(48213),
            time: Some(Duration::from_millis(420)),
        };
        assert_eq!(comment(&mv), "+0.35/12 0.420s, n=48213");
        assert_eq!(comment(&Move { time: mv.time, ..Move::default() }), "0.420s");
        assert_eq!(comment(&Move { nodes: Some(5), ..Move::default() }), "n=5");
        assert_eq!(comment(&Move::default()), "");
    }

    #[test]
    fn comments_of_others_are_read_as_far_as_they_go() {
        let read = |text| {
            let mut mv = Move::default();
            read_comment(text, &mut mv);
            (mv.score, mv.depth, mv.time.map(|time| time.as_millis()))
        };
        assert_eq!(read("-1.20/8 0.5s"), (Some(Score::Centi(-120)), Some(8), Some(500)));
        assert_eq!(read("+M7/20 12s"), (Some(Score::Win(7)), Some(20), Some(12_000)));
        assert_eq!(read("-M12/3"), (Some(Score::Win(-12)), Some(3), None));
        assert_eq!(read("483ms"), (None, None, Some(483)), "c-gomoku-cli");
        assert_eq!(read("a fine move + why/not -- /s s n= -- +é"), (None, None, None));
    }
}
