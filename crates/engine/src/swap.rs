//! Swap rules, by which the players settle who plays first: the engine's part.
//!
//! [`Variant::swap`](crate::Variant::swap) is the initial state; whoever runs the game leads the players through it.
//! When it is the engine's turn, [`Engine::choose`] picks the side with the better score, or to place more stones, and
//! [`Engine::place_fairly`] places stones so that neither side has much of an advantage. A score is that of the opening book if it knows the
//! position, and of a search otherwise.
//!
//! ```
//! use polyply_engine::Variant;
//! use polyply_engine::swap::{Role, SwapChoice};
//!
//! let rules = [("opening".to_string(), "swap".to_string())];
//! let mut swap = Variant::with_rules("caro", &rules).unwrap().swap();
//! for _ in 0..3 {
//!     assert_eq!(swap.to_act(), Some(Role::Opener));
//!     swap = swap.place().unwrap();
//! }
//! assert_eq!(swap.options(), [SwapChoice::Stay, SwapChoice::Swap]);
//! ```

pub use polyply_core::swap::{Role, Swap, SwapChoice};

use crate::engine::Engine;
use polyply_core::clock::Limits;
use polyply_games::{Best, Board, EngineError, Request, Score};
use std::time::Instant;

/// How many moves to try for each stone, and how many of the best moves they are taken from.
const TRIED: usize = 4;
const RANKED: usize = 6 * TRIED;
/// Nodes to evaluate the placed stones.
const JUDGING_NODES: u64 = 2_000;
/// A score closer to 0 than this, in hundredths, is too small to choose a side by.
pub const CLOSE: i32 = 15;

impl Engine {
    /// Chooses a side by the score of the position. If that is close to even and the rule allows it, the engine places two
    /// more stones: then the opponent has to find out which side is better.
    pub fn choose(&mut self, board: &Board, swap: Swap, limits: Limits) -> Result<(SwapChoice, Best), EngineError> {
        let best = self.judge(board, limits)?;
        let score = best.score().map_or(0, Score::hundredths);
        let opener_chooses = swap.to_act() == Some(Role::Opener);
        let choice = match score.abs() <= CLOSE && swap.options().contains(&SwapChoice::PlaceTwo) {
            true => SwapChoice::PlaceTwo,
            // If the players stay, the opener plays first.
            false if (score > 0) == opener_chooses => SwapChoice::Stay,
            false => SwapChoice::Swap,
        };
        Ok((choice, best))
    }

    /// Finds moves for both sides in turn after which neither side has much of an advantage: the best of those that it
    /// can try within the time limit.
    pub fn place_fairly(&mut self, board: &Board, stones: usize, limits: Limits) -> Result<Vec<String>, EngineError> {
        let mut boards = vec![board.clone()];
        for _ in 0..stones {
            let mut next = Vec::new();
            for board in &boards {
                next.extend(self.candidates(board)?);
            }
            boards = next;
        }
        let began = Instant::now();
        let mut fairest: Option<(Board, i32)> = None;
        for board in boards {
            if fairest.is_some() && limits.time.is_some_and(|time| began.elapsed() >= time) {
                break;
            }
            let score = match self.judge(&board, Limits::nodes(JUDGING_NODES)) {
                Ok(best) => best.score().map_or(i32::MAX, |score| score.hundredths().abs()),
                Err(EngineError::Over(_)) => i32::MAX,
                Err(error) => return Err(error),
            };
            if fairest.as_ref().is_none_or(|&(_, least)| score < least) {
                fairest = Some((board, score));
            }
        }
        Ok(fairest.map_or(Vec::new(), |(placed, _)| placed.moves()[board.moves().len()..].to_vec()))
    }

    /// The best move and its score: from the opening book if it has searched the position, or by a search.
    fn judge(&mut self, board: &Board, limits: Limits) -> Result<Best, EngineError> {
        match self.book_moves(board).first().filter(|mv| mv.score.is_some()) {
            Some(mv) => {
                self.control().disarm();
                Ok(mv.as_best())
            }
            None => self.search(&Request { limits, ..Request::new(board) }, &mut |_| ()),
        }
    }

    /// Boards one move later: after some of the best moves, and after some worse ones.
    fn candidates(&mut self, board: &Board) -> Result<Vec<Board>, EngineError> {
        let request = Request { limits: Limits::depth(1), multipv: Some(RANKED), ..Request::new(board) };
        let best = self.search(&request, &mut |_| ())?;
        let step = best.lines.len().div_ceil(TRIED).max(1);
        best.lines.iter().step_by(step).filter_map(|line| line.moves.first()).map(|mv| board.after(mv)).collect()
    }
}
