//! `cargo xtask test`: everything a change must pass.

use crate::tools::{self, Skipped, cargo, is_there};
use crate::{api, figures, genericity, long, signatures, web};
use anyhow::{Context, Result, bail, ensure};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

/// A check by its name.
pub type Check = (&'static str, fn() -> Result<()>);

/// The checks that begin, one after the other, the quickest first.
const FIRST: &[Check] =
    &[("format", format), ("figures", figures::check), ("packaging", packaging), ("lints", lints), ("build", build)];
/// The checks of what was built, the longest first. They run side by side: some of them mostly wait.
const REST: &[Check] = &[
    ("web app", web::run),
    ("tests", tests),
    ("model checker", model_checker),
    ("documentation", documentation),
    ("examples", examples),
    ("genericity", genericity::run),
    ("generated requests", api::run),
    ("bench signatures", signatures::check),
];
/// How many of them at a time.
const LANES: usize = 3;

/// Runs everything a change must pass.
pub fn run_quick() -> Result<()> {
    run(FIRST)?;
    run_side_by_side(REST)
}

/// Runs each check in a process of its own, and prints what it said when it has ended. No new one begins after a failure.
fn run_side_by_side(checks: &[Check]) -> Result<()> {
    let waiting = Mutex::new(checks.iter());
    let next = || waiting.lock().expect("no lane panics").next();
    let lane = || -> Result<()> {
        while let Some((name, _)) = next() {
            let output = Command::new(std::env::current_exe()?).args(["test", "--only", name]).output()?;
            let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            eprintln!("{err}{out}");
            if !output.status.success() {
                while next().is_some() {}
                bail!("the check `{name}` failed");
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().try_for_each(|lane| lane.join().expect("no lane panics"))
    })
}

/// Runs checks until one fails, then prints how long each took and which were skipped.
pub fn run(checks: &[Check]) -> Result<()> {
    let (mut passed, mut skipped) = (Vec::new(), Vec::new());
    for (name, check) in checks {
        let begun = Instant::now();
        match check().map_err(|error| error.downcast::<Skipped>()) {
            Ok(()) => passed.push(format!("{name} {} s", begun.elapsed().as_secs())),
            Err(Ok(reason)) => skipped.push(format!("xtask: skipped {name}: {reason}")),
            Err(Err(error)) => return Err(error.context(format!("the check `{name}` failed"))),
        }
    }
    if !passed.is_empty() {
        eprintln!("\nxtask: passed: {}", passed.join(", "));
    }
    skipped.iter().for_each(|line| eprintln!("{line}"));
    Ok(())
}

/// Runs one check.
pub fn run_only(name: &str) -> Result<()> {
    let all = [FIRST, REST, long::CHECKS].concat();
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let check = all.iter().find(|check| check.0 == name);
    run(&[*check.with_context(|| format!("there is no check `{name}`, only: {}", names.join(", ")))?])
}

fn format() -> Result<()> {
    need("rustfmt", "fmt")?;
    tools::run(&mut cargo(&["fmt", "--all", "--check"]))
}

/// Every published crate can be packaged, with its README and licences. A long check builds the packages too.
fn packaging() -> Result<()> {
    tools::run(&mut tools::package(&["--no-verify", "--exclude-lockfile", "--quiet"]))?;
    let files = tools::output(&mut tools::package(&["--list"]))?;
    let count = |name: &str| files.lines().filter(|file| *file == name).count();
    for name in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        ensure!(count(name) == count("Cargo.toml"), "a package lacks its {name}");
    }
    Ok(())
}

fn lints() -> Result<()> {
    need("clippy", "clippy")?;
    tools::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// Builds every target with tests in it, and the program that the browser tests start. The lints have compiled the
/// examples, which would take a search each.
fn build() -> Result<()> {
    tools::run(&mut cargo(&["test", "--workspace", "--no-run", "--tests"]))
}

/// All tests of the workspace. Those of the fleet need a NATS server, those of failing disks strace.
fn tests() -> Result<()> {
    tools::need_nats()?;
    if cfg!(target_os = "linux") && !is_there("strace", &["--version"]) {
        // Those tests say themselves that they were left out.
        tools::install_package("strace");
    }
    tools::run(&mut cargo(&["test", "--workspace", "--tests"]))
}

/// The examples in READMEs and documentation.
fn examples() -> Result<()> {
    tools::run(&mut cargo(&["test", "--workspace", "--doc"]))
}

/// Installs a component of the toolchain if it is missing.
fn need(component: &str, subcommand: &str) -> Result<()> {
    if is_there("cargo", &[subcommand, "--version"]) {
        return Ok(());
    }
    tools::run(Command::new("rustup").args(["component", "add", component]))
}

fn documentation() -> Result<()> {
    tools::run(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The model checker replaces the atomics of the tables, so it needs a build of its own. Link-time optimisation would
/// only slow that build down.
fn model_checker() -> Result<()> {
    tools::run(
        cargo(&["test", "-p", "polyply-core", "--release", "--test", "loom_tt", "--target-dir", "target/loom"])
            .env("RUSTFLAGS", "--cfg loom")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    )
}
