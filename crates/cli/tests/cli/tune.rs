//! `polyply tune`: a file in, better parameters out.

use crate::terminal::{output, polyply, refused};
use std::path::Path;

const GUIDE: &str = include_str!("../../../../docs/tuning.md");

fn write(folder: &Path, text: &str) -> String {
    let path = folder.join("small.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

const SMALL: &str = r#"
variant = "connect4"
engine = "builtin:Hash=1"
nodes = 60
games = 8
concurrency = 2

[parameters]
lmr_base = {}
lmp_power = { min = 100, max = 300 }

[test]
games = 4
"#;

#[test]
fn two_parameters_are_tuned_and_a_match_takes_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), SMALL);
    let shown = output(&["tune", "spsa", &file, "--dry-run"]);
    assert!(
        shown.contains("8 games in 4 batches of 2") && shown.contains("lmp_power=") && shown.contains("against"),
        "{shown}"
    );
    assert!(!folder.path().join("small.spsa.jsonl").exists(), "a dry run writes nothing");
    let tuned = output(&["tune", "spsa", &file]);
    assert!(tuned.contains("lmr_base") && tuned.contains("tuned against start"), "{tuned}");
    let params = format!("builtin:params={}", folder.path().join("small.spsa.tuned.toml").display());
    output(&["match", "connect4", "--engine", &params, "--engine", "builtin", "--games", "2", "--nodes", "50"]);
    let page = std::fs::read_to_string(folder.path().join("small.spsa.html")).unwrap();
    assert!(page.contains("Tuning of connect4 by spsa") && page.contains("sequential test"));
    refused(&["tune", "spsa", &file], "--resume");
    assert_eq!(output(&["tune", "spsa", &file, "--resume"]), tuned, "everything was played already");
}

#[test]
fn a_test_function_needs_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "objective = \"quadratic\"\ndimensions = 2\ngames = 200\n");
    for method in ["spsa", "rspsa", "clop", "genetic"] {
        let said = output(&["tune", method, &file]);
        assert!(said.contains("Elo below the optimum before"), "{said}");
    }
}

#[test]
fn what_is_wrong_is_told_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to, says) in [
        ("lmr_base = {}", "lmr_bas = {}", "small.toml: line 9: there is no parameter or group `lmr_bas`"),
        ("max = 300", "max = 3000", "small.toml: line 10: `lmp_power` allows 0 to 400, not 3000"),
        ("games = 8", "games = many", "small.toml: line 5: "),
        ("connect4", "chekers", "chekers"),
        ("nodes = 60", "", "needs a limit"),
        ("[test]", "[test]\nsprt = \"soon\"", "elo0,elo1"),
    ] {
        let file = write(folder.path(), &SMALL.replacen(from, to, 1));
        refused(&["tune", "clop", &file], says);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was begun");
    let said = polyply(&["tune", "spsa", "no/such.toml"]).assert().code(2).get_output().stderr.clone();
    assert!(String::from_utf8(said).unwrap().contains("no/such.toml"));
}

#[test]
fn the_examples_of_the_guide_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let blocks: Vec<&str> = GUIDE.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let shown = output(&["tune", "genetic", &write(folder.path(), block), "--dry-run"]);
        assert!(shown.contains("games in"), "{shown}");
    }
}
