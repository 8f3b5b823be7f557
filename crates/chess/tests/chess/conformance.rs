//! Chess passes the suite that every game must pass.

use polyply_chess::{Chess, Evaluator};
use polyply_core::conformance::{Run, check_from, check_search_from};
use polyply_core::game::Notation;

/// A position is its text without the two counters.
fn identity(text: &str) -> &str {
    text.match_indices(' ').nth(3).map_or(text, |(at, _)| &text[..at])
}

#[test]
fn usual_chess() {
    let positions = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KBN1 w - - 90 80",
    ];
    let run = Run { games: 3, plies: 300, positions: &positions, identity, ..Run::default() };
    check_from(&Chess::start(), &run);
    check_search_from(&Chess::start(), &Evaluator::default(), &run);
}

#[test]
fn chess960() {
    let positions = [
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
        "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
    ];
    let run = Run { games: 3, plies: 300, positions: &positions, identity, seed: 2 };
    check_from(&Chess::chess960(), &run);
    check_search_from(&Chess::chess960(), &Evaluator::default(), &run);
}
