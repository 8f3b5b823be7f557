//! The commands of the lab: self-play, learning, matches, tournaments and measurements.

use super::{FleetArgs, GameArgs, TdLeafArgs, parse_setting};
use clap::Subcommand;
use polyply_lab::duration::parse_duration;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Subcommand, Debug)]
pub enum LabCommand {
    /// Measure what each search technique is worth, by matches with and without it; 5000 nodes per move by default.
    Ablate(Box<AblateArgs>),
    /// Compare the speed of two builds by running their benches in turn.
    Speed(SpeedArgs),
    /// Count the different games, first moves and positions in files of games.
    Diversity(DiversityArgs),
    /// Compare two runs of a suite.
    Compare(CompareArgs),
    /// Write a report on the games of a match or a tournament, as HTML and as JSON.
    Report(ReportArgs),
    /// Prove that each level beats the one below, by matches of neighbours.
    Ladder(LadderArgs),
    /// Show how personas differ: each plays the engine without a style.
    Personas(StyleArgs),
    /// Measure what idle improvement is worth: the depth of answers, a match, and how fast it makes way.
    Idle(IdleArgs),
}

#[derive(Subcommand, Debug)]
pub enum LearnCommand {
    /// Learn the weights of the evaluation.
    Linear(LinearArgs),
    /// Learn the order in which the search tries moves.
    Order(OrderArgs),
    /// Train a neural net that adds to the evaluation.
    Net(NetArgs),
    /// Train a neural net that adds to the order of moves.
    Policy(PolicyArgs),
    /// Measure how well short searches predict longer ones, for Multi-ProbCut.
    Probcut(ProbcutArgs),
    /// Learn the weights of the evaluation, or the last layers of a net, while playing: TDLeaf(λ).
    Tdleaf(TdLeafArgs),
}

#[derive(Subcommand, Debug)]
pub enum TuneCommand {
    /// Follow the results of small changes to all parameters at once: the usual choice.
    Spsa(TuneArgs),
    /// Like spsa, with a step size for each parameter that follows the signs of its changes.
    Rspsa(TuneArgs),
    /// Fit a curve to the results and try points where its maximum may be: for few parameters.
    Clop(TuneArgs),
    /// Let generations of parameters compete: where the others get stuck.
    Genetic(TuneArgs),
}

/// The options of tuning.
#[derive(clap::Args, Debug)]
pub struct TuneArgs {
    /// File that says what to tune; the journal, the result and a report go beside it, under its name.
    #[arg(value_name = "FILE.toml")]
    pub file: PathBuf,
    /// Continue a run that was stopped or killed.
    #[arg(long)]
    pub resume: bool,
    /// Show what would be played, and play nothing.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

/// The options of self-play.
#[derive(clap::Args, Debug)]
pub struct SelfplayArgs {
    /// The game, as in chess, freestyle or caro:15.
    pub variant: String,
    /// Set a rule of the game, as in opening=swap2; repeatable.
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = parse_setting)]
    pub rules: Vec<(String, String)>,
    /// Nodes per move.
    #[arg(
        long, value_name = "N", default_value_t = 2000, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub nodes: u64,
    /// Games to play at once, each on one thread.
    #[arg(
        long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    pub threads: u16,
    /// The same seed gives the same games.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Number of games the file is to have in the end; those it already has are not played again.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    pub games: u64,
    /// File for the games; the same command continues one that was stopped.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Weights to play with: a file, `built-in`, `linear` or `handmade`.
    #[arg(long, value_name = "W", default_value = "built-in")]
    pub weights: String,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

#[derive(clap::Args, Debug)]
pub struct LinearArgs {
    #[command(flatten)]
    pub learn: LearnArgs,
    /// Weight of the game's result in the training target, in percent; the rest is the search's score.
    #[arg(
        long, value_name = "N", default_value_t = 70, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u8).range(0..=100)
    )]
    pub result: u8,
    /// Passes over all positions, at most.
    #[arg(
        long, value_name = "N", default_value_t = 60, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub epochs: u32,
    /// Scale the evaluation by this percentage, to suit the margins of the search.
    #[arg(
        long, value_name = "N", default_value_t = 100, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(10..=1000)
    )]
    pub scale: u16,
    /// Files of other games, in any format, to measure the error of the learned evaluation on.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub test: Vec<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct OrderArgs {
    #[command(flatten)]
    pub learn: LearnArgs,
}

#[derive(clap::Args, Debug)]
pub struct NetArgs {
    /// The game, as in chess.
    pub variant: String,
    #[command(flatten)]
    pub train: TrainArgs,
    /// Hidden neurons for each side: a multiple of 32, or 16 in a pooled net [default: what the game proposes].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub hidden: Option<u16>,
    /// Neurons between these and the output; 0 for no such layer [default: what the game proposes].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub middle: Option<u16>,
    /// Weight of the game's result in the training target, in percent; the rest is the search's score.
    #[arg(
        long, value_name = "N", default_value_t = 30, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u8).range(0..=100)
    )]
    pub result: u8,
}

#[derive(clap::Args, Debug)]
pub struct PolicyArgs {
    /// The game, as in freestyle.
    pub variant: String,
    #[command(flatten)]
    pub train: TrainArgs,
    /// Weights that the net joins: a file, `built-in`, `linear` or `handmade`.
    #[arg(long, value_name = "W", default_value = "built-in")]
    pub start: String,
}

/// The options of all trainings of nets.
#[derive(clap::Args, Debug)]
pub struct TrainArgs {
    /// Files of games to learn from.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    /// File for the net; a report is written beside it, with .html added to its name, and once a minute all that is
    /// needed to resume, with .checkpoint added.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Passes over all positions, at most.
    #[arg(
        long, value_name = "N", default_value_t = 20, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub epochs: u32,
    /// Positions per step.
    #[arg(
        long, value_name = "N", default_value_t = 16384, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub batch: u32,
    /// Largest step size.
    #[arg(long, value_name = "X", default_value_t = 0.001, allow_negative_numbers = true)]
    pub rate: f32,
    /// Passes without a gain on held-out games after which training ends.
    #[arg(
        long, value_name = "N", default_value_t = 5, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub patience: u32,
    /// Seed for the first weights, the order of the positions and the choice of held-out games.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Go on with a training that was stopped, with the same options; the result is the same as without the stop.
    #[arg(long)]
    pub resume: bool,
}

#[derive(clap::Args, Debug)]
pub struct ProbcutArgs {
    /// The game, as in othello.
    pub variant: String,
    /// Files of games to take positions from.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    /// Weights to search with: a file, `built-in`, `linear` or `handmade`.
    #[arg(long, value_name = "W", default_value = "built-in")]
    pub weights: String,
    /// Number of positions to search.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    pub positions: u32,
    /// Seed for choosing the positions.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Write the weights to this file, together with the predictions that were measured.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// The options that all kinds of learning share.
#[derive(clap::Args, Debug)]
pub struct LearnArgs {
    /// The game, as in chess, freestyle or othello.
    pub variant: String,
    /// Files of games to learn from.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    /// File for the weights; a report is written beside it, with .html added to its name.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Weights to begin with, possibly those of a similar game: a file, `built-in`, `linear` or `handmade`. They also supply what
    /// is not learned [default: an evaluation begins from scratch, an order of moves joins the built-in evaluation].
    #[arg(long, value_name = "W")]
    pub start: Option<String>,
    /// Seed for the order of the positions and for the choice of held-out games.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
}

#[derive(clap::Args, Debug)]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// A player: `builtin[:option=value,…]`, with `params=FILE` for options from a file that `polyply tune` wrote, or `cmd=<program>,proto=uci|uai|gomocup|nboard|gtp`, optionally with
    /// `arg=…`, `dir=…` and `option.X=…`. Both accept `name=…` and their own limits, as in `nodes=2000`. Give it at
    /// least twice.
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    pub engines: Vec<String>,
    /// With more than two engines, let the first play each of the others instead of all playing all.
    #[arg(long)]
    pub gauntlet: bool,
    /// Games for each pair of engines; each opening is played twice with sides swapped.
    #[arg(
        long, value_name = "N", default_value_t = 100, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub games: u64,
    #[command(flatten)]
    pub openings: OpeningArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How far a move may exceed its time before it loses the game.
    #[arg(long, value_name = "T", default_value = "100ms")]
    pub margin: String,
    /// Longest time for a move that has no time limit.
    #[arg(long, value_name = "T", default_value = "60s")]
    pub stall: String,
    /// Longest time for an engine to start up.
    #[arg(long, value_name = "T", default_value = "10s")]
    pub startup: String,
    #[command(flatten)]
    pub ruling: RulingArgs,
    /// Stop when a sequential probability ratio test decides between a difference of ELO0 and one of ELO1.
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA][,normalised]", allow_hyphen_values = true)]
    pub sprt: Option<String>,
    #[command(flatten)]
    pub run: RunArgs,
    /// File for the games: .sgf, .psq, .pgn or .ggf. Beside it go a report as HTML and JSON, a log of the engines'
    /// errors, and the journal that --resume needs.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Continue a match that was stopped.
    #[arg(long, requires = "out")]
    pub resume: bool,
}

/// The limits of a move.
#[derive(clap::Args, Clone, Debug)]
pub struct LimitArgs {
    /// Time control `moves/seconds+increment`, as in 40/60+0.6 or 10+0.1, or `hourglass:seconds`, where the time of a
    /// move goes to the opponent.
    #[arg(long, value_name = "TC")]
    pub tc: Option<String>,
    /// Time per move, as in 100ms.
    #[arg(long, value_name = "T")]
    pub movetime: Option<String>,
    /// Nodes per move.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub nodes: Option<u64>,
    /// Search depth per move, in plies.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub depth: Option<i32>,
}

/// When to end games early.
#[derive(clap::Args, Clone, Debug)]
pub struct RulingArgs {
    /// Adjudicate a draw after `count` scores in a row within `score` hundredths of 0, from ply `from` on.
    #[arg(long, value_name = "from=40,count=8,score=10")]
    pub draw: Option<String>,
    /// Adjudicate a loss after `count` scores of a side in a row that are `score` hundredths or more behind; with
    /// both=1 the opponent must agree.
    #[arg(long, value_name = "count=4,score=1000")]
    pub resign: Option<String>,
    /// Adjudicate a win as soon as an engine announces one within this many plies.
    #[arg(long, value_name = "PLIES")]
    pub win_within: Option<u32>,
    /// Adjudicate a draw after this many moves, counting both sides.
    #[arg(long, value_name = "N")]
    pub max_moves: Option<usize>,
}

/// The openings.
#[derive(clap::Args, Clone, Debug)]
pub struct OpeningArgs {
    /// `random` for random moves to a position that a search calls fair, `start` for none, or a file. It holds games
    /// (SGF, PSQ, PGN, GGF or JSON lines), or one opening per line: moves, a position, or Gomocup's offsets from the
    /// centre.
    #[arg(long, value_name = "FILE", default_value = "random")]
    pub openings: String,
    /// Length of an opening in plies, if the file holds whole games.
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true)]
    pub plies: usize,
    /// Use the openings of the file in random order.
    #[arg(long)]
    pub shuffle: bool,
    /// The same seed gives the same openings.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
}

/// How to run the games.
#[derive(clap::Args, Clone, Debug)]
pub struct RunArgs {
    /// Games to play at once.
    #[arg(
        long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    pub concurrency: u16,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

#[derive(clap::Args, Debug)]
pub struct TournamentArgs {
    /// TOML file that describes the tournament; docs/match.md shows one.
    pub file: PathBuf,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

#[derive(clap::Args, Debug)]
pub struct AblateArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Games for each technique.
    #[arg(
        long, value_name = "N", default_value_t = 200, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub games: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub ruling: RulingArgs,
    /// Measure only this technique or setting, as in lmr or vct_depth=2; repeatable.
    #[arg(long = "only", value_name = "NAME[=VALUE]")]
    pub only: Vec<String>,
    #[command(flatten)]
    pub openings: OpeningArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// File for the games, as in `match`; the same command continues a run that was stopped.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct SpeedArgs {
    /// The new build: a program with a `bench` command, such as another polyply, or `builtin` for this one.
    #[arg(long, value_name = "CMD", default_value = "builtin")]
    pub new: String,
    /// The build to compare it with.
    #[arg(long, value_name = "CMD")]
    pub old: String,
    /// Number of runs of each build.
    #[arg(
        long, value_name = "N", default_value_t = 10, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub runs: u32,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    /// Arguments for `bench`, as in freestyle; put -- before options.
    pub bench: Vec<String>,
}

#[derive(clap::Args, Debug)]
pub struct LadderArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The lowest and the highest level, as in 1-10.
    #[arg(long, value_name = "FROM-TO", default_value = "1-10", value_parser = parse_levels)]
    pub levels: [u8; 2],
    /// Games of a step at least; a step goes on until it is certain that the higher level is stronger.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..))]
    pub games: u64,
    /// Games of a step at most.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..))]
    pub most: u64,
    /// Play steps of two levels as well.
    #[arg(long)]
    pub double_steps: bool,
    /// Nodes per move at full strength [default: four times those of level 9].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// The same seed gives the same openings.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub run: RunArgs,
    /// File for the results of the games; the same command continues a ladder that was stopped.
    #[arg(long, value_name = "FILE.jsonl")]
    pub out: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct StyleArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The level of all players, below full strength.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=9))]
    pub level: u8,
    /// Games of each persona.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..))]
    pub games: u64,
    /// The same seed gives the same openings.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Reads `1-10`.
fn parse_levels(text: &str) -> Result<[u8; 2], String> {
    let read = |level: &str| level.parse::<u8>().ok().filter(|level| (1..=10).contains(level));
    let levels = text.split_once('-').and_then(|(from, to)| Some([read(from)?, read(to)?]));
    levels.filter(|[from, to]| from < to).ok_or_else(|| "levels are written as in 1-10".to_owned())
}

#[derive(clap::Args, Debug)]
pub struct IdleArgs {
    /// The game, as in chess, freestyle or caro:15.
    pub variant: String,
    /// Number of openings; two games are played from each.
    #[arg(
        long, value_name = "N", default_value_t = 20, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..=100_000)
    )]
    pub openings: u64,
    /// Seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Moves of the engine from each opening before it idles.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub plies: usize,
    /// Nodes for each answer and each move of the match.
    #[arg(
        long, value_name = "N", default_value_t = 20_000, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub nodes: u64,
    /// Size of the Search TT in megabytes.
    #[arg(
        long, value_name = "MB", default_value_t = 64, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub hash: u32,
    /// How long the engine idles, as in 30s or 10m.
    #[arg(long, value_name = "T", default_value = "2m", value_parser = parse_duration)]
    pub time: Duration,
    /// Idle for this number of steps instead; then every run is the same.
    #[arg(long, value_name = "N", conflicts_with = "time")]
    pub steps: Option<u64>,
    /// Measure only how long idle improvement takes to make way for a player, this many times.
    #[arg(long, value_name = "N", conflicts_with_all = ["steps", "time"])]
    pub interrupts: Option<usize>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct DiversityArgs {
    /// Files of games: of `polyply selfplay`, or .jsonl, .pgn, .sgf, .psq and .ggf.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Compare positions after these numbers of plies.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2,4,6,8,10,12,16,20")]
    pub plies: Vec<usize>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct CompareArgs {
    /// Results of one run, as written by `polyply suite --out`.
    pub old: PathBuf,
    /// Results of another run.
    pub new: PathBuf,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct ReportArgs {
    /// Files of games: .jsonl, .pgn, .sgf, .psq or .ggf.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// HTML file for the report; the numbers go to the same name with .json.
    #[arg(long, value_name = "FILE.html")]
    pub out: PathBuf,
    /// Show how a sequential test develops.
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA][,normalised]", allow_hyphen_values = true)]
    pub sprt: Option<String>,
}
