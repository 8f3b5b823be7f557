//! Many games at a time against a server: are all answered, and how soon? Does it tell how it is meanwhile, and is its memory
//! free again afterwards?
//!
//! `cargo xtask load [GAMES [LEVELS]]` runs it: so many games at a time, against these levels in turn, as in `1000 1-3`. The
//! server is one of its own, in this process.

use futures_util::{SinkExt, StreamExt};
use polyply_server::{Config, Server, Share};
use reqwest::Client;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// Games at a time unless told otherwise, moves of the person in each, and what is played.
const GAMES: usize = 200;
const MOVES: usize = 15;
const VARIANT: &str = "freestyle";
/// How often the server is asked how it is.
const HEALTH_PACE: Duration = Duration::from_millis(50);

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
    let mut arguments = std::env::args().skip(1);
    let games: usize = arguments.next().map_or(Ok(GAMES), |text| text.parse())?;
    let levels = arguments.next().unwrap_or_else(|| "3".to_owned());
    let (lowest, highest) = levels.split_once('-').unwrap_or((&levels, &levels));
    let levels: Vec<u8> = (lowest.parse()?..=highest.parse()?).collect();
    if levels.is_empty() {
        return Err("the lowest level comes first, as in 1-3".into());
    }
    let folder = tempfile::tempdir()?;
    let config = Config {
        addr: SocketAddr::from(([127, 0, 0, 1], 0)),
        hosts: Vec::new(),
        data: folder.path().to_owned(),
        threads: 1,
        hash: 64,
        memory: 512,
        idle: Share::USUAL,
        expose: false,
        expire: polyply_server::EXPIRE,
        save_every: polyply_server::SAVE_EVERY,
        fleet: None,
    };
    let server = Server::start(config).await?;
    let addr = server.addr()?;
    tokio::spawn(server.run(std::future::pending()));
    let client = Client::new();
    // The engine opens now, so that it counts before as well as after.
    play(client.clone(), addr, 0, 1).await?;
    let before = resident(&client, addr).await?;
    let health = tokio::spawn(watch_health(client.clone(), addr));
    let began = Instant::now();
    let players: Vec<_> =
        (0..games).map(|seed| tokio::spawn(play(client.clone(), addr, seed, levels[seed % levels.len()]))).collect();
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
    println!(
        "{games} games of {VARIANT} at a time against levels {levels:?}: {} moves in {seconds:.1} s, {errors} errors",
        all.requests.len()
    );
    health.abort();
    let worst = report("move request", &mut all.requests);
    report("engine's move", &mut all.replies);
    let mut healths = std::mem::take(&mut *HEALTHS.lock().map_err(|error| error.to_string())?);
    report("health", &mut healths);
    let after = resident(&client, addr).await?;
    println!("memory: {} MB before, {} MB after", before >> 20, after >> 20);
    if errors > 0 || worst > Duration::from_secs(1) {
        return Err("the aim is no error, and 99 of 100 move requests within a second".into());
    }
    Ok(())
}

/// How long the server took to tell how it is.
static HEALTHS: Mutex<Vec<Duration>> = Mutex::new(Vec::new());

/// Asks the server how it is, again and again.
async fn watch_health(client: Client, addr: SocketAddr) -> Result<(), Failure> {
    loop {
        let asked = Instant::now();
        client.get(format!("http://{addr}/api/health")).send().await?.error_for_status()?;
        HEALTHS.lock().map_err(|error| error.to_string())?.push(asked.elapsed());
        tokio::time::sleep(HEALTH_PACE).await;
    }
}

/// The memory of the server's process in bytes.
async fn resident(client: &Client, addr: SocketAddr) -> Result<u64, Failure> {
    let memory: Value = client.get(format!("http://{addr}/api/memory")).send().await?.json().await?;
    Ok(memory["total"]["resident"].as_u64().unwrap_or(0))
}

/// Prints the usual figures; the 99th percentile.
fn report(what: &str, times: &mut [Duration]) -> Duration {
    times.sort();
    let at =
        |share: f64| times.get((times.len() as f64 * share) as usize).or(times.last()).copied().unwrap_or_default();
    let [median, p99, most] = [0.5, 0.99, 1.0].map(at);
    println!("{what}: median {median:.1?}, p99 {p99:.1?}, most {most:.1?}");
    p99
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
