//! Connections within bounds: how many there are, in all and of one peer, and how long nothing may happen on them.

use crate::App;
use crate::error::ErrorBody;
use crate::peer::network;
use crate::refusals;
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use polyply_core::lock::lock;
use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep, timeout};
use tower_service::Service;

/// How long the head of a request may take, and how long a connection may wait for the next one.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a client may take nothing of what it was sent, or send nothing of what it was asked for.
const STILL_TIMEOUT: Duration = Duration::from_secs(90);
/// The most connections in all, if the system allows so many.
const MOST: usize = 8192;
/// Handles that are left to files, the database, and clients that are turned away.
const RESERVED: usize = 96;
/// The most connections of a peer on another machine.
const MOST_OF_PEER: usize = 64;
/// How many clients are turned away at a time, and how long each may take to hear so.
const TURNED_AWAY: usize = 32;
const FAREWELL: Duration = Duration::from_secs(1);
/// How long to wait when no connection can be accepted at all.
const PAUSE: Duration = Duration::from_millis(50);

/// Where the connection of a request comes from.
#[derive(Clone, Copy)]
pub struct Connection(pub SocketAddr);

/// Counts connections.
pub struct Connections {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_peer: HashMap<IpAddr, usize>,
}

impl Connections {
    /// As many as the system allows.
    pub fn new() -> Connections {
        let most = handles().map_or(MOST, |handles| handles.saturating_sub(RESERVED).clamp(16, MOST));
        Connections { most, open: Mutex::default() }
    }

    /// How many a peer may have. On this machine it may be a proxy that asks for many others; even that leaves some.
    fn most_of(&self, from: IpAddr) -> usize {
        if from.is_loopback() { self.most - self.most / 4 } else { MOST_OF_PEER.min(self.most / 2) }
    }

    /// Counts a connection in, until what is returned is dropped.
    fn enter(self: &Arc<Self>, from: IpAddr) -> Option<Entered> {
        let from = network(from);
        let mut open = lock(&self.open);
        let of_peer = open.by_peer.get(&from).copied().unwrap_or(0);
        if open.all >= self.most || of_peer >= self.most_of(from) {
            return None;
        }
        open.all += 1;
        open.by_peer.insert(from, of_peer + 1);
        Some(Entered { connections: self.clone(), from })
    }
}

/// A connection that is counted.
struct Entered {
    connections: Arc<Connections>,
    from: IpAddr,
}

impl Drop for Entered {
    fn drop(&mut self) {
        let mut open = lock(&self.connections.open);
        open.all -= 1;
        if let Some(count) = open.by_peer.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                open.by_peer.remove(&self.from);
            }
        }
    }
}

/// How many files and connections the process may have open. It is raised as far as the system lets it.
fn handles() -> Option<usize> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        // If it can't be raised, the old limit counts.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
        getrlimit(Resource::Nofile).current.and_then(|handles| usize::try_from(handles).ok())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Serves until the server closes, and then until the open requests are answered.
pub async fn serve(listener: TcpListener, app: &App, router: Router) {
    let connections = Arc::new(Connections::new());
    let turned_away = Arc::new(Semaphore::new(TURNED_AWAY));
    let (over, all_over) = watch::channel(());
    let mut closing = app.closing.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = closing.wait_for(|closing| *closing) => break,
        };
        let Ok((stream, from)) = accepted else {
            // No handle is free, or the client is gone already.
            sleep(PAUSE).await;
            continue;
        };
        let Some(entered) = connections.enter(from.ip()) else {
            metrics::counter!("polyply_turned_away_total").increment(1);
            if let Ok(place) = turned_away.clone().try_acquire_owned() {
                tokio::spawn(async move {
                    let _ = timeout(FAREWELL, turn_away(stream)).await;
                    drop(place);
                });
            }
            continue;
        };
        let (router, closing, all_over) = (router.clone(), app.closing.clone(), all_over.clone());
        tokio::spawn(async move {
            talk(stream, from, router, closing, entered).await;
            drop(all_over);
        });
    }
    drop(all_over);
    over.closed().await;
}

/// Answers the requests of one connection.
async fn talk(
    stream: TcpStream,
    from: SocketAddr,
    router: Router,
    mut closing: watch::Receiver<bool>,
    entered: Entered,
) {
    // Small answers go out at once.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Connection(from));
        let mut router = router.clone();
        async move { Service::call(&mut router, request).await.map_err(|never: Infallible| never) }
    });
    // A WebSocket takes the stream over. It is counted until the stream is dropped.
    let stream = TokioIo::new(Patient::new(stream, STILL_TIMEOUT, entered));
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(stream, service)
        .with_upgrades();
    let mut serving = pin!(serving);
    tokio::select! {
        // How a client ends its connection is its own business.
        _ = serving.as_mut() => return,
        _ = closing.wait_for(|closing| *closing) => serving.as_mut().graceful_shutdown(),
    }
    let _ = serving.await;
}

/// Tells a client that there is no room.
async fn turn_away(mut stream: TcpStream) -> io::Result<()> {
    let body = serde_json::to_string(&ErrorBody::from(&refusals::too_many_connections())).unwrap_or_default();
    let answer = format!(
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // Until the client has read it: closing before would take the answer back.
    while stream.read(&mut [0; 1024]).await? > 0 {}
    Ok(())
}

/// A stream that fails when nothing moves for too long, in either direction.
struct Patient<S, K> {
    stream: S,
    patience: Duration,
    still: Pin<Box<Sleep>>,
    /// Dropped with the stream.
    _kept: K,
}

impl<S, K> Patient<S, K> {
    fn new(stream: S, patience: Duration, kept: K) -> Patient<S, K> {
        Patient { stream, patience, still: Box::pin(sleep(patience)), _kept: kept }
    }

    /// Notes that something moved, or fails if nothing did for too long.
    fn watch<T>(&mut self, cx: &mut Context<'_>, moved: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if moved.is_ready() {
            let next = Instant::now() + self.patience;
            self.still.as_mut().reset(next);
            return moved;
        }
        ready!(self.still.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin, K: Unpin> AsyncRead for Patient<S, K> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let moved = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.watch(cx, moved)
    }
}

impl<S: AsyncWrite + Unpin, K: Unpin> AsyncWrite for Patient<S, K> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, moved)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_peer_does_not_take_all_connections() {
        let connections = Arc::new(Connections { most: 12, open: Mutex::default() });
        let [one, other, local] = [[192, 0, 2, 1], [192, 0, 2, 2], [127, 0, 0, 1]].map(IpAddr::from);
        let mut held: Vec<_> = (0..6).map(|_| connections.enter(one).unwrap()).collect();
        assert!(connections.enter(one).is_none());
        let others: Vec<_> = (0..6).map(|_| connections.enter(other).unwrap()).collect();
        assert!(connections.enter(local).is_none(), "there are twelve in all");
        held.pop();
        assert!(connections.enter(one).is_some());
        drop((held, others));
        assert!(lock(&connections.open).by_peer.is_empty());
        let locals: Vec<_> = std::iter::from_fn(|| connections.enter(local)).collect();
        assert_eq!(locals.len(), 9);
        assert!(connections.enter(one).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_on_which_nothing_moves_fails() {
        let (here, mut there) = tokio::io::duplex(4);
        let mut patient = Patient::new(here, Duration::from_secs(9), ());
        for _ in 0..3 {
            sleep(Duration::from_secs(8)).await;
            there.write_all(b"a").await.unwrap();
            assert_eq!(patient.read_u8().await.unwrap(), b'a');
        }
        assert_eq!(patient.read_u8().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        let mut patient = Patient::new(patient.stream, Duration::from_secs(9), ());
        // The other end reads nothing, and four bytes have room.
        assert_eq!(patient.write_all(b"12345").await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
