//! The journal of a tuning: JSON, one object per line.
//!
//! The first line has the settings. A batch has a line with its duels, a line for every game as it ends, and a line with
//! where the tuner stands after it. Whoever reads it can follow a running tuning.

use super::objective::PlayedGame;
use super::run::StepRecord;
use crate::LabError;
use crate::arena::Journal;
use crate::record::Reason;
use crate::refusals;
use crate::stats::Points;
use polyply_stats::tuners::Batch;
use polyply_stats::tuners::Space;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;

/// A game, as its line says it.
#[derive(Serialize, Deserialize)]
struct GameLine {
    batch: u64,
    duel: usize,
    game: u64,
    /// The points of the first of the duel: 1, 0.5 or 0.
    points: f64,
    reason: String,
}

/// What a journal says.
#[derive(Default)]
pub struct Past {
    /// The settings it was begun with; `None` for an empty journal.
    pub settings: Option<Value>,
    /// The duels of each batch, with the number of the line.
    pub batches: HashMap<u64, (u64, Value)>,
    /// The games of each batch.
    pub games: HashMap<u64, Vec<PlayedGame>>,
    /// Batches that are told to be complete.
    pub steps: u64,
}

impl Past {
    /// Reads a journal.
    pub fn read(path: &Path) -> Result<Past, LabError> {
        let mut past = Past::default();
        Journal::read_lines(path, &mut |number, line| {
            let refuse = || LabError::file(path, refusals::in_line(number, refusals::tune_line()));
            let object: Value = serde_json::from_str(line).map_err(|_| refuse())?;
            let batch = || object["batch"].as_u64().ok_or_else(refuse);
            match object["type"].as_str() {
                Some("tuning") => past.settings = Some(object["settings"].clone()),
                Some("batch") => {
                    past.batches.insert(batch()?, (number, object["duels"].clone()));
                }
                Some("game") => {
                    let line: GameLine = serde_json::from_value(object).map_err(|_| refuse())?;
                    let game = read_game(&line).ok_or_else(refuse)?;
                    past.games.entry(line.batch).or_default().push(game);
                }
                Some("standing") => past.steps += 1,
                _ => return Err(refuse()),
            }
            Ok(())
        })?;
        Ok(past)
    }
}

fn read_game(line: &GameLine) -> Option<PlayedGame> {
    let points = [Points::Loss, Points::Draw, Points::Win].into_iter().find(|points| number(*points) == line.points)?;
    let reason = Reason::ALL.into_iter().find(|reason| reason.words() == line.reason)?;
    Some(PlayedGame { duel: line.duel, game: line.game, points, reason })
}

fn number(points: Points) -> f64 {
    points as u8 as f64 / 2.0
}

/// The line with the settings.
pub fn head(method: &str, settings: &Value) -> String {
    json!({"type": "tuning", "method": method, "settings": settings}).to_string()
}

/// The duels of a batch: the values of both points.
pub fn duels(batch: &Batch, space: &Space) -> Value {
    let duel = |duel: &polyply_stats::tuners::Duel| json!({"one": space.values(&duel.one), "other": space.values(&duel.other), "opening": duel.opening});
    batch.duels.iter().map(duel).collect()
}

/// The line of a batch.
pub fn batch(number: u64, batch: &Batch, duels: &Value) -> String {
    json!({"type": "batch", "batch": number, "pairs": batch.pairs, "duels": duels}).to_string()
}

/// The line of a game.
pub fn game(batch: u64, played: &PlayedGame) -> String {
    let PlayedGame { duel, game, points, reason } = *played;
    json!({
        "type": "game", "batch": batch, "duel": duel, "game": game, "points": number(points), "reason": reason.words(),
    })
    .to_string()
}

/// The line with where the tuner stands after a batch.
pub fn standing(number: u64, step: &StepRecord, space: &Space) -> String {
    let named = |numbers: &[f64]| -> Map<String, Value> {
        space.axes.iter().zip(numbers).map(|(axis, number)| (axis.name.clone(), json!(number))).collect()
    };
    json!({
        "type": "standing", "batch": number, "games": step.games,
        "best": named(&step.best), "deviation": named(&step.deviation),
    })
    .to_string()
}
