//! Where types end: a game behind three object-safe traits, implemented once for all games.
//!
//! Nothing else in this crate is generic, and nothing below this folder is `dyn`: a search runs on the game's own types
//! from its root on.

mod player;
mod rules;
mod wanderer;

pub(crate) use rules::Rules;

use crate::error::EngineError;
use crate::idle::Idea;
use crate::look::{Layout, Sight, Wishes};
use crate::report::{Best, Info, Known, Progress, Solution};
use crate::request::{Place, Request};
use crate::score::{Outcome, Score};
use polyply_core::clock::Limits;
use polyply_core::control::Control;
use polyply_core::explore::{Reason, Step};
use polyply_core::game::Side;
use polyply_core::params::{ParamError, Spec};
use polyply_core::table::{EvalCache, SearchTt};
use std::sync::Arc;

/// All there is to see of a position.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// The moves that led to it, as the game writes them.
    pub played: Vec<String>,
    pub text: String,
    pub drawing: String,
    pub side: Side,
    pub moves: Vec<String>,
    pub outcome: Option<Outcome>,
}

/// A game: its rules, and makers of what plays it.
pub(crate) trait Door: Send + Sync {
    fn look(&self, place: &Place) -> Result<View, EngineError>;
    fn sight(&self, place: &Place) -> Result<Sight, EngineError>;
    fn layout(&self) -> Layout;
    /// The text of a position with these codes on its cells, whether it can be one or not.
    fn arranged(&self, codes: &[Option<&str>], side: Side, wishes: &Wishes) -> String;
    /// The text of the position with the other side to move, where that can be.
    fn other_to_move(&self, place: &Place) -> Result<Option<String>, EngineError>;
    /// Results are a number of points.
    fn counts_points(&self) -> bool;
    /// The score that wins 73 % of the games.
    fn chance_unit(&self) -> f64;
    /// The first player's chance of winning, 0 to 1.
    fn chance(&self, score: Score) -> f64;
    /// Lines of exactly `depth` plies by first move.
    fn divide(&self, place: &Place, depth: u32) -> Result<Vec<(String, u64)>, EngineError>;
    /// The most promising of some random moves; `below` draws a number below the one it is given.
    fn draw(
        &self,
        place: &Place,
        choosiness: usize,
        below: &mut dyn FnMut(usize) -> usize,
    ) -> Result<String, EngineError>;
    /// People write moves down in another way than the game does.
    fn has_short_moves(&self) -> bool;
    /// The moves of a place as people write them down.
    fn short_moves(&self, place: &Place) -> Result<Vec<String>, EngineError>;
    /// A key of each position on the way to a place, the same for positions that are the same by a symmetry of the rules.
    fn folded_keys(&self, place: &Place) -> Result<Vec<u64>, EngineError>;
    /// What the evaluation alone thinks of a position.
    fn evaluate(&self, place: &Place) -> Result<Score, EngineError>;
    /// A hash of the weights of the evaluation.
    fn weights(&self) -> u64;
    fn player(&self, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) -> Box<dyn Player>;
    fn wanderer(&self, table: Arc<SearchTt>) -> Box<dyn Wanderer>;
}

/// A parameter of the core or of the game, with the value it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Param {
    pub spec: &'static Spec,
    /// The default of this game, which may differ from the one of the declaration.
    pub default: i32,
    pub value: i32,
}

/// A searcher that is kept from move to move.
pub(crate) trait Player: Send {
    fn control(&self) -> Arc<Control>;
    fn search(&mut self, request: &Request, multipv: usize, sink: &mut dyn FnMut(&Info)) -> Result<Best, EngineError>;
    fn solve(
        &mut self,
        place: &Place,
        limits: Limits,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<Solution, EngineError>;
    /// What the table knows of a position, as the next search would see it.
    fn lookup(&self, place: &Place) -> Result<Option<Known>, EngineError>;
    /// All parameters: the core's, then the game's.
    fn params(&mut self) -> Vec<Param>;
    fn set_param(&mut self, name: &str, value: i32) -> Result<(), ParamError>;
    fn set_threads(&mut self, threads: usize);
    fn table(&self) -> &Arc<SearchTt>;
    fn eval_cache(&self) -> &Arc<EvalCache>;
    fn set_tables(&mut self, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>);
    fn new_game(&mut self);
}

/// A queue of positions and a searcher that deepens them while nobody plays.
pub(crate) trait Wanderer: Send {
    fn control(&self) -> Arc<Control>;
    fn add(&mut self, place: &Place, reason: Reason) -> Result<(), EngineError>;
    fn clear(&mut self);
    fn set_param(&mut self, name: &str, value: i32) -> Result<(), ParamError>;
    fn set_table(&mut self, table: Arc<SearchTt>);
    fn step(&mut self, live: &dyn Fn() -> bool) -> Step;
    fn ideas(&self) -> Vec<Idea>;
}
