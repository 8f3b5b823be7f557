//! A hostile peer does its worst, and a friendly one plays on: slow headers, floods, nested files, games without end.
//!
//! The two come from different addresses of the loopback network, as Linux has them.
#![cfg(target_os = "linux")]

mod client;

use client::{TestServer, engine, person};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;
use tokio::task::JoinSet;

const HOSTILE: [u8; 4] = [127, 0, 0, 2];
const FRIENDLY: [u8; 4] = [127, 0, 0, 3];

fn client(from: [u8; 4]) -> Client {
    Client::builder().local_address(IpAddr::from(from)).timeout(Duration::from_secs(60)).build().unwrap()
}

/// What the hostile peer does until it is told to stop.
struct Attack {
    addr: SocketAddr,
    over: Arc<AtomicBool>,
    answers: Arc<AtomicU64>,
    failures: Arc<AtomicU64>,
}

impl Attack {
    /// Sends the same request over and over. Only refusals in order are allowed.
    async fn flood(&self, path: &str, body: Value) {
        let client = client(HOSTILE);
        while !self.over.load(Relaxed) {
            match client.post(format!("http://{}{path}", self.addr)).json(&body).send().await {
                Ok(answer) if answer.status() == StatusCode::INTERNAL_SERVER_ERROR => {
                    self.failures.fetch_add(1, Relaxed);
                }
                Ok(_) => drop(self.answers.fetch_add(1, Relaxed)),
                // Turned away.
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    }

    /// Opens connections and sends a byte now and then.
    async fn drip(&self, text: &'static str) {
        let mut held = Vec::new();
        while !self.over.load(Relaxed) {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::from((HOSTILE, 0))).unwrap();
            if let Ok(stream) = socket.connect(self.addr).await {
                held.push((stream, 0));
            }
            for (stream, sent) in &mut held {
                let byte = &text.as_bytes()[*sent % text.len()..][..1];
                if stream.try_write(byte).is_ok() {
                    *sent += 1;
                }
            }
            if held.len() > 300 {
                let (mut first, _) = held.remove(0);
                let _ = first.shutdown().await;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

fn nested_pgn() -> String {
    let mut text = "[Event \"nested\"]\n\n1. e4 ".to_owned();
    text += &"(1. d4 ".repeat(60_000);
    text += &")".repeat(60_000);
    text
}

/// Plays against the weakest level, and returns how long each request and each answer of the engine took.
async fn friendly(addr: SocketAddr, moves: usize) -> Vec<Duration> {
    let client = client(FRIENDLY);
    let url = |path: &str| format!("http://{addr}{path}");
    let mut times = Vec::new();
    let mut played = 0;
    while played < moves {
        let wish = json!({"variant": "freestyle", "first": person(), "second": engine(1)});
        let asked = Instant::now();
        let made: Value = client.post(url("/api/games")).json(&wish).send().await.unwrap().json().await.unwrap();
        times.push(asked.elapsed());
        let id = made["game"]["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        let token = made["seat_tokens"]["first"].as_str().unwrap().to_owned();
        let mut state = made["game"].clone();
        while played < moves && state["status"] == "playing" {
            let mv = &state["view"]["legal"][0]["text"];
            let before = state["moves"].as_array().unwrap().len();
            let asked = Instant::now();
            let request = client.post(url(&format!("/api/games/{id}/moves"))).bearer_auth(&token);
            let answer = request.json(&json!({"move": mv})).send().await.unwrap();
            assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
            // Until the engine has answered, too.
            loop {
                state = client.get(url(&format!("/api/games/{id}"))).send().await.unwrap().json().await.unwrap();
                if state["status"] == "over" || state["moves"].as_array().unwrap().len() >= before + 2 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            times.push(asked.elapsed());
            played += 1;
        }
    }
    times
}

/// Attacks while a friend plays so many moves, and returns how long these took.
async fn attack(moves: usize) -> Vec<Duration> {
    let (server, _) = TestServer::exposed().await;
    let attack =
        Arc::new(Attack { addr: server.addr, over: Arc::default(), answers: Arc::default(), failures: Arc::default() });
    let mut attacks = JoinSet::new();
    let between_engines = json!({"variant": "freestyle", "first": engine(10), "second": engine(10)});
    let review = json!({"variant": "freestyle", "moves": ["h8", "h9", "g7"], "level_of_effort": "deep"});
    let floods = [
        ("/api/games", between_engines),
        ("/api/import", json!({"text": nested_pgn(), "format": "pgn"})),
        ("/api/import", json!({"text": "(;".repeat(100_000), "format": "sgf"})),
        ("/api/reviews", review),
        ("/api/positions", json!({"variant": "freestyle"})),
        ("/api/export", json!({"variant": "chess", "format": "pgn", "moves": ["e2e4"]})),
    ];
    for (path, body) in floods {
        let attack = attack.clone();
        attacks.spawn(async move { attack.flood(path, body).await });
    }
    for text in ["GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaa", "\u{0}\u{1}\u{2}"] {
        let attack = attack.clone();
        attacks.spawn(async move { attack.drip(text).await });
    }
    let times = friendly(server.addr, moves).await;
    attack.over.store(true, Relaxed);
    attacks.join_all().await;
    assert!(attack.answers.load(Relaxed) > 20, "the attack was none");
    assert_eq!(attack.failures.load(Relaxed), 0);
    times
}

#[tokio::test(flavor = "multi_thread")]
async fn a_friend_plays_on_while_a_hostile_peer_does_its_worst() {
    attack(6).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures time, so it wants a quiet machine; cargo xtask test --long runs it"]
async fn a_friend_never_waits_for_more_than_a_second() {
    let mut times = attack(40).await;
    times.sort();
    let [median, most] = [times[times.len() / 2], times[times.len() - 1]];
    eprintln!("{} requests of the friend: median {median:.0?}, most {most:.0?}", times.len());
    assert!(most < Duration::from_secs(1), "{times:?}");
}
