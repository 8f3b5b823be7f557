//! A game's idle improvement behind [`ErasedImprover`].

use super::position::{line_text, typed};
use super::searcher::set_param;
use super::{ErasedImprover, ErasedPosition};
use crate::error::EngineError;
use crate::report::QueuedPosition;
use crate::request::PositionSpec;
use polyply_core::Searcher;
use polyply_core::control::Control;
use polyply_core::family::Family;
use polyply_core::frontier::Reason;
use polyply_core::game::SearchGame;
use polyply_core::idle::{Improver, Settings, Step, Waiting};
use polyply_core::params::ParamError;
use polyply_core::table::{EvalCache, SearchTt};
use std::sync::Arc;

/// An improver and a searcher of one thread.
pub(super) struct GameImprover<G: SearchGame> {
    start: G,
    improver: Improver<G, PositionSpec>,
    searcher: Searcher<G>,
}

impl<G: Family> GameImprover<G> {
    pub fn new(start: G, eval: G::Eval, table: Arc<SearchTt>) -> Self {
        let improver = Improver::new(Settings::of::<G>());
        // No evaluation cache: idle improvement writes to the Search TT only.
        GameImprover { start, improver, searcher: Searcher::new(eval, table, Arc::new(EvalCache::off())) }
    }

    /// Writes a queued position as text.
    fn queued(&self, waiting: Waiting<G::Move, PositionSpec>) -> Option<QueuedPosition> {
        let Waiting { root, reason, path, known, target } = waiting;
        let mut game = match root.position.as_deref() {
            None | Some("start") => self.start.clone(),
            Some(text) => self.start.parse(text).ok()?,
        };
        for mv in &root.moves {
            let mv = game.parse_move(mv).ok()?;
            game.play(mv, &mut ());
        }
        let line = line_text(&game, &path);
        Some(QueuedPosition { root, line, reason, known, target })
    }
}

impl<G: Family> ErasedImprover for GameImprover<G> {
    fn control(&self) -> Arc<Control> {
        self.searcher.control()
    }

    fn add(&mut self, position: &dyn ErasedPosition, spec: PositionSpec, reason: Reason) -> Result<(), EngineError> {
        self.improver.add(typed(position)?, spec, reason);
        Ok(())
    }

    fn clear(&mut self) {
        self.improver.clear();
    }

    fn begin_anew(&mut self) {
        self.improver.begin_anew();
    }

    fn set_param(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        set_param(&mut self.searcher, name, value)
    }

    fn set_table(&mut self, table: Arc<SearchTt>) {
        let eval_cache = self.searcher.eval_cache().clone();
        self.searcher.set_tables(table, eval_cache);
    }

    fn step(&mut self, live: &dyn Fn() -> bool) -> Step {
        self.improver.step(&mut self.searcher, live)
    }

    fn queue(&self, most: usize) -> Vec<QueuedPosition> {
        self.improver.waiting(most).into_iter().filter_map(|waiting| self.queued(waiting)).collect()
    }

    fn improved(&self) -> usize {
        self.improver.improved()
    }
}
