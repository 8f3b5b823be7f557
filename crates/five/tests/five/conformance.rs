//! The games of the family pass the suite that every game must pass.

use polyply_core::conformance::{Run, check_from, check_search_from};
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::Settings;
use polyply_five::{Evaluator, Five, Weights};

fn conforms<R: Rule>(size: u32, games: usize) {
    let settings = Settings::new(R::KIND.name(), Some(size), &[]).unwrap();
    let start = Five::<R>::new(settings);
    let run = Run { games, ..Run::default() };
    check_from(&start, &run);
    check_search_from(&start, &Evaluator::new(Weights::of(R::KIND)), &run);
}

#[test]
fn freestyle() {
    conforms::<Freestyle>(15, 1);
    conforms::<Freestyle>(5, 5);
}

#[test]
fn standard() {
    conforms::<Standard>(15, 1);
    conforms::<Standard>(7, 3);
}

#[test]
fn caro() {
    conforms::<Caro>(22, 1);
    conforms::<Caro>(7, 3);
}

#[test]
fn capture() {
    conforms::<Capture>(19, 1);
    conforms::<Capture>(7, 1);
}
