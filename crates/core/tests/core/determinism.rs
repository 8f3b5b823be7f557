//! With one thread, the same search gives the same result.

use crate::lattice::{Lattice, Noise, Rules};
use crate::oracle::{after, moves, searcher};
use polyply_core::clock::Limits;
use polyply_core::{Best, Searcher, Task};

type Plain = Lattice<false>;

fn limits() -> [Limits; 2] {
    [Limits::depth(8), Limits::nodes(20_000)]
}

/// The results of a few searches in a row, without their times.
fn play(searcher: &mut Searcher<Plain>, limits: Limits) -> Vec<String> {
    let mut position = Plain::start(Rules::large(1));
    let tell = |best: Best<_>| format!("{:?} {:?} {}", best.lines, best.stats, best.seldepth);
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(tell(searcher.search(&position, &Task::new(limits), &mut |_| ())));
        position = after(&position, moves(&position)[0]);
    }
    games
}

#[test]
fn two_fresh_searchers_do_the_same() {
    for limits in limits() {
        let [first, second] = [(); 2].map(|_| play(&mut searcher(Noise, 1 << 16), limits));
        assert_eq!(first, second);
    }
}

#[test]
fn after_a_new_game_and_a_flush_nothing_is_left_of_the_last_game() {
    for limits in limits() {
        let mut searcher = searcher(Noise, 1 << 16);
        let first = play(&mut searcher, limits);
        searcher.new_game();
        searcher.table().flush();
        assert_eq!(first, play(&mut searcher, limits));
    }
}
