//! The Search TT keeps its rules under any workload.
#![cfg(not(loom))]

use polyply_core::game::{NO_MOVE, Side};
use polyply_core::score::{FirstScore, Score};
use polyply_core::table::{Bound, Entry, Rate, SearchTt, Stored, TableCounters, TableError, TableReport};
use proptest::prelude::*;
use std::collections::HashSet;

const BUCKET_BYTES: usize = 64;
const BUCKET_ENTRIES: usize = 4;
/// The slots of a bucket that go by worth. The other one holds the latest entry that was not worth one of them.
const WORTH_SLOTS: usize = 3;
/// Ages end here.
const OLDEST: u8 = 31;

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
    fn any_score()(value in -31_999..=31_999i32) -> FirstScore {
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

/// One step of a workload.
#[derive(Clone, Debug)]
enum Step {
    Store(u64, Entry),
    Probe(u64),
    NewSearch,
}

/// Operations on a table: stores, look-ups, and now and then a new root search.
fn any_workload(keys: usize) -> impl Strategy<Value = Vec<Step>> {
    let keys = prop::collection::vec(any::<u64>(), keys);
    keys.prop_flat_map(|keys| {
        let store = (prop::sample::select(keys.clone()), any_entry()).prop_map(|(key, entry)| Step::Store(key, entry));
        let probe = prop::sample::select(keys).prop_map(Step::Probe);
        prop::collection::vec(prop_oneof![12 => store, 3 => probe, 2 => Just(Step::NewSearch)], 1..300)
    })
}

/// A model of one bucket, as simple as possible. Its clock does not wrap.
#[derive(Default)]
struct Model {
    /// Key, entry, and when it was last used.
    slots: [Option<(u64, Entry, u32)>; BUCKET_ENTRIES],
    now: u32,
}

fn worth(entry: &Entry) -> i32 {
    2 * i32::from(entry.depth) + i32::from(entry.bound == Bound::Exact)
}

/// The model's table has the entry of the wrapping clock.
fn without_generation(entry: Option<Entry>) -> Option<Entry> {
    entry.map(|entry| Entry { generation: 0, ..entry })
}

impl Model {
    fn aged_worth(&self, slot: &Option<(u64, Entry, u32)>) -> i32 {
        slot.map_or(i32::MIN, |(_, entry, used)| match self.now - used {
            age if age >= u32::from(OLDEST) => i32::MIN + 1,
            age => worth(&entry) - 2 * age as i32,
        })
    }

    fn store(&mut self, key: u64, entry: Entry) -> Stored {
        let full = self.slots.iter().all(Option::is_some);
        let (entry, stored, known) =
            match self.slots.iter().position(|slot| slot.is_some_and(|(other, ..)| other == key)) {
                Some(index) => {
                    let (_, old, _) = self.slots[index].unwrap();
                    let kept = worth(&old) > worth(&entry);
                    let (stays, goes) = if kept { (old, entry) } else { (entry, old) };
                    let newer_move = kept && old.bound == Bound::Upper && entry.best != NO_MOVE;
                    let best = if newer_move || stays.best == NO_MOVE { goes.best } else { stays.best };
                    let merged = Entry { best, eval: stays.eval.or(goes.eval), ..stays };
                    (merged, if kept { Stored::Kept } else { Stored::Updated }, Some(index))
                }
                None => (entry, if full { Stored::Replaced } else { Stored::Fresh }, None),
            };
        let new = Some((key, entry, self.now));
        if let Some(index @ ..WORTH_SLOTS) = known {
            self.slots[index] = new;
            return stored;
        }
        // It competes for one of the slots that go by worth; the loser gets the last one.
        let worths = self.slots.each_ref().map(|slot| self.aged_worth(slot));
        let least = (0..WORTH_SLOTS).min_by_key(|&index| worths[index]).unwrap();
        let loser = if worth(&entry) > worths[least] { std::mem::replace(&mut self.slots[least], new) } else { new };
        if loser.is_some() {
            self.slots[WORTH_SLOTS] = loser;
        }
        stored
    }

    fn probe(&mut self, key: u64) -> Option<Entry> {
        let (_, entry, used) = self.slots.iter_mut().flatten().find(|(other, ..)| *other == key)?;
        *used = self.now;
        Some(*entry)
    }

    fn peek(&self, key: u64) -> Option<Entry> {
        self.slots.iter().flatten().find(|(other, ..)| *other == key).map(|(_, entry, _)| *entry)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_bucket_does_what_the_model_does(workload in any_workload(8)) {
        let table = one_bucket();
        let mut model = Model::default();
        let mut keys = HashSet::new();
        for step in workload {
            match step {
                Step::Store(key, entry) => {
                    keys.insert(key);
                    prop_assert_eq!(table.store(key, entry), model.store(key, entry));
                }
                Step::Probe(key) => prop_assert_eq!(without_generation(table.probe(key)), model.probe(key)),
                Step::NewSearch => {
                    table.next_generation();
                    model.now += 1;
                }
            }
            for &key in &keys {
                prop_assert_eq!(without_generation(table.peek(key)), model.peek(key));
            }
        }
    }

    #[test]
    fn of_the_same_position_the_deeper_result_stays(
        key in any::<u64>(),
        (deep, shallow) in (any_entry(), any_entry()),
        searches in 0..40,
        deep_first in any::<bool>(),
    ) {
        prop_assume!(shallow.depth < deep.depth);
        let table = one_bucket();
        let (first, second) = if deep_first { (deep, shallow) } else { (shallow, deep) };
        table.store(key, first);
        (0..searches).for_each(|_| table.next_generation());
        prop_assert_eq!(table.store(key, second), if deep_first { Stored::Kept } else { Stored::Updated });
        let found = table.peek(key).unwrap();
        prop_assert_eq!((found.depth, found.bound, found.score), (deep.depth, deep.bound, deep.score));
    }

    #[test]
    fn at_equal_depth_an_exact_score_of_the_same_position_stays_over_a_bound(
        key in any::<u64>(),
        (exact, bound) in (any_entry(), any_entry()),
        searches in 0..40,
        exact_first in any::<bool>(),
    ) {
        prop_assume!(bound.bound != Bound::Exact);
        let exact = Entry { bound: Bound::Exact, depth: bound.depth, ..exact };
        let table = one_bucket();
        let (first, second) = if exact_first { (exact, bound) } else { (bound, exact) };
        table.store(key, first);
        (0..searches).for_each(|_| table.next_generation());
        table.store(key, second);
        let found = table.peek(key).unwrap();
        prop_assert_eq!((found.bound, found.score), (Bound::Exact, exact.score));
    }

    #[test]
    fn of_two_equal_results_of_the_same_position_the_newer_one_stays(
        key in any::<u64>(),
        (old, new) in (any_entry(), any_entry()),
    ) {
        let new = Entry { depth: old.depth, bound: old.bound, ..new };
        let table = one_bucket();
        table.store(key, old);
        prop_assert_eq!(table.store(key, new), Stored::Updated);
        prop_assert_eq!(table.peek(key).unwrap().score, new.score);
    }

    #[test]
    fn a_best_move_is_never_lost_to_no_move(key in any::<u64>(), results in prop::collection::vec(any_entry(), 2..9)) {
        let table = one_bucket();
        let mut known = false;
        for entry in results {
            table.store(key, entry);
            known |= entry.best != NO_MOVE;
            prop_assert_eq!(table.peek(key).unwrap().best != NO_MOVE, known);
        }
    }

    #[test]
    fn an_evaluation_never_takes_the_place_of_a_result_and_answers_no_window(
        key in any::<u64>(),
        result in any_entry(),
        eval in any_score(),
        (alpha, beta) in (-31_999..=32_000, -31_999..=32_000),
    ) {
        prop_assume!(alpha < beta && eval.plies_to_end().is_none() && !result.is_evaluation());
        let window = |value: i32| FirstScore::from_bits(value as i16 as u16).for_side(Side::First);
        for side in [Side::First, Side::Second] {
            let entry = Entry::evaluation(eval, side);
            prop_assert!(entry.is_evaluation());
            prop_assert!(!entry.bound.answers(entry.score.for_side(side), window(alpha), window(beta)));
            let table = one_bucket();
            table.store(key, result);
            prop_assert_eq!(table.store(key, entry), Stored::Kept);
            let found = table.peek(key).unwrap();
            prop_assert_eq!((found.score, found.depth, found.bound), (result.score, result.depth, result.bound));
            table.flush();
            table.store(key, entry);
            prop_assert_eq!(table.store(key, result), Stored::Updated);
        }
    }

    #[test]
    fn an_entry_that_is_found_is_as_young_as_a_new_one(entry in any_entry(), rounds in prop::collection::vec(1..200u8, 1..6)) {
        let table = one_bucket();
        table.store(7, entry);
        for searches in rounds {
            (0..searches).for_each(|_| table.next_generation());
            prop_assert_eq!(table.age(&table.peek(7).unwrap()), searches.min(OLDEST), "looking changes nothing");
            prop_assert_eq!(table.probe(7), table.peek(7));
            prop_assert_eq!(table.age(&table.peek(7).unwrap()), 0);
        }
    }

    #[test]
    fn nothing_old_looks_young_again_without_being_used(
        entry in any_entry(),
        searches in 0..500u32,
        buckets in 1..200usize,
        key in any::<u64>(),
    ) {
        let table = SearchTt::new(buckets * BUCKET_BYTES);
        table.store(key, entry);
        for age in 1..=searches {
            table.next_generation();
            prop_assert_eq!(u32::from(table.age(&table.peek(key).unwrap())), age.min(OLDEST.into()));
        }
    }

    #[test]
    fn an_entry_outlives_as_many_searches_as_it_is_deep_and_no_entry_lives_for_ever(depth in 0..=255u8) {
        let table = one_bucket();
        for key in 0..WORTH_SLOTS as u64 {
            table.store(key, entry_of(depth, Bound::Lower));
        }
        let mut newcomers = 1000..;
        for age in 0..=2 * u32::from(OLDEST) {
            let old = (0..WORTH_SLOTS as u64).filter(|&key| table.peek(key).is_some()).count();
            if age <= u32::from(depth).min(u32::from(OLDEST) - 1) {
                prop_assert_eq!(old, WORTH_SLOTS, "age {}", age);
            } else if age > u32::from(depth).min(u32::from(OLDEST)) + 1 {
                prop_assert_eq!(old, 0, "age {}", age);
            }
            for newcomer in newcomers.by_ref().take(BUCKET_ENTRIES + 1) {
                table.store(newcomer, entry_of(0, Bound::Upper));
            }
            table.next_generation();
        }
    }

    #[test]
    fn what_was_just_stored_is_there(workload in any_workload(60)) {
        let table = one_bucket();
        for step in workload {
            match step {
                Step::Store(key, entry) => {
                    table.store(key, entry);
                    prop_assert!(table.peek(key).is_some());
                }
                Step::Probe(key) => { table.probe(key); }
                Step::NewSearch => table.next_generation(),
            }
        }
    }

    #[test]
    fn an_entry_that_grows_deeper_in_the_last_slot_moves_to_a_better_one(depths in prop::collection::vec(5..100u8, 3)) {
        let table = one_bucket();
        for (key, &depth) in depths.iter().enumerate() {
            table.store(key as u64, entry_of(depth, Bound::Lower));
        }
        table.store(7, entry_of(1, Bound::Lower));
        prop_assert_eq!(table.store(7, entry_of(101, Bound::Lower)), Stored::Updated);
        prop_assert_eq!(table.entries().count(), BUCKET_ENTRIES);
        table.store(8, entry_of(0, Bound::Lower));
        prop_assert!(table.peek(7).is_some());
        prop_assert_eq!(table.entries().count(), BUCKET_ENTRIES);
    }

    #[test]
    fn the_three_entries_worth_most_stay_and_the_last_slot_has_the_latest_of_the_others(
        depths in prop::collection::vec(0..100u8, 4..60),
    ) {
        let table = one_bucket();
        for (key, &depth) in depths.iter().enumerate() {
            table.store(key as u64, entry_of(depth, Bound::Lower));
        }
        let mut kept: Vec<u8> = table.entries().map(|(_, entry)| entry.depth).collect();
        kept.sort_unstable();
        let mut sorted = depths.clone();
        sorted.sort_unstable();
        prop_assert_eq!(&kept[1..], &sorted[sorted.len() - WORTH_SLOTS..]);
    }

    #[test]
    fn there_is_never_more_than_one_entry_a_key_and_the_table_never_grows(
        workload in any_workload(60),
        buckets in 1..9usize,
    ) {
        let table = SearchTt::new(buckets * BUCKET_BYTES);
        for step in workload {
            match step {
                Step::Store(key, entry) => { table.store(key, entry); }
                Step::Probe(key) => { table.probe(key); }
                Step::NewSearch => table.next_generation(),
            }
            let keys: Vec<u64> = table.entries().map(|(key, _)| key).collect();
            prop_assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
            prop_assert!(keys.len() <= buckets * BUCKET_ENTRIES);
            prop_assert_eq!(table.bytes(), buckets * BUCKET_BYTES);
            prop_assert_eq!(table.fill() as usize, keys.len() * 1000 / (buckets * BUCKET_ENTRIES));
        }
    }

    #[test]
    fn at_equal_depth_the_exact_entry_outlives_bounds_of_other_positions(
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
    for _ in 0..OLDEST + 1 {
        table.next_generation();
        for _ in 0..1_000 {
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
    let by_depth = [9, 0, 0, 4, 0, 1].map(|probes| Rate { probes, hits: probes / 2 });
    let counters = TableCounters { by_depth, cutoffs: 3, stores: 2, replacements: 1 };
    assert_eq!(counters.rate(), Rate { probes: 14, hits: 6 });
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
