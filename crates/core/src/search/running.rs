//! A running search of one thread: the position on the board, the moves that led to it, and the limits.

use super::Job;
use super::worker::{ABOVE, Frame, Worker};
use crate::game::{Evaluation, SearchGame};
use crate::order::Slot;
use crate::params::SearchParams;
use crate::resources::Resources;
use crate::stats::Stats;
use crate::table::SearchTt;
use crate::watch::Watch;

/// A running search of one thread.
pub(crate) struct Search<'a, G: SearchGame> {
    pub job: &'a Job<'a, G>,
    /// Parameters, table and salt of the job, copied because every node needs them.
    pub params: &'a SearchParams,
    pub table: &'a SearchTt,
    pub salt: u64,
    /// From this depth on moves that another thread is at are put off; beyond every depth where there is only one
    /// thread.
    pub defer_depth: i32,
    pub worker: &'a mut Worker<G>,
    pub game: G,
    pub watch: Watch,
    pub root_depth: i32,
    pub seldepth: usize,
    /// The index of the root move from which on this line is searched: earlier ones belong to better lines.
    pub pv_index: usize,
    /// While a null move is being verified, no null moves are tried above this ply.
    pub null_ply: usize,
    /// The root moves are all legal moves.
    pub whole: bool,
    /// The search had a depth, and this thread finished the last iteration first.
    pub done: bool,
}

impl<'a, G: SearchGame> Search<'a, G> {
    pub fn new(job: &'a Job<'a, G>, worker: &'a mut Worker<G>, watch: Watch) -> Self {
        worker.begin(job.root);
        let mut game = job.root.clone();
        game.prepare(&worker.eval);
        let defer_depth = if job.busy.is_shared() { job.params.defer_depth } else { i32::MAX };
        Search {
            job,
            params: job.params,
            table: job.table,
            salt: job.salt,
            defer_depth,
            worker,
            game,
            watch,
            root_depth: 0,
            seldepth: 0,
            pv_index: 0,
            null_ply: 0,
            whole: true,
            done: false,
        }
    }

    /// What this thread has counted so far.
    pub fn count(&self) -> Stats {
        Stats { nodes: self.watch.nodes, ..self.worker.stats }
    }

    #[inline(always)]
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.worker.frames[ply + ABOVE]
    }

    /// The frame two plies before this one; empty above the root.
    #[inline(always)]
    pub fn two_plies_before(&self, ply: usize) -> &Frame {
        &self.worker.frames[ply + ABOVE - 2]
    }

    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.game.key() ^ self.salt
    }

    #[inline(always)]
    pub fn slot_of(&self, mv: G::Move) -> Slot {
        self.worker.history.slot(self.game.side(), self.game.history_slot(mv))
    }

    #[inline(always)]
    pub fn play(&mut self, mv: G::Move, slot: Slot, ply: usize) -> G::Undo {
        self.worker.path.play(ply, slot);
        let likely = self.game.likely_key(mv);
        if let Some(key) = likely {
            self.table.prefetch(key ^ self.salt);
        }
        let undo = self.worker.eval.play(&mut self.game, mv);
        if likely.is_none() {
            self.table.prefetch(self.key());
        }
        if G::CORRECTIONS > 0 {
            self.worker.correction.prefetch(&self.game, self.worker.path.last_two(ply + 1));
        }
        undo
    }

    #[inline(always)]
    pub fn undo(&mut self, mv: G::Move, undo: G::Undo) {
        self.worker.eval.undo(&mut self.game, mv, undo);
    }

    /// The game, and what its solvers may use of the search.
    #[inline(always)]
    pub fn lend(&mut self) -> (&mut G, Resources<'_, G>) {
        (&mut self.game, self.job.lend(&mut self.watch))
    }

    /// Sets the principal variation from this ply on: `mv`, and the line after it.
    pub fn extend_line(&mut self, mv: G::Move, ply: usize) {
        let (here, below) = self.worker.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut here[ply], &below[0]);
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity().min(rest.len());
        line.extend(rest[..room].iter().copied());
    }
}
