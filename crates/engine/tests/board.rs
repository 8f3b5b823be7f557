//! A game as front ends play it.

use polyply_engine::{Board, Outcome, PositionSpec, Side, Variant};

fn board(variant: &str, position: Option<&str>) -> Board {
    Board::at(&Variant::find(variant).unwrap(), &PositionSpec::new(position, &[])).unwrap()
}

#[test]
fn moves_are_kept_as_the_game_writes_them() {
    let mut board = board("connect4", None);
    board.play("4").unwrap();
    board.play("d").unwrap();
    assert_eq!(board.moves(), ["d", "d"]);
    assert_eq!(board.text(), "7/7/7/7/3o3/3x3 x");
    assert_eq!(board.side(), Side::First);
    assert_eq!(board.legal_moves().len(), 7);
}

#[test]
fn what_is_taken_back_comes_again_until_another_move_is_played() {
    let mut board = board("tictactoe", None);
    for mv in ["a1", "b2", "c3"] {
        board.play(mv).unwrap();
    }
    assert!(board.undo() && board.undo());
    assert_eq!(board.moves(), ["a1"]);
    assert!(board.redo());
    assert_eq!(board.moves(), ["a1", "b2"]);
    board.play("c1").unwrap();
    assert!(!board.redo());
    while board.undo() {}
    assert_eq!(board.text(), "3/3/3 x");
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut board = board("tictactoe", Some("3/1x1/3 o"));
    board.play("a1").unwrap();
    board.undo();
    assert!(board.play("b2").is_err());
    assert!(board.redo());
}

#[test]
fn the_end_is_told_and_leaves_no_moves() {
    let mut board = board("tictactoe", Some("oo1/xx1/3 x"));
    assert_eq!(board.outcome(), None);
    board.play("c2").unwrap();
    assert_eq!(board.outcome(), Some(Outcome::Win(Side::First)));
    assert!(board.legal_moves().is_empty());
}

#[test]
fn lines_are_counted_from_any_place() {
    assert_eq!(board("tictactoe", None).perft(5), 15_120);
    assert_eq!(board("tictactoe", Some("3/1x1/3 o")).perft(1), 8);
    assert_eq!(board("connect4", None).perft(0), 1);
    assert_eq!(board("connect4", None).divide(2)[0], ("a".into(), 7));
}
