//! Strength by game and rival: scores with their intervals.

use super::Picture;
use crate::figures::record::Record;
use crate::figures::value::{Match, Value};
use anyhow::{Result, ensure};

const WIDTH: f64 = 860.0;
/// Where scores of 0 and 100 % stand.
const AXIS: [f64; 2] = [290.0, 720.0];
const TOP: f64 = 62.0;
const ROW: f64 = 24.0;
const HEADING: f64 = 30.0;

/// Draws every match of the group `strength`.
pub fn draw(records: &[Record]) -> Result<String> {
    let matches: Vec<(&str, &str, Match)> = records.iter().filter_map(rival).collect();
    ensure!(!matches.is_empty(), "there is no match to draw");
    let games = matches.chunk_by(|left, right| left.0 == right.0);
    let bottom = TOP + games.clone().count() as f64 * HEADING + matches.len() as f64 * ROW + 8.0;
    let mut picture =
        Picture::new([WIDTH, bottom + 46.0], "Scores of Polyply against other programs, by game and rival");
    picture.text("title", "start", [24.0, 32.0], "Score against other programs, with 95 % intervals");
    for percent in [0, 25, 50, 75, 100] {
        let x = place(f64::from(percent) / 100.0);
        picture.line(if percent == 50 { "half" } else { "grid" }, [x, TOP - 10.0], [x, bottom]);
        picture.text("faint", "middle", [x, bottom + 18.0], format_args!("{percent} %"));
    }
    picture.text("faint", "middle", [place(0.75), bottom + 34.0], "Polyply wins more →");
    picture.text("faint", "middle", [place(0.25), bottom + 34.0], "← the rival wins more");
    let mut y = TOP;
    for rivals in games {
        y += HEADING;
        picture.text("group", "start", [24.0, y - 10.0], capital(rivals[0].0));
        for (_, rival, result) in rivals {
            draw_match(&mut picture, y, rival, result);
            y += ROW;
        }
    }
    Ok(picture.finish())
}

fn draw_match(picture: &mut Picture, y: f64, rival: &str, result: &Match) {
    let [low, high] = result.interval().map(place);
    picture.text("", "start", [40.0, y + 12.0], rival);
    picture.line("bar stroke0", [low, y + 8.0], [high, y + 8.0]);
    picture.mark(0, [place(result.score()), y + 8.0]);
    let score = format!("{:.1} %", result.score() * 100.0);
    picture.text("", "end", [790.0, y + 12.0], score);
    picture.text("faint", "start", [798.0, y + 12.0], format_args!("of {}", result.games()));
}

/// Game, rival and result of a record that is a match against another program.
fn rival(record: &Record) -> Option<(&str, &str, Match)> {
    match (&record.game, &record.rival, &record.answer.value) {
        (Some(game), Some(rival), Value::Match(result)) if record.group == "strength" => Some((game, rival, *result)),
        _ => None,
    }
}

fn place(score: f64) -> f64 {
    AXIS[0] + score * (AXIS[1] - AXIS[0])
}

/// With a capital letter at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::record::tests::records;

    #[test]
    fn every_match_has_a_row() {
        let picture = draw(&records()).unwrap();
        assert!(picture.contains(">Somebody &amp; others</text>") && picture.contains(">75.0 %</text>"), "{picture}");
        assert!(draw(&records()[..1]).is_err(), "there is no match among them");
    }
}
