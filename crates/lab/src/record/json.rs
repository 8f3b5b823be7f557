//! Games as JSON, one per line, complete.
//!
//! ```text
//! {"number":0,"variant":"freestyle:15","moves_given":["h8"],"players":["new","old"],
//!  "moves":[{"move":"i9","score":{"cp":35},"depth":12,"nodes":48213,"time_ms":420.0}],
//!  "result":"1-0","reason":"time forfeit","detail":"it took 1.2 s","left_ms":[null,0.0]}
//! ```
//!
//! A last line without a line feed was left by a run that was killed, and is ignored.

use super::{End, Move, Reason, Record};
use crate::refusals;
use polyply_engine::{PositionSpec, Refusal, Score};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A score as JSON: `{"cp":35}`, `{"win":7}` in plies, negative if the second player wins, `{"discs":4}`.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonScore {
    /// Hundredths.
    #[serde(rename = "cp")]
    Centi(i32),
    /// Plies to a win.
    #[serde(rename = "win")]
    Win(i32),
    /// Points.
    #[serde(rename = "discs")]
    Points(i32),
}

impl From<Score> for JsonScore {
    fn from(score: Score) -> JsonScore {
        match score {
            Score::Centi(centi) => JsonScore::Centi(centi),
            Score::Win(plies) => JsonScore::Win(plies),
            Score::Points(points) => JsonScore::Points(points),
        }
    }
}

impl From<JsonScore> for Score {
    fn from(score: JsonScore) -> Score {
        match score {
            JsonScore::Centi(centi) => Score::Centi(centi),
            JsonScore::Win(plies) => Score::Win(plies),
            JsonScore::Points(points) => Score::Points(points),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct JsonMove {
    #[serde(rename = "move")]
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<JsonScore>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_ms: Option<f64>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Vec<JsonMove>>,
}

impl JsonMove {
    fn of(mv: &Move) -> JsonMove {
        JsonMove {
            text: mv.text.clone(),
            score: mv.score.map(JsonScore::from),
            value: mv.value,
            depth: mv.depth,
            nodes: mv.nodes,
            time_ms: mv.time.map(milliseconds),
            comment: mv.comment.clone(),
            nags: mv.nags.clone(),
            variations: mv.variations.iter().map(|line| line.iter().map(JsonMove::of).collect()).collect(),
        }
    }

    fn read(self) -> Result<Move, Refusal> {
        let line = |line: Vec<JsonMove>| line.into_iter().map(JsonMove::read).collect::<Result<Vec<_>, _>>();
        Ok(Move {
            text: self.text,
            score: self.score.map(Score::from),
            value: self.value,
            depth: self.depth,
            nodes: self.nodes,
            time: self.time_ms.map(duration).transpose()?,
            comment: self.comment,
            nags: self.nags,
            variations: self.variations.into_iter().map(line).collect::<Result<_, _>>()?,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct JsonRecord {
    number: u64,
    variant: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves_given: Vec<String>,
    players: [String; 2],
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    moves: Vec<JsonMove>,
    result: String,
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<i32>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    detail: String,
    #[serde(default, skip_serializing_if = "nothing_left")]
    left_ms: [Option<f64>; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    settings: Vec<(String, String)>,
}

fn nothing_left(left: &[Option<f64>; 2]) -> bool {
    *left == [None; 2]
}

/// Milliseconds, to the microsecond.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

fn duration(milliseconds: f64) -> Result<Duration, Refusal> {
    let micros = (milliseconds * 1000.0).round();
    let fits = (0.0..1e18).contains(&micros);
    fits.then(|| Duration::from_micros(micros as u64)).ok_or_else(|| refusals::time_unknown(milliseconds.to_string()))
}

/// The line of a game, without its line feed.
pub fn line(record: &Record) -> String {
    let json = JsonRecord {
        number: record.number,
        variant: record.variant.clone(),
        position: record.opening.position.clone(),
        moves_given: record.opening.moves.clone(),
        players: record.players.clone(),
        comment: record.comment.clone(),
        moves: record.moves.iter().map(JsonMove::of).collect(),
        result: record.end.result().to_owned(),
        reason: record.end.reason.words().to_owned(),
        points: record.end.points,
        detail: record.end.detail.clone(),
        left_ms: record.left.map(|left| left.map(milliseconds)),
        date: record.date.clone(),
        settings: record.settings.clone(),
    };
    serde_json::to_string(&json).unwrap_or_default()
}

/// Reads a line.
pub fn parse(line: &str) -> Result<Record, Refusal> {
    let json: JsonRecord = serde_json::from_str(line).map_err(|error| refusals::not_a_game(error.to_string()))?;
    let result = || refusals::result_unknown(&json.result);
    let reason = || refusals::end_unknown(&json.reason);
    let end = End {
        reason: Reason::parse(&json.reason).ok_or_else(reason)?,
        points: json.points,
        detail: json.detail.clone(),
        ..End::of_result(&json.result).ok_or_else(result)?
    };
    let time = |time: Option<f64>| time.map(duration).transpose();
    Ok(Record {
        number: json.number,
        variant: json.variant,
        opening: PositionSpec { position: json.position, moves: json.moves_given },
        players: json.players,
        comment: json.comment,
        moves: json.moves.into_iter().map(JsonMove::read).collect::<Result<_, _>>()?,
        end,
        left: [time(json.left_ms[0])?, time(json.left_ms[1])?],
        date: json.date,
        settings: json.settings,
    })
}

/// The games of a file.
pub fn read(text: &str) -> Vec<Result<Record, Refusal>> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let numbered = whole.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    numbered.map(|(index, line)| parse(line).map_err(|reason| refusals::in_line(index + 1, reason))).collect()
}
