//! The arguments of `polyply book`.

use super::{FleetArgs, GameArgs, PlaceArgs};
use clap::{Subcommand, ValueEnum};
use polyply_engine::book::Source;
use std::path::PathBuf;

#[derive(Subcommand, Debug)]
pub enum BookCommand {
    /// Build a book by search; the same command continues one that was stopped.
    Build(BookBuildArgs),
    /// Show the book moves in a position, with their scores and results.
    Show(BookShowArgs),
    /// Print the move that the book would play.
    Probe(BookShowArgs),
    /// Fill a book from games, or from a Polyglot book.
    Import(BookImportArgs),
    /// Write a book in another format.
    Export(BookExportArgs),
    /// Find balanced openings for matches; the same command continues a search that was stopped.
    Openings(BookOpeningsArgs),
}

#[derive(clap::Args, Debug)]
pub struct BookBuildArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The book, an SQLite file; it is created if it does not exist.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Stop when so many positions were searched, those of earlier runs included.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    pub positions: u64,
    /// Nodes for each position; those that were searched with fewer are searched again.
    #[arg(
        long, value_name = "N", default_value_t = 100_000, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..=2_000_000_000)
    )]
    pub nodes: u64,
    /// Greatest depth of a search [default: as deep as the nodes allow].
    #[arg(
        long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(i32).range(1..=255)
    )]
    pub depth: Option<i32>,
    /// Follow moves that are worse than the best one by up to this, in pawns or points [default: by the game].
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = parse_amount)]
    pub margin: Option<f64>,
    /// Moves of each position to search.
    #[arg(
        long, value_name = "N", default_value_t = 5, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=512)
    )]
    pub lines: u16,
    /// Positions to search at the same time.
    #[arg(
        long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub threads: u16,
    /// Size of the Search TT of each search in megabytes.
    #[arg(
        long, value_name = "MB", default_value_t = 16, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub hash: u32,
    /// Seed of the openings that are drawn where a swap rule lets the players place stones.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Nodes to check each move that leads out of the book: one that loses by force is not played [default: no check].
    #[arg(
        long, value_name = "N", default_value_t = 0, hide_default_value = true, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(0..=2_000_000_000)
    )]
    pub check: u64,
    #[command(flatten)]
    pub fleet: FleetArgs,
}

#[derive(clap::Args, Debug)]
pub struct BookShowArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The book: SQLite, .book, or for chess a Polyglot file [default: the built-in one].
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    #[command(flatten)]
    pub place: PlaceArgs,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct BookImportArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Files of games (.pgn, .psq, .ggf, .wtb, .sgf, .jsonl, .txt), or Polyglot books (.bin).
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The book, an SQLite file; it is created if it does not exist.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Use only the first N moves of each game, counting both sides.
    #[arg(long, value_name = "N", default_value_t = 24, allow_negative_numbers = true)]
    pub plies: usize,
    /// Where the games come from.
    #[arg(long, value_name = "SOURCE", default_value = "imported")]
    pub source: GamesSource,
}

/// Where games come from.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum GamesSource {
    /// Other players.
    Imported,
    /// The engine's games against itself.
    SelfPlay,
}

impl From<GamesSource> for Source {
    fn from(source: GamesSource) -> Source {
        match source {
            GamesSource::Imported => Source::Imported,
            GamesSource::SelfPlay => Source::SelfPlay,
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct BookExportArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The book, an SQLite file.
    #[arg(long, value_name = "FILE")]
    pub book: PathBuf,
    /// File to write: .jsonl, .book, or for chess .bin (Polyglot); it must not exist yet.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

#[derive(clap::Args, Debug)]
pub struct BookOpeningsArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// File to write, one opening per line; `polyply match --openings` reads it.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Length of the openings.
    #[arg(
        long, value_name = "N", default_value_t = 8, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=200)
    )]
    pub plies: u16,
    /// Greatest advantage of a side, in pawns or points.
    #[arg(long, value_name = "X", default_value = "1", allow_negative_numbers = true, value_parser = parse_amount)]
    pub within: f64,
    /// How many openings to find, those of earlier runs included.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    pub count: u64,
    /// Nodes for each opening that is tried.
    #[arg(
        long, value_name = "N", default_value_t = 100_000, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub nodes: u64,
    /// Openings to judge at the same time.
    #[arg(
        long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub threads: u16,
    /// Seed of the random moves.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
}

fn parse_amount(text: &str) -> Result<f64, String> {
    let amount = text.parse().ok().filter(|amount: &f64| amount.is_finite() && *amount >= 0.0);
    amount.ok_or_else(|| "it must be a number that is not negative".into())
}
