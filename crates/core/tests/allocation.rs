//! Below the root nothing is allocated. The allocator counts for the whole process, so this test is alone in its file.

mod lattice;
mod oracle;

use lattice::{Lattice, Noise, Rules};
use oracle::{exact, searcher};
use polyply_core::Task;
use polyply_core::clock::Limits;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The system's allocator, with a count of what it was asked for.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
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
                let now = ALLOCATIONS.load(Relaxed);
                counts = (counts.0.or(Some(now)), now);
            });
            let (first, last) = counts;
            assert_eq!(last - first.expect("the search reports"), 0, "{multipv} lines");
        }
    }
}
