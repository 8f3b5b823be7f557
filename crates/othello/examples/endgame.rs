//! Solves an endgame: `cargo run -p polyply-othello --example endgame`.

use polyply_core::clock::Limits;
use polyply_core::game::{Notation, Side};
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use polyply_othello::position::DISC;
use polyply_othello::{Evaluator, Othello};
use std::sync::Arc;

/// Position 40 of the FFO suite, with 20 empty squares: Black wins by 38 with a2.
const FFO_40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

fn main() {
    let position = Othello::start().parse(FFO_40).expect("the position is legal");
    print!("{}", position.board());
    let mut searcher =
        Searcher::new(Evaluator::default(), Arc::new(SearchTt::new(64 << 20)), Arc::new(EvalCache::off()));
    // Without limits the search ends when the position is solved.
    let best = searcher.search(&position, &Task::new(Limits::default()), &mut |_| ());
    if let (Some(mv), Some(score)) = (best.mv(), best.score()) {
        let discs = score.for_side(Side::First).value() / DISC;
        println!("{} wins {discs:+} discs, {} nodes in {:?}", position.move_text(mv), best.stats.nodes, best.time);
    }
}
