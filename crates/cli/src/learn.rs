//! `polyply learn`: weights from games.

use crate::args::PatternsArgs;
use crate::failure::Failure;
use polyply_lab::family::{self, Variant};
use polyply_lab::fit::{self, Recipe};
use polyply_lab::order::{self, Choices};
use polyply_lab::samples::Samples;

pub fn patterns(args: &PatternsArgs) -> Result<(), Failure> {
    let kind = Variant::parse(&args.variant, &[])?.kind();
    let start = args.start.as_deref().map(|name| family::weights(kind, name)).transpose()?;
    let samples = Samples::load(kind, &args.data)?;
    let (games, positions) = (samples.game_count, samples.len());
    println!("{positions} positions of {games} games");
    let recipe = Recipe { result: f32::from(args.result) / 100.0, epochs: args.epochs, seed: args.seed };
    let mut found = fit::fit(&samples, start, recipe, &mut |epoch| {
        println!(
            "epoch {:<3} rate {:.5}  training {:.5}  held out {:.5}",
            epoch.number, epoch.rate, epoch.training, epoch.held_out
        );
    });
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
    let data: Vec<String> = args.data.iter().map(|path| path.display().to_string()).collect();
    let about = [
        format!(
            "command: polyply learn patterns {} --data {}{} --result {} --epochs {} --seed {}",
            args.variant,
            data.join(" "),
            args.start.as_ref().map_or(String::new(), |start| format!(" --start {start}")),
            args.result,
            args.epochs,
            args.seed
        ),
        format!("learned from {positions} positions of {games} games; loss on games held out {:.5}", found.held_out),
        format!(
            "order learned from {} choices; the chosen move is first in {first:.1} % of those held out",
            choices.len()
        ),
    ];
    std::fs::write(&args.out, found.weights.text(&about))
        .map_err(|error| Failure::Run(format!("{}: {error}", args.out.display())))?;
    Ok(())
}
