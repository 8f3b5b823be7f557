//! Work that takes more than a moment is done aside: reading files, drawing boards. Requests that only ask or move never wait
//! behind it.

use crate::error::ApiError;
use crate::refusals;
use std::sync::LazyLock;
use tokio::sync::Semaphore;

/// How many may wait.
const WAITING: usize = 64;

/// Does some work on a thread for it, one piece after the other: a pile of large files takes one processor and not all.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    static ONE: Semaphore = Semaphore::const_new(1);
    static PLACES: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(WAITING));
    let _place = PLACES.try_acquire().map_err(|_| ApiError::unavailable(refusals::too_much_to_read()))?;
    let turn = ONE.acquire().await.map_err(ApiError::internal)?;
    // The turn goes with the work: a client that goes away does not make room for the next one before the work has ended.
    let work = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work()
    });
    work.await.map_err(ApiError::internal)?
}
