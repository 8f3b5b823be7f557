//! One node of the search: [principal variation search] with everything around it.
//!
//! [`Search::node`] reads as the algorithm. Each step is a function that may answer for the node; the loop over the
//! moves is in `moves.rs`.
//!
//! All steps that take a [`Node`] are inlined, so that its fields stay in registers. A function that is not inlined
//! gets plain values instead: a reference would force the whole node into memory, which costs 2 % of all instructions.
//!
//! [principal variation search]: https://www.chessprogramming.org/Principal_Variation_Search

use super::moves::MovesResult;
use super::prune::{Outlook, mate_distance};
use super::reduce::internal_iterative;
use super::{Finding, MAX_PLY, Mode, NodeKind, Search};
use crate::game::{NO_MOVE, SearchGame};
use crate::score::Score;
use crate::table::{Bound, Entry};

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The window that was asked for.
    pub window: (Score, Score),
    /// The window that is left of it where the result is certain to lie within `low..=high`.
    pub alpha: Score,
    pub beta: Score,
    pub low: Score,
    pub high: Score,
    pub depth: i32,
    pub ply: usize,
    /// A cutoff is expected.
    pub cut: bool,
    /// The move that a singular search leaves out.
    pub excluded: u16,
    /// The side to move faces a threat, so the static evaluation means little.
    pub threatened: bool,
    pub key: u64,
    /// The result goes into the Search TT, and may come from there.
    pub remembered: bool,
    /// The entry of the Search TT, and its score counted from the root.
    pub hash: Option<(Entry, Score)>,
    /// The static evaluation as the game gives it.
    pub raw_eval: Option<Score>,
    /// The static evaluation, corrected.
    pub eval: Option<Score>,
    /// The evaluation is better than two plies ago.
    pub improving: bool,
}

impl Node {
    fn new((alpha, beta): (Score, Score), depth: i32, ply: usize, cut: bool) -> Node {
        Node {
            window: (alpha, beta),
            alpha,
            beta,
            low: -Score::INFINITE,
            high: Score::INFINITE,
            depth,
            ply,
            cut,
            excluded: NO_MOVE,
            threatened: false,
            key: 0,
            remembered: false,
            hash: None,
            raw_eval: None,
            eval: None,
            improving: false,
        }
    }

    /// The bits of the hash move.
    pub fn hash_move(&self) -> u16 {
        self.hash.map_or(NO_MOVE, |(entry, _)| entry.best)
    }
}

impl<G: SearchGame> Search<'_, G> {
    /// The value of the position for the side to move, fail-soft within the window.
    ///
    /// `cut` says that a cutoff is expected here. When the search was stopped the value means nothing.
    pub fn node<K: NodeKind, M: Mode>(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        if G::FINISHES && M::SELECTIVE && !K::ROOT && self.game.certainty(depth).is_some() {
            return self.play_out(alpha, beta, depth, ply);
        }
        let mut node = Node::new((alpha, beta), depth, ply, cut);
        if M::SELECTIVE {
            node.excluded = self.frame(ply).excluded;
            node.threatened = self.game.threatened();
            if node.excluded == NO_MOVE && !K::ROOT {
                node.depth += self.threat_extension(node.threatened, ply);
            }
        }
        if M::HORIZON && node.depth <= 0 {
            return self.quiesce::<K, M>(alpha, beta, ply, 0);
        }
        if self.count_node::<K>(ply) {
            return Score::ZERO;
        }
        if let Some(score) = self.narrow_by_game::<K, M>(&mut node) {
            return score;
        }
        // Beyond the last possible move of the game, more depth changes nothing.
        node.depth = node.depth.min(self.game.horizon());
        if let Some(score) = self.look_up::<K, M>(&mut node) {
            return score;
        }
        if M::SELECTIVE {
            self.evaluate_node(&mut node);
            if let Some(score) = self.prune_node::<K, M>(&node) {
                return score;
            }
            node.depth -= internal_iterative(self.params, node.depth, node.hash_move() != NO_MOVE, K::PV || cut);
        }
        if let Some(score) = self.enhanced_transposition_cutoff::<K, M>(&node) {
            return score;
        }
        let mut found = MovesResult::new(node.alpha);
        if let Some(score) = self.search_moves::<K, M>(&node, &mut found) {
            return score;
        }
        self.conclude::<K, M>(&node, &found)
    }

    /// Counts a node; true when the search must stop.
    #[inline(always)]
    pub(super) fn count_node<K: NodeKind>(&mut self, ply: usize) -> bool {
        if K::PV {
            self.worker.lines[ply].clear();
        }
        if self.watch.visit() {
            return true;
        }
        self.seldepth = self.seldepth.max(ply);
        false
    }

    /// The value of the node, if the rules or the game's proofs decide it; else narrows the window to what they leave
    /// open.
    #[inline(always)]
    fn narrow_by_game<K: NodeKind, M: Mode>(&mut self, node: &mut Node) -> Option<Score> {
        if K::ROOT {
            return None;
        }
        if let Some(outcome) = self.game.ended(node.ply) {
            return Some(self.outcome_score(outcome, node.ply));
        }
        if M::HORIZON && node.ply >= MAX_PLY {
            return Some(self.evaluate(None, node.ply).corrected);
        }
        if self.params.mate_distance != 0 {
            (node.alpha, node.beta) = mate_distance(node.alpha, node.beta, node.ply);
            if node.alpha >= node.beta {
                return Some(node.alpha);
            }
        }
        if M::PROOFS {
            let (low, high) = self.proof(K::PV, node.depth, node.ply);
            if low >= node.beta || high <= node.alpha || low == high {
                self.worker.stats.proof_cutoffs += 1;
                return Some(if high <= node.alpha { high } else { low });
            }
            (node.low, node.high) = (low, high);
            node.alpha = node.alpha.max(low);
            node.beta = node.beta.min(high);
        }
        None
    }

    /// Looks up the node in the Search TT; the score of its entry, if it is sufficient for this depth and window.
    #[inline(always)]
    fn look_up<K: NodeKind, M: Mode>(&mut self, node: &mut Node) -> Option<Score> {
        let params = self.params;
        node.remembered = node.excluded == NO_MOVE && (M::HORIZON || node.depth >= params.solve_tt_depth);
        node.key = self.key();
        node.hash = if node.remembered { self.probe(node.key, node.depth, node.ply) } else { None };
        let (entry, score) = node.hash?;
        if K::PV
            || params.tt_cutoff == 0
            || !Self::sufficient::<M>(&entry, score, node.depth)
            || !entry.bound.answers(score, node.alpha, node.beta)
        {
            return None;
        }
        self.worker.stats.tt_cutoffs += 1;
        Some(score)
    }

    /// Evaluates the position, unless the side to move is threatened, and compares with two plies ago.
    #[inline(always)]
    fn evaluate_node(&mut self, node: &mut Node) {
        if !node.threatened {
            let found = self.evaluate(node.hash, node.ply);
            node.raw_eval = Some(found.raw);
            node.eval = Some(found.corrected);
        }
        self.frame(node.ply).eval = node.eval;
        node.improving = self.params.improving != 0 && node.eval > self.two_plies_before(node.ply).eval;
    }

    /// A score by one of the techniques that end a node before its first move, or any score if the search was stopped.
    #[inline(always)]
    fn prune_node<K: NodeKind, M: Mode>(&mut self, node: &Node) -> Option<Score> {
        if K::PV || node.excluded != NO_MOVE {
            return None;
        }
        let eval = self.sharper_eval(node.hash, node.eval?);
        let &Node { alpha, beta, depth, ply, improving, cut, hash, .. } = node;
        let score = self.prune::<M>(Outlook { alpha, beta, depth, ply, eval, improving, cut, hash });
        score.or_else(|| self.watch.stopped().then_some(Score::ZERO))
    }

    /// A score above beta, where a child of the node is known to be so bad for the opponent.
    #[inline(always)]
    fn enhanced_transposition_cutoff<K: NodeKind, M: Mode>(&mut self, node: &Node) -> Option<Score> {
        let params = self.params;
        if !M::PROOFS || K::PV || node.excluded != NO_MOVE || node.depth < params.etc_depth || params.etc == 0 {
            return None;
        }
        let (score, best) = self.enhanced_cutoff::<M>(node.beta, node.depth, node.ply)?;
        let finding = Finding { score, bound: Bound::Lower, eval: node.raw_eval, best, depth: node.depth };
        self.store(node.key, node.ply, finding);
        Some(score)
    }

    /// The value of a node whose moves were searched; remembers it and learns from it.
    #[inline(always)]
    fn conclude<K: NodeKind, M: Mode>(&mut self, node: &Node, found: &MovesResult) -> Score {
        if found.number == 0 {
            return self.without_moves(node);
        }
        let best = if found.unproven_loss { -Score::MAX_EVAL } else { found.best }.max(node.low).min(node.high);
        if node.remembered && (!K::ROOT || self.whole_root()) {
            let bound = Bound::of(best, node.window.0, node.window.1);
            let finding = Finding { score: best, bound, eval: node.raw_eval, best: found.best_move, depth: node.depth };
            self.store(node.key, node.ply, finding);
            if M::SELECTIVE
                && found.best_is_quiet
                && !found.unproven_loss
                && let Some(eval) = node.eval
            {
                self.learn_error(eval, best, bound, node.depth, node.ply);
            }
        }
        best
    }

    /// The value of a node where no move was searched.
    #[inline(always)]
    fn without_moves(&mut self, node: &Node) -> Score {
        if node.excluded != NO_MOVE {
            return node.alpha;
        }
        match self.game.outcome() {
            Some(outcome) => self.outcome_score(outcome, node.ply),
            // Every move was left out as hopeless; all that is certain is what the game said.
            None => self.evaluate(node.hash, node.ply).corrected.clamp(node.low, node.high),
        }
    }
}
