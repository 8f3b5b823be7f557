//! Lets the engine play a game against itself: `cargo run -p polyply-engine --example self_play -- othello`.

use polyply_engine::{Board, Engine, EngineError, Limits, Options, Request, Variant};

/// Nodes for each move.
const NODES: u64 = 2_000;

fn main() -> Result<(), EngineError> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "connect4".into());
    let variant = Variant::find(&name)?;
    let mut engine = Engine::new(&variant, &Options { hash: 16, ..Options::default() })?;
    let mut board = Board::new(&variant);
    while board.outcome().is_none() {
        let request = Request { limits: Limits::nodes(NODES), ..Request::new(&board) };
        let best = engine.best_move(&request, &mut |_| ())?;
        let score = best.score().map_or(String::new(), |score| score.to_string());
        println!("{:3}. {:6} {score}", board.moves().len() + 1, best.mv);
        board.play(&best.mv)?;
    }
    print!("{}", board.drawing());
    if let Some(outcome) = board.outcome() {
        println!("{outcome}");
    }
    Ok(())
}
