//! Lets the search play a game of freestyle gomoku against itself: `cargo run -p polyply-five --example gomoku`.

use polyply_core::clock::Limits;
use polyply_core::game::{Game, Notation};
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use polyply_five::rule::{Freestyle, Rule};
use polyply_five::{Evaluator, Five, Weights};
use std::sync::Arc;

fn main() {
    let eval = Evaluator::new(Weights::of(Freestyle::KIND));
    let mut searcher = Searcher::new(eval, Arc::new(SearchTt::new(16 << 20)), Arc::new(EvalCache::off()));
    // A fair opening: otherwise the first player wins quickly.
    let mut game = Five::<Freestyle>::start().parse("h8 i9 e4").expect("the moves are legal");
    while game.outcome().is_none() {
        let best = searcher.search(&game, &Task::new(Limits::nodes(2_000)), &mut |_| ());
        let Some(mv) = best.mv() else { break };
        print!("{} ", game.move_text(mv));
        game.play(mv, &mut ());
    }
    println!("\n{}{:?}", game.board(), game.outcome());
}
