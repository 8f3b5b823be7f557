//! The leaves: a position is searched on until the game calls it settled.

use super::{Finding, MAX_PLY, Mode, NodeKind, Search};
use crate::game::{Evaluation, MoveSink, NO_MOVE, SearchGame, Settle};
use crate::score::Score;
use crate::table::Bound;

impl<G: SearchGame> Search<'_, G> {
    /// The value of a position at the horizon; `depth` counts down from 0.
    pub fn quiesce<K: NodeKind, M: Mode>(&mut self, mut alpha: Score, beta: Score, ply: usize, depth: i32) -> Score {
        if K::PV {
            self.worker.lines[ply].clear();
        }
        if self.watch.visit() {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply);
        if let Some(outcome) = self.game.ended(ply) {
            return self.outcome_score(outcome, ply);
        }
        if !M::SELECTIVE {
            // No move will be looked for here, so an end that is dear to see is asked for now.
            if let Some(outcome) = self.game.outcome() {
                return self.outcome_score(outcome, ply);
            }
            self.worker.stats.evaluations += 1;
            return self.worker.eval.score(&self.game);
        }
        self.worker.stats.quiescence += 1;
        let (low, high) = self.proof(false, depth, ply);
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        let hash = if self.params.tt_cutoff != 0 { self.probe(self.key(), ply) } else { None };
        if let Some((entry, score)) = hash
            && !K::PV
            && entry.bound.answers(score, alpha, beta)
        {
            self.worker.stats.tt_cutoffs += 1;
            return score;
        }
        // Unless there is a threat to meet, the side to move may leave it at what it has; mostly that is enough.
        let mut standing = None;
        if !self.game.threatened() {
            let mut eval = self.evaluate(hash, ply);
            eval.corrected = self.sharper_eval(hash, eval.corrected);
            if eval.corrected >= beta {
                return eval.corrected.clamp(low, high);
            }
            standing = Some(eval);
        }
        let top = self.worker.moves.len();
        let settle = if self.params.settle == 0 || ply >= MAX_PLY - 1 {
            Settle::Quiet
        } else {
            let mut moves = std::mem::take(&mut self.worker.moves);
            let (game, mut resources) = self.lend();
            let settle = game.settle(depth, &mut resources, &mut MoveSink::new(&mut moves));
            self.worker.moves = moves;
            if !matches!(settle, Settle::Optional | Settle::Forced) {
                // The game changed its mind about the moves it had put down.
                self.worker.moves.truncate(top);
            }
            settle
        };
        let mut raw = None;
        let mut best = if settle == Settle::Forced {
            -Score::INFINITE
        } else {
            let eval = standing.unwrap_or_else(|| self.evaluate(hash, ply));
            let score = eval.corrected.clamp(low, high);
            match settle {
                Settle::Quiet => return score,
                Settle::Searched => {
                    let finding = Finding { score, bound: Bound::Exact, eval: Some(eval.raw), best: NO_MOVE, depth: 0 };
                    self.store(self.key(), ply, finding);
                    return score;
                }
                Settle::Proven(proof) => {
                    let (low, high) = self.bounds(proof, ply);
                    let score = score.clamp(low, high);
                    let bound = if low.is_win() { Some(Bound::Lower) } else { high.is_loss().then_some(Bound::Upper) };
                    // Deeper searches of this position do not ask the game again.
                    if let Some(bound) = bound {
                        let finding = Finding { score, bound, eval: Some(eval.raw), best: proof.best, depth: 0 };
                        self.store(self.key(), ply, finding);
                    }
                    return score;
                }
                Settle::Optional | Settle::Forced => {
                    raw = Some(eval.raw);
                    eval.corrected
                }
            }
        };
        let mut best_move = NO_MOVE;
        let floor = alpha;
        if best < beta {
            alpha = alpha.max(best);
            let end = self.worker.moves.len();
            if let Some((entry, _)) = hash.filter(|_| self.params.quiescence_hash != 0) {
                self.bring_forward(top, entry.best);
            }
            for next in top..end {
                let mv = self.take_best(next, end);
                if self.params.delta != 0
                    && let Some(eval) = standing
                    && let Some(gain) = self.game.gain(mv)
                {
                    let most = Score::eval(eval.corrected.value() + gain + self.params.delta_margin);
                    if most <= alpha && !best.is_loss() {
                        best = best.max(most);
                        continue;
                    }
                }
                let slot = self.slot_of(mv);
                let undo = self.play(mv, slot, ply);
                let score = -self.quiesce::<K, M>(-beta, -alpha, ply + 1, depth - 1);
                self.undo(mv, undo);
                if self.watch.stopped() {
                    self.worker.moves.truncate(top);
                    return Score::ZERO;
                }
                if score > best {
                    best = score;
                    if score > alpha {
                        best_move = mv.into();
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
        }
        self.worker.moves.truncate(top);
        if best == -Score::INFINITE {
            // Forced, and nothing to play: the game is over, or every move was left out as hopeless.
            return match self.game.outcome() {
                Some(outcome) => self.outcome_score(outcome, ply),
                None => self.evaluate(hash, ply).corrected,
            };
        }
        let bound = Bound::of(best, floor, beta);
        self.store(self.key(), ply, Finding { score: best, bound, eval: raw, best: best_move, depth: 0 });
        best.clamp(low, high)
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
