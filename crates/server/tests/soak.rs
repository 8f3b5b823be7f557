//! A day of mixed work in a short time: the server stays within its memory, leaks no handle, and its counters agree.

mod client;

use client::{MEMORY, TestServer, engine, person};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// One variant of every game, and other sizes of some: more than fit into the memory.
const VARIANTS: [&str; 12] = [
    "tictactoe",
    "connect4",
    "ataxx",
    "othello",
    "chess",
    "freestyle:15",
    "freestyle:9",
    "standard:15",
    "standard:19",
    "caro:15",
    "capture:9",
    "capture:19",
];

#[tokio::test(flavor = "multi_thread")]
async fn mixed_work_leaves_nothing_behind() {
    soak(2).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes; `cargo xtask test --long` runs it"]
async fn an_hour_of_mixed_work_leaves_nothing_behind() {
    soak(100).await;
}

/// Rounds of work on all variants at once, watched from outside.
async fn soak(rounds: usize) {
    let server = TestServer::new().await;
    // What is opened once and kept, as the folder of snapshots, is open after the first round.
    round(&server, 0).await;
    let handles = open_handles();
    let over = AtomicBool::new(false);
    let work = async {
        for number in 1..rounds {
            round(&server, number).await;
        }
        over.store(true, Relaxed);
    };
    let watch = async {
        while !over.load(Relaxed) {
            let memory = server.get("/api/memory").await;
            assert!(memory["total"]["engines"].as_u64().unwrap() <= (MEMORY as u64) << 20, "{memory}");
            server.get("/api/engines").await.as_array().unwrap().iter().for_each(agree);
        }
    };
    tokio::join!(work, watch);
    // Connections end when both sides have noticed.
    for _ in 0..1200 {
        if open_handles() <= handles {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{} handles are open, {handles} after the first round", open_handles());
}

/// Games, analyses and changes of the engines, on all variants at once.
async fn round(server: &TestServer, number: usize) {
    let all = VARIANTS.iter().enumerate().map(|(place, variant)| async move {
        match (place + number) % 3 {
            0 => game(server, variant).await,
            1 => analysis(server, variant).await,
            _ => changes(server, variant, number).await,
        }
    });
    futures_util::future::join_all(all).await;
}

/// The engine begins a game, which is then given up.
async fn game(server: &TestServer, variant: &str) {
    let (id, token) = server.game(variant, engine(1), person()).await;
    server.wait(&id, |state| !state["moves"].as_array().unwrap().is_empty()).await;
    server.post(&format!("/api/games/{id}/resign"), Some(&token), json!({})).await;
}

/// An analysis that ends by itself, and one that is left in the middle.
async fn analysis(server: &TestServer, variant: &str) {
    let mut socket = server.socket("/api/analysis").await;
    socket.say(json!({"type": "analyse", "variant": variant, "limits": {"nodes": 3000}})).await;
    socket.hear_of("done").await;
    socket.say(json!({"type": "analyse", "variant": variant})).await;
    socket.hear().await;
}

/// Another size of the table, an empty table, idle improvement off and on.
async fn changes(server: &TestServer, variant: &str, number: usize) {
    let path = |what: &str| format!("/api/engines/{variant}/{what}");
    let size = json!({"name": "Hash", "value": 1 + number % 6});
    let done = [
        server.send(Method::PUT, &path("options"), None, Some(&size)).await,
        server.send(Method::POST, &path("flush"), None, Some(&json!({}))).await,
        server.send(Method::POST, &path("idle"), None, Some(&json!({"on": false}))).await,
        server.send(Method::POST, &path("idle"), None, Some(&json!({"on": true}))).await,
    ];
    for answer in done {
        assert!(answer.status().is_success(), "{variant}: {}", answer.status());
    }
}

/// The counters of an engine agree with each other.
fn agree(engine: &Value) {
    let caches = &engine["caches"];
    let count = |cache: &str, what: &str| caches[cache][what].as_u64().unwrap();
    assert!(count("search_tt", "hits") <= count("search_tt", "probes"), "{caches}");
    assert!(count("search_tt", "cutoffs") <= count("search_tt", "hits"), "{caches}");
    assert!(count("search_tt", "replacements") <= count("search_tt", "stores"), "{caches}");
    assert!(count("search_tt", "fill") <= 1000, "{caches}");
    assert!(count("eval_cache", "hits") <= count("eval_cache", "probes"), "{caches}");
}

/// The files and connections that this process has open, where the system tells.
fn open_handles() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}
