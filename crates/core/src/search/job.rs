//! What all threads share: from search to search, and during one search.

use super::Reductions;
use crate::busy::Busy;
use crate::clock::{Limits, TimeKeeper};
use crate::control::Control;
use crate::game::{Evaluation, SearchGame, Side};
use crate::params::SearchParams;
use crate::resources::Resources;
use crate::score::{FirstScore, Score};
use crate::table::{EvalCache, SearchTt};
use crate::watch::{NodeCount, Watch};
use std::sync::Arc;

/// What a searcher keeps for all of its threads, from search to search.
pub(crate) struct Shared<G: SearchGame> {
    pub eval: G::Eval,
    pub table: Arc<SearchTt>,
    pub eval_cache: Arc<EvalCache>,
    pub control: Arc<Control>,
    pub counts: Arc<[NodeCount]>,
    pub busy: Busy,
    pub params: SearchParams,
    pub game_params: G::Params,
    pub reductions: Box<Reductions>,
}

impl<G: SearchGame> Shared<G> {
    pub fn new(eval: G::Eval, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) -> Self {
        let params = SearchParams::for_game::<G>();
        Shared {
            eval,
            table,
            eval_cache,
            control: Arc::default(),
            counts: Arc::new([]),
            busy: Busy::default(),
            reductions: Box::new(Reductions::new(&params)),
            params,
            game_params: G::Params::default(),
        }
    }

    /// A search from this position.
    pub fn job<'a>(&'a self, root: &'a G, limits: Limits, multipv: usize) -> Job<'a, G> {
        let draw = self.draw_value(root.side());
        Job {
            root,
            table: &self.table,
            eval_cache: &self.eval_cache,
            busy: &self.busy,
            params: &self.params,
            game_params: &self.game_params,
            reductions: &self.reductions,
            limits,
            multipv,
            salt: self.salt(draw),
            draw,
        }
    }

    /// The watch of a thread; the main thread, number 0, keeps the time.
    pub fn watch(&self, thread: usize, limits: &Limits, time: Option<TimeKeeper>) -> Watch {
        Watch::new(self.control.clone(), self.counts.clone(), thread, limits.nodes, time)
    }

    /// What a draw is worth to the first player when this side searches: contempt makes it a little loss to it.
    pub fn draw_value(&self, side: Side) -> FirstScore {
        let contempt = if self.params.exact != 0 { 0 } else { self.params.contempt };
        Score::eval(-contempt).for_first(side)
    }

    /// Results of other weights, of exact mode, or with other draws are other entries of the table.
    pub fn salt(&self, draw: FirstScore) -> u64 {
        let mode = (self.params.exact as u64) << 32 | u64::from(draw.to_bits());
        self.eval.weights_hash() ^ mode.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A search as it was asked for, with everything that its threads read.
pub(crate) struct Job<'a, G: SearchGame> {
    pub root: &'a G,
    pub table: &'a SearchTt,
    pub eval_cache: &'a EvalCache,
    pub busy: &'a Busy,
    pub params: &'a SearchParams,
    pub game_params: &'a G::Params,
    pub reductions: &'a Reductions,
    pub limits: Limits,
    pub multipv: usize,
    /// Mixed into every key, so that results of other weights, modes or draw values are other entries.
    pub salt: u64,
    /// What a draw is worth to the first player.
    pub draw: FirstScore,
}

impl<'a, G: SearchGame> Job<'a, G> {
    /// What a solver of the game may use on a thread with this watch.
    #[inline(always)]
    pub fn lend<'r>(&self, watch: &'r mut Watch) -> Resources<'r, G>
    where
        'a: 'r,
    {
        let Job { table, game_params: params, salt, busy, .. } = *self;
        Resources { table, params, pv_ply: usize::MAX, salt, watch, busy }
    }
}
