//! The search against plain negamax and against perfect play, on the two games.

use crate::oracle::{Random, Truth, after, exact, move_value, moves, searcher, value};
use polyply_core::clock::Limits;
use polyply_core::game::{Game, Notation, SearchGame};
use polyply_core::params::SearchParams;
use polyply_core::table::Bound;
use polyply_core::{Searcher, Task};
use polyply_small::connect4::{Connect4, Threats};
use polyply_small::tictactoe::{OpenLines, TicTacToe};
use std::collections::HashSet;

/// Every position of tic-tac-toe in which the game goes on.
fn every_tictactoe() -> Vec<TicTacToe> {
    let mut seen = HashSet::new();
    let mut open = vec![TicTacToe::start()];
    let mut found = Vec::new();
    while let Some(position) = open.pop() {
        if position.outcome().is_none() && seen.insert(position.text()) {
            open.extend(moves(&position).into_iter().map(|mv| after(&position, mv)));
            found.push(position);
        }
    }
    assert_eq!(found.len(), 4520);
    found
}

/// A position of Connect Four after so many random moves, in which the game goes on.
fn random_connect4(random: &mut Random, discs: usize) -> Connect4 {
    loop {
        let mut position = Connect4::start();
        for _ in 0..discs {
            let Some(mv) = random.pick(&moves(&position)) else { break };
            position = after(&position, mv);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn exact_searcher<G: SearchGame>(eval: G::Eval, bytes: usize) -> Searcher<G> {
    let mut searcher = searcher(eval, bytes);
    searcher.set_params(exact::<G>());
    searcher
}

/// One search against plain negamax.
fn check<G: SearchGame + Notation>(searcher: &mut Searcher<G>, eval: &G::Eval, position: &G, depth: i32) {
    let best = searcher.search(position, &Task::new(Limits::depth(depth)), &mut |_| ());
    let line = &best.lines[0];
    let expected = value(position, eval, depth);
    assert_eq!(line.score.for_side(position.side()), expected, "{} depth {depth}", position.text());
    assert_eq!(line.bound, Bound::Exact);
    assert_eq!(move_value(position, eval, line.moves[0], depth), expected, "{} depth {depth}", position.text());
}

#[test]
fn every_tictactoe_position_has_its_value_at_full_depth() {
    let mut searcher = exact_searcher::<TicTacToe>(OpenLines, 1 << 20);
    let mut truth = Truth::default();
    for position in every_tictactoe() {
        let best = searcher.search(&position, &Task::new(Limits::depth(9)), &mut |_| ());
        let expected = truth.of(&position);
        assert_eq!(best.lines[0].score.for_side(position.side()), expected, "{}", position.text());
        assert_eq!(truth.of_move(&position, best.mv().unwrap()), expected, "{}", position.text());
    }
}

#[test]
fn every_tictactoe_position_has_its_value_at_shallow_depths() {
    let mut searcher = exact_searcher::<TicTacToe>(OpenLines, 1 << 20);
    for position in every_tictactoe() {
        for depth in 1..=3 {
            check(&mut searcher, &OpenLines, &position, depth);
        }
    }
}

#[test]
fn every_tictactoe_position_has_its_value_with_symmetric_look_up() {
    let mut searcher = exact_searcher::<TicTacToe>(OpenLines, 1 << 20);
    searcher.set_params(SearchParams { tt_symmetry: 64, ..exact::<TicTacToe>() });
    for position in every_tictactoe().iter().rev() {
        check(&mut searcher, &OpenLines, position, 3);
    }
}

#[test]
fn early_connect4_positions_have_their_value() {
    let mut random = Random::new(4);
    let mut searcher = exact_searcher::<Connect4>(Threats, 1 << 20);
    for round in 0..10_000 {
        let discs = random.below(26);
        let position = random_connect4(&mut random, discs);
        check(&mut searcher, &Threats, &position, 1 + round % 5);
    }
}

#[test]
fn early_connect4_positions_have_their_value_with_a_tiny_table() {
    let mut random = Random::new(5);
    let mut searcher = exact_searcher::<Connect4>(Threats, 128);
    for round in 0..500 {
        let discs = random.below(26);
        check(&mut searcher, &Threats, &random_connect4(&mut random, discs), 1 + round % 4);
    }
}

#[test]
fn early_connect4_positions_have_their_value_with_symmetric_look_up() {
    let mut random = Random::new(6);
    let mut searcher = exact_searcher::<Connect4>(Threats, 1 << 20);
    searcher.set_params(SearchParams { tt_symmetry: 64, ..exact::<Connect4>() });
    for round in 0..3000 {
        let discs = random.below(20);
        let position = random_connect4(&mut random, discs);
        check(&mut searcher, &Threats, &position, 1 + round % 4);
        check(&mut searcher, &Threats, &position.transform(1), 1 + round % 4);
    }
}

#[test]
fn early_connect4_positions_have_their_value_with_three_threads() {
    let mut random = Random::new(7);
    let mut searcher = exact_searcher::<Connect4>(Threats, 1 << 20);
    searcher.set_threads(3);
    for round in 0..300 {
        let discs = random.below(26);
        check(&mut searcher, &Threats, &random_connect4(&mut random, discs), 1 + round % 4);
    }
}

#[test]
fn late_connect4_positions_have_their_value_at_full_depth() {
    let mut random = Random::new(8);
    let mut searcher = exact_searcher::<Connect4>(Threats, 1 << 20);
    let mut truth = Truth::default();
    for _ in 0..4000 {
        let discs = 30 + random.below(12);
        let position = random_connect4(&mut random, discs);
        let best = searcher.search(&position, &Task::new(Limits::depth(42)), &mut |_| ());
        let score = best.lines[0].score.for_side(position.side());
        assert_eq!(score, truth.of(&position), "{}", position.text());
    }
}

#[test]
fn every_line_of_several_has_the_value_of_its_move() {
    let mut random = Random::new(9);
    let mut searcher = exact_searcher::<Connect4>(Threats, 1 << 20);
    for round in 0..200 {
        let discs = random.below(26);
        let position = random_connect4(&mut random, discs);
        let depth = 1 + round % 4;
        let task = Task { multipv: 7, ..Task::new(Limits::depth(depth)) };
        let best = searcher.search(&position, &task, &mut |_| ());
        assert_eq!(best.lines.len(), moves(&position).len());
        for line in &best.lines {
            let score = line.score.for_side(position.side());
            assert_eq!(score, move_value(&position, &Threats, line.moves[0], depth), "{}", position.text());
        }
    }
}
