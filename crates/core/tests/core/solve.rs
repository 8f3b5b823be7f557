//! Solving finds the value of the game, and a line that keeps it.

use crate::lattice::{Lattice, Noise, Rules};
use crate::oracle::{Random, Truth, after, moves, searcher};
use polyply_core::clock::Limits;
use polyply_core::game::Game;

/// Solves the positions of a random game with one searcher.
fn check<const POINTS: bool>(seed: u64, threads: usize) {
    let mut random = Random::new(seed);
    let rules = Rules::random(seed);
    let mut position = Lattice::<POINTS>::start(rules);
    let mut truth = Truth::default();
    let mut searcher = searcher(Noise, [128, 1 << 18][random.below(2)]);
    searcher.set_threads(threads);
    loop {
        let solution = searcher.solve(&position, Limits::default(), &mut |_, _, _| ());
        let side = position.side();
        let value = truth.of(&position);
        assert_eq!(solution.score().map(|score| score.for_side(side)), Some(value), "{rules:?}");
        let mut end = position.clone();
        for &mv in &solution.line {
            assert!(moves(&end).contains(&mv), "{rules:?}: an illegal move in the line");
            assert_eq!(truth.of_move(&end, mv), truth.of(&end), "{rules:?}: a move of the line gives the value away");
            end = after(&end, mv);
        }
        assert!(end.outcome().is_some(), "{rules:?}: the line stops before the end");
        let Some(mv) = random.pick(&moves(&position)) else { break };
        position.play(mv, &mut ());
    }
}

#[test]
fn one_thread_finds_the_value_and_a_line_that_keeps_it() {
    (0..400).for_each(|seed| check::<false>(seed, 1));
}

#[test]
fn two_threads_find_the_value_and_a_line_that_keeps_it() {
    (0..100).for_each(|seed| check::<false>(seed, 2));
}

#[test]
fn a_result_in_points_is_found_too() {
    (0..400).for_each(|seed| check::<true>(seed, 1));
}

#[test]
fn bounds_found_within_a_limit_hold() {
    for seed in 0..400 {
        let position = Lattice::<false>::start(Rules::random(seed));
        let value = Truth::default().of(&position).for_first(position.side());
        let mut searcher = searcher(Noise, 1 << 18);
        let mut told = Vec::new();
        let limits = Limits::nodes(1 + seed % 60);
        let solution = searcher.solve(&position, limits, &mut |low, high, _| told.push((low, high)));
        told.push((solution.low, solution.high));
        assert!(told.iter().all(|&(low, high)| low <= value && value <= high), "seed {seed}: {told:?}, not {value:?}");
    }
}
