//! Counters of the tables. Every thread counts for itself and adds its counts to the table's from time to time: a
//! shared counter would cost more than the probe that it counts.

use super::Stored;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Look-ups, and how many of them found something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rate {
    /// Look-ups.
    pub probes: u64,
    /// Look-ups that found something.
    pub hits: u64,
}

impl Rate {
    /// Adds other look-ups.
    pub fn add(&mut self, other: Rate) {
        self.probes += other.probes;
        self.hits += other.hits;
    }

    /// The share that found something, from 0 to 1; 0 where nothing was looked up.
    pub fn share(self) -> f64 {
        self.hits as f64 / self.probes.max(1) as f64
    }
}

/// The depths by which look-ups are counted apart: at the leaves, and by powers of two.
pub const DEPTH_BANDS: [&str; 6] = ["0", "1", "2-3", "4-7", "8-15", "16+"];

/// The place of a depth in [`DEPTH_BANDS`].
#[inline(always)]
pub fn depth_band(depth: i32) -> usize {
    let bits = i32::BITS - depth.max(0).leading_zeros();
    (bits as usize).min(DEPTH_BANDS.len() - 1)
}

/// What happened at a Search TT.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableCounters {
    /// Positions looked up, and found, by the depth they were looked up for; see [`DEPTH_BANDS`].
    pub by_depth: [Rate; DEPTH_BANDS.len()],
    /// Positions whose entry caused a cutoff.
    pub cutoffs: u64,
    /// Entries written.
    pub stores: u64,
    /// Entries written over another position's.
    pub replacements: u64,
}

impl TableCounters {
    /// Positions looked up, and found, at any depth.
    pub fn rate(&self) -> Rate {
        let mut sum = Rate::default();
        self.by_depth.iter().for_each(|&rate| sum.add(rate));
        sum
    }

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
    /// Positions looked up, and found.
    pub rate: Rate,
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

/// Look-ups of all threads.
#[derive(Default)]
struct RateTotal {
    probes: AtomicU64,
    hits: AtomicU64,
}

impl RateTotal {
    fn add(&self, rate: Rate) {
        self.probes.fetch_add(rate.probes, Relaxed);
        self.hits.fetch_add(rate.hits, Relaxed);
    }

    fn read(&self) -> Rate {
        Rate { probes: self.probes.load(Relaxed), hits: self.hits.load(Relaxed) }
    }
}

/// The counts of all threads.
#[derive(Default)]
pub(super) struct TableTotals {
    by_depth: [RateTotal; DEPTH_BANDS.len()],
    cutoffs: AtomicU64,
    stores: AtomicU64,
    replacements: AtomicU64,
}

impl TableTotals {
    pub fn add(&self, counters: &TableCounters) {
        self.by_depth.iter().zip(counters.by_depth).for_each(|(total, rate)| total.add(rate));
        self.cutoffs.fetch_add(counters.cutoffs, Relaxed);
        self.stores.fetch_add(counters.stores, Relaxed);
        self.replacements.fetch_add(counters.replacements, Relaxed);
    }

    pub fn read(&self) -> TableCounters {
        TableCounters {
            by_depth: self.by_depth.each_ref().map(RateTotal::read),
            cutoffs: self.cutoffs.load(Relaxed),
            stores: self.stores.load(Relaxed),
            replacements: self.replacements.load(Relaxed),
        }
    }
}

/// The counts of all threads.
#[derive(Default)]
pub(super) struct EvalTotals {
    rate: RateTotal,
    stores: AtomicU64,
}

impl EvalTotals {
    pub fn add(&self, counters: &EvalCounters) {
        self.rate.add(counters.rate);
        self.stores.fetch_add(counters.stores, Relaxed);
    }

    pub fn read(&self) -> EvalCounters {
        EvalCounters { rate: self.rate.read(), stores: self.stores.load(Relaxed) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_depth_is_counted_in_the_band_that_names_it() {
        for depth in 0..300 {
            let named = DEPTH_BANDS.iter().position(|name| match name.split_once(['-', '+']) {
                None => *name == depth.to_string(),
                Some((low, "")) => depth >= low.parse().unwrap(),
                Some((low, high)) => (low.parse().unwrap()..=high.parse().unwrap()).contains(&depth),
            });
            assert_eq!(Some(depth_band(depth)), named, "depth {depth}");
        }
        assert_eq!(depth_band(-3), 0, "quiescence counts down from 0");
    }
}
