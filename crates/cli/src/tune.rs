//! `polyply tune`: better values for parameters, found by games.

use crate::arena;
use crate::args::TuneArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::bar;
use polyply_lab::arena::Resume;
use polyply_lab::tune::{Axis, Method, Progress, TuneSettings, Tuning};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// At most this many parameters are shown while games are played.
const SHOWN: usize = 4;
/// At most this many duels are shown by a dry run.
const SHOWN_DUELS: usize = 4;

pub fn run(method: Method, args: &TuneArgs) -> Result<(), Failure> {
    let settings = TuneSettings::from_file(&args.file)?;
    // A dry run looks at nothing that is there already.
    let resume = if args.resume || args.dry_run { Resume::GoOn } else { Resume::Never };
    let mut tuning = Tuning::new(settings, method, resume)?;
    if args.dry_run {
        return show(&mut tuning);
    }
    tuning = args.fleet.fleet()?.into_iter().fold(tuning, Tuning::at);
    let stop = interrupt::flag()?;
    let bar = bar(tuning.budget(), "games");
    let names: Vec<String> = tuning.space().axes.iter().map(|axis| axis.name.clone()).collect();
    let mut last = None;
    let done = tuning.run(&stop, &mut |progress| {
        bar.set_position(progress.games);
        bar.set_message(best(&names, progress));
        last = Some(progress.clone());
    });
    bar.finish_and_clear();
    let (mut verdict, mut ended) = (Vec::new(), Ok(()));
    if !done? {
        let games = last.as_ref().map_or(0, |progress: &Progress| progress.games);
        let stopped = format!("stopped after {games} of {} games; --resume continues it", tuning.budget());
        ended = Err(Failure::Run(stopped));
    }
    tuning.finish(&verdict)?;
    let mut printer = Printer::new();
    if let Some(progress) = &last {
        table(&tuning, progress).into_iter().for_each(|line| printer.line(line));
    }
    if let Some([start, tuned]) = tuning.known() {
        verdict.push(format!("in truth, {:.1} Elo below the optimum before and {:.1} after", -start, -tuned));
    } else if !stop.load(Relaxed)
        && let Some(contest) = tuning.final_match()?
    {
        let (report, played) = arena::play(contest, &stop)?;
        (verdict, ended) = (arena::lines(&report), played);
    }
    verdict.iter().for_each(|line| printer.line(line));
    let files = tuning.finish(&verdict)?;
    tell(&format!("written: {}", files.join(", ")));
    printer.finish()?;
    ended
}

/// That stderr is closed does not matter.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "polyply: {line}");
}

/// The best point so far in a few words.
fn best(names: &[String], progress: &Progress) -> String {
    let values = names.iter().zip(&progress.best).zip(&progress.deviation);
    let shown: Vec<String> =
        values.take(SHOWN).map(|((name, value), deviation)| format!("{name} {value} ± {deviation:.1}")).collect();
    shown.join(", ") + if names.len() > SHOWN { ", …" } else { "" }
}

/// Every parameter with its start and its best value.
fn table(tuning: &Tuning, progress: &Progress) -> Vec<String> {
    let axes = &tuning.space().axes;
    let width = axes.iter().map(|axis| axis.name.len()).max().unwrap_or_default();
    let line = |((axis, value), deviation): ((&Axis, &i64), &f64)| {
        format!("{:width$}  {:>8} -> {value:>8} ± {deviation:.1}", axis.name, axis.start)
    };
    axes.iter().zip(&progress.best).zip(&progress.deviation).map(line).collect()
}

/// What would be played.
fn show(tuning: &mut Tuning) -> Result<(), Failure> {
    let mut printer = Printer::new();
    let batch = tuning.first_batch();
    let axes = tuning.space().axes.clone();
    let width = axes.iter().map(|axis| axis.name.len()).max().unwrap_or_default();
    for axis in &axes {
        let (low, high) = (axis.low, axis.high);
        printer.line(format_args!("{:width$}  {:>8}  from {low} to {high}, step {}", axis.name, axis.start, axis.step));
    }
    let (budget, games) = (tuning.budget(), batch.games());
    let batches = budget.div_ceil(games.max(1));
    printer.line(format_args!("{budget} games in {batches} batches of {games}; the first one:"));
    for duel in batch.duels.iter().take(SHOWN_DUELS) {
        let [one, other] = [&duel.one, &duel.other].map(|point| {
            let values = tuning.space().values(point);
            let named: Vec<String> =
                axes.iter().zip(values).map(|(axis, value)| format!("{}={value}", axis.name)).collect();
            named.join(",")
        });
        printer.line(format_args!("  {one}  against  {other}"));
    }
    if batch.duels.len() > SHOWN_DUELS {
        printer.line(format_args!("  and {} more", batch.duels.len() - SHOWN_DUELS));
    }
    let name = |path: &Path| path.display().to_string();
    let files = tuning.files();
    printer.line(format_args!("writes {}, {}, {}", name(&files.journal), name(&files.tuned), name(&files.html)));
    Ok(printer.finish()?)
}
