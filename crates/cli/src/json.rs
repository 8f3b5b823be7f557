//! JSON output, one object per line; scores are from the first player's side.

use polyply_engine::{Best, Bound, Info, Line, MoveValue, Score, Solution};
use polyply_lab::record::json::JsonScore;
use polyply_lab::suite::Attempt;
use serde_json::{Map, Value, json};
use std::time::Duration;

pub fn score(score: Score) -> Value {
    json!(JsonScore::from(score))
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::AtLeast => "lower",
        Bound::AtMost => "upper",
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

pub fn info(info: &Info) -> Value {
    json!({
        "type": "info",
        "depth": info.depth,
        "seldepth": info.seldepth,
        "multipv": info.multipv,
        "certainty": info.certainty,
        "score": score(info.score),
        "bound": bound(info.bound),
        "nodes": info.nodes,
        "time_ms": milliseconds(info.time),
        "nps": info.nps,
        "fill": info.fill,
        "stage": info.stage,
        "line": info.line,
    })
}

fn line(line: &Line) -> Value {
    json!({ "score": score(line.score), "bound": bound(line.bound), "depth": line.depth, "certainty": line.certainty,
        "line": line.moves })
}

/// The result of a search, the name of the opening if it has one, and what the opening book knows of the position.
pub fn best(best: &Best, opening: Option<&str>, book: &Value) -> Value {
    let counters: Map<String, Value> =
        best.counters.iter().map(|&(name, count)| (name.to_owned(), count.into())).collect();
    let rates: Map<String, Value> =
        best.rates().into_iter().map(|(name, rate)| (name.to_owned(), rate.into())).collect();
    json!({
        "type": "best",
        "opening": opening,
        "book": book,
        "move": best.mv,
        "ponder": best.ponder,
        "score": best.score().map(score),
        "stage": best.stage,
        "seldepth": best.seldepth,
        "nodes": best.nodes,
        "time_ms": milliseconds(best.time),
        "nps": best.nps(),
        "lines": best.lines.iter().map(line).collect::<Vec<_>>(),
        "counters": counters,
        "rates": rates,
    })
}

/// The value of a position, and the value that the file expects.
pub fn solution(position: &str, solution: &Solution, expected: Option<Score>) -> Value {
    json!({
        "type": "solution",
        "position": position,
        "solved": solution.value.is_some(),
        "score": solution.value.map(score),
        "low": solution.low.map(score),
        "high": solution.high.map(score),
        "expected": expected.map(score),
        "move": solution.line.first(),
        "line": solution.line,
        "stage": solution.stage,
        "nodes": solution.nodes,
        "time_ms": milliseconds(solution.time),
        "nps": solution.nps(),
    })
}

pub fn move_value(position: &str, value: &MoveValue) -> Value {
    json!({
        "type": "move",
        "position": position,
        "move": value.mv,
        "solved": value.value.is_some(),
        "score": value.value.map(score),
        "line": value.line,
        "nodes": value.nodes,
        "time_ms": milliseconds(value.time),
    })
}

/// The result of a puzzle.
pub fn attempt(attempt: &Attempt) -> Value {
    let mut value = json!(attempt);
    value["type"] = "puzzle".into();
    value
}

/// The total of a suite.
pub fn suite(solved: usize, total: usize) -> Value {
    json!({ "type": "suite", "solved": solved, "total": total, "result": format!("{solved}/{total}") })
}
