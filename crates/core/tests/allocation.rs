//! Below the root nothing is allocated, by the thread that searches: the test runner has threads of its own.

mod lattice;
mod oracle;

use lattice::{Lattice, Noise, Rules};
use oracle::{exact, searcher};
use polyply_core::Task;
use polyply_core::clock::Limits;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with a count of what it was asked for.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed on to the system's allocator unchanged.
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

#[test]
fn nothing_is_allocated_between_the_first_and_the_last_report() {
    let position = Lattice::<false>::start(Rules::large(3));
    for params in [Default::default(), exact::<Lattice<false>>()] {
        for multipv in [1, 3] {
            let mut searcher = searcher(Noise, 1 << 20);
            searcher.set_params(params.clone());
            let task = Task { multipv, ..Task::new(Limits::nodes(200_000)) };
            let mut counts = (None, 0);
            searcher.search(&position, &task, &mut |_| {
                let now = ALLOCATIONS.get();
                counts = (counts.0.or(Some(now)), now);
            });
            let (first, last) = counts;
            assert_eq!(last - first.expect("the search reports"), 0, "{multipv} lines");
        }
    }
}
