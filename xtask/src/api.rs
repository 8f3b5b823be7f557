//! `cargo xtask fuzz-api`: schemathesis sends the server requests generated from its own API description.

use crate::tools::{self, Skipped, cargo, is_there, root};
use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Requests generated for each operation.
const EXAMPLES: &str = "15";
/// The version that is known to work.
const PACKAGE: &str = "schemathesis>=4,<5";

/// A server process that ends when this is dropped.
struct Server {
    process: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// No request may cause an answer of 500 or above.
pub fn run() -> Result<()> {
    let Some(program) = schemathesis()? else {
        bail!(Skipped("schemathesis is missing, and python3 could not install it".into()));
    };
    let server = start()?;
    let mut fuzz = Command::new(program);
    fuzz.args(["run", &format!("{}api/openapi.json", server.address), "--checks", "not_a_server_error"]);
    fuzz.args([
        "--max-time",
        "60",
        "--max-examples",
        EXAMPLES,
        // More workers run into a bug of Python 3.11, whose parser is not thread-safe.
        "--workers",
        "1",
        "--generation-deterministic",
        "--request-timeout",
        "20",
    ]);
    // WebSockets are not requests with answers; they have tests of their own.
    fuzz.args(["--exclude-path-regex", "(live|analysis|protocols)"]);
    tools::run(&mut fuzz)
}

/// Runs the example `fuzz` of the server, optimised, with these arguments: hostile requests and messages.
pub fn hostile(arguments: &[&str]) -> Result<()> {
    let fuzz = ["run", "--release", "--package", "polyply-server", "--example", "fuzz", "--"];
    tools::run(cargo(&fuzz).args(arguments))
}

/// The installed program, or one in a virtual environment under `target/`; none if python3 can't install it.
fn schemathesis() -> Result<Option<PathBuf>> {
    if is_there("schemathesis", &["--version"]) {
        return Ok(Some("schemathesis".into()));
    }
    let folder = root().join("target/schemathesis");
    let program = folder.join("bin/schemathesis");
    if !program.exists() {
        let made = is_there("python3", &["-m", "venv", &folder.display().to_string()])
            && tools::run(Command::new(folder.join("bin/pip")).args(["install", "--quiet", PACKAGE])).is_ok();
        if !made {
            return Ok(None);
        }
    }
    Ok(Some(program))
}

/// Starts the server on a free port, with an empty data folder.
fn start() -> Result<Server> {
    let data = root().join("target/fuzz-api");
    if data.exists() {
        std::fs::remove_dir_all(&data)?;
    }
    let mut command = Command::new(tools::polyply()?);
    command.args(["serve", "--no-browser", "--hash", "4", "--addr", "127.0.0.1:0", "--data"]).arg(&data);
    command.stdout(Stdio::piped());
    let mut process = command.spawn().context("the server could not be started")?;
    let stdout = process.stdout.take().context("the server has no output")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line)?;
    let address = line.split_whitespace().find(|word| word.starts_with("http")).unwrap_or_default().to_owned();
    let server = Server { process, address };
    ensure!(!server.address.is_empty(), "the server did not start: {line}");
    Ok(server)
}
