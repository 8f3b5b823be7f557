//! Counters of the tables. Every thread counts for itself and adds its counts to the table's from time to time: a
//! shared counter would cost more than the probe that it counts.

use super::Stored;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What happened at a Search TT.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableCounters {
    /// Positions looked up.
    pub probes: u64,
    /// Positions found.
    pub hits: u64,
    /// Positions whose entry caused a cutoff.
    pub cutoffs: u64,
    /// Entries written.
    pub stores: u64,
    /// Entries written over another position's.
    pub replacements: u64,
}

impl TableCounters {
    /// Counts a store by what became of it.
    #[inline]
    pub fn stored(&mut self, stored: Stored) {
        self.stores += u64::from(stored != Stored::Kept);
        self.replacements += u64::from(stored == Stored::Replaced);
    }
}

/// What happened at an evaluation cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvalCounters {
    /// Positions asked for.
    pub probes: u64,
    /// Positions found.
    pub hits: u64,
    /// Values stored.
    pub stores: u64,
}

/// The state of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableReport<C = TableCounters> {
    /// Counts since the table was created.
    pub counters: C,
    /// How many of a thousand slots are in use.
    pub fill: u32,
    /// The memory it uses.
    pub bytes: usize,
}

/// The counts of all threads.
#[derive(Default)]
pub(super) struct TableTotals {
    probes: AtomicU64,
    hits: AtomicU64,
    cutoffs: AtomicU64,
    stores: AtomicU64,
    replacements: AtomicU64,
}

impl TableTotals {
    pub fn add(&self, counters: &TableCounters) {
        self.probes.fetch_add(counters.probes, Relaxed);
        self.hits.fetch_add(counters.hits, Relaxed);
        self.cutoffs.fetch_add(counters.cutoffs, Relaxed);
        self.stores.fetch_add(counters.stores, Relaxed);
        self.replacements.fetch_add(counters.replacements, Relaxed);
    }

    pub fn read(&self) -> TableCounters {
        TableCounters {
            probes: self.probes.load(Relaxed),
            hits: self.hits.load(Relaxed),
            cutoffs: self.cutoffs.load(Relaxed),
            stores: self.stores.load(Relaxed),
            replacements: self.replacements.load(Relaxed),
        }
    }
}

/// The counts of all threads.
#[derive(Default)]
pub(super) struct EvalTotals {
    probes: AtomicU64,
    hits: AtomicU64,
    stores: AtomicU64,
}

impl EvalTotals {
    pub fn add(&self, counters: &EvalCounters) {
        self.probes.fetch_add(counters.probes, Relaxed);
        self.hits.fetch_add(counters.hits, Relaxed);
        self.stores.fetch_add(counters.stores, Relaxed);
    }

    pub fn read(&self) -> EvalCounters {
        EvalCounters {
            probes: self.probes.load(Relaxed),
            hits: self.hits.load(Relaxed),
            stores: self.stores.load(Relaxed),
        }
    }
}
