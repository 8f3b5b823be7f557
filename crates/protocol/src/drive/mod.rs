//! Drives other engines: child processes that are asked for moves in the protocol they speak.
//!
//! A [`Driver`] is one running engine, whatever its protocol: it starts a game, sends [`MoveRequest`]s and returns
//! [`MoveReply`]s, or a [`Fault`] that says how the engine failed. Every wait has a deadline, an engine that floods us
//! is held back, and dropping a driver kills its process with all its children.
//!
//! `process` holds the child process; `uci`, `gomocup`, `nboard` and `gtp` are clients of the four protocols.

mod gomocup;
mod group;
mod gtp;
mod log;
mod nboard;
mod process;
mod uci;

pub use log::Log;
pub use process::kill_all;

use crate::refusals;
use polyply_engine::registry::games;
use polyply_engine::{Board, Clock, PositionSpec, Refusal, Score, Side, Variant};
use process::Process;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A protocol that an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The same protocol under the name it has for another game.
    Uai,
    /// The Gomocup protocol of five in a row.
    Gomocup,
    /// The NBoard protocol of Othello.
    Nboard,
    /// The Go Text Protocol, for any game in which pieces are placed on points.
    Gtp,
}

impl Protocol {
    /// All protocols by name.
    pub const ALL: [(&'static str, Protocol); 5] = [
        ("uci", Protocol::Uci),
        ("uai", Protocol::Uai),
        ("gomocup", Protocol::Gomocup),
        ("nboard", Protocol::Nboard),
        ("gtp", Protocol::Gtp),
    ];

    /// The protocol of a name.
    pub fn find(name: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, protocol)| protocol)
    }

    /// The name.
    pub fn name(self) -> &'static str {
        Protocol::ALL.into_iter().find(|(_, protocol)| *protocol == self).map_or("", |(name, _)| name)
    }

    /// Fails if a variant can't be played in this protocol.
    pub fn check(self, variant: &Variant) -> Result<(), Refusal> {
        match self {
            Protocol::Gomocup | Protocol::Nboard | Protocol::Uai if variant.alias(self.name()).is_none() => {
                let names = games().filter(|about| about.aliases.iter().any(|alias| alias.of == self.name()));
                let names: Vec<&str> = names.map(|about| about.name).collect();
                Err(refusals::protocol_variant(self.name(), names.join(", "), variant.name()))
            }
            _ => Ok(()),
        }
    }

    /// Whether a game can start from any position.
    pub fn takes_positions(self) -> bool {
        self != Protocol::Gtp
    }

    fn client(self) -> Box<dyn Client> {
        match self {
            Protocol::Uci | Protocol::Uai => Box::new(uci::Uci::new(self.name())),
            Protocol::Gomocup => Box::new(gomocup::Gomocup::default()),
            Protocol::Nboard => Box::new(nboard::Nboard::default()),
            Protocol::Gtp => Box::new(gtp::Gtp::default()),
        }
    }
}

/// How an engine is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The program, found as a shell would find it.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory; ours if `None`.
    pub folder: Option<PathBuf>,
    /// Its protocol.
    pub protocol: Protocol,
    /// Options to set: `setoption` in UCI, `INFO` in Gomocup, `set` in NBoard, a command of its own in GTP.
    pub options: Vec<(String, String)>,
}

/// How an engine failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It could not be started.
    #[error("can't be started: {0}")]
    Start(String),
    /// It has no such option.
    #[error("has no option `{0}`")]
    Option(String),
    /// It did not answer in time. Contains the last line it wrote.
    #[error("did not answer in time{}", last_line(.0))]
    Late(String),
    /// It exited, or closed its output.
    #[error("ended by itself ({how}){}", last_line(.last))]
    Gone {
        /// How it exited.
        how: String,
        /// The last line it wrote.
        last: String,
    },
    /// It refused a command.
    #[error("refused: {0}")]
    Refused(String),
    /// We were told to stop: not the engine's fault.
    #[error("was stopped")]
    Stopped,
}

impl Fault {
    /// The fault of the engine with this name, as a code with arguments.
    pub fn refusal(&self, engine: &str) -> Refusal {
        let said = |last: &str| if last.is_empty() { "nothing".to_owned() } else { last.to_owned() };
        match self {
            Fault::Start(reason) => refusals::engine_unstarted(engine, reason),
            Fault::Option(option) => refusals::engine_option(engine, option),
            Fault::Late(last) => refusals::engine_late(engine, said(last)),
            Fault::Gone { how, last } => refusals::engine_gone(engine, how, said(last)),
            Fault::Refused(reason) => refusals::engine_refused(engine, reason),
            Fault::Stopped => refusals::engine_stopped(engine),
        }
    }
}

fn last_line(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("; it last said `{line}`") }
}

/// The limits of a move; `None` is unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Plies.
    pub depth: Option<i32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// The clocks of the first and the second player.
    pub clocks: Option<[Clock; 2]>,
}

/// A request for a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The game so far.
    pub board: &'a Board,
    /// The limits.
    pub budget: Budget,
    /// When to give up waiting.
    pub until: Instant,
}

impl<'a> MoveRequest<'a> {
    /// Where the game began and the moves since.
    pub fn spec(&self) -> &'a PositionSpec {
        self.board.spec()
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        self.board.side()
    }

    /// The clock of the side to move.
    pub fn clock(&self) -> Option<Clock> {
        self.budget.clocks.map(|clocks| clocks[self.side().index()])
    }
}

/// An engine's answer to a [`MoveRequest`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveReply {
    /// The move, in the game's notation. It may be illegal.
    pub mv: String,
    /// Its score, from the first player's side.
    pub score: Option<Score>,
    /// The score in units of the game's evaluation, if the engine is ours.
    pub value: Option<i32>,
    /// The depth of the search.
    pub depth: Option<i32>,
    /// The nodes of the search.
    pub nodes: Option<u64>,
    /// The expected line, as the engine wrote it.
    pub line: Vec<String>,
    /// The time it took, measured by us.
    pub time: Duration,
}

/// Options by name and value.
type Options = [(String, String)];

/// Our side of one protocol.
trait Client: Send {
    /// Starts the conversation and sets options. Returns the engine's name, if it has one.
    fn handshake(&mut self, process: &mut Process, options: &Options, until: Instant) -> Result<Option<String>, Fault>;
    /// Starts a new game.
    fn new_game(&mut self, process: &mut Process, variant: &Variant, until: Instant) -> Result<(), Fault>;
    /// Asks for a move.
    fn find_move(&mut self, process: &mut Process, request: &MoveRequest<'_>) -> Result<MoveReply, Fault>;
    /// Stops a search that took too long, if the protocol has a command for that. Returns true if the engine is usable
    /// again.
    fn interrupt(&mut self, _process: &mut Process) -> bool {
        false
    }
    /// The command to quit.
    fn quit_command(&self) -> &'static str;
}

/// A running engine.
pub struct Driver {
    process: Process,
    client: Box<dyn Client>,
    name: Option<String>,
    start: Duration,
    usable: bool,
}

/// How long a late engine may take to stop before it is killed.
const STOP_GRACE: Duration = Duration::from_millis(500);

impl Driver {
    /// Starts an engine. It may take up to `start` to get ready, and again before each game. What it writes to stderr
    /// goes to the log. Setting `stop` ends any wait.
    pub fn start(program: &Program, start: Duration, log: &Log, stop: &Arc<AtomicBool>) -> Result<Driver, Fault> {
        let mut process = Process::start(program, log, stop)?;
        let mut client = program.protocol.client();
        let name = client.handshake(&mut process, &program.options, Instant::now() + start)?;
        if let Some(name) = &name {
            log.line(&format!("(it calls itself {name})"));
        }
        Ok(Driver { process, client, name, start, usable: true })
    }

    /// The engine's own name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Another game begins.
    pub fn new_game(&mut self, variant: &Variant) -> Result<(), Fault> {
        let ready = self.client.new_game(&mut self.process, variant, Instant::now() + self.start);
        self.usable &= ready.is_ok();
        ready
    }

    /// Asks for a move.
    pub fn find_move(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, Fault> {
        let reply = self.client.find_move(&mut self.process, request);
        if let Err(fault) = &reply {
            self.usable = matches!(fault, Fault::Late(_) | Fault::Stopped) && self.client.interrupt(&mut self.process);
        }
        reply
    }

    /// Whether it can be used again. If not, drop it.
    pub fn is_usable(&self) -> bool {
        self.usable
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if self.usable {
            self.process.quit(self.client.quit_command());
        }
    }
}

/// Turns a score from the side to move into one from the first player's side.
fn for_first(score: Score, side: Side) -> Score {
    let sign = if side == Side::First { 1 } else { -1 };
    match score {
        Score::Centi(centi) => Score::Centi(sign * centi),
        Score::Win(plies) => Score::Win(sign * plies),
        Score::Points(points) => Score::Points(sign * points),
    }
}
