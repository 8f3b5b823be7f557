//! Five in a row on the command line: rules and sizes, forced wins, suites, games with their openings.

use crate::terminal::{dialogue, file, output, polyply, refused};
use serde_json::Value;

/// The first player, to move, has three in a row, open at both ends.
const OPEN_THREE: &str = "h8 a1 i8 a3 j8 a5";
/// The second player has.
const OTHERS_OPEN_THREE: &str = "a1 h8 a3 i8 a5 j8 a9";
/// The second player, to move, can't stop four in a row.
const OPEN_FOUR: &str = "h8 a1 i8 a3 j8 a5 k8";
/// Whoever plays j10 makes two rows of three at once.
const CROSS: &str = "i10 a1 k10 c1 j9 e1 j11 g1";

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rules_and_sizes_that_there_are_not_are_refused() {
    refused(&["analyze", "caro:23"], "5 to 22, not 23");
    refused(&["analyze", "caro:4"], "5 to 22, not 4");
    refused(&["analyze", "caro:big"], "as a number");
    refused(&["analyze", "freestyle", "--rule", "komi=6"], "no rule `komi`, only: opening");
    refused(&["play", "caro", "--rule", "opening=swap3"], "none, open, pro");
    refused(&["solve", "capture", "--rule", "stones_to_win=9"], "`stones_to_win`");
    refused(&["perft", "standard", "1", "--rule", "opening"], "name=value");
    refused(&["bench", "caro", "--rule", "blocked_ends=edge"], "opponent_or_edge");
    refused(&["perft", "connect4", "1", "--rule", "opening=pro"], "no rules");
}

#[test]
fn moves_and_positions_that_cannot_be_are_refused() {
    let refuse = |variant: &str, moves: &str, says: &str| refused(&["analyze", variant, "--moves", moves], says);
    refuse("caro", "t1", "a cell from `a1` to `s19`");
    refuse("freestyle", "h16", "from `a1` to `o15`");
    refuse("freestyle", "h8 h8", "the cell `h8` is taken");
    refuse("caro", "j10 a1 k10", "your second stone must be at least 3 points away from your first");
    refuse("capture", &format!("{CROSS} j10"), "two free threes");
    refuse("freestyle", &format!("{OPEN_FOUR} a7 l8 a9"), "over");
    refused(&["solve", "freestyle", "--position", &format!("{OPEN_FOUR} a7 l8")], "over");
    refused(&["analyze", "freestyle", "--position", "15/15 x"], "15 rows");
    refused(&["analyze", "freestyle:5", "--position", "5/5/5/5/5 x 2 0"], "nothing is captured");
}

#[test]
fn rules_that_are_given_are_played_by() {
    let lines = |args: &[&str]| output(&[&["perft"], args].concat());
    assert_eq!(lines(&["freestyle:15", "2"]), "50400\n");
    assert_eq!(lines(&["caro", "1"]), "361\n");
    assert_eq!(lines(&["caro", "1", "--rule", "opening=pro"]), "1\n");
    let third = |rule| lines(&["caro:9", "1", "--position", "e5 a1", "--rule", rule]);
    assert_eq!([third("opening=none"), third("opening=pro")], ["79\n", "55\n"]);
    output(&["analyze", "capture", "--rule", "double_three=off", "--moves", &format!("{CROSS} j10"), "--depth", "1"]);
}

#[test]
fn a_win_at_hand_is_named_by_its_stage() {
    let best = |variant: &str, moves: &str| {
        let text = output(&["analyze", variant, "--rule", "opening=none", "--moves", moves, "--depth", "4", "--json"]);
        objects(&text).pop().unwrap()
    };
    for variant in ["freestyle", "standard", "caro"] {
        let won = best(variant, OPEN_THREE);
        assert_eq!((won["stage"].as_str(), won["score"]["win"].as_i64()), (Some("VCF"), Some(3)), "{variant}");
        let won = best(variant, &format!("{OPEN_FOUR} a7"));
        assert_eq!((won["stage"].as_str(), won["score"]["win"].as_i64()), (Some("immediate win"), Some(1)));
    }
}

#[test]
fn forced_wins_are_told_to_the_side_to_move() {
    let found = |moves| output(&["solve", "freestyle", "--hash", "16", "--moves", moves, "--limit", "20s"]);
    assert!(found(OPEN_THREE).contains("  win in 3  "), "{}", found(OPEN_THREE));
    assert!(found(OTHERS_OPEN_THREE).contains("  win in 3  "));
    assert!(found(OPEN_FOUR).contains("  loses in 2  "));
    let nothing = output(&["solve", "caro", "--hash", "16", "--moves", "j10 k11", "--limit", "50ms"]);
    assert!(nothing.contains("no forced win found within the limit"), "{nothing}");
}

#[test]
fn forced_wins_in_json_are_the_first_players_and_have_their_line() {
    let found = |moves| {
        let text = output(&["solve", "standard", "--hash", "16", "--moves", moves, "--limit", "20s", "--json"]);
        objects(&text).pop().unwrap()
    };
    for (moves, win) in [(OPEN_THREE, 3), (OTHERS_OPEN_THREE, -3), (OPEN_FOUR, 2)] {
        let solution = found(moves);
        assert_eq!(solution["score"], serde_json::json!({ "win": win }), "{moves}");
        assert_eq!(solution["solved"], true);
        assert_eq!(solution["line"].as_array().unwrap().len() as i64, i64::abs(win), "{solution}");
    }
    let nothing = output(&["solve", "freestyle", "--hash", "16", "--limit", "50ms", "--json"]);
    assert_eq!(objects(&nothing)[0]["solved"], false);
}

#[test]
fn a_file_of_positions_is_solved_line_by_line() {
    let file = file(&format!("# three\n{OPEN_THREE}\nh8 h8\n{OPEN_FOUR} # lost\n"));
    let path = file.path().to_str().unwrap();
    let run = polyply(&["solve", "freestyle", path, "--hash", "16"]).assert().code(1).get_output().clone();
    let (out, errors) = (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap());
    assert!(out.ends_with("2/3 solved\n"), "{out}");
    assert!(errors.contains("line 3") && errors.contains("`h8` is taken"), "{errors}");
}

#[test]
fn every_move_is_tried_for_a_forced_win() {
    let moves =
        ["solve", "freestyle:6", "--hash", "16", "--position", "6/6/6/xxxx2/6/ooo3 o", "--all", "--limit", "1s"];
    let text = output(&[&moves[..], &["--json"]].concat());
    let values = objects(&text);
    assert_eq!(values.len(), 29);
    let win = |mv: &str| values.iter().find(|value| value["move"] == mv).unwrap()["score"]["win"].as_i64();
    assert_eq!(win("a6"), Some(2), "the first player makes five");
}

/// Positions of the game with wins that the solver has proven.
fn suite(variant: &str) -> String {
    format!("{}/tests/data/{variant}.jsonl", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn our_suites_are_solved() {
    for variant in ["freestyle", "standard", "caro", "capture"] {
        let text = output(&["suite", variant, &suite(variant), "--nodes", "200000", "--hash", "16"]);
        let (solved, total) = text.lines().last().unwrap().split_once('/').unwrap();
        assert_eq!(solved, total, "{text}");
        assert_eq!(text.matches("  solved  ").count().to_string(), total, "{text}");
    }
}

#[test]
fn a_suite_counts_what_is_found() {
    let file = file(&format!(
        "{OPEN_THREE}; bm g8 k8; id \"open three\"\n# lost cause\n{OPEN_THREE}; bm a7\n\
         {{\"position\": \"{OPEN_THREE}\", \"avoid\": [\"a7\"], \"win\": 3}}\n\
         {{\"position\": \"{OPEN_THREE}\", \"best\": \"g8, k8\", \"win\": 1, \"id\": \"#4\"}}\n"
    ));
    let path = file.path().to_str().unwrap();
    let text = output(&["suite", "freestyle", path, "--time", "2s", "--hash", "1"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("open three  solved  "), "{text}");
    assert!(lines[1].contains("  failed  ") && lines[1].contains("instead of a7"), "{text}");
    assert!(lines[2].contains("  solved  "), "{text}");
    assert!(lines[3].starts_with("#4  failed") && lines[3].contains("with a win in 1"), "{text}");
    assert!(lines[4].starts_with("time to the solution: "), "{text}");
    assert_eq!(lines[5], "2/4");
    let found = objects(&output(&["suite", "freestyle", path, "--nodes", "9999", "--hash", "1", "--json"]));
    assert_eq!((&found[0]["solved"], &found[1]["solved"]), (&Value::Bool(true), &Value::Bool(false)));
    assert!(found[0]["solved_after_ms"].is_u64() && found[1]["solved_after_ms"].is_null());
    assert_eq!((&found[4]["solved"], &found[4]["total"]), (&2.into(), &4.into()));
}

#[test]
fn every_game_has_suites() {
    let file = file("oo1/xx1/3 x; bm c2\n");
    let text = output(&["suite", "tictactoe", file.path().to_str().unwrap(), "--nodes", "1000", "--hash", "1"]);
    assert!(text.ends_with("1/1\n"), "{text}");
}

#[test]
fn bad_lines_of_a_suite_are_told_and_the_rest_is_tried() {
    let file = file(&format!("{{\n{OPEN_THREE}; bm g8 k8\nh8 h8; bm a1\nh8\n"));
    let path = file.path().to_str().unwrap();
    let run = polyply(&["suite", "freestyle", path, "--hash", "1"]).assert().code(1).get_output().clone();
    let (out, errors) = (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap());
    assert!(out.ends_with("1/1\n"), "{out}");
    let errors: Vec<&str> = errors.lines().collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    for (error, says) in
        errors.iter().zip(["line 1: this is not a JSON", "line 3: the position", "line 4: there is no best move"])
    {
        assert!(error.contains(says), "{error}");
    }
    assert!(errors[3].contains("of 4 lines, 3 refused"));
    refused(&["suite", "freestyle", "no/such/file"], "no/such/file");
    refused(&["suite", "freestyle", path, "--time", "1s", "--nodes", "5"], "--nodes");
}

#[test]
fn a_game_is_played_to_five_in_a_row() {
    let players = ["play", "standard", "--first", "me", "--second", "me", "--hash", "1"];
    let text = dialogue(&players, &format!("{}\nundo\nredo\nl8\nquit\n", format!("{OPEN_FOUR} a7").replace(' ', "\n")));
    assert!(text.contains("x has won: the first player has won."), "{text}");
    let text = dialogue(&players, "h8\nh8\nz9\nhelp\nboard\n");
    assert!(text.contains("`h8` is taken") && text.contains("not `z9`"), "{text}");
}

#[test]
fn the_engine_answers_and_gives_hints() {
    let players = ["play", "caro", "--time", "50ms", "--hash", "1"];
    // The engine's stone may lie on one of the two cells, not on both.
    let text = dialogue(&players, "j10\nhint\nk10\ni10\nundo\nredo\nresign\n");
    assert!(text.contains("o plays "), "{text}");
    assert!(text.contains("your second stone must be at least 3 points away from your first"), "{text}");
    assert!(text.contains("x resigns"), "{text}");
}

#[test]
fn the_largest_board_fits_a_terminal() {
    for variant in ["caro:19", "capture:22"] {
        let text = dialogue(&["play", variant, "--second", "me", "--hash", "1"], "j10\nquit\n");
        let rows: Vec<&str> = text.lines().filter(|line| line.contains(". . .")).collect();
        assert!(rows.len() >= 2 * 18 && rows.iter().all(|row| row.len() < 80), "{text}");
    }
}

#[test]
fn captured_stones_are_counted() {
    let text = dialogue(&["play", "capture", "--second", "me", "--hash", "1"], "j10\nk10\na1\nl10\nm10\n");
    assert!(text.contains("captured: x 2, o 0"), "{text}");
}

#[test]
fn two_people_bargain_by_swap2() {
    let bargain = ["play", "freestyle", "--rule", "opening=swap2", "--second", "me", "--hash", "1"];
    let text =
        dialogue(&bargain, "h8\nundo\ni9\nh9\nh10\nstay\nj10\nnew\nh8\ni9\nh9\nplace_two\na1\na2\nplace_two\nswap\n");
    assert!(text.contains("First settle who plays first"), "{text}");
    assert!(text.contains("`place_two` to place two more stones"), "{text}");
    assert!(text.contains("`h10` is no choice") && text.contains("`place_two` is no choice"), "{text}");
    assert!(text.contains("The one who opened plays x.") && text.contains("The one who responded plays x."), "{text}");
    assert!(text.ends_with("o> \n"), "{text}");
}

#[test]
fn the_engine_bargains() {
    let swap = |first, input| {
        let rule = ["--rule", "opening=swap", "--time", "100ms", "--hash", "1"];
        dialogue(&[&["play", "freestyle", "--first", first], &rule[..]].concat(), input)
    };
    // A fork in the middle is worth having, stones in the corners are not.
    let text = swap("me", "h8\na1\ni9\n");
    assert!(text.contains("The engine chooses: swap") && text.contains("The engine plays x, you play o."), "{text}");
    let text = swap("me", "a1\nh8\no15\n");
    assert!(text.contains("The engine chooses: stay") && text.contains("You play x, the engine plays o."), "{text}");
    assert!(text.contains("o plays "), "{text}");
    let text = swap("engine", "swap\nundo\n");
    assert!(text.contains("The engine places ") && text.contains("You play x, the engine plays o."), "{text}");
    assert!(text.contains("There is no move of yours to take back."), "{text}");
}

#[test]
fn the_bench_counts_the_games_it_is_asked_for() {
    let text = output(&["bench", "capture:15", "--option", "lmr=1", "--hash", "16"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("capture:15  h8 i9"), "{text}");
    let last: Vec<&str> = lines.last().unwrap().split(' ').collect();
    assert!(
        matches!(last[..], [nodes, "nodes", nps, "nps"] if nodes.parse::<u64>().is_ok() && nps.parse::<u64>().is_ok())
    );
    let help = output(&["--help"]);
    for variant in ["freestyle", "standard", "caro", "capture"] {
        assert!(help.contains(variant), "{variant}");
    }
}
