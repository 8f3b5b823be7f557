//! `polyply learn`: learns weights from games.

mod tdleaf;

pub use tdleaf::tdleaf;

use crate::args::{LearnArgs, LinearArgs, NetArgs, OrderArgs, PolicyArgs, ProbcutArgs, TrainArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::bar;
use indicatif::ProgressBar;
use polyply_engine::Variant;
use polyply_engine::learning::{Kind, LearningTask, Loss};
use polyply_lab::LabError;
use polyply_lab::learn::choices::Choices;
use polyply_lab::learn::net::{self, NetOptions};
use polyply_lab::learn::samples::Samples;
use polyply_lab::learn::training::NetTraining;
use polyply_lab::learn::{self, Fit, FitOptions, Progress, TrainOptions, Training, order, page, policy, probcut, test};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Learns an evaluation.
pub fn linear(args: &LinearArgs) -> Result<(), Failure> {
    let LinearArgs { learn, result, epochs, scale, test: tested } = args;
    check_out(&learn.out)?;
    let variant = Variant::find(&learn.variant)?;
    let (begun, lesson) = learn::begin(&variant, Kind::Linear, learn.start.as_deref())?;
    let options = FitOptions { result: f32::from(*result) / 100.0, epochs: *epochs, seed: learn.seed };
    let samples = Samples::load(&begun, &lesson, &learn.data, options.result)?;
    let (games, positions) = (samples.game_count, samples.len());
    say(format_args!("{positions} positions of {games} games"));
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
    let stopped = stopped_after(&fit, &lesson, learn, &stop)?;
    let mut about = vec![
        learn::command(&format!("linear {}", learn.variant), &learn.data, learn.start.as_deref(), &given),
        format!("learned from {positions} positions of {games} games; on games held out {:.5}", fit.held_out[1]),
    ];
    about.extend(stopped);
    conclude(&begun, learn, (Kind::Linear, *scale), &fit, &about)?;
    if !tested.is_empty() {
        let learned = learn::with_weights(&variant, &learn.out.display().to_string())?;
        for phase in test::errors(&learned, &lesson, &fit.numbers, fit.unit, tested)? {
            let (name, positions, error) = (&phase.name, phase.positions, phase.error);
            say(format_args!("{name:<16} {positions:>5} positions  mean error {error:.3}"));
        }
    }
    Ok(())
}

/// Learns an order of moves.
pub fn order(OrderArgs { learn }: &OrderArgs) -> Result<(), Failure> {
    check_out(&learn.out)?;
    let variant = Variant::find(&learn.variant)?;
    let (begun, lesson) = learn::begin(&variant, Kind::Order, learn.start.as_deref())?;
    let choices = Choices::load(&begun, &learn.data)?;
    say(format_args!("{} choices of {} games", choices.len(), choices.game_count));
    let stop = interrupt::flag()?;
    let bar = ProgressBar::hidden();
    // The game's recipe says how long an order is learned, and from the moves alone.
    let options = FitOptions { result: 1.0, epochs: u32::MAX, seed: learn.seed };
    let progress = Box::new(|progress: Progress<'_>| tell(&bar, &progress));
    let fit = order::fit(&choices, Training { lesson: &lesson, options, stop: &stop, progress });
    let given = [("seed", learn.seed.to_string())];
    let stopped = stopped_after(&fit, &lesson, learn, &stop)?;
    let mut about = vec![
        learn::command(&format!("order {}", learn.variant), &learn.data, learn.start.as_deref(), &given),
        format!("order learned from {} choices of {} games", choices.len(), choices.game_count),
        fit.remarks[0].clone(),
    ];
    about.extend(stopped);
    conclude(&begun, learn, (Kind::Order, 100), &fit, &about)
}

/// Trains a net.
pub fn net(args: &NetArgs) -> Result<(), Failure> {
    let NetArgs { variant, train, .. } = args;
    check_training(train)?;
    let variant = Variant::find(variant)?;
    let task = variant.net_task()?;
    let positions = net::positions(&variant, &train.data)?;
    let (games, count) = (positions.game_count(), positions.len());
    say(format_args!("{count} positions of {games} games, {} bytes each", positions.bytes() / count));
    let result = f32::from(args.result) / 100.0;
    let wanted = NetOptions { hidden: args.hidden.map(usize::from), middle: args.middle.map(usize::from), result };
    let values = net::plan(&task, &wanted, &positions)?;
    let stop = interrupt::flag()?;
    let (trained, fit) = with_training(train, &stop, |training| net::fit(&values, training))?;
    let shape = values.shape();
    let given = [
        ("hidden", shape.hidden.to_string()),
        ("middle", shape.middle.to_string()),
        ("result", args.result.to_string()),
    ];
    let about = about_training(&format!("net {}", args.variant), train, &given, &fit, (count, games), &stop);
    fit.remarks.iter().for_each(say);
    write(&train.out, &trained.quantised(fit.unit as i16).text(variant.about().name, &about))?;
    write(&beside(&train.out, ".html"), &page::html(&format!("Net of {}", args.variant), &fit, &about))
}

/// Trains a net for moves.
pub fn policy(args: &PolicyArgs) -> Result<(), Failure> {
    let PolicyArgs { variant, train, start } = args;
    check_training(train)?;
    let found = Variant::find(variant)?;
    found.policy_task()?;
    let begun = learn::with_weights(&found, start)?;
    let choices = policy::choices(&begun, &train.data)?;
    let (games, count) = (choices.game_count(), choices.len());
    say(format_args!("{count} choices of {games} games"));
    let stop = interrupt::flag()?;
    let fit = with_training(train, &stop, |training| {
        let fit = policy::fit(&choices, training)?;
        Ok(((), fit))
    })?
    .1;
    let given = [("start", start.clone())];
    let mut about = about_training(&format!("policy {variant}"), train, &given, &fit, (count, games), &stop);
    about.extend(fit.remarks.last().cloned());
    fit.remarks.iter().for_each(say);
    write(&train.out, &begun.weights_text(Kind::Policy, &fit.numbers, 100, &about)?)?;
    write(&beside(&train.out, ".html"), &page::html(&format!("Net for the moves of {variant}"), &fit, &about))
}

/// Refuses a training that can't be begun, before games are read.
fn check_training(train: &TrainArgs) -> Result<(), Failure> {
    check_out(&train.out)?;
    if !(train.rate > 0.0 && train.rate < 1.0) {
        return Err(Failure::Call(format!("--rate is between 0 and 1, not {}", train.rate)));
    }
    let checkpoint = beside(&train.out, ".checkpoint");
    if train.resume && !checkpoint.exists() {
        return Err(Failure::Call(format!("there is no training to go on with in {}", checkpoint.display())));
    }
    Ok(())
}

/// Trains with a bar and checkpoints.
fn with_training<T>(
    train: &TrainArgs,
    stop: &AtomicBool,
    fit: impl FnOnce(NetTraining<'_>) -> Result<(T, Fit), LabError>,
) -> Result<(T, Fit), Failure> {
    let TrainArgs { epochs, batch, rate, patience, seed, resume, .. } = *train;
    let options = TrainOptions { epochs, batch: batch as usize, rate, patience, seed, ..TrainOptions::default() };
    // Thousandths, so that the bar moves within a pass too.
    let bar = bar(u64::from(epochs) * 1000, "thousandths of epochs");
    let progress = Box::new(|passes: f64, epoch: Option<&learn::Epoch>| {
        if let Some(epoch) = epoch {
            tell(&bar, &Progress::Epoch(epoch));
        }
        bar.set_position((passes * 1000.0) as u64);
    });
    let checkpoint = beside(&train.out, ".checkpoint");
    let (trained, fit) = fit(NetTraining { options, checkpoint: &checkpoint, resume, stop, progress })?;
    bar.finish_and_clear();
    if fit.epochs.is_empty() {
        return Err(Failure::Run("stopped before the first pass was done; --resume goes on from here".into()));
    }
    let [first, best] = fit.held_out;
    say(format_args!("held out {first:.5} after the first pass, {best:.5} at best"));
    Ok((trained, fit))
}

/// Where a net comes from, for the header of its file.
fn about_training(
    what: &str,
    train: &TrainArgs,
    given: &[(&str, String)],
    fit: &Fit,
    (count, games): (usize, usize),
    stop: &AtomicBool,
) -> Vec<String> {
    let mut all = given.to_vec();
    all.extend([
        ("epochs", train.epochs.to_string()),
        ("batch", train.batch.to_string()),
        ("rate", train.rate.to_string()),
        ("patience", train.patience.to_string()),
        ("seed", train.seed.to_string()),
    ]);
    let mut about = vec![
        learn::command(what, &train.data, None, &all),
        format!("learned from {count} positions of {games} games; on games held out {:.5}", fit.held_out[1]),
    ];
    if stop.load(Relaxed) {
        about.push(format!("stopped after {} passes; --resume goes on from there", fit.epochs.len()));
        say(&about[2]);
    }
    about
}

/// The path with something added to its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.to_path_buf().into_os_string();
    name.push(ending);
    name.into()
}

/// Measures how well short searches predict longer ones.
pub fn probcut(args: &ProbcutArgs) -> Result<(), Failure> {
    let variant = learn::with_weights(&Variant::find(&args.variant)?, &args.weights)?;
    if args.out.is_some() && args.weights == "handmade" {
        let reason = "the hand-made evaluation has no weights that --out could write; leave it out to see the numbers";
        return Err(Failure::Call(reason.into()));
    }
    args.out.as_deref().map_or(Ok(()), check_out)?;
    let name = variant.prediction_test()?.remaining_name;
    let boards = probcut::positions(&variant, &args.data, args.positions as usize, args.seed)?;
    let stop = interrupt::flag()?;
    let bar = bar(args.positions.into(), "positions");
    let planes = probcut::errors(&variant, &boards, &stop, &mut |done| bar.set_position(done))?;
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
            "{place}: standard deviation {:.1} {:+.2} · depth {:+.2} · short depth {:+.2} · {name}, mean {:+.1}, \
             from {} errors",
            plane.base, plane.deep, plane.short, plane.remaining, plane.bias, plane.errors
        );
        say(&line);
        about.push(line);
    }
    if stop.load(Relaxed) {
        about.push("stopped before all positions were searched".to_owned());
    }
    if args.out.is_some() && planes.iter().any(|plane| plane.errors == 0) {
        return Err(Failure::Run("there were too few positions to measure both, so nothing was written".into()));
    }
    match &args.out {
        Some(out) => write(out, &probcut::text(&variant, &planes, &about)?),
        None => Ok(()),
    }
}

fn tell(bar: &ProgressBar, progress: &Progress<'_>) {
    bar.suspend(|| match progress {
        Progress::Epoch(epoch) => say(format_args!(
            "epoch {:<3} rate {:.5}  training {:.5}  held out {:.5}",
            epoch.number, epoch.rate, epoch.training, epoch.held_out
        )),
        Progress::Phase(phase) => say(format_args!(
            "{:<16} {:>8} positions  mean error {:.2}, held out {:.2}",
            phase.name, phase.positions, phase.training, phase.held_out
        )),
        _ => (),
    });
    if let Progress::Epoch(epoch) = progress {
        bar.set_position(epoch.number.into());
    }
}

/// Refuses a file that can't be written, or that holds something else, before hours are spent on what goes into it.
fn check_out(path: &Path) -> Result<(), Failure> {
    let refuse = |reason: &str| Err(Failure::Call(format!("{}: {reason}", path.display())));
    if path.parent().is_some_and(|folder| folder != Path::new("") && !folder.is_dir()) {
        return refuse("there is no such folder");
    }
    match std::fs::read(path) {
        Ok(bytes) if !bytes.starts_with(learn::WEIGHTS_TITLE.as_bytes()) => {
            refuse("it already exists and is no file of weights; choose another file")
        }
        _ => Ok(()),
    }
}

/// Prints and returns how far learning has come if it was stopped, or refuses to write what was not learned at all.
fn stopped_after(
    fit: &Fit,
    lesson: &LearningTask,
    learn: &LearnArgs,
    stop: &AtomicBool,
) -> Result<Option<String>, Failure> {
    if !stop.load(Relaxed) {
        return Ok(None);
    }
    let (passes, phases, all) = (fit.epochs.len(), fit.phases.len(), lesson.model.phases.len());
    let done = match lesson.recipe.loss {
        Loss::Squares if phases < all && learn.start.is_none() => {
            return Err(Failure::Run(format!("stopped after {phases} of {all} phases; nothing was written")));
        }
        Loss::Squares => format!("stopped after {phases} of {all} phases"),
        _ if passes == 0 => {
            return Err(Failure::Run("stopped before the first pass was done; nothing was written".into()));
        }
        _ => format!("stopped after {passes} passes"),
    };
    say(&done);
    Ok(Some(done))
}

/// Prints the result and writes the weights and the report.
fn conclude(
    variant: &Variant,
    learn: &LearnArgs,
    (kind, scale): (Kind, u16),
    fit: &Fit,
    about: &[String],
) -> Result<(), Failure> {
    fit.remarks.iter().for_each(say);
    let [before, after] = fit.held_out;
    say(format_args!("held out {before:.5} before, {after:.5} after"));
    write(&learn.out, &variant.weights_text(kind, &fit.numbers, scale, about)?)?;
    write(&beside(&learn.out, ".html"), &page::html(&format!("Weights of {}", learn.variant), fit, about))
}

/// Prints a line. Learning goes on where nobody reads it.
fn say(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::file(path, error))
}
