//! Limits end a search, and nothing else does. No test here is timed: one that never returned would hang.

use crate::lattice::{Lattice, Noise, Raise, Rules};
use crate::oracle::{Random, moves, random_params, searcher};
use polyply_core::clock::{Clock, Limits};
use polyply_core::control::Control;
use polyply_core::{Best, Searcher, Task};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

type Plain = Lattice<false>;

fn large() -> Plain {
    Plain::start(Rules::large(5))
}

/// A game that is searched to its end at once.
fn small() -> Plain {
    Plain::start(Rules { counters: 2, plies: 4, ends: 0, ..Rules::large(5) })
}

fn is_legal(position: &Plain, best: &Best<Raise>) -> bool {
    best.mv().is_some_and(|mv| moves(position).contains(&mv))
}

/// Runs a search while another thread controls it. `hold` is called again and again until the search has returned.
fn search_held(position: &Plain, limits: Limits, threads: usize, hold: impl Fn(&Control) + Sync) -> Best<Raise> {
    let mut searcher: Searcher<Plain> = searcher(Noise, 1 << 16);
    searcher.set_threads(threads);
    let control = searcher.control();
    let returned = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !returned.load(SeqCst) {
                hold(&control);
                std::thread::yield_now();
            }
        });
        let best = searcher.search(position, &Task::new(limits), &mut |_| ());
        returned.store(true, SeqCst);
        best
    })
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::default() }
}

#[test]
fn one_thread_visits_exactly_the_nodes_it_was_given() {
    let mut random = Random::new(1);
    let position = large();
    for round in 0..200 {
        let mut searcher = searcher(Noise, 1 << 16);
        if round > 20 {
            searcher.set_params(random_params(&mut random));
        }
        let nodes = 1 + random.below(3000) as u64;
        let best = searcher.search(&position, &Task::new(Limits::nodes(nodes)), &mut |_| ());
        assert_eq!(best.stats.nodes, nodes, "{:?}", searcher.params());
    }
}

#[test]
fn several_threads_share_the_nodes() {
    let mut searcher = searcher(Noise, 1 << 16);
    searcher.set_threads(3);
    for _ in 0..10 {
        let best = searcher.search(&large(), &Task::new(Limits::nodes(50_000)), &mut |_| ());
        // A thread looks at the other threads' node counts every few hundred nodes.
        assert!((49_000..52_000).contains(&best.stats.nodes), "{} nodes", best.stats.nodes);
    }
}

#[test]
fn a_single_node_yields_a_legal_move_and_no_claim() {
    let position = large();
    let best = searcher(Noise, 1 << 16).search(&position, &Task::new(Limits::nodes(1)), &mut |_| ());
    assert!(is_legal(&position, &best));
    assert_eq!((best.lines[0].depth, best.lines[0].score.plies_to_end()), (0, None));
}

#[test]
fn a_depth_is_searched_and_no_more() {
    let mut deepest = 0;
    let best = searcher(Noise, 1 << 16).search(&large(), &Task::new(Limits::depth(6)), &mut |info| {
        deepest = deepest.max(info.depth);
    });
    assert_eq!((best.lines[0].depth, deepest), (6, 6));
}

#[test]
fn a_time_ends_the_search() {
    let position = large();
    let limits = Limits::time(Duration::from_millis(5));
    let best = searcher(Noise, 1 << 16).search(&position, &Task::new(limits), &mut |_| ());
    assert!(is_legal(&position, &best) && best.time >= Duration::from_millis(5));
}

#[test]
fn a_clock_with_a_millisecond_left_still_moves() {
    let position = large();
    for remaining in [0, 1, 11] {
        let clock = Clock { remaining: Duration::from_millis(remaining), increment: Duration::ZERO, moves_to_go: None };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let best = searcher(Noise, 1 << 16).search(&position, &Task::new(limits), &mut |_| ());
        assert!(is_legal(&position, &best));
    }
}

#[test]
fn a_stop_at_any_moment_yields_a_legal_move() {
    let position = large();
    for threads in 1..=3 {
        for _ in 0..20 {
            let best = search_held(&position, infinite(), threads, Control::stop);
            assert!(is_legal(&position, &best));
        }
    }
}

#[test]
fn a_stop_during_the_first_iteration_yields_a_legal_move() {
    let position = large();
    for nodes in 1..60 {
        let mut reports = 0;
        let best = searcher(Noise, 1 << 16).search(&position, &Task::new(Limits::nodes(nodes)), &mut |_| reports += 1);
        assert!(is_legal(&position, &best), "after {nodes} nodes and {reports} reports");
    }
}

#[test]
fn an_infinite_search_returns_only_when_stopped() {
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let best = search_held(&small(), infinite(), 2, |control| {
        // The whole game was searched long before: the search waits.
        std::thread::sleep(Duration::from_millis(1));
        if calls.fetch_add(1, SeqCst) >= 30 {
            control.stop();
        }
    });
    assert!(calls.load(SeqCst) >= 30 && best.mv().is_some());
}

/// Ponders until the hit, which comes after a while, and tells whether the search waited for it.
fn ponders_until_the_hit(position: &Plain, limits: Limits) -> bool {
    let hit = AtomicBool::new(false);
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let best = search_held(position, Limits { ponder: true, ..limits }, 1, |control| {
        std::thread::sleep(Duration::from_millis(1));
        if calls.fetch_add(1, SeqCst) >= 20 {
            hit.store(true, SeqCst);
            control.ponderhit();
        }
    });
    hit.load(SeqCst) && is_legal(position, &best)
}

#[test]
fn pondering_waits_for_the_hit_though_its_nodes_are_used_up() {
    assert!(ponders_until_the_hit(&large(), Limits::nodes(10)));
}

#[test]
fn pondering_waits_for_the_hit_though_its_time_is_used_up() {
    assert!(ponders_until_the_hit(&large(), Limits::time(Duration::from_millis(1))));
}

#[test]
fn pondering_waits_for_the_hit_though_its_depth_is_reached() {
    assert!(ponders_until_the_hit(&large(), Limits::depth(1)));
}

#[test]
fn pondering_waits_for_the_hit_though_nothing_is_left_to_find_out() {
    assert!(ponders_until_the_hit(&small(), Limits::default()));
}

#[test]
fn pondering_ends_with_a_stop() {
    let position = large();
    let limits = Limits { ponder: true, ..Limits::default() };
    assert!(is_legal(&position, &search_held(&position, limits, 1, Control::stop)));
}

#[test]
fn a_search_for_a_win_stops_when_it_has_one_and_not_before() {
    let mut found = 0;
    for seed in 0..200 {
        let rules = Rules { counters: 3, plies: 9, ends: 120, ..Rules::large(seed) };
        let position = Plain::start(rules);
        let search = |mate| {
            let limits = Limits { mate: Some(mate), ..Limits::default() };
            searcher(Noise, 1 << 16).search(&position, &Task::new(limits), &mut |_| ())
        };
        let side = polyply_core::game::Game::side(&position);
        let plies = |best: &Best<_>| best.score().unwrap().for_side(side).plies_to_end();
        let any = search(9);
        let Some(plies) = plies(&any).filter(|&plies| plies > 0) else { continue };
        found += 1;
        let tight = search(plies - 1);
        assert!(tight.stats.nodes >= any.stats.nodes, "seed {seed}: a nearer win was asked for");
    }
    assert!(found > 20);
}
