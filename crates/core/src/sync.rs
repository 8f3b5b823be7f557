//! The atomics of the tables: loom's under its model checker, the standard ones otherwise.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU64, Ordering};

/// What has a blank state: all bits zero, or whatever loom keeps in their place.
#[cfg(not(loom))]
pub(crate) use bytemuck::Zeroable as Blank;
#[cfg(loom)]
pub(crate) use std::default::Default as Blank;

/// Blank memory, or `None` where the system has none to give. Its pages cost nothing until they are touched.
#[cfg(not(loom))]
pub(crate) fn blank_slice<T: Blank>(length: usize) -> Option<Box<[T]>> {
    bytemuck::allocation::try_zeroed_slice_box(length).ok()
}

/// Blank memory that loom watches.
#[cfg(loom)]
pub(crate) fn blank_slice<T: Blank>(length: usize) -> Option<Box<[T]>> {
    Some((0..length).map(|_| T::default()).collect())
}
