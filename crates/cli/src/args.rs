//! The command line, as clap reads it.

mod book;
mod fleet;
mod lab;
mod tdleaf;

pub use book::*;
pub use fleet::*;
pub use lab::*;
pub use tdleaf::*;

use crate::failure::Failure;
use clap::{Parser, Subcommand, ValueEnum};
use polyply_engine::registry;
use polyply_engine::{Engine, EngineError, Limits, Options, PositionSpec, Share, Variant};
use polyply_fleet::Address;
use polyply_lab::duration::parse_duration;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Play, analyse and solve board games.
///
/// Without a command, polyply serves the web app, as `polyply serve` does. Scores are always from the first player's
/// side: positive is good for the player who makes the first move of the game.
#[derive(Parser, Debug)]
#[command(name = "polyply", version, after_help = games())]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Serve the web app on this machine and open it in a browser.
    Serve(ServeArgs),
    /// Copy games, reviews and matches of the server to a new folder, also while it runs.
    Backup(BackupArgs),
    /// Put such a copy back as the data folder of a server.
    Restore(RestoreArgs),
    /// Choose a game from a menu and play it in the terminal.
    Menu,
    /// Play in the terminal: against the engine or another person, or watch the engine play itself.
    Play(PlayArgs),
    /// Search a position and show the best lines.
    Analyze(AnalyzeArgs),
    /// Count the lines of play to a given depth; the last line of the output is the count.
    Perft(PerftArgs),
    /// Measure the speed of fixed searches; the last line is `<nodes> nodes <nps> nps`.
    Bench(BenchArgs),
    /// Find the value of positions under perfect play, or forced wins in them.
    Solve(SolveArgs),
    /// Test the engine on positions with known best moves; the last line is `<solved>/<total>`.
    Suite(SuiteArgs),
    /// Speak UCI on stdin and stdout: chess, or another game chosen by the option UCI_Variant.
    Uci,
    /// Speak the Gomocup protocol on stdin and stdout: five in a row, for managers such as Piskvork.
    Gomocup,
    /// Speak the NBoard protocol on stdin and stdout: Othello.
    Nboard,
    /// Speak GTP on stdin and stdout: any game, for GoGui and the like.
    Gtp(GtpArgs),
    /// Convert games and positions between file formats, which the file extensions name.
    Convert(ConvertArgs),
    /// Build, show, fill and convert opening books.
    #[command(subcommand)]
    Book(BookCommand),
    /// Let the engine play itself, and keep the games to learn from.
    Selfplay(SelfplayArgs),
    /// Learn weights from games of self-play.
    #[command(subcommand)]
    Learn(LearnCommand),
    /// Find better values for parameters of the engine by games, as a TOML file describes it.
    #[command(subcommand)]
    Tune(TuneCommand),
    /// Play engines against each other and estimate how much stronger one is.
    Match(Box<MatchArgs>),
    /// Play the tournament that a TOML file describes; the same command continues one that was stopped.
    Tournament(TournamentArgs),
    /// Measure the engine: its techniques, its speed, its games.
    #[command(subcommand)]
    Lab(LabCommand),
    /// Do work for a fleet: pieces of matches, tournaments, self-play, tuning, books and suites.
    Worker(WorkerArgs),
    /// Look at a fleet and its jobs.
    #[command(subcommand)]
    Fleet(FleetCommand),
}

#[derive(clap::Args, Debug)]
pub struct ServeArgs {
    /// Address to listen on [default: 127.0.0.1:8080, or the next free port].
    #[arg(long, value_name = "ADDR")]
    pub addr: Option<SocketAddr>,
    /// Let others in: allow an address that other machines can reach, and keep what is not open to all for the holder of
    /// the operator token, which is made in the data folder. Also for a server behind a proxy.
    #[arg(long)]
    pub expose: bool,
    /// Host name that browsers may use for this server, besides localhost and IP addresses; repeatable.
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Folder for games and tables [default: polyply in the user's data folder].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Threads for each search; as many searches run at once as the processors allow.
    #[arg(
        long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub threads: u16,
    /// Size of the Search TT of each open game, in megabytes.
    #[arg(
        long, value_name = "MB", default_value_t = 256, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub hash: u32,
    /// Memory for all engines together, in megabytes; the engine that was not used for longest is closed for another.
    #[arg(
        long, value_name = "MB", default_value_t = 1536, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub memory: u32,
    /// Share of one processor for improving the tables while nobody plays, as in 10%, or off.
    #[arg(long, value_name = "SHARE", default_value = "25%", value_parser = parse_share)]
    pub idle: Share,
    /// End unfinished games in which nothing has happened for this long, as in 30d.
    #[arg(long, value_name = "T", default_value = "30d", value_parser = parse_duration)]
    pub expire: Duration,
    /// How often the tables are saved, as in 3m; a kill loses what they have learned since.
    #[arg(long, value_name = "T", default_value = "3m", value_parser = parse_save_every)]
    pub save_every: Duration,
    /// Fleet whose workers search moves that this machine has no thread for, as in nats://127.0.0.1:4222.
    #[arg(long, value_name = "URL")]
    pub fleet: Option<Address>,
    /// Do not open a browser.
    #[arg(long)]
    pub no_browser: bool,
    /// Log as JSON, one object per line; the environment variable POLYPLY_LOG sets the level, as in info.
    #[arg(long)]
    pub log_json: bool,
}

#[derive(clap::Args, Debug)]
pub struct BackupArgs {
    /// Folder to create.
    #[arg(value_name = "DIR")]
    pub to: PathBuf,
    /// Data folder of the server [default: polyply in the user's data folder].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct RestoreArgs {
    /// Folder that `backup` has created.
    #[arg(value_name = "DIR")]
    pub from: PathBuf,
    /// Data folder of the server, without games [default: polyply in the user's data folder].
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
}

impl Default for ServeArgs {
    fn default() -> Self {
        ServeArgs {
            addr: None,
            expose: false,
            hosts: Vec::new(),
            data: None,
            threads: 1,
            hash: 256,
            memory: 1536,
            idle: Share::USUAL,
            expire: polyply_server::EXPIRE,
            save_every: polyply_server::SAVE_EVERY,
            fleet: None,
            no_browser: false,
            log_json: false,
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct GtpArgs {
    /// Game to begin with, as in othello or caro:15; the controller may ask for another.
    pub variant: Option<String>,
    #[command(flatten)]
    pub rules: RuleArgs,
}

impl GtpArgs {
    pub fn variant(&self) -> Result<Variant, EngineError> {
        let usual = || Variant::main_of("gtp").map_or(String::new(), |usual| usual.name().to_owned());
        Variant::with_rules(&self.variant.clone().unwrap_or_else(usual), &self.rules.rules)
    }
}

#[derive(clap::Args, Debug)]
pub struct ConvertArgs {
    /// Files of games (.jsonl, .pgn, .sgf, .psq, .ggf, .wtb), moves (.txt) or positions (.epd, .obf).
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// File to write, which must not exist yet; .epd and .obf get the last position of each game.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The game, if the files do not name it, as in othello.
    #[arg(long, value_name = "GAME")]
    pub variant: Option<String>,
    /// Keep only the first N moves of each game.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub plies: Option<usize>,
}

/// The game.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArgs {
    /// The game, with a board size where there is a choice: connect4, freestyle, caro:15.
    pub variant: String,
    #[command(flatten)]
    pub rules: RuleArgs,
}

impl GameArgs {
    pub fn variant(&self) -> Result<Variant, EngineError> {
        Variant::with_rules(&self.variant, &self.rules.rules)
    }
}

/// The rules of the game.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct RuleArgs {
    /// Set a rule of the game, as in opening=swap2; repeatable.
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = parse_setting)]
    pub rules: Vec<(String, String)>,
}

/// The options of an engine.
#[derive(clap::Args, Clone, Debug)]
pub struct EngineArgs {
    /// Search threads.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub threads: usize,
    /// Size of the Search TT in megabytes [default: 1024 for `solve`, otherwise 64].
    #[arg(long, value_name = "MB", allow_negative_numbers = true)]
    pub hash: Option<usize>,
    /// Set an option of the engine by name; repeatable.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub settings: Vec<(String, String)>,
}

impl EngineArgs {
    /// The number of threads and the table size, with this default.
    pub fn options(&self, hash: usize) -> Options {
        Options { threads: self.threads, hash: self.hash.unwrap_or(hash), ..Options::default() }
    }

    /// An engine with these options.
    pub fn engine(&self, variant: &Variant, hash: usize) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(variant, &self.options(hash))?;
        for (name, value) in &self.settings {
            engine.set_option(name, value)?;
        }
        Ok(engine)
    }
}

/// An engine whose Search TT can be kept between runs.
#[derive(clap::Args, Clone, Debug)]
pub struct KeptEngineArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Keep the Search TT in this file between runs: it is read first if it exists, and written at the end.
    #[arg(long, value_name = "FILE")]
    pub snapshot: Option<PathBuf>,
}

impl KeptEngineArgs {
    /// An engine with these options and the table of the file.
    pub fn engine(&self, variant: &Variant, hash: usize) -> Result<Engine, Failure> {
        let mut engine = self.engine.engine(variant, hash)?;
        if let Some(path) = self.snapshot.as_ref().filter(|path| path.exists()) {
            engine.load(path).map_err(|error| Failure::file(path, error))?;
        }
        Ok(engine)
    }

    /// Writes the file, if one was named.
    pub fn save(&self, engine: &Engine) -> Result<(), Failure> {
        match &self.snapshot {
            Some(path) => engine.save(path).map(drop).map_err(|error| Failure::file(path, error)),
            None => Ok(()),
        }
    }
}

/// A share of one processor: `off`, or a whole number of percent such as `25%`.
fn parse_share(text: &str) -> Result<Share, String> {
    let share = match text {
        "off" => Some(Share::OFF),
        _ => text.strip_suffix('%').and_then(|number| number.parse().ok()).and_then(Share::percent),
    };
    share.ok_or_else(|| "a share is `off` or a number of percent from 0% to 100%".into())
}

/// More often, a server would hardly do anything else.
fn parse_save_every(text: &str) -> Result<Duration, String> {
    let every = parse_duration(text).map_err(|error| error.to_string())?;
    let shortest = Duration::from_millis(100);
    if every < shortest { Err("tables can be saved every 100ms at most".into()) } else { Ok(every) }
}

/// Default table size in megabytes: enough for a search of a few minutes.
pub const USUAL_HASH: usize = 64;

/// The position.
#[derive(clap::Args, Clone, Debug)]
pub struct PlaceArgs {
    /// Position to begin from, in the game's own notation [default: the start of the game].
    #[arg(long, value_name = "P")]
    pub position: Option<String>,
    /// Moves to play from there, separated by spaces or commas.
    #[arg(long, value_name = "M", default_value = "", hide_default_value = true)]
    pub moves: String,
}

impl PlaceArgs {
    pub fn place(&self) -> PositionSpec {
        let moves = self.moves.split([' ', ',']).filter(|mv| !mv.is_empty()).collect::<Vec<_>>();
        PositionSpec::new(self.position.as_deref(), &moves)
    }
}

#[derive(clap::Args, Debug)]
pub struct PlayArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Time for each move of the engine, as in 500ms, 5s or 2m.
    #[arg(long, value_name = "T", default_value = "1s", value_parser = parse_duration)]
    pub time: Duration,
    /// Strength of the engine from 1 (beginner) to 10 [default: as strong as its time allows].
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: Option<u8>,
    /// Who moves first.
    #[arg(long, value_name = "WHO", default_value = "me")]
    pub first: PlayerKind,
    /// Who moves second [default: the other one].
    #[arg(long, value_name = "WHO")]
    pub second: Option<PlayerKind>,
    /// Share of one processor for improving the table while you think, as in 50%, or off.
    #[arg(long, value_name = "SHARE", default_value = "25%", value_parser = parse_share)]
    pub idle: Share,
    /// Let the engine play without its opening book.
    #[arg(long)]
    pub no_book: bool,
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub kept: KeptEngineArgs,
}

/// Who plays a side.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// A person at this terminal.
    #[value(name = "me")]
    Human,
    /// The engine.
    Engine,
}

impl PlayerKind {
    pub fn other(self) -> PlayerKind {
        match self {
            PlayerKind::Human => PlayerKind::Engine,
            PlayerKind::Engine => PlayerKind::Human,
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct AnalyzeArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Depth to search to, in plies.
    #[arg(
        long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(i32).range(1..=255)
    )]
    pub depth: Option<i32>,
    /// Nodes to search at most.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Time to search, as in 500ms, 5s or 2m [default: 5s unless --depth or --nodes is given].
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// Number of best lines to show.
    #[arg(
        long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=512)
    )]
    pub multipv: Option<u16>,
    /// Print one JSON object per line instead of text.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub kept: KeptEngineArgs,
}

/// The time of an analysis without limits.
const USUAL_TIME: Duration = Duration::from_secs(5);

impl AnalyzeArgs {
    pub fn limits(&self) -> Limits {
        let time = self.time.or((self.depth.is_none() && self.nodes.is_none()).then_some(USUAL_TIME));
        Limits { depth: self.depth, nodes: self.nodes, time, ..Limits::default() }
    }
}

#[derive(clap::Args, Debug)]
pub struct PerftArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Length of the lines, in plies.
    #[arg(allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// Position to begin from [default: the start of the game].
    #[arg(long, value_name = "P")]
    pub position: Option<String>,
    /// Also show the count for each first move.
    #[arg(long)]
    pub divide: bool,
}

#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    /// The games [default: all].
    pub variants: Vec<String>,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
}

#[derive(clap::Args, Debug)]
pub struct SolveArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// A file with one position per line; `#` begins a comment. In connect4 a line may also be the columns played so
    /// far and a score as Pascal Pons counts it; scores that disagree are reported.
    #[arg(conflicts_with_all = ["position", "moves"])]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Time for each position, or with --all for each move, as in 500ms, 5s or 2m [default: 10s where only forced wins
    /// are looked for, as in five in a row; otherwise no limit].
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    pub limit: Option<Duration>,
    /// Solve every legal move separately.
    #[arg(long)]
    pub all: bool,
    /// Print one JSON object per line instead of text.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub kept: KeptEngineArgs,
}

#[derive(clap::Args, Debug)]
pub struct SuiteArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// A file with one position per line; `#` begins a comment. A line is a JSON object such as
    /// {"position": "h8 i9", "best": ["h9"], "avoid": [], "id": "1", "win": 7}, or text such as
    /// `h8 i9; bm h9; am a1; id 1`; EPD for chess, OBF for Othello.
    pub file: PathBuf,
    /// Write the results as JSON lines to this new file; `polyply lab compare` compares two of them.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Time for each position, as in 500ms, 5s or 2m [default: 1s unless --nodes is given].
    #[arg(long, value_name = "T", value_parser = parse_duration, conflicts_with = "nodes")]
    pub time: Option<Duration>,
    /// Nodes for each position.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Print one JSON object per line instead of text.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

/// The time for each position of a suite without limits.
const SUITE_TIME: Duration = Duration::from_secs(1);

impl SuiteArgs {
    pub fn limits(&self) -> Limits {
        let time = self.time.or(self.nodes.is_none().then_some(SUITE_TIME));
        Limits { nodes: self.nodes, time, ..Limits::default() }
    }
}

/// The list of games for the help.
fn games() -> String {
    let games = registry::games().map(|about| {
        format!(
            "\n  {:<10} {}\n{:13}Moves: {}.\n{:13}Positions: {}.",
            about.name, about.description, "", about.moves, "", about.positions
        )
    });
    format!("Games:{}", games.collect::<String>())
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("it must be name=value".into()),
    }
}
