//! `polyply lab`: compares speed and suites, measures diversity, writes reports.

use crate::args::{CompareArgs, DiversityArgs, ReportArgs, SpeedArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::bar;
use polyply_lab::LabError;
use polyply_lab::diversity::Diversity;
use polyply_lab::record::{self, Format};
use polyply_lab::report::Report;
use polyply_lab::speed::{Build, Comparison as SpeedComparison};
use polyply_lab::suite::compare::{self, Comparison};
use serde_json::{Value, json};
use std::sync::atomic::Ordering::Relaxed;

/// Runs the bench of two builds in turn.
pub fn speed(args: &SpeedArgs) -> Result<(), Failure> {
    let builds = [Build::new(&args.new, &args.bench)?, Build::new(&args.old, &args.bench)?];
    let stop = interrupt::flag()?;
    let bar = bar(args.runs.into(), "runs");
    let mut runs = Vec::new();
    // The first run of each does not count: it warms the caches, and fails at once if a build can't run.
    for build in &builds {
        build.run()?;
    }
    for round in 0..args.runs {
        // The builds alternate in running first.
        let first = usize::from(round % 2 == 1);
        let mut pair = [builds[first].run(), builds[1 - first].run()];
        if stop.load(Relaxed) {
            break;
        }
        if first == 1 {
            pair.reverse();
        }
        let [new, old] = pair;
        runs.push([new?, old?]);
        bar.inc(1);
        if let Some(comparison) = SpeedComparison::of(&runs) {
            bar.set_message(format!("ratio {:.4}", comparison.ratio.value));
        }
    }
    bar.finish_and_clear();
    let comparison = SpeedComparison::of(&runs).ok_or_else(|| Failure::Run("no run was finished".into()))?;
    let SpeedComparison { runs, nps: [new, old], ratio, nodes } = comparison;
    let mut printer = Printer::new();
    if args.json {
        printer.line(json!({
            "type": "speed", "runs": runs, "new_nps": new, "old_nps": old, "nodes": nodes,
            "ratio": ratio.value, "error": ratio.error.is_finite().then_some(ratio.error),
        }));
    } else {
        match nodes {
            Some(nodes) => printer.line(format_args!("both search {nodes} nodes")),
            None => printer.line("the builds search different nodes, so their speeds are not comparable"),
        }
        printer.line(format_args!("new {new} nps, old {old} nps (medians of {runs} runs)"));
        printer.line(format_args!("new is {:.4} times as fast, {}", ratio.value, error_text(ratio.error)));
    }
    Ok(printer.finish()?)
}

fn error_text(error: f64) -> String {
    if error.is_finite() {
        format!("± {error:.4}")
    } else {
        "with an unknown error, since there was only one run".into()
    }
}

/// Counts different games, first moves and positions.
pub fn diversity(args: &DiversityArgs) -> Result<(), Failure> {
    let mut diversity = Diversity::after(&args.plies);
    for path in &args.files {
        diversity.add_file(path)?;
    }
    let mut moves: Vec<(&String, &u64)> = diversity.first_moves.iter().collect();
    moves.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let mut printer = Printer::new();
    if args.json {
        let positions: Vec<Value> = diversity
            .positions
            .iter()
            .map(|(plies, reached)| json!({"plies": plies, "games": reached.games, "different": reached.different()}))
            .collect();
        printer.line(json!({
            "type": "diversity", "games": diversity.games, "different": diversity.different(),
            "first_moves": diversity.first_moves, "positions": positions,
        }));
        return Ok(printer.finish()?);
    }
    printer.line(format_args!("{} games, {} of them different", diversity.games, diversity.different()));
    let shown: Vec<String> = moves.iter().take(20).map(|(mv, count)| format!("{mv} {count}")).collect();
    let more = if moves.len() > shown.len() { ", …" } else { "" };
    printer.line(format_args!("{} first moves: {}{more}", moves.len(), shown.join(", ")));
    for (plies, reached) in diversity.positions.iter().filter(|(_, reached)| reached.games > 0) {
        let (different, games) = (reached.different(), reached.games);
        printer.line(format_args!("after {plies:>3} plies: {different} different positions in {games} games"));
    }
    Ok(printer.finish()?)
}

/// Compares two runs of a suite.
pub fn compare(args: &CompareArgs) -> Result<(), Failure> {
    let comparison = Comparison::of(&compare::read(&args.old)?, &compare::read(&args.new)?);
    let Comparison { both, solved: [old, new], gained, lost, time_ratio, node_ratio, alone } = comparison;
    if both == 0 {
        return Err(Failure::Run("the two runs have no position in common".into()));
    }
    let mut printer = Printer::new();
    let name = |attempt: &polyply_lab::suite::Attempt| attempt.id.clone().unwrap_or_else(|| attempt.position.clone());
    if args.json {
        let names = |attempts: &[_]| attempts.iter().map(name).collect::<Vec<_>>();
        printer.line(json!({
            "type": "comparison", "positions": both, "alone": alone, "old": old, "new": new,
            "gained": names(&gained), "lost": names(&lost), "time_ratio": time_ratio, "node_ratio": node_ratio,
        }));
        return Ok(printer.finish()?);
    }
    for (what, attempts) in [("gained", &gained), ("lost", &lost)] {
        attempts.iter().for_each(|attempt| printer.line(format_args!("{what}  {}  {}", name(attempt), attempt.mv)));
    }
    if alone > 0 {
        printer.line(format_args!("{alone} positions are in one of the runs only"));
    }
    for (ratio, what) in [(time_ratio, "the time to the solution"), (node_ratio, "the nodes")] {
        if let Some(ratio) = ratio {
            printer.line(format_args!("{ratio:.3} times {what}"));
        }
    }
    printer.line(format_args!("{old}/{both} -> {new}/{both}"));
    Ok(printer.finish()?)
}

/// Writes the report of games.
pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    let sprt = args.sprt.as_deref().map(str::parse).transpose().map_err(LabError::Call)?;
    // Protects files of games from being overwritten.
    if args.out.extension().is_none_or(|ending| ending != "html") {
        return Err(Failure::Call(format!("the name of the report `{}` must end with .html", args.out.display())));
    }
    let files: Vec<String> = args.files.iter().map(|path| path.display().to_string()).collect();
    let mut report = Report::new(&files.join(", "), &[], sprt, Vec::new());
    for path in &args.files {
        Format::of(path)?;
        record::read(path)?.iter().for_each(|record| report.add(record));
    }
    if report.games() == 0 {
        return Err(Failure::Run("there is no finished game".into()));
    }
    let json = args.out.with_extension("json");
    for (path, text) in [(&args.out, report.html()), (&json, format!("{:#}\n", report.json()))] {
        std::fs::write(path, text).map_err(|error| Failure::file(path, error))?;
    }
    let mut printer = Printer::new();
    printer.line(format_args!("{} games in {}", report.games(), args.out.display()));
    Ok(printer.finish()?)
}
