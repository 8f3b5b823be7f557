//! Idle improvement: it fills the table, holds still for a live search, comes to rest, and ends with its engine.

use polyply_engine::{
    Board, Engine, Idle, IdleHandle, IdleThread, Limits, Options, PositionSpec, Reason, Request, Share, Variant,
};
use std::thread::sleep;
use std::time::Duration;

/// A game that is soon searched to its end: the thread has the lowest priority, and the machine may be busy.
fn variant() -> Variant {
    Variant::find("tictactoe").unwrap()
}

fn engine() -> Engine {
    Engine::new(&variant(), &Options { hash: 1, ..Options::default() }).unwrap()
}

fn start(engine: &mut Engine) -> &Idle {
    engine.start_idle(&IdleThread::start(Share::FULL))
}

/// Waits for the thread, which gets there unless it is broken; the number of looks is there to end a broken test.
fn wait_until(condition: impl Fn() -> bool) {
    for _ in 0..240_000 {
        if condition() {
            return;
        }
        sleep(Duration::from_millis(1));
    }
    panic!("it never came to that");
}

fn board(moves: &[&str]) -> Board {
    Board::at(&variant(), &PositionSpec::new(None, moves)).unwrap()
}

/// Nothing but this position matters from now on.
fn improve_only(idle: &IdleHandle, moves: &[&str]) {
    idle.clear();
    idle.add(&board(moves), Reason::Current);
}

#[test]
fn a_position_is_deepened_in_the_table_of_the_engine() {
    let mut engine = engine();
    engine.set_option("contempt", "10").unwrap();
    improve_only(start(&mut engine), &["b2"]);
    wait_until(|| engine.lookup(&board(&["b2"])).unwrap().is_some_and(|known| known.depth >= 6));
}

#[test]
#[cfg(target_os = "linux")]
fn it_runs_in_the_scheduling_class_for_idle_work() {
    const POLICY: usize = 38; // The 41st field of proc_pid_stat(5), counted from the state, which follows the name.
    const SCHED_IDLE: &str = "5";
    let mut engine = engine();
    start(&mut engine);
    wait_until(|| {
        let tasks = std::fs::read_dir("/proc/self/task").unwrap();
        let stats = tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("stat")).ok());
        let mut idle = stats.filter_map(|stat| stat.split_once(" (idle) ").map(|(_, fields)| fields.to_owned()));
        idle.any(|fields| fields.split(' ').nth(POLICY) == Some(SCHED_IDLE))
    });
}

#[test]
fn it_holds_still_until_the_last_guard_is_gone() {
    let mut engine = engine();
    let idle = start(&mut engine);
    wait_until(|| idle.steps() > 0);
    let (first, second) = (idle.hold(), idle.hold());
    wait_until(|| idle.is_resting());
    let steps = idle.steps();
    drop(first);
    improve_only(idle, &["a1"]);
    wait_until(|| idle.queue().first().is_some_and(|next| next.root.moves == ["a1"]));
    wait_until(|| idle.is_resting());
    assert_eq!(idle.steps(), steps);
    drop(second);
    wait_until(|| idle.steps() > steps);
}

#[test]
fn it_comes_to_rest_by_itself_and_a_new_position_wakes_it() {
    let mut engine = engine();
    let idle = start(&mut engine);
    wait_until(|| idle.steps() > 0 && idle.is_done());
    // The thread waits for a signal, without a timeout: nothing runs until something changes.
    let steps = idle.steps();
    assert!(idle.queue().is_empty());
    improve_only(idle, &["a1"]);
    wait_until(|| idle.steps() > steps && idle.is_done());
}

#[test]
fn the_queue_tells_how_to_get_to_a_position() {
    let mut engine = engine();
    let idle = engine.start_idle(&IdleThread::start(Share::OFF));
    idle.add(&board(&["a1", "b2"]), Reason::Current);
    wait_until(|| idle.queue().len() == 2);
    let queue = idle.queue();
    assert_eq!((queue[0].reason, queue[0].known), (Reason::Current, 0));
    assert_eq!(queue[0].spec(), *board(&["a1", "b2"]).spec());
    assert_eq!((queue[1].reason, queue[1].spec().moves.len()), (Reason::Start, 0));
}

#[test]
fn the_lines_of_the_queue_are_moves_from_their_roots() {
    let mut engine = engine();
    let mut improvement = engine.improvement();
    improvement.add(&board(&["b2"]), Reason::Played).unwrap();
    assert!(improvement.step(&|| false) && improvement.step(&|| false));
    let queue = improvement.queue(20);
    assert!(queue.iter().any(|next| !next.line.is_empty()), "{queue:?}");
    for next in queue {
        assert!(next.known < next.target && next.reason == Reason::Played);
        let moves = next.spec().moves;
        assert!(moves.starts_with(&["b2".to_owned()]) && moves.len() == 1 + next.line.len());
        Board::at(&variant(), &next.spec()).unwrap();
    }
}

#[test]
fn a_live_search_goes_on_beside_it_and_it_resumes_after() {
    let mut engine = engine();
    start(&mut engine);
    for depth in 1..9 {
        let request = Request { limits: Limits::depth(depth), ..Request::new(&board(&[])) };
        engine.search(&request, &mut |_| ()).unwrap();
    }
    let idle = engine.idle().unwrap();
    let steps = idle.steps();
    improve_only(idle, &["b2"]);
    wait_until(|| idle.steps() > steps);
}

#[test]
fn switched_off_it_keeps_its_queue_and_does_nothing() {
    let thread = IdleThread::start(Share::FULL);
    let mut engine = engine();
    let idle = engine.start_idle(&thread);
    let switches: [&dyn Fn(bool); 2] = [&|on| idle.set_on(on), &|on| {
        thread.set_share(if on { Share::FULL } else { Share::OFF });
    }];
    for switch in switches {
        switch(false);
        wait_until(|| idle.is_resting());
        let steps = idle.steps();
        improve_only(idle, &["a1"]);
        wait_until(|| idle.queue().len() == 1 && idle.is_resting());
        assert_eq!(idle.steps(), steps);
        switch(true);
        wait_until(|| idle.steps() > steps);
    }
    engine.stop_idle();
    assert!(engine.idle().is_none());
}

#[test]
fn it_follows_the_engine_to_another_table_and_begins_anew_after_a_flush() {
    let mut engine = engine();
    start(&mut engine);
    engine.set_option("Hash", "2").unwrap();
    let idle = (**engine.idle().unwrap()).clone();
    improve_only(&idle, &["b2"]);
    wait_until(|| idle.is_done());
    assert!(engine.lookup(&board(&["b2"])).unwrap().is_some());
    engine.flush();
    wait_until(|| engine.lookup(&board(&["b2"])).unwrap().is_some());
}

#[test]
fn one_thread_serves_several_engines_and_outlives_any_of_them() {
    let thread = IdleThread::start(Share::FULL);
    let (mut one, mut other) = (engine(), engine());
    for engine in [&mut one, &mut other] {
        engine.start_idle(&thread);
    }
    let is_done = |engine: &Engine| engine.idle().is_some_and(|idle| idle.steps() > 0 && idle.is_done());
    wait_until(|| is_done(&one) && is_done(&other));
    assert!([&one, &other].iter().all(|engine| engine.lookup(&board(&[])).unwrap().is_some()));
    drop(one);
    let idle = other.idle().unwrap();
    let steps = idle.steps();
    improve_only(idle, &["a1"]);
    wait_until(|| idle.steps() > steps);
}

#[test]
fn steps_on_the_callers_thread_are_the_same_twice() {
    let run = || {
        let mut engine = engine();
        let mut improvement = engine.improvement();
        improvement.add(&board(&[]), Reason::Played).unwrap();
        (0..4).for_each(|_| assert!(improvement.step(&|| false)));
        (improvement.improved(), improvement.queue(20), engine.lookup(&board(&[])).unwrap().map(|known| known.depth))
    };
    assert_eq!(run(), run());
}
