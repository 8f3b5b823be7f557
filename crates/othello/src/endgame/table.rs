//! The layer between leaves and deep part: uses tables, and tries first the moves that leave the opponent few replies.

use super::deep::Endgame;
use super::{MOST_MOVES, NONE, cut_by_stable, odd_quarters};
use crate::board::{Board, Cpu};
use crate::position::{DISC, key};
use crate::square::{CORNERS, Square, Squares};
use arrayvec::ArrayVec;
use polyply_core::game::{NO_MOVE, Side};
use polyply_core::score::Score;
use polyply_core::table::{Bound, Entry};

/// With this many empty squares or fewer, moves are not ordered by mobility.
pub(super) const SHALLOW: u32 = 6;
/// With fewer empty squares than this, positions are stored in the thread's own small table.
const FAR: u32 = 11;

/// An upper bound of the absolute value of [`quick_order`].
const MOST_ORDER: i32 = 2048;

/// A table's entry for a position.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub score: i32,
    pub bound: Bound,
    pub depth: i32,
    pub best: u16,
}

impl Found {
    /// The score, if it decides a null window above `alpha` at this depth.
    #[inline(always)]
    pub fn cutoff(&self, alpha: i32, depth: i32) -> Option<i32> {
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > alpha,
            Bound::Upper => self.score <= alpha,
        };
        (self.depth >= depth && decides).then_some(self.score)
    }
}

impl<C: Cpu> Endgame<'_, '_, C> {
    /// The key of a position in the Search TT.
    #[inline(always)]
    pub(super) fn key(&self, board: Board, side: Side) -> u64 {
        key(board, side) ^ self.salt
    }

    #[inline(always)]
    pub(super) fn look_up(&self, key: u64, side: Side) -> Option<Found> {
        let entry = self.resources.table.probe(key)?;
        let score = entry.score.for_side(side).value();
        // Other entries are from the middle game, in fractions of a disc.
        let score = match entry.bound {
            Bound::Upper => score.div_euclid(DISC),
            Bound::Lower | Bound::Exact => -(-score).div_euclid(DISC),
        };
        Some(Found { score, bound: entry.bound, depth: entry.depth.into(), best: entry.best })
    }

    #[inline(always)]
    pub(super) fn remember(&self, key: u64, side: Side, found: Found) {
        let score = Score::eval(DISC * found.score).for_first(side);
        let Found { bound, depth, best, .. } = found;
        self.resources.table.store(key, Entry { score, eval: None, best, depth: depth as u8, bound, generation: 0 });
    }

    /// A score above `alpha`, if the Search TT has a position after a move that is bad enough for `side`, the opponent.
    #[inline(always)]
    pub(super) fn known_reply(
        &self,
        after: impl Iterator<Item = Board>,
        side: Side,
        alpha: i32,
        depth: i32,
    ) -> Option<i32> {
        let mut keys = ArrayVec::<u64, MOST_MOVES>::new();
        for board in after {
            let key = self.key(board, side);
            self.resources.table.prefetch(key);
            keys.push(key);
        }
        keys.into_iter().find_map(|key| {
            let found = self.look_up(key, side)?;
            let known = found.bound != Bound::Lower && found.depth >= depth && -found.score > alpha;
            known.then_some(-found.score)
        })
    }

    /// The value of a position within a null window, fail-soft.
    pub(super) fn middle(&mut self, board: Board, side: Side, alpha: i32, empties: u32) -> i32 {
        let moves = C::moves(board.own, board.other);
        self.middle_with(board, moves, side, alpha, empties)
    }

    /// The same with known moves.
    pub(super) fn middle_with(&mut self, board: Board, moves: u64, side: Side, alpha: i32, empties: u32) -> i32 {
        C::compiled(
            #[inline(always)]
            |endgame: &mut Self, own, other, moves, alpha, (side, empties)| {
                endgame.middle_here(Board { own, other }, moves, side, alpha, empties)
            },
            self,
            board.own,
            board.other,
            moves,
            alpha,
            (side, empties),
        )
    }

    #[inline(always)]
    fn middle_here(&mut self, board: Board, moves: u64, side: Side, alpha: i32, empties: u32) -> i32 {
        if empties <= SHALLOW {
            return match empties {
                5.. => self.leaves.shallow(board.own, board.other, moves, alpha, empties),
                4 => self.leaves.four(board.own, board.other, alpha),
                _ => self.few(board),
            };
        }
        let nodes = std::mem::take(&mut self.leaves.nodes) + 1;
        if self.resources.visited(nodes) {
            return 0;
        }
        if let Some(most) = cut_by_stable(board.own, board.other, alpha, empties) {
            return most;
        }
        if moves == 0 {
            if C::moves(board.other, board.own) == 0 {
                return board.result();
            }
            return -self.middle(board.passed(), side.other(), -alpha - 1, empties);
        }
        let far = empties >= FAR;
        let key = if far { self.key(board, side) } else { 0 };
        let mut hash = NO_MOVE;
        let depth = empties as i32 + super::CERTAIN;
        let found = if far { self.look_up(key, side) } else { self.near.look_up(board) };
        if let Some(found) = found {
            if let Some(score) = found.cutoff(alpha, depth) {
                return score;
            }
            hash = found.best;
        }
        let odd = odd_quarters(board.empty());
        let mut children = ArrayVec::<_, MOST_MOVES>::new();
        // The order of each child, with its number in the lowest bits; the first child has the highest number.
        let mut orders = ArrayVec::<u32, MOST_MOVES>::new();
        for square in Squares(moves) {
            let after = board.after(square.bit(), C::flips(board.own, board.other, square.index()));
            let replies = C::moves(after.own, after.other);
            let known = if u16::from(square) == hash { MOST_ORDER } else { 0 };
            let order = MOST_ORDER + known + quick_order(after, replies, square, odd);
            orders.push((order as u32) << 8 | (0xff - children.len() as u32));
            children.push((after, replies, square));
        }
        if empties > FAR {
            let replies = children.iter().map(|&(after, ..)| after);
            if let Some(score) = self.known_reply(replies, side.other(), alpha, depth - 1) {
                return score;
            }
        }
        let mut best = NONE;
        let mut best_move = NO_MOVE;
        for _ in 0..children.len() {
            let next = 0xff - (orders.iter().fold(0, |most, &order| most.max(order)) & 0xff) as usize;
            let (after, replies, square) = children[next];
            orders[next] = 0;
            let score = -self.middle_with(after, replies, side.other(), -alpha - 1, empties - 1);
            if self.resources.stopped() {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, square.into());
                if best > alpha {
                    break;
                }
            }
        }
        let (bound, best_move) = if best > alpha { (Bound::Lower, best_move) } else { (Bound::Upper, NO_MOVE) };
        let found = Found { score: best, bound, depth, best: best_move };
        if far {
            self.remember(key, side, found);
        } else {
            self.near.remember(board, found);
        }
        best
    }

    /// Three empty squares or fewer: only for positions that start there.
    fn few(&mut self, board: Board) -> i32 {
        self.leaves.nodes += 1;
        let mut best = NONE;
        let legal: ArrayVec<_, MOST_MOVES> = board.moves_with_flips().collect();
        for (square, flips) in legal {
            best = best.max(-self.few(board.after(square.bit(), flips)));
        }
        match best {
            NONE if board.passed().moves() == 0 => board.result(),
            NONE => -self.few(board.passed()),
            best => best,
        }
    }
}

/// The order of a move by what it leaves the opponent (moves, corners, potential moves) and by the parity of its
/// region.
#[inline(always)]
pub(super) fn quick_order(after: Board, replies: u64, square: Square, odd: u64) -> i32 {
    let mobility = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
    let parity = (odd >> square.index() & 1) as i32;
    let corner = (CORNERS >> square.index() & 1) as i32;
    let room = potential(after.own, after.other).count_ones() as i32;
    -16 * mobility + 6 * parity + 10 * corner - 2 * room
}

/// The empty squares next to discs of `other`: potential moves of `own`.
#[inline(always)]
fn potential(own: u64, other: u64) -> u64 {
    let row = other | (other << 1 & 0xfefe_fefe_fefe_fefe) | (other >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    (row | row << 8 | row >> 8) & !(own | other)
}
