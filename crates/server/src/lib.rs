//! The web app of Polyply: games, analysis, review and matches over HTTP and WebSocket, and the pages that use them.
//!
//! [`Server::start`] opens the database and the engine room and listens; [`Server::run`] serves until it is told to end, and
//! then keeps what has to be kept. `room` is where engines work, `games` where people play. Every answer is JSON, every
//! refusal a status with a code and its arguments; `/api/openapi.json` describes all of it.

mod analysis;
mod assets;
mod engines;
mod error;
mod games;
mod guard;
mod matches;
mod openapi;
mod picture;
mod positions;
pub mod refusals;
mod review;
mod room;
mod share;
mod socket;
mod store;
mod terminal;
mod wire;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use games::{Tables, now};
use matches::Matches;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use polyply_engine::refusal::Argument;
use polyply_engine::{EngineError, Options, Refusal};
use review::Reviews;
use room::{Opening, Room};
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::Store;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use tower_http::trace::TraceLayer;

/// Bodies of requests are at most this long.
const LONGEST_BODY: usize = 1 << 20;
/// How long a request may keep us waiting for the next part of its body.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the database is told that the server is alive: a clock loses at most that much when it is killed.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// How long connections may take to end.
const FAREWELL: Duration = Duration::from_secs(3);

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub addr: SocketAddr,
    /// Names besides addresses and `localhost` by which it may be called.
    pub hosts: Vec<String>,
    /// The folder for the database and the tables.
    pub data: PathBuf,
    /// Threads of a search.
    pub threads: usize,
    /// Megabytes of the Search TT of each variant that is open.
    pub hash: usize,
    /// Idle improvement is on from the start.
    pub idle: bool,
}

/// Why there is no server.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServerError {
    /// The address can't be listened on.
    Listen {
        /// The address.
        addr: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The folder can't be used.
    Data {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: Argument,
    },
    /// An option is out of its range.
    Option(EngineError),
    /// Serving failed.
    Serve(io::Error),
}

impl ServerError {
    /// Why, as a code with arguments.
    pub fn refusal(&self) -> Refusal {
        match self {
            ServerError::Listen { addr, error } => refusals::listen_failed(addr.to_string(), error.to_string()),
            ServerError::Data { path, reason } => refusals::folder_refused(path.display().to_string(), reason.clone()),
            ServerError::Option(error) => error.refusal(),
            ServerError::Serve(error) => refusals::serve_failed(error.to_string()),
        }
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal().fmt(f)
    }
}

impl std::error::Error for ServerError {}

impl From<EngineError> for ServerError {
    fn from(error: EngineError) -> ServerError {
        ServerError::Option(error)
    }
}

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App {
    pub room: Arc<Room>,
    pub tables: Tables,
    pub reviews: Reviews,
    pub matches: Matches,
    pub store: Arc<Store>,
    pub hosts: Arc<Vec<String>>,
    pub sockets: Arc<Semaphore>,
    pub conversations: Arc<Semaphore>,
    pub hash: usize,
    pub closing: watch::Receiver<bool>,
    pub prometheus: PrometheusHandle,
}

/// A server that listens.
pub struct Server {
    app: App,
    listener: TcpListener,
    close: watch::Sender<bool>,
}

/// One recorder of metrics for the whole process, however many servers there are.
fn prometheus() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| PrometheusBuilder::new().install_recorder().expect("nobody else records")).clone()
}

impl Server {
    /// Opens everything and listens. What was being played goes on.
    pub async fn start(config: Config) -> Result<Server, ServerError> {
        let addr = config.addr;
        let listener = TcpListener::bind(addr).await.map_err(|error| ServerError::Listen { addr, error })?;
        let unusable = |reason: Argument| ServerError::Data { path: config.data.clone(), reason };
        let [tables, matches] = ["tables", "matches"].map(|folder| config.data.join(folder));
        for folder in [&tables, &matches] {
            std::fs::create_dir_all(folder).map_err(|error| unusable(error.into()))?;
        }
        let store = Store::open(&config.data.join("games.db")).map_err(|error| unusable(error.to_string().into()))?;
        let store = Arc::new(store);
        let options = Options { threads: config.threads, hash: config.hash, ..Options::default() };
        options.check()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let room = Room::new(Opening { options, tables, idle: config.idle }, (cores / config.threads).max(1));
        let room = Arc::new(room);
        let (close, closing) = watch::channel(false);
        let app = App {
            tables: Tables::new(store.clone(), room.clone()),
            matches: Matches::new(matches, config.hash),
            reviews: Reviews::new(store.clone(), room.clone()),
            room,
            store,
            hosts: Arc::new(config.hosts),
            sockets: Arc::new(Semaphore::new(socket::MOST_SOCKETS)),
            conversations: Arc::new(Semaphore::new(terminal::MOST_CONVERSATIONS)),
            hash: config.hash,
            closing,
            prometheus: prometheus(),
        };
        let resumed = app.tables.resume().map_err(|error| unusable(error.into()))?;
        app.reviews.resume().map_err(|error| unusable(error.into()))?;
        tracing::info!(%addr, resumed, "serving");
        Ok(Server { app, listener, close })
    }

    /// Where it listens.
    pub fn addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `end` comes, then ends connections and searches and keeps the tables.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) -> Result<(), ServerError> {
        let Server { app, listener, close } = self;
        let heart = tokio::spawn(beat(app.store.clone()));
        let mut closing = app.closing.clone();
        let ended = async move {
            end.await;
            let _ = close.send(true);
        };
        let serving = axum::serve(listener, router(app.clone())).with_graceful_shutdown(ended);
        let hurry = async move {
            let _ = closing.wait_for(|closing| *closing).await;
            tokio::time::sleep(FAREWELL).await;
        };
        tokio::select! {
            served = async { serving.await } => served.map_err(ServerError::Serve)?,
            () = hurry => {}
        }
        heart.abort();
        let (room, matches) = (app.room.clone(), app.matches.clone());
        let close = move || {
            matches.close();
            room.close();
        };
        let _ = tokio::task::spawn_blocking(close).await;
        let _ = app.store.alive(now());
        Ok(())
    }
}

/// Notes that the server is alive, again and again.
async fn beat(store: Arc<Store>) {
    let mut beats: u64 = 0;
    loop {
        if let Err(error) = store.alive(now()) {
            tracing::error!(%error, "the database does not answer");
        }
        if beats.is_multiple_of(7200)
            && let Err(error) = store.forget_old_games()
        {
            tracing::error!(%error, "old games stay");
        }
        beats += 1;
        tokio::time::sleep(HEARTBEAT).await;
    }
}

/// All addresses.
fn router(app: App) -> Router {
    let (router, api) = openapi::document().split_for_parts();
    let document = Arc::new(api.to_pretty_json().unwrap_or_default());
    router
        .merge(openapi::other(document))
        .fallback(assets::serve)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(RequestBodyTimeoutLayer::new(PATIENCE))
        .layer(middleware::from_fn_with_state(app.clone(), guard::check))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| {
            axum::response::IntoResponse::into_response(error::ApiError::internal("a panic"))
        }))
        .layer(middleware::from_fn(openapi::measure))
        .layer(TraceLayer::new_for_http())
        .with_state(app)
}

/// The example of the README compiles and is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
