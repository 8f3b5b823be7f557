//! A cache of static evaluations, for games whose evaluation is expensive. It never causes a cutoff.
//!
//! An entry is one word, so it can't tear. From the lowest bit: value 16, generation 6, the low 42 bits of the key. The
//! high bits of the key pick the line, so in all but the smallest caches nearly the whole key is compared.
//!
//! The last word of a line remembers, by one bit each, which positions were asked for. With it a cache can be kept to
//! positions that are asked for more than once; most never are.

use super::counters::EvalTotals;
use super::generation::{self, Generation};
use super::lines::Lines;
use super::{EvalCounters, TableError, TableReport};
use crate::score::FirstScore;
use crate::sync::{AtomicU64, Ordering::Relaxed};

/// Entries of a line. One more word remembers what was asked for.
const ENTRIES: usize = 7;

/// Words of a line.
const WORDS: usize = ENTRIES + 1;

/// How many bits of what was asked for may be set before they are cleared: with more of them, too many positions would
/// look asked for that were not.
const MOST_ASKED: u32 = 24;

/// The number of bits below the key bits.
const CHECK_SHIFT: u32 = 22;

/// Flipped in a stored value, so that no stored word looks like a blank entry: that would be the value -32768.
const VALUE_FLIP: u16 = 0x8000;

fn pack(key: u64, generation: u8, value: FirstScore) -> u64 {
    key << CHECK_SHIFT | u64::from(generation) << 16 | u64::from(value.to_bits() ^ VALUE_FLIP)
}

fn holds(word: u64, key: u64) -> bool {
    (word ^ key << CHECK_SHIFT) >> CHECK_SHIFT == 0
}

/// The value in a word, if it is one that a heuristic may have.
fn value(word: u64) -> Option<FirstScore> {
    let value = FirstScore::from_bits(word as u16 ^ VALUE_FLIP);
    is_heuristic(value).then_some(value)
}

fn is_heuristic(value: FirstScore) -> bool {
    value.plies_to_end().is_none()
}

/// Heuristic values by key, in a fixed amount of memory. With a size of 0 it is off: it takes no memory and never hits.
pub struct EvalCache {
    lines: Option<Lines<AtomicU64, WORDS>>,
    generation: Generation,
    totals: EvalTotals,
}

impl EvalCache {
    /// A cache of at most `bytes`, but at least one line; off for 0. Fails if there is not enough memory.
    pub fn try_new(bytes: usize) -> Result<EvalCache, TableError> {
        Ok(EvalCache { lines: lines(bytes)?, generation: Generation::default(), totals: EvalTotals::default() })
    }

    /// A cache that is off.
    pub fn off() -> EvalCache {
        EvalCache { lines: None, generation: Generation::default(), totals: EvalTotals::default() }
    }

    /// The cache is not off.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.lines.is_some()
    }

    /// Resizes and empties the cache. On an error it stays as it was.
    pub fn resize(&mut self, bytes: usize) -> Result<(), TableError> {
        self.lines = lines(bytes)?;
        Ok(())
    }

    /// Empties the cache. Searches may run meanwhile; what they store then may stay.
    pub fn flush(&self) {
        for cell in self.lines.iter().flat_map(|lines| lines.all().as_flattened()) {
            // A blank entry is only read, so that its page stays untouched.
            if cell.load(Relaxed) != 0 {
                cell.store(0, Relaxed);
            }
        }
    }

    /// The value of a position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<FirstScore> {
        let line = self.lines.as_ref()?.of(key);
        line[..ENTRIES].iter().find_map(|cell| {
            let word = cell.load(Relaxed);
            if holds(word, key) { value(word) } else { None }
        })
    }

    /// Stores the value of a position over its old one, else in a free entry, else over the oldest of its line.
    /// A decided game is no heuristic value, and is not stored.
    #[inline]
    pub fn store(&self, key: u64, value: FirstScore) {
        let Some(lines) = &self.lines else { return };
        if !is_heuristic(value) {
            return;
        }
        let line = &lines.of(key)[..ENTRIES];
        let now = self.generation.now();
        // Among entries of the same age the key decides. Otherwise a line of new values would only change in one entry.
        let start = key as usize % ENTRIES;
        let mut victim = &line[start];
        let mut oldest = -1;
        for cell in line[start..].iter().chain(&line[..start]) {
            let word = cell.load(Relaxed);
            if word != 0 && holds(word, key) {
                victim = cell;
                break;
            }
            let age = if word == 0 { i32::MAX } else { age(now, word) };
            if age > oldest {
                (victim, oldest) = (cell, age);
            }
        }
        victim.store(pack(key, now, value), Relaxed);
    }

    /// Notes that a position was asked for, and says whether it was before. Now and then it says so of one that was not,
    /// and in time it forgets.
    #[inline]
    pub fn ask_again(&self, key: u64) -> bool {
        let Some(lines) = &self.lines else { return false };
        let asked = &lines.of(key)[ENTRIES];
        let (word, bit) = (asked.load(Relaxed), 1 << (key % 64));
        let known = word & bit != 0;
        if !known {
            let word = if word.count_ones() < MOST_ASKED { word } else { 0 };
            // If another thread writes at the same time, one of the two positions is forgotten.
            asked.store(word | bit, Relaxed);
        }
        known
    }

    /// A new root search begins: all entries grow older.
    pub fn next_generation(&self) {
        self.generation.advance();
    }

    /// Adds what a thread has counted since it last did so.
    pub fn count(&self, counters: &EvalCounters) {
        self.totals.add(counters);
    }

    /// Counts since the cache was created. Neither a flush nor a resize starts anew.
    pub fn counters(&self) -> EvalCounters {
        self.totals.read()
    }

    /// How many of a thousand entries are in use, estimated from the first few thousand.
    pub fn fill(&self) -> u32 {
        self.lines.as_ref().map_or(0, |lines| lines.fill(ENTRIES, |cell| cell.load(Relaxed) != 0))
    }

    /// The memory of the cache; 0 when it is off.
    pub fn bytes(&self) -> usize {
        self.lines.as_ref().map_or(0, Lines::bytes)
    }

    /// Counters, fill and memory together.
    pub fn report(&self) -> TableReport<EvalCounters> {
        TableReport { counters: self.counters(), fill: self.fill(), bytes: self.bytes() }
    }
}

fn lines(bytes: usize) -> Result<Option<Lines<AtomicU64, WORDS>>, TableError> {
    if bytes == 0 { Ok(None) } else { Lines::new(bytes).map(Some) }
}

fn age(now: u8, word: u64) -> i32 {
    generation::age(now, generation::from_bits(word >> 16)).into()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::score::Score;
    use crate::table::Rate;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn heuristic(value: i32) -> FirstScore {
        Score::eval(value).for_first(Side::First)
    }

    fn one_line() -> EvalCache {
        EvalCache::try_new(64).unwrap()
    }

    proptest! {
        #[test]
        fn a_hit_is_always_the_last_value_stored(
            stores in prop::collection::vec((any::<u64>(), 0..1500u64, any::<i16>()), 1..600),
            bytes in 1..4096usize,
        ) {
            let cache = EvalCache::try_new(bytes).unwrap();
            let size = cache.bytes();
            let mut last = HashMap::new();
            for (noise, key, value) in stores {
                // A few hundred keys, spread over the lines by a multiplication.
                let key = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let value = heuristic(value.into());
                cache.store(key, value);
                last.insert(key, value);
                prop_assert_eq!(cache.probe(key), Some(value));
                if noise % 50 == 0 {
                    cache.next_generation();
                }
            }
            for (key, value) in last {
                prop_assert!(cache.probe(key).is_none_or(|found| found == value));
            }
            prop_assert_eq!(cache.bytes(), size);
        }

        #[test]
        fn the_oldest_of_a_line_goes_first(keys in prop::collection::hash_set(1..1u64 << 40, 2 * ENTRIES)) {
            let cache = one_line();
            let (old, new): (Vec<_>, Vec<_>) = keys.into_iter().enumerate().partition(|(index, _)| *index < ENTRIES);
            for (_, key) in &old {
                cache.store(*key, heuristic(1));
            }
            cache.next_generation();
            for (stored, (_, key)) in new.iter().enumerate() {
                cache.store(*key, heuristic(2));
                let old_left = old.iter().filter(|(_, key)| cache.probe(*key).is_some()).count();
                let new_there = new[..=stored].iter().filter(|(_, key)| cache.probe(*key).is_some()).count();
                prop_assert_eq!((old_left, new_there), (ENTRIES - 1 - stored, stored + 1));
            }
        }

        #[test]
        fn foreign_words_never_look_decided(word in any::<u64>()) {
            let cache = one_line();
            let Some(lines) = &cache.lines else { unreachable!() };
            lines.all()[0][0].store(word, Relaxed);
            prop_assert!(cache.probe(word >> CHECK_SHIFT).is_none_or(is_heuristic));
        }
    }

    #[test]
    fn a_blank_cache_knows_nothing_and_zero_is_a_value() {
        // The parts of the first two keys in an entry are as blank as the entry.
        for key in [0, 1 << 42, 7] {
            let cache = one_line();
            assert_eq!(cache.probe(key), None);
            cache.store(key, heuristic(0));
            assert_eq!(cache.probe(key), Some(heuristic(0)));
        }
    }

    #[test]
    fn a_decided_game_is_not_stored() {
        let cache = one_line();
        for score in [Score::win_in(3), Score::loss_in(0)] {
            cache.store(7, score.for_first(Side::First));
        }
        assert_eq!(cache.probe(7), None);
        let largest = Score::MAX_EVAL.for_first(Side::Second);
        cache.store(7, largest);
        assert_eq!(cache.probe(7), Some(largest));
    }

    #[test]
    fn a_position_is_known_from_the_second_time_it_is_asked_for() {
        let cache = one_line();
        assert!(!cache.ask_again(7));
        assert!(cache.ask_again(7));
        assert_eq!(cache.probe(7), None, "nothing is stored by asking");
        assert!(!EvalCache::off().ask_again(7));
    }

    proptest! {
        #[test]
        fn few_positions_are_taken_for_known_ones(keys in prop::collection::hash_set(any::<u64>(), 1000)) {
            let cache = one_line();
            let known = keys.iter().filter(|&&key| cache.ask_again(key)).count();
            prop_assert!(known < 400, "{known}");
        }
    }

    #[test]
    fn size_0_is_off() {
        let mut cache = one_line();
        cache.store(7, heuristic(1));
        cache.resize(0).unwrap();
        cache.store(7, heuristic(1));
        cache.flush();
        assert_eq!(cache.probe(7), None);
        assert_eq!(cache.report(), EvalCache::off().report());
        assert_eq!(cache.bytes(), 0);
    }

    #[test]
    fn flush_and_resize_forget_but_the_counters_run_on() {
        let mut cache = one_line();
        let counters = EvalCounters { rate: Rate { probes: 3, hits: 1 }, stores: 2 };
        cache.count(&counters);
        cache.store(7, heuristic(1));
        assert_eq!(cache.report(), TableReport { counters, fill: 142, bytes: 64 });
        cache.flush();
        assert_eq!((cache.probe(7), cache.fill()), (None, 0));
        cache.store(7, heuristic(1));
        cache.resize(128).unwrap();
        assert_eq!(cache.probe(7), None);
        assert_eq!(cache.report(), TableReport { counters, fill: 0, bytes: 128 });
    }
}
