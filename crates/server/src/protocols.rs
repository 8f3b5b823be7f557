//! Engine protocols over a WebSocket, one line per message, for programs that expect an engine process.
//!
//! Each connection has an engine of its own. Clients must not use up the memory or read files: sizes and threads are
//! cut to what the server allows, and names of files are not passed on.

use crate::App;
use crate::error::{ApiError, ErrorBody};
use crate::refusals;
use crate::socket::{self, TextSocket};
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use polyply_protocol::{gomocup, nboard, uci};
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How many programs are connected at a time.
pub const MAX_SESSIONS: usize = 4;
/// How many lines may wait, either way.
const LINES: usize = 1024;

/// Engine protocols.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(connect))
}

/// A protocol that engines speak.
type Protocol = fn(LineReader, LineWriter) -> io::Result<()>;

const PROTOCOLS: [(&str, Protocol); 3] = [("uci", uci::run), ("gomocup", gomocup::run), ("nboard", nboard::run)];

fn protocol(name: &str) -> Result<Protocol, ApiError> {
    let found = PROTOCOLS.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, protocol)| protocol).ok_or_else(|| {
        let known = PROTOCOLS.map(|(known, _)| known).join(", ");
        ApiError::not_found(refusals::protocol_unknown(known, name))
    })
}

/// A WebSocket that speaks an engine protocol, one line per message.
#[utoipa::path(get, path = "/api/protocols/{name}", tag = "protocols", params(("name" = String, Path)), responses(
    (status = 101, description = "Lines of the protocol follow, both ways"), (status = 404, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
async fn connect(
    State(app): State<App>,
    Path(name): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let protocol = protocol(&name)?;
    let permit = app
        .sessions
        .clone()
        .try_acquire_owned()
        .map_err(|_| ApiError::unavailable(refusals::too_many_sessions(MAX_SESSIONS)))?;
    let hash = app.hash;
    socket::open(&app, upgrade, move |socket| relay(socket, protocol, hash, permit))
}

/// Relays lines between a socket and an engine until either ends.
async fn relay(socket: WebSocket, protocol: Protocol, hash: usize, permit: OwnedSemaphorePermit) {
    let (say, heard) = sync_channel(LINES);
    let (tell, mut told) = mpsc::channel(LINES);
    let talk = move || {
        // Kept until the engine has really ended.
        let _permit = permit;
        let reader = LineReader { heard, line: Vec::new(), at: 0 };
        if let Err(error) = protocol(reader, LineWriter { tell, line: Vec::new() }) {
            tracing::debug!(%error, "an engine session ended");
        }
    };
    if let Err(error) = std::thread::Builder::new().name("session".into()).spawn(talk) {
        tracing::error!(%error, "no thread for an engine session");
        return;
    }
    let mut socket = TextSocket::new(socket);
    loop {
        tokio::select! {
            said = socket.receive() => match said {
                None => return,
                Some(said) => if !forward(&said, &say, hash) {
                    socket.close(&refusals::too_many_lines()).await;
                    return;
                },
            },
            line = told.recv() => match line {
                None => return,
                Some(line) => if !socket.send(line).await { return },
            },
        }
    }
}

/// Passes lines on; false if there are too many.
fn forward(said: &str, say: &SyncSender<String>, hash: usize) -> bool {
    said.lines().filter_map(|line| sanitised(line, hash)).all(|line| say.try_send(line).is_ok())
}

/// A line as it may be passed on: sizes cut down, names of files left out.
fn sanitised(line: &str, hash: usize) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let cut = |value: &str, most: usize| value.parse::<usize>().map_or(most, |value| value.min(most)).to_string();
    match words[..] {
        [info, key, value] if info.eq_ignore_ascii_case("info") && key.eq_ignore_ascii_case("max_memory") => {
            let bytes = match value {
                // 0 is "no limit".
                "0" => (hash << 20).to_string(),
                value => cut(value, hash << 20),
            };
            Some(format!("{info} {key} {bytes}"))
        }
        [info, key, ..] if info.eq_ignore_ascii_case("info") && key.eq_ignore_ascii_case("folder") => None,
        [set, name, ref option @ .., value_word, value]
            if set == "setoption" && name == "name" && value_word == "value" && !option.is_empty() =>
        {
            let option = option.join(" ");
            match option.to_ascii_lowercase().as_str() {
                "hash" | "evalcache" => Some(format!("setoption name {option} value {}", cut(value, hash))),
                "threads" => Some(format!("setoption name {option} value 1")),
                path if path.contains("path") || path.contains("file") => None,
                _ => Some(line.to_owned()),
            }
        }
        ["setoption", "name", first, ..] if first.to_ascii_lowercase().contains("path") || first.contains("File") => {
            None
        }
        _ => Some(line.to_owned()),
    }
}

/// The lines from the client as a stream of bytes.
struct LineReader {
    heard: Receiver<String>,
    line: Vec<u8>,
    at: usize,
}

impl Read for LineReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut waiting = self.fill_buf()?;
        let read = waiting.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for LineReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.line.len() {
            // The stream ends with the connection.
            self.line = self.heard.recv().map(|line| (line + "\n").into_bytes()).unwrap_or_default();
            self.at = 0;
        }
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

/// Sends complete lines to the client.
struct LineWriter {
    tell: mpsc::Sender<String>,
    line: Vec<u8>,
}

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = String::from_utf8_lossy(&self.line).into_owned();
            self.line.clear();
            self.tell.blocking_send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_cut_and_file_names_are_held_back() {
        let passed = |line| sanitised(line, 16);
        for line in ["uci", "go nodes 100", "TURN 7,7", "setoption name MultiPV value 3", "INFO timeout_turn 100", ""] {
            assert_eq!(passed(line).as_deref(), Some(line));
        }
        assert_eq!(passed("setoption name Hash value 65536").unwrap(), "setoption name Hash value 16");
        assert_eq!(passed("setoption name Threads value 64").unwrap(), "setoption name Threads value 1");
        assert_eq!(passed("INFO max_memory 0").unwrap(), "INFO max_memory 16777216");
        assert_eq!(passed("info MAX_MEMORY 99999999999").unwrap(), "info MAX_MEMORY 16777216");
        for line in ["setoption name SyzygyPath value /etc", "setoption name BookFile value /a b", "INFO folder /etc"] {
            assert_eq!(passed(line), None, "{line}");
        }
    }
}
