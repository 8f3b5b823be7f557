//! `polyply serve` as a process, and the little of HTTP that a test needs.
#![allow(dead_code)] // Not every test uses all of it.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server that is killed when a test ends.
pub struct Serving {
    pub process: Child,
    pub addr: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub fn serve(folder: &Path) -> Serving {
    serve_by(Command::new(env!("CARGO_BIN_EXE_polyply")), folder)
}

/// A server with further arguments.
pub fn serve_with(folder: &Path, arguments: &[&str]) -> Serving {
    start(Command::new(env!("CARGO_BIN_EXE_polyply")), folder, arguments)
}

/// A server that is started by this command, to which its arguments are appended.
pub fn serve_by(command: Command, folder: &Path) -> Serving {
    start(command, folder, &[])
}

fn start(mut command: Command, folder: &Path, arguments: &[&str]) -> Serving {
    command.args(["serve", "--addr", "127.0.0.1:0", "--hash", "4", "--no-browser", "--data"]).arg(folder);
    command.args(arguments);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    // One that does not start says why, and nothing here.
    let addr = line.split('/').nth(2).unwrap_or_default().to_owned();
    Serving { process, addr }
}

impl Serving {
    /// The answer to a request, by the little of HTTP that a test needs.
    pub fn ask(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        assert!(!self.addr.is_empty(), "the server did not start");
        let (status, body) = self.try_to_ask(method, path, token, body);
        assert!((200..300).contains(&status), "{method} {path}: {status} {body}");
        body
    }

    /// The status and the body of the answer.
    pub fn try_to_ask(&self, method: &str, path: &str, token: &str, body: &Value) -> (u16, Value) {
        self.send(method, path, token, body).unwrap()
    }

    /// The same of a server that may turn the connection away before it has read all of the request.
    pub fn send(&self, method: &str, path: &str, token: &str, body: &Value) -> std::io::Result<(u16, Value)> {
        let mut stream = TcpStream::connect(&self.addr)?;
        // A body that nobody reads would reset the connection.
        let (addr, body) = (&self.addr, if method == "GET" { String::new() } else { body.to_string() });
        let head = format!("{method} {path} HTTP/1.0\r\nHost: {addr}\r\nContent-Type: application/json\r\n");
        write!(stream, "{head}Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
        Ok((status, serde_json::from_str(body).unwrap()))
    }

    /// A game of two people at one screen: its path and token.
    pub fn game(&self, variant: &str) -> (String, String) {
        let seat = json!({"kind": "person"});
        let made = self.ask("POST", "/api/games", "", &json!({"variant": variant, "first": seat, "second": seat}));
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (format!("/api/games/{}", text(&made["game"]["id"])), text(&made["seat_tokens"]["first"]))
    }

    pub fn moves(&self, path: &str) -> usize {
        self.ask("GET", path, "", &json!({}))["moves"].as_array().unwrap().len()
    }
}
