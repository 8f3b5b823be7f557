//! A server of its own for a test, and a client to it.
#![allow(dead_code)] // Not every test uses all of it.

use futures_util::{SinkExt, StreamExt};
use polyply_server::{Config, Server, Share};
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Megabytes for the engines of a test server: room for four with tables of four megabytes.
pub const MEMORY: usize = 4 * (4 + 24);

/// A server on loopback.
pub struct TestServer {
    pub addr: SocketAddr,
    client: Client,
    end: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
    folder: Option<TempDir>,
}

impl TestServer {
    /// A server with a folder of its own.
    pub async fn new() -> TestServer {
        let folder = tempfile::tempdir().unwrap();
        let server = TestServer::at(folder.path()).await;
        TestServer { folder: Some(folder), ..server }
    }

    /// A server whose engines may take so many megabytes together.
    pub async fn with_memory(memory: usize) -> TestServer {
        let folder = tempfile::tempdir().unwrap();
        let server = TestServer::with(Config { memory, ..TestServer::config(folder.path()) }).await;
        TestServer { folder: Some(folder), ..server }
    }

    /// A server that uses this folder.
    pub async fn at(folder: &Path) -> TestServer {
        TestServer::with(TestServer::config(folder)).await
    }

    /// An exposed server, and the token of its operator.
    pub async fn exposed() -> (TestServer, String) {
        let folder = tempfile::tempdir().unwrap();
        let server = TestServer::with(Config { expose: true, ..TestServer::config(folder.path()) }).await;
        let token = std::fs::read_to_string(folder.path().join("operator-token")).unwrap().trim().to_owned();
        (TestServer { folder: Some(folder), ..server }, token)
    }

    /// The settings of test servers.
    pub fn config(folder: &Path) -> Config {
        Config {
            addr: SocketAddr::from(([127, 0, 0, 1], 0)),
            hosts: Vec::new(),
            data: folder.to_owned(),
            threads: 1,
            hash: 4,
            memory: MEMORY,
            idle: Share::USUAL,
            expose: false,
            expire: polyply_server::EXPIRE,
            save_every: polyply_server::SAVE_EVERY,
            fleet: None,
        }
    }

    /// A server with these settings.
    pub async fn with(config: Config) -> TestServer {
        let server = Server::start(config).await.unwrap();
        let addr = server.addr().unwrap();
        let (end, ended) = oneshot::channel::<()>();
        let serving = tokio::spawn(async move {
            server.run(async { drop(ended.await) }).await;
        });
        TestServer { addr, client: Client::new(), end: Some(end), serving, folder: None }
    }

    /// Ends it as Ctrl-C would, and waits until it has.
    pub async fn close(mut self) {
        drop(self.end.take());
        (&mut self.serving).await.unwrap();
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    pub async fn send(&self, method: Method, path: &str, token: Option<&str>, body: Option<&Value>) -> Response {
        let mut request = self.client.request(method, self.url(path));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        request.send().await.unwrap()
    }

    pub async fn get(&self, path: &str) -> Value {
        let response = self.send(Method::GET, path, None, None).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.json().await.unwrap()
    }

    pub async fn post(&self, path: &str, token: Option<&str>, body: Value) -> Value {
        let response = self.send(Method::POST, path, token, Some(&body)).await;
        let (status, text) = (response.status(), response.text().await.unwrap());
        assert!(status.is_success(), "{path} {body}: {status} {text}");
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    }

    /// Asks for something that is refused; the status and the body.
    pub async fn refused(&self, path: &str, token: Option<&str>, body: Value) -> (u16, Value) {
        let response = self.send(Method::POST, path, token, Some(&body)).await;
        let status = response.status();
        let answer: Value = response.json().await.unwrap();
        assert!(!status.is_success() && !status.is_server_error(), "{path} {body}: {status} {answer}");
        (status.as_u16(), answer)
    }

    /// A game and the token of its first person.
    pub async fn game(&self, variant: &str, first: Value, second: Value) -> (String, String) {
        let made = self.post("/api/games", None, json!({"variant": variant, "first": first, "second": second})).await;
        let tokens = &made["seat_tokens"];
        let token = tokens["first"].as_str().or(tokens["second"].as_str()).unwrap_or_default();
        (made["game"]["id"].as_str().unwrap().to_owned(), token.to_owned())
    }

    /// The state of a game as soon as it is like this.
    pub async fn wait(&self, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..1200 {
            let state = self.get(&format!("/api/games/{id}")).await;
            if is_so(&state) {
                return state;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{}", self.get(&format!("/api/games/{id}")).await);
    }

    pub async fn socket(&self, path: &str) -> Socket {
        let (stream, _) = connect_async(format!("ws://{}{path}", self.addr)).await.unwrap();
        Socket { stream }
    }
}

/// A WebSocket.
pub struct Socket {
    pub stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    pub async fn say(&mut self, message: Value) {
        self.stream.send(Message::text(message.to_string())).await.unwrap();
    }

    /// The next message that is text.
    pub async fn hear(&mut self) -> Option<Value> {
        loop {
            match self.stream.next().await?.ok()? {
                Message::Text(text) => return serde_json::from_str(&text).ok(),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }

    /// The next message of a type.
    pub async fn hear_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await.expect("the server goes on talking");
            if message["type"] == kind {
                return message;
            }
        }
    }
}

pub fn person() -> Value {
    json!({"kind": "person"})
}

pub fn engine(level: u8) -> Value {
    json!({"kind": "engine", "level": level})
}
