//! The moves of a node: which come next, which are left out, and how deep each is searched.

use super::extend::Singular;
use super::learn::Cutoff;
use super::node::Node;
use super::prune::{exchange_margin, futile, often_refuted, worth_proving};
use super::reduce::{Lateness, likely_high};
use super::worker::Mark;
use super::{Mode, NodeKind, NonPv, Pv, Search};
use crate::busy::Visit;
use crate::game::{Class, NO_MOVE, SearchGame};
use crate::order::{Picker, Refutations, Slot, Source};
use crate::score::Score;

/// How the moves of a node are searched.
#[derive(Clone, Copy)]
struct Plan {
    /// The bits of the hash move.
    hash_move: u16,
    /// The hash move is a tactical one.
    hash_tactical: bool,
    refutations: Refutations,
    /// Moves that other threads are searching are put off.
    sharing: bool,
    /// If all likely moves lose, the unlikely ones are searched as well, to prove the loss.
    proving: bool,
    /// The game's own solver searches below this root, so late moves are not reduced.
    finishing: bool,
    /// A cutoff is almost certain: quiet moves are searched a ply less deep.
    hasty: bool,
}

/// A move to search.
#[derive(Clone, Copy)]
struct Candidate<M> {
    mv: M,
    class: Class,
    /// Its place in the order, from 1.
    number: usize,
    slot: Slot,
    /// The history of a quiet move.
    history: i32,
    visit: Visit,
}

/// What the moves searched so far have shown.
#[derive(Clone, Copy)]
pub(super) struct MovesResult {
    pub alpha: Score,
    pub best: Score,
    /// The move that raised alpha last.
    pub best_move: u16,
    pub best_is_quiet: bool,
    /// How many moves there were, those left out as hopeless included.
    pub number: usize,
    /// Quiet moves are left out from now on.
    skip_quiets: bool,
    /// The moves are forced ones, so that they are all there is.
    forced: bool,
    /// All moves lose, but not all were searched.
    pub unproven_loss: bool,
}

impl<M: Into<u16>> Candidate<M> {
    /// As the move that caused a cutoff.
    #[inline(always)]
    fn cutoff(self, node: &Node) -> Cutoff {
        let Candidate { slot, class, number, .. } = self;
        Cutoff { bits: self.mv.into(), slot, class, depth: node.depth, ply: node.ply, number }
    }
}

impl MovesResult {
    pub fn new(alpha: Score) -> MovesResult {
        MovesResult {
            alpha,
            best: -Score::INFINITE,
            best_move: NO_MOVE,
            best_is_quiet: true,
            number: 0,
            skip_quiets: false,
            forced: false,
            unproven_loss: false,
        }
    }
}

impl<G: SearchGame> Search<'_, G> {
    /// Searches the moves of a node. A score ends the node at once: several moves beat beta, or the search was stopped.
    #[inline(always)]
    pub(super) fn search_moves<K: NodeKind, M: Mode>(&mut self, node: &Node, found: &mut MovesResult) -> Option<Score> {
        let plan = self.plan::<K, M>(node);
        let mark = self.worker.mark();
        let picker = if M::PROOFS {
            Picker::new(mark.moves, node.ply, plan.hash_move, plan.refutations)
        } else {
            Picker::all(mark.moves, node.ply, plan.hash_move, &mut self.source())
        };
        let score = self.try_moves::<K, M>(node, plan, picker, mark, found);
        self.worker.release(mark);
        if score.is_some() {
            return score;
        }
        found.unproven_loss = found.best.is_loss() && !plan.proving && !found.forced;
        None
    }

    #[inline(always)]
    fn plan<K: NodeKind, M: Mode>(&mut self, node: &Node) -> Plan {
        let params = self.params;
        let &Node { alpha, beta, depth, ply, cut, eval, .. } = node;
        let hash_move = node.hash_move();
        Plan {
            hash_move,
            // Elsewhere than at the root, the hash move comes first, and its class is known then.
            hash_tactical: M::SELECTIVE
                && K::ROOT
                && self.game.decode(hash_move).is_some_and(|mv| self.game.class(mv) == Class::Tactical),
            // Where every bound must be proven, the game's own order is better than killers from other nodes.
            refutations: if M::SELECTIVE { self.refutations(ply) } else { Refutations::NONE },
            sharing: !K::ROOT && depth >= self.defer_depth,
            proving: !M::SELECTIVE || K::PV || worth_proving(params, alpha, beta, depth),
            finishing: G::FINISHES && K::ROOT && M::SELECTIVE && self.game.certainty(depth).is_some(),
            hasty: M::SELECTIVE
                && !K::PV
                && cut
                && matches!(eval, Some(eval) if likely_high(params, eval, beta, depth)),
        }
    }

    #[inline(always)]
    fn try_moves<K: NodeKind, M: Mode>(
        &mut self,
        node: &Node,
        mut plan: Plan,
        mut picker: Picker,
        mark: Mark,
        found: &mut MovesResult,
    ) -> Option<Score> {
        while let Some((mv, class, put_off)) = self.next_move::<K, M>(&plan, &mut picker, mark, found) {
            let bits: u16 = mv.into();
            if bits == node.excluded {
                continue;
            }
            if M::SELECTIVE && !K::ROOT && bits == plan.hash_move {
                plan.hash_tactical = class == Class::Tactical;
            }
            let visit = if plan.sharing { Visit::of(node.key, bits) } else { Visit::NONE };
            if plan.sharing && !put_off && found.number > 0 && self.job.busy.contains(visit) {
                self.worker.deferred.push((mv, class));
                continue;
            }
            let candidate = self.candidate::<M>(mv, class, visit, node.ply, found);
            if M::SELECTIVE && !K::ROOT && self.is_pruned(node, &plan, candidate, found) {
                self.worker.stats.pruned_moves += 1;
                continue;
            }
            let mut extension = 0;
            if M::SELECTIVE && !K::ROOT && bits == plan.hash_move && node.excluded == NO_MOVE {
                match self.singular::<K, M>(node.hash, node.beta, node.depth, node.ply, node.cut) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Some(score),
                }
                if self.watch.stopped() {
                    return Some(Score::ZERO);
                }
            }
            let score = self.search_move::<K, M>(node, &plan, candidate, found.alpha, extension);
            if self.watch.stopped() {
                return Some(Score::ZERO);
            }
            if self.record_score::<K, M>(node, candidate, score, found) {
                self.learn_cutoff(candidate.cutoff(node), mark.tried);
                break;
            }
        }
        None
    }

    /// The next move, its class, and whether it was put off before.
    #[inline(always)]
    fn next_move<K: NodeKind, M: Mode>(
        &mut self,
        plan: &Plan,
        picker: &mut Picker,
        mark: Mark,
        found: &MovesResult,
    ) -> Option<(G::Move, Class, bool)> {
        let next = if K::ROOT {
            let root = self.worker.root_moves.get(self.pv_index + found.number);
            root.map(|root| (root.mv, self.game.class(root.mv)))
        } else {
            let remote = !M::SELECTIVE || (found.best.is_loss() && plan.proving);
            picker.next(&mut self.source(), found.skip_quiets, remote)
        };
        match next {
            Some((mv, class)) => Some((mv, class, false)),
            None if plan.sharing => self.worker.next_deferred(mark).map(|(mv, class)| (mv, class, true)),
            None => None,
        }
    }

    /// Counts a move and looks up what was learned about it.
    #[inline(always)]
    fn candidate<M: Mode>(
        &mut self,
        mv: G::Move,
        class: Class,
        visit: Visit,
        ply: usize,
        found: &mut MovesResult,
    ) -> Candidate<G::Move> {
        found.number += 1;
        found.forced |= M::SELECTIVE && class == Class::Forced;
        let slot = self.slot_of(mv);
        let mut history = 0;
        if M::SELECTIVE && class == Class::Quiet {
            let worker = &*self.worker;
            let context = worker.path.context(ply);
            history = worker.history.plain(class, slot) + worker.history.continued(context, slot);
        }
        Candidate { mv, class, number: found.number, slot, history, visit }
    }

    /// The move is not worth a search; if it is a quiet one, neither are the quiet moves behind it.
    #[inline(always)]
    fn is_pruned(&mut self, node: &Node, plan: &Plan, candidate: Candidate<G::Move>, found: &mut MovesResult) -> bool {
        // A loss is proven only when every move was searched: pruning begins after one that does not lose.
        let losing = found.best.is_loss();
        if candidate.number == 1 || (losing && plan.proving) {
            return false;
        }
        let hopeless = candidate.class == Class::Quiet
            && !node.threatened
            && self.is_hopeless(node, candidate, found.alpha, losing);
        found.skip_quiets |= hopeless;
        hopeless || (!losing && self.loses_material(candidate, node.depth))
    }

    /// A quiet move that comes too late, was refuted too often, or can't reach alpha. Where all moves so far are
    /// `losing`, only coming too late counts against it.
    #[inline(always)]
    fn is_hopeless(&self, node: &Node, candidate: Candidate<G::Move>, alpha: Score, losing: bool) -> bool {
        let &Node { depth, eval, improving, .. } = node;
        if self.game.forcing(candidate.mv) {
            return false;
        }
        if candidate.number > self.job.reductions.late_moves.count(depth, improving || losing) {
            return true;
        }
        if losing {
            return false;
        }
        let refuted = often_refuted(self.params, candidate.history, depth);
        refuted || matches!(eval, Some(eval) if futile(self.params, eval, alpha, depth))
    }

    /// The exchanges that a move begins lose too much.
    #[inline(always)]
    fn loses_material(&self, candidate: Candidate<G::Move>, depth: i32) -> bool {
        exchange_margin(self.params, candidate.class, depth)
            .is_some_and(|margin| self.game.loses_exchange(candidate.mv, margin))
    }

    /// Searches a move, and lets the other threads and the root know.
    #[inline(always)]
    fn search_move<K: NodeKind, M: Mode>(
        &mut self,
        node: &Node,
        plan: &Plan,
        candidate: Candidate<G::Move>,
        alpha: Score,
        extension: i32,
    ) -> Score {
        if plan.sharing {
            self.job.busy.enter(candidate.visit);
        }
        if K::PV {
            // Null-window nodes leave no line, so what is there would be the line of an earlier move.
            self.worker.lines[node.ply + 1].clear();
        }
        let nodes_before = self.watch.nodes;
        let mut score = self.descend::<K, M>(node, plan, candidate, alpha, extension);
        if plan.sharing {
            self.job.busy.leave(candidate.visit);
        }
        if K::ROOT && !self.watch.stopped() {
            let nodes = self.watch.nodes - nodes_before;
            if M::SELECTIVE {
                score = self.within_proof(candidate.number - 1, score);
            }
            self.record_root_move(candidate.number - 1, score, (alpha, node.beta), nodes);
        }
        score
    }

    /// The value of a move: the first one in the whole window, the others by [`Search::later_move`].
    #[inline(always)]
    fn descend<K: NodeKind, M: Mode>(
        &mut self,
        node: &Node,
        plan: &Plan,
        candidate: Candidate<G::Move>,
        alpha: Score,
        extension: i32,
    ) -> Score {
        let &Node { beta, ply, cut, .. } = node;
        let undo = self.play(candidate.mv, candidate.slot, ply);
        let depth = node.depth - 1 + extension - i32::from(plan.hasty && candidate.class == Class::Quiet);
        let score = if !K::PV && (candidate.number == 1 || !M::SELECTIVE) {
            -self.node::<NonPv, M>(-beta, -alpha, depth, ply + 1, !cut)
        } else if candidate.number == 1 {
            -self.node::<Pv, M>(-beta, -alpha, depth, ply + 1, false)
        } else {
            let reduction = if M::SELECTIVE { self.reduction::<K>(node, plan, candidate, depth) } else { 0 };
            self.later_move::<K, M>(alpha, beta, depth, reduction, ply, cut)
        };
        self.undo(candidate.mv, undo);
        score
    }

    /// How many plies less deep a move after the first is searched.
    #[inline(always)]
    fn reduction<K: NodeKind>(&self, node: &Node, plan: &Plan, candidate: Candidate<G::Move>, depth: i32) -> i32 {
        let params = self.params;
        if (candidate.class == Class::Forced && params.lmr_forced == 0) || plan.finishing {
            return 0;
        }
        let lateness = Lateness {
            depth,
            number: candidate.number,
            pv: K::PV,
            cut: node.cut,
            improving: node.improving,
            tactical: candidate.class == Class::Tactical,
            refutation: plan.refutations.contains(candidate.mv.into()),
            hash_tactical: plan.hash_tactical,
            history: candidate.history,
        };
        self.job.reductions.late(params, lateness)
    }

    /// A move after the first: a null window at reduced depth, then at full depth, then the open window.
    #[inline(always)]
    fn later_move<K: NodeKind, M: Mode>(
        &mut self,
        alpha: Score,
        beta: Score,
        mut depth: i32,
        reduction: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        if reduction > 0 {
            self.worker.stats.reductions += 1;
            let reduced = depth - reduction;
            let score = -self.node::<NonPv, M>(-alpha - 1, -alpha, reduced, ply + 1, true);
            if score <= alpha {
                return score;
            }
            self.worker.stats.reduction_failures += 1;
            if self.params.lmr_deeper != 0 {
                let margin = self.params.lmr_deeper_margin;
                depth += i32::from(score > alpha + margin) - i32::from(score < alpha + margin / 8);
                if depth <= reduced && !K::PV {
                    return score;
                }
            }
        }
        let score = -self.node::<NonPv, M>(-alpha - 1, -alpha, depth, ply + 1, !cut);
        if K::PV && score > alpha && score < beta {
            return -self.node::<Pv, M>(-beta, -alpha, depth, ply + 1, false);
        }
        score
    }

    /// Takes in the score of a move; true if it is a cutoff.
    #[inline(always)]
    fn record_score<K: NodeKind, M: Mode>(
        &mut self,
        node: &Node,
        candidate: Candidate<G::Move>,
        score: Score,
        found: &mut MovesResult,
    ) -> bool {
        let bits = candidate.mv.into();
        if score > found.best {
            found.best = score;
            if score > found.alpha {
                found.best_move = bits;
                if M::SELECTIVE {
                    found.best_is_quiet = self.game.class(candidate.mv) == Class::Quiet;
                }
                if K::PV {
                    self.extend_line(candidate.mv, node.ply);
                }
                if score >= node.beta {
                    return true;
                }
                found.alpha = score;
            }
        }
        if bits != found.best_move {
            self.worker.tried.push((candidate.slot, candidate.class));
        }
        false
    }

    #[inline(always)]
    pub(super) fn refutations(&self, ply: usize) -> Refutations {
        let params = self.params;
        let mut refutations = Refutations::NONE;
        if params.killers != 0 {
            refutations.killers = self.worker.killers.killers(ply);
        }
        if params.counter_moves != 0 {
            refutations.counter = self.worker.killers.counter(self.worker.path.last(ply));
        }
        refutations
    }

    pub(super) fn source(&mut self) -> Source<'_, G> {
        Source {
            game: &self.game,
            params: self.job.game_params,
            history: &self.worker.history,
            path: &self.worker.path,
            moves: &mut self.worker.moves,
        }
    }
}
