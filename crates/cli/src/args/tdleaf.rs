//! The options of learning by temporal differences.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub struct TdLeafArgs {
    /// The game, as in chess, freestyle or caro:15.
    pub variant: String,
    /// File for the weights; a report is written beside it, with .html added to its name, and after every batch all that
    /// is needed to resume, with .checkpoint added.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Weights to begin with: a file, `built-in`, `linear` or `handmade`. If the file holds a net, its layers after the first one
    /// learn.
    #[arg(long, value_name = "W", default_value = "built-in")]
    pub start: String,
    /// Games to play.
    #[arg(
        long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub games: u64,
    /// Nodes per move.
    #[arg(
        long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub nodes: u64,
    /// Games between two steps of the weights.
    #[arg(
        long, value_name = "N", default_value_t = 16, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub batch: u64,
    /// How much of a later error reaches a position, per ply, from 0 to 1: with 0 a position learns from the next one, with
    /// 1 from the result.
    #[arg(long, value_name = "X", default_value_t = 0.7, allow_negative_numbers = true)]
    pub lambda: f32,
    /// Size of the first step, in units of the weights; it falls to a tenth until the last game [default: what the game
    /// declares for `learn linear`].
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub rate: Option<f32>,
    /// Games to play at once, each on one thread; the weights do not depend on it.
    #[arg(
        long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    pub threads: u16,
    /// The same seed gives the same weights.
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Go on with a run that was stopped or killed, with the same options; the weights are the same as without the stop.
    #[arg(long)]
    pub resume: bool,
}
