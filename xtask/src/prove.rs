//! `cargo xtask prove`: the known results of Connect Four.

use crate::tools::{self, output};
use anyhow::{Result, ensure};
use std::process::Command;

/// The first player wins with the second-last disc (Allen, Allis 1988).
const EMPTY_BOARD: &str = "first player wins on ply 41";

/// The result of each first move, from the left.
const FIRST_MOVES: [(&str, &str); 7] = [
    ("a", "second player wins on ply 40"),
    ("b", "second player wins on ply 42"),
    ("c", "draw"),
    ("d", EMPTY_BOARD),
    ("e", "draw"),
    ("f", "second player wins on ply 42"),
    ("g", "second player wins on ply 40"),
];

/// Solves the empty board, which takes some minutes.
pub fn empty_board() -> Result<()> {
    let solved = solve(&[])?;
    ensure!(solved.contains(EMPTY_BOARD), "the empty board was solved as: {solved}");
    Ok(())
}

/// Solves the position after each first move, which takes a quarter of an hour or more.
pub fn every_first_move() -> Result<()> {
    let solved = solve(&["--all"])?;
    let lines: Vec<_> = solved.lines().collect();
    ensure!(lines.len() == FIRST_MOVES.len(), "there are seven first moves, not {}", lines.len());
    for (line, (mv, value)) in lines.iter().zip(FIRST_MOVES) {
        ensure!(line.starts_with(&format!("{mv}  {value}  ")), "the result of `{mv}` is `{value}`, not: {line}");
    }
    Ok(())
}

fn solve(arguments: &[&str]) -> Result<String> {
    let polyply = tools::polyply()?;
    eprintln!("\n==> polyply solve connect4 --threads 2 {}", arguments.join(" "));
    let mut polyply = Command::new(polyply);
    let solved = output(polyply.args(["solve", "connect4", "--threads", "2"]).args(arguments))?;
    print!("{solved}");
    Ok(solved)
}
