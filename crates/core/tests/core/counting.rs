//! An allocator that counts allocations per thread, because the test runner has threads of its own. The tests of all
//! games share it.

use polyply_core::game::SearchGame;
use polyply_core::{Searcher, Task};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator with a counter.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of the searching thread between the first and the last report of a search.
pub fn allocations<G: SearchGame>(searcher: &mut Searcher<G>, position: &G, task: &Task<G::Move>) -> u64 {
    let mut counts = (None, 0);
    searcher.search(position, task, &mut |_| {
        let now = ALLOCATIONS.get();
        counts = (counts.0.or(Some(now)), now);
    });
    let (first, last) = counts;
    last - first.expect("the search reports")
}
