//! `polyply lab idle`: what idle improvement is worth.

use crate::args::IdleArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::spinner;
use polyply_engine::Variant;
use polyply_lab::idle::{Answers, IdleReport, IdleTest, Idling, Progress};
use serde_json::{Value, json};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

pub fn run(args: &IdleArgs) -> Result<(), Failure> {
    let variant = Variant::find(&args.variant)?;
    let stop = interrupt::flag()?;
    if let Some(times) = args.interrupts {
        let taken = polyply_lab::idle::interrupt(&variant, times, &stop)?;
        return tell_interrupts(&variant, &taken, args.json);
    }
    let test = IdleTest {
        variant,
        openings: args.openings,
        seed: args.seed,
        plies: args.plies,
        nodes: args.nodes,
        hash: args.hash as usize,
        idling: args.steps.map_or(Idling::Time(args.time), Idling::Steps),
    };
    let folder = tempfile::tempdir()?;
    let spinner = spinner();
    let report = test.run(folder.path(), &stop, &mut |progress| {
        spinner.set_message(match progress {
            Progress::Played(number) => format!("{number} openings played"),
            Progress::Idled(steps) => format!("{steps} steps of idle improvement"),
            Progress::Answered(number) => format!("{number} positions answered"),
            Progress::Games(number) => format!("{number} games"),
            _ => return,
        });
    })?;
    spinner.finish_and_clear();
    tell(&test, &report, stop.load(Relaxed), args.json)
}

fn tell(test: &IdleTest, report: &IdleReport, stopped: bool, as_json: bool) -> Result<(), Failure> {
    let mut printer = Printer::new();
    let IdleReport { steps, improved, done, answers, without_idling, tally, .. } = report;
    if as_json {
        let [won, drawn, lost] = tally.games;
        let elo = tally.estimate().map(|estimate| json!({"elo": estimate.elo.value, "error": estimate.elo.error}));
        printer.line(json!({
            "type": "idle", "variant": test.variant.name(), "nodes": test.nodes, "stopped": stopped, "steps": steps,
            "improved": improved, "done": done, "answers": answers_json(answers),
            "without_idling": answers_json(without_idling), "won": won, "drawn": drawn, "lost": lost, "strength": elo,
        }));
        return Ok(printer.finish()?);
    }
    let ending = if *done { ", until nothing was left to do" } else { "" };
    printer.line(format_args!("{steps} steps of idle improvement, {improved} positions{ending}"));
    for (when, answers) in [("before idling", without_idling), ("after idling", answers)] {
        let Answers { count, deeper, shallower, .. } = answers;
        printer.line(format_args!(
            "{when}: of {count} positions {deeper} are answered deeper than from an empty table and {shallower} less deep, \
             by {:+.2} plies in the mean",
            answers.gain()
        ));
    }
    printer.line(format_args!("idle-improved table against an empty one, {} nodes a move: {tally}", test.nodes));
    if stopped {
        printer.line("stopped before the end");
    }
    Ok(printer.finish()?)
}

fn answers_json(answers: &Answers) -> Value {
    let Answers { count, deeper, shallower, .. } = answers;
    json!({"positions": count, "deeper": deeper, "shallower": shallower, "mean_gain": answers.gain()})
}

fn tell_interrupts(variant: &Variant, taken: &[Duration], as_json: bool) -> Result<(), Failure> {
    if taken.is_empty() {
        return Err(Failure::Run("idle improvement had nothing to do, so it could not be interrupted".into()));
    }
    let at = |share: f64| taken[((taken.len() - 1) as f64 * share).round() as usize].as_secs_f64() * 1000.0;
    let late = taken.iter().filter(|taken| **taken > Duration::from_millis(5)).count();
    let [median, most, nearly_all, all] = [0.5, 0.9, 0.99, 1.0].map(at);
    let mut printer = Printer::new();
    if as_json {
        printer.line(json!({
            "type": "interrupts", "variant": variant.name(), "count": taken.len(), "over_5_ms": late,
            "median_ms": median, "p90_ms": most, "p99_ms": nearly_all, "longest_ms": all,
        }));
    } else {
        printer.line(format_args!(
            "{} interrupts: half within {median:.2} ms, 90 % within {most:.2} ms, 99 % within {nearly_all:.2} ms, all \
             within {all:.2} ms; {late} took more than 5 ms",
            taken.len()
        ));
    }
    Ok(printer.finish()?)
}
