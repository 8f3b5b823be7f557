//! Below the root of a search of five in a row nothing is allocated, its solvers included, by the thread that searches.

use polyply_core::clock::Limits;
use polyply_core::game::Notation;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::Settings;
use polyply_five::{Evaluator, Five, Weights};

/// Allocations of a search with every solver on.
fn allocations<R: Rule>(moves: &str) -> u64 {
    let rules = [("opening".to_owned(), "none".to_owned())];
    let start = Five::<R>::new(Settings::new(R::KIND.name(), Some(15), &rules).unwrap());
    let eval = Evaluator::new(Weights::of(R::KIND));
    let mut searcher = Searcher::<Five<R>>::new(eval, SearchTt::new(1 << 20).into(), EvalCache::off().into());
    searcher.game_params().vct_depth = 2;
    crate::counting::allocations(&mut searcher, &start.parse(moves).unwrap(), &Task::new(Limits::nodes(100_000)))
}

#[test]
fn nothing_is_allocated_between_the_first_and_the_last_report() {
    let moves = "h8 i9 h11 h9 g9 i7 i8 j9 g7 f6 h10";
    assert_eq!(allocations::<Freestyle>(moves), 0);
    assert_eq!(allocations::<Standard>(moves), 0);
    assert_eq!(allocations::<Caro>(moves), 0);
    assert_eq!(allocations::<Capture>(moves), 0);
}
