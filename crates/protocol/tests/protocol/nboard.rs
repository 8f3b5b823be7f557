//! NBoard as the board sees it.

use crate::talk::{Talk, script};
use polyply_protocol::nboard;

const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

/// An engine that searches: from its book it would draw another move each time.
fn engine() -> Talk {
    let mut talk = Talk::with(nboard::run);
    talk.send(&format!(
        "nboard 2\nset Hash 1\nset OwnBook off\nset depth 4\nset game (;GM[Othello]PB[a]PW[b]TY[8]{START};)"
    ));
    assert!(talk.until("set myname")[0].starts_with("set myname Polyply"));
    talk
}

/// The move of an answer.
fn answer(line: &str) -> &str {
    line.strip_prefix("=== ").and_then(|answer| answer.split('/').next()).unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn it_says_which_move_to_play_and_does_not_play_it() {
    let mut talk = engine();
    let first = talk.ask("go", "===");
    assert!(["D3", "C4", "F5", "E6"].contains(&answer(&first)), "{first}");
    let again = talk.ask("go", "===");
    assert_eq!(answer(&again), answer(&first), "it is still the same turn");
    let fields: Vec<&str> = first.split('/').collect();
    assert!(fields.len() == 3 && fields[1].parse::<f64>().is_ok() && fields[2].parse::<f64>().is_ok(), "{first}");
    talk.send("move F5/1.00/2.0");
    let reply = talk.ask("go", "===");
    assert!(["D6", "F4", "F6"].contains(&answer(&reply)), "{reply}");
}

#[test]
fn hints_are_lines_with_discs_and_depth() {
    let mut talk = engine();
    talk.send("move F5\nhint 3\nping 1");
    // A ping ends the hints, so they are asked for again without one.
    talk.until("pong 1");
    talk.send("hint 3");
    let lines = talk.until("status");
    assert_eq!(lines.last().unwrap(), "status thinking");
    let lines = talk.until("status");
    let hints: Vec<&String> = lines.iter().filter(|line| line.starts_with("search ")).collect();
    for mv in ["D6", "F4", "F6"] {
        let last = hints.iter().rfind(|line| line[7..].starts_with(mv)).unwrap_or_else(|| panic!("{mv}: {lines:#?}"));
        let words: Vec<&str> = last.split_whitespace().collect();
        assert!(words[2].parse::<f64>().unwrap().abs() <= 64.0 && words[3] == "0" && words[4] == "4", "{last}");
    }
    assert!(lines.iter().any(|line| line.starts_with("nodestats ")));
}

#[test]
fn a_ping_ends_a_search_that_nobody_hears_of_again() {
    let mut talk = engine();
    talk.send("set depth 60\ngo\nping 7");
    let lines = talk.until("pong 7");
    assert!(!lines.iter().any(|line| line.starts_with("===")), "{lines:#?}");
    talk.send("set depth 2\nmove D3\ngo");
    let reply = talk.until("===").pop().unwrap();
    assert!(["C3", "C5", "E3"].contains(&answer(&reply)), "{reply}");
}

#[test]
fn a_game_begins_with_a_move_from_the_book() {
    let mut talk = engine();
    // A search of this depth would not end.
    talk.send("set OwnBook on\nset depth 60");
    let first = talk.ask("go", "===");
    assert!(["D3", "C4", "F5", "E6"].contains(&answer(&first)), "{first}");
}

#[test]
fn a_pass_is_called_pa() {
    // A disc in the corner can't be taken by Black; White takes the one beside it.
    let board = format!("{}*O *", "-".repeat(62));
    let mut talk = Talk::with(nboard::run);
    talk.send(&format!("nboard 2\nset Hash 1\nset depth 4\nset game (;GM[Othello]BO[8 {board}];)"));
    assert_eq!(answer(&talk.ask("go", "===")), "PA");
    talk.send("move PA");
    assert_eq!(answer(&talk.ask("go", "===")), "F8");
}

#[test]
fn every_position_of_a_game_is_analysed() {
    let mut talk = Talk::with(nboard::run);
    talk.send(&format!("set Hash 1\nset depth 3\nset game (;GM[Othello]{START}B[F5]W[D6]B[C3];)\nanalyze"));
    let lines: Vec<String> = (0..4).map(|_| talk.until("analysis").pop().unwrap()).collect();
    for (line, made) in lines.iter().zip([3, 2, 1, 0]) {
        assert!(line.starts_with(&format!("analysis {made} ")), "{lines:#?}");
    }
}

#[test]
fn what_is_wrong_is_told_and_changes_nothing() {
    for bad in [
        "set game (;GM[Othello]BO[8 --- *];)",
        "set game (;GM[Othello]BO[8",
        "move A1",
        "move",
        "set depth deep",
        "hint many",
        "set NoSuch 3",
    ] {
        let bytes = format!("set Hash 1\nset depth 2\nset game (;GM[Othello]{START}B[F5];)\n{bad}\ngo\nxyzzy\nlearn\n");
        let lines = script(|input, output| nboard::run(input, output), bytes.as_bytes());
        let errors: Vec<&String> = lines.iter().filter(|line| line.starts_with("status error: ")).collect();
        assert_eq!(errors.len(), 1, "{bad}: {lines:#?}");
        let reply = lines.iter().find(|line| line.starts_with("===")).unwrap();
        assert!(["D6", "F4", "F6"].contains(&answer(reply)), "{bad}: {reply}");
        assert_eq!(lines.last().unwrap(), "learned");
    }
    let lines = script(|input, output| nboard::run(input, output), b"go\nmove F5\n");
    assert!(lines.len() == 2 && lines.iter().all(|line| line.contains("no game yet")), "{lines:#?}");
}
