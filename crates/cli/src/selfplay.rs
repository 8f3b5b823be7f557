//! `polyply selfplay`: games of the engine against itself, kept in a file.

use crate::args::{PaceArgs, SelfplayArgs};
use crate::failure::Failure;
use crate::interrupt;
use indicatif::{ProgressBar, ProgressStyle};
use polyply_lab::family::{self, Variant};
use polyply_lab::selfplay::Pace;
use std::sync::atomic::Ordering::Relaxed;

pub fn run(args: &SelfplayArgs) -> Result<(), Failure> {
    let (variant, pace) = args.pace.read()?;
    let weights = family::weights(variant.kind(), &args.weights)?;
    let stop = interrupt::flag()?;
    let bar = bar(args.games);
    let mut count = 0;
    let played = family::selfplay(&variant, weights, pace, args.games, &args.out, &stop, &mut |done| {
        bar.set_position(done);
        count = done;
    });
    bar.finish_and_clear();
    played?;
    let stopped = if stop.load(Relaxed) { "; the same command goes on" } else { "" };
    println!("{count} of {} games in {}{stopped}", args.games, args.out.display());
    Ok(())
}

impl PaceArgs {
    /// The variant and the pace, if they make sense.
    pub fn read(&self) -> Result<(Variant, Pace), Failure> {
        let variant = Variant::parse(&self.variant, &self.rules)?;
        Ok((variant, Pace { nodes: self.nodes, seed: self.seed, threads: usize::from(self.threads) }))
    }
}

/// A bar over so many games; it is not drawn unless stderr is a terminal.
pub fn bar(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games {elapsed} (eta {eta}) {msg}");
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
