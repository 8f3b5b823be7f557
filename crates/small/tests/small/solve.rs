//! Solving against perfect play, found without the core's search.

use crate::oracle::{Random, Truth, after, moves, searcher};
use polyply_core::Searcher;
use polyply_core::clock::Limits;
use polyply_core::game::{Game, Notation, SearchGame};
use polyply_small::connect4::{Connect4, Threats};
use polyply_small::tictactoe::{OpenLines, TicTacToe};

/// The value is right, and every move of the line keeps it to the end.
fn check<G: SearchGame + Notation>(searcher: &mut Searcher<G>, truth: &mut Truth, position: &G) {
    let solution = searcher.solve(position, Limits::default(), &mut |_, _, _| ());
    let score = solution.score().map(|score| score.for_side(position.side()));
    assert_eq!(score, Some(truth.of(position)), "{}", position.text());
    let mut end = position.clone();
    for &mv in &solution.line {
        assert_eq!(truth.of_move(&end, mv), truth.of(&end), "{}: the line gives the value away", position.text());
        end = after(&end, mv);
    }
    assert!(end.outcome().is_some(), "{}: the line stops before the end", position.text());
}

/// Every position of tic-tac-toe, finished ones included, down to the end of each game.
fn check_tictactoe(threads: usize) {
    let mut searcher = searcher(OpenLines, 1 << 20);
    searcher.set_threads(threads);
    let mut truth = Truth::default();
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![TicTacToe::start()];
    while let Some(position) = open.pop() {
        if seen.insert(position.key()) {
            check(&mut searcher, &mut truth, &position);
            open.extend(moves(&position).into_iter().map(|mv| after(&position, mv)));
        }
    }
    assert_eq!(seen.len(), 5478);
}

fn check_connect4(positions: usize, threads: usize) {
    let mut random = Random::new(positions as u64);
    let mut searcher = searcher(Threats, 1 << 20);
    searcher.set_threads(threads);
    let mut truth = Truth::default();
    for _ in 0..positions {
        let mut position = Connect4::start();
        for _ in 0..28 + random.below(14) {
            let Some(mv) = random.pick(&moves(&position)) else { break };
            position = after(&position, mv);
        }
        check(&mut searcher, &mut truth, &position);
    }
}

#[test]
fn every_tictactoe_position_is_solved() {
    check_tictactoe(1);
}

#[test]
fn every_tictactoe_position_is_solved_by_two_threads() {
    check_tictactoe(2);
}

#[test]
fn late_connect4_positions_are_solved() {
    check_connect4(1000, 1);
}

#[test]
fn late_connect4_positions_are_solved_by_two_threads() {
    check_connect4(300, 2);
}
