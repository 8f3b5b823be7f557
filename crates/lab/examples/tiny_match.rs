//! A match of Connect Four: the engine as it is against itself without late move reduction.
//!
//! Run it with `cargo run --release -p polyply-lab --example tiny_match`.

use polyply_lab::LabError;
use polyply_lab::arena::{Contest, MatchSettings, Resume};
use std::sync::atomic::AtomicBool;

fn main() -> Result<(), LabError> {
    let settings = MatchSettings {
        variant: "connect4".into(),
        engines: vec!["builtin".into(), "builtin:lmr=0,name=without reductions".into()],
        games: 40,
        nodes: Some(500),
        ..MatchSettings::default()
    };
    let mut contest = Contest::new(settings, Resume::Never)?;
    // Nobody stops it, nobody watches the moves; every game that ends is told.
    let report = contest.run(&AtomicBool::new(false), &(), &mut |report| {
        if report.games() > 0 && report.games() % 10 == 0 {
            println!("after {} games: {}", report.games(), report.tally());
        }
    })?;
    let names: Vec<&str> = report.names().collect();
    println!("{}: {}", names.join(" against "), report.tally());
    if let Some(estimate) = report.tally().estimate() {
        println!("{:.0} % of the points, {:.0} Elo", 100.0 * estimate.score, estimate.elo);
    }
    Ok(())
}
