//! What all threads of a search share.

use super::Reductions;
use crate::busy::Busy;
use crate::clock::Limits;
use crate::game::SearchGame;
use crate::params::SearchParams;
use crate::resources::Resources;
use crate::score::FirstScore;
use crate::table::{EvalCache, SearchTt};
use crate::watch::Watch;

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
