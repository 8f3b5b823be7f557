//! What the game itself says about the result: outcomes, proofs, and endgames that its own solver plays out.

use super::Search;
use crate::game::{Outcome, Proof, SearchGame, Side, Unit};
use crate::score::Score;

impl<G: SearchGame> Search<'_, G> {
    /// The value of a position by the game's own endgame solver.
    pub fn play_out(&mut self, alpha: Score, beta: Score, depth: i32, ply: usize) -> Score {
        self.worker.lines[ply].clear();
        if self.watch.visit() {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply + self.game.horizon().max(0) as usize / 2);
        let mut resources = self.job.lend(&mut self.watch);
        self.game.finish(&mut self.worker.eval, (alpha, beta), depth, &mut resources)
    }

    /// What the game has proven about a node `ply` below the root: the score lies between these two.
    #[inline(always)]
    pub fn proof(&mut self, pv: bool, depth: i32, ply: usize) -> (Score, Score) {
        let (game, mut resources) = self.lend();
        resources.pv_ply = if pv { ply } else { usize::MAX };
        let proof = game.proof(depth, &mut resources);
        self.bounds(proof, ply)
    }

    /// A proof as scores of this search: win distances are from the root, and a draw has the value that contempt
    /// gives it. Where the result of a game is a number, 0 is not a draw but a result like any other.
    #[inline(always)]
    pub fn bounds(&self, proof: Proof, ply: usize) -> (Score, Score) {
        let draw = self.job.draw.for_side(self.game.side());
        if draw == Score::ZERO || !matches!(G::UNIT, Unit::Centi) {
            return (proof.low.from_root(ply), proof.high.from_root(ply));
        }
        let worth = |score: Score| if score == Score::ZERO { draw } else { score.from_root(ply) };
        (worth(proof.low), worth(proof.high))
    }

    /// A finished game as a score, `ply` below the root.
    pub fn outcome_score(&self, outcome: Outcome, ply: usize) -> Score {
        let side = self.game.side();
        match outcome {
            Outcome::Win(winner) if winner == side => Score::win_in(ply as i32),
            Outcome::Win(_) => Score::loss_in(ply as i32),
            Outcome::Draw => self.job.draw.for_side(side),
            Outcome::Points(points) => Score::eval(if side == Side::First { points } else { -points }),
        }
    }
}
