//! The rules: against a board without tricks, against known counts, and against themselves.

use polyply_core::conformance::{self, Run};
use polyply_core::game::{Game, Notation, Outcome, Side};
use polyply_core::perft::perft;
use polyply_core::random::Random;
use polyply_othello::board::{Board, Cpu};
use polyply_othello::{Evaluator, Othello, Portable, Square};

/// What flips, by walking from the square in every direction.
fn naive_flips(board: Board, square: usize) -> u64 {
    let (row, column) = (square as i32 / 8, square as i32 % 8);
    let mut flips = 0;
    for (down, right) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
        let mut run = 0;
        let (mut row, mut column) = (row + down, column + right);
        while (0..8).contains(&row) && (0..8).contains(&column) {
            let bit = 1_u64 << (8 * row + column);
            if board.other & bit == 0 {
                if board.own & bit != 0 {
                    flips |= run;
                }
                break;
            }
            run |= bit;
            (row, column) = (row + down, column + right);
        }
    }
    flips
}

/// Random discs: any position at all, also such as no game leads to.
fn random_board(random: &mut Random) -> Board {
    let (one, two) = (random.next(), random.next());
    // As many empty squares as there are half the time, or fewer.
    let taken = (0..random.below(4)).fold(random.next(), |taken, _| taken | random.next());
    let discs = if random.below(4) == 0 { one & two } else { one };
    Board { own: taken & discs, other: taken & !discs }
}

#[test]
fn flips_and_moves_are_those_of_a_naive_board_by_every_method() {
    let rounds = std::env::var("POLYPLY_ROUNDS").map_or(1, |text| text.parse().expect("POLYPLY_ROUNDS is a number"));
    let mut random = Random::new(7);
    for _ in 0..150_000 * rounds {
        let board = random_board(&mut random);
        let mut legal = 0;
        for square in (0..64).filter(|square| board.empty() >> square & 1 != 0) {
            let flips = naive_flips(board, square);
            assert_eq!(board.flips(Square::new(square)), flips, "{board:x?} {square}");
            assert_eq!(Portable::flips(board.own, board.other, square), flips, "{board:x?} {square}");
            legal |= u64::from(flips != 0) << square;
        }
        assert_eq!(board.moves(), legal, "{board:x?}");
        assert_eq!(Portable::moves(board.own, board.other), legal, "{board:x?}");
    }
}

#[test]
fn counts_of_lines_are_the_known_ones() {
    let counts = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_284];
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&mut Othello::start(), depth), count, "depth {depth}");
    }
}

/// Positions with a pass, near the end, with one colour nearly gone.
const POSITIONS: [&str; 4] = [
    "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O",
    "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOX- X",
    "-XO-----XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX-------O X",
    "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-- O",
];

fn run() -> Run<'static> {
    Run { positions: &POSITIONS, games: 30, ..Run::default() }
}

#[test]
fn conforms() {
    conformance::check::<Othello>(&run());
}

#[test]
fn search_slots_conform() {
    conformance::check_search::<Othello>(&Evaluator::default(), &run());
    conformance::check_search::<Othello>(&Evaluator::new(None), &run());
}

#[test]
fn the_result_is_the_difference_of_discs_from_blacks_side() {
    let over = |text: &str| Othello::start().parse(text).unwrap().outcome();
    let discs = |first: usize, second: usize| {
        format!("{}{}{}", "X".repeat(first), "-".repeat(64 - first - second), "O".repeat(second))
    };
    assert_eq!(over(&format!("{} X", discs(40, 24))), Some(Outcome::Points(1600)));
    assert_eq!(over(&format!("{} O", discs(40, 24))), Some(Outcome::Points(1600)));
    // Nobody can move, and the empty squares go to the winner.
    assert_eq!(over(&format!("{} O", discs(0, 20))), Some(Outcome::Points(-6400)));
    assert_eq!(over("start"), None);
    assert_eq!(Othello::start().side(), Side::First);
}

#[test]
fn mistakes_are_told_in_a_sentence() {
    let start = Othello::start();
    for (text, says) in [("e4", "taken"), ("a1", "flips nothing"), ("i9", "a1"), ("pass", "no move"), ("", "a1")] {
        let error = start.parse_move(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    let passing = start.parse("-XO-----XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX-------O O").unwrap();
    if passing.must_pass() {
        assert!(passing.parse_move("a1").unwrap_err().to_string().contains("pass"));
    }
    for (text, says) in [
        ("XO X", "64 cells"),
        (&format!("{} Z", "-".repeat(64)), "`X` or `O`"),
        (&format!("{} X", "-".repeat(64)), "empty"),
        (&format!("{}? X", "-".repeat(63)), "not `?`"),
    ] {
        let error = start.parse(text).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}
