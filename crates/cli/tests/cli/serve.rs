//! `polyply serve` as a process: it is killed in mid-game and nothing is lost.

use crate::serving::{serve, serve_by};
use serde_json::json;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn a_server_that_is_killed_in_mid_game_has_lost_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut serving = serve(folder.path());
    let (path, token) = serving.game("connect4");
    let token = token.as_str();
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

#[test]
fn a_second_server_on_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let serving = serve(folder.path());
    let mut command = Command::new(env!("CARGO_BIN_EXE_polyply"));
    let output = command.args(["serve", "--no-browser", "--addr", "127.0.0.1:0", "--data"]).arg(folder.path()).output();
    let output = output.unwrap();
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(sentence.contains("another server is using it") && sentence.lines().count() == 1, "{sentence}");
    // A server that was killed leaves nothing behind that would keep the next one out.
    drop(serving);
    serve(folder.path());
}

#[test]
fn a_copy_that_was_made_while_playing_goes_on_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let [data, copy, other] = ["data", "copy", "other"].map(|name| folder.path().join(name));
    let run = |arguments: &[&str], data: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_polyply"));
        let output = command.args(arguments).arg("--data").arg(data).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let place = copy.to_str().unwrap();
    assert_eq!(run(&["backup", place], &data).0, Some(1), "there is no database yet");
    let serving = serve(&data);
    let (path, token) = serving.game("connect4");
    for mv in ["d", "d", "c"] {
        serving.ask("POST", &format!("{path}/moves"), &token, &json!({"move": mv}));
    }
    assert_eq!(run(&["backup", place], &data), (Some(0), String::new()));
    serving.ask("POST", &format!("{path}/moves"), &token, &json!({"move": "c"}));
    let (code, sentence) = run(&["backup", place], &data);
    assert!(code == Some(1) && sentence.contains("exists already"), "{sentence}");

    let (code, sentence) = run(&["restore", place], &data);
    assert!(code == Some(1) && sentence.contains("another server is using it"), "{sentence}");
    assert_eq!(run(&["restore", place], &other), (Some(0), String::new()));
    let (code, sentence) = run(&["restore", place], &other);
    assert!(code == Some(1) && sentence.contains("has games already"), "{sentence}");
    assert_eq!(serve(&other).moves(&path), 3);
}

/// Writes fail at one point after the other of a game, as on a full disk: the files may not grow beyond a limit, which moves
/// on in small steps. What is refused has not happened, what is told has, and play goes on once there is room.
#[cfg(target_os = "linux")]
#[test]
fn a_move_that_can_not_be_written_is_refused_and_not_made() {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
    let folder = tempfile::tempdir().unwrap();
    // Beyond the limit the system would end the process, unless it ignores the signal.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_polyply")]);
    let mut serving = serve_by(command, folder.path());
    let pid = Pid::from_raw(serving.process.id() as i32).unwrap();
    let limit = |bytes: Option<u64>| {
        let maximum = getrlimit(Resource::Fsize).maximum;
        prlimit(Some(pid), Resource::Fsize, Rlimit { current: bytes.or(maximum), maximum }).unwrap();
    };
    let (path, token) = serving.game("freestyle:15");
    let cells = (0..225).map(|cell| format!("{}{}", char::from(b'a' + cell % 15), 1 + cell / 15));
    let (mut played, mut refused) = (0, 0);
    // Rows of the same colour never fill up: every fourth cell is played by the other side in turn.
    for (number, cell) in cells.enumerate().filter(|(number, _)| number % 15 % 2 == 0) {
        let log = std::fs::metadata(folder.path().join("games.db-wal")).unwrap().len();
        limit(Some(log + 700 * (number as u64 % 20)));
        let play = || serving.try_to_ask("POST", &format!("{path}/moves"), &token, &json!({"move": cell}));
        let (mut status, mut state) = play();
        if status != 200 {
            assert_eq!((status, &state["code"]), (503, &json!("not_stored")), "{state}");
            assert_eq!(serving.moves(&path), played, "a refused move is on the board");
            refused += 1;
            limit(None);
            (status, state) = play();
        }
        assert_eq!(status, 200, "{state}");
        limit(None);
        if state["status"] == "over" {
            break;
        }
        played += 1;
        assert_eq!(serving.moves(&path), played);
    }
    assert!(played >= 20 && refused >= 10, "{played} moves, of which {refused} were refused at first");
    let told = serving.moves(&path);
    // The server notices by itself that it can't write, and that it can again.
    for (bytes, status) in [(Some(0), 503), (None, 200)] {
        limit(bytes);
        while serving.try_to_ask("GET", "/api/health", "", &json!({})).0 != status {
            std::thread::yield_now();
        }
    }
    serving.process.kill().unwrap();
    serving.process.wait().unwrap();
    assert_eq!(serve(folder.path()).moves(&path), told);
}

/// Starts an exposed server, and returns all that it says about that.
fn exposure(folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polyply"));
    command.args(["serve", "--expose", "--addr", "127.0.0.1:0", "--hash", "4", "--no-browser", "--data"]).arg(folder);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    let mut heard = process.stdout.take().unwrap();
    while !said.contains("operator-token") {
        let mut some = [0; 512];
        let count = heard.read(&mut some).unwrap();
        assert!(count > 0, "{said}");
        said += std::str::from_utf8(&some[..count]).unwrap();
    }
    process.kill().unwrap();
    process.wait().unwrap();
    said
}

#[test]
fn an_exposed_server_lists_what_is_open_and_shows_the_operator_token_once() {
    let folder = tempfile::tempdir().unwrap();
    let said = exposure(folder.path());
    let token = std::fs::read_to_string(folder.path().join("operator-token")).unwrap();
    assert!(said.contains(token.trim()) && token.trim().len() == 32, "{said}");
    for (what, _) in polyply_server::OPEN {
        assert!(said.contains(what), "{what}: {said}");
    }
    let said = exposure(folder.path());
    assert!(!said.contains(token.trim()), "{said}");
}

/// A process with few handles: clients that say nothing must not use them up.
#[cfg(target_os = "linux")]
#[test]
fn half_sent_requests_leave_room_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 200; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_polyply")]);
    let serving = serve_by(command, folder.path());
    let addr: std::net::SocketAddr = serving.addr.parse().unwrap();
    let half_sent = |_| {
        use std::io::Write;
        let mut stream = std::net::TcpStream::connect(addr).unwrap();
        // It may be turned away already.
        let _ = stream.write_all(b"GET /api/health HTTP/1.1\r\nHost: loc");
        stream
    };
    let mut held: Vec<_> = (0..300).map(half_sent).collect();
    // Some hear that there is no room; the rest wait, and when they go, there is room again.
    let mut turned_away = || {
        held.iter_mut().any(|stream| {
            stream.set_nonblocking(true).unwrap();
            let mut heard = [0; 512];
            let count = stream.read(&mut heard).unwrap_or(0);
            let heard = String::from_utf8_lossy(&heard[..count]);
            heard.starts_with("HTTP/1.1 429") && heard.contains("too_many_connections")
        })
    };
    while !turned_away() {
        std::thread::yield_now();
    }
    drop(held);
    while !matches!(serving.send("GET", "/api/health", "", &json!({})), Ok((200, _))) {
        std::thread::yield_now();
    }
}
