//! In exact mode the search returns the value of plain negamax, whatever else is switched on or off.

use crate::lattice::{Lattice, Noise, Rules};
use crate::oracle::{Random, exact, move_value, searcher, value};
use polyply_core::clock::Limits;
use polyply_core::game::Game;
use polyply_core::params::{ParamSet, SearchParams};
use polyply_core::table::Bound;
use polyply_core::{Searcher, Task};

/// Searches a few positions of a game to a few depths with one searcher, and compares the values with negamax.
fn check_game<const POINTS: bool>(rules: Rules, searcher: &mut Searcher<Lattice<POINTS>>) {
    let mut random = Random::new(rules.seed);
    let mut position = Lattice::<POINTS>::start(rules);
    while position.outcome().is_none() {
        let depth = 1 + random.below(position.horizon() as usize) as i32;
        let best = searcher.search(&position, &Task::new(Limits::depth(depth)), &mut |_| ());
        let line = &best.lines[0];
        let expected = value(&position, &Noise, depth);
        assert_eq!(line.score.for_side(position.side()), expected, "{rules:?} depth {depth} {:?}", searcher.params());
        assert_eq!(line.bound, Bound::Exact, "{rules:?}");
        assert_eq!(move_value(&position, &Noise, line.moves[0], depth), expected, "{rules:?}: the move");
        position.play(random.pick(&crate::oracle::moves(&position)).unwrap(), &mut ());
    }
}

/// Compares in many random games; `change` sets the parameters that the test is about.
fn check(games: u64, bytes: usize, threads: usize, change: &dyn Fn(&mut SearchParams, &mut Random)) {
    let mut random = Random::new(games);
    for seed in 0..games {
        let rules = Rules::random(seed);
        let mut params = exact::<Lattice<false>>();
        change(&mut params, &mut random);
        if random.below(4) == 0 {
            let mut searcher = searcher::<Lattice<true>>(Noise, bytes);
            searcher.set_threads(threads);
            searcher.set_params(params);
            check_game(rules, &mut searcher);
        } else {
            let mut searcher = searcher::<Lattice<false>>(Noise, bytes);
            searcher.set_threads(threads);
            searcher.set_params(params);
            check_game(rules, &mut searcher);
        }
    }
}

const LARGE: usize = 1 << 20;
/// Two buckets: almost every entry is replaced soon.
const TINY: usize = 128;

#[test]
fn plain_negamax_is_met_by_default() {
    check(300, LARGE, 1, &|_, _| ());
}

#[test]
fn plain_negamax_is_met_without_cutoffs_from_the_table() {
    check(150, LARGE, 1, &|params, _| params.tt_cutoff = 0);
}

#[test]
fn plain_negamax_is_met_with_a_tiny_table() {
    check(300, TINY, 1, &|_, _| ());
}

#[test]
fn plain_negamax_is_met_without_mate_distance_pruning() {
    check(300, LARGE, 1, &|params, _| params.mate_distance = 0);
}

#[test]
fn plain_negamax_is_met_without_aspiration() {
    check(200, LARGE, 1, &|params, _| params.aspiration = 0);
}

#[test]
fn plain_negamax_is_met_with_any_aspiration_window() {
    check(400, LARGE, 1, &|params, random| params.aspiration_window = 1 << random.below(11));
}

#[test]
fn plain_negamax_is_met_without_what_orders_moves() {
    check(200, LARGE, 1, &|params, random| {
        params.killers = random.below(2) as i32;
        params.counter_moves = random.below(2) as i32;
        params.history = random.below(2) as i32;
        params.continuation = random.below(2) as i32;
    });
}

#[test]
fn plain_negamax_is_met_whatever_the_parameters() {
    check(400, LARGE, 1, &|params, random| {
        *params = crate::oracle::random_params(random);
        params.set("exact", 1).unwrap();
        params.set("contempt", random.below(2001) as i32 - 1000).unwrap();
    });
}

#[test]
fn plain_negamax_is_met_by_several_threads() {
    for threads in 2..=4 {
        check(60, LARGE, threads, &|_, _| ());
    }
}

#[test]
fn plain_negamax_is_met_by_several_threads_on_a_tiny_table() {
    check(60, TINY, 3, &|_, _| ());
}

#[test]
fn every_line_of_several_has_the_value_of_its_move() {
    for seed in 0..150 {
        let rules = Rules::random(seed);
        let position = Lattice::<false>::start(rules);
        let mut searcher = searcher(Noise, LARGE);
        searcher.set_params(exact::<Lattice<false>>());
        let depth = 1 + seed as i32 % 4;
        let task = Task { multipv: 3, ..Task::new(Limits::depth(depth)) };
        let best = searcher.search(&position, &task, &mut |_| ());
        let legal = crate::oracle::moves(&position);
        assert_eq!(best.lines.len(), legal.len().min(3));
        let mut values: Vec<_> = legal.iter().map(|&mv| move_value(&position, &Noise, mv, depth)).collect();
        values.sort_by_key(|&value| -value.value());
        for (line, value) in best.lines.iter().zip(values) {
            let score = line.score.for_side(position.side());
            assert_eq!(score, move_value(&position, &Noise, line.moves[0], depth), "{rules:?}: the line's move");
            assert_eq!(score, value, "{rules:?}: the best lines come first");
        }
    }
}

#[test]
fn a_search_of_some_moves_finds_the_best_of_them() {
    for seed in 0..150 {
        let position = Lattice::<false>::start(Rules::random(seed));
        let mut searcher = searcher(Noise, LARGE);
        searcher.set_params(exact::<Lattice<false>>());
        let only: Vec<_> = crate::oracle::moves(&position).into_iter().skip(1).step_by(2).collect();
        if only.is_empty() {
            continue;
        }
        let task = Task { only: only.clone(), ..Task::new(Limits::depth(3)) };
        let best = searcher.search(&position, &task, &mut |_| ());
        let expected = only.iter().map(|&mv| move_value(&position, &Noise, mv, 3)).max().unwrap();
        assert!(only.contains(&best.mv().unwrap()));
        assert_eq!(best.lines[0].score.for_side(position.side()), expected);
    }
}

#[test]
fn a_search_of_some_moves_leaves_no_score_of_the_whole_position() {
    for seed in 0..150 {
        let position = Lattice::<false>::start(Rules::random(seed));
        let legal = crate::oracle::moves(&position);
        if legal.len() == 1 {
            continue;
        }
        let mut searcher = searcher(Noise, LARGE);
        searcher.set_params(exact::<Lattice<false>>());
        let task = Task { only: vec![legal[0]], ..Task::new(Limits::depth(3)) };
        searcher.search(&position, &task, &mut |_| ());
        assert_eq!(searcher.entry(&position), None);
    }
}
