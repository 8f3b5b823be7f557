//! `cargo xtask kill`: programs that write are killed at any moment, and nothing may be lost or doubled.

use crate::tools::{self, cargo};
use anyhow::{Context, Result, ensure};

/// What is killed: the server, a match, a tournament, self-play, learning, book building, the writer of a snapshot,
/// idle work, and workers of a fleet.
const KINDS: u64 = 9;

/// Kills so often in all, each kind the same number of times.
pub fn run(count: &str) -> Result<()> {
    let count: u64 = count.parse().with_context(|| format!("`{count}` is no number of kills"))?;
    ensure!(count > 0, "there is nothing to show without a kill");
    let each = count.div_ceil(KINDS);
    eprintln!("xtask: {each} kills of each of {KINDS} programs");
    tools::need_nats()?;
    let mut test = cargo(&["test", "-p", "polyply", "--test", "kill", "--test", "fleet"]);
    tools::run(test.env("POLYPLY_KILLS", each.to_string()))
}
