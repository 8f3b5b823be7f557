//! The search on chess: exact where it must be, and every technique that chess switches on can be switched off.

use polyply_chess::{Chess, Evaluator};
use polyply_core::clock::Limits;
use polyply_core::game::{Evaluation, Game, MoveList, Notation, Outcome};
use polyply_core::params::{ParamSet, SearchParams};
use polyply_core::score::{FirstScore, Score};
use polyply_core::stats::Stats;
use polyply_core::table::{EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use std::sync::Arc;

const SOME: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1bqnbppp/p2ppn2/1p6/3NPP2/P1NBB3/1PP3PP/R2Q1R1K w - - 0 13",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "3r2k1/pp3pp1/2p4p/4P3/8/2P2q2/PP3P1P/3RR1K1 b - - 0 24",
];

fn searcher(set: &[(&str, i32)]) -> Searcher<Chess> {
    let mut searcher =
        Searcher::<Chess>::new(Evaluator::default(), Arc::new(SearchTt::new(1 << 20)), Arc::new(EvalCache::off()));
    let mut params = SearchParams::for_game::<Chess>();
    for &(name, value) in set {
        params.set(name, value).unwrap();
    }
    searcher.set_params(params);
    searcher
}

fn game(fen: &str) -> Chess {
    Chess::start().parse(fen).unwrap()
}

/// Plain negamax, with the evaluation at the leaves.
fn negamax(game: &mut Chess, depth: i32, ply: i32) -> Score {
    match game.outcome() {
        Some(Outcome::Win(_)) => return Score::loss_in(ply),
        Some(_) => return Score::ZERO,
        None => {}
    }
    if depth == 0 {
        let mut eval = Evaluator::default();
        eval.reset(game);
        return eval.score(game);
    }
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    let mut best = -Score::INFINITE;
    for mv in moves {
        let undo = game.play(mv, &mut ());
        best = best.max(-negamax(game, depth - 1, ply + 1));
        game.undo(mv, undo, &mut ());
    }
    best
}

#[test]
fn exact_mode_returns_the_value_of_plain_negamax() {
    for fen in SOME {
        for depth in 1..=3 {
            let mut game = game(fen);
            let expected = negamax(&mut game, depth, 0).for_first(game.side());
            let best = searcher(&[("exact", 1)]).search(&game, &Task::new(Limits::depth(depth)), &mut |_| ());
            assert_eq!(best.score(), Some(expected), "{fen} at depth {depth}");
        }
    }
}

#[test]
fn mates_are_found_with_their_distance() {
    for (fen, plies) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 1),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 5),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 3),
    ] {
        let best = searcher(&[]).search(&game(fen), &Task::new(Limits::depth(10)), &mut |_| ());
        assert_eq!(best.score().and_then(FirstScore::plies_to_end), Some(plies), "{fen}");
    }
}

#[test]
fn who_is_lost_takes_a_draw_by_repetition() {
    // White has a rook less, and the queen gives check for ever.
    let lost = game("6k1/5p1p/8/3Q4/8/7K/1r6/q7 w - - 0 1");
    let best = searcher(&[]).search(&lost, &Task::new(Limits::depth(10)), &mut |_| ());
    assert_eq!(best.score().map(FirstScore::value), Some(0));
}

/// What happens in a few positions.
fn bench(set: &[(&str, i32)]) -> Stats {
    let mut stats = Stats::default();
    for fen in SOME {
        stats.add(&searcher(set).search(&game(fen), &Task::new(Limits::depth(7)), &mut |_| ()).stats);
    }
    stats
}

#[test]
fn every_technique_that_chess_adds_can_be_switched_off() {
    let with = |further: &[(&'static str, i32)]| {
        // In trees as small as these no move is refuted often and no depth is great: smaller margins make up for that.
        bench(&[&[("history_pruning_margin", 100), ("singular_depth", 4)], further].concat())
    };
    let all = with(&[]).nodes;
    for name in ["exchange", "history_pruning", "delta", "quiescence_hash", "tt_eval", "lmr_deeper", "double_extension"]
    {
        assert_ne!(with(&[(name, 0)]).nodes, all, "{name} changes nothing");
    }
    let pruning = [("lmp", 0), ("futility", 0), ("history_pruning", 0), ("exchange", 0)];
    assert_eq!(with(&pruning).pruned_moves, 0);
    for on in ["history_pruning", "exchange"] {
        let mut set = pruning.to_vec();
        set.retain(|&(name, _)| name != on);
        assert_ne!(with(&set).pruned_moves, 0, "{on} prunes nothing");
    }
}
