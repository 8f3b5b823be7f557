//! A server whose data is thrown away. It plays one move against itself over HTTP and ends; with `--stay` it goes on, so that
//! a browser can use it.
//!
//! ```sh
//! cargo run -p polyply-server --example tiny_server -- --stay
//! ```

use polyply_server::{Config, Server, Share};
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let server = Server::start(Config {
        // Port 0: any that is free.
        addr: ([127, 0, 0, 1], 0).into(),
        hosts: Vec::new(),
        data: folder.path().to_owned(),
        threads: 1,
        hash: 16,
        memory: 512,
        idle: Share::OFF,
        expose: false,
        expire: polyply_server::EXPIRE,
        save_every: polyply_server::SAVE_EVERY,
        fleet: None,
    })
    .await?;
    let url = format!("http://{}", server.addr()?);
    println!("serving at {url}");

    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(server.run(async { drop(ended.await) }));

    let client = reqwest::Client::new();
    let players = json!({"variant": "connect4", "first": {"kind": "person"}, "second": {"kind": "engine", "level": 3}});
    let made: Value = client.post(format!("{url}/api/games")).json(&players).send().await?.json().await?;
    let (id, token) = (text(&made["game"]["id"]), text(&made["seat_tokens"]["first"]));
    let moves = format!("{url}/api/games/{id}/moves");

    // A move that can't be played is refused with a code, its arguments and an English sentence.
    let refused = client.post(&moves).bearer_auth(token).json(&json!({"move": "z"})).send().await?;
    println!("z: {} {}", refused.status(), refused.text().await?);
    let game: Value = client.post(&moves).bearer_auth(token).json(&json!({"move": "d"})).send().await?.json().await?;
    println!("d: the board is now {}", text(&game["view"]["text"]));

    if std::env::args().any(|argument| argument == "--stay") {
        tokio::signal::ctrl_c().await?;
    }
    drop(end);
    Ok(serving.await?)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
