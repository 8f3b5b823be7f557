//! `polyply selfplay`: games of the engine against itself, kept in a file.

use crate::args::{PaceArgs, SelfplayArgs};
use crate::failure::Failure;
use crate::interrupt;
use indicatif::{ProgressBar, ProgressStyle};
use polyply_lab::family::{self, Variant};
use polyply_lab::selfplay::Pace;
use polyply_lab::{chess, othello};
use std::sync::atomic::Ordering::Relaxed;

pub fn run(args: &SelfplayArgs) -> Result<(), Failure> {
    let stop = interrupt::flag()?;
    let bar = bar(args.games, "games");
    let mut count = 0;
    let mut told = |done| {
        bar.set_position(done);
        count = done;
    };
    let played = if args.pace.variant == chess::NAME && args.pace.rules.is_empty() {
        let weights = chess::weights(&args.weights)?;
        chess::selfplay(weights, args.pace.pace(), args.games, &args.out, &stop, &mut told)
    } else if args.pace.variant == othello::NAME && args.pace.rules.is_empty() {
        let weights = othello::weights(&args.weights)?;
        othello::selfplay(weights, args.pace.pace(), args.games, &args.out, &stop, &mut told)
    } else {
        let (variant, pace) = args.pace.read()?;
        let weights = family::weights(variant.kind(), &args.weights)?;
        family::selfplay(&variant, weights, pace, args.games, &args.out, &stop, &mut told)
    };
    bar.finish_and_clear();
    played?;
    let stopped = if stop.load(Relaxed) { "; the same command goes on" } else { "" };
    println!("{count} of {} games in {}{stopped}", args.games, args.out.display());
    Ok(())
}

impl PaceArgs {
    /// The variant and the pace, if they make sense.
    pub fn read(&self) -> Result<(Variant, Pace), Failure> {
        Ok((Variant::parse(&self.variant, &self.rules)?, self.pace()))
    }

    fn pace(&self) -> Pace {
        Pace { nodes: self.nodes, seed: self.seed, threads: usize::from(self.threads) }
    }
}

/// A bar over so many games or other things; it is not drawn unless stderr is a terminal.
pub fn bar(count: u64, things: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {things} {{elapsed}} (eta {{eta}}) {{msg}}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
