//! Locks that keep working after a panic.
//!
//! A standard lock is poisoned when a thread panics while it holds it, and gives errors from then on. What our locks
//! guard is consistent after every step, so the other threads can go on: one failed request must not end the server.

use std::sync::{LockResult, Mutex, MutexGuard, PoisonError};

/// Locks a mutex, whether or not a thread panicked while it held it.
///
/// ```
/// use polyply_core::lock::lock;
/// use std::sync::Mutex;
///
/// let count = Mutex::new(1);
/// *lock(&count) += 1;
/// assert_eq!(*lock(&count), 2);
/// ```
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    unpoisoned(mutex.lock())
}

/// The guard of any lock or condition variable, poisoned or not.
pub fn unpoisoned<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_panic_does_not_close_a_lock() {
        let mutex = Mutex::new(7);
        let panicked = thread::scope(|scope| {
            let holder = scope.spawn(|| {
                let _guard = lock(&mutex);
                panic!("on purpose");
            });
            holder.join().is_err()
        });
        assert!(panicked && mutex.is_poisoned());
        assert_eq!(*lock(&mutex), 7);
    }
}
