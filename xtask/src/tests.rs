//! `cargo xtask test`: everything a change must pass.

use crate::tools::{self, Skipped, cargo, is_there};
use crate::{api, figures, genericity, long, signatures, web};
use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Instant;

/// A check by its name.
pub type Check = (&'static str, fn() -> Result<()>);

/// The checks of every change, the quickest first.
const FIRST: &[Check] =
    &[("format", format), ("figures", figures::check), ("packaging", packaging), ("lints", lints), ("build", build)];
/// The browser waits more than it computes, so this one runs beside the rest, in a process of its own.
const BESIDE: Check = ("web app", web::run);
const REST: &[Check] = &[
    ("tests", tests),
    ("generated requests", api::run),
    ("documentation", documentation),
    ("model checker", model_checker),
    ("genericity", genericity::run),
    ("bench signatures", signatures::check),
];

/// Runs everything a change must pass.
pub fn run_quick() -> Result<()> {
    run(FIRST)?;
    let beside = Beside::start(BESIDE.0)?;
    let rest = run(REST);
    beside.finish().and(rest)
}

/// A check in a process of its own. What it prints is kept until the others are done.
struct Beside {
    process: Child,
    log: PathBuf,
}

impl Beside {
    fn start(name: &str) -> Result<Beside> {
        let log = tools::root().join("target/beside.log");
        let out = File::create(&log)?;
        let mut xtask = Command::new(std::env::current_exe()?);
        xtask.args(["test", "--only", name]).stdout(out.try_clone()?).stderr(out);
        Ok(Beside { process: xtask.spawn()?, log })
    }

    fn finish(mut self) -> Result<()> {
        let status = self.process.wait()?;
        eprintln!("{}", std::fs::read_to_string(&self.log)?);
        ensure!(status.success(), "the check `{}` failed", BESIDE.0);
        Ok(())
    }
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
    let all = [FIRST, &[BESIDE], REST, long::CHECKS].concat();
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

/// Every target with tests in it. The lints have compiled the examples, which would take a search each.
const TARGETS: [&str; 3] = ["--lib", "--bins", "--tests"];

/// Builds the tests, and the program that the browser tests start.
fn build() -> Result<()> {
    tools::run(cargo(&["test", "--workspace", "--no-run"]).args(TARGETS))
}

/// All tests of the workspace. Those of the fleet need a NATS server, those of failing disks strace.
fn tests() -> Result<()> {
    tools::need_nats()?;
    if cfg!(target_os = "linux") && !is_there("strace", &["--version"]) {
        // Those tests say themselves that they were left out.
        tools::install_package("strace");
    }
    tools::run(cargo(&["test", "--workspace"]).args(TARGETS))?;
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
