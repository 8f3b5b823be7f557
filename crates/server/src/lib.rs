//! The web app of Polyply: games, analysis, review and matches over HTTP and WebSocket, and the pages that use them.
//!
//! [`Server::start`] opens the database and listens; [`Server::run`] serves until it is told to end, and then saves the
//! tables of the engines. `engine_pool` shares the engines out, `games` is where people play. Answers are JSON; a refusal is a
//! status with a code and its arguments ([`refusals`]). `/api/openapi.json` describes the whole interface.

mod access;
mod analysis;
mod aside;
mod assets;
mod backup;
mod connections;
mod data_lock;
mod engine_pool;
mod engines;
mod error;
mod fleet;
mod games;
mod guard;
mod ids;
mod invitation;
mod matches;
mod memory;
mod openapi;
mod peer;
mod picture;
mod positions;
mod priority;
mod protocols;
pub mod refusals;
mod review;
mod share;
mod shares;
mod socket;
mod store;
mod time;
mod wire;

pub use access::{OPEN, OperatorToken};
pub use backup::{backup, restore};

use access::Access;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use data_lock::DataLock;
use engine_pool::{EnginePool, EngineSettings};
use fleet::RemoteSearches;
use games::LiveGames;
use matches::Matches;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
pub use polyply_engine::Share;
use polyply_engine::refusal::Argument;
use polyply_engine::{EngineError, Options, Refusal};
use polyply_fleet::Fleet;
use review::Reviews;
use shares::Shares;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::Store;
use time::now;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use tower_http::trace::TraceLayer;

/// Bodies of requests are at most this long.
const LONGEST_BODY: usize = 1 << 20;
/// How long the next part of a body may take.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the database notes that the server is alive. A clock loses at most that much when the server is killed.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// Every so many of these notes, games leave the memory that nobody has needed since the last time.
const UNUSED_BEATS: u64 = 10;
/// How long open connections may take to end.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);

/// Megabytes that are set aside for an open engine besides its tables.
pub const ENGINE_MEGABYTES: u64 = (engine_pool::ENGINE_BYTES >> 20) as u64;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub addr: SocketAddr,
    /// Host names that clients may use besides IP addresses and `localhost`.
    pub hosts: Vec<String>,
    /// The folder of the database, tables and matches.
    pub data: PathBuf,
    /// Threads for each search.
    pub threads: usize,
    /// Megabytes for the Search TT of each open engine.
    pub hash: usize,
    /// Megabytes for all open engines together. The least recently used engine is closed for another.
    pub memory: usize,
    /// The share of one processor that idle improvement may take.
    pub idle: Share,
    /// Others may reach it: what is not open to all is left to the operator, who has a token.
    pub expose: bool,
    /// An unfinished game ends when nothing has happened in it for this long.
    pub expire: Duration,
    /// How often the tables of open engines are saved.
    pub save_every: Duration,
    /// Workers that search what this machine has no thread for.
    pub fleet: Option<Fleet>,
}

/// How long an unfinished game waits for its next move, unless told otherwise.
pub const EXPIRE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How often tables are saved, unless told otherwise.
pub const SAVE_EVERY: Duration = Duration::from_secs(180);

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
}

impl ServerError {
    /// Why, as a code with arguments.
    pub fn refusal(&self) -> Refusal {
        match self {
            ServerError::Listen { addr, error } => refusals::listen_failed(addr.to_string(), error.to_string()),
            ServerError::Data { path, reason } => refusals::folder_refused(path.display().to_string(), reason.clone()),
            ServerError::Option(error) => error.refusal(),
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
    pub pool: Arc<EnginePool>,
    pub games: LiveGames,
    pub reviews: Reviews,
    pub matches: Matches,
    pub store: Arc<Store>,
    pub addr: SocketAddr,
    pub hosts: Arc<Vec<String>>,
    pub sockets: Arc<Semaphore>,
    pub sessions: Arc<Semaphore>,
    pub access: Arc<Access>,
    pub fleet: Option<Arc<RemoteSearches>>,
    pub shares: Shares,
    pub closing: watch::Receiver<bool>,
    pub prometheus: PrometheusHandle,
}

/// A server that listens.
pub struct Server {
    app: App,
    listener: TcpListener,
    close: watch::Sender<bool>,
    recovered: Recovered,
    operator_token: Option<OperatorToken>,
    expire: Duration,
    owner: DataLock,
}

/// What a server found in its folder when it started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Recovered {
    /// Games that go on.
    pub games: usize,
    /// Saved tables of engines. Each is loaded when its engine opens.
    pub tables: usize,
    /// The size of their files.
    pub table_bytes: u64,
}

/// The number of saved tables and their size. What is left of saves that were cut short is removed.
fn saved_tables(folder: &Path) -> (usize, u64) {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let (mut count, mut bytes) = (0, 0);
    for file in files {
        match file.path().extension().and_then(|extension| extension.to_str()) {
            Some("tt") => {
                count += 1;
                bytes += file.metadata().map_or(0, |metadata| metadata.len());
            }
            // It does no harm if it stays.
            Some("partial") => drop(std::fs::remove_file(file.path())),
            _ => {}
        }
    }
    (count, bytes)
}

/// The recorder of metrics, one for the whole process.
fn prometheus() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| PrometheusBuilder::new().install_recorder().expect("no other recorder is installed")).clone()
}

impl Server {
    /// Opens the database, listens, and resumes the games, reviews and clocks that were running.
    pub async fn start(config: Config) -> Result<Server, ServerError> {
        let addr = config.addr;
        let listener = TcpListener::bind(addr).await.map_err(|error| ServerError::Listen { addr, error })?;
        let data = config.data.clone();
        let unusable = |reason: Argument| ServerError::Data { path: data.clone(), reason };
        let [tables, matches] = ["tables", "matches"].map(|folder| config.data.join(folder));
        for folder in [&tables, &matches] {
            std::fs::create_dir_all(folder).map_err(|error| unusable(error.into()))?;
        }
        let owner = DataLock::take(&config.data).map_err(unusable)?;
        let (access, operator_token) = match config.expose {
            true => Access::exposed(&config.data).map(|(access, token)| (access, Some(token))).map_err(unusable)?,
            false => (Access::local(), None),
        };
        let store = Store::open(&config.data.join("games.db")).map_err(|error| unusable(error.to_string().into()))?;
        let store = Arc::new(store);
        let options = Options { threads: config.threads, hash: config.hash, own_book: true, ..Options::default() };
        options.check()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let saved = saved_tables(&tables);
        let (memory, save_every) = (config.memory << 20, config.save_every);
        let settings = EngineSettings { options, tables, idle: config.idle, memory, save_every };
        let pool = Arc::new(EnginePool::new(settings, (cores / config.threads).max(1)));
        let (close, closing) = watch::channel(false);
        let fleet = config.fleet.map(RemoteSearches::new);
        let app = App {
            games: LiveGames::new(store.clone(), pool.clone(), fleet.clone()),
            matches: Matches::new(matches, pool.clone()),
            reviews: Reviews::new(store.clone(), pool.clone()),
            pool,
            store,
            addr: listener.local_addr().map_err(|error| ServerError::Listen { addr, error })?,
            hosts: Arc::new(config.hosts),
            sockets: Arc::new(Semaphore::new(socket::MAX_SOCKETS)),
            sessions: Arc::new(Semaphore::new(protocols::MAX_SESSIONS)),
            access: Arc::new(access),
            fleet,
            shares: Shares::default(),
            closing,
            prometheus: prometheus(),
        };
        app.games.expire(config.expire).await.map_err(|error| unusable(error.into()))?;
        let games = app.games.resume().await.map_err(|error| unusable(error.into()))?;
        app.reviews.resume().await.map_err(|error| unusable(error.into()))?;
        let recovered = Recovered { games, tables: saved.0, table_bytes: saved.1 };
        tracing::info!(%addr, ?recovered, "serving");
        Ok(Server { app, listener, close, recovered, operator_token, expire: config.expire, owner })
    }

    /// What it found in its folder.
    pub fn recovered(&self) -> Recovered {
        self.recovered
    }

    /// The token of its operator, if it is exposed.
    pub fn operator_token(&self) -> Option<&OperatorToken> {
        self.operator_token.as_ref()
    }

    /// The address it listens on.
    pub fn addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `end` is ready, then closes connections, stops searches and saves the tables.
    pub async fn run(self, end: impl Future<Output = ()> + Send + 'static) {
        let Server { app, listener, close, owner, expire, .. } = self;
        let heartbeat = tokio::spawn(heartbeat(app.clone(), expire));
        let mut closing = app.closing.clone();
        tokio::spawn(async move {
            end.await;
            let _ = close.send(true);
        });
        let hurry = async move {
            let _ = closing.wait_for(|closing| *closing).await;
            tokio::time::sleep(SHUTDOWN_GRACE).await;
        };
        tokio::select! {
            () = connections::serve(listener, &app, router(app.clone())) => {}
            () = hurry => {}
        }
        heartbeat.abort();
        let (pool, matches) = (app.pool.clone(), app.matches.clone());
        let close = move || {
            matches.close();
            pool.close();
        };
        let _ = tokio::task::spawn_blocking(close).await;
        app.store.close(now()).await;
        drop(owner);
    }
}

/// Notes that the server is alive; every hour, drops old games and ends those that nobody goes on with.
async fn heartbeat(app: App, expire: Duration) {
    let App { store, games, .. } = app;
    let mut beats: u64 = 0;
    loop {
        if let Err(error) = store.alive(now()).await {
            tracing::error!(%error, "the database does not answer");
        }
        if beats.is_multiple_of(7200)
            && let Err(error) = store.forget_old_games().await
        {
            tracing::error!(%error, "old games could not be dropped");
        }
        if beats.is_multiple_of(7200)
            && let Err(error) = games.expire(expire).await
        {
            tracing::error!(%error, "unfinished games could not be ended");
        }
        if beats.is_multiple_of(UNUSED_BEATS) {
            games.forget_unused();
        }
        beats += 1;
        tokio::time::sleep(HEARTBEAT).await;
    }
}

/// All routes.
fn router(app: App) -> Router {
    let (router, api) = openapi::document().split_for_parts();
    let document = Arc::new(api.to_pretty_json().unwrap_or_default());
    router
        .merge(openapi::other(document))
        .fallback(assets::serve)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(RequestBodyTimeoutLayer::new(BODY_TIMEOUT))
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
