//! `cargo xtask genericity`: instructions of the generic search against a hand-written one, counted by callgrind.

use crate::tools::{cargo, install_package, is_there, output, root};
use anyhow::{Context, Result, bail, ensure};
use std::process::Command;

/// Most instructions of the generic search for every hundred of the hand-written one.
const ALLOWED_PERCENT: u64 = 105;

/// Counts both and compares.
pub fn run() -> Result<()> {
    if !is_there("valgrind", &["--version"]) && !install_package("valgrind") {
        bail!("valgrind is missing and could not be installed; get it with your system's package manager");
    }
    crate::tools::run(&mut cargo(&["build", "--release", "-p", "polyply-bench"]))?;
    let (hand_nodes, hand) = count("hand")?;
    let (core_nodes, core) = count("core")?;
    ensure!(hand_nodes == core_nodes, "the searches differ: {hand_nodes} nodes by hand, {core_nodes} by the core");
    println!("{core_nodes} nodes: {hand} instructions by hand, {core} by the core ({:.3})", core as f64 / hand as f64);
    ensure!(core * 100 <= hand * ALLOWED_PERCENT, "the core takes more than {ALLOWED_PERCENT} % of the hand-written");
    Ok(())
}

/// Nodes and instructions of one of the two.
fn count(which: &str) -> Result<(u64, u64)> {
    let folder = root().join("target");
    let counts = folder.join(format!("callgrind.{which}"));
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", counts.display()));
    let printed = output(command.arg(folder.join("release/polyply-bench")).arg(which))?;
    let nodes = printed.lines().last().context("the bench printed nothing")?.parse()?;
    let counted = std::fs::read_to_string(&counts)?;
    let summary =
        counted.lines().find_map(|line| line.strip_prefix("summary: ")).context("callgrind counted nothing")?;
    Ok((nodes, summary.trim().parse()?))
}
