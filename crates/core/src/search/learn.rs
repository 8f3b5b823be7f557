//! What a node teaches the thread: which moves cause cutoffs, and how far the static evaluation was off.

use super::Search;
use super::evaluate::contradicts;
use crate::game::{Class, SearchGame};
use crate::order::Slot;
use crate::score::Score;
use crate::table::Bound;

/// How much a cutoff at this depth teaches the history.
fn history_bonus(depth: i32) -> i32 {
    (150 * depth - 80).clamp(20, 1600)
}

/// A move that caused a cutoff.
#[derive(Clone, Copy)]
pub(super) struct Cutoff {
    pub bits: u16,
    pub slot: Slot,
    pub class: Class,
    pub depth: i32,
    pub ply: usize,
    /// How many moves had been tried, this one included.
    pub number: usize,
}

impl<G: SearchGame> Search<'_, G> {
    /// The move that caused the cutoff comes earlier next time, and those tried before it later.
    #[inline(always)]
    pub(super) fn learn_cutoff(&mut self, cutoff: Cutoff, tried_top: usize) {
        let Cutoff { bits, slot, class, depth, ply, number } = cutoff;
        let params = self.params;
        self.worker.stats.cutoffs += 1;
        self.worker.stats.first_move_cutoffs += u64::from(number == 1);
        let bonus = history_bonus(depth);
        let last = if params.counter_moves != 0 { self.worker.path.last(ply) } else { 0 };
        let worker = &mut *self.worker;
        if class == Class::Quiet {
            if params.killers != 0 {
                worker.killers.add_killer(ply, bits);
            }
            if params.counter_moves != 0 {
                worker.killers.add_counter(last, bits);
            }
            if params.continuation != 0 {
                worker.history.learn_continued(worker.path.context(ply), slot, bonus);
            }
        }
        if params.history != 0 {
            if params.history_fade != 0 {
                worker.history.fade_every(params.history_fade as u64, self.watch.nodes);
            }
            worker.history.learn(class, slot, bonus);
        }
        for &(slot, other) in &worker.tried[tried_top..] {
            // A cutoff by a tactical move says nothing against quiet moves, which come later anyway.
            if other == Class::Forced || (other == Class::Quiet && class == Class::Tactical) {
                continue;
            }
            if params.history != 0 {
                worker.history.learn(other, slot, -bonus);
            }
            if params.continuation != 0 && other == Class::Quiet {
                worker.history.learn_continued(worker.path.context(ply), slot, -bonus);
            }
        }
    }

    /// Learns the difference between the static evaluation and the result of a search, where the result contradicts it.
    pub(super) fn learn_error(&mut self, eval: Score, best: Score, bound: Bound, depth: i32, ply: usize) {
        if self.params.correction != 0 && contradicts(bound, best, eval) && !best.is_decisive() {
            let last = self.worker.path.last_two(ply);
            self.worker.correction.learn(&self.game, last, depth, best - eval);
        }
    }
}
