//! Idle improvement deepens the positions of highest priority, within its bounds, and makes way for players.

mod lattice;
mod oracle;

use lattice::{Lattice, Noise, Rules};
use oracle::{after, exact, moves, searcher, value};
use polyply_core::explore::{Explorer, Reason, Step};
use polyply_core::game::Game;
use polyply_core::table::Bound;
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

#[test]
fn an_empty_queue_leaves_nothing_to_do() {
    assert_eq!(Explorer::<Plain>::new(8).step(&mut searcher(Noise, 1 << 16), &nobody), Step::Idle);
}

#[test]
fn the_queue_never_outgrows_its_capacity() {
    let mut explorer = Explorer::new(5);
    let mut searcher = searcher(Noise, 1 << 16);
    let start = start();
    explorer.add(&start, Reason::Played);
    for mv in moves(&start) {
        explorer.add(&after(&start, mv), Reason::Book);
    }
    for _ in 0..30 {
        explorer.step(&mut searcher, &nobody);
        assert!(explorer.queue().len() <= 5);
    }
}

#[test]
fn a_full_queue_drops_what_matters_least() {
    let start = start();
    let children: Vec<_> = moves(&start).into_iter().map(|mv| after(&start, mv)).collect();
    let mut explorer = Explorer::new(2);
    explorer.add(&children[0], Reason::Shallow);
    explorer.add(&children[1], Reason::Book);
    explorer.add(&children[2], Reason::Played);
    explorer.add(&start, Reason::Shallow);
    let mut reasons: Vec<_> = explorer.queue().iter().map(|idea| idea.reason).collect();
    reasons.sort();
    assert_eq!(reasons, [Reason::Book, Reason::Played]);
}

#[test]
fn what_was_played_comes_before_the_book() {
    let start = start();
    let played = after(&start, moves(&start)[0]);
    let mut explorer = Explorer::new(8);
    explorer.add(&start, Reason::Book);
    explorer.add(&played, Reason::Played);
    explorer.step(&mut searcher(Noise, 1 << 16), &nobody);
    let deepened = explorer.queue().iter().find(|idea| idea.depth == 2).unwrap();
    assert_eq!(deepened.position.key(), played.key());
}

#[test]
fn a_position_that_is_known_takes_the_better_reason() {
    let mut explorer = Explorer::new(8);
    explorer.add(&start(), Reason::Book);
    explorer.add(&start(), Reason::Played);
    assert_eq!((explorer.queue().len(), explorer.queue()[0].reason), (1, Reason::Played));
}

#[test]
fn a_position_that_is_known_never_takes_a_worse_reason() {
    let mut explorer = Explorer::new(1);
    let mut searcher = searcher(Noise, 1 << 16);
    explorer.add(&start(), Reason::Played);
    for _ in 0..3 {
        explorer.step(&mut searcher, &nobody);
    }
    assert_eq!(explorer.queue().len(), 1, "the position is not done with");
    explorer.add(&start(), Reason::Book);
    assert_eq!(explorer.queue()[0].reason, Reason::Played);
}

#[test]
fn each_step_deepens_by_a_ply() {
    let mut explorer = Explorer::new(1);
    let mut searcher = searcher(Noise, 1 << 16);
    explorer.add(&start(), Reason::Played);
    let steps: Vec<_> = (0..5).map(|_| explorer.step(&mut searcher, &nobody)).collect();
    assert_eq!(steps, (1..=5).map(Step::Deepened).collect::<Vec<_>>());
}

#[test]
fn a_game_searched_to_its_end_leaves_the_queue() {
    let mut explorer = Explorer::new(1);
    let mut searcher = searcher(Noise, 1 << 16);
    explorer.add(&small(1), Reason::Played);
    let steps = (0..50).take_while(|_| explorer.step(&mut searcher, &nobody) != Step::Idle).count();
    assert!((1..=6).contains(&steps) && explorer.queue().is_empty());
}

#[test]
fn nothing_begins_while_a_player_waits() {
    let mut explorer = Explorer::new(8);
    let mut searcher = searcher(Noise, 1 << 16);
    explorer.add(&start(), Reason::Played);
    assert_eq!(explorer.step(&mut searcher, &|| true), Step::Interrupted);
    assert_eq!((explorer.queue().len(), explorer.queue()[0].depth), (1, 1));
    assert_eq!(searcher.entry(&start()), None);
}

#[test]
fn a_step_that_was_stopped_is_tried_again_at_the_same_depth() {
    let mut explorer = Explorer::new(1);
    let mut searcher = searcher(Noise, 1 << 16);
    explorer.add(&start(), Reason::Played);
    while explorer.queue()[0].depth < 9 {
        explorer.step(&mut searcher, &nobody);
    }
    searcher.table().flush();
    let control = searcher.control();
    // The player arrives right after the check that precedes the search, and is gone when the step is over.
    let looks = AtomicUsize::new(0);
    let live = || {
        if looks.fetch_add(1, SeqCst) == 0 {
            control.stop();
        }
        false
    };
    assert_eq!(explorer.step(&mut searcher, &live), Step::Interrupted);
    assert_eq!(explorer.queue()[0].depth, 9);
}

#[test]
fn a_stop_ends_a_step_under_way() {
    let mut explorer = Explorer::new(64);
    let mut searcher = searcher(Noise, 1 << 16);
    explorer.add(&start(), Reason::Played);
    let control = searcher.control();
    let (live, over) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(30));
            live.store(true, SeqCst);
            while !over.load(SeqCst) {
                control.stop();
                std::thread::yield_now();
            }
        });
        while explorer.step(&mut searcher, &|| live.load(SeqCst)) != Step::Interrupted {}
        over.store(true, SeqCst);
    });
    assert!(!explorer.queue().is_empty());
}

/// In exact mode an entry is plain negamax's value at its depth, or a bound of it: so none claims a depth that was not
/// searched.
#[test]
fn no_entry_claims_more_depth_than_was_searched() {
    for seed in 0..20 {
        let start = small(seed);
        let mut searcher = searcher(Noise, 1 << 18);
        searcher.set_params(exact::<Plain>());
        let mut explorer = Explorer::new(16);
        explorer.add(&start, Reason::Played);
        for _ in 0..12 {
            explorer.step(&mut searcher, &nobody);
        }
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
