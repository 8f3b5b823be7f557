//! What genericity costs: `polyply-bench core` and `polyply-bench hand` solve the same Connect Four positions, one with
//! the core's generic solver, the other with a negamax search that was written for Connect Four alone ([`hand`]), with
//! the same kind of table and the same order of moves. Both print their nodes, which must be equal.
//!
//! `cargo xtask genericity` runs both under callgrind and compares the instructions. `polyply-bench moves` times the
//! boards of five in a row ([`moves`]).

mod hand;
mod moves;

use polyply_core::Searcher;
use polyply_core::clock::Limits;
use polyply_core::game::{Notation, SearchGame};
use polyply_core::params::SearchParams;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_small::connect4::{Connect4, Threats};
use std::process::ExitCode;
use std::sync::Arc;

/// Middle games that take ten thousand to a million nodes.
const POSITIONS: [&str; 3] = ["274552224131661", "5455174361263362", "444435533"];
const TABLE_BYTES: usize = 16 << 20;

fn core(position: &str) -> (u64, i32) {
    let game = Connect4::start().parse(position).expect("a position of the list");
    let mut searcher = Searcher::new(Threats, Arc::new(SearchTt::new(TABLE_BYTES)), Arc::new(EvalCache::off()));
    searcher.set_params(params());
    let solution = searcher.solve(&game, Limits::default(), &mut |_, _, _| ());
    (solution.stats.nodes, solution.low.value())
}

fn by_hand(position: &str) -> (u64, i32) {
    let game = Connect4::start().parse(position).expect("a position of the list");
    let mut solver = hand::Solver::new(game, TABLE_BYTES);
    let value = solver.solve();
    assert!(solver.seldepth() > 0, "a position of the list is worth a search");
    (solver.stats().nodes, value)
}

/// The parameters of the core's search: techniques that the hand-written one does not have are off.
fn params() -> SearchParams {
    let mut params = SearchParams::default();
    Connect4::tune(&mut params);
    SearchParams { etc: 0, solve_tt_depth: 1, ..params }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let solve = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["core"] => core,
        ["hand"] => by_hand,
        ["moves", variant, line] => {
            return match moves::run(variant, line) {
                Ok(pairs) => {
                    println!("{pairs:.0} pairs of play and undo per second");
                    ExitCode::SUCCESS
                }
                Err(error) => {
                    eprintln!("polyply-bench: {error}");
                    ExitCode::from(2)
                }
            };
        }
        _ => {
            eprintln!("usage: polyply-bench core | hand | moves <variant> <line of moves>");
            return ExitCode::from(2);
        }
    };
    let mut total = 0;
    for position in POSITIONS {
        let (nodes, value) = solve(position);
        println!("{position} {value} {nodes}");
        total += nodes;
    }
    println!("{total}");
    ExitCode::SUCCESS
}
