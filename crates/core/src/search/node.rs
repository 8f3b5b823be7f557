//! One node of the search: [principal variation search] with everything around it.
//!
//! [principal variation search]: https://www.chessprogramming.org/Principal_Variation_Search

use super::extend::Singular;
use super::prune::{Outlook, exchange_margin, futile, mate_distance, often_refuted, worth_proving};
use super::reduce::{Lateness, internal_iterative, likely_high};
use super::{Finding, MAX_PLY, Mode, NodeKind, NonPv, Pv, Search};
use crate::busy::Visit;
use crate::game::{Class, NO_MOVE, SearchGame};
use crate::order::{Context, Picker, Refutations, Slot, Source};
use crate::score::Score;
use crate::table::Bound;

/// How much a cutoff at this depth teaches the history.
fn history_bonus(depth: i32) -> i32 {
    (150 * depth - 80).clamp(20, 1600)
}

impl<G: SearchGame> Search<'_, G> {
    /// The value of the position for the side to move, fail-soft within the window.
    ///
    /// `cut` says that a cutoff is expected here. When the search was stopped the value means nothing.
    pub fn node<K: NodeKind, M: Mode>(
        &mut self,
        alpha: Score,
        beta: Score,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        if G::FINISHES && M::SELECTIVE && !K::ROOT && self.game.certainty(depth).is_some() {
            return self.play_out(alpha, beta, depth, ply);
        }
        let excluded = if M::SELECTIVE { self.frame(ply).excluded } else { NO_MOVE };
        let params = self.job.params;
        let threatened = M::SELECTIVE && self.game.threatened();
        if M::SELECTIVE && excluded == NO_MOVE && !K::ROOT {
            depth += self.threat_extension(threatened, ply);
        }
        if M::HORIZON && depth <= 0 {
            return self.quiesce::<K, M>(alpha, beta, ply, 0);
        }
        if K::PV {
            self.worker.lines[ply].clear();
        }
        if self.watch.visit() {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply);

        let (window_low, window_high) = (alpha, beta);
        let Scope { mut alpha, beta, low, high } = match self.scope::<K, M>(alpha, beta, depth, ply) {
            Ok(scope) => scope,
            Err(score) => return score,
        };
        // A position means the same however much deeper than its last possible move it is searched.
        depth = depth.min(self.game.horizon());

        let remembered = excluded == NO_MOVE && (M::HORIZON || depth >= params.solve_tt_depth);
        let key = self.key();
        let hash = if remembered { self.probe(key, ply) } else { None };
        if let Some((entry, score)) = hash
            && !K::PV
            && params.tt_cutoff != 0
            && Self::sufficient::<M>(&entry, score, depth)
            && entry.bound.answers(score, alpha, beta)
        {
            self.worker.stats.tt_cutoffs += 1;
            return score;
        }

        let mut raw_eval = None;
        let mut eval = None;
        if M::SELECTIVE && !threatened {
            let found = self.evaluate(hash, ply);
            raw_eval = Some(found.raw);
            eval = Some(found.corrected);
        }
        let mut improving = false;
        if M::SELECTIVE {
            self.frame(ply).eval = eval;
            improving = params.improving != 0 && eval > self.earlier(ply, 2).eval;
            if let Some(eval) = eval
                && !K::PV
                && excluded == NO_MOVE
            {
                let eval = self.sharper_eval(hash, eval);
                let node = Outlook { alpha, beta, depth, ply, eval, improving, cut, hash };
                if let Some(score) = self.prune::<M>(node) {
                    return score;
                }
                if self.watch.stopped() {
                    return Score::ZERO;
                }
            }
            depth -=
                internal_iterative(params, depth, hash.is_some_and(|(entry, _)| entry.best != NO_MOVE), K::PV || cut);
        }

        if M::PROOFS
            && !K::PV
            && excluded == NO_MOVE
            && depth >= params.etc_depth
            && params.etc != 0
            && let Some((score, mv)) = self.enhanced_cutoff::<M>(beta, depth, ply)
        {
            self.store(key, ply, Finding { score, bound: Bound::Lower, eval: raw_eval, best: mv, depth });
            return score;
        }

        let hash_move = hash.map_or(NO_MOVE, |(entry, _)| entry.best);
        // The root's moves come in an order of their own; elsewhere the hash move is the first, and tells then.
        let mut hash_tactical = M::SELECTIVE
            && K::ROOT
            && self.game.decode(hash_move).is_some_and(|mv| self.game.class(mv) == Class::Tactical);
        // A killer is a guess from a sibling; where every bound must be proven the game's own order is the better one.
        let refutations = if M::SELECTIVE { self.refutations(ply) } else { Refutations::NONE };
        let context = if params.continuation != 0 { self.context(ply) } else { [0; 6] };
        let mark = self.worker.mark();
        let mut picker = if M::PROOFS {
            Picker::new(mark.moves, hash_move, refutations, context)
        } else {
            Picker::all(mark.moves, hash_move, context, &mut self.source())
        };

        let mut best = -Score::INFINITE;
        let mut best_move = NO_MOVE;
        let mut best_is_quiet = true;
        let mut number = 0;
        let mut skip_quiets = false;
        let mut forced = false;
        let sharing = !K::ROOT && depth >= self.defer_depth;
        let start_alpha = alpha;
        let here = Here {
            depth,
            ply,
            cut,
            eval,
            improving,
            refutations,
            proving: !M::SELECTIVE || K::PV || worth_proving(params, alpha, beta, depth),
            // A root that the game's own solver searches is not the place for less depth.
            finishing: G::FINISHES && K::ROOT && M::SELECTIVE && self.game.certainty(depth).is_some(),
            hasty: M::SELECTIVE && !K::PV && cut && eval.is_some_and(|eval| likely_high(params, eval, beta, depth)),
        };

        loop {
            let next = if K::ROOT {
                self.worker.root_moves.get(self.pv_index + number).map(|root| (root.mv, self.game.class(root.mv)))
            } else {
                let remote = !M::SELECTIVE || (best.is_loss() && here.proving);
                picker.next(&mut self.source(), skip_quiets, remote)
            };
            let put_off = next.is_none();
            let Some((mv, class)) = next.or_else(|| if sharing { self.worker.next_deferred(mark) } else { None })
            else {
                break;
            };
            let bits: u16 = mv.into();
            if bits == excluded {
                continue;
            }
            if M::SELECTIVE && !K::ROOT && bits == hash_move {
                hash_tactical = class == Class::Tactical;
            }
            let visit = if sharing { Visit::of(key, bits) } else { Visit::NONE };
            if sharing && !put_off && number > 0 && self.job.busy.contains(visit) {
                self.worker.deferred.push((mv, class));
                continue;
            }
            number += 1;
            let slot = self.slot_of(mv);
            let mut history = 0;
            forced |= M::SELECTIVE && class == Class::Forced;
            if M::SELECTIVE && class == Class::Quiet {
                history = self.worker.history.plain(class, slot) + self.worker.history.continued(&context, slot);
            }
            let turn = Turn { mv, class, number, slot, history };
            // A loss is proven only when every move was searched: pruning begins after one that does not lose.
            let losing = best.is_loss();
            if M::SELECTIVE && !K::ROOT && number > 1 && !(losing && here.proving) {
                let hopeless = class == Class::Quiet && !threatened && self.is_hopeless(here, turn, alpha, losing);
                skip_quiets |= hopeless;
                if hopeless || (!losing && self.loses_material(turn, depth)) {
                    self.worker.stats.pruned_moves += 1;
                    continue;
                }
            }

            let mut extension = 0;
            if M::SELECTIVE && !K::ROOT && bits == hash_move && excluded == NO_MOVE {
                match self.singular::<K, M>(hash, beta, depth, ply, cut) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => {
                        self.worker.release(mark);
                        return score;
                    }
                }
                if self.watch.stopped() {
                    self.worker.release(mark);
                    return Score::ZERO;
                }
            }

            if sharing {
                self.job.busy.enter(visit);
            }
            if K::PV {
                // Nodes off the principal variation leave no line; what is there belongs to an earlier move.
                self.worker.lines[ply + 1].clear();
            }
            let nodes_before = self.watch.nodes;
            let score = self.descend::<K, M>(here, turn, (alpha, beta), extension, hash_tactical);
            if sharing {
                self.job.busy.leave(visit);
            }
            if self.watch.stopped() {
                self.worker.release(mark);
                return Score::ZERO;
            }

            if K::ROOT {
                let nodes = self.watch.nodes - nodes_before;
                self.record_root_move(number - 1, score, (alpha, beta), nodes);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = bits;
                    if M::SELECTIVE {
                        best_is_quiet = self.game.class(mv) == Class::Quiet;
                    }
                    if K::PV {
                        self.extend_line(mv, ply);
                    }
                    if score >= beta {
                        self.learn_cutoff(Cutoff { bits, slot, class, depth, ply, number }, &context, mark.tried);
                        break;
                    }
                    alpha = score;
                }
            }
            if bits != best_move {
                self.worker.tried.push((slot, class));
            }
        }
        self.worker.release(mark);

        if number == 0 {
            if excluded != NO_MOVE {
                return start_alpha;
            }
            return match self.game.outcome() {
                Some(outcome) => self.outcome_score(outcome, ply),
                // Every move was left out as hopeless; all that is certain is what the game said.
                None => self.evaluate(hash, ply).corrected.clamp(low, high),
            };
        }
        // A loss is claimed only where every move was searched.
        let unproven = best.is_loss() && !here.proving && !forced;
        let best = if unproven { -Score::MAX_EVAL } else { best }.max(low).min(high);
        if remembered && (!K::ROOT || self.whole_root()) {
            let bound = Bound::of(best, window_low, window_high);
            self.store(key, ply, Finding { score: best, bound, eval: raw_eval, best: best_move, depth });
            if M::SELECTIVE {
                self.learn_error(eval.filter(|_| best_is_quiet && !unproven), best, bound, depth, ply);
            }
        }
        best
    }

    /// What is certain of a node before it is looked up: its value, or bounds and what they leave of the window.
    #[inline(always)]
    fn scope<K: NodeKind, M: Mode>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
    ) -> Result<Scope, Score> {
        let (mut low, mut high) = (-Score::INFINITE, Score::INFINITE);
        if !K::ROOT {
            if let Some(outcome) = self.game.ended(ply) {
                return Err(self.outcome_score(outcome, ply));
            }
            if M::HORIZON && ply >= MAX_PLY {
                return Err(self.evaluate(None, ply).corrected);
            }
            if self.job.params.mate_distance != 0 {
                (alpha, beta) = mate_distance(alpha, beta, ply);
                if alpha >= beta {
                    return Err(alpha);
                }
            }
            if M::PROOFS {
                (low, high) = self.proof(K::PV, depth, ply);
                if low >= beta || high <= alpha || low == high {
                    self.worker.stats.proof_cutoffs += 1;
                    return Err(if high <= alpha { high } else { low });
                }
                alpha = alpha.max(low);
                beta = beta.min(high);
            }
        }
        Ok(Scope { alpha, beta, low, high })
    }

    /// A quiet move that comes too late, was refuted too often, or can't reach alpha; so are the quiet ones behind it.
    /// Where all moves so far are `losing`, only to come too late counts against one.
    #[inline(always)]
    fn is_hopeless(&self, here: Here, turn: Turn<G::Move>, alpha: Score, losing: bool) -> bool {
        let params = self.job.params;
        let late = || turn.number > self.job.reductions.late_moves.count(here.depth, here.improving || losing);
        let refuted = || often_refuted(params, turn.history, here.depth);
        let futile = || here.eval.is_some_and(|eval| futile(params, eval, alpha, here.depth));
        !self.game.forcing(turn.mv) && (late() || (!losing && (refuted() || futile())))
    }

    /// The exchanges that a move begins lose too much.
    #[inline(always)]
    fn loses_material(&self, turn: Turn<G::Move>, depth: i32) -> bool {
        exchange_margin(self.job.params, turn.class, depth)
            .is_some_and(|margin| self.game.loses_exchange(turn.mv, margin))
    }

    /// The value of a move: the first one in the whole window, the others by [`Search::later_move`].
    #[inline(always)]
    fn descend<K: NodeKind, M: Mode>(
        &mut self,
        here: Here,
        turn: Turn<G::Move>,
        (alpha, beta): (Score, Score),
        extension: i32,
        hash_tactical: bool,
    ) -> Score {
        let Turn { mv, class, number, slot, history } = turn;
        let Here { ply, cut, .. } = here;
        let undo = self.play(mv, slot, ply);
        let depth = here.depth - 1 + extension - i32::from(here.hasty && class == Class::Quiet);
        let score = if !K::PV && (number == 1 || !M::SELECTIVE) {
            -self.node::<NonPv, M>(-beta, -alpha, depth, ply + 1, !cut)
        } else if number == 1 {
            -self.node::<Pv, M>(-beta, -alpha, depth, ply + 1, false)
        } else {
            let params = self.job.params;
            let reduction = if M::SELECTIVE && (class != Class::Forced || params.lmr_forced != 0) && !here.finishing {
                let lateness = Lateness {
                    depth,
                    number,
                    pv: K::PV,
                    cut,
                    improving: here.improving,
                    tactical: class == Class::Tactical,
                    refutation: here.refutations.contains(mv.into()),
                    hash_tactical,
                    history,
                };
                self.job.reductions.late(params, lateness)
            } else {
                0
            };
            self.later_move::<K, M>(alpha, beta, depth, reduction, ply, cut)
        };
        self.undo(mv, undo);
        score
    }

    /// A move after the first: a null window at reduced depth, then at full depth, then the open window.
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
            if self.job.params.lmr_deeper != 0 {
                let margin = self.job.params.lmr_deeper_margin;
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

    fn refutations(&self, ply: usize) -> Refutations {
        let params = self.job.params;
        let mut refutations = Refutations::NONE;
        if params.killers != 0 {
            refutations.killers = self.worker.killers.killers(ply);
        }
        if params.counter_moves != 0 {
            refutations.counter = self.worker.killers.counter(self.last_slot(ply));
        }
        refutations
    }

    fn source(&mut self) -> Source<'_, G> {
        Source {
            game: &self.game,
            params: self.job.game_params,
            history: &self.worker.history,
            moves: &mut self.worker.moves,
        }
    }

    /// A move cut: it comes earlier next time, and those tried before it later.
    #[inline(always)]
    fn learn_cutoff(&mut self, cutoff: Cutoff, context: &Context, tried_top: usize) {
        let Cutoff { bits, slot, class, depth, ply, number } = cutoff;
        let params = self.job.params;
        self.worker.stats.cutoffs += 1;
        self.worker.stats.first_move_cutoffs += u64::from(number == 1);
        let bonus = history_bonus(depth);
        let last = if params.counter_moves != 0 { self.last_slot(ply) } else { 0 };
        let worker = &mut *self.worker;
        if class == Class::Quiet {
            if params.killers != 0 {
                worker.killers.add_killer(ply, bits);
            }
            if params.counter_moves != 0 {
                worker.killers.add_counter(last, bits);
            }
            if params.continuation != 0 {
                worker.history.learn_continued(context, slot, bonus);
            }
        }
        if params.history != 0 {
            worker.history.learn(class, slot, bonus);
        }
        for &(slot, other) in &worker.tried[tried_top..] {
            // A tactical cutoff says nothing against the quiet moves behind it, but all against tactical ones before.
            if other == Class::Forced || (other == Class::Quiet && class == Class::Tactical) {
                continue;
            }
            if params.history != 0 {
                worker.history.learn(other, slot, -bonus);
            }
            if params.continuation != 0 && other == Class::Quiet {
                worker.history.learn_continued(context, slot, -bonus);
            }
        }
    }

    /// The search found something else than the evaluation said.
    fn learn_error(&mut self, eval: Option<Score>, best: Score, bound: Bound, depth: i32, ply: usize) {
        let Some(eval) = eval else { return };
        let told = match bound {
            Bound::Lower => best > eval,
            Bound::Upper => best < eval,
            Bound::Exact => true,
        };
        if self.job.params.correction != 0 && told && !best.is_decisive() {
            let last = self.last_slots(ply);
            self.worker.correction.learn(&self.game, last, depth, best - eval);
        }
    }
}

/// The window of a node, and bounds that are certain.
struct Scope {
    alpha: Score,
    beta: Score,
    low: Score,
    high: Score,
}

/// What a node knows of itself when its moves come.
#[derive(Clone, Copy)]
struct Here {
    depth: i32,
    ply: usize,
    cut: bool,
    eval: Option<Score>,
    improving: bool,
    refutations: Refutations,
    /// Where all likely moves lose, the others are to prove it.
    proving: bool,
    /// The game searches the last moves from here itself: late moves are not reduced.
    finishing: bool,
    /// A cutoff is all but certain.
    hasty: bool,
}

/// A move in its turn.
#[derive(Clone, Copy)]
struct Turn<M> {
    mv: M,
    class: Class,
    /// Its place in the order, from 1.
    number: usize,
    slot: Slot,
    /// What quiet moves like it have been worth.
    history: i32,
}

/// A move that cut.
#[derive(Clone, Copy)]
struct Cutoff {
    bits: u16,
    slot: Slot,
    class: Class,
    depth: i32,
    ply: usize,
    /// How many moves had been tried, this one included.
    number: usize,
}
