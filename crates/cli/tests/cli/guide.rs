//! The guide for a new game says what is there: its code is quoted from files that compile, and its commands run. The page
//! about books says how each was built.

use assert_cmd::Command;
use polyply_engine::{Variant, book};

const GUIDE: &str = include_str!("../../../../docs/add-your-game.md");
const BOOKS: &str = include_str!("../../../../docs/book.md");
const SOURCES: [&str; 2] =
    [include_str!("../../../small/src/ataxx.rs"), include_str!("../../../games/src/registry.rs")];

/// The blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let block = |(at, _)| GUIDE[at + fence.len()..].split("```").next().unwrap_or_default();
    GUIDE.match_indices(&fence).map(block).collect()
}

#[test]
fn its_code_is_quoted_word_for_word() {
    assert!(blocks("rust").len() > 5);
    for block in blocks("rust") {
        assert!(SOURCES.iter().any(|source| source.contains(block)), "quoted from nowhere:\n{block}");
    }
}

#[test]
fn its_commands_run() {
    let folder = tempfile::tempdir().unwrap();
    let commands: Vec<&str> =
        blocks("sh").into_iter().flat_map(str::lines).filter_map(|line| line.strip_prefix("polyply ")).collect();
    assert!(commands.len() > 3);
    for command in commands {
        let mut polyply = Command::new(env!("CARGO_BIN_EXE_polyply"));
        polyply.args(command.split_whitespace()).current_dir(folder.path()).assert().success();
    }
}

#[test]
fn the_page_about_books_says_how_each_was_built() {
    for variant in Variant::all() {
        let book = book::embedded(&variant).unwrap();
        assert!(BOOKS.lines().any(|line| line == book.made_by()), "{}", book.made_by());
    }
}
