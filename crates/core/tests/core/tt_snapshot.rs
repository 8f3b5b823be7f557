//! Loading a snapshot restores what was saved, or nothing.
#![cfg(not(loom))]

use polyply_core::score::FirstScore;
use polyply_core::table::snapshot::{SnapshotError, load, save};
use polyply_core::table::{Bound, Entry, SearchTt};
use proptest::prelude::*;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

const FINGERPRINT: u64 = 0x5EED;
const BUCKET_BYTES: usize = 64;

/// A table with something in it, and a place to save it.
struct Scene {
    table: SearchTt,
    folder: TempDir,
}

impl Scene {
    fn new(buckets: usize, stores: u64) -> Scene {
        let table = SearchTt::new(buckets * BUCKET_BYTES);
        for index in 0..stores {
            table.store(key(index), entry(index));
            if index % 10 == 9 {
                table.next_generation();
            }
        }
        Scene { table, folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("table.tt")
    }
}

fn key(index: u64) -> u64 {
    (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn entry(index: u64) -> Entry {
    Entry {
        score: FirstScore::from_bits(index as u16 % 30_000),
        eval: (!index.is_multiple_of(3)).then(|| FirstScore::from_bits((index as i16 % 300 - 150) as u16)),
        best: index as u16,
        depth: (index * 7 % 40) as u8,
        bound: [Bound::Upper, Bound::Lower, Bound::Exact][index as usize % 3],
        generation: 0,
    }
}

fn contents(table: &SearchTt) -> HashMap<u64, Entry> {
    table.entries().collect()
}

/// A table that holds something must be empty after a load that fails.
fn assert_refused(scene: &Scene, what: &str) -> SnapshotError {
    let table = SearchTt::new(4 * BUCKET_BYTES);
    table.store(1, entry(1));
    let error = load(&table, &scene.path(), FINGERPRINT).expect_err(what);
    assert_eq!(table.entries().count(), 0, "{what}");
    let sentence = error.to_string();
    assert!(!sentence.is_empty() && !sentence.contains('\n'), "{what}: {sentence}");
    error
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_table_of_the_same_size_comes_back_whole(buckets in 1..20usize, stores in 0..200u64) {
        let scene = Scene::new(buckets, stores);
        let saved = save(&scene.table, &scene.path(), FINGERPRINT).unwrap();
        let table = SearchTt::new(buckets * BUCKET_BYTES);
        table.store(key(1_000_000), entry(0));
        prop_assert_eq!(load(&table, &scene.path(), FINGERPRINT).unwrap(), saved);
        prop_assert_eq!(contents(&table), contents(&scene.table));
        prop_assert_eq!(table.generation(), scene.table.generation());
    }

    #[test]
    fn a_larger_table_takes_everything_and_a_smaller_one_what_fits(
        buckets in 2..20usize,
        smaller in 1..10usize,
        stores in 0..200u64,
    ) {
        let scene = Scene::new(buckets, stores);
        save(&scene.table, &scene.path(), FINGERPRINT).unwrap();
        let saved = contents(&scene.table);

        let larger = SearchTt::new(buckets * 1000 * BUCKET_BYTES);
        load(&larger, &scene.path(), FINGERPRINT).unwrap();
        prop_assert_eq!(&contents(&larger), &saved);

        let small = SearchTt::new(smaller * BUCKET_BYTES);
        load(&small, &scene.path(), FINGERPRINT).unwrap();
        for (key, entry) in contents(&small) {
            prop_assert_eq!(saved.get(&key), Some(&entry));
        }
    }
}

#[test]
fn a_table_that_is_too_small_takes_the_entries_worth_most() {
    let scene = Scene::new(1000, 0);
    for depth in 0..50 {
        scene.table.store(key(depth), Entry { depth: depth as u8, bound: Bound::Lower, ..entry(0) });
    }
    save(&scene.table, &scene.path(), FINGERPRINT).unwrap();
    let small = SearchTt::new(BUCKET_BYTES);
    load(&small, &scene.path(), FINGERPRINT).unwrap();
    let mut depths: Vec<u8> = small.entries().map(|(_, entry)| entry.depth).collect();
    depths.sort_unstable();
    assert_eq!(depths, [46, 47, 48, 49]);
}

#[test]
fn every_damaged_byte_is_found() {
    let scene = Scene::new(4, 5);
    save(&scene.table, &scene.path(), FINGERPRINT).unwrap();
    let whole = fs::read(scene.path()).unwrap();
    for position in 0..whole.len() {
        for flip in [0x01, 0x80, 0xFF] {
            let mut damaged = whole.clone();
            damaged[position] ^= flip;
            fs::write(scene.path(), damaged).unwrap();
            assert_refused(&scene, &format!("byte {position} with {flip:#x} flipped"));
        }
    }
}

#[test]
fn every_truncation_and_every_longer_file_is_found() {
    let scene = Scene::new(4, 5);
    save(&scene.table, &scene.path(), FINGERPRINT).unwrap();
    let whole = fs::read(scene.path()).unwrap();
    for length in 0..whole.len() {
        fs::write(scene.path(), &whole[..length]).unwrap();
        let error = assert_refused(&scene, &format!("the first {length} bytes"));
        assert!(matches!(error, SnapshotError::Truncated), "{length}: {error}");
    }
    for extra in 1..40 {
        let longer = [&whole[..], &vec![0; extra]].concat();
        fs::write(scene.path(), longer).unwrap();
        assert!(matches!(assert_refused(&scene, "a longer file"), SnapshotError::Damaged));
    }
}

#[test]
fn each_kind_of_wrong_file_has_its_own_error() {
    let scene = Scene::new(4, 5);
    assert!(matches!(assert_refused(&scene, "no file"), SnapshotError::Read(_)));

    fs::write(scene.path(), "a page of something else entirely").unwrap();
    assert!(matches!(assert_refused(&scene, "text"), SnapshotError::Foreign));

    save(&scene.table, &scene.path(), FINGERPRINT + 1).unwrap();
    assert!(matches!(assert_refused(&scene, "other weights"), SnapshotError::Fingerprint));

    save(&scene.table, &scene.path(), FINGERPRINT).unwrap();
    let whole = fs::read(scene.path()).unwrap();
    let with_word = |index: usize, word: u64| {
        let mut changed = whole.clone();
        changed[8 * index..8 * index + 8].copy_from_slice(&word.to_le_bytes());
        fs::write(scene.path(), changed).unwrap();
    };
    with_word(1, 2);
    assert!(matches!(assert_refused(&scene, "another format"), SnapshotError::Version { found: 2 }));
    // An absurd number of entries must not be trusted and allocated.
    with_word(4, u64::MAX);
    assert!(matches!(assert_refused(&scene, "too many entries"), SnapshotError::Truncated));
}

#[test]
fn a_save_that_fails_leaves_the_old_snapshot_and_no_remains() {
    let scene = Scene::new(4, 5);
    let nowhere = scene.folder.path().join("no such folder").join("table.tt");
    assert!(matches!(save(&scene.table, &nowhere, FINGERPRINT), Err(SnapshotError::Write(_))));

    // There is a folder in the place of the file.
    let taken = scene.folder.path().join("taken");
    fs::create_dir_all(taken.join("inner")).unwrap();
    assert!(matches!(save(&scene.table, &taken, FINGERPRINT), Err(SnapshotError::Write(_))));
    assert_eq!(fs::read_dir(scene.folder.path()).unwrap().count(), 1);
}

#[test]
fn a_save_replaces_the_old_snapshot_and_leaves_nothing_beside_it() {
    let scene = Scene::new(4, 5);
    save(&scene.table, &scene.path(), FINGERPRINT).unwrap();
    scene.table.flush();
    assert_eq!(save(&scene.table, &scene.path(), FINGERPRINT).unwrap(), 0);
    assert_eq!(load(&scene.table, &scene.path(), FINGERPRINT).unwrap(), 0);
    assert_eq!(fs::read_dir(scene.folder.path()).unwrap().count(), 1);
}

#[test]
fn saves_to_the_same_path_at_the_same_time_do_not_disturb_each_other() {
    let scene = Scene::new(64, 200);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| save(&scene.table, &scene.path(), FINGERPRINT).unwrap());
        }
    });
    let table = SearchTt::new(64 * BUCKET_BYTES);
    load(&table, &scene.path(), FINGERPRINT).unwrap();
    assert_eq!(contents(&table), contents(&scene.table));
    assert_eq!(fs::read_dir(scene.folder.path()).unwrap().count(), 1, "nothing is left over");
}

#[test]
fn a_header_that_claims_more_than_there_is_is_refused_at_once() {
    let scene = Scene::new(4, 10);
    save(&scene.table, &scene.path(), FINGERPRINT).unwrap();
    let mut bytes = fs::read(scene.path()).unwrap();
    for count in [u64::MAX, u64::MAX / 16, 1 << 60] {
        bytes[32..40].copy_from_slice(&count.to_le_bytes());
        fs::write(scene.path(), &bytes).unwrap();
        assert!(matches!(assert_refused(&scene, "count"), SnapshotError::Truncated));
    }
}
