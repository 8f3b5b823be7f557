//! No interleaving of two writers and a reader makes the Search TT return a mixture of two entries.
//!
//! Run with `RUSTFLAGS="--cfg loom" cargo test -p polyply-core --release --test loom_tt --target-dir target/loom`.
#![cfg(loom)]

use loom::sync::Arc;
use loom::thread;
use polyply_core::score::FirstScore;
use polyply_core::table::{Bound, Entry, SearchTt};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Two entries that differ in every field, so that any mixture is neither of them.
fn entries() -> [Entry; 2] {
    let entry = |bits: u16, depth, bound| Entry {
        score: FirstScore::from_bits(bits),
        eval: Some(FirstScore::from_bits(bits + 1)),
        best: bits + 2,
        depth,
        bound,
        generation: 0,
    };
    [entry(100, 3, Bound::Upper), entry(2000, 9, Bound::Exact)]
}

/// Two threads store an entry each under these keys, while a third reads a key.
fn check(keys: [u64; 2], before: Option<(u64, Entry)>, read: u64) {
    // The standard atomics, which loom does not follow: they look at all interleavings together.
    let hit = std::sync::Arc::new(AtomicBool::new(false));
    let missed = std::sync::Arc::new(AtomicBool::new(false));
    let (any_hit, any_miss) = (hit.clone(), missed.clone());
    let mut model = loom::model::Builder::new();
    // The test also passes without a bound, in a minute.
    model.preemption_bound = Some(3);
    model.check(move || {
        let table = Arc::new(SearchTt::new(0));
        if let Some((key, entry)) = before {
            table.store(key, entry);
        }
        let stored = entries();
        for index in 0..2 {
            let table = Arc::clone(&table);
            thread::spawn(move || {
                table.store(keys[index], stored[index]);
            });
        }
        // The reader comes last: loom then lets each of its loads see any of the values written so far, old and new.
        let (hit, missed) = (hit.clone(), missed.clone());
        thread::spawn(move || match table.probe(read) {
            Some(found) => {
                let written = (0..2).any(|index| (keys[index], stored[index]) == (read, found));
                assert!(written || before == Some((read, found)), "{read} has {found:?}");
                hit.store(true, Relaxed);
            }
            None => missed.store(true, Relaxed),
        });
    });
    assert!(any_hit.load(Relaxed) && any_miss.load(Relaxed), "the model has not seen both a hit and a miss");
}

#[test]
fn two_writers_of_one_position() {
    check([7, 7], None, 7);
}

#[test]
fn two_writers_of_one_position_that_is_known() {
    check([7, 7], Some((7, Entry { depth: 1, ..entries()[0] })), 7);
}

#[test]
fn two_writers_of_two_positions_in_one_bucket() {
    check([7, 8], None, 7);
    check([7, 8], None, 8);
}

#[test]
fn a_writer_and_a_flush() {
    loom::model(|| {
        let table = Arc::new(SearchTt::new(0));
        let [old, new] = entries();
        table.store(7, old);
        let writer = Arc::clone(&table);
        let writer = thread::spawn(move || {
            writer.store(8, new);
        });
        table.flush();
        writer.join().unwrap();
        assert_eq!(table.probe(7), None);
        assert!(table.probe(8).is_none_or(|found| found == new));
    });
}

#[test]
fn a_writer_and_a_reader_that_renews_what_it_finds() {
    loom::model(|| {
        let table = Arc::new(SearchTt::new(0));
        let [old, new] = entries();
        table.store(7, old);
        table.next_generation();
        let writer = Arc::clone(&table);
        let writer = thread::spawn(move || {
            writer.store(7, new);
        });
        // The reader finds one of the two, now young, or nothing; and so does whoever comes later.
        let aged = |entry: Entry| Entry { generation: 1, ..entry };
        let whole = |found: Option<Entry>| found.is_none_or(|found| found == aged(old) || found == aged(new));
        assert!(whole(table.probe(7)));
        writer.join().unwrap();
        assert!(whole(table.probe(7)));
    });
}
