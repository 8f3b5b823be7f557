//! The command line as other programs see it: output, errors, exit codes.

use crate::terminal::{dialogue, file, output, polyply, refused};
use serde_json::Value;

/// A position of Pascal Pons' easiest set; the first player wins on ply 41.
const LATE: &str = "2252576253462244111563365343671351441";

#[test]
fn a_bad_call_is_told_in_one_sentence() {
    refused(&["analyze", "chekers"], "tictactoe, connect4");
    refused(&["analyze", "connect4:9"], "one size");
    refused(&["checkmate"], "checkmate");
    refused(&["analyze"], "VARIANT");
    refused(&["analyze", "connect4", "--position", "49"], "`49`");
    refused(&["analyze", "connect4", "--moves", "d h"], "`h`");
    refused(&["analyze", "connect4", "--position", "4455663"], "over");
    refused(&["analyze", "connect4", "--depth", "-3"], "-3");
    refused(&["analyze", "connect4", "--depth", "0"], "1..=255");
    refused(&["analyze", "connect4", "--time", "5"], "500ms");
    refused(&["analyze", "connect4", "--multipv", "0"], "multipv");
    refused(&["perft", "connect4", "-1"], "-1");
    refused(&["solve", "connect4", "no/such/file"], "no/such/file");
    refused(&["play", "connect4", "--first", "nobody"], "nobody");
    refused(&["selfplay", "go", "--out", "games"], "freestyle");
    refused(&["selfplay", "caro:x", "--out", "games"], "number");
    refused(&["selfplay", "caro", "--rule", "exact_five=1", "--out", "games"], "true, false");
    refused(&["selfplay", "freestyle"], "--out");
    refused(&["learn", "linear", "freestyle", "--out", "weights"], "--data");
    refused(&["learn", "linear", "connect4", "--data", "games", "--out", "weights"], "without weights");
    refused(&["learn", "order", "chess", "--data", "games", "--out", "weights"], "orders its moves without weights");
    refused(&["learn", "probcut", "chess", "--data", "games"], "does not predict");
    refused(&["learn", "net", "othello", "--data", "games", "--out", "net"], "no features for a net");
    refused(&["learn", "net", "chess", "--data", "games", "--out", "net", "--rate", "0"], "--rate");
    refused(&["learn", "linear", "chess", "--data", "no/such", "--start", "no/file", "--out", "w"], "no/file");
    refused(&["learn", "tdleaf", "connect4", "--out", "w"], "without weights");
    refused(&["learn", "tdleaf", "ataxx", "--out", "w", "--lambda", "1.1"], "between 0 and 1");
    refused(&["learn", "tdleaf", "ataxx", "--out", "w", "--rate", "0"], "above 0");
    refused(&["learn", "tdleaf", "ataxx", "--out", "w", "--batch", "0"], "--batch");
    refused(&["learn", "tdleaf", "ataxx", "--out", "w", "--start", "no/file"], "no/file");
}

#[test]
fn sizes_that_no_machine_has_are_refused() {
    refused(&["analyze", "connect4", "--hash", "0"], "from 1 to");
    refused(&["analyze", "connect4", "--hash", "1048577"], "1048576");
    refused(&["solve", "connect4", "--hash", "99999999999999999999"], "hash");
    refused(&["bench", "connect4", "--threads", "100000"], "Threads");
    refused(&["analyze", "connect4", "--threads", "0"], "Threads");
}

#[test]
fn options_are_set_by_name_and_refused_by_name() {
    refused(&["analyze", "connect4", "--option", "colour=1"], "`colour`");
    refused(&["analyze", "connect4", "--option", "lmr=2"], "`lmr`");
    refused(&["play", "connect4", "--option", "lmr=much"], "`much`");
    refused(&["solve", "connect4", "--option", "lmr"], "name=value");
    let nodes = |option: &str| {
        let text = output(&["analyze", "connect4", "--depth", "8", "--option", option, "--json"]);
        serde_json::from_str::<Value>(text.lines().last().unwrap()).unwrap()["counters"]["reductions"].as_u64().unwrap()
    };
    assert!(nodes("lmr=1") > 0);
    assert_eq!(nodes("LMR=off"), 0);
}

#[test]
fn every_flag_of_every_command_has_its_help() {
    for command in ["play", "analyze", "perft", "bench", "solve", "suite", "gomocup"] {
        let help = output(&[command, "-h"]);
        for line in help.lines().filter(|line| line.trim_start().starts_with("--")) {
            let described = line.trim().split_once("  ").is_some_and(|(_, help)| !help.trim().is_empty());
            assert!(described, "{command}: {line}");
        }
    }
    assert!(output(&["--help"]).contains("connect4"));
    assert!(output(&["--version"]).starts_with("polyply "));
}

#[test]
fn analysis_in_json_is_one_object_a_line_from_the_first_players_side() {
    // The second player is to move and loses, so the score is a win.
    let text = output(&["analyze", "connect4", "--moves", "4 4 5,5,6", "--depth", "5", "--multipv", "2", "--json"]);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (best, infos) = lines.split_last().unwrap();
    assert!(infos.len() >= 2);
    for info in infos {
        assert_eq!(info["type"], "info");
        for field in ["depth", "seldepth", "multipv", "nodes", "time_ms", "nps", "fill"] {
            assert!(info[field].is_u64(), "{field}: {info}");
        }
        assert!(info["score"].is_object() && info["line"].is_array() && info["stage"].is_string(), "{info}");
    }
    assert_eq!(best["type"], "best");
    assert_eq!(best["score"]["win"], 2);
    assert_eq!(best["lines"].as_array().unwrap().len(), 2);
    assert_eq!(best["move"], best["lines"][0]["line"][0]);
}

#[test]
fn analysis_in_words_ends_with_the_move() {
    let text = output(&["analyze", "tictactoe", "--position", "oo1/xx1/3 x", "--depth", "3"]);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("best c2") && last.contains("first player wins in 1 ply"), "{last}");
}

#[test]
fn perft_ends_with_the_count() {
    assert_eq!(output(&["perft", "tictactoe", "4"]), "3024\n");
    assert_eq!(output(&["perft", "connect4", "0"]), "1\n");
    let divided = output(&["perft", "connect4", "3", "--position", "444444", "--divide"]);
    let (counts, last) = divided.trim_end().rsplit_once('\n').unwrap();
    let sum: u64 = counts.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!((counts.lines().count(), last), (6, "216"));
    assert_eq!(sum, 216);
}

#[test]
fn the_bench_counts_the_same_nodes_in_every_process() {
    let last = || output(&["bench", "tictactoe"]).lines().last().unwrap().to_owned();
    let words: Vec<String> = last().split(' ').map(str::to_owned).collect();
    assert!(matches!(&words[..], [_, nodes, _, nps] if nodes == "nodes" && nps == "nps"), "{words:?}");
    assert!(words[2].parse::<u64>().is_ok());
    assert_eq!(last().split(' ').next(), Some(words[0].as_str()));
}

#[test]
fn a_position_is_solved_in_words() {
    let text = output(&["solve", "tictactoe", "--hash", "1"]);
    assert!(text.contains("draw"), "{text}");
    // The same position as moves from the start: then the ply is that of the game.
    let moves: String = LATE.chars().flat_map(|column| [column, ' ']).collect();
    let text = output(&["solve", "connect4", "--moves", &moves, "--hash", "1"]);
    assert!(text.contains("first player wins on ply 41"), "{text}");
}

#[test]
fn every_move_is_solved() {
    let text = output(&["solve", "connect4", "--position", LATE, "--all", "--json", "--hash", "1"]);
    let values: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<_> = values.iter().map(|value| (value["move"].as_str(), value["score"]["win"].as_i64())).collect();
    assert_eq!(found, [(Some("f"), Some(4)), (Some("g"), Some(2))]);
}

#[test]
fn a_bad_line_of_a_file_is_told_and_the_rest_is_solved() {
    let file = file(&format!(
        "# late positions\n{LATE} -1\n\n4459\n{LATE} 2 # wrong\n23163416124767223154467471272416755633 0\n"
    ));
    let path = file.path().to_str().unwrap();
    let run = polyply(&["solve", "connect4", path, "--hash", "1"]).assert().code(1).get_output().clone();
    let (out, errors) = (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap());
    assert!(out.ends_with("3/4 solved\n"), "{out}");
    assert_eq!(out.matches("but the file says").count(), 1, "{out}");
    assert!(errors.lines().next().unwrap().contains("line 4"), "{errors}");
    assert!(errors.contains("1 refused and 1 with another score"), "{errors}");
}

#[test]
fn a_limit_ends_a_solution_that_takes_too_long() {
    let text = output(&["solve", "connect4", "--limit", "20ms", "--hash", "1", "--json"]);
    let solution: Value = serde_json::from_str(text.trim_end()).unwrap();
    assert_eq!((&solution["solved"], &solution["score"]), (&Value::Bool(false), &Value::Null));
}

#[test]
fn two_people_play_to_the_end() {
    let text = dialogue(
        &["play", "connect4", "--first", "me", "--second", "me", "--hash", "1"],
        "4\n4\n5\n5\n9\n6\n6\nmoves\n3\n1\nquit\n",
    );
    assert!(text.contains("x has won: the first player has won."), "{text}");
    assert!(text.contains("the move `9` is refused"), "{text}");
    assert!(text.contains("a b c d e f g\n"), "{text}");
    assert!(text.contains("`new` begins another"), "{text}");
}

#[test]
fn the_engine_takes_what_it_is_given() {
    // The engine, to move, completes its row.
    let text = dialogue(&["play", "tictactoe", "--first", "engine", "--position", "oo1/xx1/3 x", "--hash", "1"], "");
    assert!(text.contains("x plays c2") && text.contains("x has won"), "{text}");
}

#[test]
fn the_engine_draws_with_itself() {
    let text = output(&["play", "tictactoe", "--first", "engine", "--second", "engine", "--hash", "1"]);
    assert!(text.contains("It is a draw."), "{text}");
}

#[test]
fn moves_are_taken_back_and_played_again_together_with_the_engines() {
    let text =
        dialogue(&["play", "tictactoe", "--hash", "1"], "b2\nundo\nundo\nredo\nredo\nhint\nhelp\nresign\nundo\nnew\n");
    assert_eq!(text.matches("There is no move of yours to take back.").count(), 1, "{text}");
    assert_eq!(text.matches("Nothing was taken back.").count(), 1, "{text}");
    assert!(text.contains("x resigns: o has won."), "{text}");
}

#[test]
fn the_menu_offers_levels_and_fits_a_small_terminal() {
    let text = dialogue(&["menu"], "tictactoe\n1\n");
    assert!(text.contains("3  casual") && text.contains("10  full strength"), "{text}");
    // A person ends each answer with a line feed, which a pipe does not show.
    let text = text.replace("]: ", "]: \n");
    assert!(text.lines().count() < 24 && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let text = dialogue(&["play", "caro", "--idle", "off"], "quit\n");
    assert!(text.lines().count() <= 24 && text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let text = dialogue(&["menu"], "tictactoe\n2\n1\nquit\n");
    assert!(text.contains("plays"), "{text}");
}

#[test]
fn only_the_best_values_are_listed_unless_all_are_asked_for() {
    let args = ["play", "freestyle", "--level", "1", "--time", "50ms", "--idle", "off"];
    let text = dialogue(&args, "values\nquit\n");
    assert!(text.contains("215 more: `values all`"), "{text}");
    let text = dialogue(&["play", "tictactoe", "--time", "50ms", "--idle", "off"], "values all\nquit\n");
    assert!(!text.contains("more:"), "{text}");
}

#[test]
fn the_end_of_the_input_ends_the_game_and_the_menu() {
    let text = dialogue(&["play", "connect4", "--first", "me", "--second", "me", "--hash", "1"], "4\n4");
    assert!(text.ends_with("x> \n"), "{text}");
    for input in ["", "1\n", "7\n1\n2\n", "tictactoe\n1\n0.01\nb2\n"] {
        assert!(dialogue(&["menu"], input).contains("What shall we play?"));
    }
}

#[test]
fn a_snapshot_brings_back_what_was_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table").display().to_string();
    let solve = ["solve", "connect4", "--position", "274552224131661", "--hash", "16", "--json", "--snapshot", &path];
    let nodes =
        || serde_json::from_str::<Value>(output(&solve).lines().next().unwrap()).unwrap()["nodes"].as_u64().unwrap();
    let (first, second) = (nodes(), nodes());
    assert!(second * 100 < first, "{second} nodes after {first}");
}

/// The last line of an analysis of this depth, which loads and saves a snapshot.
fn analysis_with(snapshot: &str, depth: &str) -> Value {
    let args = ["analyze", "freestyle", "--moves", "h8 i9", "--depth", depth, "--snapshot", snapshot, "--json"];
    serde_json::from_str(output(&args).lines().last().unwrap()).unwrap()
}

#[test]
fn a_shallow_analysis_answers_from_a_deep_snapshot_and_does_not_spoil_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table").display().to_string();
    let deep = analysis_with(&path, "13");
    assert_eq!(deep["lines"][0]["depth"], 13);
    // The third run finds what the second one has left.
    for run in 2..=3 {
        let shallow = analysis_with(&path, "1");
        assert_eq!(shallow["move"], deep["move"], "run {run}");
        assert_eq!(shallow["score"], deep["score"], "run {run}");
        assert_eq!(shallow["lines"][0]["depth"], 13, "run {run}");
    }
}

#[test]
fn an_analysis_tells_how_often_the_table_had_what_was_looked_up() {
    let best: Value =
        serde_json::from_str(output(&["analyze", "connect4", "--depth", "8", "--json"]).lines().last().unwrap())
            .unwrap();
    let count = |name: &str| best["counters"][name].as_f64().unwrap();
    let rate = best["rates"]["tt_hits"].as_f64().unwrap();
    assert!(rate > 0.0 && (rate - count("tt_hits") / count("tt_probes")).abs() < 1e-9);
    let bands = ["0", "1", "2_3", "4_7", "8_15", "16"];
    let probes: f64 = bands.iter().map(|band| count(&format!("tt_probes_depth_{band}"))).sum();
    assert_eq!(probes, count("tt_probes"));
    assert!(best["rates"]["tt_hits_depth_2_3"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_damaged_snapshot_is_refused_by_name() {
    let damaged = file("not a table");
    let path = damaged.path().display().to_string();
    let output =
        polyply(&["analyze", "connect4", "--depth", "3", "--snapshot", &path]).assert().code(1).get_output().clone();
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(sentence.lines().count() == 1 && sentence.contains(&path), "{sentence}");
}

#[test]
fn a_game_goes_on_while_the_engine_improves_its_table() {
    let printed = dialogue(&["play", "connect4", "--idle", "100%", "--time", "20ms"], "d\nd\nquit\n");
    assert_eq!(printed.matches("o plays").count(), 2, "{printed}");
}

#[test]
fn a_share_of_a_processor_is_off_or_a_number_of_percent() {
    for wrong in ["25", "101%", "-5%", "on", ""] {
        let share = format!("--idle={wrong}");
        let output = polyply(&["play", "connect4", &share]).assert().code(2).get_output().clone();
        assert!(String::from_utf8(output.stderr).unwrap().contains("a share is `off` or"), "{wrong}");
    }
    dialogue(&["play", "connect4", "--idle", "off", "--time", "10ms"], "quit\n");
    polyply(&["serve", "--hash", "256", "--memory", "100"]).assert().code(2);
}

#[test]
fn what_idle_improvement_is_worth_is_measured() {
    let test =
        ["lab", "idle", "tictactoe", "--openings", "2", "--plies", "1", "--nodes", "50", "--steps", "3", "--hash", "1"];
    let run = || String::from_utf8(polyply(&test).assert().success().get_output().stdout.clone()).unwrap();
    let printed = run();
    assert!(printed.contains("idle improvement") && printed.contains("after idling: of"), "{printed}");
    assert_eq!(run(), printed, "steps make it the same in every run");
    let json = [&test[..], &["--json"]].concat();
    let output = polyply(&json).assert().success().get_output().clone();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report["type"].as_str(), report["variant"].as_str()), (Some("idle"), Some("tictactoe")));
}

#[test]
fn a_gomocup_manager_is_answered_under_both_names() {
    let brain = assert_cmd::Command::cargo_bin("pbrain-polyply").unwrap();
    for mut command in [polyply(&["gomocup"]), brain] {
        let script = "INFO hash_size 1024\r\nINFO OwnBook 0\r\nINFO max_node 500\r\nSTART 15\r\nBEGIN\r\nTURN 0,0\r\nTURN 0,0\r\nEND\r\n";
        let output = command.write_stdin(script).assert().success().get_output().clone();
        let text = String::from_utf8(output.stdout).unwrap();
        let answers: Vec<&str> = text.lines().filter(|line| !line.starts_with("MESSAGE")).collect();
        assert_eq!(answers[..2], ["OK", "7,7"]);
        assert!(answers[2].split_once(',').is_some() && answers[3].starts_with("ERROR"), "{text}");
        assert_eq!((answers.len(), output.stderr.len()), (4, 0));
    }
}

/// The arguments of a match at few nodes.
fn match_args<'a>(engines: &[&'a str], rest: &[&'a str]) -> Vec<&'a str> {
    let engines = engines.iter().flat_map(|&engine| ["--engine", engine]);
    ["match", "connect4", "--nodes", "50"].into_iter().chain(engines).chain(rest.iter().copied()).collect()
}

#[test]
fn a_match_that_makes_no_sense_is_told_in_one_sentence() {
    let both = ["builtin", "builtin:lmr=0"];
    refused(&match_args(&["builtin"], &[]), "two engines");
    refused(&match_args(&["builtin", "builtin:speed=1"], &[]), "`speed`");
    refused(&match_args(&["builtin", "cmd=/no/such/engine,proto=uci"], &[]), "/no/such/engine");
    refused(&match_args(&["builtin", "cmd=polyply,proto=gomocup"], &[]), "freestyle, standard");
    refused(&match_args(&both, &["--tc", "soon"]), "40/60+0.6");
    refused(&match_args(&both, &["--sprt", "5,0"]), "smaller one first");
    refused(&match_args(&both, &["--openings", "no/such/file"]), "no/such/file");
    refused(&match_args(&both, &["--resign", "score=much"]), "score=1000");
    refused(&match_args(&both, &["--concurrency", "0"]), "concurrency");
    refused(&match_args(&both, &["--resume"]), "--out");
    refused(&["match", "connect4", "--engine", "builtin", "--engine", "builtin"], "needs a limit");
    refused(&["tournament", "no/such/file"], "no/such/file");
    refused(&["lab", "ablate", "connect4", "--only", "colour"], "`colour`");
}

#[test]
fn a_match_says_how_much_stronger_the_first_engine_is() {
    let text = output(&match_args(&["builtin", "builtin:name=again"], &["--games", "4", "--sprt", "0,10"]));
    assert!(text.starts_with("builtin against again: ") && text.contains("+0 ± 798 Elo"), "{text}");
    assert!(
        text.contains("pairs 0-0-2-0-0") && text.contains("sequential test") && text.contains("ended: 4"),
        "{text}"
    );
}

#[test]
fn a_match_is_written_down_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let out = path("match.pgn");
    let engines = ["builtin", "builtin:lmr=0"];
    output(&match_args(&engines, &["--games", "2", "--out", &out]));
    refused(&match_args(&engines, &["--games", "2", "--out", &out]), "--resume");
    refused(&match_args(&engines, &["--games", "2", "--out", &out, "--resume", "--seed", "2"]), "seed");
    let text = output(&match_args(&engines, &["--games", "4", "--out", &out, "--resume", "--json"]));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["games"], 4);
    assert_eq!(std::fs::read_to_string(&out).unwrap().matches("[Result ").count(), 4);
    assert_eq!(std::fs::read_to_string(path("match.jsonl")).unwrap().lines().count(), 4);
    assert!(std::fs::read_to_string(path("match.html")).unwrap().contains("builtin:lmr=0"));
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(path("match.json")).unwrap()).unwrap();
    assert_eq!(kept, report);
}

#[test]
fn a_tournament_rates_everybody_and_is_not_played_twice() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.toml");
    let text = r#"
        variant = "connect4"
        engines = ["builtin:nodes=200,name=long", "builtin:nodes=20,name=short", "builtin:nodes=60,name=middle"]
        games = 4
    "#;
    std::fs::write(&file, text).unwrap();
    let play = || output(&["tournament", file.to_str().unwrap()]);
    let table = play();
    assert!(["long", "short", "middle", "Elo", "ended: 12 normal"].iter().all(|word| table.contains(word)), "{table}");
    let journal = || std::fs::read_to_string(folder.path().join("cup.jsonl")).unwrap();
    let before = journal();
    assert_eq!((play(), journal()), (table, before));
    std::fs::write(&file, text.replace("games = 4", "games = four")).unwrap();
    refused(&["tournament", file.to_str().unwrap()], "games");
}

#[test]
fn an_ablation_lists_what_techniques_are_worth() {
    let text =
        output(&["lab", "ablate", "connect4", "--only", "lmr", "--only", "killers", "--games", "2", "--nodes", "50"]);
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("lmr") && text.contains("killers") && text.contains("Elo"), "{text}");
}

#[test]
fn a_net_that_was_learned_can_play() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, net) = (path("games"), path("net"));
    output(&["selfplay", "chess", "--games", "6", "--nodes", "30", "--out", &games]);
    let learn = ["learn", "net", "chess", "--data", &games, "--out", &net, "--hidden", "32", "--epochs", "2"];
    let learned = output(&learn);
    assert!(learned.contains("positions of 6 games") && learned.contains("quantisation"), "{learned}");
    assert!(std::fs::read_to_string(&net).unwrap().starts_with("polyply weights\ngame chess\nkind net\n# command: "));
    assert!(std::fs::read_to_string(net.clone() + ".html").unwrap().contains("Loss by epoch"));
    // A training that has ended leaves nothing to go on from.
    let again: Vec<&str> = learn.into_iter().chain(["--resume"]).collect();
    refused(&again, "net.checkpoint");
    let engines = [format!("builtin:weights={net}"), "builtin:weights=built-in,name=old".to_owned()];
    let compared =
        output(&["match", "chess", "--engine", &engines[0], "--engine", &engines[1], "--games", "2", "--nodes", "50"]);
    assert!(compared.contains("against old: "), "{compared}");
}

#[test]
fn games_of_self_play_can_be_learned_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, weights) = (path("games"), path("weights"));
    let play = |count: &str| output(&["selfplay", "freestyle", "--games", count, "--nodes", "50", "--out", &games]);
    assert!(play("2").starts_with("2 of 2 games"));
    assert!(play("3").starts_with("3 of 3 games"));
    let first = path("first");
    let learned = output(&["learn", "linear", "freestyle", "--data", &games, "--out", &first, "--epochs", "2"]);
    assert!(learned.contains("positions of 3 games"), "{learned}");
    assert!(std::fs::read_to_string(first.clone() + ".html").unwrap().contains("Loss by epoch"));
    let learned = output(&["learn", "order", "freestyle", "--data", &games, "--start", &first, "--out", &weights]);
    assert!(learned.contains("choices of 3 games"), "{learned}");
    let (new, old) = (format!("builtin:weights={weights}"), "builtin:weights=built-in,name=old".to_owned());
    let compared = output(&["match", "freestyle", "--engine", &new, "--engine", &old, "--games", "2", "--nodes", "50"]);
    assert!(compared.contains("against old: ") && compared.contains("LOS"), "{compared}");
}
