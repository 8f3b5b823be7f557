//! The statistics are those of the programs that people trust, and the sequential test keeps its promises.

use polyply_core::random::Random;
use polyply_lab::stats::{Encounter, Estimate, Model, Points, Ratings, Sprt, Tally};

/// The numbers of a file with a heading.
fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// The same as far as it was printed; what fastchess calls not a number is open for us.
fn check(line: &str, what: &str, ours: f64, theirs: f64, rounding: f64) {
    let same = if theirs.is_finite() { (ours - theirs).abs() <= rounding } else { theirs.is_nan() || ours == theirs };
    assert!(same, "{what}: {ours}, not {theirs}, in {line}");
}

/// The ratio of some counts by a test.
type Llr = Box<dyn Fn(&Sprt) -> f64>;

#[test]
fn elo_and_likelihood_ratios_are_those_of_fastchess() {
    let bounds = [(0.0, 2.0), (0.0, 10.0), (-1.75, 0.25), (-10.0, 0.0)];
    let mut checked = 0;
    for line in lines(include_str!("data/fastchess.txt")) {
        let [counts, elo, logistic, normalised] = line.split('|').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (kind, counts) = counts.split_once(' ').unwrap();
        let counts: Vec<u64> = numbers(counts);
        // We are more cautious about a handful of games.
        let few = counts.iter().sum::<u64>() < 30;
        let elo: Vec<f64> = numbers(elo);
        let (estimate, llr): (_, Llr) = match kind {
            "pairs" => {
                let pairs: [u64; 5] = counts.try_into().unwrap();
                (Estimate::of_pairs(pairs), Box::new(move |sprt| sprt.llr(pairs)))
            }
            _ => {
                let games: [u64; 3] = counts.try_into().unwrap();
                (Estimate::of_games(games), Box::new(move |sprt| sprt.llr_of_games(games)))
            }
        };
        match estimate {
            None => assert!(elo[0].is_nan(), "{line}"),
            Some(ours) => {
                let numbers = [
                    ("score", ours.score, 1e-6),
                    ("Elo", ours.elo.value, 1e-4),
                    ("error", ours.elo.error, 1e-4),
                    ("normalised", ours.normalised.value, 1e-4),
                    ("its error", ours.normalised.error, 1e-4),
                    ("LOS", 100.0 * ours.los, 0.005001),
                ];
                for ((what, ours, rounding), theirs) in numbers.into_iter().zip(elo) {
                    match what {
                        "error" | "its error" if few => {
                            assert!(ours >= theirs || theirs.is_nan(), "{what}: {ours} in {line}")
                        }
                        "LOS" if few => {
                            assert!((ours - 50.0).abs() <= (theirs - 50.0).abs() || theirs.is_nan(), "{line}")
                        }
                        _ => check(line, what, ours, theirs, rounding),
                    }
                }
            }
        }
        for (model, theirs) in [(Model::Logistic, logistic), (Model::Normalised, normalised)] {
            for ((elo0, elo1), theirs) in bounds.into_iter().zip(numbers::<f64>(theirs)) {
                let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
                // They look for θ to a thousandth, we to the last bit, which is seen with 140 000 games; they show two
                // decimals of the ratio.
                check(line, model.name(), llr(&sprt), theirs, 0.005 + 1e-5 * theirs.abs());
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 27 * 8);
}

/// A table of Ordo's file.
#[derive(Default)]
struct Table {
    names: Vec<&'static str>,
    met: Vec<Encounter>,
    rated: Vec<(usize, f64, Option<f64>)>,
    first: Option<(f64, Option<f64>)>,
    draws: f64,
}

impl Table {
    fn player(&mut self, name: &'static str) -> usize {
        self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

fn ordo() -> Vec<(&'static str, Table)> {
    let mut tables = Vec::new();
    for line in lines(include_str!("data/ordo.txt")) {
        let words: Vec<&'static str> = line.split(' ').collect();
        if let ["table", name] = words[..] {
            tables.push((name, Table::default()));
            continue;
        }
        let table = &mut tables.last_mut().unwrap().1;
        match words[..] {
            ["met", first, second, won, drawn, lost] => {
                let games = [won, drawn, lost].map(|count| count.parse().unwrap());
                let (first, second) = (table.player(first), table.player(second));
                table.met.push(Encounter { first, second, games });
            }
            ["rated", player, elo, error] => {
                let player = table.player(player);
                table.rated.push((player, elo.parse().unwrap(), error.parse().ok()));
            }
            ["first", elo, deviation] => table.first = Some((elo.parse().unwrap(), deviation.parse().ok())),
            ["draws", percent] => table.draws = percent.parse().unwrap(),
            _ => panic!("{line}"),
        }
    }
    tables
}

#[test]
fn ratings_are_those_of_ordo() {
    let tables = ordo();
    assert_eq!(tables.len(), 5);
    for (name, table) in tables {
        let ratings = Ratings::of(table.names.len(), &table.met);
        for (player, elo, error) in table.rated {
            let ours = ratings.players[player].unwrap().elo;
            let who = table.names[player];
            assert!((ours.value - elo).abs() < 0.02, "{name} {who}: {ours:.2}, not {elo}");
            if let Some(error) = error {
                // Theirs come out of 4000 simulations, which leaves two or three percent to chance; and where games are
                // few, what is simulated spreads a bit wider than the curvature of the likelihood says.
                assert!((ours.error / error - 1.0).abs() < 0.07, "{name} {who}: {ours:.2}, not ± {error}");
            }
        }
        let (elo, deviation) = table.first.unwrap();
        assert!((ratings.first_move.value - elo).abs() < 0.02, "{name}: {}, not {elo}", ratings.first_move);
        if let Some(deviation) = deviation {
            let ours = ratings.first_move.error / 1.96;
            assert!((ours / deviation - 1.0).abs() < 0.07, "{name}: a deviation of {ours}, not {deviation}");
        }
        assert!((100.0 * ratings.draw_rate - table.draws).abs() < 0.02, "{name}: {} draws", ratings.draw_rate);
    }
}

/// A pair of games of players who are `elo` apart, from an opening that favours the side that moves first by so much.
fn pair(random: &mut Random, elo: f64) -> [Points; 2] {
    let opening = 300.0 * (random.uniform() - 0.5);
    [opening, -opening].map(|opening| {
        let expected = polyply_lab::stats::expected_score(elo + opening);
        let draws = 0.8 * expected.min(1.0 - expected);
        match random.uniform() {
            at if at < expected - draws / 2.0 => Points::Win,
            at if at < expected + draws / 2.0 => Points::Draw,
            _ => Points::Loss,
        }
    })
}

/// How many of so many tests of a true difference pass.
fn passes(sprt: &Sprt, elo: f64, tests: u64) -> f64 {
    use polyply_lab::stats::Decision;
    let passed = (0..tests).filter(|test| {
        let mut random = Random::new(test.wrapping_mul(0xd134_2543_de82_ef95));
        let mut tally = Tally::default();
        loop {
            // As if games came in by eights.
            (0..8).for_each(|_| tally.add_pair(pair(&mut random, elo)));
            match sprt.decide(sprt.llr(tally.pairs)) {
                Decision::Continue => {}
                decision => break decision == Decision::Passes,
            }
        }
    });
    passed.count() as f64 / tests as f64
}

#[test]
fn the_sequential_test_errs_as_seldom_as_it_promises() {
    let tests = 3000;
    let [alpha, beta] = [0.05, 0.1];
    let sprt = Sprt::new(0.0, 30.0, alpha, beta, Model::Logistic).unwrap();
    // Three standard deviations of what 3000 tests show.
    let slack = |probability: f64| 3.0 * (probability * (1.0 - probability) / tests as f64).sqrt();
    let wrongly_passed = passes(&sprt, 0.0, tests);
    assert!(wrongly_passed <= alpha + slack(alpha), "{wrongly_passed}");
    let wrongly_failed = 1.0 - passes(&sprt, 30.0, tests);
    assert!(wrongly_failed <= beta + slack(beta), "{wrongly_failed}");
    // And it does not buy that with tests that nothing passes or fails.
    assert!(wrongly_passed > alpha / 4.0 && wrongly_failed > beta / 4.0, "{wrongly_passed} {wrongly_failed}");
}

/// Normalised Elo of what [`pair`] plays, from very many pairs.
#[test]
fn the_sequential_test_keeps_its_promises_in_normalised_elo_too() {
    let mut random = Random::new(5);
    let mut tally = Tally::default();
    (0..200_000).for_each(|_| tally.add_pair(pair(&mut random, 25.0)));
    let truth = tally.estimate().unwrap().normalised.value;
    let (tests, [alpha, beta]) = (1500, [0.1, 0.05]);
    let slack = |probability: f64| 3.0 * (probability * (1.0 - probability) / tests as f64).sqrt();
    let sprt = Sprt::new(truth, truth + 40.0, alpha, beta, Model::Normalised).unwrap();
    let wrongly_passed = passes(&sprt, 25.0, tests);
    assert!(wrongly_passed <= alpha + slack(alpha), "{wrongly_passed}");
    let sprt = Sprt::new(truth - 40.0, truth, alpha, beta, Model::Normalised).unwrap();
    let wrongly_failed = 1.0 - passes(&sprt, 25.0, tests);
    assert!(wrongly_failed <= beta + slack(beta), "{wrongly_failed}");
}
