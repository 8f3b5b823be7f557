//! The bench: a fixed amount of work. With one thread its node count is the same on every machine, so it shows whether
//! a change of the code changed the search, and its speed shows whether it made the search faster.

use crate::engine::Engine;
use polyply_core::clock::Limits;
use polyply_games::{Board, EngineError, Options, PositionSpec, Request, Variant, per_second};
use std::time::Duration;

/// One position of a bench.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BenchLine {
    /// The position.
    pub position: &'static str,
    /// The move found.
    pub mv: String,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// The result of a bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Bench {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time of all positions.
    pub time: Duration,
}

impl Bench {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// Searches the bench positions of a variant, each with empty tables, and calls `each` after every position. `set` are
/// further options, by name and value.
pub fn bench(
    variant: &Variant,
    options: &Options,
    set: &[(String, String)],
    each: &mut dyn FnMut(&BenchLine),
) -> Result<Bench, EngineError> {
    let mut engine = Engine::new(variant, options)?;
    for (name, value) in set {
        engine.set_option(name, value)?;
    }
    let work = variant.about().bench;
    let mut sum = Bench::default();
    for position in work.positions {
        engine.flush();
        engine.new_game();
        let board = Board::at(variant, &PositionSpec::new(Some(position), &[]))?;
        let request = Request { limits: Limits::depth(work.depth), ..Request::new(&board) };
        let best = engine.search(&request, &mut |_| ())?;
        sum.nodes += best.nodes;
        sum.time += best.time;
        each(&BenchLine { position, mv: best.mv, nodes: best.nodes, time: best.time });
    }
    Ok(sum)
}
