//! Engine protocols over a WebSocket, one line per message, for programs that expect an engine process.
//!
//! Each connection has an engine of its own, for which memory is set aside as long as it lasts. Clients must not use more of
//! it or read files: sizes and threads are cut to what the server allows, and names of files are not passed on.

use crate::App;
use crate::engine_pool::{EngineSettings, Reservation};
use crate::error::{ApiError, ErrorBody};
use crate::refusals;
use crate::socket::{self, TextSocket};
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use polyply_engine::registry::games;
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
#[derive(Clone, Copy)]
struct Protocol {
    name: &'static str,
    run: fn(LineReader, LineWriter) -> io::Result<()>,
    /// The line that sets the size of the table, in megabytes.
    set_table: fn(usize) -> String,
    /// A line as it may be passed on: sizes cut down, names of files left out. What is not understood here is not
    /// understood by the protocol either.
    sanitise: fn(&str, Sizes) -> Option<String>,
}

const PROTOCOLS: [Protocol; 3] = [
    Protocol {
        name: "uci",
        run: uci::run,
        set_table: |hash| format!("setoption name Hash value {hash}"),
        sanitise: sanitise_option,
    },
    Protocol {
        name: "gomocup",
        run: gomocup::run,
        set_table: |hash| format!("INFO hash_size {}", hash << 10),
        sanitise: sanitise_setting,
    },
    Protocol {
        name: "nboard",
        run: nboard::run,
        set_table: |hash| format!("set Hash {hash}"),
        sanitise: sanitise_setting,
    },
];

fn protocol(name: &str) -> Result<Protocol, ApiError> {
    PROTOCOLS.into_iter().find(|protocol| protocol.name == name).ok_or_else(|| {
        let known = PROTOCOLS.map(|protocol| protocol.name).join(", ");
        ApiError::not_found(refusals::protocol_unknown(known, name))
    })
}

/// The largest tables that a session may ask for, in megabytes.
#[derive(Clone, Copy)]
struct Sizes {
    hash: usize,
    eval_cache: usize,
}

impl Sizes {
    /// Those for which there is room in what a session has set aside, whichever game it chooses.
    fn of(settings: &EngineSettings) -> Sizes {
        let eval_cache = games().map(|about| settings.options.for_game(about).eval_cache_bytes() >> 20).max();
        Sizes { hash: settings.options.hash, eval_cache: eval_cache.unwrap_or_default() }
    }
}

/// What a session has until its engine has really ended.
struct Session {
    protocol: Protocol,
    sizes: Sizes,
    _place: OwnedSemaphorePermit,
    _memory: Reservation,
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
    let place = app
        .sessions
        .clone()
        .try_acquire_owned()
        .map_err(|_| ApiError::unavailable(refusals::too_many_sessions(MAX_SESSIONS)))?;
    let pool = app.pool.clone();
    let sizes = Sizes::of(pool.settings());
    let memory = tokio::task::spawn_blocking(move || pool.reserve(pool.settings().largest_engine_bytes()));
    let memory = memory.await.map_err(ApiError::internal)??;
    let session = Session { protocol, sizes, _place: place, _memory: memory };
    socket::open(&app, upgrade, move |socket| relay(socket, session))
}

/// Relays lines between a socket and an engine until either ends.
async fn relay(socket: WebSocket, session: Session) {
    let (protocol, sizes) = (session.protocol, session.sizes);
    let (say, heard) = sync_channel(LINES);
    let (tell, mut told) = mpsc::channel(LINES);
    let talk = move || {
        let Session { protocol, sizes, .. } = &session;
        let begin = (protocol.set_table)(sizes.hash) + "\n";
        let reader = LineReader { heard, line: begin.into_bytes(), at: 0 };
        if let Err(error) = (protocol.run)(reader, LineWriter { tell, line: Vec::new() }) {
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
                Some(said) => if !forward(&said, &say, protocol, sizes) {
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
fn forward(said: &str, say: &SyncSender<String>, protocol: Protocol, sizes: Sizes) -> bool {
    said.lines().filter_map(|line| (protocol.sanitise)(line, sizes)).all(|line| say.try_send(line).is_ok())
}

/// A line of UCI.
fn sanitise_option(line: &str, sizes: Sizes) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    // A bench has an engine of its own.
    if words.contains(&"bench") {
        return None;
    }
    // What stands before a command is skipped.
    let after = words.iter().position(|word| *word == "setoption").map(|at| &words[at + 1..]);
    let Some(["name", named @ ..]) = after else { return Some(line.to_owned()) };
    let end = named.iter().position(|word| *word == "value");
    let name = named[..end.unwrap_or(named.len())].join(" ");
    let value = end.map(|end| named[end + 1..].join(" "));
    let allowed = cut_down(&name, value.as_deref().unwrap_or_default(), sizes)?;
    Some(match value {
        Some(_) => format!("setoption name {name} value {allowed}"),
        None => format!("setoption name {name}"),
    })
}

/// A line of Gomocup or NBoard: a setting is one word, and its value stands behind it.
fn sanitise_setting(line: &str, sizes: Sizes) -> Option<String> {
    let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line, ""));
    if !word.eq_ignore_ascii_case("info") && word != "set" {
        return Some(line.to_owned());
    }
    let rest = rest.trim();
    let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Some(format!("{word} {name} {}", cut_down(name, value.trim(), sizes)?))
}

/// The value of an option as it may be passed on. Options that name files have none.
fn cut_down(name: &str, value: &str, Sizes { hash, eval_cache }: Sizes) -> Option<String> {
    let cut = |most: usize| value.parse::<usize>().map_or(most, |value| value.min(most));
    let name = name.to_ascii_lowercase();
    Some(match name.as_str() {
        "hash" => cut(hash).to_string(),
        "evalcache" => cut(eval_cache).to_string(),
        // In kilobytes, and 0 is the usual size.
        "hash_size" => match cut(hash << 10) {
            0 => (hash << 10).to_string(),
            kilobytes => kilobytes.to_string(),
        },
        "threads" | "thread_num" => "1".to_owned(),
        _ if ["path", "file", "folder"].iter().any(|word| name.contains(word)) => return None,
        _ => value.to_owned(),
    })
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
        let passed = |protocol: &str, line| {
            (super::protocol(protocol).unwrap().sanitise)(line, Sizes { hash: 16, eval_cache: 2 })
        };
        for (protocol, line) in [
            ("uci", "uci"),
            ("uci", ""),
            ("uci", "go nodes 100"),
            ("uci", "setoption name MultiPV value 3"),
            ("gomocup", "TURN 7,7"),
            ("gomocup", "INFO timeout_turn 100"),
            ("nboard", "set depth 12"),
            ("nboard", "set game (;GM[Othello]PB[park bench];)"),
        ] {
            assert_eq!(passed(protocol, line).as_deref(), Some(line));
        }
        for (protocol, said, wanted) in [
            ("uci", "setoption name Hash value 65536", "setoption name Hash value 16"),
            ("uci", "well then setoption  name hash value 99", "setoption name hash value 16"),
            ("uci", "setoption name Hash value 4", "setoption name Hash value 4"),
            ("uci", "setoption name Clear Hash", "setoption name Clear Hash"),
            ("uci", "setoption name EvalCache value 16", "setoption name EvalCache value 2"),
            ("uci", "setoption name Threads value 64", "setoption name Threads value 1"),
            ("gomocup", "INFO hash_size 99999999", "INFO hash_size 16384"),
            ("gomocup", "INFO hash_size 0", "INFO hash_size 16384"),
            ("gomocup", "INFO Hash 64", "INFO Hash 16"),
            ("gomocup", "info thread_num  8", "info thread_num 1"),
            ("nboard", "set  Hash 64", "set Hash 16"),
        ] {
            assert_eq!(passed(protocol, said).as_deref(), Some(wanted), "{said}");
        }
        for (protocol, line) in [
            ("uci", "setoption name SyzygyPath value /etc"),
            ("uci", "setoption name BookFile value /a b"),
            ("uci", "setoption name BookFile"),
            ("uci", "please bench"),
            ("gomocup", "INFO folder /etc"),
            ("nboard", "set BookFile /a"),
        ] {
            assert_eq!(passed(protocol, line), None, "{line}");
        }
    }
}
