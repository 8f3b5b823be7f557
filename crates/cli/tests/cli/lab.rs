//! `polyply lab` and what a suite keeps: files in, numbers out, one sentence for what can't be.

use crate::terminal::{output, polyply, refused};
use serde_json::Value;
use std::path::Path;

/// A match of eight games: who moves first, and the result.
fn journal(folder: &Path) -> String {
    let path = folder.join("match.jsonl");
    let game = |number: usize| {
        let (players, result) = match number {
            0 | 2 | 4 => (r#"["new","old"]"#, "1-0"),
            6 => (r#"["new","old"]"#, "1/2-1/2"),
            _ => (r#"["old","new"]"#, if number == 3 { "0-1" } else { "1-0" }),
        };
        let columns = ["d", "c", "d", "e"];
        let moves =
            columns.map(|column| format!(r#"{{"move":"{column}","score":{{"cp":5}},"depth":4,"time_ms":10.0}}"#));
        let first = ["c", "d", "e", "f"][number / 2];
        format!(
            r#"{{"number":{number},"variant":"connect4","moves_given":["{first}"],"players":{players},"moves":[{}],"result":"{result}","reason":"normal"}}"#,
            moves.join(",")
        )
    };
    let lines: String = (0..8).map(|number| game(number) + "\n").collect();
    std::fs::write(&path, lines).unwrap();
    path.display().to_string()
}

fn object(text: &str) -> Value {
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn a_report_is_a_page_and_numbers_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (games, page) = (journal(folder.path()), folder.path().join("report.html"));
    output(&["lab", "report", &games, "--sprt", "0,5", "--out", page.to_str().unwrap()]);
    let page_text = std::fs::read_to_string(&page).unwrap();
    assert!(page_text.contains("Elo over games") && page_text.contains("sequential test"));
    let numbers: Value = serde_json::from_str(&std::fs::read_to_string(page.with_extension("json")).unwrap()).unwrap();
    // 1-0 and 0-1 (a win and a loss of new), 1-0 and 0-1 by new as second (two wins), 1-0 and 1-0, a draw and a loss.
    assert_eq!(numbers["match"]["pairs"], serde_json::json!([0, 1, 2, 0, 1]));
    assert_eq!(numbers["sprt"]["decision"], "continue");
}

#[test]
fn diversity_counts_games_first_moves_and_positions() {
    let folder = tempfile::tempdir().unwrap();
    let games = journal(folder.path());
    let text = output(&["lab", "diversity", &games]);
    assert!(text.contains("8 games, 4 of them different") && text.contains("3 first moves: "), "{text}");
    let found = object(&output(&["lab", "diversity", &games, "--plies", "3,9", "--json"]));
    assert_eq!(found["positions"][0], serde_json::json!({"plies": 3, "games": 8, "different": 4}));
    assert_eq!(found["positions"][1]["games"], 0);
    // Games of self-play have a file of their own kind.
    let played = folder.path().join("played.games");
    let played = played.to_str().unwrap();
    output(&["selfplay", "freestyle:9", "--games", "2", "--nodes", "20", "--out", played]);
    assert_eq!(object(&output(&["lab", "diversity", played, "--json"]))["games"], 2);
}

#[test]
fn two_runs_of_a_suite_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let suite = "x1x/oo1/3 x; bm b3; id \"wins\"\nx2/1o1/2x o; am a1 c3; id \"edges\"\n";
    std::fs::write(file("suite"), suite).unwrap();
    let run = |out: &str, nodes: &str| {
        output(&["suite", "tictactoe", &file("suite"), "--nodes", nodes, "--hash", "1", "--out", &file(out)])
    };
    let text = run("new", "5000");
    assert!(text.contains("time to the solution: ") && text.ends_with("2/2\n"), "{text}");
    let again = ["suite", "tictactoe", &file("suite"), "--hash", "1", "--out", &file("suite")];
    refused(&again, "already exists");
    assert_eq!(std::fs::read_to_string(file("suite")).unwrap(), suite);
    // As if an older engine had failed at one.
    let kept = std::fs::read_to_string(file("new")).unwrap();
    let old = kept.replacen(r#""solved":true,"solved_after_ms""#, r#""solved":false,"was""#, 1);
    assert_ne!(kept, old);
    std::fs::write(file("old"), old).unwrap();
    let compared = output(&["lab", "compare", &file("old"), &file("new")]);
    assert!(compared.contains("gained  wins  b3") && compared.ends_with("1/2 -> 2/2\n"), "{compared}");
    let found = object(&output(&["lab", "compare", &file("new"), &file("old"), "--json"]));
    assert_eq!(found["lost"], serde_json::json!(["wins"]));
}

#[test]
fn a_build_is_as_fast_as_itself() {
    let found = object(&output(&["lab", "speed", "--old", "builtin", "--runs", "3", "--json", "tictactoe"]));
    assert_eq!(found["runs"], 3);
    assert!(found["nodes"].as_u64().unwrap() > 1000);
    assert!(found["ratio"].as_f64().unwrap() > 0.0 && found["error"].as_f64().unwrap() > 0.0);
}

const TWO_GAMES: &str =
    "[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n[White \"B\"]\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n";

#[test]
fn games_are_converted_and_what_is_wrong_is_left_out_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("two.pgn"), TWO_GAMES).unwrap();
    output(&["convert", &path("two.pgn"), "--plies", "2", "--out", &path("two.jsonl")]);
    let lines = std::fs::read_to_string(path("two.jsonl")).unwrap();
    let moves: Vec<Value> = lines.lines().map(|line| object(line)["moves"].clone()).collect();
    assert_eq!(moves[1], serde_json::json!([{"move": "e2e4"}, {"move": "c7c5"}]));
    assert_eq!((moves.len(), moves[0].as_array().unwrap().len()), (2, 2));
    std::fs::write(path("discs.txt"), "f5d6c3\nx9\nf5f6\n").unwrap();
    let convert = ["convert", &path("discs.txt"), "--variant", "othello", "--out", &path("discs.sgf")];
    let said = polyply(&convert).assert().code(1).get_output().stderr.clone();
    assert!(String::from_utf8(said).unwrap().contains("discs.txt: line 2: ply 1: the move `x9`"));
    let text = std::fs::read_to_string(path("discs.sgf")).unwrap();
    assert!(text.contains(";B[fe];W[df];B[cc])") && text.contains(";B[fe];W[ff])"), "{text}");
}

#[test]
fn a_match_that_its_file_can_not_hold_is_refused_before_it_is_played() {
    let engines = ["--engine", "builtin", "--engine", "builtin", "--nodes", "100"];
    let refuse = |variant, out, says| refused(&[&["match", variant, "--out", out], &engines[..]].concat(), says);
    refuse("chess", "games.sgf", "not of chess");
    refuse("connect4", "games.ggf", "not of connect4");
}

#[test]
fn what_the_lab_can_not_read_is_told_in_one_sentence() {
    refused(&["lab", "report", "games.odd", "--out", "x.html"], ".jsonl");
    refused(&["lab", "report", "games.pgn", "--sprt", "5", "--out", "x.html"], "elo0,elo1");
    refused(&["lab", "report", "games.pgn", "--out", "games.jsonl"], ".html");
    refused(&["lab", "diversity"], "FILES");
    refused(&["lab", "speed", "--old", "/nowhere/polyply"], "/nowhere/polyply");
    for arguments in [
        &["lab", "report", "no/such.pgn", "--out", "x.html"][..],
        &["lab", "diversity", "no/such.games"],
        &["lab", "compare", "no/such", "no/such"],
    ] {
        let said = polyply(arguments).assert().code(1).get_output().stderr.clone();
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains("no/such") && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn weights_are_learned_and_never_written_over_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (games, weights) = (path("ataxx.games"), path("ataxx.txt"));
    output(&["selfplay", "ataxx", "--nodes", "50", "--games", "12", "--out", &games]);
    let learn =
        |out: &str| ["learn", "linear", "ataxx", "--epochs", "2", "--data", &games, "--out", out].map(str::to_owned);
    for _ in 0..2 {
        let args = learn(&weights);
        assert!(output(&args.each_ref().map(String::as_str)).contains("of 12 games"));
    }
    for (out, says) in [(&games, "no file of weights"), (&path("nowhere/ataxx.txt"), "no such folder")] {
        refused(&learn(out).each_ref().map(String::as_str), says);
    }
    let spec = format!("builtin:weights={weights}");
    output(&["match", "ataxx", "--engine", &spec, "--engine", "builtin", "--games", "2", "--nodes", "50"]);
}

#[test]
fn weights_learned_while_playing_say_where_they_come_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let weights = path("learned.txt");
    let learn = ["learn", "tdleaf", "ataxx", "--games", "6", "--batch", "3", "--nodes", "30", "--out", &weights];
    let said = output(&learn);
    assert!(said.contains("games 3 ") && said.contains("games 6 "), "{said}");
    let text = std::fs::read_to_string(&weights).unwrap();
    let command = "# command: polyply learn tdleaf ataxx --start built-in --games 6 --nodes 30 --batch 3 --lambda 0.7";
    assert!(text.contains(command) && text.contains("# learned from 6 games of self-play: weights "), "{text}");
    assert!(std::fs::read_to_string(weights.clone() + ".html").unwrap().contains("Temporal differences"));
    let resume: Vec<&str> = learn.into_iter().chain(["--resume"]).collect();
    assert!(output(&resume).contains("all games were played before"));
    let longer: Vec<&str> = resume.iter().copied().map(|word| if word == "6" { "9" } else { word }).collect();
    refused(&longer, "no run to go on with");
    // What was stopped is not written over.
    std::fs::write(weights.clone() + ".checkpoint", "").unwrap();
    refused(&learn, "--resume");
    refused(&resume, "no checkpoint");
    let spec = format!("builtin:weights={weights}");
    output(&["match", "ataxx", "--engine", &spec, "--engine", "builtin", "--games", "2", "--nodes", "50"]);
}
