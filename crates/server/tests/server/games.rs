//! Games through the web, from the first move to the rematch.

use crate::client::{TestServer, engine, person};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn moves(state: &Value) -> usize {
    state["moves"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_the_engine_to_the_end_of_every_small_game() {
    let server = TestServer::new().await;
    for variant in ["tictactoe", "connect4"] {
        let (id, token) = server.game(variant, person(), engine(3)).await;
        let mut live = server.socket(&format!("/api/games/{id}/live")).await;
        let mut answered = None;
        loop {
            // The live connection tells of every change: no need to ask.
            let state = live.hear_of("state").await;
            if state["status"] == "over" {
                assert!(state["end"]["reason"].is_string());
                break;
            }
            // The same position may be told twice, when something else about the game has changed.
            if state["view"]["side"] == "first" && answered.replace(moves(&state)) != Some(moves(&state)) {
                let legal = state["view"]["legal"][0]["text"].as_str().unwrap();
                server.post(&format!("/api/games/{id}/moves"), Some(&token), json!({"move": legal})).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_plays_itself_and_anybody_may_watch() {
    let server = TestServer::new().await;
    let (id, token) = server.game("tictactoe", engine(1), engine(1)).await;
    assert!(token.is_empty());
    let state = server.wait(&id, |state| state["status"] == "over").await;
    assert!(moves(&state) >= 5 && state["moves"][0]["ms"].is_u64());
    assert_eq!(server.get("/api/games").await[0]["id"], id.as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_acts_on_another_ones_seat() {
    let server = TestServer::new().await;
    let (id, token) = server.game("connect4", person(), json!({"kind": "open"})).await;
    let at = |what: &str| format!("/api/games/{id}/{what}");
    assert_eq!(server.refused(&at("moves"), Some(&token), json!({"move": "d"})).await.0, 409, "the seat is open");
    let joined = server.post(&at("join"), None, json!({"name": "Lan"})).await;
    let other = joined["seat_tokens"]["second"].as_str().unwrap();
    assert_eq!(joined["game"]["you"], json!(["second"]));
    assert_eq!(server.refused(&at("join"), None, json!({})).await.0, 409);
    let guess = "0".repeat(32);
    for stranger in [None, Some("nonsense"), Some(guess.as_str())] {
        for (what, body) in [
            ("moves", json!({"move": "d"})),
            ("resign", json!({})),
            ("draw", json!({})),
            ("undo", json!({})),
            ("redo", json!({})),
            ("hint", json!({})),
            ("rematch", json!({})),
        ] {
            let (status, refusal) = server.refused(&at(what), stranger, body).await;
            assert_eq!((status, &refusal["code"]), (403, &json!("not_seated")), "{what}");
        }
    }
    let (status, refusal) = server.refused(&at("moves"), Some(other), json!({"move": "d"})).await;
    assert_eq!((status, &refusal["code"]), (409, &json!("not_your_turn")));
    assert_eq!(server.refused(&at("moves"), Some(&token), json!({"move": "z"})).await.0, 422);
    let state = server.post(&at("moves"), Some(&token), json!({"move": "d"})).await;
    assert_eq!((moves(&state), &state["view"]["last"]), (1, &json!([38])));
    // The tokens are nowhere to be read.
    let told = server.get(&at("")[..at("").len() - 1]).await.to_string();
    assert!(!told.contains(&token) && !told.contains(other));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_in_mid_game_loses_nothing_and_charges_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::at(folder.path()).await;
    let wish = json!({"variant": "connect4", "first": person(), "second": engine(2),
        "clock": {"initial_ms": 60_000, "increment_ms": 0}});
    let made = server.post("/api/games", None, wish).await;
    let (id, token) = (made["game"]["id"].as_str().unwrap(), made["seat_tokens"]["first"].as_str().unwrap());
    let at = format!("/api/games/{id}/moves");
    server.post(&at, Some(token), json!({"move": "d"})).await;
    let begun = Instant::now();
    let before = server.wait(id, |state| moves(state) == 2).await;
    server.close().await;
    let away = Duration::from_millis(1500);
    tokio::time::sleep(away).await;

    let server = TestServer::at(folder.path()).await;
    let after = server.get(&format!("/api/games/{id}")).await;
    assert_eq!((&before["moves"], &before["view"]), (&after["moves"], &after["view"]));
    let lost = before["clock"]["first_ms"].as_u64().unwrap() - after["clock"]["first_ms"].as_u64().unwrap();
    let was_up = (begun.elapsed() - away).as_millis();
    assert!(u128::from(lost) <= was_up, "{lost} ms are gone, and the server was there for {was_up} ms");
    server.post(&at, Some(token), json!({"move": "c"})).await;
    server.wait(id, |state| moves(state) == 4).await;
    server.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_moves_after_a_restart_that_interrupted_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::at(folder.path()).await;
    // Too long a thought to be finished before the end.
    let (id, token) = server.game("caro", person(), engine(10)).await;
    let at = format!("/api/games/{id}/moves");
    server.post(&at, Some(&token), json!({"move": "j10"})).await;
    server.close().await;
    let server = TestServer::at(folder.path()).await;
    server.wait(&id, |state| moves(state) == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_taken_back_and_played_again() {
    let server = TestServer::new().await;
    let (id, token) = server.game("connect4", person(), engine(1)).await;
    let at = |what: &str| format!("/api/games/{id}/{what}");
    server.post(&at("moves"), Some(&token), json!({"move": "d"})).await;
    let played = server.wait(&id, |state| moves(state) == 2).await;
    let back = server.post(&at("undo"), Some(&token), json!({})).await;
    assert_eq!((moves(&back), &back["undone"]), (0, &json!(2)));
    assert_eq!(server.refused(&at("undo"), Some(&token), json!({})).await.0, 409);
    let again = server.post(&at("redo"), Some(&token), json!({})).await;
    assert_eq!(again["moves"], played["moves"]);
    let resigned = server.post(&at("resign"), Some(&token), json!({})).await;
    assert_eq!((&resigned["end"]["winner"], &resigned["end"]["reason"]), (&json!("second"), &json!("resignation")));
    assert_eq!(server.refused(&at("moves"), Some(&token), json!({"move": "c"})).await.0, 409);
    let next = server.post(&at("rematch"), Some(&token), json!({})).await["rematch_id"].as_str().unwrap().to_owned();
    let same = server.post(&at("rematch"), Some(&token), json!({})).await["rematch_id"].as_str().unwrap().to_owned();
    assert_eq!(next, same);
    // The engine begins now, and the token is good for the other side.
    let state = server.wait(&next, |state| moves(state) == 1).await;
    assert_eq!(state["seats"]["first"]["kind"], "engine");
    server.post(&format!("/api/games/{next}/moves"), Some(&token), json!({"move": "a"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_ask_each_other_for_a_draw_and_to_take_back() {
    let server = TestServer::new().await;
    let (id, first) = server.game("connect4", person(), json!({"kind": "open"})).await;
    let at = |what: &str| format!("/api/games/{id}/{what}");
    let joined = server.post(&at("join"), None, json!({})).await;
    let second = joined["seat_tokens"]["second"].as_str().unwrap();
    server.post(&at("moves"), Some(&first), json!({"move": "d"})).await;
    let asked = server.post(&at("undo"), Some(&first), json!({})).await;
    assert_eq!((moves(&asked), &asked["offers"]["undo"]), (1, &json!("first")));
    let back = server.post(&at("undo"), Some(second), json!({"answer": "accept"})).await;
    assert_eq!(moves(&back), 0);
    server.post(&at("draw"), Some(&first), json!({})).await;
    assert_eq!(server.refused(&at("draw"), Some(&first), json!({"answer": "accept"})).await.0, 409);
    let declined = server.post(&at("draw"), Some(second), json!({"answer": "decline"})).await;
    assert_eq!((&declined["offers"]["draw"], &declined["status"]), (&Value::Null, &json!("playing")));
    server.post(&at("draw"), Some(second), json!({})).await;
    let drawn = server.post(&at("draw"), Some(&first), json!({"answer": "accept"})).await;
    assert_eq!((&drawn["end"]["winner"], &drawn["end"]["reason"]), (&Value::Null, &json!("agreement")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_swap_rule_settles_who_plays_first() {
    let server = TestServer::new().await;
    // One person on both seats places three stones and swaps.
    let (id, token) = server.game("freestyle:9,opening=swap2", person(), person()).await;
    let at = |what: &str| format!("/api/games/{id}/{what}");
    assert_eq!(server.refused(&at("choice"), Some(&token), json!({"choice": "swap"})).await.0, 409);
    for mv in ["e5", "e6", "a1"] {
        server.post(&at("moves"), Some(&token), json!({"move": mv})).await;
    }
    let state = server.get(&format!("/api/games/{id}")).await;
    assert_eq!(state["view"]["swap"]["choices"], json!(["stay", "swap", "place_two"]));
    assert_eq!(server.refused(&at("moves"), Some(&token), json!({"move": "b2"})).await.0, 409);
    let settled = server.post(&at("choice"), Some(&token), json!({"choice": "swap"})).await;
    assert_eq!((&settled["swapped"], &settled["view"]["swap"]), (&json!(true), &Value::Null));
    // The engine opens against a person, and the person chooses.
    let (id, token) = server.game("freestyle:9,opening=swap", engine(2), person()).await;
    server.wait(&id, |state| moves(state) == 3 && state["view"]["swap"]["acts"] == "second").await;
    server.post(&format!("/api/games/{id}/choice"), Some(&token), json!({"choice": "stay"})).await;
    server.post(&format!("/api/games/{id}/moves"), Some(&token), json!({"move": "a1"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_lets_the_clock_run_out_has_lost() {
    let server = TestServer::new().await;
    let wish = json!({"variant": "connect4", "first": person(), "second": person(),
        "clock": {"initial_ms": 100, "increment_ms": 0}});
    let made = server.post("/api/games", None, wish).await;
    let (id, token) = (made["game"]["id"].as_str().unwrap(), made["seat_tokens"]["first"].as_str().unwrap());
    // The first move has all the time in the world.
    server.post(&format!("/api/games/{id}/moves"), Some(token), json!({"move": "d"})).await;
    let over = server.wait(id, |state| state["status"] == "over").await;
    assert_eq!((&over["end"]["winner"], &over["end"]["reason"]), (&json!("first"), &json!("time")));
    assert_eq!(server.refused(&format!("/api/games/{id}/undo"), Some(token), json!({})).await.0, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_is_a_legal_move() {
    let server = TestServer::new().await;
    let (id, token) = server.game("connect4", person(), engine(1)).await;
    let hint = server.post(&format!("/api/games/{id}/hint"), Some(&token), json!({})).await;
    let mv = hint["move"].as_str().unwrap();
    server.post(&format!("/api/games/{id}/moves"), Some(&token), json!({"move": mv})).await;
}
