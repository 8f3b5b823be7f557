//! `cargo xtask bench-signatures`: the node counts of every game's bench, compared with those on file.
//!
//! With one thread the node count is the same on every machine. A different count means that the search or the
//! evaluation has changed. If that was the intention, `--update` writes the new counts to the file.

use crate::tools::{self, output, root};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::process::Command;

/// The file, in the project's folder.
const FILE: &str = "xtask/bench-signatures.txt";
const HEADING: &str = "\
# Nodes of `polyply bench` with one thread, by game. `cargo xtask bench-signatures --update` writes them anew.
";

/// Nodes by game.
type Signatures = BTreeMap<String, u64>;

/// Compares the counts with the file.
pub fn check() -> Result<()> {
    let path = root().join(FILE);
    let text = std::fs::read_to_string(&path).with_context(|| FILE.to_owned())?;
    let changes = changes(&parse(&text)?, &measure()?);
    ensure!(
        changes.is_empty(),
        "the search has changed: {}; if that is meant, `cargo xtask bench-signatures --update` accepts it",
        changes.join(", ")
    );
    Ok(())
}

/// Writes the counts into the file.
pub fn update() -> Result<()> {
    let lines: String = measure()?.iter().map(|(game, nodes)| format!("{game} {nodes}\n")).collect();
    std::fs::write(root().join(FILE), format!("{HEADING}{lines}")).with_context(|| FILE.to_owned())
}

fn measure() -> Result<Signatures> {
    let polyply = tools::polyply()?;
    eprintln!("\n==> polyply bench");
    let printed = output(Command::new(polyply).arg("bench"))?;
    print!("{printed}");
    sums(&printed)
}

/// The lines are `<game>  <position>  best <move>  <nodes> nodes  <time>`, and a last one with the sum.
fn sums(printed: &str) -> Result<Signatures> {
    let mut signatures = Signatures::new();
    for line in printed.lines() {
        let fields: Vec<&str> = line.split("  ").collect();
        if let [game, .., nodes, _] = fields[..] {
            let nodes = nodes.strip_suffix(" nodes").and_then(|nodes| nodes.parse::<u64>().ok());
            *signatures.entry(game.to_owned()).or_default() += nodes.with_context(|| format!("no nodes: {line}"))?;
        }
    }
    ensure!(!signatures.is_empty(), "the bench printed nothing");
    Ok(signatures)
}

fn parse(text: &str) -> Result<Signatures> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let (game, nodes) = line.split_once(' ').with_context(|| format!("{FILE} has a line `{line}`"))?;
        Ok((game.to_owned(), nodes.parse().with_context(|| format!("{FILE} has a line `{line}`"))?))
    };
    lines.map(read).collect()
}

/// The differences, each as part of a sentence.
fn changes(known: &Signatures, measured: &Signatures) -> Vec<String> {
    let games = known.keys().chain(measured.keys().filter(|game| !known.contains_key(*game)));
    let change = |game: &String| match (known.get(game), measured.get(game)) {
        (Some(old), Some(new)) if old != new => Some(format!("{game} takes {new} nodes instead of {old}")),
        (Some(_), None) => Some(format!("{game} is gone")),
        (None, Some(new)) => Some(format!("{game} is new with {new} nodes")),
        _ => None,
    };
    games.filter_map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_listed_by_game() {
        let bench = "go  start  best d4  70 nodes  1 ms\ngo  44  best d  30 nodes  2.10 s\n\
                     hex  start  best a  5 nodes  0 ms\n105 nodes 1000 nps\n";
        let measured = sums(bench).unwrap();
        assert_eq!(changes(&parse("# heading\ngo 100\nhex 5\n").unwrap(), &measured), Vec::<String>::new());
        assert_eq!(
            changes(&parse("go 99\nshogi 7\n").unwrap(), &measured),
            ["go takes 100 nodes instead of 99", "shogi is gone", "hex is new with 5 nodes"]
        );
        assert!(parse("go many\n").is_err() && sums("").is_err());
    }
}
