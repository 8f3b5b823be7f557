//! `cargo xtask load`: many games at once against the server.

use crate::tools::{self, cargo};
use anyhow::Result;

/// Runs the example `load` of the server, optimised, with these arguments.
pub fn run(arguments: &[&str]) -> Result<()> {
    let load = ["run", "--release", "--package", "polyply-server", "--example", "load", "--"];
    tools::run(cargo(&load).args(arguments))
}
