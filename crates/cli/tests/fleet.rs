//! A fleet from the command line, with a real NATS server: the same games as on threads, whatever is killed.

#[path = "../../fleet/tests/nats/mod.rs"]
mod nats;
mod serving;

use nats::Nats;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// How often workers are killed.
fn kills() -> u64 {
    std::env::var("POLYPLY_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

fn polyply(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polyply"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    polyply(arguments).output().unwrap()
}

/// A command that must succeed; returns what it prints.
fn said(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A worker that ends with the test.
struct Worker(Child);

impl Worker {
    fn start(nats: &Nats, folder: &Path) -> Worker {
        Worker::with(nats, folder, &["--hash", "16"])
    }

    fn with(nats: &Nats, folder: &Path, more: &[&str]) -> Worker {
        let folder = folder.join("worker").display().to_string();
        let arguments = ["worker", "--fleet", &nats.address(), "--threads", "1", "--data", &folder];
        Worker(polyply(&arguments).args(more).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The arguments of a match of Othello, whose bench is quick.
fn a_match<'a>(games: &'a str, nodes: &'a str, out: &'a str) -> Vec<&'a str> {
    let players = ["--engine", "builtin:Hash=1", "--engine", "builtin:Hash=1,lmr=0"];
    [&["match", "othello"], &players[..], &["--games", games, "--nodes", nodes, "--out", out]].concat()
}

/// The games of a journal by number, without times and dates. A number that is there twice fails.
fn games(journal: &Path) -> BTreeMap<u64, String> {
    let mut games = BTreeMap::new();
    for line in fs::read_to_string(journal).unwrap().lines() {
        let game: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let moves: Vec<&Value> = game["moves"].as_array().unwrap().iter().map(|mv| &mv["move"]).collect();
        let number = game["number"].as_u64().unwrap();
        let told = format!("{} {} {moves:?} {}", game["moves_given"], game["players"], game["result"]);
        assert_eq!(games.insert(number, told), None, "game {number} is there twice");
    }
    games
}

#[test]
fn a_match_on_four_workers_is_the_match_on_threads() {
    let (nats, folder) = (Nats::start(), tempfile::tempdir().unwrap());
    let [threads, fleet] = ["threads.jsonl", "fleet.jsonl"].map(|name| folder.path().join(name));
    let alone = said(&a_match("40", "300", &threads.display().to_string()));
    let _workers: Vec<Worker> = (0..4).map(|_| Worker::start(&nats, folder.path())).collect();
    let (out, address) = (fleet.display().to_string(), nats.address());
    let together = said(&[a_match("40", "300", &out), vec!["--fleet", &address]].concat());
    // The same statistics, of the same games.
    assert_eq!(together, alone);
    assert_eq!(games(&fleet), games(&threads));
}

#[test]
fn self_play_tournaments_suites_books_and_tuning_run_on_workers() {
    let (nats, folder) = (Nats::start(), tempfile::tempdir().unwrap());
    let _workers: Vec<Worker> = (0..2).map(|_| Worker::start(&nats, folder.path())).collect();
    let address = nats.address();
    let at_fleet = ["--fleet", &address];
    let file = |name: &str| folder.path().join(name);
    // Twice each: on threads and on workers, into different files.
    let both = |make: &dyn Fn(&str) -> Vec<String>| {
        let run = |name: &str, more: &[&str]| {
            let arguments = make(name);
            said(&[arguments.iter().map(String::as_str).collect::<Vec<_>>(), more.to_vec()].concat())
        };
        (run("threads", &[]), run("fleet", &at_fleet))
    };
    let text = |words: &[&str], path: &Path| -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).chain([path.display().to_string()]).collect()
    };
    both(&|name| text(&["selfplay", "othello", "--nodes", "100", "--games", "12", "--out"], &file(name)));
    assert_eq!(games(&file("fleet")), games(&file("threads")));

    let (alone, together) = both(&|name| {
        let settings = format!(
            "variant = \"othello\"\nengines = [\"builtin:Hash=1\", \"builtin:Hash=1,lmr=0\", \"builtin:Hash=1,lmp=0\"]\n\
             games = 4\nnodes = 200\nout = \"cup-{name}.jsonl\"\n"
        );
        let path = file(&format!("cup-{name}.toml"));
        fs::write(&path, settings).unwrap();
        text(&["tournament"], &path)
    });
    assert_eq!(alone, together);
    assert_eq!(games(&file("cup-fleet.jsonl")), games(&file("cup-threads.jsonl")));

    let suite = file("suite.txt");
    let puzzles = "h8 i9; bm h9; id 1\nh8 h9 i8; bm a1; id 2\nh8; am a1; id 3\n";
    fs::write(&suite, puzzles).unwrap();
    let sum = |said: &str| said.lines().last().unwrap().to_owned();
    let (alone, together) = both(&|_| text(&["suite", "freestyle", "--hash", "1", "--nodes", "500"], &suite));
    assert_eq!(sum(&alone), sum(&together));
    assert_eq!(together.lines().map(|line| line.chars().next()).collect::<Vec<_>>()[..3], ['1', '2', '3'].map(Some));

    let build = ["book", "build", "othello", "--positions", "8", "--nodes", "500", "--hash", "1", "--out"];
    let (_, together) = both(&|name| text(&build, &file(&format!("{name}.db"))));
    assert!(together.contains("8 positions"), "{together}");

    let (_, together) = both(&|name| {
        let path = file(&format!("tune-{name}.toml"));
        let settings = "variant = \"othello\"\nengine = \"builtin:Hash=1\"\ngames = 8\nnodes = 100\n\
                        [spsa]\npairs = 2\n[test]\ngames = 4\n[parameters.lmr_base]\n";
        fs::write(&path, settings).unwrap();
        text(&["tune", "spsa"], &path)
    });
    assert!(together.contains("lmr_base"), "{together}");
    assert_eq!(
        fs::read_to_string(file("tune-fleet.spsa.tuned.toml")).unwrap(),
        fs::read_to_string(file("tune-threads.spsa.tuned.toml")).unwrap()
    );
}

#[test]
fn workers_that_are_killed_lose_no_game_and_double_none() {
    let (nats, folder) = (Nats::start(), tempfile::tempdir().unwrap());
    let count = (40 + 4 * kills()).to_string();
    let [threads, fleet] = ["threads.jsonl", "fleet.jsonl"].map(|name| folder.path().join(name));
    said(&a_match(&count, "300", &threads.display().to_string()));
    let mut workers: Vec<Worker> = (0..4).map(|_| Worker::start(&nats, folder.path())).collect();
    let (out, address) = (fleet.display().to_string(), nats.address());
    let more = ["--fleet", &address, "--fleet-wait", "1s", "--fleet-tries", "1000"];
    let mut asker = polyply(&[a_match(&count, "300", &out), more.to_vec()].concat());
    let mut asker = asker.stdout(Stdio::null()).spawn().unwrap();
    let written = || fs::read_to_string(&fleet).map_or(0, |text| text.lines().count()) as u64;
    for kill in 0..kills() {
        // Some games were played since the last kill, so the workers were busy.
        while written() < 2 * kill + 2 && asker.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(10));
        }
        workers.remove((kill % 4) as usize).0.kill().unwrap();
        workers.push(Worker::start(&nats, folder.path()));
    }
    assert!(asker.wait().unwrap().success());
    assert_eq!(games(&fleet), games(&threads));
}

#[test]
fn an_asker_that_is_killed_continues_with_what_was_played_without_it() {
    let (nats, folder) = (Nats::start(), tempfile::tempdir().unwrap());
    let [threads, fleet] = ["threads.jsonl", "fleet.jsonl"].map(|name| folder.path().join(name));
    said(&a_match("60", "300", &threads.display().to_string()));
    let _workers: Vec<Worker> = (0..2).map(|_| Worker::start(&nats, folder.path())).collect();
    let (out, address) = (fleet.display().to_string(), nats.address());
    let asked = [a_match("60", "300", &out), vec!["--fleet", &address]].concat();
    let mut asker = polyply(&asked).stdout(Stdio::null()).spawn().unwrap();
    while fs::read_to_string(&fleet).map_or(0, |text| text.lines().count()) < 5 {
        std::thread::sleep(Duration::from_millis(10));
    }
    asker.kill().unwrap();
    asker.wait().unwrap();
    said(&[asked, vec!["--resume"]].concat());
    assert_eq!(games(&fleet), games(&threads));
}

#[test]
fn a_job_that_no_worker_can_do_ends_in_the_dead_letters() {
    let (nats, folder) = (Nats::start(), tempfile::tempdir().unwrap());
    let _worker = Worker::start(&nats, folder.path());
    let address = nats.address();
    // Workers allow tables of 16 megabytes here.
    let players = ["--engine", "builtin:Hash=17", "--engine", "builtin:Hash=1", "--games", "2", "--nodes", "100"];
    let fleet = ["--fleet", &address, "--fleet-tries", "1"];
    let output = run(&[&["match", "othello"], &players[..], &fleet[..]].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("2 pieces of work failed on every worker") && told.contains("Hash of 16 at most"), "{told}");
    let status = said(&["fleet", "status", "--fleet", &address]);
    assert!(status.contains("was given up after 1 attempts: this worker allows"), "{status}");
}

#[test]
fn what_a_fleet_does_not_do_is_told_in_a_sentence() {
    let nats = Nats::start();
    let address = nats.address();
    let refused = |arguments: &[&str], code: i32, says: &str| {
        let output = run(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(code) && told.contains(says) && told.lines().count() == 1, "{told}");
    };
    let game = ["match", "othello", "--nodes", "100", "--engine", "builtin", "--engine"];
    let at = |more: &[&'static str]| -> Vec<&str> { [&game[..], more].concat() };
    let nowhere = "nats://127.0.0.1:1";
    refused(&[at(&["builtin"]), vec!["--fleet", nowhere]].concat(), 1, "there is no fleet at nats://127.0.0.1:1");
    refused(&["worker", "--fleet", nowhere], 1, "there is no fleet at nats://127.0.0.1:1");
    refused(&["fleet", "status", "--fleet", nowhere], 1, "there is no fleet at nats://127.0.0.1:1");
    refused(&["fleet", "status", "--fleet", "nats://192.0.2.1"], 2, "needs TLS and credentials");
    refused(&["fleet", "cancel", "nothing", "--fleet", &address], 1, "there is no job `nothing`");
    let program = format!("cmd={},arg=uci,proto=uci", env!("CARGO_BIN_EXE_polyply"));
    let chess = ["match", "chess", "--nodes", "100", "--engine", "builtin", "--engine", &program, "--fleet", &address];
    refused(&chess, 2, "workers of a fleet play only with the built-in engine");
}

#[test]
fn a_crowded_server_has_moves_searched_by_workers() {
    let (nats, folder) = (Nats::start(), tempfile::tempdir().unwrap());
    let address = nats.address();
    let server = serving::serve_with(&folder.path().join("server"), &["--fleet", &address]);
    let _worker = Worker::with(&nats, folder.path(), &["--only", "moves"]);
    let status =
        || -> Value { serde_json::from_str(&said(&["fleet", "status", "--json", "--fleet", &address])).unwrap() };
    // No book knows this position, so the engine thinks, and all games share its engine.
    let game = json!({
        "variant": "freestyle:15", "moves": ["a1", "o15", "o1", "a15"], "move_ms": 300,
        "first": {"kind": "engine", "level": 10}, "second": {"kind": "person"},
    });
    let found = |status: &Value| status["workers"][0]["done"].as_u64().unwrap_or_default();
    // The worker runs its bench first, so the earliest games are played without it.
    while found(&status()) == 0 {
        let games: Vec<String> = (0..6)
            .map(|_| {
                let made = server.ask("POST", "/api/games", "", &game);
                format!("/api/games/{}", made["game"]["id"].as_str().unwrap())
            })
            .collect();
        for path in &games {
            while server.moves(path) < 1 {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
    let shown = server.ask("GET", "/api/fleet", "", &json!({}));
    assert_eq!(shown["jobs"][0]["class"], "live", "{shown}");
    assert!(shown["workers"][0]["name"].is_string(), "{shown}");
}
