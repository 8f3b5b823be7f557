//! Counters of a search, kept by each thread for itself and added up at the end.

use crate::table::{EvalCounters, TableCounters};

macro_rules! stats {
    ($( $(#[doc = $help:literal])+ $name:ident, )*) => {
        /// What happened during a search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[non_exhaustive]
        pub struct Stats {
            $( $(#[doc = $help])+ pub $name: u64, )*
        }

        impl Stats {
            /// Adds the counts of another thread.
            pub fn add(&mut self, other: &Stats) {
                $( self.$name += other.$name; )*
            }

            /// All counters with their names.
            pub fn all(&self) -> Vec<(&'static str, u64)> {
                vec![$( (stringify!($name), self.$name), )*]
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
    /// Look-ups in the Search TT.
    tt_probes,
    /// Look-ups that found the position.
    tt_hits,
    /// Hits that ended the node.
    tt_cutoffs,
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

impl From<&Stats> for TableCounters {
    fn from(stats: &Stats) -> Self {
        TableCounters {
            probes: stats.tt_probes,
            hits: stats.tt_hits,
            cutoffs: stats.tt_cutoffs,
            stores: stats.tt_stores,
            replacements: stats.tt_replacements,
        }
    }
}

impl From<&Stats> for EvalCounters {
    fn from(stats: &Stats) -> Self {
        // After every miss the evaluation is computed and stored.
        EvalCounters { probes: stats.eval_probes, hits: stats.eval_hits, stores: stats.eval_probes - stats.eval_hits }
    }
}
