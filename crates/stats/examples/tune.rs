//! CLOP finds the best value of a parameter from results of games that are mostly luck:
//! `cargo run --release -p polyply-stats --example tune`.

use polyply_core::random::Random;
use polyply_stats::tuners::{Axis, Method, MethodSettings, Space};
use polyply_stats::{Points, Tally};

/// The best value.
const BEST: f64 = 70.0;

fn main() {
    let axis = Axis { name: "margin".into(), low: 0, high: 100, start: 20, step: 10.0 };
    let space = Space { axes: vec![axis] };
    let (games, mut random) = (4000, Random::new(1));
    let mut tuner = Method::Clop.tuner(&space, games, 1, &MethodSettings::default());
    let mut played = 0;
    while played < games {
        let batch = tuner.propose();
        let results: Vec<Tally> =
            batch.duels.iter().map(|duel| play(&space, &duel.one, batch.pairs, &mut random)).collect();
        tuner.take(&batch, &results);
        played += batch.games();
    }
    let standing = tuner.standing();
    let [value, deviation] = [space.axes[0].value(standing.best[0]), space.scaled(&standing.deviation)[0]];
    println!("after {played} games: {value:.0} ± {deviation:.0}; the best is {BEST}");
}

/// Games of an engine that is the weaker the farther its parameter is from the best.
fn play(space: &Space, point: &[f64], pairs: u64, random: &mut Random) -> Tally {
    let off = (space.axes[0].value(point[0]) - BEST) / 100.0;
    let chance = 0.6 - 0.4 * off * off;
    let mut game = || if random.uniform() < chance { Points::Win } else { Points::Loss };
    let mut tally = Tally::default();
    (0..pairs).for_each(|_| tally.add_pair([game(), game()]));
    tally
}
