//! `cargo xtask test`: everything a change must pass.

use crate::tools::{self, cargo, is_there};
use crate::{api, figures, genericity, prove, signatures, web};
use anyhow::Result;
use std::process::Command;
use std::time::Instant;

/// A check by its name.
type Check = (&'static str, fn() -> Result<()>);

/// Every check, the quick ones first.
const CHECKS: [Check; 11] = [
    ("format", format),
    ("figures", figures::check),
    ("lints", lints),
    ("tests", || tools::run(&mut cargo(&["test", "--workspace"]))),
    ("made-up requests", api::run),
    ("documentation", documentation),
    ("web app", web::run),
    ("model checker", model_checker),
    ("genericity", genericity::run),
    ("bench signatures", signatures::check),
    ("empty board", prove::empty_board),
];

/// Runs every check, and says how long each took.
pub fn run() -> Result<()> {
    let mut times = Vec::new();
    for (name, check) in CHECKS {
        let begun = Instant::now();
        check()?;
        times.push(format!("{name} {} s", begun.elapsed().as_secs()));
    }
    eprintln!("\nxtask: all passed ({})", times.join(", "));
    Ok(())
}

fn format() -> Result<()> {
    need("rustfmt", "fmt")?;
    tools::run(&mut cargo(&["fmt", "--all", "--check"]))
}

fn lints() -> Result<()> {
    need("clippy", "clippy")?;
    tools::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// Gets a part of the toolchain if it is missing.
fn need(component: &str, subcommand: &str) -> Result<()> {
    if is_there("cargo", &[subcommand, "--version"]) {
        return Ok(());
    }
    tools::run(Command::new("rustup").args(["component", "add", component]))
}

fn documentation() -> Result<()> {
    tools::run(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The model checker replaces the atomics of the tables, so it needs a build of its own; a quick one will do.
fn model_checker() -> Result<()> {
    tools::run(
        cargo(&["test", "-p", "polyply-core", "--release", "--test", "loom_tt", "--target-dir", "target/loom"])
            .env("RUSTFLAGS", "--cfg loom")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    )
}
