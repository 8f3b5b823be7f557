//! Faults of the disk on purpose: the n-th write, sync or open of the database fails, for one n after the other, while a game
//! is played. What is told is kept, what is refused has not happened, and play goes on without a restart.
//!
//! strace makes the calls fail. Without it there is nothing to test here.
#![cfg(target_os = "linux")]

mod serving;

use serde_json::json;
use serving::{Serving, serve, serve_by};
use std::path::Path;
use std::process::{Command, Stdio};

/// The calls that SQLite makes, and how each fails.
const CALLS: [(&str, &str); 3] = [("pwrite64", "ENOSPC"), ("fsync,fdatasync", "EIO"), ("openat", "EMFILE")];
const MOVES: [&str; 8] = ["d", "d", "c", "c", "e", "e", "a", "g"];

fn strace() -> Option<Command> {
    let mut command = Command::new("strace");
    let version = Command::new("strace").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success()).then(|| {
        command.args(["-f", "-qq", "-o"]);
        command
    })
}

/// How a run went.
struct Run {
    /// A call failed.
    failed: bool,
    /// Requests that were refused.
    refused: usize,
}

/// Plays a game while the n-th call of a kind fails in each thread of the server.
fn play(mut strace: Command, call: &str, error: &str, n: usize) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let log = folder.path().join("calls");
    strace.arg(&log).args(["-e", &format!("trace={call}"), "-e", &format!("inject={call}:error={error}:when={n}")]);
    for file in ["games.db", "games.db-wal", "games.db-shm"] {
        strace.arg("-P").arg(data.join(file));
    }
    strace.arg(env!("CARGO_BIN_EXE_polyply")).stderr(Stdio::null());
    let mut serving = serve_by(strace, &data);
    let mut refused = 0;
    let mut told = None;
    if serving.addr.is_empty() {
        // It may refuse to start, in order, and starts once the disk is well.
        assert_eq!(serving.process.wait().unwrap().code(), Some(1), "{call} {n}");
        refused += 1;
    } else {
        told = Some(play_on(&serving, &mut refused, &format!("{call} {n}")));
        kill(&mut serving, &data);
    }
    let failed = std::fs::read_to_string(&log).unwrap_or_default().contains("INJECTED");
    let serving = serve(&data);
    match told {
        Some((path, moves)) => {
            assert_eq!(serving.moves(&path), moves, "{call} {n}: what was told is not what was kept")
        }
        None => drop(serving.game("connect4")),
    }
    Run { failed, refused }
}

/// Creates a game and plays it. What is refused is asked for again.
fn play_on(serving: &Serving, refused: &mut usize, what: &str) -> (String, usize) {
    let mut insist = |path: &str, token: &str, body: serde_json::Value| loop {
        let (status, answer) = serving.try_to_ask("POST", path, token, &body);
        match status {
            200 | 201 => return answer,
            503 => *refused += 1,
            _ => panic!("{what}: {path} {status} {answer}"),
        }
        assert!(*refused < 1000, "{what}: the server does not recover");
    };
    let seat = json!({"kind": "person"});
    let made = insist("/api/games", "", json!({"variant": "connect4", "first": seat, "second": seat}));
    let path = format!("/api/games/{}", made["game"]["id"].as_str().unwrap());
    let token = made["seat_tokens"]["first"].as_str().unwrap();
    for (played, mv) in MOVES.into_iter().enumerate() {
        let state = insist(&format!("{path}/moves"), token, json!({"move": mv}));
        // A move that was refused and asked for again is made once.
        assert_eq!(state["moves"].as_array().unwrap().len(), played + 1, "{what}");
    }
    (path, MOVES.len())
}

/// Kills the server itself; strace ends with it.
fn kill(serving: &mut Serving, data: &Path) {
    let data = data.to_str().unwrap();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command);
        if command.starts_with(env!("CARGO_BIN_EXE_polyply")) && command.contains(data) {
            let id =
                process.file_name().to_str().and_then(|id| id.parse().ok()).and_then(rustix::process::Pid::from_raw);
            let _ = rustix::process::kill_process(id.unwrap(), rustix::process::Signal::KILL);
        }
    }
    serving.process.wait().unwrap();
}

/// Fails one call after the other, until a run makes fewer calls than that.
fn fail_every(step: usize) {
    for (call, error) in CALLS {
        let (mut failed, mut refused) = (0, 0);
        for n in (1..).step_by(step) {
            let Some(strace) = strace() else { return };
            let run = play(strace, call, error, n);
            if !run.failed {
                break;
            }
            failed += 1;
            refused += run.refused;
        }
        eprintln!("{call}: {failed} runs with a failure, {refused} requests refused");
        assert!(failed > 0, "{call}");
    }
}

#[test]
fn what_is_told_is_kept_though_a_call_of_the_disk_fails() {
    fail_every(9);
}

#[test]
#[ignore = "takes minutes; cargo xtask test --long runs it"]
fn what_is_told_is_kept_whichever_call_of_the_disk_fails() {
    fail_every(1);
}
