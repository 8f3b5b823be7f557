//! Connect Four positions of known score are solved exactly.

use polyply_core::Searcher;
use polyply_core::clock::Limits;
use polyply_core::game::{Game, Notation};
use polyply_core::table::{EvalCache, SearchTt};
use polyply_small::connect4::{Connect4, Threats};
use std::sync::Arc;

/// The usual score: 22 less the number of discs the winner will have played, negative for a loss.
fn usual_score(discs: i32, plies_to_end: Option<i32>) -> i32 {
    let winners_discs = |plies: i32| (discs + plies + 1) / 2;
    match plies_to_end {
        Some(plies) if plies > 0 => 22 - winners_discs(plies),
        Some(plies) => winners_discs(-plies) - 22,
        None => 0,
    }
}

#[test]
fn positions_of_known_score_are_solved_exactly() {
    let table = Arc::new(SearchTt::new(16 << 20));
    let mut searcher = Searcher::new(Threats, table, Arc::new(EvalCache::off()));
    let lines = include_str!("data/connect4.txt").lines().filter(|line| !line.starts_with('#'));
    let mut solved = 0;
    for line in lines {
        let (columns, known) = line.split_once(' ').unwrap();
        let game = Connect4::start().parse(columns).unwrap();
        let solution = searcher.solve(&game, Limits::default(), &mut |_, _, _| ());
        let score = solution.score().unwrap().for_side(game.side());
        assert_eq!(usual_score(columns.len() as i32, score.plies_to_end()), known.parse().unwrap(), "{columns}");
        solved += 1;
    }
    assert_eq!(solved, 97);
}
