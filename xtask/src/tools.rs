//! Running other programs, and installing missing ones.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The crates with `publish = false`.
const UNPUBLISHED: [&str; 3] = ["polyply-bench", "polyply-docs", "xtask"];

/// Why a check could not run on this machine: the error of a check that neither passed nor failed.
#[derive(Debug)]
pub struct Skipped(pub String);

impl std::fmt::Display for Skipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Skipped {}

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the project's folder")
}

/// The cargo that runs this chore, in the project's folder.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// `cargo package` for every crate that is published.
pub fn package(arguments: &[&str]) -> Command {
    let mut command = cargo(&["package", "--workspace", "--allow-dirty"]);
    command.args(UNPUBLISHED.iter().flat_map(|name| ["--exclude", name])).args(arguments);
    command
}

/// A program from crates.io: the installed one, or one of this version that is built once, under `target/`.
pub fn tool(name: &str, version: &str) -> Result<PathBuf> {
    if is_there(name, &["--version"]) {
        return Ok(name.into());
    }
    let folder = root().join("target/tools");
    let program = folder.join("bin").join(name).with_extension(std::env::consts::EXE_EXTENSION);
    if !program.exists() {
        let mut install = cargo(&["install", name, "--locked", "--version", version]);
        run(install.arg("--root").arg(&folder).args(["--target-dir", "target/tools-build"]))?;
    }
    Ok(program)
}

/// Runs a program to its end; anything but success is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let name = format!("{command:?}");
    eprintln!("\n==> {}", name.replace('"', ""));
    let status = command.status().with_context(|| format!("{name} could not be started"))?;
    ensure!(status.success(), "{name} failed ({status})");
    Ok(())
}

/// Builds the program as for the tests, and returns its path. The crates that play are optimised in that build too, and
/// linking a release would take longer than it saves.
pub fn polyply() -> Result<PathBuf> {
    // Building a test of the program builds the program. `cargo build` would choose other features of the libraries
    // than the tests of the workspace, and build half of them again.
    run(&mut cargo(&["test", "--workspace", "--no-run", "--test", "cli"]))?;
    // It is in the same folder as this program.
    let beside = std::env::current_exe()?.with_file_name("polyply");
    Ok(beside.with_extension(std::env::consts::EXE_EXTENSION))
}

/// Runs a program and returns what it prints.
pub fn output(command: &mut Command) -> Result<String> {
    let name = format!("{command:?}");
    let output = command.stderr(Stdio::piped()).output().with_context(|| format!("{name} could not be started"))?;
    ensure!(output.status.success(), "{name} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program can be run.
pub fn is_there(program: &str, arguments: &[&str]) -> bool {
    let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet(Command::new(program).args(arguments)).is_ok_and(|status| status.success())
}

/// Installs a Debian package where this is possible; otherwise the caller reports what is missing.
pub fn install_package(package: &str) -> bool {
    // Checks run side by side, and apt-get refuses to start while another one runs.
    let turn = std::fs::File::create(root().join("target/install.lock"));
    let _ = turn.as_ref().map(std::fs::File::lock);
    let apt = |arguments: &[&str]| run(Command::new("apt-get").args(arguments)).is_ok();
    is_there("apt-get", &["--version"]) && apt(&["update", "-q"]) && apt(&["install", "-y", "-q", package])
}

/// Makes sure that there is a NATS server, which the tests of the fleet start.
pub fn need_nats() -> Result<()> {
    // Debian's is not in the path of every user.
    let is_known = || ["nats-server", "/usr/sbin/nats-server"].iter().any(|program| is_there(program, &["--version"]));
    if !is_known() {
        install_package("nats-server");
    }
    ensure!(is_known(), "the tests of the fleet need nats-server: install it, so that `nats-server --version` answers");
    Ok(())
}
