//! Work that takes more than a moment is done aside: reading files, drawing boards. Requests that only ask or move never wait
//! behind it.

use crate::App;
use crate::error::ApiError;
use crate::peer::Peer;
use crate::shares::Thing;
use tokio::sync::Semaphore;

/// Does some work on a thread for it, one piece after the other: a pile of large files takes one processor and not all.
pub async fn aside<T: Send + 'static>(
    app: &App,
    peer: Peer,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    static ONE: Semaphore = Semaphore::const_new(1);
    let place = app.shares.hold(peer, Thing::Aside)?;
    let turn = ONE.acquire().await.map_err(ApiError::internal)?;
    // Both go with the work: a client that goes away does not make room for the next one before the work has ended.
    let work = tokio::task::spawn_blocking(move || {
        let _until_done = (place, turn);
        work()
    });
    work.await.map_err(ApiError::internal)?
}
