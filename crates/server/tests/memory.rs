//! Memory is bounded: engines open and close within what all of them together may take.

mod client;

use client::{MEMORY, TestServer, engine, person};
use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{Error, Message};

/// Each takes 4 MB of tables and 24 MB besides, so four fit.
const ROOM_FOR: usize = 4;

/// Variants of every kind, more than fit.
const VARIANTS: [&str; 10] = [
    "tictactoe",
    "connect4",
    "ataxx",
    "othello",
    "freestyle:9",
    "freestyle:10",
    "standard:9",
    "standard:17",
    "caro:9",
    "capture:9",
];

#[tokio::test(flavor = "multi_thread")]
async fn many_clients_on_many_variants_never_open_more_engines_than_fit() {
    let server = TestServer::new().await;
    let over = AtomicBool::new(false);
    let play = async {
        let games = (0..2 * VARIANTS.len()).map(|number| {
            let (server, variant) = (&server, VARIANTS[number % VARIANTS.len()]);
            async move {
                let (id, _) = server.game(variant, engine(1), person()).await;
                server.wait(&id, |state| !state["moves"].as_array().unwrap().is_empty()).await;
            }
        });
        futures_util::future::join_all(games).await;
        over.store(true, Relaxed);
    };
    let watch = async {
        let mut most = 0;
        while !over.load(Relaxed) {
            let memory = server.get("/api/memory").await;
            let open = memory["engines"].as_array().unwrap().len();
            assert!(open <= ROOM_FOR, "{open} engines are open");
            assert!(memory["total"]["engines"].as_u64().unwrap() <= (MEMORY as u64) << 20);
            most = most.max(open);
        }
        most
    };
    let ((), most) = tokio::join!(play, watch);
    assert!(most >= 1);
    let memory = server.get("/api/memory").await;
    assert_eq!(memory["total"]["limit"], (MEMORY as u64) << 20);
    assert!(!cfg!(target_os = "linux") || memory["total"]["resident"].as_u64().unwrap() > 0);
    let metrics = server.send(Method::GET, "/metrics", None, None).await.text().await.unwrap();
    assert!(metrics.contains("polyply_engines_limit_bytes"), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_options_of_a_closed_engine_do_not_open_it() {
    let server = TestServer::new().await;
    for variant in VARIANTS {
        let options = server.get(&format!("/api/engines/{variant}/options")).await;
        let hash = options.as_array().unwrap().iter().find(|option| option["name"] == "Hash").unwrap();
        assert_eq!(hash["value"], 4, "{variant}");
    }
    assert_eq!(server.get("/api/engines").await, json!([]));
    let set = json!({"name": "lmr", "value": 0});
    let options: Value =
        server.send(Method::PUT, "/api/engines/connect4/options", None, Some(&set)).await.json().await.unwrap();
    assert_eq!(server.get("/api/engines/connect4/options").await, options, "the open engine's own");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_does_not_fit_is_refused_and_one_that_fits_closes_others() {
    let server = TestServer::new().await;
    for variant in ["connect4", "othello", "ataxx"] {
        server.get(&format!("/api/engines/{variant}/lookup")).await;
    }
    let set = |value: usize| {
        let (server, body) = (&server, json!({"name": "Hash", "value": value}));
        async move { server.send(Method::PUT, "/api/engines/connect4/options", None, Some(&body)).await.status() }
    };
    assert_eq!(set(MEMORY).await, 422);
    assert_eq!(set(64).await, 200);
    let memory = server.get("/api/memory").await;
    assert!(memory["total"]["engines"].as_u64().unwrap() <= (MEMORY as u64) << 20, "{memory}");
    let open: Vec<_> = memory["engines"].as_array().unwrap().iter().map(|engine| &engine["variant"]).collect();
    assert!(open.contains(&&json!("connect4")) && open.len() < 3, "{open:?}");
}

/// The table of a session, the largest evaluation cache of all games, and what an engine takes besides.
const SESSION: u64 = (4 + 16 + 24) << 20;

async fn reserved(server: &TestServer) -> u64 {
    let total = &server.get("/api/memory").await["total"];
    assert!(total["engines"].as_u64().unwrap() <= total["limit"].as_u64().unwrap(), "{total}");
    total["reserved"].as_u64().unwrap()
}

/// Waits until as much is set aside.
async fn wait_until_reserved(server: &TestServer, bytes: u64) {
    for _ in 0..1200 {
        if reserved(server).await == bytes {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{}", server.get("/api/memory").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engines_of_protocols_take_their_memory_from_the_others() {
    let server = TestServer::new().await;
    for variant in ["connect4", "othello", "ataxx"] {
        server.get(&format!("/api/engines/{variant}/lookup")).await;
    }
    let mut session = server.socket("/api/protocols/uci").await;
    assert_eq!(reserved(&server).await, SESSION);
    assert!(server.get("/api/engines").await.as_array().unwrap().len() < 3, "one had to make room");
    // The size that is set is the one for which there is room.
    for said in ["setoption name Hash value 99", "isready", "uci"] {
        session.stream.send(Message::text(said)).await.unwrap();
    }
    while session.stream.next().await.unwrap().unwrap().into_text().unwrap() != "uciok" {}
    // Another one would leave no room for people who play.
    let refused = connect_async(format!("ws://{}/api/protocols/gomocup", server.addr)).await;
    let Err(Error::Http(answer)) = refused else { panic!("there was room for another engine") };
    assert_eq!(answer.status(), 503);
    let body: Value = serde_json::from_slice(answer.body().as_ref().unwrap()).unwrap();
    assert_eq!((&body["code"], &body["args"]["needed"]), (&json!("engine_memory"), &json!(SESSION >> 20)));
    let (id, _) = server.game("freestyle:9", engine(1), person()).await;
    server.wait(&id, |state| !state["moves"].as_array().unwrap().is_empty()).await;
    session.stream.close(None).await.unwrap();
    wait_until_reserved(&server, 0).await;
    server.socket("/api/protocols/gomocup").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engines_of_a_match_take_their_memory_from_the_others() {
    let endless = json!({"variant": "connect4", "engines": ["builtin", "builtin:hash=8"], "games": 10_000,
        "nodes": 5000, "from_start": true});
    let server = TestServer::new().await;
    let answer = server.send(Method::POST, "/api/matches", None, Some(&endless)).await;
    assert_eq!(answer.status(), 503);
    assert_eq!(answer.json::<Value>().await.unwrap()["code"], "engine_memory");
    assert_eq!(server.get("/api/matches").await, json!([]), "a match that does not fit is not kept");
    server.close().await;
    let server = TestServer::with_memory(MEMORY + 16 + 8 + 2 * 24).await;
    let id = server.post("/api/matches", None, endless).await["id"].as_str().unwrap().to_owned();
    assert_eq!(reserved(&server).await, (16 + 8 + 2 * 24) << 20);
    server.send(Method::POST, &format!("/api/matches/{id}/stop"), None, None).await;
    wait_until_reserved(&server, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_nobody_needs_leaves_the_memory_and_goes_on_later() {
    let server = TestServer::new().await;
    let (id, token) = server.game("connect4", person(), person()).await;
    let watched = server.game("connect4", person(), person()).await.0;
    let _watcher = server.socket(&format!("/api/games/{watched}/live")).await;
    let play = format!("/api/games/{id}/moves");
    let before = server.post(&play, Some(&token), json!({"move": "d"})).await;
    while server.get("/api/memory").await["games"] != 1 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let after = server.get(&format!("/api/games/{id}")).await;
    assert_eq!((&after["moves"], &after["view"]), (&before["moves"], &before["view"]));
    let later = server.post(&play, Some(&token), json!({"move": "e"})).await;
    assert_eq!(later["moves"].as_array().unwrap().len(), 2);
}
