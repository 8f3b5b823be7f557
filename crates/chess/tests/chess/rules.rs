//! Rules that are easily got wrong, each by a position.

use polyply_chess::Chess;
use polyply_core::game::{Game, MoveList, Notation, Outcome, SearchGame, Side};

fn game(fen: &str) -> Chess {
    Chess::start().parse(fen).unwrap()
}

fn chess960(fen: &str) -> Chess {
    Chess::chess960().parse(fen).unwrap()
}

fn play(game: &mut Chess, moves: &str) {
    for text in moves.split(' ') {
        let mv = game.parse_move(text).unwrap_or_else(|reason| panic!("{text} in {}: {reason}", game.text()));
        game.play(mv, &mut ());
    }
}

fn is_legal(game: &Chess, text: &str) -> bool {
    game.parse_move(text).is_ok()
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn the_third_time_a_position_is_on_the_board_is_a_draw() {
    let mut game = Chess::start();
    play(&mut game, SHUFFLE);
    assert_eq!(game.outcome(), None, "twice");
    play(&mut game, SHUFFLE);
    assert_eq!(game.outcome(), Some(Outcome::Draw), "three times");
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    assert!(moves.is_empty());
}

#[test]
fn within_a_search_the_second_time_counts_and_before_its_root_it_does_not() {
    let mut game = Chess::start();
    play(&mut game, SHUFFLE);
    assert_eq!(game.ended(4), Some(Outcome::Draw), "the first time was the root");
    assert_eq!(game.ended(3), None, "the first time was before the root");
}

#[test]
fn a_lost_right_to_castle_or_to_take_in_passing_makes_another_position() {
    // The king has moved: the position looks the same, but it may not castle any more.
    let mut castling = game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(&mut castling, "e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8");
    assert_eq!(castling.outcome(), None);
    play(&mut castling, "e1e2 e8e7");
    assert_eq!(castling.outcome(), Some(Outcome::Draw), "now one without rights is there for the third time");
    // After the pawn's two steps it could be taken, later not.
    let mut passing = game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    play(&mut passing, "e2e4 e8e7 e1f1 e7e8 f1e1 e8e7 e1f1 e7e8 f1e1");
    assert_eq!(passing.outcome(), None, "only twice without the right");
    // But where nothing could be taken, it is the same position from the beginning.
    let mut plain = game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    play(&mut plain, "e2e4 e8e7 e1f1 e7e8 f1e1 e8e7 e1f1 e7e8 f1e1");
    assert_eq!(plain.outcome(), Some(Outcome::Draw));
}

#[test]
fn fifty_moves_without_capture_or_pawn_move_are_a_draw_unless_the_last_one_mates() {
    let mut drawn = game("6k1/8/8/8/8/8/8/K6R w - - 99 80");
    play(&mut drawn, "h1h2");
    assert_eq!(drawn.outcome(), Some(Outcome::Draw));
    assert_eq!(drawn.ended(1), Some(Outcome::Draw));
    let mut mated = game("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    play(&mut mated, "a1a8");
    assert_eq!(mated.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(mated.ended(1), Some(Outcome::Win(Side::First)));
    let mut pawn = game("6k1/8/8/8/8/8/P7/K6R w - - 99 80");
    play(&mut pawn, "a2a3");
    assert_eq!(pawn.outcome(), None, "a pawn move begins the count anew");
}

#[test]
fn a_side_without_a_move_is_mated_in_check_and_stalemated_otherwise() {
    assert_eq!(game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome(), Some(Outcome::Draw));
    assert_eq!(game("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn positions_that_nobody_can_win_are_dead_and_others_are_not() {
    for dead in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3K4/8/8 w - - 0 1",
        // Bishops on squares of one color, however many.
        "8/8/4kb2/8/8/3KB3/8/2B5 w - - 0 1",
    ] {
        assert_eq!(game(dead).outcome(), Some(Outcome::Draw), "{dead}");
    }
    for alive in [
        "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        "8/8/4kn2/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3KB3/8/3B4 w - - 0 1",
        "8/8/4k3/8/8/3KP3/8/8 w - - 0 1",
    ] {
        assert_eq!(game(alive).outcome(), None, "{alive}");
    }
}

#[test]
fn a_pawn_becomes_any_of_four_pieces_and_nothing_else() {
    let game = game("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for (text, legal) in [
        ("a7a8q", true),
        ("a7a8r", true),
        ("a7a8b", true),
        ("a7a8n", true),
        ("a7a8k", false),
        ("a7a8p", false),
        ("a7a8", false),
    ] {
        assert_eq!(is_legal(&game, text), legal, "{text}");
    }
    let mut game = game.clone();
    play(&mut game, "a7a8n");
    assert_eq!(game.text(), "N7/7k/8/8/8/8/8/K7 b - - 0 1");
}

#[test]
fn a_pawn_is_not_taken_in_passing_where_that_opens_a_line_to_the_king() {
    assert!(is_legal(&game("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), "e5d6"));
    assert!(!is_legal(&game("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"), "e5d6"), "both pawns leave the rank");
    assert!(!is_legal(&game("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), "e5d6"), "the pawn is pinned on its file");
    assert!(!is_legal(&game("2b3k1/8/8/3pP3/8/7K/8/8 w - d6 0 1"), "e5d6"), "the king is in check from elsewhere");
    assert!(is_legal(&game("6k1/8/8/3pP3/4K3/8/8/8 w - d6 0 1"), "e5d6"), "taking is how to stop the check");
}

#[test]
fn nobody_castles_out_of_through_or_into_check() {
    for (fen, short, long) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true),
        ("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", false, false),
        ("4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1", false, true),
        ("4k3/6r1/8/8/8/8/8/R3K2R w KQ - 0 1", false, true),
        // The rook may pass an attacked square, the king may not.
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true),
        ("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, false),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", true, false),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", false, true),
    ] {
        assert_eq!((is_legal(&game(fen), "O-O"), is_legal(&game(fen), "O-O-O")), (short, long), "{fen}");
    }
}

#[test]
fn castling_in_chess960_follows_the_squares_that_king_and_rook_cross() {
    // The king stays on g1 and the rook jumps to f1.
    let mut stays = chess960("4k3/8/8/8/8/8/8/6KR w H - 0 1");
    play(&mut stays, "g1h1");
    assert!(stays.text().starts_with("4k3/8/8/8/8/8/8/5RK1 b"));
    // From b1 to c1, past nothing; the rook on a1 ends on d1.
    let mut long = chess960("4k3/8/8/8/8/8/8/RK6 w A - 0 1");
    play(&mut long, "b1a1");
    assert!(long.text().starts_with("4k3/8/8/8/8/8/8/2KR4 b"));
    // The way from b1 to g1 leads through an attacked square.
    assert!(!is_legal(&chess960("3rk3/8/8/8/8/8/8/1K5R w H - 0 1"), "b1h1"));
    assert!(is_legal(&chess960("r3k3/8/8/8/8/8/8/1K5R w H - 0 1"), "b1h1"));
    // The rook itself shields the king: once it has jumped, the king would stand in check.
    assert!(!is_legal(&chess960("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1"), "d1b1"));
    assert!(is_legal(&chess960("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1"), "d1b1"));
}
