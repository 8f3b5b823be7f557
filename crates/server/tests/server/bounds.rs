//! What must be refused, and what must not break.

use crate::client::{TestServer, engine, person};
use futures_util::{SinkExt, StreamExt};
use reqwest::{Client, Method};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_is_refused() {
    let server = TestServer::new().await;
    let position = |variant: &str| json!({"variant": variant});
    for variant in
        ["chekers", "caro:1000", "caro:4", "connect4:9", "caro,komi=6", "caro,opening", "", "caro:99999999999"]
    {
        let (status, refusal) = server.refused("/api/positions", None, position(variant)).await;
        let sentence = refusal["message"].as_str().unwrap();
        assert!(status == 422 && sentence.len() > 10 && !sentence.contains('\n'), "{variant}: {sentence}");
    }
    let long = "x".repeat(5000);
    assert_eq!(server.refused("/api/positions", None, json!({"variant": "caro", "position": long})).await.0, 422);
    let many = vec!["d"; 3000];
    assert_eq!(server.refused("/api/positions", None, json!({"variant": "connect4", "moves": many})).await.0, 422);
    for seat in [json!({"kind": "engine", "level": 11}), json!({"kind": "person", "name": "n".repeat(100)})] {
        let wish = json!({"variant": "connect4", "first": seat, "second": person()});
        assert_eq!(server.refused("/api/games", None, wish).await.0, 422);
    }
    for path in ["/api/games/nothing", "/api/reviews/nothing", "/api/nothing", "/nothing.js"] {
        assert_eq!(server.send(Method::GET, path, None, None).await.status(), 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_no_json_or_too_long_are_refused() {
    let server = TestServer::new().await;
    let send = |body: String, kind: &'static str| {
        let request = Client::new().post(server.url("/api/games")).header("content-type", kind).body(body);
        async { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(send("{".into(), "application/json").await, 400);
    assert_eq!(send("{}".into(), "application/json").await, 422);
    assert_eq!(send("{}".into(), "text/plain").await, 415);
    let long = format!("{{\"variant\":\"{}\"}}", "c".repeat(2 << 20));
    assert_eq!(send(long, "application/json").await, 413);
    server.get("/api/health").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_never_comes_is_not_waited_for() {
    let server = TestServer::new().await;
    let mut stream = TcpStream::connect(server.addr).await.unwrap();
    let head =
        "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&answer), "HTTP/1.1 400");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_never_ends_and_a_body_that_drips_are_cut_off() {
    let server = TestServer::new().await;
    let head =
        "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{";
    let drip = async |begin: &str, byte: &[u8]| {
        let mut stream = TcpStream::connect(server.addr).await.unwrap();
        stream.write_all(begin.as_bytes()).await.unwrap();
        let mut heard = Vec::new();
        loop {
            tokio::select! {
                read = stream.read_buf(&mut heard) => {
                    if read.unwrap_or(0) == 0 {
                        return String::from_utf8_lossy(&heard).into_owned();
                    }
                }
                // A byte now and then keeps every part of a request within its own time.
                () = tokio::time::sleep(std::time::Duration::from_millis(500)) => drop(stream.write_all(byte).await),
            }
        }
    };
    let (head, body) = tokio::join!(drip("GET / HTTP/1.1\r\nX-Slow: ", b"a"), drip(head, b" "));
    assert!(head.is_empty() || head.starts_with("HTTP/1.1 4"), "{head}");
    assert!(body.starts_with("HTTP/1.1 408") && body.contains("body_late"), "{body}");
    server.get("/api/health").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_messages_end_one_connection_and_nothing_else() {
    let server = TestServer::new().await;
    let (id, token) = server.game("connect4", person(), engine(1)).await;
    for path in ["/api/analysis".to_owned(), format!("/api/games/{id}/live")] {
        let socket = server.socket(&path).await;
        let (mut say, mut hear) = socket.stream.split();
        let talk = tokio::spawn(async move {
            for _ in 0..10_000 {
                if say.send(Message::text("{\"type\":\"stop\"}")).await.is_err() {
                    break;
                }
            }
        });
        let mut reason = String::new();
        while let Some(Ok(message)) = hear.next().await {
            if let Message::Close(Some(frame)) = message {
                reason = frame.reason.to_string();
            }
        }
        talk.await.unwrap();
        assert!(reason.contains("too_many_messages"), "{path}: {reason}");
    }
    server.post(&format!("/api/games/{id}/moves"), Some(&token), json!({"move": "d"})).await;
    server.wait(&id, |state| state["moves"].as_array().unwrap().len() == 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_on_a_socket_is_answered_and_an_endless_message_ends_it() {
    let server = TestServer::new().await;
    let mut socket = server.socket("/api/analysis").await;
    for garbage in [json!(7), json!({"type": "analyse"}), json!({"type": "analyse", "variant": "chekers"})] {
        socket.say(garbage).await;
        assert!(socket.hear_of("error").await["message"].as_str().unwrap().len() > 10);
    }
    socket.stream.send(Message::text("x".repeat(1 << 20))).await.ok();
    assert_eq!(socket.hear().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_sites_are_kept_out() {
    let server = TestServer::new().await;
    let addr = server.addr.to_string();
    let status = |headers: Vec<(&'static str, String)>, method: Method| {
        let mut request = Client::new().request(method, server.url("/api/games"));
        for (name, value) in headers {
            request = request.header(name, value);
        }
        async { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(status(vec![("host", "evil.example".into())], Method::GET).await, 403);
    assert_eq!(status(vec![("origin", "http://evil.example".into())], Method::POST).await, 403);
    assert_eq!(status(vec![("origin", format!("http://{addr}"))], Method::GET).await, 200);
    let mut request = format!("ws://{addr}/api/analysis").into_client_request().unwrap();
    request.headers_mut().insert("origin", "http://evil.example".parse().unwrap());
    assert!(connect_async(request).await.is_err(), "a foreign page must not open a WebSocket");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_app_is_served_with_its_policy_and_nothing_else_is() {
    let server = TestServer::new().await;
    let page = server.send(Method::GET, "/", None, None).await;
    assert_eq!(page.status(), 200);
    let policy = page.headers()["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.headers().get("access-control-allow-origin"), None);
    let tag = page.headers()["etag"].clone();
    let again = Client::new().get(server.url("/")).header("if-none-match", tag).send().await.unwrap();
    assert_eq!(again.status(), 304);
    for path in ["/../Cargo.toml", "/..%2fpackage.json", "/%2e%2e/package.json", "/package.json", "//etc/passwd.txt"] {
        assert_eq!(server.send(Method::GET, path, None, None).await.status(), 404, "{path}");
    }
}
