//! What the tables say, held against what is known. They are no part of the project: `POLYPLY_SYZYGY` names a directory
//! with all of three and four pieces, as in `POLYPLY_SYZYGY=… cargo test -p polyply-chess --test chess -- --ignored`.

use polyply_chess::{Chess, Evaluator, tablebase};
use polyply_core::clock::Limits;
use polyply_core::game::{Game, Notation, Outcome, Side};
use polyply_core::score::FirstScore;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use std::sync::Arc;

fn searcher() -> Searcher<Chess> {
    Searcher::new(Evaluator::default(), Arc::new(SearchTt::new(1 << 20)), Arc::new(EvalCache::off()))
}

/// Both sides play by the tables, with hardly a search, to the end.
fn play_out(fen: &str) -> Outcome {
    let mut game = Chess::start().parse(fen).unwrap();
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome;
        }
        let best = searcher().search(&game, &Task::new(Limits::nodes(2_000)), &mut |_| ());
        game.play(best.mv().unwrap(), &mut ());
    }
}

#[test]
#[ignore = "needs Syzygy tables; CONTRIBUTING.md says how it is run"]
fn games_end_as_the_tables_say() {
    let directory = std::env::var("POLYPLY_SYZYGY").expect("POLYPLY_SYZYGY names a directory of tables");
    assert_eq!(tablebase::open(&directory), Ok(4));
    for (fen, outcome) in [
        ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1", Outcome::Win(Side::First)),
        ("8/8/1k6/8/8/8/1P6/1K6 w - - 0 1", Outcome::Draw),
        ("8/8/1k6/8/1K6/8/1P6/8 w - - 0 1", Outcome::Win(Side::First)),
        ("8/8/8/8/3k4/8/3KB3/2N5 w - - 0 1", Outcome::Win(Side::First)),
        ("8/8/8/8/3K4/8/3kb3/2n5 b - - 0 1", Outcome::Win(Side::Second)),
        ("4k3/8/8/8/8/8/3r4/K1B5 w - - 0 1", Outcome::Draw),
    ] {
        assert_eq!(play_out(fen), outcome, "{fen}");
    }
    // Five pieces: one capture away from the tables, which say at once that it wins.
    let game = Chess::start().parse("4k3/8/8/8/8/8/1r5Q/K6R w - - 0 1").unwrap();
    let best = searcher().search(&game, &Task::new(Limits::depth(2)), &mut |_| ());
    assert!(best.score().and_then(FirstScore::plies_to_end).is_some_and(|plies| plies > 0), "{:?}", best.score());
    assert_eq!(tablebase::open(""), Ok(0));
}
