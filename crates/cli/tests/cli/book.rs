//! `polyply book`: built, filled, shown and converted, whatever kills it.

use crate::terminal::{output, polyply, refused};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A game that White wins, one that is drawn, and one with an illegal move.
const GAMES: &str = "[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
                     [Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n[Result \"0-1\"]\n\n1. e4 e9 0-1\n";

/// How long to wait before looking again at a file that another process writes.
const POLL: Duration = Duration::from_millis(2);

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

/// A run that can't be done: exit code 1, and a sentence that contains `says`.
#[track_caller]
fn fails(args: &[&str], says: &str) -> String {
    let output = polyply(args).assert().code(1).get_output().clone();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(says), "{told}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn games_fill_a_book_and_a_bad_one_is_named_and_left_out() {
    let folder = Folder::new();
    let (games, book) = (folder.path("games.pgn"), folder.path("own.db"));
    std::fs::write(&games, GAMES).unwrap();
    let made = fails(&["book", "import", "chess", &games, "--out", &book], "game 3, line 11: ply 2");
    assert!(made.contains("2 added") && made.contains("9 moves of 8 positions"), "{made}");
    // The same games count once.
    let again = fails(&["book", "import", "chess", &games, "--out", &book], "1 games or lines");
    assert!(again.contains("imported before"), "{again}");
    let shown = output(&["book", "show", "chess", "--book", &book, "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!((&shown["moves"][0]["move"], &shown["moves"][0]["won"]), (&"e2e4".into(), &1.into()));
    assert_eq!((&shown["moves"][1]["move"], &shown["moves"][1]["drawn"]), (&"d2d4".into(), &1.into()));
    assert_eq!(output(&["book", "probe", "chess", "--book", &book]), "e2e4\n");
    fails(&["book", "probe", "chess", "--book", &book, "--moves", "a2a3"], "does not know");
}

#[test]
fn a_book_is_written_for_polyglot_and_read_back() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    std::fs::write(path("games.pgn"), GAMES).unwrap();
    fails(&["book", "import", "chess", &path("games.pgn"), "--out", &path("own.db")], "left out");
    output(&["book", "export", "chess", "--book", &path("own.db"), "--out", &path("own.bin")]);
    assert!(output(&["book", "show", "chess", "--book", &path("own.bin")]).starts_with("e2e4    66.7 %"));
    // A move that has only lost has no weight, and a Polyglot book leaves it out with what comes after it.
    let again = output(&["book", "import", "chess", &path("own.bin"), "--out", &path("again.db")]);
    assert!(again.contains("2 added") && again.contains("3 moves of 2 positions"), "{again}");
    let shown = output(&["book", "show", "chess", "--book", &path("again.db")]);
    assert!(shown.starts_with("e2e4    66.7 %"), "{shown}");
    let own = output(&["book", "show", "chess", "--book", &path("own.db"), "--moves", "e4", "--json"]);
    output(&["book", "export", "chess", "--book", &path("own.db"), "--out", &path("own.book")]);
    assert_eq!(output(&["book", "show", "chess", "--book", &path("own.book"), "--moves", "e4", "--json"]), own);
    output(&["book", "export", "chess", "--book", &path("own.db"), "--out", &path("own.jsonl")]);
    assert_eq!(std::fs::read_to_string(path("own.jsonl")).unwrap().lines().count(), 8);
}

#[test]
fn what_makes_no_sense_is_refused_in_a_sentence() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name);
    std::fs::write(path("junk.bin"), "junk").unwrap();
    std::fs::write(path("junk.db"), "SQLite format 3\0 and then nothing that makes sense").unwrap();
    refused(&["book", "burn"], "burn");
    refused(&["book", "show"], "VARIANT");
    refused(&["book", "build", "caro", "--out", &path("x.db"), "--margin", "-1"], "negative");
    fails(&["book", "show", "chess", "--book", &path("none.bin")], "none.bin");
    fails(&["book", "show", "chess", "--book", &path("junk.bin")], "16 bytes a move");
    fails(&["book", "show", "othello", "--book", &path("junk.bin")], "not an opening book");
    fails(&["book", "show", "othello", "--book", &path("junk.db")], "not an opening book");
    fails(&["book", "build", "othello", "--out", &path("junk.db")], "not an opening book");
    output(&["book", "build", "tictactoe", "--out", &path("t.db"), "--positions", "3", "--nodes", "100"]);
    fails(&["book", "show", "othello", "--book", &path("t.db")], "a book for tictactoe, not for othello");
    fails(&["book", "build", "othello", "--out", &path("t.db")], "a book for tictactoe, not for othello");
    refused(&["book", "export", "tictactoe", "--book", &path("t.db"), "--out", &path("t.bin")], "Polyglot");
    refused(&["book", "export", "tictactoe", "--book", &path("t.db"), "--out", &path("t.xyz")], ".jsonl");
}

/// How much of a build is in its file, as another process sees it: positions, and moves that were checked. Killed before
/// the first transaction, it is no book yet.
fn steps(book: &str) -> u64 {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let steps = "SELECT (SELECT count(*) FROM positions) + (SELECT count(*) FROM moves WHERE checked > 0)";
    let connection = rusqlite::Connection::open_with_flags(book, flags);
    let steps = connection.and_then(|connection| connection.query_row(steps, [], |row| row.get::<_, i64>(0)));
    steps.map_or(0, |steps| steps as u64)
}

/// Kills a build again and again, each time after a few steps more, until it has ended. It must lose nothing, and make
/// the same book as a build that was not killed. Returns how often it was killed.
fn kill_builds(positions: &str) -> usize {
    let folder = Folder::new();
    let args = |book: &str| -> Vec<String> {
        let size = ["--positions", positions, "--nodes", "3000", "--check", "3000", "--hash", "1"];
        [&["book", "build", "othello", "--out", book], &size[..]].concat().into_iter().map(str::to_owned).collect()
    };
    let killed = folder.path("killed.db");
    let (mut known, mut kills) = (0, 0);
    loop {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("polyply"))
            .args(args(&killed))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Kill it in the middle of whatever it does next.
        while child.try_wait().unwrap().is_none() && steps(&killed) < known + 3 {
            std::thread::sleep(POLL);
        }
        let has_ended = child.try_wait().unwrap().is_some();
        let _ = child.kill();
        child.wait().unwrap();
        let now = steps(&killed);
        assert!(now >= known, "{now} after {known}");
        known = now;
        if has_ended {
            break;
        }
        kills += 1;
    }
    let run = |book: &str| output(&args(book).iter().map(String::as_str).collect::<Vec<_>>());
    run(&killed);
    let whole = folder.path("whole.db");
    run(&whole);
    for (book, name) in [(&killed, "killed.jsonl"), (&whole, "whole.jsonl")] {
        output(&["book", "export", "othello", "--book", book, "--out", &folder.path(name)]);
    }
    let [one, other] = ["killed.jsonl", "whole.jsonl"].map(|name| std::fs::read(folder.path(name)).unwrap());
    assert!(one == other, "the book depends on how often its build was stopped");
    assert_eq!(steps(&killed), steps(&whole));
    kills
}

#[test]
fn a_build_that_is_killed_again_and_again_loses_nothing_and_ends_like_one_that_was_not() {
    let kills = kill_builds("20");
    assert!(kills >= 5, "{kills}");
}

#[test]
#[ignore = "it kills 70 builds and more; `cargo xtask test --long` runs it"]
fn a_build_that_is_killed_seventy_times_loses_nothing() {
    let kills = kill_builds("200");
    assert!(kills >= 70, "{kills}");
}

#[test]
fn openings_are_balanced_and_a_match_reads_them() {
    let folder = Folder::new();
    let path = folder.path("xot.txt");
    let find = |count: &str| {
        let args = ["book", "openings", "othello", "--plies", "8", "--within", "2", "--nodes", "500", "--out", &path];
        output(&[&args[..], &["--count", count, "--threads", "2"]].concat())
    };
    assert!(find("3").starts_with("3 openings"));
    let first = std::fs::read_to_string(&path).unwrap();
    assert!(find("6").starts_with("6 openings"));
    let all = std::fs::read_to_string(&path).unwrap();
    assert!(all.starts_with(&first) && all.lines().count() == 6);
    let args = ["match", "othello", "--engine", "builtin:name=a", "--engine", "builtin:name=b", "--nodes", "50"];
    output(&[&args[..], &["--games", "2", "--openings", &path]].concat());
}

#[test]
fn two_do_not_write_to_one_file() {
    let folder = Folder::new();
    let path = folder.path("games");
    let file = std::fs::File::create(&path).unwrap();
    file.lock().unwrap();
    let busy = |args: &[&str]| {
        let failed = polyply(&[args, &["--out", &path]].concat()).output().unwrap();
        let says = String::from_utf8_lossy(&failed.stderr).into_owned();
        assert!(!failed.status.success() && says.contains("another process is writing to this file"), "{says}");
    };
    busy(&["book", "openings", "othello", "--plies", "8", "--nodes", "500"]);
    busy(&["selfplay", "connect4", "--nodes", "50", "--games", "2"]);
    drop(file);
    output(&["selfplay", "connect4", "--nodes", "50", "--games", "2", "--out", &path]);
}
