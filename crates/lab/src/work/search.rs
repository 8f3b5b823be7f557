//! Moves for people who play on a server that has no thread left: single searches, each within its deadline.

use super::{Halt, Performer, Site, WrittenPosition};
use crate::LabError;
use crate::record::json::JsonScore;
use crate::refusals;
use polyply_engine::{Board, Clock, Engine, Level, Limits, Options, Player, PositionSpec, Variant};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Engines that a thread keeps open.
const OPEN: usize = 2;

/// What all searches share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchTask {
    /// Megabytes for the table of each engine.
    pub hash: usize,
}

/// A position to find a move in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchPiece {
    /// The game, with its size and rules.
    pub variant: String,
    /// The position.
    pub position: WrittenPosition,
    /// The level to play at.
    pub level: u8,
    /// Nodes, at most.
    pub nodes: Option<u64>,
    /// Time for the move, in milliseconds.
    pub time_ms: Option<u64>,
    /// The clock of the side to move and its increment, in milliseconds.
    pub clock_ms: Option<[u64; 2]>,
    /// When nobody needs the move any more, in milliseconds since 1970.
    pub deadline_ms: u64,
}

/// The move that was found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchedMove {
    /// The move; none if it was too late to begin.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Its score.
    pub score: Option<JsonScore>,
    /// The depth of the search.
    pub depth: Option<i32>,
    /// What found it.
    pub stage: String,
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Searches for others.
struct Searches {
    hash: usize,
    halt: Arc<Halt>,
    /// The most recently used one last.
    engines: Vec<(String, Engine)>,
}

impl SearchTask {
    pub(super) fn open(&self, site: &Site<'_>, halt: &Arc<Halt>) -> Result<Box<dyn Performer>, LabError> {
        site.check_options(&[("Hash".to_owned(), self.hash.to_string())])?;
        Ok(Box::new(Searches { hash: self.hash, halt: halt.clone(), engines: Vec::new() }))
    }
}

impl Searches {
    /// The engine of a variant, which is opened if necessary.
    fn engine(&mut self, variant: &Variant) -> Result<&mut Engine, LabError> {
        let known = self.engines.iter().position(|(name, _)| name == variant.name());
        let entry = match known {
            Some(at) => self.engines.remove(at),
            None => {
                let options = Options { hash: self.hash, own_book: true, ..Options::default() };
                let engine = Engine::new(variant, &options)?;
                self.halt.watch(&engine.control());
                (variant.name().to_owned(), engine)
            }
        };
        if self.engines.len() >= OPEN {
            self.engines.remove(0);
        }
        self.engines.push(entry);
        let last = self.engines.len() - 1;
        Ok(&mut self.engines[last].1)
    }
}

impl Performer for Searches {
    fn perform(&mut self, piece: &str) -> Result<Option<String>, LabError> {
        let not_a_task = |error: serde_json::Error| LabError::Call(refusals::fleet_task(error.to_string()));
        let piece: SearchPiece = serde_json::from_str(piece).map_err(not_a_task)?;
        let halt = self.halt.clone();
        let left = piece.deadline_ms.saturating_sub(now_ms());
        let mut searched = SearchedMove { mv: None, score: None, depth: None, stage: String::new() };
        if left > 0 {
            let variant = Variant::find(&piece.variant)?;
            let board = Board::at(&variant, &PositionSpec::from(piece.position))?;
            let unknown = || LabError::Call(refusals::fleet_task(format!("level {}", piece.level)));
            let level = Level::find(piece.level).ok_or_else(unknown)?;
            let clock = piece.clock_ms.map(|[remaining, increment]| Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go: None,
            });
            // A search never takes longer than somebody waits for it.
            let time = piece.time_ms.unwrap_or(left).min(left);
            let time = clock.is_none().then(|| Duration::from_millis(time));
            let limits = Limits { nodes: piece.nodes, time, clock, ..Limits::default() };
            let best = self.engine(&variant)?.play_as(&board, &Player::of_level(level), limits, &mut |_| ())?;
            searched = SearchedMove {
                score: best.score().map(JsonScore::from),
                depth: best.lines.first().map(|line| line.depth),
                stage: best.stage.to_owned(),
                mv: Some(best.mv),
            };
        }
        let written = serde_json::to_string(&searched).map_err(not_a_task)?;
        Ok((!halt.is_halted()).then_some(written))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn perform(piece: &SearchPiece) -> SearchedMove {
        let site = Site { file: &|_| Err("none".into()), time_scale: 1.0, hash: 4, threads: 1 };
        let mut searches = SearchTask { hash: 1 }.open(&site, &Arc::default()).unwrap();
        let found = searches.perform(&serde_json::to_string(piece).unwrap()).unwrap();
        serde_json::from_str(&found.unwrap()).unwrap()
    }

    #[test]
    fn a_move_is_found_unless_nobody_waits_for_it_any_more() {
        let mut piece = SearchPiece {
            variant: "connect4".into(),
            position: WrittenPosition { position: None, moves: vec!["d".into(), "a".into()] },
            level: 10,
            nodes: Some(1000),
            time_ms: None,
            clock_ms: None,
            deadline_ms: now_ms() + 60_000,
        };
        assert!(perform(&piece).mv.is_some());
        piece.deadline_ms = now_ms() - 1;
        assert_eq!(perform(&piece).mv, None);
    }

    #[test]
    fn a_table_that_is_too_large_is_refused() {
        let site = Site { file: &|_| Err("none".into()), time_scale: 1.0, hash: 4, threads: 1 };
        assert!(SearchTask { hash: 5 }.open(&site, &Arc::default()).is_err());
    }
}
