//! Building opening books.

use polyply_engine::book::{Book, BookFile, BookWriter, Found, FoundMove};
use polyply_engine::{Board, PositionSpec, Score, Variant};
use polyply_lab::book::{BuildSettings, build};
use polyply_lab::work::Place;
use std::sync::atomic::AtomicBool;

const SETTINGS: BuildSettings = BuildSettings {
    positions: 1,
    nodes: 1000,
    depth: None,
    margin: None,
    lines: 3,
    place: Place::Threads(1),
    seed: 1,
    hash: 1,
    check: 0,
};

#[test]
fn a_move_that_leads_out_of_the_book_and_loses_by_force_is_not_played() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("book.db");
    let variant = Variant::find("tictactoe").unwrap();
    let corner = Board::at(&variant, &PositionSpec::new(None, &["a1"])).unwrap();
    // Of these two answers to the corner one loses.
    let moves = ["b1", "b2"].map(|mv| FoundMove { mv: mv.into(), value: 0, depth: 1, is_solved: false });
    let found = Found { moves: moves.to_vec(), depth: 1, nodes: 1000, is_finished: false, is_start: false };
    BookWriter::open(&path, &variant).unwrap().accept(&corner, &found).unwrap();
    let weights = |check: u64| {
        let settings = BuildSettings { check, ..SETTINGS };
        build(&variant, &path, &settings, &AtomicBool::new(false), &mut |_| ()).unwrap();
        let book = BookFile::open(&path, &variant).unwrap();
        let moves = book.moves(&corner).unwrap();
        (moves, book.made_by().unwrap().unwrap())
    };
    let (moves, _) = weights(0);
    assert_eq!((moves[0].weight, moves[1].weight), (1000, 1000));
    let (moves, made_by) = weights(10_000);
    assert_eq!((moves[0].mv.as_str(), moves[0].weight), ("b2", 1000));
    assert!(moves[1].weight == 0 && matches!(moves[1].score, Some(Score::Win(1..))), "{moves:?}");
    let command = "polyply book build tictactoe --positions 1 --nodes 1000 --lines 3 --hash 1 --check 10000";
    assert_eq!(made_by, command);
}
