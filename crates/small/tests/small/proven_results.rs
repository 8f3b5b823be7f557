//! Whatever the search calls won or lost is won or lost, and within the plies it says: with the default parameters and
//! with any others. Here the truth comes from the rules alone.

use crate::oracle::{Random, Truth, after, claim_holds, moves, random_params, rounds, searcher};
use polyply_core::clock::Limits;
use polyply_core::game::{Notation, SearchGame};
use polyply_core::params::SearchParams;
use polyply_core::{Searcher, Task};
use polyply_small::connect4::{Connect4, Threats};
use polyply_small::tictactoe::{OpenLines, TicTacToe};

/// Searches a position within random limits; every line must be legal and every claim true, in the table as well.
fn check<G: SearchGame + Notation>(searcher: &mut Searcher<G>, truth: &mut Truth, position: &G, random: &mut Random) {
    let limits = match random.below(3) {
        0 => Limits::depth(1 + random.below(14) as i32),
        _ => Limits::nodes(1 + random.below(3000) as u64),
    };
    let best = searcher.search(position, &Task::new(limits), &mut |_| ());
    let line = &best.lines[0];
    let about = || format!("{} {limits:?} {:?}", position.text(), searcher.params());
    let score = line.score.for_side(position.side());
    assert!(claim_holds(score, line.bound, truth.of(position)), "{}: {line:?}", about());
    let mut end = position.clone();
    for &mv in &line.moves {
        assert_eq!(end.decode(mv.into()), Some(mv), "{}: an illegal move", about());
        end = after(&end, mv);
        if let Some(entry) = searcher.entry(&end) {
            let score = entry.score.for_side(end.side());
            assert!(claim_holds(score, entry.bound, truth.of(&end)), "{}: {entry:?} at {}", about(), end.text());
        }
    }
}

/// A position in which the game goes on, after so many random moves.
fn random_position<G: Notation>(random: &mut Random, plies: usize) -> G {
    loop {
        let mut position = G::start();
        let mut played = 0;
        while let Some(mv) = random.pick(&moves(&position)).filter(|_| played < plies) {
            position = after(&position, mv);
            played += 1;
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Searches random positions this far into the game.
fn check_positions<G: SearchGame + Notation>(
    eval: G::Eval,
    positions: usize,
    plies: std::ops::Range<usize>,
    params: &dyn Fn(&mut Random) -> SearchParams,
) {
    let mut random = Random::new(positions as u64);
    let mut truth = Truth::default();
    let mut searcher = searcher::<G>(eval.clone(), 0);
    for round in 0..positions {
        if round % 100 == 0 {
            searcher = crate::oracle::searcher(eval.clone(), [128, 1 << 12, 1 << 18][random.below(3)]);
        }
        if round % 10_000 == 0 {
            // What is known of that many positions is too much to keep in a long run.
            truth = Truth::default();
        }
        let ply = plies.start + random.below(plies.len());
        let position = random_position(&mut random, ply);
        searcher.set_params(params(&mut random));
        check(&mut searcher, &mut truth, &position, &mut random);
    }
}

#[test]
fn tictactoe_with_the_default_parameters() {
    check_positions::<TicTacToe>(OpenLines, rounds(10_000), 0..9, &|_| SearchParams::for_game::<TicTacToe>());
}

#[test]
fn tictactoe_with_any_parameters() {
    check_positions::<TicTacToe>(OpenLines, rounds(10_000), 0..9, &random_params);
}

#[test]
fn late_connect4_with_the_default_parameters() {
    check_positions::<Connect4>(Threats, rounds(10_000), 31..39, &|_| SearchParams::for_game::<Connect4>());
}

#[test]
fn late_connect4_with_any_parameters() {
    check_positions::<Connect4>(Threats, rounds(10_000), 31..39, &random_params);
}

#[test]
fn late_connect4_with_contempt() {
    let scornful =
        |random: &mut Random| SearchParams { contempt: random.below(401) as i32 - 200, ..random_params(random) };
    check_positions::<Connect4>(Threats, rounds(3000), 31..39, &scornful);
}
