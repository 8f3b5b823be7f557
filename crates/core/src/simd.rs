//! Hints to the processor and the system that need `unsafe`, each with a safe twin that does nothing.
//! `--cfg polyply_portable` selects the twins everywhere, so that they can be tested on any machine.

/// Prefetches the cache line of a value that will be read soon. A hint: it changes nothing but time.
#[cfg(all(target_arch = "x86_64", not(any(miri, polyply_portable))))]
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the address comes from a reference, and a prefetch reads nothing the program could see.
    unsafe { _mm_prefetch(std::ptr::from_ref(value).cast(), _MM_HINT_T0) }
}

/// The safe twin: the value is fetched when it is read.
#[cfg(not(all(target_arch = "x86_64", not(any(miri, polyply_portable)))))]
#[inline(always)]
pub(crate) fn prefetch<T>(_: &T) {}

/// Asks the system for huge pages for a large slice: a table is read at random, and most of the cost of a miss is the
/// look-up of the page. A hint: it changes nothing but time. The Connect Four solver became a sixth to a third faster.
#[cfg(all(target_os = "linux", not(any(miri, polyply_portable))))]
pub(crate) fn prefer_huge_pages<T>(slice: &[T]) {
    const PAGE: usize = 2 << 20;
    let bytes = size_of_val(slice);
    let start = slice.as_ptr().addr().next_multiple_of(PAGE);
    let end = (slice.as_ptr().addr() + bytes) / PAGE * PAGE;
    if start < end {
        let address = slice.as_ptr().with_addr(start).cast_mut().cast();
        // SAFETY: the range lies within the slice, and the advice changes neither its contents nor its protection.
        unsafe { libc::madvise(address, end - start, libc::MADV_HUGEPAGE) };
    }
}

/// The safe twin: the system decides.
#[cfg(not(all(target_os = "linux", not(any(miri, polyply_portable)))))]
pub(crate) fn prefer_huge_pages<T>(_: &[T]) {}
