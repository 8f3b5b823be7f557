//! Engine protocols over a WebSocket, a line a message: an outside program plays here as it would with a process of its own.
//!
//! Each connection has an engine of its own. What would let a stranger take the machine's memory or read its files is held
//! back: sizes and threads are cut to what the server has, and names of files are not passed on.

use crate::App;
use crate::error::{ApiError, ErrorBody};
use crate::refusals;
use crate::socket::{self, Listener};
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use polyply_protocol::{gomocup, nboard, uci};
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Conversations at a time.
pub const MOST_CONVERSATIONS: usize = 4;
/// Lines that wait, either way.
const LINES: usize = 1024;

/// Engine protocols.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(converse))
}

/// A protocol that engines speak.
type Protocol = fn(Inbox, Outbox) -> io::Result<()>;

const PROTOCOLS: [(&str, Protocol); 3] = [("uci", uci::run), ("gomocup", gomocup::run), ("nboard", nboard::run)];

fn protocol(name: &str) -> Result<Protocol, ApiError> {
    let found = PROTOCOLS.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, protocol)| protocol).ok_or_else(|| {
        let known = PROTOCOLS.map(|(known, _)| known).join(", ");
        ApiError::not_found(refusals::protocol_unknown(known, name))
    })
}

/// A WebSocket that speaks an engine protocol, a line a message.
#[utoipa::path(get, path = "/api/protocols/{name}", tag = "protocols", params(("name" = String, Path)), responses(
    (status = 101, description = "Lines of the protocol follow, both ways"), (status = 404, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
async fn converse(
    State(app): State<App>,
    Path(name): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let protocol = protocol(&name)?;
    let permit = app
        .conversations
        .clone()
        .try_acquire_owned()
        .map_err(|_| ApiError::unavailable(refusals::too_many_sessions(MOST_CONVERSATIONS)))?;
    let hash = app.hash;
    socket::open(&app, upgrade, move |socket| carry(socket, protocol, hash, permit))
}

/// Carries lines between a socket and a conversation, until either ends.
async fn carry(socket: WebSocket, protocol: Protocol, hash: usize, permit: OwnedSemaphorePermit) {
    let (say, heard) = sync_channel(LINES);
    let (tell, mut told) = mpsc::channel(LINES);
    let talk = move || {
        // Kept until the conversation has really ended.
        let _permit = permit;
        let inbox = Inbox { heard, line: Vec::new(), at: 0 };
        if let Err(error) = protocol(inbox, Outbox { tell, line: Vec::new() }) {
            tracing::debug!(%error, "a conversation ended");
        }
    };
    if let Err(error) = std::thread::Builder::new().name("conversation".into()).spawn(talk) {
        tracing::error!(%error, "there is no thread for a conversation");
        return;
    }
    let mut listener = Listener::new(socket);
    loop {
        tokio::select! {
            said = listener.hear() => match said {
                None => return,
                Some(said) => if !pass_on(&said, &say, hash) {
                    listener.close(&refusals::too_many_lines()).await;
                    return;
                },
            },
            line = told.recv() => match line {
                None => return,
                Some(line) => if !listener.send(line).await { return },
            },
        }
    }
}

/// Passes lines on; false when there are too many.
fn pass_on(said: &str, say: &SyncSender<String>, hash: usize) -> bool {
    said.lines().filter_map(|line| harmless(line, hash)).all(|line| say.try_send(line).is_ok())
}

/// A line as it may be passed on: sizes cut down, names of files left out.
fn harmless(line: &str, hash: usize) -> Option<String> {
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

/// What the other side says, as a stream of bytes.
struct Inbox {
    heard: Receiver<String>,
    line: Vec<u8>,
    at: usize,
}

impl Read for Inbox {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut waiting = self.fill_buf()?;
        let read = waiting.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Inbox {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.line.len() {
            // Where nobody speaks any more the stream is at its end.
            self.line = self.heard.recv().map(|line| (line + "\n").into_bytes()).unwrap_or_default();
            self.at = 0;
        }
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

/// What is said to the other side, line by line.
struct Outbox {
    tell: mpsc::Sender<String>,
    line: Vec<u8>,
}

impl Write for Outbox {
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
    fn what_could_do_harm_is_held_back() {
        let passed = |line| harmless(line, 16);
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
