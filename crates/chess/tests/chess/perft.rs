//! Lines of legal moves, counted. The numbers are facts that all programs agree on
//! (<https://www.chessprogramming.org/Perft_Results>); each position has something that is easily got wrong.

use polyply_chess::Chess;
use polyply_core::game::Notation;
use polyply_core::perft::perft;

fn check(start: &Chess, table: &[(&str, &[u64])]) {
    for (fen, counts) in table {
        let mut game = start.parse(fen).unwrap();
        for (depth, &lines) in counts.iter().enumerate() {
            assert_eq!(perft(&mut game, depth as u32 + 1), lines, "{fen} at depth {}", depth + 1);
        }
    }
}

#[test]
fn usual_chess() {
    check(
        &Chess::start(),
        &[
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8_902, 197_281]),
            // Castling on both sides, pins, promotions to come.
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2_039, 97_862, 4_085_603]),
            // Pawns that may not be taken in passing, for the king would stand open.
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]),
            ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
            // Promotions of all kinds.
            ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[24, 496, 9_483, 182_838]),
            // Captures lead to positions that are dead; perft goes on all the same.
            ("8/8/3k4/3p4/8/3P4/3K4/8 w - - 0 1", &[8, 61, 411, 3_213]),
        ],
    );
}

#[test]
fn chess960() {
    check(
        &Chess::chess960(),
        &[
            ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", &[21, 528, 12_189, 326_672]),
            ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[21, 807, 18_002, 667_366]),
            ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", &[20, 479, 10_471, 273_318]),
            ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", &[22, 593, 13_440, 382_958]),
        ],
    );
}
