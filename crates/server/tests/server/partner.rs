//! The engine as a partner: styles, coaching, and where games start.

use crate::client::{TestServer, person};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_has_a_level_and_a_style() {
    let server = TestServer::new().await;
    let wish = |persona: &str| json!({"variant": "connect4", "first": {"kind": "engine", "level": 2, "persona": persona}, "second": person()});
    let made = server.post("/api/games", None, wish("gambler")).await;
    assert_eq!(made["game"]["seats"]["first"]["persona"], "gambler");
    server.wait(made["game"]["id"].as_str().unwrap(), |state| state["moves"][0]["text"].is_string()).await;
    let (status, body) = server.refused("/api/games", None, wish("pirate")).await;
    assert_eq!((status, &body["code"]), (422, &json!("persona_unknown")));
    let variant = server.get("/api/variants/chess").await;
    let elo = |level: usize| variant["levels"][level]["elo"].as_i64().unwrap();
    assert!((0..9).all(|level| elo(level) < elo(level + 1)));
    assert!(variant["personas"].as_array().unwrap().len() >= 3 && variant["handicaps"][0]["position"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_coach_says_what_a_move_overlooked() {
    let server = TestServer::new().await;
    let judge = |moves: &'static str| json!({"variant": "freestyle", "moves": moves.split(' ').collect::<Vec<_>>()});
    let blunder = server.post("/api/coach", None, judge("h8 g9 i8 i9 j8 o15")).await;
    assert_eq!((&blunder["quality"], &blunder["why"]["motif"]), (&json!("??"), &json!("stop_three")), "{blunder}");
    assert!(blunder["win_chance_drop"].as_f64().unwrap() > 0.15);
    let (status, body) = server.refused("/api/coach", None, json!({"variant": "freestyle"})).await;
    assert_eq!((status, &body["code"]), (422, &json!("no_move_to_judge")));
}

#[tokio::test(flavor = "multi_thread")]
async fn games_start_from_named_openings_fair_ones_and_handicaps() {
    let server = TestServer::new().await;
    let named = server.get("/api/variants/othello/openings").await;
    assert!(named.as_array().unwrap().iter().any(|opening| opening["name"] == "Tiger"));
    let fair = server.post("/api/positions/fair", None, json!({"variant": "othello"})).await;
    let wish = json!({"variant": "othello", "moves": fair["moves"], "first": person(), "second": person()});
    let made = server.post("/api/games", None, wish).await;
    assert!(made["game"]["given"].as_array().unwrap().len() >= 3);
    for variant in server.get("/api/variants").await.as_array().unwrap() {
        for handicap in variant["handicaps"].as_array().unwrap() {
            let wish = json!({
                "variant": variant["name"], "position": handicap["position"], "first": person(), "second": person(),
            });
            assert_eq!(server.post("/api/games", None, wish).await["game"]["status"], "playing", "{handicap}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_hourglass_runs_from_one_to_the_other() {
    let server = TestServer::new().await;
    let clock = json!({"initial_ms": 60_000, "hourglass": true});
    let wish = json!({"variant": "connect4", "first": person(), "second": person(), "clock": clock});
    let made = server.post("/api/games", None, wish).await;
    let (id, token) = (made["game"]["id"].as_str().unwrap(), made["seat_tokens"]["first"].as_str().unwrap());
    for _ in 0..3 {
        server.post(&format!("/api/games/{id}/moves"), Some(token), json!({"move": "d"})).await;
    }
    let clock = &server.get(&format!("/api/games/{id}")).await["clock"];
    let left = clock["first_ms"].as_u64().unwrap() + clock["second_ms"].as_u64().unwrap();
    assert!(clock["hourglass"] == true && left <= 120_000 && left > 60_000, "{clock}");
}
