//! Pruning: nodes and moves that are not searched at all. None of these techniques ever claims a win or a loss: those
//! always come from moves that were searched.

use super::{Child, Finding, Mode, NonPv, Search};
use crate::game::{Class, MoveSink, NO_MOVE, SearchGame};
use crate::order::Picker;
use crate::params::SearchParams;
use crate::score::Score;
use crate::table::{Bound, Entry};

/// Nodes of this depth and more are treated alike.
const DEPTHS: usize = 64;

/// A node as the pruning techniques see it.
#[derive(Clone, Copy)]
pub(crate) struct Outlook {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    /// The corrected static evaluation.
    pub eval: Score,
    pub improving: bool,
    pub cut: bool,
    pub hash: Option<(Entry, Score)>,
}

/// Mate distance pruning: narrows the window to the scores that are possible at this ply. It becomes empty where a
/// shorter win was found elsewhere.
pub(crate) fn mate_distance(alpha: Score, beta: Score, ply: usize) -> (Score, Score) {
    (alpha.max(Score::loss_in(ply as i32)), beta.min(Score::win_in(ply as i32 + 1)))
}

/// Late move pruning: how many moves of a node are searched before quiet ones are left out.
pub(crate) struct LateMoves([[usize; 2]; DEPTHS]);

impl LateMoves {
    pub fn new(params: &SearchParams) -> Self {
        let power = f64::from(params.lmp_power) / 100.0;
        LateMoves(std::array::from_fn(|depth| {
            let all = 3 + (depth as f64).powf(power) as usize;
            if params.lmp == 0 || depth as i32 > params.lmp_depth { [usize::MAX; 2] } else { [all / 2, all] }
        }))
    }

    pub fn count(&self, depth: i32, improving: bool) -> usize {
        self.0[(depth.max(0) as usize).min(DEPTHS - 1)][usize::from(improving)]
    }
}

impl<G: SearchGame> Search<'_, G> {
    /// [Enhanced transposition cutoff]: if the table or the game already knows a move that beats beta, none has to be
    /// searched.
    ///
    /// [Enhanced transposition cutoff]: https://www.chessprogramming.org/Enhanced_Transposition_Cutoff
    pub fn enhanced_cutoff<M: Mode>(&mut self, beta: Score, depth: i32, ply: usize) -> Option<(Score, u16)> {
        if self.params.tt_cutoff == 0 {
            return None;
        }
        let top = self.worker.moves.len();
        for class in Class::ALL {
            let mut sink = MoveSink::new(&mut self.worker.moves);
            self.game.order(class, self.job.game_params, &mut sink);
        }
        let end = self.worker.moves.len();
        self.worker.children.clear();
        let mut found = None;
        for index in top..end {
            let mv = self.worker.moves[index].mv;
            let slot = self.slot_of(mv);
            let undo = self.play(mv, slot, ply);
            if self.game.ended(ply + 1).is_none() {
                let depth = (depth - 1).min(self.game.horizon());
                let child = Child { key: self.key(), side: self.game.side(), depth, bits: mv.into() };
                self.worker.children.push(child);
                let (_, high) = self.proof(false, depth, ply + 1);
                if high <= -beta {
                    found = Some((-high, mv.into()));
                }
            }
            self.undo(mv, undo);
            if found.is_some() {
                break;
            }
        }
        self.worker.moves.truncate(top);
        let found = found.or_else(|| self.known_child::<M>(beta, ply));
        self.worker.stats.etc_cutoffs += u64::from(found.is_some());
        found
    }

    /// A child whose entry beats beta. All entries were prefetched when the children were on the board: waiting for one
    /// after the other would cost more than the cutoffs are worth.
    fn known_child<M: Mode>(&mut self, beta: Score, ply: usize) -> Option<(Score, u16)> {
        for index in 0..self.worker.children.len() {
            let child = self.worker.children[index];
            self.worker.stats.etc_probes += 1;
            let Some(entry) = self.job.table.probe(child.key) else { continue };
            self.worker.stats.etc_hits += 1;
            let score = entry.score.for_side(child.side).from_root(ply + 1);
            let sufficient = Self::sufficient::<M>(&entry, score, child.depth);
            if entry.bound != Bound::Lower && score <= -beta && sufficient {
                return Some((-score, child.bits));
            }
        }
        None
    }

    /// All techniques that may end a node before its first move is searched.
    #[inline(always)]
    pub fn prune<M: Mode>(&mut self, node: Outlook) -> Option<Score> {
        if node.alpha.is_decisive() || node.beta.is_decisive() {
            return None;
        }
        if let Some(score) = self.razoring::<M>(node) {
            self.worker.stats.razoring_cutoffs += 1;
            return Some(score);
        }
        if !self.game.pressed()
            && let Some(score) = reverse_futility(self.params, node)
        {
            self.worker.stats.reverse_futility_cutoffs += 1;
            return Some(score);
        }
        if let Some(score) = self.null_move::<M>(node) {
            self.worker.stats.null_cutoffs += 1;
            return Some(score);
        }
        if let Some(score) = self.multi_probcut::<M>(node).or_else(|| self.probcut::<M>(node)) {
            self.worker.stats.probcut_cutoffs += 1;
            return Some(score);
        }
        if let Some(score) = self.counted_multicut::<M>(node) {
            self.worker.stats.multicut_cutoffs += 1;
            return Some(score);
        }
        None
    }

    /// [Multicut] by counting: where several of the first moves beat beta at reduced depth, one of them will at full
    /// depth.
    ///
    /// [Multicut]: https://www.chessprogramming.org/Multi-Cut
    fn counted_multicut<M: Mode>(&mut self, node: Outlook) -> Option<Score> {
        let params = self.params;
        if params.multicut_counted == 0 || !node.cut || node.depth < params.multicut_counted_depth {
            return None;
        }
        let mark = self.worker.mark();
        let hash_move = node.hash.map_or(NO_MOVE, |(entry, _)| entry.best);
        let mut picker = Picker::new(mark.moves, node.ply, hash_move, self.refutations(node.ply));
        let depth = node.depth - 1 - params.multicut_counted_reduction;
        let mut needed = if node.depth < 8 { 2 } else { 3 };
        for _ in 0..params.multicut_counted_moves {
            let Some((mv, _)) = picker.next(&mut self.source(), false, false) else { break };
            let slot = self.slot_of(mv);
            let undo = self.play(mv, slot, node.ply);
            let score = -self.node::<NonPv, M>(-node.beta, -node.beta + 1, depth, node.ply + 1, false);
            self.undo(mv, undo);
            if self.watch.stopped() {
                break;
            }
            needed -= i32::from(score >= node.beta);
            if needed == 0 {
                break;
            }
        }
        self.worker.release(mark);
        (needed == 0).then_some(node.beta)
    }

    /// Razoring: the evaluation is so far below alpha that only tactics could help, so quiescence decides.
    fn razoring<M: Mode>(&mut self, node: Outlook) -> Option<Score> {
        let params = self.params;
        let margin = razoring_margin(params, node.depth);
        if params.razoring == 0 || node.depth > params.razoring_depth || node.eval + margin > node.alpha {
            return None;
        }
        let score = self.quiesce::<NonPv, M>(node.alpha, node.alpha + 1, node.ply, 0);
        (score <= node.alpha && !score.is_decisive()).then_some(score)
    }

    /// Null move: if a pass beats beta, a move will. At great depths a search without null moves verifies it.
    fn null_move<M: Mode>(&mut self, node: Outlook) -> Option<Score> {
        let params = self.params;
        let applies = params.null_move != 0
            && node.depth >= 3
            && node.eval >= node.beta
            && node.ply >= self.null_ply
            // Never two in a row, which would be the same position at less depth.
            && (node.ply == 0 || self.worker.path.last(node.ply) != 0);
        if !applies {
            return None;
        }
        let reduction = params.null_move_base
            + node.depth / params.null_move_divisor
            + ((node.eval - node.beta) / params.reverse_futility_margin.max(1)).clamp(0, 3);
        let undo = self.game.play_null()?;
        self.worker.stats.null_tries += 1;
        self.worker.path.play(node.ply, 0);
        let below = node.depth - reduction;
        let score = -self.node::<NonPv, M>(-node.beta, -node.beta + 1, below, node.ply + 1, !node.cut);
        self.game.undo_null(undo);
        if self.watch.stopped() || score < node.beta {
            return None;
        }
        // A win against a side that passed proves nothing.
        let score = if score.is_decisive() { node.beta } else { score };
        if node.depth < params.null_move_verify || self.null_ply > 0 {
            return Some(score);
        }
        self.null_ply = node.ply + (3 * below.max(0) / 4) as usize + 1;
        let verified = self.node::<NonPv, M>(node.beta - 1, node.beta, below, node.ply, false);
        self.null_ply = 0;
        (verified >= node.beta).then_some(score)
    }

    /// ProbCut: a good tactical move that beats beta by a margin at reduced depth will beat beta at full depth.
    fn probcut<M: Mode>(&mut self, node: Outlook) -> Option<Score> {
        let params = self.params;
        if params.probcut == 0 || node.depth < params.probcut_depth {
            return None;
        }
        let bar = Score::eval((node.beta + params.probcut_margin).value());
        // If a search almost as deep stayed below the bar, there is no such move.
        let below = |(entry, score): (Entry, Score)| i32::from(entry.depth) >= node.depth - 3 && score < bar;
        if node.hash.is_some_and(below) {
            return None;
        }
        let top = self.worker.moves.len();
        self.game.order(Class::Tactical, self.job.game_params, &mut MoveSink::new(&mut self.worker.moves));
        let end = self.worker.moves.len();
        let mut found = None;
        for index in top..end {
            let candidate = self.worker.moves[index];
            if candidate.score < 0 || self.game.loses_exchange(candidate.mv, node.eval - bar) {
                continue;
            }
            let slot = self.slot_of(candidate.mv);
            let undo = self.play(candidate.mv, slot, node.ply);
            let mut score = -self.quiesce::<NonPv, M>(-bar, -bar + 1, node.ply + 1, 0);
            if score >= bar {
                score = -self.node::<NonPv, M>(-bar, -bar + 1, node.depth - 4, node.ply + 1, !node.cut);
            }
            self.undo(candidate.mv, undo);
            if self.watch.stopped() {
                break;
            }
            if score >= bar {
                let depth = node.depth - 3;
                let finding = Finding { score, bound: Bound::Lower, eval: None, best: candidate.mv.into(), depth };
                self.store(self.key(), node.ply, finding);
                found = Some(score);
                break;
            }
        }
        self.worker.moves.truncate(top);
        found
    }

    /// Multi-ProbCut: the game predicts the result of a deep search by a shallow one. The node is cut where the
    /// prediction lies outside the window by a margin ([Buro, ProbCut]).
    ///
    /// [Buro, ProbCut]: https://skatgame.net/mburo/ps/probcut.pdf
    fn multi_probcut<M: Mode>(&mut self, node: Outlook) -> Option<Score> {
        let params = self.params;
        if params.multi_probcut == 0 {
            return None;
        }
        let mut attempt = 0;
        while let Some(prediction) = self.game.prediction(&self.worker.eval, node.depth, attempt) {
            attempt += 1;
            if prediction.depth >= node.depth {
                continue;
            }
            let margin = params.multi_probcut_percent * prediction.error / 100;
            let high = Score::eval((node.beta + margin - prediction.bias).value());
            if node.eval >= high - prediction.error
                && self.node::<NonPv, M>(high - 1, high, prediction.depth, node.ply, node.cut) >= high
                && !self.watch.stopped()
            {
                return Some(node.beta);
            }
            let low = Score::eval((node.alpha - margin - prediction.bias).value());
            if node.eval <= low + prediction.error
                && self.node::<NonPv, M>(low, low + 1, prediction.depth, node.ply, node.cut) <= low
                && !self.watch.stopped()
            {
                return Some(node.alpha);
            }
        }
        None
    }
}

/// How far below alpha the evaluation must be for razoring.
fn razoring_margin(params: &SearchParams, depth: i32) -> i32 {
    let deep = (depth - 3).max(0) * params.razoring_margin * params.razoring_deep_percent / 100;
    params.razoring_base + params.razoring_margin * depth.min(3) + deep
}

/// Reverse futility: the evaluation is so far above beta that the opponent can't catch up within the remaining depth.
fn reverse_futility(params: &SearchParams, node: Outlook) -> Option<Score> {
    let margin = params.reverse_futility_margin * (node.depth - i32::from(node.improving)).max(0);
    let applies =
        params.reverse_futility != 0 && node.depth <= params.reverse_futility_depth && node.eval - margin >= node.beta;
    // Halfway to beta: the evaluation itself would promise too much to the nodes above.
    applies.then(|| Score::eval((node.eval.value() + node.beta.value()) / 2))
}

/// Futility: a quiet move can't raise the evaluation to alpha within the remaining depth.
pub(crate) fn futile(params: &SearchParams, eval: Score, alpha: Score, depth: i32) -> bool {
    params.futility != 0
        && depth <= params.futility_depth
        && !alpha.is_decisive()
        && eval + params.futility_base + params.futility_margin * depth <= alpha
}

/// If all likely moves of a node lose, its unlikely ones are searched too, to prove the loss. Near the leaves that
/// costs more than it is worth: there the node gets the worst heuristic score instead, which proves nothing. Where
/// the window lies among lost scores, only a proof counts.
pub(crate) fn worth_proving(params: &SearchParams, alpha: Score, beta: Score, depth: i32) -> bool {
    depth >= params.prove_depth || alpha.is_loss() || beta.is_loss()
}

/// History pruning: a quiet move that was refuted again and again will hardly do better here.
pub(crate) fn often_refuted(params: &SearchParams, history: i32, depth: i32) -> bool {
    params.history_pruning != 0
        && depth <= params.history_pruning_depth
        && history < -params.history_pruning_margin * depth
}

/// What the exchange that a move begins may lose if the move is still to be searched at this depth.
pub(crate) fn exchange_margin(params: &SearchParams, class: Class, depth: i32) -> Option<i32> {
    let margin = match class {
        Class::Quiet => params.exchange_quiet,
        Class::Tactical => params.exchange_tactical,
        Class::Forced | Class::Remote => return None,
    };
    (params.exchange != 0 && depth <= params.exchange_depth).then_some(margin * depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_move_counts_follow_the_formula() {
        let late = LateMoves::new(&SearchParams::default());
        assert_eq!([1, 2, 3, 6].map(|depth| late.count(depth, true)), [4, 7, 12, 39]);
        assert_eq!([1, 2, 3, 6].map(|depth| late.count(depth, false)), [2, 3, 6, 19]);
        assert_eq!(late.count(7, true), usize::MAX);
    }

    #[test]
    fn margins_of_razoring_grow_by_another_step_beyond_depth_3() {
        let steady = SearchParams::default();
        assert_eq!([1, 2, 3, 4].map(|depth| razoring_margin(&steady, depth)), [250, 500, 750, 1000]);
        let slow =
            SearchParams { razoring_base: 150, razoring_margin: 100, razoring_deep_percent: 50, ..steady.clone() };
        let margins = [1, 2, 3, 4, 5, 6, 7].map(|depth| razoring_margin(&slow, depth));
        assert_eq!(margins, [250, 350, 450, 500, 550, 600, 650]);
    }

    #[test]
    fn near_the_leaves_a_loss_is_proven_only_where_nothing_else_counts() {
        let params = SearchParams { prove_depth: 4, ..SearchParams::default() };
        let (alpha, beta) = (Score::ZERO, Score::eval(1));
        assert!(!worth_proving(&params, alpha, beta, 3) && worth_proving(&params, alpha, beta, 4));
        assert!(worth_proving(&params, Score::loss_in(9), beta, 1));
        assert!(worth_proving(&SearchParams::default(), alpha, beta, 1));
    }

    #[test]
    fn a_win_at_hand_leaves_no_window_deeper_down() {
        let (alpha, beta) = mate_distance(Score::win_in(3), Score::INFINITE, 4);
        assert!(alpha >= beta);
        let (alpha, beta) = mate_distance(-Score::INFINITE, Score::INFINITE, 4);
        assert_eq!((alpha, beta), (Score::loss_in(4), Score::win_in(5)));
    }
}
