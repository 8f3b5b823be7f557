//! Comments with the score, depth, time and nodes of a move, in the form that chess match programs use:
//! `+0.35/12 0.420s, n=48213`.

use super::Move;
use polyply_engine::Score;
use std::time::Duration;

/// The comment of opening moves.
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

/// Reads a number without a sign, unlike `parse`.
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

/// All that is known about a move, followed by its comment; may be empty.
pub fn comment(mv: &Move) -> String {
    let known = known(mv);
    let between = if known.is_empty() || mv.comment.is_empty() { "" } else { "; " };
    format!("{known}{between}{}", mv.comment)
}

fn known(mv: &Move) -> String {
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

/// Reads a comment: first what is recognised as data about the move, the rest as a comment.
pub fn read_comment(text: &str, mv: &mut Move) {
    let text = read_eval(text, mv);
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if !read_word(word.trim_end_matches([',', ';']), mv) {
            break;
        }
        rest = after.trim_start();
    }
    add_remark(&mut mv.comment, rest);
}

/// Appends to a comment.
pub fn add_remark(text: &mut String, remark: &str) {
    if !text.is_empty() && !remark.is_empty() {
        text.push(' ');
    }
    *text += remark;
}

/// Reads one word, if it is one that match programs write.
fn read_word(word: &str, mv: &mut Move) -> bool {
    if let Some(time) = word.strip_suffix("ms").and_then(|number| number.parse::<f64>().ok()) {
        mv.time = mv.time.or(Duration::try_from_secs_f64(time / 1000.0).ok());
    } else if let Some(time) = word.strip_suffix('s').and_then(parse_seconds) {
        mv.time = mv.time.or(Some(time));
    } else if let Some(nodes) = word.strip_prefix("n=").and_then(|nodes| nodes.parse().ok()) {
        mv.nodes = mv.nodes.or(Some(nodes));
    } else {
        let (score, depth) = word.split_once('/').unwrap_or((word, ""));
        let (score, depth) = (parse_score(score), digits(depth).filter(|_| !depth.is_empty()));
        mv.score = mv.score.or(score);
        mv.depth = mv.depth.or(depth);
        return score.is_some() || depth.is_some();
    }
    true
}

/// Takes `[%eval 0.35]` or `[%eval #-3]` out of a comment, as Lichess writes it: from White's side, mates in moves.
fn read_eval(text: &str, mv: &mut Move) -> String {
    const BEGIN: &str = "[%eval ";
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(']')?)));
    let Some((before, (value, after))) = parts else { return text.to_owned() };
    let value = value.split(',').next().unwrap_or_default().trim();
    let score = match value.strip_prefix('#') {
        Some(moves) => {
            let moves = moves.parse::<i32>().ok().filter(|moves| (1..1000).contains(&moves.abs()));
            moves.map(|moves| Score::Win(moves.signum() * (2 * moves.abs() - 1)))
        }
        None => {
            let pawns = value.parse::<f64>().ok().filter(|pawns| pawns.abs() < 1e4);
            pawns.map(|pawns| Score::Centi((100.0 * pawns).round() as i32))
        }
    };
    mv.score = mv.score.or(score);
    format!("{} {}", before.trim(), after.trim())
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
            ..Move::default()
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
        assert_eq!(read("[%eval 0.35] [%clk 0:01:00]"), (Some(Score::Centi(35)), None, None), "lichess");
        assert_eq!(read("[%eval #-2]"), (Some(Score::Win(-3)), None, None));
    }

    #[test]
    fn remarks_are_kept_behind_what_is_known() {
        let mut mv = Move::default();
        read_comment("+0.35/12 0.420s; better than most", &mut mv);
        assert_eq!((mv.depth, mv.comment.as_str()), (Some(12), "better than most"));
        assert_eq!(comment(&mv), "+0.35/12 0.420s; better than most");
    }
}
