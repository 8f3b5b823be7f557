//! `polyply serve`, and `polyply` without a command: the web app.

use crate::args::{BackupArgs, RestoreArgs, ServeArgs};
use crate::failure::Failure;
use crate::interrupt;
use polyply_fleet::Fleet;
use polyply_server::{Config, ENGINE_MEGABYTES, OPEN, OperatorToken, Recovered, Server, ServerError};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tracing_subscriber::EnvFilter;

/// Ports to try if none was given.
const PORTS: std::ops::Range<u16> = 8080..8100;
/// How often Ctrl-C is checked.
const TICK: Duration = Duration::from_millis(50);

pub fn run(args: &ServeArgs) -> Result<(), Failure> {
    let outside = args.addr.filter(|addr| !addr.ip().is_loopback());
    if let Some(addr) = outside
        && !args.expose
    {
        return Err(Failure::Call(format!(
            "{addr} can be reached from other machines; add --expose to allow that, and then anybody who reaches it \
             can play, analyse and watch, and the rest takes the operator token"
        )));
    }
    let least = u64::from(args.hash) + ENGINE_MEGABYTES;
    if u64::from(args.memory) < least {
        return Err(Failure::Call(format!(
            "one game with --hash {} takes {least} megabytes, so --memory {} is too little; raise it or lower --hash",
            args.hash, args.memory
        )));
    }
    log(args.log_json);
    // It has threads of its own, which may only end outside of those of the server.
    let fleet = args.fleet.as_ref().map(Fleet::connect).transpose()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(args, &fleet))
}

/// Copies what a server has kept.
pub fn backup(args: &BackupArgs) -> Result<(), Failure> {
    polyply_server::backup(&data_folder(args.data.as_ref())?, &args.to)?;
    Ok(writeln!(io::stdout(), "copied to {}", args.to.display())?)
}

/// Puts such a copy back.
pub fn restore(args: &RestoreArgs) -> Result<(), Failure> {
    let data = data_folder(args.data.as_ref())?;
    polyply_server::restore(&args.from, &data)?;
    Ok(writeln!(io::stdout(), "restored to {}", data.display())?)
}

async fn serve(args: &ServeArgs, fleet: &Option<Fleet>) -> Result<(), Failure> {
    let server = start(args, fleet).await?;
    let addr = server.addr()?;
    let mut told = vec![format!("Polyply is at http://{addr}/  (Ctrl-C ends it)")];
    told.extend(server.operator_token().map(exposure));
    told.extend(recovery(server.recovered()));
    // A server goes on, whether anybody reads this or not.
    let _ = writeln!(io::stdout(), "{}", told.join("\n"));
    if !args.no_browser && io::stdout().is_terminal() {
        open_browser(&format!("http://{addr}/"));
    }
    let pressed = interrupt::flag()?;
    let end = async move {
        while !pressed.load(Relaxed) {
            tokio::time::sleep(TICK).await;
        }
    };
    server.run(end).await;
    Ok(())
}

/// What others can do, and where the operator finds the token. A new token is shown this once.
fn exposure(token: &OperatorToken) -> String {
    let open: Vec<&str> = OPEN.iter().map(|(what, _)| *what).collect();
    let file = token.file.display();
    let kept = match &token.new {
        Some(token) => format!("The operator token is {token}\nIt is kept in {file} and not shown again."),
        None => format!("The operator token is in {file}."),
    };
    format!(
        "Exposed: whoever reaches this server can load its pages, {}. Everything else takes the operator token. Nothing is \
         encrypted.\n{kept}",
        open.join(", ")
    )
}

/// What the server has recovered, in a sentence; nothing in an empty folder.
fn recovery(recovered: Recovered) -> Option<String> {
    let Recovered { games, tables, table_bytes, .. } = recovered;
    let count = |number: usize, thing: &str| format!("{number} {thing}{}", if number == 1 { "" } else { "s" });
    let megabytes = table_bytes.div_ceil(1 << 20);
    (games + tables > 0).then(|| {
        format!(
            "Recovered: {} in progress, {} of engines ({megabytes} MB)",
            count(games, "game"),
            count(tables, "table")
        )
    })
}

/// Starts a server on the given address, or on the first free port.
async fn start(args: &ServeArgs, fleet: &Option<Fleet>) -> Result<Server, Failure> {
    let config = |addr: SocketAddr| -> Result<Config, Failure> {
        Ok(Config {
            addr,
            hosts: args.hosts.clone(),
            data: data_folder(args.data.as_ref())?,
            threads: args.threads.into(),
            hash: args.hash as usize,
            memory: args.memory as usize,
            idle: args.idle,
            expose: args.expose,
            expire: args.expire,
            save_every: args.save_every,
            fleet: fleet.clone(),
        })
    };
    if let Some(addr) = args.addr {
        return Ok(Server::start(config(addr)?).await?);
    }
    for port in PORTS {
        match Server::start(config(SocketAddr::from(([127, 0, 0, 1], port)))?).await {
            Err(ServerError::Listen { error, .. }) if error.kind() == ErrorKind::AddrInUse => {}
            started => return Ok(started?),
        }
    }
    let (first, last) = (PORTS.start, PORTS.end - 1);
    Err(Failure::Run(format!("all ports from {first} to {last} are in use; choose another with --addr")))
}

/// The data folder that was given, or the usual one.
pub fn data_folder(given: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    given.cloned().map_or_else(usual_folder, Ok)
}

/// The user's data folder on this system.
fn usual_folder() -> Result<PathBuf, Failure> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || variable("HOME").map(|home| home.join(".local/share"));
    let base = variable("XDG_DATA_HOME").or_else(|| variable("LOCALAPPDATA")).or_else(home);
    base.map(|base| base.join("polyply"))
        .ok_or_else(|| Failure::Call("there is no data folder for this user; give one with --data".into()))
}

/// Opens the page in a browser, if there is one.
fn open_browser(address: &str) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let _ = Command::new(opener).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

/// Logs to stderr. `POLYPLY_LOG` sets the level, as in `debug` or `polyply_server=debug`.
fn log(json: bool) {
    let filter = EnvFilter::try_from_env("POLYPLY_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    // Where the disk is full, a log in a file can't be written either. It would be reported to the same file, and that
    // failure is a panic.
    let logger = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).log_internal_errors(false);
    if json { logger.json().init() } else { logger.init() }
}
