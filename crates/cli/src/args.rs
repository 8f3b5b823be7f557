//! The command line, as clap reads it.

mod lab;

pub use lab::*;

use crate::failure::Failure;
use clap::{Parser, Subcommand, ValueEnum};
use polyply_engine::registry;
use polyply_engine::{Engine, EngineError, Limits, Options, Place, Variant};
use polyply_lab::duration::parse_duration;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Plays, analyses and solves board games.
///
/// Without a command it serves the web app, as `polyply serve` does. Scores are always from the first player's side: positive is good for the
/// player who moves first from the start of the game.
#[derive(Parser, Debug)]
#[command(name = "polyply", version, after_help = games())]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Serve the web app on this machine, and open it.
    Serve(ServeArgs),
    /// Ask what to play in the terminal.
    Menu,
    /// Play in the terminal: against the engine, with two people, or watch the engine play itself.
    Play(PlayArgs),
    /// Search a position and show the best lines.
    Analyze(AnalyzeArgs),
    /// Count the lines of a game to a depth; the last line is the count.
    Perft(PerftArgs),
    /// Search fixed positions to a fixed depth; the last line is `<nodes> nodes <nps> nps`.
    Bench(BenchArgs),
    /// Find the value of positions under perfect play, or the forced wins in them.
    Solve(SolveArgs),
    /// Search positions whose best moves are known; the last line is `<solved>/<total>`.
    Suite(SuiteArgs),
    /// Play chess, or any other game by the option UCI_Variant, for a UCI interface on stdin and stdout.
    Uci,
    /// Play five in a row for a Gomocup manager, such as Piskvork, on stdin and stdout.
    Gomocup,
    /// Play Othello for the board NBoard, on stdin and stdout.
    Nboard,
    /// Play any game for GoGui or another board that speaks GTP, on stdin and stdout.
    Gtp(GtpArgs),
    /// Turn games and positions of one format into another; the endings of the names tell which.
    Convert(ConvertArgs),
    /// Opening books of chess in Polyglot's format.
    #[command(subcommand)]
    Book(BookCommand),
    /// Let the engine play itself and keep the games, to learn from them.
    Selfplay(SelfplayArgs),
    /// Learn an evaluation from games of self-play.
    #[command(subcommand)]
    Learn(LearnCommand),
    /// Let engines play each other, and say how much stronger one is.
    Match(MatchArgs),
    /// Play the round robin or the gauntlet of a TOML file; the same command goes on with one that was stopped.
    Tournament(TournamentArgs),
    /// Measure things about the engine.
    #[command(subcommand)]
    Lab(LabCommand),
}

#[derive(clap::Args, Debug)]
pub struct ServeArgs {
    /// Where to listen; 127.0.0.1:8080 without it, or the next port that is free.
    #[arg(long, value_name = "ADDR")]
    pub addr: Option<SocketAddr>,
    /// Let other machines in: demanded for an address that they can reach.
    #[arg(long)]
    pub expose: bool,
    /// A name by which browsers may call this server, besides localhost and addresses; may be given several times.
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// The folder for games and tables; polyply in the usual place for data without it.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Threads of a search; as many searches run at a time as there are processors for.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Megabytes of the Search TT of each game that is open.
    #[arg(long, value_name = "MB", default_value_t = 256, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: u32,
    /// Do not improve the tables while nobody plays.
    #[arg(long)]
    pub no_idle: bool,
    /// Do not open a browser.
    #[arg(long)]
    pub no_browser: bool,
    /// Log as JSON, one object a line; the variable POLYPLY_LOG says how much is logged, as in info.
    #[arg(long)]
    pub log_json: bool,
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
            no_idle: false,
            no_browser: false,
            log_json: false,
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct GtpArgs {
    /// The game until the board asks for another, as in othello or caro:15.
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

#[derive(Subcommand, Debug)]
pub enum BookCommand {
    /// Show the moves that a book has for a position.
    Show(BookShowArgs),
    /// Make a book of games.
    Import(BookImportArgs),
    /// List all positions that the moves of a book lead to from the start of the game, with their moves and weights.
    Export(BookExportArgs),
}

#[derive(clap::Args, Debug)]
pub struct BookShowArgs {
    /// The book: a file of Polyglot's, usually called .bin.
    pub book: PathBuf,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// One JSON object instead of words.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct BookImportArgs {
    /// Files of games, as in games.pgn.
    #[arg(required = true)]
    pub games: Vec<PathBuf>,
    /// The new book.
    #[arg(long, value_name = "FILE.bin")]
    pub out: PathBuf,
    /// How many moves of a game count.
    #[arg(long, value_name = "N", default_value_t = 24, allow_negative_numbers = true)]
    pub plies: usize,
    /// Leave out moves that count less than this; a win of who played it counts 2 and a draw 1.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub least: u64,
}

#[derive(clap::Args, Debug)]
pub struct BookExportArgs {
    /// The book.
    pub book: PathBuf,
}

#[derive(clap::Args, Debug)]
pub struct ConvertArgs {
    /// Files of games (.jsonl, .pgn, .sgf, .psq, .ggf, .wtb), of moves (.txt) or of positions (.epd, .obf).
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The new file; .epd and .obf get the position that each game has come to.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The game, where the files do not tell, as in othello.
    #[arg(long, value_name = "GAME")]
    pub variant: Option<String>,
    /// Keep only so many moves of each game.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub plies: Option<usize>,
}

/// What is played.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArgs {
    /// The game, with the size of its board where there is a choice: connect4, freestyle, caro:15.
    pub variant: String,
    #[command(flatten)]
    pub rules: RuleArgs,
}

impl GameArgs {
    pub fn variant(&self) -> Result<Variant, EngineError> {
        Variant::with_rules(&self.variant, &self.rules.rules)
    }
}

/// By which rules.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct RuleArgs {
    /// Set a rule of the game by its key, as in opening=swap2; may be given several times.
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = parse_setting)]
    pub rules: Vec<(String, String)>,
}

/// How an engine is set up.
#[derive(clap::Args, Clone, Debug)]
pub struct EngineArgs {
    /// Threads that search.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub threads: usize,
    /// Size of the Search TT in megabytes; 1024 for `solve`, 64 elsewhere.
    #[arg(long, value_name = "MB", allow_negative_numbers = true)]
    pub hash: Option<usize>,
    /// Set any option of the engine by name; may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub settings: Vec<(String, String)>,
}

impl EngineArgs {
    /// The sizes, with the table's where it was not given.
    pub fn options(&self, hash: usize) -> Options {
        Options { threads: self.threads, hash: self.hash.unwrap_or(hash), ..Options::default() }
    }

    /// An engine like this.
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
    /// A file for the Search TT: read before the work if it is there, written after it. What was found out once need
    /// not be found out again.
    #[arg(long, value_name = "FILE")]
    pub snapshot: Option<PathBuf>,
}

impl KeptEngineArgs {
    /// An engine like this, with what the file has kept.
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

/// A table for a few minutes of thought.
pub const USUAL_HASH: usize = 64;

/// What is on the board.
#[derive(clap::Args, Clone, Debug)]
pub struct PlaceArgs {
    /// The position to begin from, in the game's own notation; the start of the game without it.
    #[arg(long, value_name = "P")]
    pub position: Option<String>,
    /// Moves played from there, separated by spaces or commas.
    #[arg(long, value_name = "M", default_value = "", hide_default_value = true)]
    pub moves: String,
}

impl PlaceArgs {
    pub fn place(&self) -> Place {
        let moves = self.moves.split([' ', ',']).filter(|mv| !mv.is_empty()).collect::<Vec<_>>();
        Place::new(self.position.as_deref(), &moves)
    }
}

#[derive(clap::Args, Debug)]
pub struct PlayArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Time for a move of the engine, as in 500ms, 5s or 2m.
    #[arg(long, value_name = "T", default_value = "1s", value_parser = parse_duration)]
    pub time: Duration,
    /// How strong the engine plays, from 1, a beginner, to 10; without it as well as it can in its time.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub level: Option<u8>,
    /// Who moves first.
    #[arg(long, value_name = "WHO", default_value = "me")]
    pub first: PlayerKind,
    /// Who moves second; the other one than the first if it is not said.
    #[arg(long, value_name = "WHO")]
    pub second: Option<PlayerKind>,
    /// Let the engine improve its table while you think.
    #[arg(long)]
    pub idle: bool,
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
    /// Plies to search.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(1..=255))]
    pub depth: Option<i32>,
    /// Nodes to search.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Time to search, as in 500ms, 5s or 2m; 5s when nothing else ends the search.
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// How many best lines to show.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub multipv: Option<u16>,
    /// One JSON object a line instead of words.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub kept: KeptEngineArgs,
}

/// How long an analysis without any limit takes.
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
    /// Plies of a line.
    #[arg(allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// The position to begin from; the start of the game without it.
    #[arg(long, value_name = "P")]
    pub position: Option<String>,
    /// Show the count of each first move.
    #[arg(long)]
    pub divide: bool,
}

#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    /// The games; all without any.
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
    /// A file with one position a line, `#` before a comment. In connect4 a line may also be the columns played so far
    /// and the score of the position as Pascal Pons counts it; scores that disagree are told.
    #[arg(conflicts_with_all = ["position", "moves"])]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Time for a position (with --all for a move), as in 500ms, 5s or 2m. Without it 10s in five in a row, and as long as
    /// it takes in games whose every position has a value that can be found.
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    pub limit: Option<Duration>,
    /// Solve every legal move, one by one.
    #[arg(long)]
    pub all: bool,
    /// One JSON object a line instead of words.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub kept: KeptEngineArgs,
}

#[derive(clap::Args, Debug)]
pub struct SuiteArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// A file with one position a line, `#` before a comment: a JSON object as in
    /// {"position": "h8 i9", "best": ["h9"], "avoid": [], "id": "1", "win": 7}, or `h8 i9; bm h9; am a1; id 1`; EPD for chess
    /// and OBF for Othello.
    pub file: PathBuf,
    /// A new file that gets the attempts as JSON lines; `polyply lab compare` holds two of them against each other.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Time for a position, as in 500ms, 5s or 2m; 1s when no nodes are given either.
    #[arg(long, value_name = "T", value_parser = parse_duration, conflicts_with = "nodes")]
    pub time: Option<Duration>,
    /// Nodes for a position.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// One JSON object a line instead of words.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// How long a position of a suite takes without any limit.
const SUITE_TIME: Duration = Duration::from_secs(1);

impl SuiteArgs {
    pub fn limits(&self) -> Limits {
        let time = self.time.or(self.nodes.is_none().then_some(SUITE_TIME));
        Limits { nodes: self.nodes, time, ..Limits::default() }
    }
}

/// The games there are, for the help.
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
        _ => Err("it is written as name=value".into()),
    }
}
