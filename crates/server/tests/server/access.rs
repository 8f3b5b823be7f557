//! What a stranger may do on an exposed server: exactly what docs/security.md says.

use crate::client::{TestServer, person};
use polyply_server::OPEN;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// A method and a route.
type Route = (String, String);

/// The routes in the table of the document that are open to everybody.
fn documented() -> BTreeSet<Route> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/security.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| row.split('`').nth(1)?.split_once(' '))
        .map(|(method, route)| (method.to_owned(), route.to_owned()))
        .collect()
}

#[test]
fn the_document_lists_what_is_open() {
    let open = OPEN.iter().flat_map(|(_, routes)| *routes);
    let open: BTreeSet<Route> = open.map(|(method, route)| ((*method).to_owned(), (*route).to_owned())).collect();
    assert_eq!(documented(), open);
}

/// Every route of the server: those of its description, and three that it does not describe.
async fn routes(server: &TestServer) -> BTreeSet<Route> {
    let document = server.get("/api/openapi.json").await;
    let mut routes = BTreeSet::new();
    for (route, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            routes.insert((method.to_uppercase(), route.clone()));
        }
    }
    for route in ["/api/openapi.json", "/api/health", "/metrics"] {
        routes.insert(("GET".to_owned(), route.to_owned()));
    }
    routes
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_token_a_stranger_reaches_what_is_open_and_nothing_else() {
    let (server, operator) = TestServer::exposed().await;
    let (open, all) = (documented(), routes(&server).await);
    assert!(all.len() > 40 && open.is_subset(&all), "{:?}", open.difference(&all));
    for (method, route) in &all {
        let path = route.replace("{variant}", "connect4").replace("{name}", "connect4").replace("{id}", "nothing");
        for token in [None, Some("nonsense"), Some(operator.as_str())] {
            let verb = Method::from_bytes(method.as_bytes()).unwrap();
            let answer = server.send(verb, &path, token, Some(&json!({}))).await;
            let (status, text) = (answer.status(), answer.text().await.unwrap());
            let closed = token != Some(operator.as_str()) && !open.contains(&(method.clone(), route.clone()));
            assert_eq!(text.contains("\"operator_only\""), closed, "{method} {route}: {status} {text}");
            assert!(!closed || status == 403, "{method} {route}: {status}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_exposure_nothing_takes_a_token() {
    let server = TestServer::new().await;
    assert_eq!(server.get("/api/access").await, json!({"operator": true, "exposed": false}));
    let set = json!({"name": "lmr", "value": 0});
    let answer = server.send(Method::PUT, "/api/engines/connect4/options", None, Some(&set)).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(server.send(Method::GET, "/metrics", None, None).await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_told_whether_it_is_the_operator() {
    let (server, operator) = TestServer::exposed().await;
    let view = async |token: Option<&str>| -> Value {
        server.send(Method::GET, "/api/access", token, None).await.json().await.unwrap()
    };
    assert_eq!(view(None).await, json!({"operator": false, "exposed": true}));
    assert_eq!(view(Some(&operator)).await, json!({"operator": true, "exposed": true}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_shows_the_token_on_a_socket_as_a_protocol() {
    let (server, operator) = TestServer::exposed().await;
    let connect = async |protocol: Option<String>| {
        let mut request = format!("ws://{}/api/protocols/uci", server.addr).into_client_request().unwrap();
        if let Some(protocol) = protocol {
            request.headers_mut().insert("sec-websocket-protocol", protocol.parse().unwrap());
        }
        connect_async(request).await
    };
    assert!(connect(None).await.is_err());
    assert!(connect(Some("polyply-operator, nonsense".to_owned())).await.is_err());
    let (_, answer) = connect(Some(format!("polyply-operator, {operator}"))).await.unwrap();
    // The token itself does not come back.
    assert_eq!(answer.headers()["sec-websocket-protocol"], "polyply-operator");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_plays_to_the_end_without_a_token() {
    let (server, _) = TestServer::exposed().await;
    assert_eq!(Client::new().get(server.url("/")).send().await.unwrap().status(), 200);
    let (id, token) = server.game("tictactoe", person(), person()).await;
    for mv in ["a1", "b1", "a2", "b2", "a3"] {
        server.post(&format!("/api/games/{id}/moves"), Some(&token), json!({"move": mv})).await;
    }
    assert_eq!(server.get(&format!("/api/games/{id}")).await["status"], "over");
    let mut socket = server.socket("/api/analysis").await;
    socket.say(json!({"type": "analyse", "variant": "connect4", "limits": {"depth": 4}})).await;
    socket.hear_of("done").await;
}
