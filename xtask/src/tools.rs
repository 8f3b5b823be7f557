//! Running other programs, and getting those that are missing.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project's folder")
}

/// The cargo that runs this chore, in the project's folder.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Runs a program to its end; anything but success is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let name = format!("{command:?}");
    eprintln!("\n==> {}", name.replace('"', ""));
    let status = command.status().with_context(|| format!("{name} could not be started"))?;
    ensure!(status.success(), "{name} failed ({status})");
    Ok(())
}

/// Builds the program as the tests have it, and says where it lies. What plays is optimised in that build too, and linking a
/// release takes longer than all that it would save.
pub fn polyply() -> Result<PathBuf> {
    // A test of the program, which needs it: `cargo build` would choose other features of the libraries than the tests
    // of the workspace, and build half of them again.
    run(&mut cargo(&["test", "--workspace", "--no-run", "--test", "serve"]))?;
    // It lies beside this one.
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

/// The program answers.
pub fn is_there(program: &str, arguments: &[&str]) -> bool {
    let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet(Command::new(program).args(arguments)).is_ok_and(|status| status.success())
}

/// Gets a Debian package where this is possible; otherwise the caller says what is missing.
pub fn install_package(package: &str) -> bool {
    let apt = |arguments: &[&str]| run(Command::new("apt-get").args(arguments)).is_ok();
    is_there("apt-get", &["--version"]) && apt(&["update", "-q"]) && apt(&["install", "-y", "-q", package])
}
