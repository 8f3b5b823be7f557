//! Hostile requests and messages, one after the other, against a server of this process: no input may make it panic, fail
//! with anything but a refusal, or stop answering.
//!
//! `cargo xtask fuzz-server [COUNT [SEED]]` runs it. The inputs are valid ones, changed at random: values of another kind,
//! missing fields, texts that are cut or spoilt, headers that lie, bytes that are no HTTP and no WebSocket. The same seed
//! makes the same inputs; how the server interleaves them is up to the system.

use futures_util::{SinkExt, StreamExt};
use polyply_core::lock::lock;
use polyply_core::random::Random;
use polyply_server::{Config, Server, Share};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// Inputs unless told otherwise.
const COUNT: u64 = 20_000;
/// Tasks that send requests, and as many that send messages.
const TASKS: u64 = 3;
/// A server that does not answer for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);
/// So many messages on a connection, fewer than are cut off.
const MESSAGES: u64 = 900;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Panics in any thread.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// Bodies that are right for a route, or nearly so.
fn samples() -> Vec<(&'static str, Value)> {
    let (person, engine) = (json!({"kind": "person", "name": "Ann"}), json!({"kind": "engine", "level": 1}));
    let clock = json!({"initial_ms": 60_000, "increment_ms": 100});
    let place = json!({"variant": "caro:15,opening=swap2", "position": null, "moves": ["h8", "a1", "c3"]});
    vec![
        ("/api/games", json!({"variant": "tictactoe", "first": person, "second": person, "listed": true})),
        ("/api/games", json!({"variant": "freestyle:9", "first": person, "second": engine, "clock": clock})),
        ("/moves", json!({"move": "b2"})),
        ("/choice", json!({"choice": "first"})),
        ("/pause", json!({"paused": true})),
        ("/messages", json!({"message": "hello"})),
        ("/draw", json!({"offer": true})),
        ("/join", json!({"name": "Ben"})),
        ("/api/positions", place.clone()),
        ("/api/positions", json!({"variant": "chess", "position": "8/8/8/8/8/8/8/K1k5 w - - 0 1", "moves": ["a1a2"]})),
        ("/arranged", json!({"variant": "othello", "cells": [null, "first", "second"], "side": "first", "unseen": {}})),
        ("/refused", json!({"variant": "chess", "moves": ["e2e4"], "cell": 12})),
        ("/book", json!({"variant": "chess", "moves": ["e2e4"]})),
        ("/coach", json!({"variant": "tictactoe", "moves": ["b2", "a1"]})),
        ("/fair", json!({"variant": "tictactoe"})),
        (
            "/import",
            json!({"variant": "chess", "text": "[Event \"?\"]\n\n1. e4 (1. d4 $5) e5 {x} 2.Nf3 *", "format": "pgn"}),
        ),
        (
            "/import",
            json!({"text": "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5])"}),
        ),
        (
            "/import",
            json!({"variant": "freestyle", "text": "Piskvorky 15x15, 11:11, 1\n8,8,10\n9,9,10\n", "format": "psq"}),
        ),
        ("/import", json!({"variant": "caro", "text": "(;FF[4]GM[4]SZ[19];B[jj](;W[kk])(;W[ab]))", "format": "sgf"})),
        ("/export", json!({"variant": "chess", "format": "pgn", "moves": ["e2e4", "e7e5"]})),
        ("/api/reviews", json!({"variant": "tictactoe", "moves": ["b2", "a1"], "level_of_effort": "quick"})),
        ("/tries", json!({"ply": 1, "move": "a1"})),
        ("/options", json!({"name": "lmr", "value": 0})),
        ("/idle", json!({"on": false})),
        (
            "/api/matches",
            json!({"variant": "tictactoe", "engines": ["builtin:lmr=0", "builtin"], "games": 2, "nodes": 9}),
        ),
        ("", json!({})),
    ]
}

/// Messages that are right for a WebSocket.
fn messages(path: &str) -> Vec<String> {
    if let Some(name) = path.strip_prefix("/api/protocols/") {
        let lines: &[&str] = match name {
            "uci" => &[
                "uci",
                "setoption name Hash value 1",
                "setoption name UCI_Variant value tictactoe",
                "position startpos moves e2e4 e7e5",
                "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2",
                "go nodes 20",
                "go wtime 1 btime 1 searchmoves e2e4",
                "stop",
                "ucinewgame",
            ],
            "gomocup" => &[
                "START 15",
                "TURN 7,7",
                "BOARD\n1,1,1\n2,2,2\nDONE",
                "INFO rule 9",
                "INFO max_node 20",
                "ABOUT",
                "YXNBEST 2",
            ],
            _ => &[
                "nboard 2",
                "set depth 1",
                "set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *];)",
                "move F5",
                "hint 1",
                "go",
                "ping 3",
            ],
        };
        return lines.iter().map(|&line| line.to_owned()).collect();
    }
    let ask = json!({"type": "analyse", "id": 1, "variant": "connect4", "moves": ["d"], "position": "4455", "lines": 2,
        "limits": {"nodes": 50}, "only": ["a"], "threats": false});
    vec![ask.to_string(), json!({"type": "stop"}).to_string()]
}

/// What requests are made of.
struct Corpus {
    addr: SocketAddr,
    /// Methods and paths of the description of the interface.
    routes: Vec<(String, String)>,
    samples: Vec<(&'static str, Value)>,
    /// A game and the token of a seat.
    game: String,
    token: String,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().map_or(Ok(COUNT), |text| text.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let told = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Relaxed);
        told(panic);
    }));
    let folder = tempfile::tempdir()?;
    let corpus = Arc::new(start(folder.path()).await?);
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..TASKS {
        let share = |of: u64| of / TASKS + u64::from(number < of % TASKS);
        let (requests, messages) = (share(count - count / 2), share(count / 2));
        let (of_requests, of_messages) = (Random::of(seed, 2 * number), Random::of(seed, 2 * number + 1));
        tasks.spawn(send_requests(corpus.clone(), of_requests, requests, tally.clone()));
        tasks.spawn(send_messages(corpus.clone(), of_messages, messages, tally.clone()));
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    let health = reqwest::get(format!("http://{}/api/health", corpus.addr)).await?.status();
    let Tally { requests, messages, statuses, failures } = &*lock(&tally);
    let panics = PANICS.load(Relaxed);
    println!(
        "{requests} requests and {messages} messages, seed {seed}: {panics} panics; answers by status: {statuses:?}"
    );
    println!("status 0 is a connection that the server has closed");
    if panics > 0 || *failures > 0 || !health.is_success() {
        return Err(format!("{panics} panics, {failures} failures, health {health}").into());
    }
    Ok(())
}

/// Starts the server, and learns its routes.
async fn start(folder: &std::path::Path) -> Result<Corpus, Failure> {
    let config = Config {
        addr: SocketAddr::from(([127, 0, 0, 1], 0)),
        hosts: Vec::new(),
        data: folder.to_owned(),
        threads: 1,
        hash: 1,
        memory: 1024,
        idle: Share::OFF,
        expose: false,
        expire: polyply_server::EXPIRE,
        save_every: polyply_server::SAVE_EVERY,
        fleet: None,
    };
    let server = Server::start(config).await?;
    let addr = server.addr()?;
    tokio::spawn(server.run(std::future::pending()));
    let document: Value = reqwest::get(format!("http://{addr}/api/openapi.json")).await?.json().await?;
    let paths = document["paths"].as_object().ok_or("the description has paths")?;
    let methods = |path: &Value| path.as_object().map(|methods| methods.keys().cloned().collect()).unwrap_or_default();
    let routes = paths.iter().flat_map(|(path, of)| {
        let methods: Vec<String> = methods(of);
        methods.into_iter().map(|method| (method.to_uppercase(), path.clone()))
    });
    let routes = routes.collect();
    let samples = samples();
    let made = reqwest::Client::new().post(format!("http://{addr}/api/games")).json(&samples[0].1).send().await?;
    let made: Value = made.error_for_status()?.json().await?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (game, token) = (text(&made["game"]["id"]), text(&made["seat_tokens"]["first"]));
    Ok(Corpus { addr, routes, samples, game, token })
}

/// What was sent and what came back.
#[derive(Default)]
struct Tally {
    requests: u64,
    messages: u64,
    statuses: BTreeMap<u16, u64>,
    failures: u64,
}

/// An odd value.
fn odd(random: &mut Random) -> Value {
    match random.scaled(14) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(i64::MAX),
        4 => json!(u64::MAX),
        5 => json!(1e308),
        6 => json!(0.5),
        7 => json!("x".repeat(1 + random.scaled(6000))),
        8 => json!("\u{202e}\u{0}\u{fffd}é\u{1f600}"),
        9 => json!(["a", 1, null]),
        10 => json!({"kind": "person"}),
        11 => (0..random.scaled(150)).fold(json!(0), |inner, _| json!([inner])),
        12 => json!(vec!["d"; random.scaled(2100)]),
        _ => json!(random.scaled(1000)),
    }
}

/// Changes a value somewhere.
fn spoil(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(fields) if !fields.is_empty() && !random.once_in(6) => {
            let name = fields.keys().nth(random.scaled(fields.len())).cloned().unwrap_or_default();
            if random.once_in(5) {
                fields.remove(&name);
            } else if let Some(field) = fields.get_mut(&name) {
                spoil(field, random);
            }
        }
        Value::Array(items) if !items.is_empty() && !random.once_in(6) => {
            let at = random.scaled(items.len());
            spoil(&mut items[at], random);
        }
        Value::String(text) if !random.once_in(3) => *text = spoilt(text.clone().into_bytes(), random, true),
        other => *other = odd(random),
    }
}

/// A text with some of its bytes cut, changed, repeated or added.
fn spoilt(mut bytes: Vec<u8>, random: &mut Random, text: bool) -> String {
    const SIGNS: &[u8] = b"0-9:,;()[]{}\"\\ \n%/$";
    for _ in 0..=random.scaled(4) {
        let at = random.scaled(bytes.len() + 1);
        match random.scaled(5) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = random.scaled(256) as u8,
            2 => bytes.insert(at, SIGNS[random.scaled(SIGNS.len())]),
            3 => {
                let part = bytes[at..].to_vec();
                bytes.extend(part.into_iter().take(if text { 500 } else { 50 }));
            }
            _ if at < bytes.len() => drop(bytes.remove(at)),
            _ => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Corpus {
    /// A path with its parameters filled in.
    fn path(&self, template: &str, random: &mut Random) -> String {
        const NAMES: [&str; 9] = [
            "tictactoe",
            "caro:15,opening=swap2",
            "chess",
            "connect4",
            "uci",
            "othello",
            "caro:99999999999",
            "%00%ff",
            "x",
        ];
        let mut path = template.to_owned();
        while let (Some(open), Some(close)) = (path.find('{'), path.find('}')) {
            let is_id = &path[open..=close] == "{id}";
            let value = match random.scaled(6) {
                0 => "..%2f..%2fetc".to_owned(),
                _ if is_id => self.game.clone(),
                _ => NAMES[random.scaled(NAMES.len())].to_owned(),
            };
            path.replace_range(open..=close, &value);
        }
        if random.once_in(3) {
            const QUERIES: [&str; 8] = [
                "?variant=chess&moves=e2e4",
                "?limit=99999999999",
                "?text=%F0%9F%98%80",
                "?width=100000&theme=x",
                "?moves=d,d,d&position=4455",
                "?variant=caro:22&moves=j10&width=40",
                "?limit=-1",
                "?%%%=&&=",
            ];
            path += QUERIES[random.scaled(QUERIES.len())];
        }
        path
    }

    /// A request, and whether it is HTTP as it should be, so that an answer can be expected on the same connection.
    fn request(&self, random: &mut Random) -> (Vec<u8>, bool) {
        let (method, template) = &self.routes[random.scaled(self.routes.len())];
        let fitting: Vec<&Value> =
            self.samples.iter().filter(|(end, _)| template.ends_with(end)).map(|(_, body)| body).collect();
        let mut body = fitting[random.scaled(fitting.len())].clone();
        for _ in 0..random.scaled(4) {
            spoil(&mut body, random);
        }
        let mut body = body.to_string();
        if random.once_in(6) {
            body = spoilt(body.into_bytes(), random, true);
        }
        let path = self.path(template, random);
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.addr);
        if random.once_in(2) {
            head += &format!("Authorization: Bearer {}\r\n", self.token);
        }
        let kind = if random.once_in(20) { "text/plain" } else { "application/json" };
        let is_bare = method == "GET" || (method == "DELETE" && random.once_in(2));
        if is_bare {
            body.clear();
        }
        head += &format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
        if random.once_in(12) {
            const ODD: [&str; 6] = [
                "Origin: http://evil.example\r\n",
                "Sec-Fetch-Site: cross-site\r\n",
                "Accept-Encoding: gzip, br\r\n",
                "X-Forwarded-For: 1.2.3.4, ::1, x\r\n",
                "Upgrade: websocket\r\nConnection: upgrade\r\n",
                "Expect: 100-continue\r\n",
            ];
            let line = ODD[random.scaled(ODD.len())];
            head += line;
        }
        let whole = format!("{head}\r\n{body}");
        if random.once_in(10) {
            return (spoilt(whole.into_bytes(), random, false).into_bytes(), false);
        }
        (
            whole.into_bytes(),
            path.bytes().all(|byte| byte.is_ascii_graphic()) && !head.contains("Expect") && !head.contains("gzip"),
        )
    }
}

/// Sends so many requests.
async fn send_requests(
    corpus: Arc<Corpus>,
    mut random: Random,
    count: u64,
    tally: Arc<Mutex<Tally>>,
) -> Result<(), Failure> {
    let mut connection = None;
    for _ in 0..count {
        let (request, is_tidy) = corpus.request(&mut random);
        let asked = match is_tidy {
            true => timeout(PATIENCE, ask(&mut connection, corpus.addr, &request)).await,
            false => timeout(PATIENCE, throw(corpus.addr, &request)).await,
        };
        let shown = || String::from_utf8_lossy(&request[..request.len().min(2000)]).into_owned();
        // A connection that is cut off is an answer too.
        let status = asked.map_err(|_| format!("no answer: {}", shown()))?.unwrap_or(0);
        let mut tally = lock(&tally);
        tally.requests += 1;
        *tally.statuses.entry(status).or_default() += 1;
        if status >= 500 && status != 503 {
            tally.failures += 1;
            eprintln!("{status}: {}", shown());
        }
    }
    Ok(())
}

/// Sends bytes on a connection of their own, and reads what comes until the server closes it.
async fn throw(addr: SocketAddr, bytes: &[u8]) -> io::Result<u16> {
    let mut stream = TcpStream::connect(addr).await?;
    stream.write_all(bytes).await?;
    stream.shutdown().await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let status = answer.get(9..12).and_then(|status| std::str::from_utf8(status).ok()?.parse().ok());
    Ok(status.unwrap_or(0))
}

/// Sends a request and reads its answer. The connection is kept for the next one, if the server keeps it.
async fn ask(kept: &mut Option<BufReader<TcpStream>>, addr: SocketAddr, request: &[u8]) -> io::Result<u16> {
    let mut stream = match kept.take() {
        Some(stream) => stream,
        None => BufReader::new(TcpStream::connect(addr).await?),
    };
    stream.get_mut().write_all(request).await?;
    let (mut line, mut status, mut length, mut is_chunked, mut stays) = (String::new(), None, 0, false, true);
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(0);
        }
        let text = line.trim().to_ascii_lowercase();
        match (status, text.split_once(':')) {
            (None, _) => status = text.split(' ').nth(1).and_then(|status| status.parse().ok()),
            (Some(_), Some(("content-length", value))) => length = value.trim().parse().unwrap_or(0),
            (Some(_), Some(("transfer-encoding", _))) => is_chunked = true,
            (Some(_), Some(("connection", value))) => stays = value.trim() != "close",
            _ if text.is_empty() => break,
            _ => {}
        }
    }
    let status = status.unwrap_or(0);
    if status == 101 {
        return Ok(status);
    }
    loop {
        if is_chunked {
            line.clear();
            stream.read_line(&mut line).await?;
            length = usize::from_str_radix(line.trim(), 16).unwrap_or(0);
        }
        let mut body = vec![0; length + if is_chunked { 2 } else { 0 }];
        stream.read_exact(&mut body).await?;
        if !is_chunked || length == 0 {
            break;
        }
    }
    *kept = Some(stream).filter(|_| stays);
    Ok(status)
}

/// Sends so many messages, on one WebSocket after the other.
async fn send_messages(
    corpus: Arc<Corpus>,
    mut random: Random,
    count: u64,
    tally: Arc<Mutex<Tally>>,
) -> Result<(), Failure> {
    let mut left = count;
    while left > 0 {
        let paths = [
            "/api/analysis".to_owned(),
            format!("/api/games/{}/live", corpus.game),
            "/api/engines/tictactoe/live".to_owned(),
            "/api/protocols/uci".to_owned(),
            "/api/protocols/gomocup".to_owned(),
            "/api/protocols/nboard".to_owned(),
        ];
        let path = &paths[random.scaled(paths.len())];
        let messages = messages(path);
        if random.once_in(20) {
            // Bytes that are no frame.
            let mut bytes = upgrade(corpus.addr, path).into_bytes();
            bytes.extend((0..random.scaled(200)).map(|_| random.scaled(256) as u8));
            let _ = timeout(PATIENCE, throw(corpus.addr, &bytes)).await.map_err(|_| "noise ends no connection")?;
            left -= 1;
            lock(&tally).messages += 1;
            continue;
        }
        // All sessions may be taken.
        let Ok((socket, _)) = connect_async(format!("ws://{}{path}", corpus.addr)).await else {
            tokio::task::yield_now().await;
            continue;
        };
        let (mut say, mut hear) = socket.split();
        let hearing = tokio::spawn(async move { while hear.next().await.is_some_and(|message| message.is_ok()) {} });
        let mut sent = 0;
        while sent < MESSAGES.min(left) {
            let message = message(&messages, &mut random);
            sent += 1;
            if timeout(PATIENCE, say.send(message)).await.map_err(|_| "a message is not taken")?.is_err() {
                break;
            }
        }
        let _ = say.close().await;
        timeout(PATIENCE, hearing).await.map_err(|_| "a connection that was closed does not end")??;
        left -= sent;
        lock(&tally).messages += sent;
    }
    Ok(())
}

/// The request that opens a WebSocket.
fn upgrade(addr: SocketAddr, path: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nHost: {addr}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
}

/// The next message.
fn message(right: &[String], random: &mut Random) -> Message {
    let text = right[random.scaled(right.len())].clone();
    match random.scaled(400) {
        0..=4 => Message::binary(text.into_bytes()),
        5..=8 => Message::Ping(
            spoilt(text.into_bytes(), random, true).into_bytes().into_iter().take(100).collect::<Vec<_>>().into(),
        ),
        9..=100 => Message::text(text),
        101..=250 => Message::text(spoilt(text.into_bytes(), random, true)),
        _ => Message::text(match serde_json::from_str::<Value>(&text) {
            Ok(mut value) => {
                spoil(&mut value, random);
                value.to_string()
            }
            Err(_) => spoilt(text.into_bytes(), random, true),
        }),
    }
}
