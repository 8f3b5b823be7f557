//! Type erasure: object-safe traits for a game, implemented once for all games.
//!
//! [`ErasedFamily`] is a game of the registry, [`ErasedGame`] is that game with its size, rules and weights chosen, and
//! [`ErasedPosition`] is a position of it. [`ErasedSearcher`] and [`ErasedImprover`] search positions. Nothing else in
//! this crate is generic, and nothing below this folder is `dyn`: from its root on, a search runs on the game's own
//! types.

mod game;
mod improver;
mod position;
mod searcher;

pub(crate) use game::Registered;

use crate::error::EngineError;
use crate::learning::{LearningTask, NetTask, PolicyTask, PredictionTest};
use crate::look::{Layout, MoveCells, PositionLook, Unseen, Wishes};
use crate::report::{Best, Glance, Info, Progress, QueuedPosition, Solution, TableEntry};
use crate::request::{PositionSpec, Request};
use crate::score::{Outcome, Score};
use polyply_core::clock::Limits;
use polyply_core::control::Control;
use polyply_core::family::{About, RuleChoice, Setup};
use polyply_core::frontier::Reason;
use polyply_core::game::Side;
use polyply_core::idle::Step;
use polyply_core::learn::{Features, Inputs};
use polyply_core::params::{ParamError, Spec};
use polyply_core::problem::Problem;
use polyply_core::refusal::{Code, Refusal};
use polyply_core::swap::Swap;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::weights::{Kind, Section, Tables};
use std::any::Any;
use std::sync::Arc;

/// A game of the registry.
pub trait ErasedFamily: Sync {
    fn about(&self) -> &'static About;
    fn rules(&self) -> Vec<RuleChoice>;
    fn open(&self, setup: &Setup) -> Result<Arc<dyn ErasedGame>, EngineError>;
    fn problem(&self, line: &str) -> Result<Problem, Refusal>;
    /// The codes of the game's own refusals.
    fn refusals(&self) -> &'static [&'static Code];
}

/// A game with its size, rules and weights chosen.
pub trait ErasedGame: Send + Sync {
    fn start(&self) -> Box<dyn ErasedPosition>;
    fn parse(&self, text: &str) -> Result<Box<dyn ErasedPosition>, EngineError>;
    fn swap(&self) -> Swap;
    fn layout(&self) -> Layout;
    /// The text of a position with these pieces on its cells. The position may be illegal.
    fn arranged(&self, codes: &[Option<&str>], side: Side, wishes: &Wishes) -> String;
    /// A score of the core in the unit of the game.
    fn score(&self, score: polyply_core::score::FirstScore) -> Score;
    /// Whether results are a number of points.
    fn counts_points(&self) -> bool;
    fn units(&self) -> i32;
    /// The score that wins 73 % of the games.
    fn chance_unit(&self) -> f64;
    /// Whether moves have a short form for people, besides the game's own notation.
    fn has_short_moves(&self) -> bool;
    /// The static evaluation of a position.
    fn evaluate(&self, position: &dyn ErasedPosition) -> Result<Score, EngineError>;
    /// A hash of the weights of the evaluation.
    fn weights_hash(&self) -> u64;
    /// How weights of a kind are learned, starting from those of this game, or from none if `fresh`.
    fn learning_task(&self, kind: Kind, fresh: bool) -> Option<LearningTask>;
    /// The features of a position. Returns false if the position is not suited for learning, given the move that was
    /// played, if one is given.
    fn features(
        &self,
        position: &dyn ErasedPosition,
        mv: Option<&str>,
        out: &mut Features,
    ) -> Result<bool, EngineError>;
    /// Calls `each` with the features of every move that the search considers. Returns the index of `mv` among them.
    fn choices(
        &self,
        position: &dyn ErasedPosition,
        mv: &str,
        each: &mut dyn FnMut(&[u32]),
    ) -> Result<Option<usize>, EngineError>;
    /// How ProbCut predictions are measured.
    fn probcut(&self) -> Option<PredictionTest>;
    /// The net that the game can learn to evaluate with.
    fn net_task(&self) -> Option<NetTask>;
    /// The features of a position for a net; false if nothing is to be learned from it, given the move that was played, if
    /// one is given.
    fn net_inputs(
        &self,
        position: &dyn ErasedPosition,
        mv: Option<&str>,
        out: &mut Inputs,
    ) -> Result<bool, EngineError>;
    /// The net that the game can learn to order moves with.
    fn policy_task(&self) -> Option<PolicyTask>;
    /// Calls `each` with what a net for moves knows of every move that the search considers. Returns the index of `mv`
    /// among them.
    fn policy_choices(
        &self,
        position: &dyn ErasedPosition,
        mv: &str,
        each: &mut dyn FnMut(f32, [&[u16]; 2]),
    ) -> Result<Option<usize>, EngineError>;
    /// The moves until the end of the game, as predictions count them.
    fn remaining(&self, position: &dyn ErasedPosition) -> Result<i32, EngineError>;
    /// The tables in a weights file.
    fn sections(&self) -> Vec<Section>;
    /// The tables of the current weights, with those of one kind replaced by `numbers`.
    fn tables(&self, kind: Kind, numbers: &[f32]) -> Option<Tables>;
    /// All parameters at their defaults: the core's, then the game's.
    fn params(&self) -> Vec<Param>;
    fn searcher(&self, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) -> Box<dyn ErasedSearcher>;
    fn improver(&self, table: Arc<SearchTt>) -> Box<dyn ErasedImprover>;
}

/// A move that was played.
pub struct PlayedMove {
    /// In the game's notation.
    pub text: String,
    /// In short form.
    pub short: String,
}

/// A position and the moves that led to it.
pub trait ErasedPosition: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn boxed(&self) -> Box<dyn ErasedPosition>;
    /// Plays a legal move. An illegal move is refused and changes nothing.
    fn play(&mut self, mv: &str) -> Result<PlayedMove, EngineError>;
    /// Takes the last move back; false if there is none.
    fn undo(&mut self) -> bool;
    fn side(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn text(&self) -> String;
    fn drawing(&self) -> String;
    /// The key of the position, the same for all symmetric positions.
    fn canonical_key(&self) -> u64;
    /// The text of the symmetric position with that key.
    fn canonical_text(&self) -> String;
    /// A legal move as the canonical position writes it. Symmetric moves of a position have the same name there.
    fn canonical_move(&self, mv: &str) -> Result<String, EngineError>;
    /// The move here that the canonical position writes like this, if it is legal.
    fn move_of_canonical(&self, mv: &str) -> Option<String>;
    fn legal_moves(&self) -> Vec<String>;
    /// The moves that people think of.
    fn glance(&self) -> Vec<Glance>;
    /// The code of what is on each cell.
    fn pieces(&self) -> Vec<Option<&'static str>>;
    /// What the pieces do not show.
    fn unseen(&self) -> Vec<Unseen>;
    fn look(&self) -> PositionLook;
    /// Why no move goes to a cell, from another one if a piece was chosen.
    fn refused(&self, from: Option<usize>, to: usize) -> Option<Refusal>;
    /// The cells of a legal move.
    fn cells(&self, mv: &str) -> Result<MoveCells, EngineError>;
    /// The text of the position with the other side to move, where that can be.
    fn other_to_move(&self) -> Option<String>;
    /// Whether a search of this depth is completed by the game's own solver.
    fn is_solved_after(&self, depth: i32) -> bool;
    /// Lines of exactly `depth` plies by first move.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;
    /// The most promising of some random moves. `below(n)` draws a number below `n`. The game must not be over.
    fn draw(&self, choosiness: usize, below: &mut dyn FnMut(usize) -> usize) -> String;
}

/// A parameter of the core or of the game, with its value.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub spec: &'static Spec,
    /// The default for this game, which may differ from the declared one.
    pub default: i32,
    pub value: i32,
}

/// A searcher that is kept from move to move.
pub trait ErasedSearcher: Send {
    fn control(&self) -> Arc<Control>;
    fn set_control(&mut self, control: Arc<Control>);
    fn search(&mut self, request: &Request, multipv: usize, sink: &mut dyn FnMut(&Info)) -> Result<Best, EngineError>;
    fn solve(
        &mut self,
        position: &dyn ErasedPosition,
        limits: Limits,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<Solution, EngineError>;
    /// The table's entry for a position, as the next search would see it.
    fn lookup(&self, position: &dyn ErasedPosition) -> Result<Option<TableEntry>, EngineError>;
    /// All parameters: the core's, then the game's.
    fn params(&mut self) -> Vec<Param>;
    fn set_param(&mut self, name: &str, value: i32) -> Result<(), ParamError>;
    fn set_threads(&mut self, threads: usize);
    fn table(&self) -> &Arc<SearchTt>;
    fn eval_cache(&self) -> &Arc<EvalCache>;
    fn set_tables(&mut self, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>);
    fn new_game(&mut self);
}

/// Likely positions, and a searcher that deepens them while nobody plays.
pub trait ErasedImprover: Send {
    fn control(&self) -> Arc<Control>;
    fn add(&mut self, position: &dyn ErasedPosition, spec: PositionSpec, reason: Reason) -> Result<(), EngineError>;
    fn clear(&mut self);
    /// Forgets what was searched, but not which positions matter.
    fn begin_anew(&mut self);
    fn set_param(&mut self, name: &str, value: i32) -> Result<(), ParamError>;
    fn set_table(&mut self, table: Arc<SearchTt>);
    fn step(&mut self, live: &dyn Fn() -> bool) -> Step;
    /// The positions that come next.
    fn queue(&self, most: usize) -> Vec<QueuedPosition>;
    /// How many positions were searched and not forgotten.
    fn improved(&self) -> usize;
}
