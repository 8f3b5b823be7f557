//! A game as front ends play it.

use polyply_games::{Board, EngineError, Outcome, PositionSpec, Side, Variant};

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

#[test]
fn a_drawn_move_is_legal_and_depends_on_what_is_drawn() {
    for variant in Variant::all() {
        let mut board = Board::new(&variant);
        let draw = |number: usize| board.draw(1, &mut |end| number.min(end - 1)).unwrap();
        for mv in [draw(0), draw(1)] {
            board.play(&mv).unwrap();
            board.undo();
        }
    }
    let variant = Variant::find("connect4").unwrap();
    let drawn = |number: usize| Board::new(&variant).draw(1, &mut |_| number).unwrap();
    assert_ne!(drawn(0), drawn(1));
    let over = Board::at(&variant, &PositionSpec::new(Some("445566"), &["c"])).unwrap();
    assert!(matches!(over.draw(1, &mut |_| 0), Err(EngineError::Over(_))));
}

#[test]
fn a_board_goes_to_a_place_by_the_moves_that_differ_or_stays_where_it_is() {
    let variant = Variant::find("chess").unwrap();
    let mut board = Board::new(&variant);
    for (moves, fits) in [
        (&["e2e4", "e7e5", "g1f3"][..], true),
        (&["e2e4", "e7e5", "g1f3", "b8c6"], true),
        (&["e2e4", "c7c5"], true),
        (&["e2e4", "c7c5", "e4e6"], false),
        (&[], true),
    ] {
        let spec = PositionSpec::new(None, moves);
        let before = board.clone();
        assert_eq!(board.go_to(&spec).is_ok(), fits, "{moves:?}");
        let there = if fits { Board::at(&variant, &spec).unwrap() } else { before };
        assert_eq!((board.text(), board.short_moves()), (there.text(), there.short_moves()));
        assert_eq!(board, there);
    }
    let fen = "8/8/8/8/8/5k2/7p/7K w - - 0 1";
    board.go_to(&PositionSpec::new(Some(fen), &[])).unwrap();
    assert_eq!(board.text(), fen);
}
