//! Programs that are killed at any moment: nothing that was acknowledged is lost, and nothing is there twice.
//!
//! Each test kills twice; `cargo xtask kill --count N` makes it many times.

mod serving;

use serde_json::{Value, json};
use serving::{Serving, serve, serve_with};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The longest time until a program is killed, in milliseconds. Some are done sooner.
const LONGEST: u64 = 700;

/// How often each test kills.
fn kills() -> u64 {
    std::env::var("POLYPLY_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// A number below `end` that looks random, and is the same every time (Knuth's multiplicative hash).
fn draw(seed: u64, end: u64) -> u64 {
    (seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % end
}

/// Runs a command to its end, and kills it at most so often on its way, after times that differ. `again` is what has to be
/// added to continue. Returns how often it was killed; a run may be done before.
fn run_and_kill(arguments: &[&str], again: &[&str], seed: u64, most: u64) -> u64 {
    let mut killed = 0;
    for run in 0.. {
        let mut command = Command::new(env!("CARGO_BIN_EXE_polyply"));
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
        if run > 0 {
            command.args(again);
        }
        let mut process = command.spawn().unwrap();
        if killed < most {
            // Not a wait for something: any moment will do.
            std::thread::sleep(Duration::from_millis(draw(seed * 1000 + run, LONGEST)));
            if process.try_wait().unwrap().is_none() {
                process.kill().unwrap();
                process.wait().unwrap();
                killed += 1;
                continue;
            }
        }
        let output = process.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        break;
    }
    killed
}

/// Does something with a number from 0, again and again, until there were enough kills. It returns how often it killed.
fn until_killed(mut work: impl FnMut(u64, u64) -> u64) {
    let mut left = kills();
    for number in 0.. {
        assert!(number < 100 * kills(), "nothing takes long enough to be killed");
        left -= work(number, left);
        if left == 0 {
            return;
        }
    }
}

/// The games of a journal: their numbers and moves. A number that is there twice fails.
fn games(journal: &Path) -> BTreeMap<u64, String> {
    let mut games = BTreeMap::new();
    for line in fs::read_to_string(journal).unwrap().lines() {
        let game: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let moves: Vec<&Value> = game["moves"].as_array().unwrap().iter().map(|mv| &mv["move"]).collect();
        let number = game["number"].as_u64().unwrap_or_else(|| panic!("{line}"));
        let earlier = games.insert(number, format!("{} {moves:?}", game["opening"]));
        assert_eq!(earlier, None, "game {number} is there twice");
    }
    games
}

/// Runs a command without and with kills; both must leave the same games.
fn same_games(arguments: impl Fn(&str) -> Vec<String>, journal: impl Fn(&str) -> PathBuf, again: &[&str]) {
    let run = |name: &str, seed: u64, most: u64| {
        let arguments = arguments(name);
        run_and_kill(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), again, seed, most)
    };
    run("whole", 0, 0);
    let whole = games(&journal("whole"));
    assert!(!whole.is_empty());
    until_killed(|number, left| {
        let name = format!("killed-{number}");
        let killed = run(&name, number, left);
        assert_eq!(games(&journal(&name)), whole);
        killed
    });
}

#[test]
fn a_server_that_is_killed_keeps_what_it_has_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let mut known: HashMap<String, (String, Vec<Value>)> = HashMap::new();
    for kill in 0..=kills() {
        let mut serving = serve(folder.path());
        for (path, (_, moves)) in &known {
            let state = serving.ask("GET", path, "", &json!({}));
            let kept: Vec<Value> = state["moves"].as_array().unwrap().iter().map(|mv| mv["text"].clone()).collect();
            // The last move may have been written before it was acknowledged.
            assert!(kept.starts_with(moves) && kept.len() <= moves.len() + 1, "{path}: {kept:?}, told {moves:?}");
        }
        if kill == kills() {
            break;
        }
        play_until_killed(&mut serving, &mut known, kill);
    }
}

/// Plays moves in several games, and kills the server after some of them, while another request is on its way.
fn play_until_killed(serving: &mut Serving, known: &mut HashMap<String, (String, Vec<Value>)>, seed: u64) {
    // Games that are known to be as they were told go on; what may have one more move does not.
    known.clear();
    for _ in 0..3 {
        let (path, token) = serving.game("connect4");
        known.insert(path, (token, Vec::new()));
    }
    let paths: Vec<String> = known.keys().cloned().collect();
    for turn in 0..4 + draw(seed, 12) {
        let path = &paths[draw(seed * 100 + turn, 3) as usize];
        let (token, moves) = known.get_mut(path).unwrap();
        let column = ["a", "b", "c", "d", "e", "f", "g"][draw(seed * 7 + turn, 7) as usize];
        let (status, state) = serving.try_to_ask("POST", &format!("{path}/moves"), token, &json!({"move": column}));
        if status == 200 {
            *moves = state["moves"].as_array().unwrap().iter().map(|mv| mv["text"].clone()).collect();
        }
    }
    let (path, addr) = (paths[0].clone(), serving.addr.clone());
    let token = known[&path].0.clone();
    std::thread::spawn(move || last_request(&addr, &path, &token));
    std::thread::sleep(Duration::from_millis(draw(seed + 50, 8)));
    serving.process.kill().unwrap();
    serving.process.wait().unwrap();
}

/// A request whose answer nobody hears.
fn last_request(addr: &str, path: &str, token: &str) {
    use std::io::Write;
    let Ok(mut stream) = std::net::TcpStream::connect(addr) else { return };
    let body = json!({"move": "d"}).to_string();
    let head = format!("POST {path}/moves HTTP/1.0\r\nHost: {addr}\r\nContent-Type: application/json\r\n");
    let head = format!("{head}Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n", body.len());
    let _ = stream.write_all((head + &body).as_bytes());
}

#[test]
fn a_match_that_is_killed_plays_every_game_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, ending: &str| folder.path().join(name).with_extension(ending);
    let arguments = |name: &str| {
        let out = file(name, "jsonl").display().to_string();
        let fixed = ["match", "connect4", "--engine", "builtin:Hash=1", "--engine", "builtin:Hash=1,lmr=0", "--games"];
        fixed.into_iter().chain(["30", "--nodes", "3000", "--out", &out]).map(str::to_owned).collect()
    };
    same_games(arguments, |name| file(name, "jsonl"), &["--resume"]);
}

#[test]
fn a_tournament_that_is_killed_plays_every_game_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, ending: &str| folder.path().join(name).with_extension(ending);
    let arguments = |name: &str| {
        let text = format!(
            "variant = \"connect4\"\nengines = [\"builtin:Hash=1\", \"builtin:Hash=1,lmr=0\", \"builtin:Hash=1,lmp=0\"]\n\
             games = 10\nnodes = 3000\nout = {:?}\n",
            file(name, "jsonl")
        );
        fs::write(file(name, "toml"), text).unwrap();
        vec!["tournament".to_owned(), file(name, "toml").display().to_string()]
    };
    same_games(arguments, |name| file(name, "jsonl"), &[]);
}

#[test]
fn self_play_that_is_killed_plays_every_game_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let arguments = |name: &str| {
        let out = file(name).display().to_string();
        let fixed = ["selfplay", "connect4", "--nodes", "2000", "--games", "30", "--out", &out];
        fixed.into_iter().map(str::to_owned).collect()
    };
    same_games(arguments, file, &[]);
}

#[test]
fn learning_that_is_killed_goes_on_to_the_same_weights() {
    let folder = tempfile::tempdir().unwrap();
    let learn = |out: &Path, again: &[&str], seed: u64, most: u64| {
        let path = out.display().to_string();
        let command = ["learn", "tdleaf", "ataxx", "--games", "40", "--batch", "2", "--nodes", "500", "--out", &path];
        run_and_kill(&command, again, seed, most)
    };
    let whole = folder.path().join("whole");
    learn(&whole, &[], 0, 0);
    let expected = fs::read_to_string(&whole).unwrap();
    until_killed(|number, left| {
        let out = folder.path().join(number.to_string());
        let killed = learn(&out, &["--resume"], number, left);
        assert_eq!(fs::read_to_string(&out).unwrap(), expected);
        killed
    });
}

#[test]
fn a_book_whose_building_is_killed_has_every_position_once() {
    let folder = tempfile::tempdir().unwrap();
    until_killed(|number, left| {
        let book = folder.path().join(format!("{number}.db")).display().to_string();
        let build = ["book", "build", "connect4", "--positions", "40", "--nodes", "20000", "--out", &book];
        let killed = run_and_kill(&build, &[], number, left);
        // It has what was asked for: the same command has nothing left to do, and the file is whole.
        let output = Command::new(env!("CARGO_BIN_EXE_polyply")).args(build).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("40 positions"), "{said}");
        let show = ["book", "show", "connect4", "--book", &book];
        let shown = Command::new(env!("CARGO_BIN_EXE_polyply")).args(show).stdout(Stdio::null()).status().unwrap();
        assert!(shown.success());
        killed
    });
}

#[test]
fn idle_work_that_is_killed_keeps_what_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("tables/connect4.tt");
    let mut known = 0;
    for kill in 0..=kills() {
        let mut serving = serve_with(folder.path(), &["--idle", "100%", "--save-every", "100ms"]);
        assert!(depth_of_the_start(&serving) >= known, "the start was known to depth {known}");
        if kill == kills() {
            break;
        }
        let before = known;
        // On a machine that is busy with other things, idle work may get nowhere for a while.
        for _ in 0..400 {
            let depth = depth_of_the_start(&serving);
            if depth > before && is_saved(&table) {
                known = depth;
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        // Not a wait for something: any moment will do.
        std::thread::sleep(Duration::from_millis(draw(kill, 300)));
        serving.process.kill().unwrap();
        serving.process.wait().unwrap();
    }
}

/// The depth to which the table knows the start of a game.
fn depth_of_the_start(serving: &Serving) -> u64 {
    let found = serving.ask("GET", "/api/engines/connect4/lookup", "", &json!({}));
    found["entry"]["depth"].as_u64().unwrap_or(0)
}

/// Waits until a save of the table has begun and ended. One may be under way, so it is the second one to end.
fn is_saved(table: &Path) -> bool {
    let ended = || fs::metadata(table).and_then(|data| data.modified()).ok();
    let wait_for_another = |last| {
        (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            ended() != last
        })
    };
    wait_for_another(ended()) && wait_for_another(ended())
}

#[test]
fn a_snapshot_is_whole_whenever_its_writer_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.tt").display().to_string();
    let search = ["analyze", "freestyle", "--nodes", "60000", "--hash", "16", "--snapshot", &file];
    until_killed(|number, left| {
        let killed = run_and_kill(&search, &[], number, left.min(3));
        // A table that can't be read would be told.
        let output = Command::new(env!("CARGO_BIN_EXE_polyply")).args(search).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.trim().is_empty(), "{said}");
        killed
    });
}
