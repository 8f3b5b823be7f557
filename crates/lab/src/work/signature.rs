//! The bench of a game: what shows that two builds are the same, and how fast a machine is.

use polyply_core::lock::lock;
use polyply_engine::{Bench, EngineError, Options, Variant, bench};
use std::collections::HashMap;
use std::sync::Mutex;

/// Benches that were run, by game.
#[derive(Default)]
pub struct Signatures(Mutex<HashMap<String, Bench>>);

impl Signatures {
    /// The bench of a game as `polyply bench` runs it, when it is first asked for.
    pub fn of(&self, game: &str) -> Result<Bench, EngineError> {
        let mut known = lock(&self.0);
        if let Some(run) = known.get(game) {
            return Ok(*run);
        }
        let run = bench(&Variant::find(game)?, &Options::default(), &[], &mut |_| ())?;
        known.insert(game.to_owned(), run);
        Ok(run)
    }
}
