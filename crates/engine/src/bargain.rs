//! Bargains about who plays first, as some opening rules have them: the engine's part.
//!
//! [`Variant::bargain`](crate::Variant::bargain) says how the bargain begins; whoever conducts the game leads the players
//! through it. Where it is the engine's turn, [`Engine::choose`] takes the colour that the search likes better, and
//! [`Engine::place_fairly`] puts stones on the board so that there is little to like.
//!
//! ```
//! use polyply_engine::Variant;
//! use polyply_engine::bargain::{Choice, Party};
//!
//! let rules = [("opening".to_string(), "swap".to_string())];
//! let mut bargain = Variant::with_rules("caro", &rules).unwrap().bargain();
//! for _ in 0..3 {
//!     assert_eq!(bargain.to_act(), Some(Party::Opener));
//!     bargain = bargain.place().unwrap();
//! }
//! assert_eq!(bargain.options(), [Choice::Stay, Choice::Swap]);
//! ```

pub use polyply_five::opening::{Choice, Player as Party, SwapPhase as Bargain};

use crate::engine::Engine;
use crate::error::EngineError;
use crate::report::Best;
use crate::request::{Place, Request};
use crate::score::Score;
use polyply_core::clock::Limits;
use std::time::Instant;

/// Moves that are tried for a stone, and out of how many of the best they are taken.
const TRIED: usize = 4;
const RANKED: usize = 6 * TRIED;
/// Nodes to judge what was placed.
const JUDGING_NODES: u64 = 2_000;

impl Engine {
    /// Chooses a colour by what the search thinks of the position. To place more stones is never chosen: it would hand
    /// the choice to the other one.
    pub fn choose(&mut self, place: &Place, chooser: Party, limits: Limits) -> Result<(Choice, Best), EngineError> {
        let best = self.search(&Request { place: place.clone(), limits, ..Request::default() }, &mut |_| ())?;
        let first_is_better = best.score().map_or(0, Score::hundredths) > 0;
        // To stay is to let the opener play first.
        let choice = if first_is_better == (chooser == Party::Opener) { Choice::Stay } else { Choice::Swap };
        Ok((choice, best))
    }

    /// So many moves in turn after which the search sees the least advantage for either side, among those it tries
    /// within the limit of time.
    pub fn place_fairly(&mut self, place: &Place, stones: usize, limits: Limits) -> Result<Vec<String>, EngineError> {
        let mut places = vec![place.clone()];
        for _ in 0..stones {
            let mut next = Vec::new();
            for place in &places {
                next.extend(self.candidates(place)?);
            }
            places = next;
        }
        let began = Instant::now();
        let mut fairest = None;
        for place in places {
            if fairest.is_some() && limits.time.is_some_and(|time| began.elapsed() >= time) {
                break;
            }
            let request = Request { place: place.clone(), limits: Limits::nodes(JUDGING_NODES), ..Request::default() };
            let score = match self.search(&request, &mut |_| ()) {
                Ok(best) => best.score().map_or(i32::MAX, |score| score.hundredths().abs()),
                Err(EngineError::Over(_)) => i32::MAX,
                Err(error) => return Err(error),
            };
            if fairest.as_ref().is_none_or(|&(_, least)| score < least) {
                fairest = Some((place, score));
            }
        }
        let moves = fairest.map_or(Vec::new(), |(place, _)| place.moves);
        Ok(moves[place.moves.len().min(moves.len())..].to_vec())
    }

    /// Places one move further: some of the best moves and some that are not so good.
    fn candidates(&mut self, place: &Place) -> Result<Vec<Place>, EngineError> {
        let request =
            Request { place: place.clone(), limits: Limits::depth(1), multipv: Some(RANKED), ..Request::default() };
        let best = self.search(&request, &mut |_| ())?;
        let step = best.lines.len().div_ceil(TRIED).max(1);
        let moves = best.lines.iter().step_by(step).filter_map(|line| line.moves.first());
        Ok(moves.map(|mv| place.after(mv)).collect())
    }
}
