//! The atomics of the tables: loom's under its model checker, the standard ones otherwise.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU64, Ordering};

/// Types with a blank state: all bits zero, or loom's equivalent.
#[cfg(not(loom))]
pub(crate) use bytemuck::Zeroable as Blank;
#[cfg(loom)]
pub(crate) use std::default::Default as Blank;

/// Blank memory, or `None` if the system has none left. Its pages cost nothing until they are touched.
#[cfg(not(loom))]
pub(crate) fn blank_slice<T: Blank>(length: usize) -> Option<Box<[T]>> {
    bytemuck::allocation::try_zeroed_slice_box(length).ok()
}

/// Blank memory that loom watches.
#[cfg(loom)]
pub(crate) fn blank_slice<T: Blank>(length: usize) -> Option<Box<[T]>> {
    Some((0..length).map(|_| T::default()).collect())
}
