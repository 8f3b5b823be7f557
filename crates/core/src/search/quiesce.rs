//! The leaves: a position is searched on until the game calls it settled.

use super::evaluate::Evaluated;
use super::{Finding, MAX_PLY, Mode, NodeKind, Search};
use crate::game::{Evaluation, MoveSink, NO_MOVE, Proof, SearchGame, Settle};
use crate::score::Score;
use crate::table::{Bound, Entry};
use std::ops::ControlFlow::{self, Break, Continue};

/// What is known of a leaf before its moves are searched.
#[derive(Clone, Copy)]
struct Leaf {
    alpha: Score,
    beta: Score,
    /// The result is certain to lie within `low..=high`.
    low: Score,
    high: Score,
    ply: usize,
    /// Counts down from 0.
    depth: i32,
    /// The entry of the Search TT, and its score counted from the root.
    hash: Option<(Entry, Score)>,
    /// What the side to move has without a move, unless it is threatened.
    standing: Option<Evaluated>,
}

/// The best result of a leaf so far: at first what the side to move has without a move.
#[derive(Clone, Copy)]
struct LeafBest {
    score: Score,
    mv: u16,
    /// The static evaluation as the game gives it, where it was computed.
    raw_eval: Option<Score>,
}

impl<G: SearchGame> Search<'_, G> {
    /// The value of a position at the horizon; `depth` counts down from 0.
    pub fn quiesce<K: NodeKind, M: Mode>(&mut self, alpha: Score, beta: Score, ply: usize, depth: i32) -> Score {
        if self.count_node::<K>(ply) {
            return Score::ZERO;
        }
        if let Some(outcome) = self.game.ended(ply) {
            return self.outcome_score(outcome, ply);
        }
        if !M::SELECTIVE {
            return self.plain_leaf(ply);
        }
        self.worker.stats.quiescence += 1;
        let (low, high) = self.proof(false, depth, ply);
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        let hash = if self.params.tt_cutoff != 0 { self.probe(self.key(), 0, ply) } else { None };
        if let Some((entry, score)) = hash
            && !K::PV
            && entry.bound.answers(score, alpha, beta)
        {
            self.worker.stats.tt_cutoffs += 1;
            return score;
        }
        let mut leaf = Leaf { alpha, beta, low, high, ply, depth, hash, standing: None };
        if let Some(score) = self.stand_pat(&mut leaf) {
            return score;
        }
        let top = self.worker.moves.len();
        // The game has found nothing here before.
        let searched = hash.is_some_and(|(entry, _)| entry.is_evaluation());
        let settle = if searched { Settle::Quiet } else { self.settle(leaf, top) };
        let mut best = match self.settled_leaf(leaf, settle) {
            Continue(start) => start,
            Break(score) => return score,
        };
        let stopped = self.search_leaf_moves::<K, M>(leaf, top, &mut best);
        self.worker.moves.truncate(top);
        if stopped { Score::ZERO } else { self.conclude_leaf(leaf, best) }
    }

    /// The value of a leaf that is evaluated as it is.
    fn plain_leaf(&mut self, ply: usize) -> Score {
        // No move will be generated here, so an outcome that is expensive to see has to be asked for now.
        if let Some(outcome) = self.game.outcome() {
            return self.outcome_score(outcome, ply);
        }
        self.worker.stats.evaluations += 1;
        self.worker.eval.score(&self.game)
    }

    /// Unless there is a threat to meet, the side to move may do nothing. Mostly that is enough to beat beta.
    #[inline(always)]
    fn stand_pat(&mut self, leaf: &mut Leaf) -> Option<Score> {
        if self.game.threatened() {
            return None;
        }
        let mut eval = self.evaluate(leaf.hash, leaf.ply);
        eval.corrected = self.sharper_eval(leaf.hash, eval.corrected);
        leaf.standing = Some(eval);
        if eval.corrected >= leaf.beta { Some(eval.corrected.clamp(leaf.low, leaf.high)) } else { None }
    }

    /// Asks the game how to judge the position. The moves to search lie on the stack from `top` on.
    #[inline(always)]
    fn settle(&mut self, leaf: Leaf, top: usize) -> Settle {
        if self.params.settle == 0 || leaf.ply >= MAX_PLY - 1 {
            return Settle::Quiet;
        }
        let mut moves = std::mem::take(&mut self.worker.moves);
        let (game, mut resources) = self.lend();
        let settle = game.settle(leaf.depth, &mut resources, &mut MoveSink::new(&mut moves));
        self.worker.moves = moves;
        if !matches!(settle, Settle::Optional | Settle::Forced) {
            // Moves that the game put down before it decided otherwise do not count.
            self.worker.moves.truncate(top);
        }
        settle
    }

    /// The value of a leaf where the game gave no moves to search; else the score that the search of its moves starts
    /// from.
    #[inline(always)]
    fn settled_leaf(&mut self, leaf: Leaf, settle: Settle) -> ControlFlow<Score, LeafBest> {
        if settle == Settle::Forced {
            return Continue(LeafBest { score: -Score::INFINITE, mv: NO_MOVE, raw_eval: None });
        }
        let eval = match leaf.standing {
            Some(eval) => eval,
            None => self.evaluate(leaf.hash, leaf.ply),
        };
        let score = eval.corrected.clamp(leaf.low, leaf.high);
        match settle {
            Settle::Quiet => Break(score),
            Settle::Searched => {
                self.store_evaluation(self.key(), eval.raw);
                Break(score)
            }
            Settle::Proven(proof) => Break(self.proven_leaf(proof, score, eval.raw, leaf.ply)),
            Settle::Optional | Settle::Forced => {
                Continue(LeafBest { score: eval.corrected, mv: NO_MOVE, raw_eval: Some(eval.raw) })
            }
        }
    }

    /// The value of a leaf about which the game's solver has proven something. A win or a loss is stored, so that
    /// deeper searches of the position need not ask the game again.
    fn proven_leaf(&mut self, proof: Proof, score: Score, raw_eval: Score, ply: usize) -> Score {
        let (low, high) = self.bounds(proof, ply);
        let score = score.clamp(low, high);
        let bound = if low.is_win() { Some(Bound::Lower) } else { high.is_loss().then_some(Bound::Upper) };
        if let Some(bound) = bound {
            let finding = Finding { score, bound, eval: Some(raw_eval), best: proof.best, depth: 0 };
            self.store(self.key(), ply, finding);
        }
        score
    }

    /// Searches the moves that the game put down from `top` on; true if the search was stopped.
    #[inline(always)]
    fn search_leaf_moves<K: NodeKind, M: Mode>(&mut self, leaf: Leaf, top: usize, best: &mut LeafBest) -> bool {
        let Leaf { mut alpha, beta, ply, depth, .. } = leaf;
        if best.score >= beta {
            return false;
        }
        alpha = alpha.max(best.score);
        let end = self.worker.moves.len();
        if let Some((entry, _)) = leaf.hash.filter(|_| self.params.quiescence_hash != 0) {
            self.bring_forward(top, entry.best);
        }
        for next in top..end {
            let mv = self.take_best(next, end);
            if let Some(most) = self.most_after(leaf, mv)
                && most <= alpha
                && !best.score.is_loss()
            {
                best.score = best.score.max(most);
                continue;
            }
            let slot = self.slot_of(mv);
            let undo = self.play(mv, slot, ply);
            let score = -self.quiesce::<K, M>(-beta, -alpha, ply + 1, depth - 1);
            self.undo(mv, undo);
            if self.watch.stopped() {
                return true;
            }
            if score > best.score {
                best.score = score;
                if score > alpha {
                    best.mv = mv.into();
                    alpha = score;
                    if K::PV {
                        self.extend_line(mv, ply);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        false
    }

    /// Delta pruning: the most that a move can bring the evaluation to, where the game can tell.
    #[inline(always)]
    fn most_after(&self, leaf: Leaf, mv: G::Move) -> Option<Score> {
        if self.params.delta == 0 {
            return None;
        }
        let eval = leaf.standing?;
        let gain = self.game.gain(mv)?;
        Some(Score::eval(eval.corrected.value() + gain + self.params.delta_margin))
    }

    /// The value of a leaf whose moves were searched; remembers it.
    #[inline(always)]
    fn conclude_leaf(&mut self, leaf: Leaf, best: LeafBest) -> Score {
        let LeafBest { score, mv, raw_eval } = best;
        if score == -Score::INFINITE {
            // Forced, and nothing to play: the game is over, or every move was left out as hopeless.
            return match self.game.outcome() {
                Some(outcome) => self.outcome_score(outcome, leaf.ply),
                None => self.evaluate(leaf.hash, leaf.ply).corrected,
            };
        }
        let bound = Bound::of(score, leaf.alpha, leaf.beta);
        let finding = Finding { score, bound, eval: raw_eval, best: mv, depth: 0 };
        self.store(self.key(), leaf.ply, finding);
        score.clamp(leaf.low, leaf.high)
    }

    /// The move with these bits, if it is among those from `top` on, comes before all others.
    fn bring_forward(&mut self, top: usize, bits: u16) {
        let moves = &mut self.worker.moves[top..];
        if let Some(found) = moves.iter_mut().find(|scored| scored.mv.into() == bits) {
            found.score = i32::MAX;
        }
    }

    /// Brings the best of the moves from `next` on to the front and returns it.
    fn take_best(&mut self, next: usize, end: usize) -> G::Move {
        let moves = &mut self.worker.moves[next..end];
        let mut best = 0;
        for index in 1..moves.len() {
            if moves[index].score > moves[best].score {
                best = index;
            }
        }
        moves.swap(0, best);
        moves[0].mv
    }
}
