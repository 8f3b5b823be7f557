//! Extensions: some moves are searched deeper.

use super::{Mode, NodeKind, NonPv, Search};
use crate::game::{NO_MOVE, SearchGame};
use crate::score::Score;
use crate::table::{Bound, Entry};

/// What the singular search says about the hash move.
pub(crate) enum Singular {
    /// Search it this many plies deeper, or less deep where negative.
    Extend(i32),
    /// Several moves beat beta: the node is cut with this score.
    MultiCut(Score),
}

impl<G: SearchGame> Search<'_, G> {
    /// A threatened side has few sensible replies, so looking one ply further costs little and shows what the threat is
    /// worth. Bounded, so that a line of threats comes to an end.
    pub fn threat_extension(&self, threatened: bool, ply: usize) -> i32 {
        let applies = threatened && self.params.threat_extension != 0 && (ply as i32) < 2 * self.root_depth;
        i32::from(applies)
    }

    /// What a search of the node without its hash move says about that move; nothing where it is not worth the search.
    #[inline(always)]
    pub fn singular<K: NodeKind, M: Mode>(
        &mut self,
        hash: Option<(Entry, Score)>,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Singular {
        match hash {
            Some((entry, score))
                if self.params.singular != 0
                    && depth >= self.params.singular_depth
                    && entry.bound != Bound::Upper
                    && i32::from(entry.depth) >= depth - 3
                    && !score.is_decisive()
                    && (ply as i32) < 2 * self.root_depth =>
            {
                self.singular_search::<K, M>(entry.best, score, beta, depth, ply, cut)
            }
            _ => Singular::Extend(0),
        }
    }

    /// Searches the node without its hash move. If no other move comes near it, the hash move is singular and is
    /// searched deeper. If other moves beat beta as well, the node is cut ([multicut]).
    ///
    /// [multicut]: https://www.chessprogramming.org/Multi-Cut
    fn singular_search<K: NodeKind, M: Mode>(
        &mut self,
        hash_move: u16,
        score: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Singular {
        let params = self.params;
        let bar = score - params.singular_margin * depth / 100;
        self.frame(ply).excluded = hash_move;
        let others = self.node::<NonPv, M>(bar - 1, bar, (depth - 1) / 2, ply, cut);
        self.frame(ply).excluded = NO_MOVE;
        if self.watch.stopped() {
            return Singular::Extend(0);
        }
        if others < bar {
            self.worker.stats.singular_extensions += 1;
            let far = params.double_extension != 0 && !K::PV && others < bar - params.double_extension_margin;
            Singular::Extend(1 + i32::from(far))
        } else if params.multicut != 0 && others >= beta && !others.is_decisive() {
            self.worker.stats.multicut_cutoffs += 1;
            Singular::MultiCut(others)
        } else if score >= beta {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}
