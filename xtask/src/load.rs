//! `cargo xtask load`: many games at once against the server.

use crate::tools::{self, cargo};
use anyhow::Result;

/// Runs the example `load` of the server, optimised.
pub fn run() -> Result<()> {
    tools::run(&mut cargo(&["run", "--release", "--package", "polyply-server", "--example", "load"]))
}
