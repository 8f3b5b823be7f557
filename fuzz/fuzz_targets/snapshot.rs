//! Whatever bytes a snapshot of the Search TT has, it is loaded or refused, and a table that was saved comes back whole.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_core::score::FirstScore;
use polyply_core::table::{Bound, Entry, SearchTt, snapshot};
use std::collections::BTreeMap;

/// That of the game, which does not matter here.
const FINGERPRINT: u64 = 1;

fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("polyply-fuzz-{}.tt", std::process::id()));
    std::fs::write(&path, bytes).expect("the folder takes a file");
    let table = SearchTt::new(1 << 12);
    if snapshot::load(&table, &path, FINGERPRINT).is_err() {
        assert_eq!(table.entries().count(), 0);
    }
    for bytes in bytes.chunks_exact(14) {
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let key = bytes[..8].iter().fold(0, |key, byte| key << 8 | u64::from(*byte));
        let score = FirstScore::from_bits((word(8) as i16 % 32_000) as u16);
        let bound = [Bound::Upper, Bound::Lower, Bound::Exact][usize::from(bytes[13]) % 3];
        table.store(key, Entry { score, eval: None, best: word(10), depth: bytes[12], bound, generation: 0 });
    }
    let again = SearchTt::new(1 << 12);
    snapshot::save(&table, &path, FINGERPRINT).expect("the folder takes a file");
    snapshot::load(&again, &path, FINGERPRINT).expect("what was saved is loaded");
    let entries = |table: &SearchTt| table.entries().collect::<BTreeMap<_, _>>();
    assert!(entries(&again) == entries(&table));
    // A saved file with one byte changed is refused.
    let mut damaged = std::fs::read(&path).expect("the file is there");
    if let [high, low, change, ..] = *bytes {
        let place = usize::from(u16::from_be_bytes([high, low])) % damaged.len();
        damaged[place] ^= change.max(1);
        std::fs::write(&path, damaged).expect("the folder takes a file");
        snapshot::load(&again, &path, FINGERPRINT).expect_err("a damaged file is found out");
        assert_eq!(again.entries().count(), 0);
    }
    std::fs::remove_file(&path).expect("the file can be removed");
});
