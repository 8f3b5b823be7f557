//! A game's idle improvement behind [`ErasedExplorer`].

use super::position::typed;
use super::searcher::set_param;
use super::{ErasedExplorer, ErasedPosition};
use crate::error::EngineError;
use crate::idle::QueuedPosition;
use polyply_core::Searcher;
use polyply_core::control::Control;
use polyply_core::explore::{Explorer, Reason, Step};
use polyply_core::family::Family;
use polyply_core::game::SearchGame;
use polyply_core::params::ParamError;
use polyply_core::table::{EvalCache, SearchTt};
use std::sync::Arc;

/// The length of the queue: enough for the games of an evening, and short enough to list.
const QUEUE: usize = 256;

/// A queue and a searcher of one thread.
pub(super) struct GameExplorer<G: SearchGame> {
    explorer: Explorer<G>,
    searcher: Searcher<G>,
}

impl<G: Family> GameExplorer<G> {
    pub fn new(eval: G::Eval, table: Arc<SearchTt>) -> Self {
        // No evaluation cache: idle improvement writes to the Search TT only.
        GameExplorer {
            explorer: Explorer::new(QUEUE),
            searcher: Searcher::new(eval, table, Arc::new(EvalCache::off())),
        }
    }
}

impl<G: Family> ErasedExplorer for GameExplorer<G> {
    fn control(&self) -> Arc<Control> {
        self.searcher.control()
    }

    fn add(&mut self, position: &dyn ErasedPosition, reason: Reason) -> Result<(), EngineError> {
        self.explorer.add(typed(position)?, reason);
        Ok(())
    }

    fn clear(&mut self) {
        self.explorer.clear();
    }

    fn set_param(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        set_param(&mut self.searcher, name, value)
    }

    fn set_table(&mut self, table: Arc<SearchTt>) {
        let eval_cache = self.searcher.eval_cache().clone();
        self.searcher.set_tables(table, eval_cache);
    }

    fn step(&mut self, live: &dyn Fn() -> bool) -> Step {
        self.explorer.step(&mut self.searcher, live)
    }

    fn queue(&self) -> Vec<QueuedPosition> {
        let show = |idea: &polyply_core::explore::Idea<G>| QueuedPosition {
            position: idea.position.text(),
            reason: idea.reason,
            depth: idea.depth,
        };
        self.explorer.queue().iter().map(show).collect()
    }
}
