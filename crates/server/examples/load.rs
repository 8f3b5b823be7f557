//! A server under load: are all answered, and how soon? Does it tell how it is meanwhile, and is its memory free again
//! afterwards?
//!
//! `cargo xtask load [GAMES [LEVELS]]` plays so many games at a time, against these levels in turn, as in `1000 1-3`.
//! `cargo xtask load overload` asks for far more than there is room for. The server is a process of its own, this same
//! program with the argument `serve`, so that its memory and its threads are its own; but it shares the processors.

use futures_util::{SinkExt, StreamExt};
use polyply_server::{Config, Server, Share};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// Games at a time unless told otherwise, moves of the person in each, and what is played.
const GAMES: usize = 200;
const MOVES: usize = 15;
const VARIANT: &str = "freestyle";
/// How often the server is asked how it is.
const HEALTH_PACE: Duration = Duration::from_millis(50);
/// How long an overload lasts, and how many clients ask for the same thing all the time.
const OVERLOAD: Duration = Duration::from_secs(20);
const CLIENTS: usize = 16;
/// The aims: 99 of 100 moves are acknowledged, a refusal comes, and the server tells how it is within this.
const MOVE_AIM: Duration = Duration::from_secs(1);
const REFUSAL_AIM: Duration = Duration::from_millis(100);
const HEALTH_AIM: Duration = Duration::from_millis(50);

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What one game has measured.
#[derive(Default)]
struct Measured {
    /// From asking for a move to the answer that it was played.
    requests: Vec<Duration>,
    /// From asking for a move to the engine's move.
    replies: Vec<Duration>,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve", folder, exposed] => serve(Path::new(folder), exposed.parse()?).await,
        ["overload"] => overload().await,
        [] => games(GAMES, "3").await,
        [games] => self::games(games.parse()?, "3").await,
        [games, levels] => self::games(games.parse()?, levels).await,
        _ => Err("usage: load [GAMES [LEVELS]] | load overload".into()),
    }
}

/// The server of the process that is told to be one. It says where it listens, and ends when it is killed.
async fn serve(folder: &Path, expose: bool) -> Result<(), Failure> {
    let config = Config {
        addr: SocketAddr::from(([127, 0, 0, 1], 0)),
        hosts: Vec::new(),
        data: folder.to_owned(),
        threads: 1,
        hash: 64,
        memory: 512,
        idle: Share::USUAL,
        expose,
        expire: polyply_server::EXPIRE,
        save_every: polyply_server::SAVE_EVERY,
        fleet: None,
    };
    let server = Server::start(config).await?;
    println!("{}", server.addr()?);
    server.run(std::future::pending()).await;
    Ok(())
}

/// A server in a process of its own, which ends when this is dropped.
struct Process {
    process: Child,
    addr: SocketAddr,
    folder: TempDir,
}

impl Process {
    fn start(expose: bool) -> Result<Process, Failure> {
        raise_limit();
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("serve").arg(folder.path()).arg(expose.to_string()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().ok_or("the server has no output")?).read_line(&mut line)?;
        Ok(Process { addr: line.trim().parse()?, process, folder })
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// Its memory in bytes, as soon as no game is in it any more.
    async fn resident(&self, client: &Client) -> Result<u64, Failure> {
        loop {
            let memory: Value = client.get(self.url("/api/memory")).send().await?.json().await?;
            if memory["games"] == 0 {
                return Ok(memory["total"]["resident"].as_u64().unwrap_or(0));
            }
            tokio::time::sleep(HEALTH_PACE).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// As many connections as the system allows.
fn raise_limit() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    }
}

/// Asks a server how it is, again and again, on a thread of its own: what the other clients do must not delay it.
struct HealthWatch {
    over: Arc<AtomicBool>,
    thread: JoinHandle<Result<Vec<Duration>, Failure>>,
}

impl HealthWatch {
    fn start(server: &Process, token: Option<String>) -> HealthWatch {
        let (over, url) = (Arc::new(AtomicBool::new(false)), server.url("/api/health"));
        let until = over.clone();
        let watch = async move {
            let (client, mut times) = (Client::new(), Vec::new());
            while !until.load(Relaxed) {
                let mut request = client.get(&url);
                if let Some(token) = &token {
                    request = request.bearer_auth(token);
                }
                let asked = Instant::now();
                request.send().await?.error_for_status()?;
                times.push(asked.elapsed());
                tokio::time::sleep(HEALTH_PACE).await;
            }
            Ok(times)
        };
        let thread =
            std::thread::spawn(|| tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(watch));
        HealthWatch { over, thread }
    }

    fn end(self) -> Result<Vec<Duration>, Failure> {
        self.over.store(true, Relaxed);
        self.thread.join().map_err(|_| "the thread that asks for the health panicked")?
    }
}

/// So many games at a time against these levels in turn.
async fn games(games: usize, levels: &str) -> Result<(), Failure> {
    let (lowest, highest) = levels.split_once('-').unwrap_or((levels, levels));
    let levels: Vec<u8> = (lowest.parse()?..=highest.parse()?).collect();
    if levels.is_empty() {
        return Err("the lowest level comes first, as in 1-3".into());
    }
    let server = Process::start(false)?;
    let client = Client::new();
    // The engine opens now, so that it counts before as well as after.
    play(client.clone(), server.addr, 0, 1).await?;
    let before = server.resident(&client).await?;
    let health = HealthWatch::start(&server, None);
    let began = Instant::now();
    let players: Vec<_> = (0..games)
        .map(|seed| tokio::spawn(play(client.clone(), server.addr, seed, levels[seed % levels.len()])))
        .collect();
    let (mut all, mut errors) = (Measured::default(), 0);
    for game in players {
        match game.await? {
            Ok(measured) => {
                all.requests.extend(measured.requests);
                all.replies.extend(measured.replies);
            }
            Err(error) => {
                errors += 1;
                eprintln!("a game failed: {error}");
            }
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let mut healths = health.end()?;
    println!(
        "{games} games of {VARIANT} at a time against levels {levels:?}: {} moves in {seconds:.1} s, {errors} errors",
        all.requests.len()
    );
    let [_, played, _] = report("move request", &mut all.requests);
    report("engine's move", &mut all.replies);
    let [.., health] = report("health", &mut healths);
    let after = server.resident(&client).await?;
    println!("memory: {:.1} MB before, {:.1} MB after", megabytes(before), megabytes(after));
    if errors > 0 || played > MOVE_AIM || health > HEALTH_AIM {
        return Err(format!(
            "the aim is no error, 99 of 100 move requests within {MOVE_AIM:?}, and the health within {HEALTH_AIM:?}"
        )
        .into());
    }
    Ok(())
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Prints the usual figures, and returns them: the median, the 99th percentile, the longest.
fn report(what: &str, times: &mut [Duration]) -> [Duration; 3] {
    times.sort();
    let at =
        |share: f64| times.get((times.len() as f64 * share) as usize).or(times.last()).copied().unwrap_or_default();
    let figures = [0.5, 0.99, 1.0].map(at);
    let [median, p99, most] = figures;
    println!("{what}: {}, median {median:.1?}, p99 {p99:.1?}, most {most:.1?}", times.len());
    figures
}

/// Plays a game as a person would who does not think, and measures.
async fn play(client: Client, addr: SocketAddr, seed: usize, level: u8) -> Result<Measured, Failure> {
    let url = |path: &str| format!("http://{addr}/api/games{path}");
    let wish = json!({"variant": VARIANT, "first": {"kind": "person"}, "second": {"kind": "engine", "level": level}});
    let made: Value = client.post(url("")).json(&wish).send().await?.error_for_status()?.json().await?;
    let id = made["game"]["id"].as_str().ok_or("a game has an id")?.to_owned();
    let token = made["seat_tokens"]["first"].as_str().ok_or("a seat has a token")?.to_owned();
    let (mut live, _) = connect_async(format!("ws://{addr}/api/games/{id}/live")).await?;
    let (mut measured, mut asked, mut number) = (Measured::default(), None, seed);
    while let Some(message) = live.next().await {
        let Message::Text(text) = message? else { continue };
        let state: Value = serde_json::from_str(&text)?;
        if state["type"] != "state" || (state["status"] == "playing" && state["view"]["side"] != "first") {
            continue;
        }
        measured.replies.extend(asked.take().map(|asked: Instant| asked.elapsed()));
        if state["status"] == "over" || measured.requests.len() >= MOVES {
            break;
        }
        let legal = state["view"]["legal"].as_array().ok_or("a position has moves")?;
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = &legal[(number >> 33) % legal.len()]["text"];
        let begun = Instant::now();
        asked = Some(begun);
        let request = client.post(url(&format!("/{id}/moves"))).bearer_auth(&token).json(&json!({"move": mv}));
        request.send().await?.error_for_status()?.bytes().await?;
        measured.requests.push(begun.elapsed());
    }
    live.send(Message::Close(None)).await.ok();
    Ok(measured)
}

/// Strangers and the operator ask an exposed server for more games and reviews than it has room for, while all its threads
/// search.
async fn overload() -> Result<(), Failure> {
    let server = Process::start(true)?;
    let operator = std::fs::read_to_string(server.folder.path().join("operator-token"))?.trim().to_owned();
    let engine = json!({"kind": "engine", "level": 10});
    let between_engines = json!({"variant": VARIANT, "first": engine, "second": engine});
    let health = HealthWatch::start(&server, Some(operator.clone()));
    let began = Instant::now();
    let mut floods = Vec::new();
    for client in 0..4 * CLIENTS {
        let token = (client % 2 == 0).then(|| operator.clone());
        let (is_game, between_engines) = (client / 2 % 2 == 0, between_engines.clone());
        let url = server.url(if is_game { "/api/games" } else { "/api/reviews" });
        let wish = move |number| if is_game { between_engines.clone() } else { review(client, number) };
        floods.push(tokio::spawn(flood(url, wish, token, began + OVERLOAD)));
    }
    let (mut refusals, mut counts) = (Vec::new(), BTreeMap::new());
    for flood in floods {
        for (status, time) in flood.await?? {
            *counts.entry(status.as_u16()).or_insert(0) += 1;
            if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
                refusals.push(time);
            }
        }
    }
    let mut healths = health.end()?;
    println!("{} clients for {OVERLOAD:?}; answers by status: {counts:?}", 4 * CLIENTS);
    let [.., refusal] = report("refusals", &mut refusals);
    let [.., health] = report("health", &mut healths);
    if counts.contains_key(&500) || refusal > REFUSAL_AIM || health > HEALTH_AIM {
        return Err(format!(
            "the aim is no failure, refusals within {REFUSAL_AIM:?}, and the health within {HEALTH_AIM:?}"
        )
        .into());
    }
    Ok(())
}

/// A review of another game for every client and number.
fn review(client: usize, number: usize) -> Value {
    let cells = [("a", client), ("b", client / 15), ("c", number), ("d", number / 15), ("e", number / 225)];
    let moves = cells.map(|(column, number)| format!("{column}{}", 1 + number % 15));
    json!({"variant": VARIANT, "moves": moves, "level_of_effort": "deep"})
}

/// Asks for one thing after the other, as soon as the answer is there. Returns the answers and how long each took.
async fn flood(
    url: String,
    wish: impl Fn(usize) -> Value,
    token: Option<String>,
    until: Instant,
) -> Result<Vec<(StatusCode, Duration)>, Failure> {
    let (client, mut answers) = (Client::new(), Vec::new());
    while Instant::now() < until {
        let mut request = client.post(&url).json(&wish(answers.len()));
        if let Some(token) = &token {
            request = request.bearer_auth(token);
        }
        let asked = Instant::now();
        let answer = request.send().await?;
        let status = answer.status();
        answer.bytes().await?;
        answers.push((status, asked.elapsed()));
    }
    Ok(answers)
}
