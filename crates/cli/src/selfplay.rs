//! `polyply selfplay`: games of the engine against itself, written to a journal.

use crate::args::SelfplayArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::bar;
use polyply_engine::Variant;
use polyply_lab::arena::{SelfPlay, SelfPlayOptions};
use std::sync::atomic::Ordering::Relaxed;

pub fn run(args: &SelfplayArgs) -> Result<(), Failure> {
    let options = SelfPlayOptions {
        nodes: args.nodes,
        seed: args.seed,
        threads: usize::from(args.threads),
        weights: Some(args.weights.clone()),
    };
    let rules: String = args.rules.iter().map(|(key, value)| format!(",{key}={value}")).collect();
    let variant = Variant::find(&format!("{}{rules}", args.variant))?;
    let fleet = args.fleet.fleet()?;
    let selfplay = fleet.into_iter().fold(SelfPlay::new(&variant, &options, args.games, &args.out)?, SelfPlay::at);
    let stop = interrupt::flag()?;
    let bar = bar(args.games, "games");
    let mut count = 0;
    let played = selfplay.run(&stop, &mut |done| {
        bar.set_position(done);
        count = done;
    });
    bar.finish_and_clear();
    played?;
    let stopped = if stop.load(Relaxed) { "; the same command continues" } else { "" };
    let mut printer = Printer::new();
    printer.line(format_args!("{count} of {} games in {}{stopped}", args.games, args.out.display()));
    Ok(printer.finish()?)
}
