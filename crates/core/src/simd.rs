//! Instructions that need `unsafe`, each with its reason and a safe twin.

/// Asks for the cache line of a value, which will be read soon. A hint: it changes nothing but time.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the address comes from a reference, and a prefetch reads nothing the program could see.
    unsafe { _mm_prefetch(std::ptr::from_ref(value).cast(), _MM_HINT_T0) }
}

/// The safe twin: the value is fetched when it is read.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline(always)]
pub(crate) fn prefetch<T>(_: &T) {}
