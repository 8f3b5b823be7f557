//! What the tables say, held against what is known. They are no part of the project: `POLYPLY_SYZYGY` names a directory
//! with all of three and four pieces, as in `POLYPLY_SYZYGY=… cargo test -p polyply-chess --test tablebase -- --ignored`.

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

#[test]
#[ignore = "needs Syzygy tables"]
fn results_are_right_and_won_games_are_won() {
    let directory = std::env::var("POLYPLY_SYZYGY").expect("POLYPLY_SYZYGY names a directory of tables");
    assert_eq!(tablebase::open(&directory), Ok(4));
    let mut searcher = searcher();
    let mut score = |game: &Chess| -> FirstScore {
        searcher.search(game, &Task::new(Limits::nodes(20_000)), &mut |_| ()).score().unwrap()
    };
    // White wins, draws, and loses; the last ones with Black to move.
    for (fen, sign) in [
        ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1", 1),
        ("8/8/1k6/8/8/8/1P6/1K6 w - - 0 1", 1),
        ("8/1k6/8/8/8/8/P7/1K6 w - - 0 1", 0),
        ("8/8/8/8/3k4/8/3KB3/2N5 w - - 0 1", 1),
        ("8/8/8/8/3k4/8/3KN3/2N5 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/3r4/K1B5 w - - 0 1", 0),
        ("8/8/8/8/3K4/8/3kb3/2n5 b - - 0 1", -1),
        ("8/8/8/3k4/8/8/1q6/3K1R2 b - - 0 1", -1),
    ] {
        let game = Chess::start().parse(fen).unwrap();
        let found = score(&game);
        let proven = found.plies_to_end().map_or(0, i32::signum);
        assert_eq!((proven, found.value().signum()), (sign, sign), "{fen}: {found:?}");
    }
    // Bishop and knight: by the tables alone, with hardly a search.
    let mut game = Chess::start().parse("8/8/8/8/3k4/8/3KB3/2N5 w - - 0 1").unwrap();
    let mut plies = 0;
    while game.outcome().is_none() {
        let best = self::searcher().search(&game, &Task::new(Limits::nodes(2_000)), &mut |_| ());
        game.play(best.mv().unwrap(), &mut ());
        plies += 1;
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)), "after {plies} plies");
}
