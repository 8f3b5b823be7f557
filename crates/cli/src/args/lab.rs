//! The commands of the lab: self-play, learning, matches, tournaments and measurements.

use super::{GameArgs, parse_setting};
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Subcommand, Debug)]
pub enum LabCommand {
    /// Play every switchable technique against the engine without it, and say what each is worth.
    Ablate(Box<AblateArgs>),
    /// Run the bench of two builds in turn, and say how many times as fast the new one is.
    Speed(SpeedArgs),
    /// Say how many different games, first moves and positions files of games hold.
    Diversity(DiversityArgs),
    /// Hold two runs of a suite against each other.
    Compare(CompareArgs),
    /// Write a report as HTML, and as JSON beside it, of the games of a match or a tournament.
    Report(ReportArgs),
}

#[derive(Subcommand, Debug)]
pub enum LearnCommand {
    /// Learn the weights of the evaluation.
    Linear(LinearArgs),
    /// Learn the order in which the search looks at moves.
    Order(OrderArgs),
    /// Measure how well short searches predict longer ones, for Multi-ProbCut.
    Probcut(ProbcutArgs),
}

/// How games of self-play are played.
#[derive(clap::Args, Debug)]
pub struct SelfplayArgs {
    /// The game, as in chess, freestyle or caro:15.
    pub variant: String,
    /// Set a rule by its key; may be given several times.
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = parse_setting)]
    pub rules: Vec<(String, String)>,
    /// Nodes a move.
    #[arg(long, value_name = "N", default_value_t = 2000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Games at a time, each on one thread.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// The same seed gives the same games.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// How many games the file shall have; those it has already are not played again.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    pub games: u64,
    /// The file that gets the games.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The weights to play with: a file, `built-in` or `handmade`.
    #[arg(long, value_name = "W", default_value = "built-in")]
    pub weights: String,
}

#[derive(clap::Args, Debug)]
pub struct LinearArgs {
    #[command(flatten)]
    pub learn: LearnArgs,
    /// How much the result of a game counts against what the search thought, in percent.
    #[arg(long, value_name = "N", default_value_t = 70, allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub result: u8,
    /// Times that all positions are seen, at most.
    #[arg(long, value_name = "N", default_value_t = 60, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: u32,
    /// Write the evaluation in another unit, in percent of the usual one, where the margins of the search are made for that.
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(10..=1000))]
    pub scale: u16,
    /// Games that were not learned from, to say how far the evaluation is off: files of records in any format.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub test: Vec<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct OrderArgs {
    #[command(flatten)]
    pub learn: LearnArgs,
}

#[derive(clap::Args, Debug)]
pub struct ProbcutArgs {
    /// The game, as in othello.
    pub variant: String,
    /// Files of games to take positions from.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    /// The weights to search with: a file, `built-in` or `handmade`.
    #[arg(long, value_name = "W", default_value = "built-in")]
    pub weights: String,
    /// How many positions.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    pub positions: u32,
    /// Which positions.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// The file that gets what was found.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What weights are learned from.
#[derive(clap::Args, Debug)]
pub struct LearnArgs {
    /// The game, as in chess, freestyle or othello.
    pub variant: String,
    /// Files of games to learn from.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    /// The file that gets the weights; a page about them goes beside it, under its name with .html added.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Weights to begin with, which may be those of a like game: a file, `built-in` or `handmade`. What is not learned is
    /// taken from them. Without it an evaluation begins with nothing, and an order of moves goes with the built-in one.
    #[arg(long, value_name = "W")]
    pub start: Option<String>,
    /// The order of the positions, and which games are held out.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
}

#[derive(clap::Args, Debug)]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// A player: `builtin[:option=value,…]`, or `cmd=<program>,proto=uci|uai|gomocup|nboard|gtp` with further `arg=…`, `dir=…`
    /// and `option.X=…`. Both take `name=…` and limits of their own, as in `nodes=2000`. Given twice or more often.
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    pub engines: Vec<String>,
    /// With more than two engines: the first plays all others, instead of everybody everybody else.
    #[arg(long)]
    pub gauntlet: bool,
    /// Games of each two engines; they come in pairs with the same opening.
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    #[command(flatten)]
    pub openings: OpeningArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How much later than allowed a move may come.
    #[arg(long, value_name = "T", default_value = "100ms")]
    pub margin: String,
    /// How long a move may take where its time is not limited.
    #[arg(long, value_name = "T", default_value = "60s")]
    pub stall: String,
    /// How long an engine may take to get ready.
    #[arg(long, value_name = "T", default_value = "10s")]
    pub startup: String,
    #[command(flatten)]
    pub ruling: RulingArgs,
    /// Stop as soon as a sequential test knows whether the first engine is stronger by elo1 or more, or by elo0 or less.
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA][,normalised]", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
    /// The games as SGF, PSQ, PGN or GGF, by the ending of the name; beside them a report as HTML and JSON, a log of what
    /// the engines complained, and the journal that --resume reads.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Go on with a match that was stopped.
    #[arg(long, requires = "out")]
    pub resume: bool,
}

/// What an engine has for a move.
#[derive(clap::Args, Clone, Debug)]
pub struct LimitArgs {
    /// A clock for the game: `moves/seconds+increment`, as in 40/60+0.6 or 10+0.1.
    #[arg(long, value_name = "TC")]
    pub tc: Option<String>,
    /// Time for a move, as in 100ms.
    #[arg(long, value_name = "T")]
    pub movetime: Option<String>,
    /// Nodes for a move.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub nodes: Option<u64>,
    /// Plies for a move.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub depth: Option<i32>,
}

/// When a game is over before its end.
#[derive(clap::Args, Clone, Debug)]
pub struct RulingArgs {
    /// Call a game drawn: from move `from` on, `count` scores in a row within `score` hundredths of 0.
    #[arg(long, value_name = "from=40,count=8,score=10")]
    pub draw: Option<String>,
    /// Call a game lost: `count` scores of a side in a row that are worse than `score` hundredths; with both=1 the
    /// opponent must see it too.
    #[arg(long, value_name = "count=4,score=1000")]
    pub resign: Option<String>,
    /// Call a game won when an engine announces a win within so many plies.
    #[arg(long, value_name = "PLIES")]
    pub win_within: Option<u32>,
    /// Call a game drawn after so many moves of both sides.
    #[arg(long, value_name = "N")]
    pub max_moves: Option<usize>,
}

/// Where games begin.
#[derive(clap::Args, Clone, Debug)]
pub struct OpeningArgs {
    /// `random` for random moves to a position that a search calls fair, `start` for none, or a file: of games, as SGF, PSQ,
    /// PGN, GGF or JSON lines, or with one opening a line: moves, a position, or Gomocup's offsets from the middle.
    #[arg(long, value_name = "FILE", default_value = "random")]
    pub openings: String,
    /// How many moves are an opening, where the file has whole games.
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true)]
    pub plies: usize,
    /// Take the openings of a file in random order.
    #[arg(long)]
    pub shuffle: bool,
    /// The same seed gives the same openings.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
}

/// How games are run.
#[derive(clap::Args, Clone, Debug)]
pub struct RunArgs {
    /// Games at a time.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// One JSON object instead of words.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct TournamentArgs {
    /// The file; docs/lab.md shows one.
    pub file: PathBuf,
    /// One JSON object instead of words.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct AblateArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Games of each technique.
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// 5000 nodes, when nothing is said.
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub ruling: RulingArgs,
    /// Try only these techniques, or other settings, as in lmr or vct_depth=2; may be given several times.
    #[arg(long = "only", value_name = "NAME[=VALUE]")]
    pub only: Vec<String>,
    #[command(flatten)]
    pub openings: OpeningArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// The file that gets the games, as in `match`; the same command goes on with a run that was stopped.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct SpeedArgs {
    /// The build to try: a program with a command `bench`, such as another polyply, or `builtin` for this one.
    #[arg(long, value_name = "CMD", default_value = "builtin")]
    pub new: String,
    /// The build it is compared with.
    #[arg(long, value_name = "CMD")]
    pub old: String,
    /// How many times each runs.
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// One JSON object instead of words.
    #[arg(long)]
    pub json: bool,
    /// What both are told behind `bench`, as in freestyle; begins with -- where it is an option.
    pub bench: Vec<String>,
}

#[derive(clap::Args, Debug)]
pub struct DiversityArgs {
    /// Files of games: of `polyply selfplay`, or .jsonl, .pgn, .sgf, .psq and .ggf.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Compare positions after these numbers of plies.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2,4,6,8,10,12,16,20")]
    pub plies: Vec<usize>,
    /// One JSON object instead of words.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct CompareArgs {
    /// What `polyply suite --out` has written.
    pub old: PathBuf,
    /// The same of another run.
    pub new: PathBuf,
    /// One JSON object instead of words.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// Files of games: .jsonl, .pgn, .sgf, .psq or .ggf.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The page; its name with .json at the end gets the numbers.
    #[arg(long, value_name = "FILE.html")]
    pub out: PathBuf,
    /// Show the course of a sequential test.
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA][,normalised]", allow_hyphen_values = true)]
    pub sprt: Option<String>,
}
