//! Fair shares: of the engine, and of everything that a stranger can have.

use crate::client::{TestServer, engine, person};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::time::Duration;

/// No book is built in for this size: every move takes the engine.
const GAME: &str = "freestyle:12";

fn between_engines(level: u8) -> Value {
    json!({"variant": GAME, "first": engine(level), "second": engine(level)})
}

async fn create(server: &TestServer, game: &Value) -> Response {
    server.send(Method::POST, "/api/games", None, Some(game)).await
}

/// The code of a 429, which says when to try again.
async fn share_used(response: Response) -> String {
    assert_eq!(response.status(), 429);
    let wait: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    response.json::<Value>().await.unwrap()["code"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_games_between_engines_do_not_keep_a_player_waiting() {
    let server = TestServer::new().await;
    for _ in 0..100 {
        assert_eq!(create(&server, &between_engines(10)).await.status(), 201);
    }
    let (id, token) = server.game(GAME, person(), engine(1)).await;
    let played = async || -> usize {
        let games = server.get("/api/games?limit=100").await;
        let others = games.as_array().unwrap().iter().filter(|game| game["id"] != id.as_str());
        others.map(|game| game["moves"].as_array().unwrap().len()).sum()
    };
    for ply in [0, 2, 4] {
        let before = played().await;
        let state = server.get(&format!("/api/games/{id}")).await;
        let mv = &state["view"]["legal"][0]["text"];
        server.post(&format!("/api/games/{id}/moves"), Some(&token), json!({"move": mv})).await;
        server.wait(&id, |state| state["moves"].as_array().unwrap().len() == ply + 2).await;
        // In the order of their coming, nearly a hundred moves of the others would be first.
        let others = played().await - before;
        assert!(others <= 10, "{others} moves of games between engines went before move {ply}");
    }
    // These go on meanwhile.
    while played().await == 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_between_engines_belongs_to_who_began_it_and_is_stopped_by_them() {
    let (server, operator) = TestServer::exposed().await;
    let made = server.post("/api/games", None, between_engines(10)).await;
    let (id, owner) = (made["game"]["id"].as_str().unwrap(), made["seat_tokens"]["owner"].as_str().unwrap());
    let stop = format!("/api/games/{id}/stop");
    for stranger in [None, Some("nonsense")] {
        let (status, refusal) = server.refused(&stop, stranger, json!({})).await;
        assert_eq!((status, &refusal["code"]), (403, &json!("not_owner")));
    }
    let stopped = server.post(&stop, Some(owner), json!({})).await;
    assert_eq!((&stopped["status"], &stopped["end"]["reason"]), (&json!("over"), &json!("stopped")));
    assert_eq!(server.refused(&stop, Some(owner), json!({})).await.0, 409);
    let other = server.post("/api/games", None, between_engines(10)).await;
    let stop = format!("/api/games/{}/stop", other["game"]["id"].as_str().unwrap());
    server.post(&stop, Some(&operator), json!({})).await;
    // Players resign, whoever asks.
    let (id, token) = server.game("connect4", person(), engine(1)).await;
    let (_, refusal) = server.refused(&format!("/api/games/{id}/stop"), Some(&token), json!({})).await;
    assert_eq!(refusal["code"], "stop_people");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_between_engines_rests_while_its_owner_has_paused_it() {
    let (server, _) = TestServer::exposed().await;
    let clock = json!({"initial_ms": 60_000, "increment_ms": 0});
    let wish = json!({"variant": GAME, "first": engine(1), "second": engine(1), "clock": clock});
    let made = server.post("/api/games", None, wish).await;
    let (id, owner) = (made["game"]["id"].as_str().unwrap(), made["seat_tokens"]["owner"].as_str().unwrap());
    let pause = format!("/api/games/{id}/pause");
    assert_eq!(server.refused(&pause, None, json!({"paused": true})).await.1["code"], "not_owner");
    server.wait(id, |state| state["moves"].as_array().unwrap().len() >= 2).await;
    let paused = server.post(&pause, Some(owner), json!({"paused": true})).await;
    let rests = (&paused["paused"], &paused["thinking"], &paused["clock"]["running"]);
    assert_eq!(rests, (&json!(true), &json!(false), &Value::Null));
    // Another game goes on meanwhile.
    let other = server.post("/api/games", None, between_engines(1)).await;
    server.wait(other["game"]["id"].as_str().unwrap(), |state| state["moves"].as_array().unwrap().len() >= 2).await;
    let later = server.get(&format!("/api/games/{id}")).await;
    assert_eq!((&later["moves"], &later["clock"]), (&paused["moves"], &paused["clock"]));
    let played = paused["moves"].as_array().unwrap().len();
    server.post(&pause, Some(owner), json!({"paused": false})).await;
    server.wait(id, |state| state["moves"].as_array().unwrap().len() > played).await;
    server.post(&pause, Some(owner), json!({"paused": true})).await;
    let stopped = server.post(&format!("/api/games/{id}/stop"), Some(owner), json!({})).await;
    assert_eq!((&stopped["status"], &stopped["paused"]), (&json!("over"), &json!(false)));
    assert_eq!(server.refused(&pause, Some(owner), json!({"paused": true})).await.0, 409);
    let (id, token) = server.game("connect4", person(), engine(1)).await;
    let (_, refusal) = server.refused(&format!("/api/games/{id}/pause"), Some(&token), json!({"paused": true})).await;
    assert_eq!(refusal["code"], "stop_people");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_has_so_many_games_between_engines_and_the_operator_more() {
    let (server, operator) = TestServer::exposed().await;
    let mut made = Vec::new();
    let refused = loop {
        let response = create(&server, &between_engines(10)).await;
        if response.status() != 201 {
            break response;
        }
        made.push(response.json::<Value>().await.unwrap());
        assert!(made.len() < 50);
    };
    assert_eq!(share_used(refused).await, "too_many_engine_games");
    let body = between_engines(10);
    assert_eq!(server.send(Method::POST, "/api/games", Some(&operator), Some(&body)).await.status(), 201);
    // One that was stopped makes room for another.
    let (id, owner) = (made[0]["game"]["id"].as_str().unwrap(), made[0]["seat_tokens"]["owner"].as_str().unwrap());
    server.post(&format!("/api/games/{id}/stop"), Some(owner), json!({})).await;
    assert_eq!(create(&server, &body).await.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_who_creates_without_end_is_told_when_to_come_back() {
    let (server, operator) = TestServer::exposed().await;
    let game = json!({"variant": "tictactoe", "first": person(), "second": person()});
    let refused = loop {
        let response = create(&server, &game).await;
        if response.status() != 201 {
            break response;
        }
    };
    assert_eq!(share_used(refused).await, "too_often");
    // A review is new too.
    let review = json!({"variant": "connect4", "moves": ["d"], "level_of_effort": "quick"});
    let refused = server.send(Method::POST, "/api/reviews", None, Some(&review)).await;
    assert_eq!(share_used(refused).await, "too_often");
    assert_eq!(server.send(Method::POST, "/api/games", Some(&operator), Some(&game)).await.status(), 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_who_sends_too_much_is_told_when_to_come_back() {
    let (server, _) = TestServer::exposed().await;
    let big = json!({"text": "(".repeat(900_000), "format": "sgf"});
    let refused = loop {
        let response = server.send(Method::POST, "/api/import", None, Some(&big)).await;
        if response.status() != 422 {
            break response;
        }
    };
    assert_eq!(share_used(refused).await, "too_often");
    // A small request still has room.
    server.get("/api/health").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_are_deleted_by_who_began_them() {
    let (server, operator) = TestServer::exposed().await;
    let review = json!({"variant": "connect4", "moves": ["d"], "level_of_effort": "quick"});
    for by_operator in [false, true] {
        let begun = server.post("/api/reviews", None, review.clone()).await;
        let path = format!("/api/reviews/{}", begun["id"].as_str().unwrap());
        assert_eq!(server.send(Method::DELETE, &path, None, None).await.status(), 403);
        let token = if by_operator { operator.as_str() } else { begun["token"].as_str().unwrap() };
        assert_eq!(server.send(Method::DELETE, &path, Some(token), None).await.status(), 204);
        assert_eq!(server.send(Method::GET, &path, None, None).await.status(), 404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_nobody_goes_on_with_expires() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::at(folder.path()).await;
    let (playing, token) = server.game("connect4", person(), engine(1)).await;
    let (waiting, _) = server.game("connect4", person(), json!({"kind": "open"})).await;
    server.close().await;
    // Nothing is old enough yet.
    let server = TestServer::at(folder.path()).await;
    assert_eq!(server.get(&format!("/api/games/{playing}")).await["status"], "playing");
    server.close().await;
    let config = polyply_server::Config { expire: Duration::from_millis(1), ..TestServer::config(folder.path()) };
    let server = TestServer::with(config).await;
    for id in [&playing, &waiting] {
        let state = server.get(&format!("/api/games/{id}")).await;
        assert_eq!((&state["status"], &state["end"]["reason"]), (&json!("over"), &json!("expired")));
        assert_eq!(state["end"]["winner"], Value::Null);
    }
    let moved = server.refused(&format!("/api/games/{playing}/moves"), Some(&token), json!({"move": "d"})).await;
    assert_eq!(moved.0, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_is_private_unless_it_is_listed() {
    let (server, operator) = TestServer::exposed().await;
    let open = json!({"kind": "open"});
    let game = |listed: bool| json!({"variant": "connect4", "first": person(), "second": open, "listed": listed});
    let id = |made: Value| made["game"]["id"].as_str().unwrap().to_owned();
    let private = id(server.post("/api/games", None, game(false)).await);
    let listed = id(server.post("/api/games", None, game(true)).await);
    let list = async |token: Option<&str>| -> Vec<String> {
        let games: Value = server.send(Method::GET, "/api/games", token, None).await.json().await.unwrap();
        games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(list(None).await, [listed.as_str()]);
    assert_eq!(list(Some(&operator)).await, [listed.as_str(), private.as_str()]);
    // Who has the link may join, and then the game is one like others.
    server.post(&format!("/api/games/{private}/join"), None, json!({})).await;
    assert_eq!(list(None).await.len(), 2);
}
