//! `polyply learn tdleaf`: learns while it plays.

use super::{beside, check_out, say, write};
use crate::args::TdLeafArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::bar;
use polyply_engine::Variant;
use polyply_lab::learn;
use polyply_lab::learn::tdleaf::{Batch, Progress, TdLeaf, TdLeafOptions, page};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// The words in the header of the file before the number of games.
const LEARNED_FROM: &str = "learned from";

/// Learns an evaluation from live self-play.
pub fn tdleaf(args: &TdLeafArgs) -> Result<(), Failure> {
    check_out(&args.out)?;
    let checkpoint = beside(&args.out, ".checkpoint");
    let Some(mut run) = begin(args, &checkpoint)? else {
        say("all games were played before");
        return Ok(());
    };
    let stop = interrupt::flag()?;
    let bar = bar(args.games, "games");
    bar.set_position(run.games());
    let ended = run.run(&checkpoint, &stop, &mut |progress| match progress {
        Progress::Game(count) => bar.set_position(count),
        Progress::Batch(batch) => bar.suspend(|| say(line(batch))),
        _ => (),
    });
    bar.finish_and_clear();
    ended?;
    let stopped = stop.load(Relaxed) && run.games() < args.games;
    let Some(last) = run.batches().last() else {
        return Err(Failure::Run("stopped before the first batch was played; nothing was written".into()));
    };
    let mut about = vec![
        command(args, run.rate()),
        format!(
            "{LEARNED_FROM} {} games of self-play: weights {:016x} from {:016x}",
            run.games(),
            last.weights,
            run.start_hash()
        ),
    ];
    if stopped {
        about.push(format!("stopped after {} of {} games; --resume goes on from there", run.games(), args.games));
    }
    about[1..].iter().for_each(say);
    let title = format!("Weights of {} by temporal differences", args.variant);
    write(&beside(&args.out, ".html"), &page::html(&title, run.batches(), run.counts_points(), &about))?;
    Ok(run.write(&args.out, &about, &checkpoint)?)
}

/// A run that is about to begin, or to go on; `None` if nothing is left of it.
fn begin(args: &TdLeafArgs, checkpoint: &Path) -> Result<Option<TdLeaf>, Failure> {
    if !(0.0..=1.0).contains(&args.lambda) {
        return Err(Failure::Call(format!("--lambda is between 0 and 1, not {}", args.lambda)));
    }
    if args.rate.is_some_and(|rate| !(rate > 0.0 && rate.is_finite())) {
        return Err(Failure::Call("--rate is a number above 0".into()));
    }
    let TdLeafArgs { games, batch, nodes, lambda, rate, seed, .. } = *args;
    let options = TdLeafOptions { games, batch, nodes, lambda, rate, threads: args.threads.into(), seed };
    let mut run = TdLeaf::new(&Variant::find(&args.variant)?, &args.start, options)?;
    let refuse = |reason: String| Failure::Call(format!("{}: {reason}", checkpoint.display()));
    match std::fs::read(checkpoint) {
        Ok(bytes) if args.resume => {
            run.resume(&bytes).map_err(refuse)?;
            say(format_args!("{} of {games} games were played before", run.games()));
        }
        Ok(_) => return Err(refuse("a run was stopped here; add --resume to continue it, or remove the file".into())),
        // It was stopped before it began.
        Err(error) if error.kind() == ErrorKind::NotFound && !args.out.exists() => {}
        Err(_) if args.resume && is_done(args, run.rate()) => return Ok(None),
        Err(error) if args.resume => return Err(refuse(format!("there is no run to go on with: {error}"))),
        Err(_) => {}
    }
    Ok(Some(run))
}

/// The file of weights is what this command has written in the end.
fn is_done(args: &TdLeafArgs, rate: f32) -> bool {
    let text = std::fs::read_to_string(&args.out).unwrap_or_default();
    let (command, games) = (command(args, rate), format!("{LEARNED_FROM} {} games", args.games));
    let about: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    about.len() == 2 && about[0] == command && about[1].starts_with(&games)
}

fn line(batch: &Batch) -> String {
    let Batch { games, positions, rate, difference, loss, change, .. } = batch;
    format!(
        "games {games:<6} positions {positions:<5} step {rate:.5}  difference {difference:.4}  loss {loss:.4}  \
         change {change:.4}"
    )
}

/// The command, for the header of the file.
fn command(args: &TdLeafArgs, rate: f32) -> String {
    let given = [
        ("games", args.games.to_string()),
        ("nodes", args.nodes.to_string()),
        ("batch", args.batch.to_string()),
        ("lambda", args.lambda.to_string()),
        ("rate", rate.to_string()),
        ("seed", args.seed.to_string()),
    ];
    learn::command(&format!("tdleaf {}", args.variant), &[], Some(&args.start), &given)
}
