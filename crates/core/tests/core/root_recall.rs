//! The root asks the Search TT: an answer is never shallower than what the table knows.

use crate::lattice::{Lattice, Noise, Raise, Rules};
use crate::oracle::{exact, moves, searcher, value};
use polyply_core::clock::Limits;
use polyply_core::game::Game;
use polyply_core::table::Bound;
use polyply_core::{Best, Searcher, Task};

type Plain = Lattice<false>;

const DEEP: i32 = 8;

/// Games whose start is not decided within the depth that the tests search.
fn positions() -> impl Iterator<Item = Plain> {
    (0..40).map(|seed| Plain::start(Rules { ends: 0, ..Rules::large(seed) }))
}

fn search(searcher: &mut Searcher<Plain>, position: &Plain, limits: Limits) -> Best<Raise> {
    searcher.search(position, &Task::new(limits), &mut |_| ())
}

/// A searcher that has searched the position, and what it found.
fn after_a_deep_search(position: &Plain) -> (Searcher<Plain>, Best<Raise>) {
    let mut searcher = searcher(Noise, 1 << 20);
    let best = search(&mut searcher, position, Limits::depth(DEEP));
    searcher.new_game();
    (searcher, best)
}

#[test]
fn a_shallow_search_answers_what_a_deep_one_has_found_and_leaves_its_entry() {
    for position in positions() {
        let (mut searcher, deep) = after_a_deep_search(&position);
        for threads in [1, 3] {
            searcher.set_threads(threads);
            for depth in 1..DEEP {
                let mut reported = Vec::new();
                let best = searcher.search(&position, &Task::new(Limits::depth(depth)), &mut |info| {
                    reported.push((info.depth, info.line[0]));
                });
                assert_eq!((best.mv(), best.score()), (deep.mv(), deep.score()));
                assert_eq!((best.lines[0].depth, best.lines[0].bound), (DEEP, Bound::Exact));
                assert_eq!(reported, [(DEEP, best.mv().unwrap())]);
                let entry = searcher.entry(&position).unwrap();
                assert_eq!((i32::from(entry.depth), entry.bound), (DEEP, Bound::Exact));
            }
        }
    }
}

#[test]
fn a_search_of_a_few_nodes_is_never_shallower_than_the_table() {
    for position in positions() {
        let (mut searcher, deep) = after_a_deep_search(&position);
        for nodes in [1, 2, 10, 50] {
            let best = search(&mut searcher, &position, Limits::nodes(nodes));
            assert!(best.lines[0].depth >= DEEP, "{nodes} nodes");
            assert!(best.lines[0].bound != Bound::Upper);
            if nodes == 1 {
                assert_eq!((best.mv(), best.stats.nodes), (deep.mv(), 1));
            }
        }
    }
}

#[test]
fn deepening_begins_where_the_table_is() {
    for position in positions() {
        let (mut searcher, _) = after_a_deep_search(&position);
        let mut depths = Vec::new();
        let limits = Limits::depth(DEEP + 1);
        searcher.search(&position, &Task::new(limits), &mut |info| depths.push(info.depth));
        assert_eq!(depths, [DEEP, DEEP, DEEP + 1]);
    }
}

#[test]
fn the_line_that_the_table_knows_is_legal() {
    for position in positions() {
        let (mut searcher, _) = after_a_deep_search(&position);
        let best = search(&mut searcher, &position, Limits::depth(1));
        let mut game = position.clone();
        for &mv in &best.lines[0].moves {
            assert_eq!(game.decode(mv.into()), Some(mv));
            game.play(mv, &mut ());
        }
    }
}

#[test]
fn a_search_of_some_moves_or_of_several_lines_does_not_answer_from_the_table() {
    for position in positions() {
        let (mut searcher, deep) = after_a_deep_search(&position);
        let only: Vec<_> = moves(&position).into_iter().filter(|&mv| Some(mv) != deep.mv()).collect();
        if only.len() < 2 {
            continue;
        }
        let task = Task { only: only.clone(), ..Task::new(Limits::depth(2)) };
        let best = searcher.search(&position, &task, &mut |_| ());
        assert!(only.contains(&best.mv().unwrap()));
        assert_eq!(best.lines[0].depth, 2);

        let task = Task { multipv: 2, ..Task::new(Limits::depth(2)) };
        let best = searcher.search(&position, &task, &mut |_| ());
        assert_eq!(best.lines.iter().map(|line| line.depth).collect::<Vec<_>>(), [2, 2]);
    }
}

#[test]
fn exact_mode_searches_the_depth_that_was_asked_for() {
    for position in positions().take(10) {
        let mut searcher = searcher(Noise, 1 << 20);
        searcher.set_params(exact::<Plain>());
        search(&mut searcher, &position, Limits::depth(5));
        for depth in 1..5 {
            let best = search(&mut searcher, &position, Limits::depth(depth));
            assert_eq!(best.lines[0].depth, depth);
            assert_eq!(best.lines[0].score.for_side(position.side()), value(&position, &Noise, depth));
        }
    }
}

#[test]
fn a_move_that_is_not_legal_is_not_believed() {
    for position in positions().take(5) {
        let (mut searcher, _) = after_a_deep_search(&position);
        // The table of another game that happens to have the same keys.
        let foreign: Vec<_> = searcher.table().entries().collect();
        searcher.table().flush();
        for (key, entry) in foreign {
            searcher.table().store(key, polyply_core::table::Entry { best: 0x1234, ..entry });
        }
        let best = search(&mut searcher, &position, Limits::depth(3));
        assert!(moves(&position).contains(&best.mv().unwrap()));
        assert_eq!(best.lines[0].depth, 3);
    }
}
