//! Other people's engines: child processes that are asked for moves in the protocol they speak.
//!
//! A [`Driver`] is one engine at work. Whoever has it need not care which protocol is spoken: it announces a game, asks
//! [`MoveRequest`]s and gets [`MoveReply`]s, or a [`Fault`] that says in what way the engine failed. Every wait has an end, an
//! engine that floods is held back, and when a driver is dropped its process is gone, with all that it has started.
//!
//! `process` keeps the child; `uci`, `gomocup`, `nboard` and `gtp` each hold a client with it.

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
use polyply_engine::{Board, Clock, Place, Refusal, Score, Side, Variant};
use process::Process;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The same under the name it has for another game.
    Uai,
    /// The Gomocup protocol of five in a row.
    Gomocup,
    /// The NBoard protocol of Othello.
    Nboard,
    /// The Go Text Protocol, for any game with stones on points.
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

    /// Says why a variant can't be played in this protocol, if that is so.
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

    /// It can be told a position that no list of moves leads to.
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
    /// The folder it runs in; the one we run in without it.
    pub folder: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options to set: `setoption` in UCI, `INFO` in Gomocup, `set` in NBoard, a command of its own in GTP.
    pub options: Vec<(String, String)>,
}

/// In what way an engine failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// It could not be started.
    #[error("can't be started: {0}")]
    Start(String),
    /// It has no such option.
    #[error("has no option `{0}`")]
    Option(String),
    /// It did not answer in time; the last thing it said.
    #[error("did not answer in time{}", last_line(.0))]
    Late(String),
    /// It ended, or closed its output.
    #[error("ended by itself ({how}){}", last_line(.last))]
    Gone {
        /// The way it ended.
        how: String,
        /// The last thing it said.
        last: String,
    },
    /// It said that it can't.
    #[error("refused: {0}")]
    Refused(String),
    /// It is not to blame: we were told to stop.
    #[error("was stopped")]
    Stopped,
}

impl Fault {
    /// What happened to the engine of this name, as a code with arguments.
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

/// What a move may cost; what is not set is not limited.
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

/// Where a move is wanted.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The game so far.
    pub board: &'a Board,
    /// What it may cost.
    pub budget: Budget,
    /// When nobody waits for an answer any more.
    pub until: Instant,
}

impl<'a> MoveRequest<'a> {
    /// Where the game began and the moves since.
    pub fn place(&self) -> &'a Place {
        self.board.place()
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

/// What an engine answers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveReply {
    /// The move, in the notation of the game; whether it is legal is for the rules to say.
    pub mv: String,
    /// What it thinks of it, from the first player's side.
    pub score: Option<Score>,
    /// The same in units of the game's evaluation, where the engine is one of this program.
    pub value: Option<i32>,
    /// How deep it has looked.
    pub depth: Option<i32>,
    /// How many nodes it has looked at.
    pub nodes: Option<u64>,
    /// The line it expects, as the engine writes it.
    pub line: Vec<String>,
    /// How long it took, seen from outside.
    pub time: Duration,
}

/// Options by name and value.
type Options = [(String, String)];

/// Our side of one protocol.
trait Client: Send {
    /// Introduces the engine and sets its options; its name, if it has one.
    fn handshake(&mut self, process: &mut Process, options: &Options, until: Instant) -> Result<Option<String>, Fault>;
    /// Another game begins.
    fn new_game(&mut self, process: &mut Process, variant: &Variant, until: Instant) -> Result<(), Fault>;
    /// Asks for a move.
    fn find_move(&mut self, process: &mut Process, request: &MoveRequest<'_>) -> Result<MoveReply, Fault>;
    /// Ends a reply that took too long, where the protocol has a word for it: true when the engine can be asked again.
    fn interrupt(&mut self, _process: &mut Process) -> bool {
        false
    }
    /// How one takes leave.
    fn quit_command(&self) -> &'static str;
}

/// An engine at work.
pub struct Driver {
    process: Process,
    client: Box<dyn Client>,
    name: Option<String>,
    start: Duration,
    usable: bool,
}

/// How long a late engine has to end its reply before it is killed.
const STOP_GRACE: Duration = Duration::from_millis(500);

impl Driver {
    /// Starts an engine, which has `start` to introduce itself, and as long to get ready for each game. What it writes to
    /// stderr goes to the log; `stop` ends any wait.
    pub fn start(program: &Program, start: Duration, log: &Log, stop: &Arc<AtomicBool>) -> Result<Driver, Fault> {
        let mut process = Process::start(program, log, stop)?;
        let mut client = program.protocol.client();
        let name = client.handshake(&mut process, &program.options, Instant::now() + start)?;
        if let Some(name) = &name {
            log.line(&format!("(it calls itself {name})"));
        }
        Ok(Driver { process, client, name, start, usable: true })
    }

    /// What the engine calls itself.
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

    /// It can be asked again. One that can't is to be dropped.
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

/// A score of the side to move, from the first player's side.
fn for_first(score: Score, side: Side) -> Score {
    let sign = if side == Side::First { 1 } else { -1 };
    match score {
        Score::Centi(centi) => Score::Centi(sign * centi),
        Score::Win(plies) => Score::Win(sign * plies),
        Score::Points(points) => Score::Points(sign * points),
    }
}
