//! The memory of the tables: cache lines, one of which is selected by a key.

use crate::sync::{Blank, blank_slice};

/// Bytes of a cache line.
pub(super) const LINE_BYTES: usize = 64;

/// The largest table: 1 TiB. Systems that overcommit memory would grant any size.
pub const MAX_BYTES: u64 = 1 << 40;

/// Enough cells to estimate how full a table is, and few enough to look at every second.
const FILL_SAMPLE: usize = 4_000;

/// Why a table can't have the size that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// More than [`MAX_BYTES`].
    #[error("a table takes at most {MAX_BYTES} bytes, not {0}")]
    TooLarge(usize),
    /// The system refused.
    #[error("the system has no {0} bytes of memory for a table; ask for less")]
    OutOfMemory(usize),
}

/// Lines of `N` cells each, which together fill a cache line.
pub(super) struct Lines<T, const N: usize> {
    cells: Box<[T]>,
    /// The cell where the first cache line begins.
    first: usize,
}

impl<T: Blank, const N: usize> Lines<T, N> {
    /// As many blank lines as fit into `bytes`, and at least one.
    pub fn new(bytes: usize) -> Result<Self, TableError> {
        #[cfg(not(loom))]
        const {
            assert!(size_of::<T>() * N == LINE_BYTES)
        }
        if bytes as u64 > MAX_BYTES {
            return Err(TableError::TooLarge(bytes));
        }
        // For a type aligned to 64 bytes the allocator would write every zero itself, and so touch all pages. Cells of
        // natural alignment come as untouched pages; a few spare ones make it possible to start at a cache line.
        let count = (bytes / LINE_BYTES).max(1);
        let cells: Box<[T]> = blank_slice(count * N + N - 1).ok_or(TableError::OutOfMemory(bytes))?;
        crate::simd::prefer_huge_pages(&cells);
        // If there is no such offset, a line spans two cache lines, which is slower but correct.
        let first = Some(cells.as_ptr().align_offset(LINE_BYTES)).filter(|&first| first < N).unwrap_or(0);
        Ok(Lines { cells, first })
    }
}

impl<T, const N: usize> Lines<T, N> {
    /// All lines.
    #[inline(always)]
    pub fn all(&self) -> &[[T; N]] {
        self.cells[self.first..].as_chunks().0
    }

    /// The line of a key.
    #[inline(always)]
    pub fn of(&self, key: u64) -> &[T; N] {
        let lines = self.all();
        // The high half of key × count distributes keys evenly over any count, without a division.
        let index = (u128::from(key) * lines.len() as u128) >> 64;
        &lines[index as usize]
    }

    /// The size of all lines.
    pub fn bytes(&self) -> usize {
        self.all().len() * LINE_BYTES
    }

    /// How many of a thousand cells are in use, estimated from the first few thousand. Only the first `count` of each
    /// line are looked at.
    pub fn fill(&self, count: usize, in_use: impl Fn(&T) -> bool) -> u32 {
        let lines = self.all();
        let sample = &lines[..lines.len().min(FILL_SAMPLE / N)];
        let used = sample.iter().flat_map(|line| &line[..count]).filter(|&cell| in_use(cell)).count();
        (used * 1000 / (sample.len() * count)) as u32
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::AtomicU64;

    type Words = Lines<AtomicU64, 8>;

    #[test]
    fn every_line_is_a_cache_line_and_every_size_is_kept_to() {
        for count in [1, 2, 3, 100, 4096, 100_000] {
            let lines = Words::new(count * LINE_BYTES + 63).unwrap();
            assert_eq!(lines.all().as_ptr().addr() % LINE_BYTES, 0);
            assert_eq!(lines.all().len(), count);
            assert_eq!(lines.bytes(), count * LINE_BYTES);
        }
        assert_eq!(Words::new(0).unwrap().all().len(), 1);
    }

    #[test]
    fn the_first_and_the_last_key_have_the_first_and_the_last_line() {
        let lines = Words::new(7 * LINE_BYTES).unwrap();
        assert!(std::ptr::eq(lines.of(0), &lines.all()[0]));
        assert!(std::ptr::eq(lines.of(u64::MAX), &lines.all()[6]));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn a_size_beyond_all_measure_is_refused_in_a_sentence() {
        for bytes in [usize::MAX, MAX_BYTES as usize + 1] {
            let error = Words::new(bytes).err().unwrap();
            assert_eq!(error, TableError::TooLarge(bytes));
            assert!(error.to_string().contains(&bytes.to_string()));
        }
    }
}
