//! Searches a position for a second: `cargo run -p polyply-chess --example best_move -- "<FEN>"`.

use polyply_chess::{Chess, Evaluator};
use polyply_core::clock::Limits;
use polyply_core::game::Notation;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let position = match std::env::args().nth(1) {
        Some(fen) => Chess::start().parse(&fen).map_err(|refusal| refusal.to_string())?,
        None => Chess::start(),
    };
    let mut searcher =
        Searcher::new(Evaluator::default(), Arc::new(SearchTt::new(64 << 20)), Arc::new(EvalCache::off()));
    let task = Task::new(Limits::time(Duration::from_secs(1)));
    let best = searcher.search(&position, &task, &mut |info| println!("depth {} nodes {}", info.depth, info.nodes));
    let mv = best.mv().ok_or("the game is over")?;
    println!("{}", position.short_text(mv));
    Ok(())
}
