//! `polyply lab personas`: how personas differ.

use crate::args::StyleArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::printer::Printer;
use crate::progress::spinner;
use polyply_lab::arena::StyleSettings;
use serde_json::json;

pub fn run(args: &StyleArgs) -> Result<(), Failure> {
    let settings = StyleSettings {
        variant: args.game.variant()?,
        level: args.level,
        games: args.games,
        seed: args.seed,
        concurrency: args.run.concurrency.into(),
    };
    let stop = interrupt::flag()?;
    let spinner = spinner();
    let styles = settings.run(&stop, &mut |name, games| spinner.set_message(format!("{name}: {games} games")))?;
    spinner.finish_and_clear();
    let mut printer = Printer::new();
    if !args.run.json {
        printer.line("persona    games   score   plies  attacks   draws");
    }
    for (name, style) in styles {
        let (score, length) = (style.score(), style.length());
        let (attacks, draws) = (style.attack_share(), style.draw_rate());
        match args.run.json {
            true => printer.line(json!({
                "type": "style", "persona": name, "games": style.games, "score": score, "plies": length,
                "attack_share": attacks, "draw_rate": draws,
            })),
            false => printer.line(format_args!(
                "{name:<9}  {:>5}  {:>4.1} %  {length:>6.1}  {:>5.1} %  {:>4.1} %",
                style.games,
                100.0 * score,
                100.0 * attacks,
                100.0 * draws,
            )),
        }
    }
    Ok(printer.finish()?)
}
