//! The Search TT as the nodes of a search use it.

use super::{Mode, Search};
use crate::game::{NO_MOVE, SearchGame};
use crate::score::Score;
use crate::table::{Bound, Entry, Stored};

/// What a node found out about its position.
#[derive(Clone, Copy)]
pub(crate) struct Finding {
    /// With win distances from the root.
    pub score: Score,
    pub bound: Bound,
    /// The static evaluation as the game gives it, where it was computed.
    pub eval: Option<Score>,
    pub best: u16,
    pub depth: i32,
}

impl<G: SearchGame> Search<'_, G> {
    /// Looks up the position, whose key is given, for a search of this depth. The score is for the side to move, with
    /// win distances from the root.
    #[inline(always)]
    pub fn probe(&mut self, key: u64, depth: i32, ply: usize) -> Option<(Entry, Score)> {
        self.worker.stats.tt_at(depth).probes += 1;
        let mut entry = self.table.probe(key);
        if entry.is_none() && (ply as i32) < self.params.tt_symmetry {
            entry = self.probe_symmetric();
        }
        let entry = entry?;
        self.worker.stats.tt_at(depth).hits += 1;
        let score = entry.score.for_side(self.game.side()).from_root(ply);
        Some((entry, score))
    }

    /// Looks up the positions that are the same by a symmetry, and transforms the best move back.
    #[cold]
    fn probe_symmetric(&self) -> Option<Entry> {
        (1..self.game.symmetries()).find_map(|symmetry| {
            let image = self.game.transform(symmetry);
            let mut entry = self.job.table.probe(image.key() ^ self.job.salt)?;
            let back = self.game.inverse(symmetry);
            entry.best = match image.decode(entry.best) {
                Some(mv) => image.transform_move(mv, back).into(),
                None => NO_MOVE,
            };
            Some(entry)
        })
    }

    /// Stores what was found out about the position, whose key is given.
    #[inline(always)]
    pub fn store(&mut self, key: u64, ply: usize, finding: Finding) {
        let side = self.game.side();
        let entry = Entry {
            score: finding.score.from_node(ply).for_first(side),
            eval: finding.eval.map(|eval| eval.for_first(side)),
            best: finding.best,
            depth: finding.depth.clamp(0, 255) as u8,
            bound: finding.bound,
            generation: 0,
        };
        self.store_entry(key, entry);
    }

    /// Remembers the static evaluation of a leaf where the game's solver has found nothing: a failed proof is no result
    /// of a search, but it need not be tried again.
    pub fn store_evaluation(&mut self, key: u64, raw: Score) {
        let side = self.game.side();
        self.store_entry(key, Entry::evaluation(raw.for_first(side), side));
    }

    #[inline(always)]
    fn store_entry(&mut self, key: u64, entry: Entry) {
        self.worker.stats.tt_stores += 1;
        if self.table.store(key, entry) == Stored::Replaced {
            self.worker.stats.tt_replacements += 1;
        }
    }

    /// An entry is deep enough to stand for a search of this depth.
    pub fn sufficient<M: Mode>(entry: &Entry, score: Score, depth: i32) -> bool {
        let stored = i32::from(entry.depth);
        if M::SELECTIVE {
            // A proven result is true at any depth.
            let proven = match entry.bound {
                Bound::Lower => score.is_win(),
                Bound::Upper => score.is_loss(),
                Bound::Exact => score.is_decisive(),
            };
            stored >= depth || proven
        } else {
            // A search of another depth has another value. Depths beyond the end of the game were cut to the same one.
            stored == depth
        }
    }
}
