//! Many games at a time against a server: are all answered, and how soon?
//!
//! `cargo xtask load` runs it. Without an address it starts a server of its own, in this process.

use futures_util::{SinkExt, StreamExt};
use polyply_server::{Config, Server, Share};
use reqwest::Client;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// Games at a time, moves of the person in each, the level of the engine, and what is played.
const GAMES: usize = 200;
const MOVES: usize = 15;
const LEVEL: u8 = 3;
const VARIANT: &str = "freestyle";

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
    let folder = tempfile::tempdir()?;
    let addr = match std::env::args().nth(1) {
        Some(addr) => addr.parse()?,
        None => {
            let config = Config {
                addr: SocketAddr::from(([127, 0, 0, 1], 0)),
                hosts: Vec::new(),
                data: folder.path().to_owned(),
                threads: 1,
                hash: 64,
                memory: 512,
                idle: Share::USUAL,
            };
            let server = Server::start(config).await?;
            let addr = server.addr()?;
            tokio::spawn(server.run(std::future::pending()));
            addr
        }
    };
    let client = Client::new();
    let began = Instant::now();
    let games: Vec<_> = (0..GAMES).map(|seed| tokio::spawn(play(client.clone(), addr, seed))).collect();
    let (mut all, mut errors) = (Measured::default(), 0);
    for game in games {
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
        "{GAMES} games of {VARIANT} at a time against level {LEVEL}: {} moves in {seconds:.1} s, {errors} errors",
        all.requests.len()
    );
    let worst = report("move request", &mut all.requests);
    report("engine's move", &mut all.replies);
    if errors > 0 || worst > Duration::from_secs(1) {
        return Err("the aim is no error, and 99 of 100 move requests within a second".into());
    }
    Ok(())
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
async fn play(client: Client, addr: SocketAddr, seed: usize) -> Result<Measured, Failure> {
    let url = |path: &str| format!("http://{addr}/api/games{path}");
    let wish = json!({"variant": VARIANT, "first": {"kind": "person"}, "second": {"kind": "engine", "level": LEVEL}});
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
