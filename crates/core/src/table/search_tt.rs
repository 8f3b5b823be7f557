//! The Search TT: a fixed number of buckets of four entries, shared by all threads without a lock.
//!
//! An entry is two words, `key ^ data` and `data`. A reader that catches one word of an old store and one of a new
//! finds a key that does not fit and misses ([Hyatt's lockless hashing]); no lock and no `unsafe` is needed.
//!
//! [Hyatt's lockless hashing]: https://www.chessprogramming.org/Shared_Hash_Table#Lock-less

use crate::game::NO_MOVE;
use crate::score::FirstScore;
use crate::sync::{AtomicU64, Ordering::Relaxed};
use std::sync::atomic::AtomicU8;

/// What an entry's score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is at most this, seen from the side to move.
    Upper = 1,
    /// The true score is at least this, seen from the side to move.
    Lower = 2,
    /// The score itself.
    Exact = 3,
}

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The score; win distances count from this position.
    pub score: FirstScore,
    /// The static evaluation.
    pub eval: FirstScore,
    /// The bits of the best move, or [`NO_MOVE`].
    pub best: u16,
    /// How deep it was searched.
    pub depth: u8,
    /// What the score is.
    pub bound: Bound,
    /// When it was stored; see [`SearchTt::age`].
    pub generation: u8,
}

/// What became of a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// The position was there; its entry was updated.
    Updated,
    /// The position was there with something better; nothing changed.
    Kept,
    /// It took a free slot.
    Fresh,
    /// It took the slot of the entry worth least.
    Replaced,
}

const GENERATIONS: u8 = 64;
const ENTRIES: usize = 4;
/// Bytes of a bucket: one cache line.
const BUCKET_BYTES: usize = 64;

impl Entry {
    fn pack(self, generation: u8) -> u64 {
        let tail = (self.bound as u64) << 6 | u64::from(generation);
        u64::from(self.score.to_bits())
            | u64::from(self.eval.to_bits()) << 16
            | u64::from(self.best) << 32
            | u64::from(self.depth) << 48
            | tail << 56
    }

    /// The entry in a word, unless the slot is free.
    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 62 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            score: FirstScore::from_bits(data as u16),
            eval: FirstScore::from_bits((data >> 16) as u16),
            best: (data >> 32) as u16,
            depth: (data >> 48) as u8,
            bound,
            generation: (data >> 56) as u8 % GENERATIONS,
        })
    }

    /// Deeper beats shallower; at equal depth an exact score beats a bound.
    fn worth(&self) -> i32 {
        2 * i32::from(self.depth) + i32::from(self.bound == Bound::Exact)
    }
}

/// How many generations ago, on a counter that wraps.
fn age(now: u8, then: u8) -> u8 {
    now.wrapping_sub(then) % GENERATIONS
}

/// What age takes from an entry's worth: four plies for the last search, 256 (more than any depth) for the eighth.
fn age_cost(age: u8) -> i32 {
    8 * i32::from(age) * i32::from(age)
}

#[cfg_attr(not(loom), derive(bytemuck::Zeroable))]
#[repr(C)]
struct Slot {
    /// `key ^ data`.
    check: AtomicU64,
    data: AtomicU64,
}

#[cfg_attr(not(loom), derive(bytemuck::Zeroable))]
#[repr(C, align(64))]
struct Bucket([Slot; ENTRIES]);

impl Slot {
    fn read(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }

    fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// The one position cache that may cause a cutoff.
pub struct SearchTt {
    buckets: Box<[Bucket]>,
    generation: AtomicU8,
}

impl SearchTt {
    /// A table of at most `bytes` (and at least one bucket). The system hands the memory over as it is touched.
    pub fn new(bytes: usize) -> SearchTt {
        let buckets = (bytes / BUCKET_BYTES).max(1);
        SearchTt { buckets: empty(buckets), generation: AtomicU8::new(0) }
    }

    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of key × size spreads any size evenly, without a division.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// The entry of a position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let (found, data) = slot.read();
            if found == key { Entry::unpack(data) } else { None }
        })
    }

    /// Stores what was found out about a position; `entry.generation` is set to the running one.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) -> Stored {
        let now = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        let mut victim = &bucket.0[0];
        let mut least = i32::MAX;
        let mut same = None;
        for slot in &bucket.0 {
            let (found, data) = slot.read();
            match Entry::unpack(data) {
                Some(old) if found == key => {
                    // Two threads may have stored the same position in two slots; one entry a key, never more.
                    match same {
                        None => same = Some((slot, old)),
                        Some(_) => slot.write(0, 0),
                    }
                }
                Some(old) => {
                    let worth = old.worth() - age_cost(age(now, old.generation));
                    if worth < least {
                        (victim, least) = (slot, worth);
                    }
                }
                None => {
                    if least > i32::MIN {
                        (victim, least) = (slot, i32::MIN);
                    }
                }
            }
        }
        if let Some((slot, old)) = same {
            if old.generation == now && entry.bound != Bound::Exact && entry.worth() < old.worth() {
                return Stored::Kept;
            }
            if entry.best == NO_MOVE {
                entry.best = old.best;
            }
            slot.write(key, entry.pack(now));
            return Stored::Updated;
        }
        victim.write(key, entry.pack(now));
        if least == i32::MIN { Stored::Fresh } else { Stored::Replaced }
    }

    /// A new root search begins: what is there grows older.
    pub fn next_generation(&self) {
        // Only the thread that starts searches counts; readers merely need some recent value.
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    /// How many root searches ago an entry was stored, on a counter that wraps at 64.
    pub fn age(&self, entry: &Entry) -> u8 {
        age(self.generation.load(Relaxed), entry.generation)
    }

    /// Bytes in use, whatever is stored.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * BUCKET_BYTES
    }
}

#[cfg(not(loom))]
fn empty(buckets: usize) -> Box<[Bucket]> {
    bytemuck::allocation::zeroed_slice_box(buckets)
}

#[cfg(loom)]
fn empty(buckets: usize) -> Box<[Bucket]> {
    let slot = || Slot { check: AtomicU64::new(0), data: AtomicU64::new(0) };
    (0..buckets).map(|_| Bucket([slot(), slot(), slot(), slot()])).collect()
}
