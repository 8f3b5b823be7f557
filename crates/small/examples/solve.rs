//! Solves a position of Connect Four, given by the columns played so far:
//! `cargo run -p polyply-small --example solve -- 274552224131661`.

use polyply_core::Searcher;
use polyply_core::clock::Limits;
use polyply_core::game::{Game, Notation};
use polyply_core::table::{EvalCache, SearchTt};
use polyply_small::connect4::{Connect4, Threats};
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let columns = std::env::args().nth(1).unwrap_or_else(|| "274552224131661".into());
    let position = Connect4::start().parse(&columns).map_err(|refusal| refusal.to_string())?;
    print!("{}", position.board());
    let table = Arc::new(SearchTt::new(64 << 20));
    let mut searcher = Searcher::new(Threats, table, Arc::new(EvalCache::off()));
    let solution = searcher.solve(&position, Limits::default(), &mut |_, _, _| ());
    match solution.score().map(|score| score.plies_to_end()) {
        Some(Some(plies)) => {
            println!("{} player wins in {} plies", if plies > 0 { "first" } else { "second" }, plies.abs())
        }
        Some(None) => println!("draw"),
        None => println!("not solved"),
    }
    let mut game = position;
    for &mv in &solution.line {
        print!("{} ", game.move_text(mv));
        game.play(mv, &mut ());
    }
    println!("\n{} nodes in {:?}", solution.stats.nodes, solution.time);
    Ok(())
}
