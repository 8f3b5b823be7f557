//! Idle improvement deepens likely positions, makes way for players, and comes to an end.

use crate::lattice::{Lattice, Noise, Rules};
use crate::oracle::{after, exact, moves, searcher, value};
use polyply_core::clock::Limits;
use polyply_core::frontier::{self, Reason};
use polyply_core::game::Game;
use polyply_core::idle::{Improver, Settings, Step};
use polyply_core::table::Bound;
use polyply_core::threads::{Searcher, Task};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

type Plain = Lattice<false>;

fn start() -> Plain {
    Plain::start(Rules { ends: 0, ..Rules::large(2) })
}

/// A game that can be searched to its end.
fn small(seed: u64) -> Plain {
    Plain::start(Rules { ends: 0, counters: 4, plies: 6, tactics: false, ..Rules::large(seed) })
}

fn nobody() -> bool {
    false
}

fn settings() -> Settings {
    Settings {
        frontier: frontier::Settings {
            ply_cost: 10,
            margin: 40,
            deepest: 8,
            cost_per_depth: 20,
            shallowest: 5,
            positions: 100,
            roots: 8,
            ..Default::default()
        },
        lines: 3,
        lines_lag: 3,
        step_nodes: 100_000,
        position_nodes: 1_000_000,
    }
}

fn improver() -> Improver<Plain, &'static str> {
    Improver::new(settings())
}

/// Steps until nothing is left to do; the number of steps.
fn run(improver: &mut Improver<Plain, &'static str>, searcher: &mut Searcher<Plain>) -> usize {
    (0..100_000).take_while(|_| improver.step(searcher, &nobody) != Step::Rest).count()
}

#[test]
fn without_a_position_there_is_nothing_to_do() {
    assert_eq!(improver().step(&mut searcher(Noise, 1 << 16), &nobody), Step::Rest);
}

#[test]
fn it_comes_to_an_end_and_the_root_is_as_deep_as_it_deserves() {
    let (mut improver, mut searcher) = (improver(), searcher(Noise, 1 << 22));
    improver.add(&start(), "start", Reason::Current);
    let steps = run(&mut improver, &mut searcher);
    assert!((2..2000).contains(&steps), "{steps}");
    assert!(searcher.entry(&start()).is_some_and(|entry| entry.depth >= 8));
    assert!(improver.improved() > 1, "likely positions after the root were searched too");
    assert!(improver.waiting(9).is_empty());
    // Somebody plays on, and there is something to do again.
    improver.add(&after(&start(), moves(&start())[0]), "next", Reason::Current);
    assert_ne!(improver.step(&mut searcher, &nobody), Step::Rest);
}

#[test]
fn the_queue_says_from_where_by_which_moves_and_why() {
    let (mut improver, mut searcher) = (improver(), searcher(Noise, 1 << 22));
    let played = after(&start(), moves(&start())[0]);
    improver.add(&start(), "start", Reason::Start);
    improver.add(&played, "game", Reason::Current);
    let waiting = improver.waiting(9);
    let shown: Vec<_> = waiting.iter().map(|waiting| (waiting.root, waiting.reason, waiting.known)).collect();
    assert_eq!(shown, [("game", Reason::Current, 0), ("start", Reason::Start, 0)]);
    improver.step(&mut searcher, &nobody);
    let best = searcher.entry(&played).and_then(|entry| played.decode(entry.best)).unwrap();
    let waiting = improver.waiting(99);
    assert_eq!((waiting[0].known, waiting[0].target), (5, 8), "compared, but not yet as deep as it deserves");
    assert!(waiting.iter().any(|waiting| waiting.root == "game" && waiting.path == [best]));
}

#[test]
fn what_the_table_knows_is_not_searched_again() {
    let (mut improver, mut searcher) = (improver(), searcher(Noise, 1 << 22));
    searcher.search(&start(), &Task::new(Limits::depth(10)), &mut |_| ());
    improver.add(&start(), "start", Reason::Current);
    assert_eq!(improver.step(&mut searcher, &nobody), Step::Deepened(10));
    assert_ne!(improver.waiting(1)[0].path, [], "the next step is for another position");
}

#[test]
fn the_entry_of_a_position_is_that_of_an_ordinary_search() {
    for seed in 0..10 {
        let root = Plain::start(Rules { ends: 0, ..Rules::large(seed) });
        let (mut improver, mut searcher) = (improver(), searcher(Noise, 1 << 22));
        improver.add(&root, "root", Reason::Current);
        while searcher.entry(&root).is_none_or(|entry| entry.depth < 8) {
            improver.step(&mut searcher, &nobody);
        }
        let entry = searcher.entry(&root).unwrap();
        assert_eq!((entry.bound, entry.depth), (Bound::Exact, 8), "seed {seed}");
        assert!(root.decode(entry.best).is_some());
    }
}

#[test]
fn a_game_that_is_over_is_not_improved() {
    let mut game = small(1);
    while game.outcome().is_none() {
        game = after(&game, moves(&game)[0]);
    }
    let mut improver = improver();
    improver.add(&game, "over", Reason::Current);
    assert!(improver.waiting(9).is_empty());
}

#[test]
fn a_position_that_is_too_hard_is_given_up() {
    let mut improver: Improver<Plain, _> = Improver::new(Settings {
        frontier: frontier::Settings { deepest: 60, shallowest: 60, ply_cost: 20, ..settings().frontier },
        step_nodes: 1000,
        position_nodes: 20_000,
        ..settings()
    });
    let mut searcher = searcher(Noise, 1 << 20);
    improver.add(&start(), "start", Reason::Current);
    let steps = run(&mut improver, &mut searcher);
    assert!((2..12).contains(&steps), "{steps}");
}

#[test]
fn nothing_begins_while_a_player_waits() {
    let (mut improver, mut searcher) = (improver(), searcher(Noise, 1 << 16));
    improver.add(&start(), "start", Reason::Played);
    assert_eq!(improver.step(&mut searcher, &|| true), Step::Interrupted);
    assert_eq!(improver.waiting(9).len(), 1);
    assert_eq!(searcher.entry(&start()), None);
}

#[test]
fn a_step_that_was_stopped_is_tried_again() {
    let (mut improver, mut searcher) = (improver(), searcher(Noise, 1 << 20));
    improver.add(&start(), "start", Reason::Played);
    improver.step(&mut searcher, &nobody);
    let before = improver.waiting(1);
    let control = searcher.control();
    // The player arrives right after the check that precedes the search, and is gone when the step is over.
    let looks = AtomicUsize::new(0);
    let live = || {
        if looks.fetch_add(1, SeqCst) == 0 {
            control.stop();
        }
        false
    };
    assert_eq!(improver.step(&mut searcher, &live), Step::Interrupted);
    assert_eq!(improver.waiting(1), before);
    assert_eq!(improver.step(&mut searcher, &nobody), Step::Deepened(8));
}

#[test]
fn a_stop_ends_a_step_under_way() {
    let mut improver: Improver<Plain, _> = Improver::new(Settings {
        frontier: frontier::Settings { deepest: 60, ..settings().frontier },
        step_nodes: u64::MAX,
        ..settings()
    });
    let mut searcher = searcher(Noise, 1 << 16);
    improver.add(&start(), "start", Reason::Played);
    let control = searcher.control();
    let (live, over) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            live.store(true, SeqCst);
            while !over.load(SeqCst) {
                control.stop();
                std::thread::yield_now();
            }
        });
        while improver.step(&mut searcher, &|| live.load(SeqCst)) != Step::Interrupted {}
        over.store(true, SeqCst);
    });
    assert!(!improver.waiting(1).is_empty());
}

/// In exact mode an entry is plain negamax's value at its depth, or a bound of it: so none claims a depth that was not
/// searched.
#[test]
fn no_entry_claims_more_depth_than_was_searched() {
    for seed in 0..20 {
        let start = small(seed);
        let mut searcher = searcher(Noise, 1 << 18);
        searcher.set_params(exact::<Plain>());
        let mut improver = improver();
        improver.add(&start, "start", Reason::Played);
        run(&mut improver, &mut searcher);
        start.every(&mut |position| {
            let Some(entry) = searcher.entry(position) else { return };
            let score = entry.score.for_side(position.side());
            let value = value(position, &Noise, entry.depth.into());
            let holds = match entry.bound {
                Bound::Exact => score == value,
                Bound::Lower => score <= value,
                Bound::Upper => score >= value,
            };
            assert!(holds, "seed {seed}: {entry:?}, but the value is {value:?}");
        });
    }
}
