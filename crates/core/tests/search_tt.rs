//! The Search TT keeps its rules under any workload.
#![cfg(not(loom))]

use polyply_core::game::{NO_MOVE, Side};
use polyply_core::score::{FirstScore, Score};
use polyply_core::table::{Bound, Entry, SearchTt, Stored, TableCounters, TableError, TableReport};
use proptest::prelude::*;
use std::collections::HashSet;

const BUCKET_BYTES: usize = 64;
const BUCKET_ENTRIES: usize = 4;

fn one_bucket() -> SearchTt {
    SearchTt::new(BUCKET_BYTES)
}

fn entry_of(depth: u8, bound: Bound) -> Entry {
    Entry { score: FirstScore::default(), eval: None, best: NO_MOVE, depth, bound, generation: 0 }
}

fn any_bound() -> impl Strategy<Value = Bound> {
    prop_oneof![Just(Bound::Upper), Just(Bound::Lower), Just(Bound::Exact)]
}

prop_compose! {
    fn any_score()(value in -32_000..=32_000i32) -> FirstScore {
        FirstScore::from_bits(value as i16 as u16)
    }
}

prop_compose! {
    fn any_entry()(
        score in any_score(),
        eval in any_score(),
        best in prop_oneof![Just(NO_MOVE), any::<u16>()],
        depth in prop_oneof![0..12u8, any::<u8>()],
        bound in any_bound(),
    ) -> Entry {
        Entry { score, eval: Some(eval), best, depth, bound, generation: 0 }
    }
}

/// Operations on a table: stores, and now and then a new root search.
fn any_workload(keys: usize) -> impl Strategy<Value = Vec<Option<(u64, Entry)>>> {
    let keys = prop::collection::vec(any::<u64>(), keys);
    keys.prop_flat_map(|keys| {
        let store = (prop::sample::select(keys), any_entry()).prop_map(Some);
        prop::collection::vec(prop_oneof![12 => store, 1 => Just(None)], 1..300)
    })
}

/// A model of one bucket, as simple as possible.
#[derive(Default)]
struct Model {
    slots: [Option<(u64, Entry)>; BUCKET_ENTRIES],
    generation: u8,
}

impl Model {
    fn worth(entry: &Entry) -> i32 {
        2 * i32::from(entry.depth) + if entry.bound == Bound::Exact { 1 } else { 0 }
    }

    fn aged_worth(&self, slot: &Option<(u64, Entry)>) -> i32 {
        slot.map_or(i32::MIN, |(_, entry)| {
            let age = i32::from(self.generation) - i32::from(entry.generation);
            Self::worth(&entry) - 8 * age.rem_euclid(64).pow(2)
        })
    }

    fn store(&mut self, key: u64, mut entry: Entry) -> Stored {
        entry.generation = self.generation;
        if let Some((_, old)) = self.slots.iter_mut().flatten().find(|(other, _)| *other == key) {
            let exact_over_bound = entry.bound == Bound::Exact && old.bound != Bound::Exact;
            let worse = Self::worth(&entry) < Self::worth(old) && !exact_over_bound;
            if worse && old.generation == self.generation {
                return Stored::Kept;
            }
            if entry.best == NO_MOVE {
                entry.best = old.best;
            }
            *old = entry;
            return Stored::Updated;
        }
        let worths = self.slots.each_ref().map(|slot| self.aged_worth(slot));
        let least = (0..BUCKET_ENTRIES).min_by_key(|&index| worths[index]).unwrap();
        match self.slots[least].replace((key, entry)) {
            None => Stored::Fresh,
            Some(_) => Stored::Replaced,
        }
    }

    fn probe(&self, key: u64) -> Option<Entry> {
        self.slots.iter().flatten().find(|(other, _)| *other == key).map(|(_, entry)| *entry)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_bucket_does_what_the_model_does(workload in any_workload(8)) {
        let table = one_bucket();
        let mut model = Model::default();
        let keys: HashSet<u64> = workload.iter().flatten().map(|(key, _)| *key).collect();
        for step in workload {
            match step {
                Some((key, entry)) => prop_assert_eq!(table.store(key, entry), model.store(key, entry)),
                None => {
                    table.next_generation();
                    model.generation = (model.generation + 1) % 64;
                }
            }
            for &key in &keys {
                prop_assert_eq!(table.probe(key), model.probe(key));
            }
        }
    }

    #[test]
    fn there_is_never_more_than_one_entry_a_key_and_the_table_never_grows(
        workload in any_workload(60),
        buckets in 1..9usize,
    ) {
        let table = SearchTt::new(buckets * BUCKET_BYTES);
        for step in workload {
            match step {
                Some((key, entry)) => { table.store(key, entry); }
                None => table.next_generation(),
            }
            let keys: Vec<u64> = table.entries().map(|(key, _)| key).collect();
            prop_assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
            prop_assert!(keys.len() <= buckets * BUCKET_ENTRIES);
            prop_assert_eq!(table.bytes(), buckets * BUCKET_BYTES);
            prop_assert_eq!(table.fill() as usize, keys.len() * 1000 / (buckets * BUCKET_ENTRIES));
        }
    }

    #[test]
    fn a_shallower_bound_of_the_same_generation_changes_nothing(
        key in any::<u64>(),
        old in any_entry(),
        new in any_entry(),
    ) {
        prop_assume!(new.bound != Bound::Exact && new.depth < old.depth);
        let table = one_bucket();
        table.store(key, old);
        let before = table.probe(key);
        prop_assert_eq!(table.store(key, new), Stored::Kept);
        prop_assert_eq!(table.probe(key), before);
        table.next_generation();
        prop_assert_eq!(table.store(key, new), Stored::Updated);
    }

    #[test]
    fn the_least_of_a_full_bucket_goes_and_the_others_stay(
        depths in prop::collection::hash_set(any::<u8>(), BUCKET_ENTRIES),
        bound in any_bound(),
    ) {
        let table = one_bucket();
        for &depth in &depths {
            prop_assert_eq!(table.store(depth.into(), entry_of(depth, bound)), Stored::Fresh);
        }
        prop_assert_eq!(table.store(1000, entry_of(0, Bound::Upper)), Stored::Replaced);
        let shallowest = *depths.iter().min().unwrap();
        for depth in depths {
            prop_assert_eq!(table.probe(depth.into()).is_some(), depth != shallowest);
        }
    }

    #[test]
    fn at_equal_depth_the_exact_entry_stays(
        depth in any::<u8>(),
        exact in 0..BUCKET_ENTRIES as u64,
        newcomers in 1..20u64,
    ) {
        let table = one_bucket();
        for key in 0..BUCKET_ENTRIES as u64 {
            table.store(key, entry_of(depth, if key == exact { Bound::Exact } else { Bound::Lower }));
        }
        for newcomer in 0..newcomers {
            table.store(1000 + newcomer, entry_of(depth, Bound::Upper));
        }
        prop_assert!(table.probe(exact).is_some());
    }

    #[test]
    fn win_distances_are_right_at_any_ply(
        distance in 0..500i32,
        stored_at in 0..256usize,
        found_at in 0..256usize,
        wins in any::<bool>(),
        second in any::<bool>(),
    ) {
        let side = if second { Side::Second } else { Side::First };
        let end = |plies: i32| if wins { Score::win_in(plies) } else { Score::loss_in(plies) };
        let table = one_bucket();
        let score = end(stored_at as i32 + distance).from_node(stored_at).for_first(side);
        table.store(7, Entry { score, ..entry_of(3, Bound::Exact) });
        let found = table.probe(7).unwrap().score.for_side(side).from_root(found_at);
        prop_assert_eq!(found, end(found_at as i32 + distance));
    }
}

#[test]
fn a_table_full_of_the_deepest_entries_never_freezes() {
    let table = SearchTt::new(64 * BUCKET_BYTES);
    let key = |index: u64| index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for index in 0..10_000 {
        table.store(key(index), entry_of(u8::MAX, Bound::Exact));
    }
    assert_eq!(table.fill(), 1000);
    let old: HashSet<u64> = table.entries().map(|(key, _)| key).collect();
    let mut next = 10_000;
    for _ in 0..8 {
        table.next_generation();
        for _ in 0..2_000 {
            table.store(key(next), entry_of(0, Bound::Upper));
            assert!(table.probe(key(next)).is_some(), "what was just found out is there at once");
            next += 1;
        }
    }
    assert_eq!(table.entries().filter(|(key, _)| old.contains(key)).count(), 0);
}

#[test]
fn flush_and_resize_forget_but_the_counters_run_on() {
    let mut table = SearchTt::new(10 * BUCKET_BYTES);
    let counters = TableCounters { probes: 9, hits: 5, cutoffs: 3, stores: 2, replacements: 1 };
    table.count(&counters);
    table.count(&TableCounters::default());
    table.store(7, entry_of(1, Bound::Exact));
    assert_eq!(table.report(), TableReport { counters, fill: 25, bytes: 640 });
    table.flush();
    assert_eq!((table.probe(7), table.fill()), (None, 0));
    table.store(7, entry_of(1, Bound::Exact));
    table.resize(5 * BUCKET_BYTES).unwrap();
    assert_eq!(table.probe(7), None);
    assert_eq!(table.report(), TableReport { counters, fill: 0, bytes: 320 });
}

#[test]
#[cfg(target_pointer_width = "64")]
fn a_size_that_cannot_be_had_is_refused_and_the_old_table_stays() {
    assert_eq!(SearchTt::try_new(usize::MAX).err(), Some(TableError::TooLarge(usize::MAX)));
    let mut table = one_bucket();
    table.store(7, entry_of(1, Bound::Exact));
    assert!(table.resize(usize::MAX).is_err());
    assert!(table.probe(7).is_some());
}

#[test]
fn a_store_is_counted_by_what_became_of_it() {
    let mut counters = TableCounters::default();
    for stored in [Stored::Fresh, Stored::Updated, Stored::Replaced, Stored::Kept] {
        counters.stored(stored);
    }
    assert_eq!(counters, TableCounters { stores: 3, replacements: 1, ..TableCounters::default() });
}
