//! Reviews through the web: the same game has the same verdicts, however often it is reviewed.

use crate::client::TestServer;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// Scholar's mate, with a blunder at its sixth move.
fn chess(effort: &str) -> Value {
    let moves = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"];
    json!({"variant": "chess", "moves": moves, "level_of_effort": effort})
}

/// The id of the review of a game, and whether it is new.
async fn begin(server: &TestServer, game: &Value) -> (String, bool) {
    let response = server.send(Method::POST, "/api/reviews", None, Some(game)).await;
    let status = response.status();
    let answer: Value = response.json().await.unwrap();
    assert!(status.is_success(), "{answer}");
    (answer["id"].as_str().unwrap().to_owned(), status == StatusCode::CREATED)
}

async fn finished(server: &TestServer, id: &str) -> Value {
    let mut live = server.socket(&format!("/api/reviews/{id}/live")).await;
    while live.hear().await.expect("the review goes on")["done"] != true {}
    server.get(&format!("/api/reviews/{id}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_game_gets_the_same_verdicts_on_another_server_and_after_a_restart() {
    let server = TestServer::new().await;
    let id = begin(&server, &chess("normal")).await.0;
    let expected = finished(&server, &id).await;
    server.close().await;

    // Here the engine has searched the positions before, and the server ends in the middle of the review.
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::at(folder.path()).await;
    let mut socket = server.socket("/api/analysis").await;
    let position = json!({"type": "analyse", "variant": "chess", "moves": ["e2e4", "e7e5"], "limits": {"depth": 9}});
    socket.say(position).await;
    socket.hear_of("done").await;
    let id = begin(&server, &chess("normal")).await.0;
    let mut live = server.socket(&format!("/api/reviews/{id}/live")).await;
    while live.hear().await.expect("the review goes on")["moves"].as_array().unwrap().len() < 2 {}
    server.close().await;

    let server = TestServer::at(folder.path()).await;
    let review = finished(&server, &id).await;
    assert_eq!((&review["moves"], &review["summary"]), (&expected["moves"], &expected["summary"]));
    // Scores that were proven stay proven, and the end is told.
    assert_eq!(review["end"]["winner"], "first");
    assert_eq!(review["moves"][5]["quality"], "??");
    assert_eq!(review["moves"][6]["score_before"], json!({"win": 1}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_is_found_again_and_a_deeper_one_replaces_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::at(folder.path()).await;
    let (id, is_new) = begin(&server, &chess("normal")).await;
    assert!(is_new);
    let review = finished(&server, &id).await;
    server.close().await;

    let server = TestServer::at(folder.path()).await;
    let mut any = chess("normal");
    any.as_object_mut().unwrap().remove("level_of_effort");
    assert_eq!(begin(&server, &any).await, (id.clone(), false));
    assert_eq!(server.get(&format!("/api/reviews/{id}")).await, review);
    let (deeper, is_new) = begin(&server, &chess("deep")).await;
    assert!(is_new && deeper != id);
    finished(&server, &deeper).await;
    assert_eq!(begin(&server, &any).await, (deeper, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_move_is_judged_in_place_of_a_mistake() {
    let server = TestServer::new().await;
    let id = begin(&server, &chess("quick")).await.0;
    let best = finished(&server, &id).await["moves"][5]["best"].clone();
    let path = format!("/api/reviews/{id}/tries");
    let tried = async |mv: Value| server.post(&path, None, json!({"ply": 6, "move": mv})).await;
    assert_eq!(tried(best).await["good"], true);
    let bad = tried(json!("a7a6")).await;
    assert_eq!((&bad["good"], &bad["score"]), (&json!(false), &json!({"win": 1})));
    assert_eq!(server.refused(&path, None, json!({"ply": 8, "move": "a7a6"})).await.1["code"], "review_ply");
    assert_eq!(server.refused(&path, None, json!({"ply": 6, "move": "a7a4"})).await.0, 422);
}
