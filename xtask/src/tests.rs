//! `cargo xtask test`: everything a change must pass.

use crate::tools::{self, cargo, is_there};
use crate::{api, genericity, prove, signatures, web};
use anyhow::Result;
use std::process::Command;

/// Runs every check, the quick ones first.
pub fn run() -> Result<()> {
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if !is_there("cargo", &[subcommand, "--version"]) {
            tools::run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    tools::run(&mut cargo(&["fmt", "--all", "--check"]))?;
    tools::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    tools::run(&mut cargo(&["test", "--workspace"]))?;
    api::run()?;
    tools::run(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    web::run()?;
    // The model checker replaces the atomics of the tables, so it needs a build of its own.
    tools::run(
        cargo(&["test", "-p", "polyply-core", "--release", "--test", "loom_tt", "--target-dir", "target/loom"])
            .env("RUSTFLAGS", "--cfg loom"),
    )?;
    genericity::run()?;
    signatures::check()?;
    prove::empty_board()
}
