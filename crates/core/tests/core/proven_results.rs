//! With all techniques and any parameters: a position that the search calls won or lost is won or lost, within the
//! plies that it says.

use crate::lattice::{Lattice, Noise, Rules};
use crate::oracle::{Random, Truth, claim_holds, random_params, rounds, searcher};
use polyply_core::clock::Limits;
use polyply_core::game::Game;
use polyply_core::params::SearchParams;
use polyply_core::{Best, Searcher, Task};

type Plain = Lattice<false>;

/// Limits of every kind that end a search. A small number of nodes can stop it anywhere.
fn random_limits(random: &mut Random) -> Limits {
    match random.below(3) {
        0 => Limits::depth(1 + random.below(14) as i32),
        1 => Limits::nodes(1 + random.below(400) as u64),
        _ => Limits { mate: Some(1 + random.below(6) as i32), ..Limits::nodes(1 + random.below(4000) as u64) },
    }
}

/// Every line is legal, and its score claims nothing false.
fn check_lines(position: &Plain, best: &Best<crate::lattice::Raise>, truth: &mut Truth, whole: bool, about: &str) {
    assert!(!best.lines.is_empty(), "{about}");
    for (index, line) in best.lines.iter().enumerate() {
        let value = if index == 0 && whole { truth.of(position) } else { truth.of_move(position, line.moves[0]) };
        let score = line.score.for_side(position.side());
        assert!(claim_holds(score, line.bound, value), "{about}: {line:?}, but the truth is {value:?}");
        let mut after = position.clone();
        for &mv in &line.moves {
            assert!(after.decode(mv.into()) == Some(mv), "{about}: an illegal move in {line:?}");
            after.play(mv, &mut ());
        }
    }
}

/// No table entry of a position of the game claims anything false.
fn check_table(start: &Plain, searcher: &Searcher<Plain>, truth: &mut Truth, about: &str) {
    start.every(&mut |position| {
        if let Some(entry) = searcher.entry(position) {
            let score = entry.score.for_side(position.side());
            let value = truth.of(position);
            assert!(claim_holds(score, entry.bound, value), "{about}: {entry:?}, but the truth is {value:?}");
        }
    });
}

/// Plays a random game, searching every position of it with the same searcher. Returns how many positions
/// there were, and how many of them were called decided.
fn check_game(seed: u64, params: &dyn Fn(&mut Random) -> SearchParams, threads: usize) -> (usize, usize) {
    let mut random = Random::new(seed);
    let rules = Rules::random(seed);
    let start = Plain::start(rules);
    let mut truth = Truth::default();
    let mut searcher = searcher(Noise, [128, 1 << 12, 1 << 18][random.below(3)]);
    searcher.set_threads(threads);
    let mut position = start.clone();
    let (mut positions, mut decided) = (0, 0);
    while position.outcome().is_none() {
        searcher.set_params(params(&mut random));
        let legal = crate::oracle::moves(&position);
        let mut task = Task::new(random_limits(&mut random));
        match random.below(6) {
            0 => task.multipv = 1 + random.below(4),
            1 => task.only = legal.iter().copied().filter(|_| random.below(2) == 0).collect(),
            _ => {}
        }
        let about = format!("{rules:?} {task:?} {:?}", searcher.params());
        let whole = task.only.is_empty();
        let best = searcher.search(&position, &task, &mut |info| {
            let value =
                if info.multipv == 1 && whole { truth.of(&position) } else { truth.of_move(&position, info.line[0]) };
            let score = info.score.for_side(position.side());
            assert!(claim_holds(score, info.bound, value), "{about}: {info:?}, but the truth is {value:?}");
        });
        check_lines(&position, &best, &mut truth, whole, &about);
        positions += 1;
        decided += usize::from(best.score().is_some_and(|score| score.plies_to_end().is_some()));
        position.play(random.pick(&legal).unwrap(), &mut ());
    }
    check_table(&start, &searcher, &mut truth, &format!("{rules:?} {:?}", searcher.params()));
    (positions, decided)
}

fn check(games: u64, params: &dyn Fn(&mut Random) -> SearchParams, threads: usize) {
    let (mut positions, mut decided) = (0, 0);
    for seed in 0..games {
        let game = check_game(seed, params, threads);
        (positions, decided) = (positions + game.0, decided + game.1);
    }
    println!("{positions} positions searched, {decided} called decided");
    assert!(decided * 4 > positions, "without decided positions the test tests nothing");
}

#[test]
fn decided_scores_are_true_with_the_default_parameters() {
    check(rounds(1500) as u64, &|_| SearchParams::for_game::<Plain>(), 1);
}

#[test]
fn decided_scores_are_true_with_any_parameters() {
    check(rounds(1500) as u64, &random_params, 1);
}

#[test]
fn decided_scores_are_true_with_contempt() {
    let scornful =
        |random: &mut Random| SearchParams { contempt: random.below(2001) as i32 - 1000, ..random_params(random) };
    check(rounds(500) as u64, &scornful, 1);
}

#[test]
fn decided_scores_are_true_of_several_threads() {
    check(rounds(100) as u64, &random_params, 3);
}
