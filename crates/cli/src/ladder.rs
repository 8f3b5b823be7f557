//! `polyply lab ladder`: whether each level beats the one below.

use crate::args::LadderArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::spinner;
use polyply_lab::arena::{LadderReport, LadderSettings};
use serde_json::{Value, json};
use std::sync::atomic::Ordering::Relaxed;

pub fn run(args: &LadderArgs) -> Result<(), Failure> {
    let settings = LadderSettings {
        variant: args.game.variant()?,
        levels: args.levels,
        games: args.games,
        most: args.most.max(args.games),
        double_steps: args.double_steps,
        nodes: args.nodes,
        seed: args.seed,
        concurrency: args.run.concurrency.into(),
        journal: args.out.clone(),
    };
    let stop = interrupt::flag()?;
    let spinner = spinner();
    let report = settings.run(&stop, &mut |step, report| {
        if let Some(result) = report.steps.get(&step) {
            spinner.set_message(format!("level {} against {}: {}", step.high, step.low, result.tally));
        }
    })?;
    spinner.finish_and_clear();
    let mut printer = Printer::new();
    match args.run.json {
        true => printer.line(as_json(&settings, &report)),
        false => lines(&report).into_iter().for_each(|line| printer.line(line)),
    }
    printer.finish()?;
    match stop.load(Relaxed) {
        true => Err(Failure::Run("stopped before the last step was played".into())),
        false => Ok(()),
    }
}

fn lines(report: &LadderReport) -> Vec<String> {
    let mut lines =
        vec![format!("{:>5}  {:>5}  {:>7}  {:>16}  {:>6}  {:>5}", "level", "beats", "score", "Elo", "games", "plies")];
    for (step, result) in &report.steps {
        let elo = result.tally.estimate().map_or("-".to_owned(), |estimate| format!("{:.0}", estimate.elo));
        let games = result.tally.count();
        let certain = if result.is_certain() { "" } else { "  not certain" };
        lines.push(format!(
            "{:>5}  {:>5}  {:>5.1} %  {elo:>16}  {games:>6}  {:>5}{certain}",
            step.high,
            step.low,
            100.0 * result.score(),
            result.plies / games.max(1),
        ));
    }
    let levels: Vec<String> = report.elo().iter().map(|(level, elo)| format!("{level}: {elo:+.0}")).collect();
    lines.push(format!("Elo above the lowest level: {}", levels.join(", ")));
    let absurd = report.moves.iter().map(|(level, moves)| format!("{level}: {} of {}", moves.absurd, moves.moves));
    lines.push(format!("absurd moves by level: {}", absurd.collect::<Vec<_>>().join(", ")));
    lines
}

fn as_json(settings: &LadderSettings, report: &LadderReport) -> Value {
    let step = |(step, result): (&polyply_lab::arena::Step, &polyply_lab::arena::StepResult)| {
        let [won, drawn, lost] = result.tally.games;
        let elo = result.tally.estimate().map(|estimate| estimate.elo);
        json!({
            "high": step.high, "low": step.low, "won": won, "drawn": drawn, "lost": lost, "score": result.score(),
            "elo": elo.map(|elo| elo.value).filter(|elo| elo.is_finite()),
            "error": elo.map(|elo| elo.error).filter(|error| error.is_finite()), "certain": result.is_certain(),
        })
    };
    let moves = |(level, moves): (&u8, &polyply_lab::arena::Absurdity)| json!({"level": level, "moves": moves.moves, "absurd": moves.absurd});
    json!({
        "type": "ladder", "variant": settings.variant.name(), "steps": report.steps.iter().map(step).collect::<Vec<_>>(),
        "levels": report.moves.iter().map(moves).collect::<Vec<_>>(),
    })
}
