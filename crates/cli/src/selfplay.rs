//! `polyply selfplay`: games of the engine against itself, kept in a journal.

use crate::args::SelfplayArgs;
use crate::failure::Failure;
use crate::interrupt;
use indicatif::{ProgressBar, ProgressStyle};
use polyply_engine::Variant;
use polyply_lab::arena::{Pace, SelfPlay};
use polyply_lab::learn;
use std::sync::atomic::Ordering::Relaxed;

pub fn run(args: &SelfplayArgs) -> Result<(), Failure> {
    let pace = Pace { nodes: args.nodes, seed: args.seed, threads: usize::from(args.threads) };
    let rules: String = args.rules.iter().map(|(key, value)| format!(",{key}={value}")).collect();
    let variant = learn::with_weights(&Variant::find(&format!("{}{rules}", args.variant))?, &args.weights)?;
    let selfplay = SelfPlay::new(&variant, &pace, args.games, &args.out)?;
    let stop = interrupt::flag()?;
    let bar = bar(args.games, "games");
    let mut count = 0;
    let played = selfplay.run(&stop, &mut |done| {
        bar.set_position(done);
        count = done;
    });
    bar.finish_and_clear();
    played?;
    let stopped = if stop.load(Relaxed) { "; the same command goes on" } else { "" };
    println!("{count} of {} games in {}{stopped}", args.games, args.out.display());
    Ok(())
}

/// A bar over so many games or other things; it is not drawn unless stderr is a terminal.
pub fn bar(count: u64, things: &str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {things} {{elapsed}} (eta {{eta}}) {{msg}}"));
    ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
