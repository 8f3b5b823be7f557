//! `polyply learn`: weights from games.

use crate::args::{LearnArgs, LinearArgs, OrderArgs, ProbcutArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::bar;
use indicatif::ProgressBar;
use polyply_engine::Variant;
use polyply_engine::learning::Kind;
use polyply_lab::learn::choices::Choices;
use polyply_lab::learn::samples::Samples;
use polyply_lab::learn::{self, Fit, FitOptions, Progress, Training, order, page, probcut, test};
use std::path::Path;

/// Learns an evaluation.
pub fn linear(args: &LinearArgs) -> Result<(), Failure> {
    let LinearArgs { learn, result, epochs, scale, test: tested } = args;
    let variant = Variant::find(&learn.variant)?;
    let (begun, lesson) = learn::begin(&variant, Kind::Linear, learn.start.as_deref())?;
    let options = FitOptions { result: f32::from(*result) / 100.0, epochs: *epochs, seed: learn.seed };
    let samples = Samples::load(&begun, &lesson, &learn.data, options.result)?;
    let (games, positions) = (samples.game_count, samples.len());
    println!("{positions} positions of {games} games");
    let stop = interrupt::flag()?;
    let bar = bar((*epochs).into(), "epochs");
    let progress = Box::new(|progress: Progress<'_>| tell(&bar, &progress));
    let fit = learn::linear(&samples, Training { lesson: &lesson, options, stop: &stop, progress });
    bar.finish_and_clear();
    let mut given =
        vec![("result", result.to_string()), ("epochs", epochs.to_string()), ("seed", learn.seed.to_string())];
    if *scale != 100 {
        given.push(("scale", scale.to_string()));
    }
    let about = [
        learn::command(&format!("linear {}", learn.variant), &learn.data, learn.start.as_deref(), &given),
        format!("learned from {positions} positions of {games} games; on games held out {:.5}", fit.held_out[1]),
    ];
    conclude(&begun, learn, (Kind::Linear, *scale), &fit, &about)?;
    if !tested.is_empty() {
        let learned = learn::with_weights(&variant, &learn.out.display().to_string())?;
        for phase in test::errors(&learned, &lesson, &fit.numbers, fit.unit, tested)? {
            println!("{:<16} {:>5} positions  mean error {:.3}", phase.name, phase.positions, phase.error);
        }
    }
    Ok(())
}

/// Learns an order of moves.
pub fn order(OrderArgs { learn }: &OrderArgs) -> Result<(), Failure> {
    let variant = Variant::find(&learn.variant)?;
    let (begun, lesson) = learn::begin(&variant, Kind::Order, learn.start.as_deref())?;
    let choices = Choices::load(&begun, &learn.data)?;
    println!("{} choices of {} games", choices.len(), choices.game_count);
    let stop = interrupt::flag()?;
    let bar = ProgressBar::hidden();
    // The game's recipe says how long an order is learned, and from the moves alone.
    let options = FitOptions { result: 1.0, epochs: u32::MAX, seed: learn.seed };
    let progress = Box::new(|progress: Progress<'_>| tell(&bar, &progress));
    let fit = order::fit(&choices, Training { lesson: &lesson, options, stop: &stop, progress });
    let given = [("seed", learn.seed.to_string())];
    let about = [
        learn::command(&format!("order {}", learn.variant), &learn.data, learn.start.as_deref(), &given),
        format!("order learned from {} choices of {} games", choices.len(), choices.game_count),
        fit.remarks[0].clone(),
    ];
    conclude(&begun, learn, (Kind::Order, 100), &fit, &about)
}

/// Measures predictions.
pub fn probcut(args: &ProbcutArgs) -> Result<(), Failure> {
    let variant = learn::with_weights(&Variant::find(&args.variant)?, &args.weights)?;
    if args.out.is_some() && args.weights == "handmade" {
        let reason = "the hand-made evaluation has no weights that --out could write; leave it out to see the numbers";
        return Err(Failure::Call(reason.into()));
    }
    let name = variant.measuring()?.remaining_name;
    let boards = probcut::positions(&variant, &args.data, args.positions as usize, args.seed)?;
    let stop = interrupt::flag()?;
    let bar = bar(args.positions.into(), "positions");
    let mut told = |done| bar.set_position(done);
    let planes = probcut::errors(&variant, &boards, &stop, &mut told)?;
    bar.finish_and_clear();
    let mut about = vec![learn::command(
        &format!("probcut {}", args.variant),
        &args.data,
        None,
        &[
            ("weights", args.weights.clone()),
            ("positions", args.positions.to_string()),
            ("seed", args.seed.to_string()),
        ],
    )];
    for (place, plane) in ["middle game", "end"].into_iter().zip(planes) {
        let line = format!(
            "{place}: standard deviation {:.1} {:+.2} · depth {:+.2} · short depth {:+.2} · {name}, mean {:+.1}, from {} errors",
            plane.base, plane.deep, plane.short, plane.remaining, plane.bias, plane.errors
        );
        println!("{line}");
        about.push(line);
    }
    match &args.out {
        Some(out) => write(out, &probcut::text(&variant, &planes, &about)?),
        None => Ok(()),
    }
}

fn tell(bar: &ProgressBar, progress: &Progress<'_>) {
    bar.suspend(|| match progress {
        Progress::Epoch(epoch) => println!(
            "epoch {:<3} rate {:.5}  training {:.5}  held out {:.5}",
            epoch.number, epoch.rate, epoch.training, epoch.held_out
        ),
        Progress::Phase(phase) => println!(
            "{:<16} {:>8} positions  mean error {:.2}, held out {:.2}",
            phase.name, phase.positions, phase.training, phase.held_out
        ),
    });
    if let Progress::Epoch(epoch) = progress {
        bar.set_position(epoch.number.into());
    }
}

/// Says what came out and writes the weights and the page.
fn conclude(
    variant: &Variant,
    learn: &LearnArgs,
    (kind, scale): (Kind, u16),
    fit: &Fit,
    about: &[String],
) -> Result<(), Failure> {
    fit.remarks.iter().for_each(|remark| println!("{remark}"));
    let [before, after] = fit.held_out;
    println!("held out {before:.5} before, {after:.5} after");
    write(&learn.out, &variant.weights_text(kind, &fit.numbers, scale, about)?)?;
    let mut html = learn.out.clone().into_os_string();
    html.push(".html");
    write(Path::new(&html), &page::html(&format!("Weights of {}", learn.variant), fit, about))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::file(path, error))
}
