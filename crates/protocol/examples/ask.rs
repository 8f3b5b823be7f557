//! Asks a UCI engine for its first move: `cargo run -p polyply-protocol --example ask -- stockfish`. Without a program it
//! shows a conversation with Polyply instead.

use polyply_engine::{Board, Variant};
use polyply_protocol::drive::{Budget, Driver, Log, MoveRequest, Program, Protocol};
use polyply_protocol::uci;
use std::error::Error;
use std::io::{Cursor, stdout};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SCRIPT: &str = "uci\nsetoption name Hash value 16\nposition startpos moves e2e4 e7e5\ngo depth 8\nquit\n";

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1) {
        Some(command) => ask(command),
        None => Ok(uci::run(Cursor::new(SCRIPT), stdout())?),
    }
}

fn ask(command: String) -> Result<(), Box<dyn Error>> {
    let variant = Variant::find("chess")?;
    let program =
        Program { command: command.into(), args: vec![], folder: None, protocol: Protocol::Uci, options: vec![] };
    // Setting the flag from another thread would end any wait.
    let stop = Arc::default();
    let mut engine = Driver::start(&program, Duration::from_secs(10), &Log::none(), &stop)?;
    engine.new_game(&variant)?;
    let budget = Budget { time: Some(Duration::from_secs(1)), ..Budget::default() };
    let until = Instant::now() + Duration::from_secs(5);
    let reply = engine.find_move(&MoveRequest { board: &Board::new(&variant), budget, until })?;
    println!("{} plays {}", engine.name().unwrap_or("the engine"), reply.mv);
    Ok(())
}
