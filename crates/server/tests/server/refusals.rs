//! What a client is told when it is refused, and the list of all codes that the app translates.

use crate::client::{TestServer, person};
use polyply_server::refusals::codes;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_a_code_with_arguments_and_an_english_sentence() {
    let server = TestServer::new().await;
    let wish = json!({"variant": "connect4", "first": person(), "second": {"kind": "person", "name": "n".repeat(100)}});
    let (status, body) = server.refused("/api/games", None, wish).await;
    let wanted = json!({
        "code": "name_long", "args": {"most": 60},
        "message": "a name has at most 60 characters, all of which can be shown",
    });
    assert_eq!((status, body), (422, wanted));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reason_of_an_engine_or_a_game_keeps_its_own_code() {
    let server = TestServer::new().await;
    let (_, body) = server
        .refused("/api/positions", None, json!({"variant": "chess", "position": "8/8/8/8/8/8/8/4K3 w - - 0 1"}))
        .await;
    let black = json!({"code": "black", "args": {}, "message": "Black"});
    let reason = json!({"code": "no_king", "args": {"side": black}, "message": "Black has no king"});
    let wanted = json!({
        "code": "position_refused", "args": {"text": "8/8/8/8/8/8/8/4K3 w - - 0 1", "reason": reason},
        "message": "the position `8/8/8/8/8/8/8/4K3 w - - 0 1` is refused: Black has no king",
    });
    assert_eq!(body, wanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_can_not_be_imported_says_which_move_of_which_game_is_wrong() {
    let server = TestServer::new().await;
    let pgn = "[Event \"one\"]\n\n1. e4 e4 *\n";
    let (status, body) = server.refused("/api/import", None, json!({"text": pgn, "format": "pgn"})).await;
    let mut codes = Vec::new();
    let mut here = &body;
    while here.is_object() {
        codes.push(here["code"].as_str().unwrap());
        here = &here["args"]["reason"];
    }
    assert!(status == 422 && codes.len() > 1 && codes[0].starts_with("in_game"), "{body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_on_a_socket_have_the_same_shape() {
    let server = TestServer::new().await;
    let mut socket = server.socket("/api/analysis").await;
    socket.say(json!({"type": "analyse", "id": 5, "variant": "connect4", "moves": ["z"]})).await;
    let told = socket.hear_of("error").await;
    assert_eq!((&told["id"], &told["code"]), (&json!(5), &json!("move_refused")));
    assert_eq!((&told["args"]["text"], &told["args"]["reason"]["code"]), (&json!("z"), &json!("not_a_column")));
    assert!(told["message"].as_str().unwrap().starts_with("the move `z` is refused"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_description_of_the_interface_says_so() {
    let server = TestServer::new().await;
    let document = server.get("/api/openapi.json").await;
    let schemas = &document["components"]["schemas"];
    let properties: Vec<&String> = schemas["ErrorBody"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(properties, ["args", "code", "message"]);
    let kinds = schemas["ErrorArgument"]["oneOf"].as_array().unwrap();
    assert!(kinds.iter().any(|kind| kind["$ref"] == "#/components/schemas/ErrorBody"), "{kinds:?}");
    let refused: &Value = &document["paths"]["/api/games"]["post"]["responses"]["422"]["content"];
    assert_eq!(refused["application/json"]["schema"]["$ref"], "#/components/schemas/ErrorBody");
}

#[test]
fn no_two_codes_have_the_same_name() {
    let mut names = HashSet::new();
    let twice: Vec<&str> = codes().map(|code| code.name).filter(|name| !names.insert(*name)).collect();
    assert_eq!(twice, Vec::<&str>::new());
}

/// All codes with the names of their arguments, as a type that the translations of the app are checked against.
fn declarations() -> String {
    let mut text = "/**\n * Every code that the server refuses with, and the names of its arguments.\n * \
         Made from the declarations in the crates by \
         `POLYPLY_UPDATE=1 cargo test -p polyply-server --test server refusals::`.\n */\n\
         export interface RefusalArguments {\n"
        .to_owned();
    let mut all: Vec<_> = codes().collect();
    all.sort_by_key(|code| code.name);
    for code in all {
        let names: Vec<String> = code.arguments.iter().map(|name| format!("'{name}'")).collect();
        let names = if names.is_empty() { "never".to_owned() } else { names.join(" | ") };
        writeln!(text, "  /** {} */\n  {}: {names};", code.sentence.replace("*/", "* /"), code.name).unwrap();
    }
    text + "}\n"
}

#[test]
fn the_app_knows_all_codes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/refusals.d.ts");
    let text = declarations();
    if std::env::var_os("POLYPLY_UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "web/refusals.d.ts is out of step; POLYPLY_UPDATE=1 writes it anew");
}
