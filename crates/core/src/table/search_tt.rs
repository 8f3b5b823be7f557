//! The Search TT: a fixed number of buckets of four entries, shared by all threads without a lock.
//!
//! An entry is two words, `key ^ data` and `data`. A reader that gets one word of an old store and one of a new store
//! finds a key that does not match, which is a miss ([Hyatt's lockless hashing]). No lock and no `unsafe` is needed.
//! The generation does not count in `key ^ data`, so that one exchange of one word renews it when the entry is found.
//!
//! What replaces what is in `docs/table.md`, with the reasons.
//!
//! [Hyatt's lockless hashing]: https://www.chessprogramming.org/Shared_Hash_Table#Lock-less

use super::counters::TableTotals;
use super::entry::{GENERATION_BITS, with_generation};
use super::generation::{self, Generation, OLDEST, SWEEPS};
use super::lines::Lines;
use super::{Bound, Entry, TableCounters, TableError, TableReport};
use crate::game::NO_MOVE;
use crate::sync::{AtomicU64, Ordering::Relaxed};

/// What a store did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// The entry of the position was updated.
    Updated,
    /// The position had a better entry, which was kept.
    Kept,
    /// It took a free slot.
    Fresh,
    /// It took the slot of another position.
    Replaced,
}

/// Entries of a bucket, which is one cache line.
const ENTRIES: usize = 4;

/// The last slot of a bucket holds the latest entry that was not worth one of the others.
const LATEST: usize = ENTRIES - 1;

/// What a free slot is worth: less than any entry.
const FREE: i32 = i32::MIN;

#[cfg_attr(not(loom), derive(bytemuck::Zeroable))]
#[cfg_attr(loom, derive(Default))]
#[repr(C, align(16))]
struct Slot {
    /// `key ^ data`, without the bits of the generation in `data`.
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The data, and the key that it belongs to.
    #[inline]
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data & !GENERATION_BITS, data)
    }

    #[inline]
    fn read(&self) -> (u64, Option<Entry>) {
        let (key, data) = self.load();
        (key, Entry::unpack(data))
    }

    #[inline]
    fn write(&self, key: u64, entry: Entry) {
        let data = entry.pack();
        self.check.store(key ^ data & !GENERATION_BITS, Relaxed);
        self.data.store(data, Relaxed);
    }

    /// Gives the entry another generation, unless another thread has changed it.
    fn renew(&self, data: u64, generation: u8) {
        let _ = self.data.compare_exchange(data, with_generation(data, generation), Relaxed, Relaxed);
    }

    /// Frees the slot. A free slot is only read, so that its page stays untouched.
    fn clear(&self) {
        if self.data.load(Relaxed) != 0 {
            self.check.store(0, Relaxed);
            self.data.store(0, Relaxed);
        }
    }

    fn in_use(&self) -> bool {
        Entry::unpack(self.data.load(Relaxed)).is_some()
    }
}

/// Where the entry of a position is, and where it would go if it is nowhere.
struct Place<'a> {
    same: Option<(&'a Slot, Entry)>,
    /// The slot worth least of all but the last, and its worth.
    victim: &'a Slot,
    least: i32,
    /// The last slot, and its worth.
    latest: &'a Slot,
    latest_worth: i32,
}

impl Place<'_> {
    /// Stores an entry of this worth.
    #[inline]
    fn store(&self, key: u64, entry: Entry, worth: i32) -> Stored {
        match self.same {
            Some((slot, old)) => self.update(key, slot, old, entry),
            None if worth > self.least => {
                self.push_out();
                self.victim.write(key, entry);
                self.taken()
            }
            None => {
                self.latest.write(key, entry);
                self.taken()
            }
        }
    }

    /// Puts together a new result of a position and the one that is there. Whichever stays, the position was asked for
    /// now, and a move or an evaluation that only the other one has is not lost.
    #[inline]
    fn update(&self, key: u64, slot: &Slot, old: Entry, new: Entry) -> Stored {
        let keep = old.worth() > new.worth() || (new.is_evaluation() && !old.is_evaluation());
        let (mut entry, other) = if keep { (old, new) } else { (new, old) };
        entry.generation = new.generation;
        entry.eval = entry.eval.or(other.eval);
        // An upper bound has no good move of its own: none came up to the window.
        let newer_move = keep && old.bound == Bound::Upper && new.best != NO_MOVE;
        if newer_move || entry.best == NO_MOVE {
            entry.best = other.best;
        }
        if std::ptr::eq(slot, self.latest) && entry.worth() > self.least {
            // It has earned a better slot. Its own is taken by what was there.
            slot.clear();
            self.push_out();
            self.victim.write(key, entry);
        } else if entry != old {
            slot.write(key, entry);
        }
        if keep { Stored::Kept } else { Stored::Updated }
    }

    /// Moves the entry worth least to the last slot.
    #[inline]
    fn push_out(&self) {
        if let (key, Some(entry)) = self.victim.read() {
            self.latest.write(key, entry);
        }
    }

    /// What it means for others that a new position was stored.
    #[inline]
    fn taken(&self) -> Stored {
        if self.least > FREE && self.latest_worth > FREE { Stored::Replaced } else { Stored::Fresh }
    }
}

/// The one position cache that may cause a cutoff.
///
/// ```
/// use polyply_core::game::{NO_MOVE, Side};
/// use polyply_core::score::Score;
/// use polyply_core::table::{Bound, Entry, SearchTt};
///
/// let table = SearchTt::new(1 << 20);
/// // At ply 4 a search has found a win on ply 9 for the second player, who is to move.
/// let score = Score::win_in(9).from_node(4).for_first(Side::Second);
/// let eval = Some(Score::eval(120).for_first(Side::Second));
/// table.store(77, Entry { score, eval, best: NO_MOVE, depth: 5, bound: Bound::Lower, generation: 0 });
/// // Another path reaches the position at ply 2.
/// let entry = table.probe(77).unwrap();
/// assert_eq!(entry.score.for_side(Side::Second).from_root(2), Score::win_in(7));
/// ```
pub struct SearchTt {
    buckets: Lines<Slot, ENTRIES>,
    generation: Generation,
    totals: TableTotals,
}

impl SearchTt {
    /// A table of at most `bytes` (and at least one bucket). The system hands the memory over as it is touched.
    ///
    /// # Panics
    /// Where the memory can't be had; [`SearchTt::try_new`] says so instead.
    pub fn new(bytes: usize) -> SearchTt {
        SearchTt::try_new(bytes).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A table of at most `bytes` (and at least one bucket), or why it can't be had.
    pub fn try_new(bytes: usize) -> Result<SearchTt, TableError> {
        Ok(SearchTt { buckets: Lines::new(bytes)?, generation: Generation::default(), totals: TableTotals::default() })
    }

    /// Resizes and empties the table. On an error it stays as it was.
    pub fn resize(&mut self, bytes: usize) -> Result<(), TableError> {
        self.buckets = Lines::new(bytes)?;
        Ok(())
    }

    /// Empties the table. Searches may run meanwhile; what they store then may stay.
    pub fn flush(&self) {
        self.slots().iter().for_each(Slot::clear);
    }

    /// Makes the system provide all memory now. Otherwise it does so page by page at the first access, which takes a
    /// large share of the time of the first few thousand nodes.
    pub fn touch(&self) {
        const PAGE: usize = 4096;
        for slot in self.slots().iter().step_by(PAGE / size_of::<Slot>().min(PAGE)) {
            // A write that changes nothing, whatever others store meanwhile. (Adding 0 would be compiled to a mere
            // read.)
            let _ = slot.data.compare_exchange(0, 0, Relaxed, Relaxed);
        }
    }

    /// The entry of a position. That it was asked for keeps it young.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for slot in self.buckets.of(key) {
            let (found, data) = slot.load();
            if found == key
                && let Some(mut entry) = Entry::unpack(data)
            {
                let now = self.generation.now();
                if entry.generation != now {
                    slot.renew(data, now);
                    entry.generation = now;
                }
                return Some(entry);
            }
        }
        None
    }

    /// The entry of a position, for those who only want to look: it does not get younger.
    pub fn peek(&self, key: u64) -> Option<Entry> {
        self.buckets.of(key).iter().find_map(|slot| {
            let (found, entry) = slot.read();
            entry.filter(|_| found == key)
        })
    }

    /// Prefetches the entry of a position that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        crate::simd::prefetch(self.buckets.of(key));
    }

    /// Stores the result of a search of a position. `entry.generation` is set to the running one.
    ///
    /// Of two results of the same position the deeper one stays, and at equal depth an exact score stays over a bound.
    /// A new position takes a free slot, else that of the least worthy of the first three entries, which moves to the
    /// last slot. If it is not worth more than that one, it takes the last slot itself.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) -> Stored {
        let now = self.generation.now();
        entry.generation = now;
        self.place(key, now).store(key, entry, entry.worth())
    }

    /// Restores an entry of a snapshot with its age, by the rules of a store. But nothing in a file is the latest:
    /// the last slot goes to the entry worth most, like the others.
    pub(super) fn restore(&self, key: u64, mut entry: Entry) {
        let now = self.generation.now();
        entry.generation = generation::of_age(now, generation::age(now, entry.generation));
        let worth = entry.aged_worth(now);
        let place = self.place(key, now);
        if place.same.is_some() || worth > place.least.min(place.latest_worth) {
            place.store(key, entry, worth);
        }
    }

    #[inline]
    fn place(&self, key: u64, now: u8) -> Place<'_> {
        let bucket = self.buckets.of(key);
        let mut place =
            Place { same: None, victim: &bucket[0], least: i32::MAX, latest: &bucket[LATEST], latest_worth: FREE };
        for (index, slot) in bucket.iter().enumerate() {
            let (found, entry) = slot.read();
            let worth = match entry {
                Some(old) if found == key => {
                    // Two threads may have stored the same position in two slots. A key has only one entry.
                    match place.same {
                        None => place.same = Some((slot, old)),
                        Some(_) => slot.clear(),
                    }
                    continue;
                }
                Some(old) => old.aged_worth(now),
                None => FREE,
            };
            if index == LATEST {
                place.latest_worth = worth;
            } else if worth < place.least {
                (place.victim, place.least) = (slot, worth);
            }
        }
        place
    }

    /// A new root search begins: all entries grow older. Those that have reached the greatest age stay at it.
    pub fn next_generation(&self) {
        self.generation.advance();
        let now = self.generation.now();
        let buckets = self.buckets.all();
        let part = usize::from(now % SWEEPS);
        let edge = |part: usize| buckets.len() * part / usize::from(SWEEPS);
        for slot in buckets[edge(part)..edge(part + 1)].as_flattened() {
            let data = slot.data.load(Relaxed);
            if data != 0 && generation::age(now, generation::from_bits(data >> 56)) == OLDEST {
                slot.renew(data, generation::of_age(now, OLDEST));
            }
        }
    }

    /// The running generation, on a counter that wraps at 64.
    pub fn generation(&self) -> u8 {
        self.generation.now()
    }

    /// Continues from the generation of a snapshot.
    pub(super) fn set_generation(&self, generation: u8) {
        self.generation.set(generation);
    }

    /// How many root searches ago an entry was last stored or found, at most 31.
    pub fn age(&self, entry: &Entry) -> u8 {
        generation::age(self.generation.now(), entry.generation)
    }

    /// All entries with their keys, bucket by bucket. While searches go on, some may be missed or outdated.
    pub fn entries(&self) -> impl Iterator<Item = (u64, Entry)> {
        self.slots().iter().filter_map(|slot| {
            let (key, entry) = slot.read();
            Some((key, entry?))
        })
    }

    /// Adds what a thread has counted since it last did so.
    pub fn count(&self, counters: &TableCounters) {
        self.totals.add(counters);
    }

    /// Counts since the table was created. Neither a flush nor a resize starts anew.
    pub fn counters(&self) -> TableCounters {
        self.totals.read()
    }

    /// How many of a thousand slots are in use, whatever their age, estimated from the first few thousand.
    pub fn fill(&self) -> u32 {
        self.buckets.fill(ENTRIES, Slot::in_use)
    }

    /// The memory of the table.
    pub fn bytes(&self) -> usize {
        self.buckets.bytes()
    }

    /// Counters, fill and memory together.
    pub fn report(&self) -> TableReport {
        TableReport { counters: self.counters(), fill: self.fill(), bytes: self.bytes() }
    }

    fn slots(&self) -> &[Slot] {
        self.buckets.all().as_flattened()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::score::FirstScore;
    use proptest::prelude::*;

    fn sample() -> Entry {
        let score = FirstScore::from_bits(5);
        Entry { score, eval: Some(score), best: 1, depth: 0, bound: Bound::Lower, generation: 0 }
    }

    proptest! {
        #[test]
        fn foreign_words_are_never_a_hit_and_do_not_hinder_a_store(
            words in prop::collection::vec(any::<(u64, u64)>(), ENTRIES),
            key in any::<u64>(),
        ) {
            let table = SearchTt::new(0);
            for (slot, (check, data)) in table.slots().iter().zip(words) {
                slot.check.store(check, Relaxed);
                slot.data.store(data, Relaxed);
            }
            prop_assert_eq!(table.probe(key), None);
            table.store(key, sample());
            prop_assert_eq!(table.probe(key), Some(sample()));
        }
    }

    #[test]
    fn a_position_in_two_slots_is_put_in_order_by_the_next_store() {
        let table = SearchTt::new(0);
        table.slots()[1].write(7, sample());
        table.slots()[3].write(7, sample());
        table.store(7, sample());
        assert_eq!(table.entries().collect::<Vec<_>>(), [(7, sample())]);
    }
}
