//! Idle improvement: it fills the table, holds still for a live search, and ends with its engine.

use polyply_engine::{Board, Engine, Idle, Limits, Options, PositionSpec, Reason, Request, Variant};
use std::thread::sleep;
use std::time::Duration;

fn engine() -> Engine {
    Engine::new(&Variant::find("connect4").unwrap(), &Options { hash: 1, ..Options::default() }).unwrap()
}

/// Waits for the thread, which gets there unless it is broken; the number of looks is there to end a broken test.
fn wait_until(condition: impl Fn() -> bool) {
    for _ in 0..120_000 {
        if condition() {
            return;
        }
        sleep(Duration::from_millis(1));
    }
    panic!("it never came to that");
}

fn board(position: &str) -> Board {
    Board::at(&Variant::find("connect4").unwrap(), &PositionSpec::new(Some(position), &[])).unwrap()
}

fn add(idle: &Idle, position: &str) {
    idle.add(&board(position), Reason::Played);
}

#[test]
fn a_position_is_deepened_in_the_table_of_the_engine() {
    let mut engine = engine();
    engine.set_option("contempt", "10").unwrap();
    add(engine.start_idle(), "44");
    let board = board("44");
    wait_until(|| engine.lookup(&board).unwrap().is_some_and(|known| known.depth >= 6));
}

#[test]
fn it_holds_still_until_the_last_guard_is_gone() {
    let mut engine = engine();
    let idle = engine.start_idle();
    add(idle, "44");
    wait_until(|| idle.steps() > 0);
    let (first, second) = (idle.hold(), idle.hold());
    wait_until(|| idle.is_resting());
    let steps = idle.steps();
    drop(first);
    add(idle, "45");
    wait_until(|| idle.queue().iter().any(|idea| idea.reason == Reason::Played && idea.depth == 1));
    assert_eq!(idle.steps(), steps);
    drop(second);
    wait_until(|| idle.steps() > steps);
}

#[test]
fn a_live_search_goes_on_beside_it_and_it_resumes_after() {
    let mut engine = engine();
    add(engine.start_idle(), "44");
    for depth in 1..10 {
        let request = Request { limits: Limits::depth(depth), ..Request::new(&board("start")) };
        engine.search(&request, &mut |_| ()).unwrap();
    }
    let idle = engine.idle().unwrap();
    let steps = idle.steps();
    wait_until(|| idle.steps() > steps);
}

#[test]
fn switched_off_it_keeps_its_queue_and_does_nothing() {
    let mut engine = engine();
    let idle = engine.start_idle();
    idle.set_on(false);
    wait_until(|| idle.is_resting());
    let steps = idle.steps();
    add(idle, "4444");
    wait_until(|| idle.queue().len() == 1 && idle.is_resting());
    assert_eq!((idle.steps(), idle.is_on()), (steps, false));
    idle.set_on(true);
    wait_until(|| idle.steps() > steps);
    engine.stop_idle();
    assert!(engine.idle().is_none());
}

#[test]
fn it_follows_the_engine_to_another_table() {
    let mut engine = engine();
    engine.start_idle();
    engine.set_option("Hash", "2").unwrap();
    add(engine.idle().unwrap(), "44");
    let board = board("44");
    wait_until(|| engine.lookup(&board).unwrap().is_some_and(|known| known.depth >= 3));
}
