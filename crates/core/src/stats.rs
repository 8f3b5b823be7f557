//! Counters of a search, kept by each thread for itself and added up at the end.

use crate::table::{DEPTH_BANDS, EvalCounters, Rate, TableCounters, depth_band};

macro_rules! stats {
    ($( $(#[doc = $help:literal])+ $name:ident, )*) => {
        /// What happened during a search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[non_exhaustive]
        pub struct Stats {
            $( $(#[doc = $help])+ pub $name: u64, )*
            /// Nodes looked up in the Search TT, by depth; see [`DEPTH_BANDS`].
            pub tt: [Rate; DEPTH_BANDS.len()],
        }

        impl Stats {
            /// Adds the counts of another thread.
            pub fn add(&mut self, other: &Stats) {
                $( self.$name += other.$name; )*
                self.tt.iter_mut().zip(other.tt).for_each(|(rate, other)| rate.add(other));
            }

            /// All counters with their names.
            pub fn all(&self) -> Vec<(&'static str, u64)> {
                let Rate { probes, hits } = TableCounters::from(self).rate();
                let mut all = vec![$( (stringify!($name), self.$name), )* ("tt_probes", probes), ("tt_hits", hits)];
                all.extend(BANDS.iter().zip(self.tt).flat_map(|((asked, found), rate)| [(*asked, rate.probes), (*found, rate.hits)]));
                all
            }
        }
    };
}

stats! {
    /// Positions visited.
    nodes,
    /// Nodes in quiescence.
    quiescence,
    /// Static evaluations computed.
    evaluations,
    /// Hits that ended the node.
    tt_cutoffs,
    /// Children of a node looked up in the Search TT for enhanced transposition cutoff.
    etc_probes,
    /// Children that were found.
    etc_hits,
    /// Nodes ended by enhanced transposition cutoff.
    etc_cutoffs,
    /// Stores into the Search TT.
    tt_stores,
    /// Stores that replaced another position.
    tt_replacements,
    /// Look-ups in the evaluation cache.
    eval_probes,
    /// Look-ups that found a value.
    eval_hits,
    /// Values stored in the evaluation cache.
    eval_stores,
    /// Nodes ended by a proof of the game.
    proof_cutoffs,
    /// Beta cutoffs by a move.
    cutoffs,
    /// Beta cutoffs by the first move.
    first_move_cutoffs,
    /// Null moves tried.
    null_tries,
    /// Null move cutoffs.
    null_cutoffs,
    /// Reverse futility cutoffs.
    reverse_futility_cutoffs,
    /// Razoring cutoffs.
    razoring_cutoffs,
    /// ProbCut and Multi-ProbCut cutoffs.
    probcut_cutoffs,
    /// Moves skipped by late move pruning and futility.
    pruned_moves,
    /// Moves searched at reduced depth.
    reductions,
    /// Reduced moves that were searched again at full depth.
    reduction_failures,
    /// Singular extensions.
    singular_extensions,
    /// Multicut cutoffs.
    multicut_cutoffs,
    /// Aspiration windows that failed.
    aspiration_failures,
}

impl Stats {
    /// The count of look-ups in the Search TT for searches of this depth.
    #[inline(always)]
    pub fn tt_at(&mut self, depth: i32) -> &mut Rate {
        &mut self.tt[depth_band(depth)]
    }
}

/// The names of the counts of look-ups in the Search TT, and of hits, for each of [`DEPTH_BANDS`].
const BANDS: [(&str, &str); DEPTH_BANDS.len()] = [
    ("tt_probes_depth_0", "tt_hits_depth_0"),
    ("tt_probes_depth_1", "tt_hits_depth_1"),
    ("tt_probes_depth_2_3", "tt_hits_depth_2_3"),
    ("tt_probes_depth_4_7", "tt_hits_depth_4_7"),
    ("tt_probes_depth_8_15", "tt_hits_depth_8_15"),
    ("tt_probes_depth_16", "tt_hits_depth_16"),
];

/// Counters that mean more as a share of others: each with the counter that it is a share of.
const SHARES: [(&str, &str); 6] = [
    ("tt_hits", "tt_probes"),
    ("tt_cutoffs", "tt_probes"),
    ("etc_hits", "etc_probes"),
    ("tt_replacements", "tt_stores"),
    ("eval_hits", "eval_probes"),
    ("first_move_cutoffs", "cutoffs"),
];

/// The counters of a search that are shares of others, as such: from 0 to 1. Those where there was nothing to share are
/// left out.
pub fn rates(counters: &[(&'static str, u64)]) -> Vec<(&'static str, f64)> {
    let count = |name| counters.iter().find(|(other, _)| *other == name).map_or(0, |&(_, count)| count);
    let bands = BANDS.iter().map(|&(probes, hits)| (hits, probes));
    SHARES
        .into_iter()
        .chain(bands)
        .map(|(part, whole)| (part, Rate { probes: count(whole), hits: count(part) }))
        .filter(|(_, rate)| rate.probes > 0)
        .map(|(name, rate)| (name, rate.share()))
        .collect()
}

impl From<&Stats> for TableCounters {
    fn from(stats: &Stats) -> Self {
        TableCounters {
            by_depth: stats.tt,
            cutoffs: stats.tt_cutoffs,
            stores: stats.tt_stores,
            replacements: stats.tt_replacements,
        }
    }
}

impl From<&Stats> for EvalCounters {
    fn from(stats: &Stats) -> Self {
        let rate = Rate { probes: stats.eval_probes, hits: stats.eval_hits };
        EvalCounters { rate, stores: stats.eval_stores }
    }
}
