//! Parses a line of a suite.
//!
//! It is JSON, `{"position": "h8 i9", "best": ["h9"], "avoid": [], "id": "1", "win": 7}`, or a line that the game reads
//! itself ([`Variant::problem`]): a position with operations, EPD in chess, OBF in Othello.

use crate::refusals;
use polyply_core::problem::moves as words;
use polyply_engine::{Problem, Refusal, Variant};
use serde_json::{Map, Value};

/// Reads a line.
pub fn parse(line: &str, variant: &Variant) -> Result<Problem, Refusal> {
    match line.starts_with('{') {
        true => from_json(line),
        false => Ok(variant.problem(line)?),
    }
}

fn from_json(line: &str) -> Result<Problem, Refusal> {
    let object: Map<String, Value> =
        serde_json::from_str(line).map_err(|error| refusals::not_json(error.to_string()))?;
    let mut problem = Problem::default();
    for (key, value) in object {
        match key.as_str() {
            "position" => problem.spec.position = Some(text(&key, &value)?),
            "moves" => problem.spec.moves = moves(&key, &value)?,
            "best" => problem.best = moves(&key, &value)?,
            "avoid" => problem.avoid = moves(&key, &value)?,
            "id" => problem.id = Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
            "win" => problem.win = Some(plies(&value)?),
            // Other keys are allowed and ignored.
            _ => {}
        }
    }
    Ok(problem)
}

fn text(key: &str, value: &Value) -> Result<String, Refusal> {
    value.as_str().map(str::to_owned).ok_or_else(|| refusals::value_text(key, value.to_string()))
}

/// Moves as a text or as a list.
fn moves(key: &str, value: &Value) -> Result<Vec<String>, Refusal> {
    match value {
        Value::String(text) => Ok(words(text)),
        Value::Array(list) => list.iter().map(|mv| text(key, mv)).collect(),
        _ => Err(refusals::value_moves(key, value.to_string())),
    }
}

fn plies(value: &Value) -> Result<i32, Refusal> {
    let number = value.as_i64().and_then(|number| i32::try_from(number).ok()).filter(|&number| number != 0);
    number.ok_or_else(|| refusals::value_win(value.to_string()))
}
