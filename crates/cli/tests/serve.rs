//! `polyply serve` as a process: it is killed in mid-game and nothing is lost.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server that is killed when a test ends.
struct Serving {
    process: Child,
    addr: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn serve(folder: &Path) -> Serving {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polyply"));
    command.args(["serve", "--addr", "127.0.0.1:0", "--hash", "4", "--no-browser", "--data"]).arg(folder);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let addr = line.split('/').nth(2).unwrap_or_else(|| panic!("{line}")).to_owned();
    Serving { process, addr }
}

impl Serving {
    /// The answer to a request, by the little of HTTP that a test needs.
    fn ask(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(&self.addr).unwrap();
        let (addr, body) = (&self.addr, body.to_string());
        let head = format!("{method} {path} HTTP/1.0\r\nHost: {addr}\r\nContent-Type: application/json\r\n");
        write!(stream, "{head}Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(" 20"), "{method} {path}: {answer}");
        serde_json::from_str(body).unwrap()
    }
}

#[test]
fn a_server_that_is_killed_in_mid_game_has_lost_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut serving = serve(folder.path());
    let seat = json!({"kind": "person"});
    let made = serving.ask("POST", "/api/games", "", &json!({"variant": "connect4", "first": seat, "second": seat}));
    let (id, token) = (made["game"]["id"].as_str().unwrap(), made["seat_tokens"]["first"].as_str().unwrap());
    let path = format!("/api/games/{id}");
    for mv in ["d", "d", "c"] {
        serving.ask("POST", &format!("{path}/moves"), token, &json!({"move": mv}));
    }
    // The hard way, without a chance to put anything in order.
    serving.process.kill().unwrap();
    serving.process.wait().unwrap();

    let serving = serve(folder.path());
    let state = serving.ask("GET", &path, token, &json!({}));
    let moves: Vec<_> = state["moves"].as_array().unwrap().iter().map(|mv| mv["text"].clone()).collect();
    assert_eq!(moves, [json!("d"), json!("d"), json!("c")]);
    assert_eq!(state["you"], json!(["first", "second"]));
    serving.ask("POST", &format!("{path}/moves"), token, &json!({"move": "e"}));
}

#[test]
fn an_address_that_others_can_reach_has_to_be_wanted() {
    let output = Command::new(env!("CARGO_BIN_EXE_polyply")).args(["serve", "--addr", "0.0.0.0:0"]).output().unwrap();
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(sentence.contains("--expose") && sentence.lines().count() == 1, "{sentence}");
}

#[test]
fn a_port_that_is_taken_is_told_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let serving = serve(folder.path());
    let other = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_polyply"));
    let output = command.args(["serve", "--no-browser", "--addr", &serving.addr, "--data"]).arg(other.path()).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("can't be listened on"));
}
