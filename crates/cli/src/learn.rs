//! `polyply learn`: weights from games.

use crate::args::{LearnArgs, OthelloArgs, PatternsArgs, ProbcutArgs};
use crate::failure::Failure;
use crate::{interrupt, selfplay};
use polyply_lab::family::{self, Variant};
use polyply_lab::fit::{self, Epoch, Recipe};
use polyply_lab::order::{self, Choices};
use polyply_lab::samples::Samples;
use polyply_lab::{chess, othello};

impl LearnArgs {
    fn recipe(&self) -> Recipe {
        Recipe { result: f32::from(self.result) / 100.0, epochs: self.epochs, seed: self.seed }
    }

    /// The command that asked for this, for the file that comes of it.
    fn command(&self, what: &str) -> String {
        let data: Vec<String> = self.data.iter().map(|path| path.display().to_string()).collect();
        format!(
            "command: polyply learn {what} --data {}{} --result {} --epochs {} --seed {}",
            data.join(" "),
            self.start.as_ref().map_or(String::new(), |start| format!(" --start {start}")),
            self.result,
            self.epochs,
            self.seed
        )
    }

    fn write(&self, text: &str) -> Result<(), Failure> {
        std::fs::write(&self.out, text).map_err(|error| Failure::Run(format!("{}: {error}", self.out.display())))
    }
}

fn tell(epoch: &Epoch) {
    println!(
        "epoch {:<3} rate {:.5}  training {:.5}  held out {:.5}",
        epoch.number, epoch.rate, epoch.training, epoch.held_out
    );
}

pub fn chess(args: &LearnArgs) -> Result<(), Failure> {
    let start = chess::weights(args.start.as_deref().unwrap_or("handmade"))?;
    let samples = chess::samples::Samples::load(&args.data, start)?;
    let (games, positions) = (samples.game_count, samples.len());
    println!("{positions} quiet positions of {games} games");
    let found = chess::fit::fit(&samples, start, args.recipe(), &mut tell);
    let [before, after] = found.held_out;
    println!("held out {before:.5} before, {after:.5} after, with a unit of {:.0}", found.unit);
    let about = [
        args.command("chess"),
        format!("learned from {positions} quiet positions of {games} games; loss on games held out {after:.5}"),
    ];
    args.write(&found.weights.text(&about))
}

pub fn othello(args: &OthelloArgs) -> Result<(), Failure> {
    let OthelloArgs { learn: args, test } = args;
    let samples = othello::samples::Samples::load(&args.data, args.recipe().result)?;
    let (games, positions) = (samples.game_count, samples.positions.len());
    println!("{positions} positions of {games} games");
    let found = othello::fit::fit(&samples, args.recipe(), &mut |stage| {
        println!(
            "stage {:<2} {:>8} positions  mean error in discs {:.2}, held out {:.2}",
            stage.number, stage.positions, stage.training, stage.held_out
        );
    });
    let about = [
        args.command("othello"),
        format!(
            "learned from {positions} positions of {games} games; mean error on games held out {:.2} discs",
            found.held_out
        ),
    ];
    args.write(&found.text(&about))?;
    for stage in othello::test::errors(found.weights(), test)? {
        println!(
            "empties {:>2} to {:>2}  {:>5} positions  mean error in discs {:.2}",
            stage.empties.start(),
            stage.empties.end(),
            stage.positions,
            stage.error
        );
    }
    Ok(())
}

pub fn probcut(args: &ProbcutArgs) -> Result<(), Failure> {
    let samples = othello::samples::Samples::load(&args.data, 1.0)?;
    let stop = interrupt::flag()?;
    let bar = selfplay::bar(args.positions.into(), "positions");
    let mut told = |done| bar.set_position(done);
    let weights = othello::weights(&args.weights)?;
    let planes = othello::probcut::errors(&samples, weights, args.positions as usize, args.seed, &stop, &mut told)?;
    bar.finish_and_clear();
    for (name, plane) in ["middle game", "end"].into_iter().zip(planes) {
        println!(
            "{name}: standard deviation in hundredths of a disc {:.1} {:+.2} · depth {:+.2} · short depth {:+.2} · empties, \
             mean {:+.1}, from {} errors",
            plane.base, plane.deep, plane.short, plane.empty, plane.bias, plane.errors
        );
    }
    Ok(())
}

pub fn patterns(args: &PatternsArgs) -> Result<(), Failure> {
    let kind = Variant::parse(&args.variant, &[])?.kind();
    let PatternsArgs { variant, learn: args, scale } = args;
    let start = args.start.as_deref().map(|name| family::weights(kind, name)).transpose()?;
    let samples = Samples::load(kind, &args.data)?;
    let (games, positions) = (samples.game_count, samples.len());
    println!("{positions} positions of {games} games");
    let mut found = fit::fit(&samples, start, args.recipe(), &mut tell);
    println!(
        "held out {:.5}; the search itself {:.5}, with a unit of {:.0}",
        found.held_out, found.search_held_out, found.search_unit
    );
    for (name, weights) in [("new", &found.weights), ("built-in", family::weights(kind, "built-in")?)] {
        println!("loss of the {name} weights against all results {:.5}", fit::loss(&samples, weights));
    }
    let choices = Choices::load(kind, &args.data)?;
    let mut first = 0.0;
    order::fit(&choices, &mut found.weights, args.seed, &mut |epoch| {
        let [one, three, eight] = epoch.among.map(|share| 100.0 * share);
        println!(
            "order {:<3} loss {:.5}  chosen move first {one:.1} %, among three {three:.1} %, among eight {eight:.1} %",
            epoch.number, epoch.loss
        );
        first = one;
    });
    let scaled = if *scale == 100 { String::new() } else { format!(" --scale {scale}") };
    let about = [
        args.command(&format!("patterns {variant}")) + &scaled,
        format!("learned from {positions} positions of {games} games; loss on games held out {:.5}", found.held_out),
        format!(
            "order learned from {} choices; the chosen move is first in {first:.1} % of those held out",
            choices.len()
        ),
    ];
    args.write(&found.weights.scaled(*scale).text(&about))
}
