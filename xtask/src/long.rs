//! The checks that `cargo xtask test --long` adds: each takes minutes, or needs a tool that not every machine has.

use crate::tests::Check;
use crate::tools::{self, Skipped, cargo, install_package, is_there, output, root, tool};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The long checks.
pub const CHECKS: &[Check] = &[
    ("empty board", crate::prove::empty_board),
    ("msrv", msrv),
    ("packages", || tools::run(&mut tools::package(&["--quiet", "--target-dir", "target/packages"]))),
    ("licences", licences),
    ("advisories", advisories),
    ("portable", portable),
    ("memcheck", memcheck),
    ("miri", miri),
    ("fuzz", fuzz),
    ("server inputs", || crate::api::hostile(&[])),
    ("soak", || tools::run(&mut cargo(&["test", "-p", "polyply-server", "--test", "soak", "--", "--ignored"]))),
    ("books", books),
    ("kills", || crate::kill::run("120")),
    ("faults", || tools::run(&mut cargo(&["test", "-p", "polyply", "--test", "faults", "--", "--ignored"]))),
    ("hostile", || tools::run(&mut cargo(&["test", "-p", "polyply-server", "--test", "hostile", "--", "--ignored"]))),
    ("tuners", || tools::run(&mut cargo(&["test", "-p", "polyply-lab", "--test", "lab", "tune::", "--", "--ignored"]))),
];

/// The tests of the tables and those that compare SIMD code with its safe twin, as arguments of `cargo test`. The
/// snapshots of the tables are left out: their tests read and write files, and prove nothing about memory.
const MEMORY_TESTS: [&[&str]; 5] = [
    &["-p", "polyply-core", "--lib", "table::"],
    &["-p", "polyply-core", "--test", "core", "search_tt::"],
    &["-p", "polyply-nn", "--lib", "simd::"],
    &["-p", "polyply-othello", "--lib", "simd::"],
    &["-p", "polyply-chess", "--lib", "simd::"],
];

/// Cases of a property test where a program runs many times slower than usual.
const FEW_CASES: (&str, &str) = ("PROPTEST_CASES", "8");

/// Seconds for each fuzz target.
const FUZZ_SECONDS: u32 = 10;

/// The workspace compiles with the oldest Rust that it promises to support. If that is the Rust in use, every other
/// check has shown it already.
fn msrv() -> Result<()> {
    let manifest: toml::Table = toml::from_str(&std::fs::read_to_string(root().join("Cargo.toml"))?)?;
    let oldest = manifest["workspace"]["package"]["rust-version"].as_str().context("there is no `rust-version`")?;
    let in_use = output(Command::new("rustc").arg("--version"))?;
    if in_use.starts_with(&format!("rustc {oldest}.")) {
        eprintln!("\nxtask: Rust {oldest} is the oldest supported, and the one in use");
        return Ok(());
    }
    let names = [oldest.to_owned(), format!("{oldest}.0")];
    let Some(toolchain) = names.iter().find(|name| is_there("rustup", &["run", name, "cargo", "--version"])) else {
        bail!(Skipped(format!("Rust {oldest} is missing; `rustup toolchain install {oldest}` gets it")));
    };
    let check = ["cargo", "check", "--workspace", "--all-targets", "--target-dir", "target/msrv"];
    tools::run(Command::new("rustup").args(["run", toolchain]).args(check).current_dir(root()))
}

/// The dependencies have licences and sources that `deny.toml` allows.
fn licences() -> Result<()> {
    deny(&["check", "bans", "licenses", "sources"])
}

/// No dependency has a known vulnerability.
fn advisories() -> Result<()> {
    if deny(&["fetch", "db"]).is_err() {
        bail!(Skipped("the database of vulnerabilities could not be fetched".into()));
    }
    deny(&["check", "--disable-fetch", "advisories"])
}

fn deny(arguments: &[&str]) -> Result<()> {
    tools::run(Command::new(tool("cargo-deny", "^0.20")?).args(arguments).current_dir(root()))
}

/// The tests pass without SIMD and without hints to the system, as on other processors.
fn portable() -> Result<()> {
    let crates = ["-p", "polyply-core", "-p", "polyply-nn", "-p", "polyply-othello", "-p", "polyply-chess"];
    let mut test = cargo(&["test", "--target-dir", "target/portable"]);
    tools::run(test.args(crates).env("RUSTFLAGS", "--cfg polyply_portable"))
}

/// Valgrind finds no invalid access in the tests of the tables and of the SIMD code. It does not know AVX-512, so the
/// tests of that code skip themselves.
fn memcheck() -> Result<()> {
    if !is_there("valgrind", &["--version"]) && !install_package("valgrind") {
        bail!(Skipped("valgrind is missing and could not be installed".into()));
    }
    let runner = "target.'cfg(all())'.runner = ['valgrind', '--quiet', '--leak-check=no', '--error-exitcode=1']";
    for tests in MEMORY_TESTS {
        tools::run(cargo(&["test", "--config", runner]).args(tests).env(FEW_CASES.0, FEW_CASES.1))?;
    }
    Ok(())
}

/// Miri finds no undefined behaviour in the same tests. It reports only those features of the processor that the code
/// is compiled for, so they are switched on here; otherwise the SIMD code would not run.
fn miri() -> Result<()> {
    if !is_there("rustup", &["run", "nightly", "cargo", "miri", "--version"]) {
        bail!(Skipped("Miri is missing; `rustup toolchain install nightly -c miri -c rust-src` gets it".into()));
    }
    for tests in MEMORY_TESTS {
        let mut miri = Command::new("rustup");
        miri.args(["run", "nightly", "cargo", "miri", "test", "--target-dir", "target/miri"]).args(tests);
        miri.env(FEW_CASES.0, FEW_CASES.1).env("MIRIFLAGS", "-Zmiri-disable-isolation").current_dir(root());
        if cfg!(target_arch = "x86_64") {
            miri.env("RUSTFLAGS", "-C target-cpu=x86-64-v3");
        }
        tools::run(&mut miri)?;
    }
    Ok(())
}

/// No move of a built-in book loses by force, and builds that are killed lose nothing.
fn books() -> Result<()> {
    for tests in [["-p", "polyply-engine", "--test", "engine"], ["-p", "polyply", "--test", "cli"]] {
        tools::run(cargo(&["test"]).args(tests).args(["--", "--ignored"]))?;
    }
    Ok(())
}

/// Every fuzz target runs for some seconds, starting from its seeds: without any, inputs would stay a few bytes long.
/// What makes one fail stays in `fuzz/artifacts`.
fn fuzz() -> Result<()> {
    let program = tool("cargo-fuzz", "^0.13")?;
    // The variable makes a stable compiler accept the flags that fuzzing needs.
    let cargo_fuzz = || {
        let mut command = Command::new(&program);
        command.arg("fuzz").env("RUSTC_BOOTSTRAP", "1").current_dir(root());
        command
    };
    let targets = output(cargo_fuzz().arg("list"))?;
    let build = ["--target-dir", "target/fuzz"];
    tools::run(cargo_fuzz().arg("build").args(build))?;
    for target in targets.lines() {
        let corpus = root().join("target/fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus)?;
        let limits = ["--", &format!("-max_total_time={FUZZ_SECONDS}"), "-timeout=20"];
        let seeds = root().join("fuzz/seeds").join(target);
        tools::run(cargo_fuzz().arg("run").args(build).arg(target).arg(corpus).arg(seeds).args(limits))?;
    }
    Ok(())
}
