//! The deep part of the endgame: moves are ordered by the evaluation and, below full certainty, pruned by its
//! predictions.

use super::leaves::Leaves;
use super::near::Near;
use super::table::{Found, quick_order};
use super::{CERTAINTY, Candidate, Candidates, NONE, cut_by_stable, odd_quarters, take_best};
use crate::board::{Board, Cpu};
use crate::position::{DISC, Othello};
use crate::square::{Square, Squares};
use polyply_core::game::{Evaluation, Game, NO_MOVE, SearchGame};
use polyply_core::resources::Resources;
use polyply_core::table::Bound;

/// The last level: no pruning by predictions.
pub(crate) const CERTAIN: i32 = CERTAINTY.len() as i32 - 1;

/// With this many empty squares or fewer, the evaluation is not used.
const MIDDLE: u32 = 13;
/// With this many empty squares or more, a thread defers moves that another thread is searching.
const SHARED: u32 = 14;
/// With this many empty squares or fewer, an open window is searched by a series of null windows.
const CLOSED_IN: u32 = 9;

/// The state of one call of the solver.
pub(crate) struct Endgame<'a, 'r, C: Cpu> {
    pub(super) resources: &'a mut Resources<'r, Othello>,
    pub(super) leaves: Leaves<C>,
    pub(super) near: Near,
    pub(super) salt: u64,
    eval: &'a mut <Othello as SearchGame>::Eval,
    level: i32,
}

impl<'a, 'r, C: Cpu> Endgame<'a, 'r, C> {
    pub fn new(
        eval: &'a mut <Othello as SearchGame>::Eval,
        resources: &'a mut Resources<'r, Othello>,
        game: &Othello,
        level: i32,
    ) -> Self {
        let salt = resources.key(game) ^ game.key();
        Endgame { resources, leaves: Leaves::new(), near: Near::new(), salt, eval, level }
    }

    /// The value of a position within a window, fail-soft.
    pub fn value(&mut self, game: &mut Othello, alpha: i32, beta: i32) -> i32 {
        let value = self.node(game, alpha, beta);
        let nodes = std::mem::take(&mut self.leaves.nodes);
        self.resources.visited(nodes);
        value
    }

    fn node(&mut self, game: &mut Othello, alpha: i32, beta: i32) -> i32 {
        let (Board { own, other }, moves) = (game.discs(), game.legal());
        C::compiled(
            #[inline(always)]
            |endgame: &mut Self, own, other, moves, alpha, (game, beta)| {
                endgame.node_here(game, Board { own, other }, moves, alpha, beta)
            },
            self,
            own,
            other,
            moves,
            alpha,
            (game, beta),
        )
    }

    #[inline(always)]
    fn node_here(&mut self, game: &mut Othello, board: Board, moves: u64, alpha: i32, beta: i32) -> i32 {
        let empties = board.empties();
        let open = beta - alpha > 1;
        if !open && empties <= MIDDLE {
            return self.middle_with(board, moves, game.side(), alpha, empties);
        }
        if empties <= CLOSED_IN {
            return self.close_in(game, alpha, beta);
        }
        let nodes = std::mem::take(&mut self.leaves.nodes) + 1;
        if self.resources.visited(nodes) {
            return 0;
        }
        if moves == 0 {
            return self.pass(game, board, alpha, beta);
        }
        if !open && let Some(most) = cut_by_stable(board.own, board.other, alpha, empties) {
            return most;
        }
        let (side, key) = (game.side(), self.key(board, game.side()));
        let depth = empties as i32 + self.level;
        let found = self.look_up(key, side);
        if !open && let Some(score) = found.as_ref().and_then(|found| found.cutoff(alpha, depth)) {
            return score;
        }
        if !open
            && self.level < CERTAIN
            && let Some(score) = self.predicted(game, alpha, empties)
        {
            return score;
        }
        let mut candidates = Self::with_replies(board, moves, odd_quarters(board.empty()));
        if !open {
            let replies = candidates.iter().map(|candidate| board.after(candidate.square.bit(), candidate.flips));
            if let Some(score) = self.known_reply(replies, side.other(), alpha, depth - 1) {
                return score;
            }
        }
        self.order(game, &mut candidates, alpha, found.map_or(NO_MOVE, |found| found.best));
        let (mut best, mut best_move) = (NONE, NO_MOVE);
        let mut bar = alpha;
        let mut put_off = Candidates::new();
        let mut next = 0;
        loop {
            let candidate = if next < candidates.len() {
                let candidate = take_best(&mut candidates, next);
                next += 1;
                let bits = candidate.square.into();
                if next > 1 && empties >= SHARED && self.resources.is_busy(key, bits) {
                    put_off.push(candidate);
                    continue;
                }
                candidate
            } else if let Some(candidate) = put_off.pop() {
                candidate
            } else {
                break;
            };
            let noted = (empties >= SHARED && self.resources.is_shared()).then_some(key);
            let score = self.search_move(game, candidate, noted, open && best > NONE, bar, beta);
            if self.resources.stopped() {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, candidate.square.into());
                bar = bar.max(score);
                if best >= beta {
                    break;
                }
            }
        }
        let (bound, best_move) = match best {
            best if best >= beta => (Bound::Lower, best_move),
            best if best <= alpha => (Bound::Upper, NO_MOVE),
            _ => (Bound::Exact, best_move),
        };
        self.remember(key, side, Found { score: best, bound, depth, best: best_move });
        best
    }

    /// The value of a position without a move: the side passes, or the game is over.
    #[inline(always)]
    fn pass(&mut self, game: &mut Othello, board: Board, alpha: i32, beta: i32) -> i32 {
        let replies = C::moves(board.other, board.own);
        if replies == 0 {
            return board.result();
        }
        let undo = self.eval.play_known(game, Square::PASS, 0, replies);
        let score = -self.node(game, -beta, -alpha);
        self.eval.undo(game, Square::PASS, undo);
        score
    }

    /// Searches a move: by a null window first if it is a `scout`. With the key of the position in `noted`, other threads
    /// see that it is being searched.
    #[inline(always)]
    fn search_move(
        &mut self,
        game: &mut Othello,
        candidate: Candidate,
        noted: Option<u64>,
        scout: bool,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let Candidate { square, flips, replies, .. } = candidate;
        let undo = self.eval.play_known(game, square, flips, replies);
        if let Some(key) = noted {
            self.resources.enter(key, square.into());
        }
        let score = if scout {
            let score = -self.node(game, -alpha - 1, -alpha);
            if score > alpha && score < beta && !self.resources.stopped() {
                -self.node(game, -beta, -score)
            } else {
                score
            }
        } else {
            -self.node(game, -beta, -alpha)
        };
        if let Some(key) = noted {
            self.resources.leave(key, square.into());
        }
        self.eval.undo(game, square, undo);
        score
    }

    /// The value within an open window, by null windows.
    fn close_in(&mut self, game: &Othello, alpha: i32, beta: i32) -> i32 {
        let mut bar = alpha;
        let mut best = NONE;
        loop {
            let score = self.middle(game.discs(), game.side(), bar, game.empties() as u32);
            if score <= bar {
                return best.max(score);
            }
            best = score;
            if score >= beta || self.resources.stopped() {
                return best;
            }
            bar = score;
        }
    }

    /// Orders the moves by a short search if there are many empty squares, else by what the opponent is left with.
    #[inline(always)]
    fn order(&mut self, game: &mut Othello, candidates: &mut Candidates, alpha: i32, hash: u16) {
        /// Moves that are below the window by this much need no order among themselves.
        const HOPELESS: i32 = 16;
        let board = game.discs();
        let empties = game.empties() as u32;
        for candidate in candidates {
            let Candidate { square, flips, replies, .. } = *candidate;
            if u16::from(square) == hash {
                candidate.order = i32::MAX;
            } else if flips == board.other {
                candidate.order = i32::MAX - 1;
            } else if empties > MIDDLE {
                let depth = match empties {
                    ..=17 => 0,
                    18..=19 => 1,
                    20..=23 => 2,
                    _ => 3,
                };
                let undo = self.eval.play_known(game, square, flips, replies);
                let value = self.glance(game, -64 * DISC, (HOPELESS - alpha) * DISC, depth);
                self.eval.undo(game, square, undo);
                candidate.order = candidate.order * DISC / 12 - value;
            }
        }
    }

    /// The moves, ordered by what they leave the opponent with.
    #[inline(always)]
    fn with_replies(board: Board, moves: u64, odd: u64) -> Candidates {
        let mut candidates = Candidates::new();
        for square in Squares(moves) {
            let flips = C::flips(board.own, board.other, square.index());
            let after = board.after(square.bit(), flips);
            let replies = C::moves(after.own, after.other);
            candidates.push(Candidate { square, flips, replies, order: quick_order(after, replies, square, odd) });
        }
        candidates
    }

    /// Predicts by a short search of the middle game that the score is clearly above the window, or clearly below it.
    #[inline(always)]
    fn predicted(&mut self, game: &mut Othello, alpha: i32, empties: u32) -> Option<i32> {
        const SPREAD: [i32; CERTAIN as usize] = [110, 200];
        let depth = (empties as i32 / 4).min(8) & !1;
        let [_, end] = self.eval.spreads();
        let error = end.at(0, depth, empties as i32);
        let margin = SPREAD[self.level as usize] * error / 100;
        let Board { own, other } = game.discs();
        let standing = self.eval.value(game, C::moves(other, own));
        let high = (alpha + 1) * DISC + margin;
        if standing >= high - error && self.glance(game, high - 1, high, depth) >= high {
            return Some(alpha + 1);
        }
        let low = alpha * DISC - margin;
        if standing <= low + error && self.glance(game, low, low + 1, depth) <= low {
            return Some(alpha);
        }
        None
    }

    /// A plain search of the middle game, in evaluation units.
    fn glance(&mut self, game: &mut Othello, alpha: i32, beta: i32, depth: i32) -> i32 {
        let (Board { own, other }, moves) = (game.discs(), game.legal());
        C::compiled(
            #[inline(always)]
            |endgame: &mut Self, own, other, moves, alpha, (game, beta, depth)| {
                endgame.glance_here(game, Board { own, other }, moves, alpha, beta, depth)
            },
            self,
            own,
            other,
            moves,
            alpha,
            (game, beta, depth),
        )
    }

    #[inline(always)]
    fn glance_here(
        &mut self,
        game: &mut Othello,
        board: Board,
        moves: u64,
        mut alpha: i32,
        beta: i32,
        depth: i32,
    ) -> i32 {
        self.leaves.nodes += 1;
        if moves == 0 || depth <= 0 {
            let replies = C::moves(board.other, board.own);
            if moves != 0 {
                return self.eval.value(game, replies);
            }
            if replies == 0 {
                return DISC * board.result();
            }
            let undo = self.eval.play_known(game, Square::PASS, 0, replies);
            let score = -self.glance(game, -beta, -alpha, depth);
            self.eval.undo(game, Square::PASS, undo);
            return score;
        }
        let mut candidates = Self::with_replies(board, moves, 0);
        let mut best = -65 * DISC;
        for next in 0..candidates.len() {
            let Candidate { square, flips, replies, .. } = take_best(&mut candidates, next);
            let undo = self.eval.play_known(game, square, flips, replies);
            let score = -self.glance(game, -beta, -alpha, depth - 1);
            self.eval.undo(game, square, undo);
            best = best.max(score);
            alpha = alpha.max(score);
            if best >= beta {
                break;
            }
        }
        best
    }
}
