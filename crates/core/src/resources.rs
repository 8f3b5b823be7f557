//! What a game's own solver may use while the search waits for it.

use crate::control::Control;
use crate::game::SearchGame;
use crate::table::SearchTt;

/// The table, the node counter, the stop signal and the game's parameters, lent to a game for one call.
pub struct Resources<'a, G: SearchGame + ?Sized> {
    /// What a solver proves belongs in here, under [`Resources::key`].
    pub table: &'a SearchTt,
    /// Mixed into every key: results of other weights or other modes are other entries.
    pub salt: u64,
    /// Positions looked at; solvers count theirs here.
    pub nodes: &'a mut u64,
    /// The game's tunables.
    pub params: &'a G::Params,
    /// Says when to stop.
    pub control: &'a Control,
}

impl<G: SearchGame> Resources<'_, G> {
    /// The key of a position in the table.
    pub fn key(&self, game: &G) -> u64 {
        game.key() ^ self.salt
    }

    /// The search was told to stop: return at once, with nothing proven.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.control.stopped()
    }
}
