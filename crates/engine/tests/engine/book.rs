//! Opening books: what is stored is found again in every symmetric position, and play begins with it.

use polyply_core::random::Random;
use polyply_engine::book::{Book, BookFile, BookWriter, Found, FoundMove, Results, Source, value_of};
use polyply_engine::swap::{Role, Swap, SwapChoice};
use polyply_engine::{BOOK, Board, Engine, LEVELS, Limits, Options, Player, PositionSpec, Request, Score, Variant};
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

struct Shelf(TempDir);

impl Shelf {
    fn new() -> Shelf {
        Shelf(TempDir::new().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("book.db")
    }
}

fn board(variant: &Variant, moves: &[&str]) -> Board {
    Board::at(variant, &PositionSpec::new(None, moves)).unwrap()
}

fn found(moves: &[(&str, i32)]) -> Found {
    let found = |&(mv, value): &(&str, i32)| FoundMove { mv: mv.into(), value, depth: 7, is_solved: false };
    Found { moves: moves.iter().map(found).collect(), depth: 7, nodes: 100, is_finished: false, is_start: false }
}

/// A random position of a variant, before the end of the game.
fn random_board(variant: &Variant, random: &mut Random) -> Board {
    loop {
        let mut board = Board::new(variant);
        for _ in 0..random.below(8) {
            let legal = board.legal_moves();
            if !legal.is_empty() {
                board.play(&legal[random.below(legal.len())]).unwrap();
            }
        }
        if board.outcome().is_none() {
            return board;
        }
    }
}

#[test]
fn canonical_moves_lead_to_the_same_positions_and_canonical_texts_have_the_key() {
    let mut random = Random::new(1);
    for variant in Variant::all() {
        for _ in 0..12 {
            let board = random_board(&variant, &mut random);
            let canonical = Board::at(&variant, &PositionSpec::new(Some(&board.canonical_text()), &[])).unwrap();
            assert_eq!(canonical.canonical_key(), board.canonical_key(), "{board:?}");
            let legal = board.legal_moves();
            for mv in [&legal[0], &legal[random.below(legal.len())]] {
                let name = board.canonical_move(mv).unwrap();
                let back = board.move_of_canonical(&name).unwrap();
                let key = |board: &Board, mv: &str| board.after(mv).unwrap().canonical_key();
                assert_eq!(key(&board, &back), key(&board, mv), "{board:?} {mv}");
                assert_eq!(key(&canonical, &name), key(&board, mv), "{board:?} {mv}");
            }
        }
    }
}

#[test]
fn what_is_stored_is_found_in_all_symmetric_positions() {
    let variant = Variant::find("othello").unwrap();
    let shelf = Shelf::new();
    let mut writer = BookWriter::open(&shelf.path(), &variant).unwrap();
    writer.accept(&board(&variant, &["f5"]), &found(&[("d6", -40), ("f6", 300)])).unwrap();
    drop(writer);
    let book = BookFile::open(&shelf.path(), &variant).unwrap();
    for (first, best) in [("f5", "d6"), ("e6", "f4"), ("c4", "e3"), ("d3", "c5")] {
        let moves = book.moves(&board(&variant, &[first])).unwrap();
        assert_eq!((moves.len(), moves[0].mv.as_str(), moves[0].depth), (2, best, 7), "{first}");
        assert_eq!(moves[0].source, Source::Searched);
    }
    assert_eq!(book.moves(&Board::new(&variant)).unwrap(), []);
}

#[test]
fn a_search_corrects_the_values_of_the_positions_before() {
    let variant = Variant::find("chess").unwrap();
    let shelf = Shelf::new();
    let mut writer = BookWriter::open(&shelf.path(), &variant).unwrap();
    writer.accept(&Board::new(&variant), &found(&[("e2e4", 50), ("d2d4", 20)])).unwrap();
    writer.accept(&board(&variant, &["e2e4"]), &found(&[("e7e5", 10), ("c7c5", 15)])).unwrap();
    let best = |writer: &BookWriter, moves: &[&str]| {
        let key = board(&variant, moves).canonical_key();
        let position = writer.positions().unwrap().into_iter().find(|position| position.key == key).unwrap();
        let mut moves: Vec<_> = position.moves.into_iter().map(|(entry, ..)| (entry.value, entry.mv)).collect();
        moves.sort();
        moves
    };
    assert_eq!(best(&writer, &[]), [(Some(10), "e2e4".into()), (Some(20), "d2d4".into())]);
    // A proven win two plies later is a win in one ply more at each move before.
    let won = value_of(Score::Win(5), 0);
    writer.accept(&board(&variant, &["e2e4", "e7e5"]), &found(&[("d1h5", won)])).unwrap();
    assert_eq!(best(&writer, &["e2e4"])[1], (Some(value_of(Score::Win(6), 0)), "e7e5".into()));
    assert_eq!(best(&writer, &[])[0], (Some(15), "e2e4".into()), "the other reply is better now");
}

#[test]
fn games_are_counted_once_and_added_to_what_was_searched() {
    let variant = Variant::find("chess").unwrap();
    let shelf = Shelf::new();
    let mut writer = BookWriter::open(&shelf.path(), &variant).unwrap();
    writer.accept(&Board::new(&variant), &found(&[("e2e4", 30)])).unwrap();
    let won = Results { won: 1, ..Results::default() };
    for expected in [Some(1), None] {
        let added = writer.import("games.pgn", 99, |game| {
            game.add(&Board::new(&variant), "e2e4", Source::Imported, &won).map(|()| 1)
        });
        assert_eq!(added.unwrap(), expected);
    }
    let book = BookFile::open(&shelf.path(), &variant).unwrap();
    let moves = book.moves(&Board::new(&variant)).unwrap();
    assert_eq!((moves.len(), moves[0].results.games(), moves[0].source), (1, 1, Source::Searched));
    assert_eq!(book.counts().unwrap(), (1, 1));
}

#[test]
fn there_is_one_writer_and_any_number_of_readers() {
    let variant = Variant::find("tictactoe").unwrap();
    let shelf = Shelf::new();
    let mut writer = BookWriter::open(&shelf.path(), &variant).unwrap();
    let second = BookWriter::open(&shelf.path(), &variant).err().unwrap();
    assert_eq!(second.code().name, "book_busy");
    let reader = BookFile::open(&shelf.path(), &variant).unwrap();
    assert_eq!(reader.counts().unwrap(), (0, 0));
    writer.accept(&Board::new(&variant), &found(&[("b2", 0)])).unwrap();
    assert_eq!(reader.counts().unwrap(), (1, 1));
    drop(writer);
    assert!(BookWriter::open(&shelf.path(), &variant).is_ok());
}

#[test]
fn files_that_are_foreign_newer_damaged_or_of_another_game_are_refused() {
    let variant = Variant::find("othello").unwrap();
    let shelf = Shelf::new();
    let code = |path: &std::path::Path, variant: &Variant| {
        let read = BookFile::open(path, variant).err().map(|refusal| refusal.code().name);
        let written = BookWriter::open(path, variant).err().map(|refusal| refusal.code().name);
        (read, written)
    };
    let text = shelf.0.path().join("text");
    std::fs::write(&text, "a text that is long enough to be looked at, and no database".repeat(20)).unwrap();
    assert_eq!(code(&text, &variant), (Some("book_foreign"), Some("book_foreign")));
    drop(BookWriter::open(&shelf.path(), &variant).unwrap());
    let other = Variant::find("caro").unwrap();
    assert_eq!(code(&shelf.path(), &other), (Some("book_variant"), Some("book_variant")));
    let sized = Variant::find("caro:15").unwrap();
    assert_eq!(code(&shelf.path(), &sized), (Some("book_variant"), Some("book_variant")));
    let set = |pragma: &str, value: i32| {
        let connection = rusqlite::Connection::open(shelf.path()).unwrap();
        connection.pragma_update(None, pragma, value).unwrap();
    };
    set("user_version", 99);
    assert_eq!(code(&shelf.path(), &variant), (Some("book_newer"), Some("book_newer")));
    set("application_id", 1);
    assert_eq!(code(&shelf.path(), &variant), (Some("book_foreign"), Some("book_foreign")));
    assert_eq!(code(&shelf.0.path().join("none"), &variant).0, Some("book_failed"));
}

/// An engine with a book that knows one move of the start.
fn with_book(shelf: &Shelf, own_book: bool) -> (Engine, Variant) {
    let variant = Variant::find("othello").unwrap();
    let mut writer = BookWriter::open(&shelf.path(), &variant).unwrap();
    writer.accept(&Board::new(&variant), &found(&[("d3", 0)])).unwrap();
    drop(writer);
    let mut engine = Engine::new(&variant, &Options { hash: 1, own_book, ..Options::default() }).unwrap();
    engine.set_book(Some(Arc::new(BookFile::open(&shelf.path(), &variant).unwrap())));
    (engine, variant)
}

#[test]
fn the_engine_plays_from_its_book_if_it_may() {
    let shelf = Shelf::new();
    let (mut engine, variant) = with_book(&shelf, true);
    let request = Request { limits: Limits::nodes(100), ..Request::new(&Board::new(&variant)) };
    let best = engine.play(&request, &mut |_| ()).unwrap();
    assert_eq!((best.stage, best.nodes, best.score()), (BOOK, 0, Some(Score::Points(0))));
    // An analysis and a search of certain moves are searches.
    let only = Request { search_moves: vec!["f5".into()], ..request.clone() };
    assert_eq!(engine.play(&only, &mut |_| ()).unwrap().mv, "f5");
    assert_ne!(engine.search(&request, &mut |_| ()).unwrap().stage, BOOK);
    let beyond = Request { limits: Limits::nodes(100), ..Request::new(&board(&variant, &["f5", "d6"])) };
    assert_ne!(engine.play(&beyond, &mut |_| ()).unwrap().stage, BOOK);
    engine.set_option("OwnBook", "off").unwrap();
    assert_ne!(engine.play(&request, &mut |_| ()).unwrap().stage, BOOK);
}

#[test]
fn every_level_knows_its_first_moves_from_the_book() {
    let shelf = Shelf::new();
    let (mut engine, variant) = with_book(&shelf, true);
    for level in &LEVELS {
        let best =
            engine.play_as(&Board::new(&variant), &Player::of_level(level), Limits::nodes(50), &mut |_| ()).unwrap();
        assert_eq!(best.stage, BOOK, "{}", level.name);
    }
    // The position with the same key, reached late in a game, is beyond what a beginner knows.
    let late = board(&variant, &["f5"]);
    let best = engine.play_as(&late, &Player::of_level(&LEVELS[0]), Limits::nodes(50), &mut |_| ()).unwrap();
    assert_ne!(best.stage, BOOK);
}

#[test]
fn a_file_of_the_first_version_is_read_and_brought_up_to_date_when_it_is_written() {
    let variant = Variant::find("tictactoe").unwrap();
    let shelf = Shelf::new();
    let mut writer = BookWriter::open(&shelf.path(), &variant).unwrap();
    writer.accept(&Board::new(&variant), &found(&[("b2", 0)])).unwrap();
    drop(writer);
    let old = "ALTER TABLE book DROP COLUMN made_by; ALTER TABLE moves DROP COLUMN checked; PRAGMA user_version = 1";
    rusqlite::Connection::open(shelf.path()).unwrap().execute_batch(old).unwrap();
    let read = || BookFile::open(&shelf.path(), &variant).unwrap();
    assert_eq!((read().counts().unwrap(), read().made_by().unwrap()), ((1, 1), None));
    let mut writer = BookWriter::open(&shelf.path(), &variant).unwrap();
    writer.set_made_by("polyply book build tictactoe").unwrap();
    drop(writer);
    let made_by = read().made_by().unwrap();
    assert_eq!((read().counts().unwrap(), made_by.as_deref()), ((1, 1), Some("polyply book build tictactoe")));
}

#[test]
fn only_moves_that_would_be_played_and_lead_out_of_the_book_are_to_be_checked() {
    let variant = Variant::find("connect4").unwrap();
    let shelf = Shelf::new();
    let mut writer = BookWriter::open(&shelf.path(), &variant).unwrap();
    writer.accept(&Board::new(&variant), &found(&[("d", 20), ("c", 20), ("a", -500)])).unwrap();
    writer.accept(&board(&variant, &["d"]), &found(&[("d", 20)])).unwrap();
    let unchecked = |writer: &BookWriter, nodes: u64| {
        let mut boards = writer.unchecked(&variant, nodes).unwrap();
        boards.sort_by_key(|board| board.moves().len());
        boards.iter().map(Board::canonical_key).collect::<std::collections::HashSet<_>>()
    };
    let keys = |lines: &[&[&str]]| lines.iter().map(|moves| board(&variant, moves).canonical_key()).collect();
    // The position after the first move was searched with a hundred nodes.
    assert_eq!(unchecked(&writer, 100), keys(&[&["c"], &["d", "d"]]));
    assert_eq!(unchecked(&writer, 101), keys(&[&["c"], &["d"], &["d", "d"]]));
    writer.set_checked(&board(&variant, &["c"]), 100).unwrap();
    assert_eq!(unchecked(&writer, 100), keys(&[&["d", "d"]]));
}

#[test]
fn the_side_is_chosen_by_the_book_where_it_knows_the_stones() {
    let variant = Variant::find("freestyle,opening=swap2").unwrap();
    let shelf = Shelf::new();
    let placed = board(&variant, &["a1", "o15", "h8"]);
    let mut engine = Engine::new(&variant, &Options { hash: 1, own_book: true, ..Options::default() }).unwrap();
    let swap = |may_place_two| Swap::Choose { who: Role::Responder, may_place_two };
    for (value, choice) in [(800, SwapChoice::Swap), (-800, SwapChoice::Stay), (10, SwapChoice::PlaceTwo)] {
        let mut writer = BookWriter::open(&shelf.path(), &variant).unwrap();
        writer.accept(&placed, &found(&[("g7", value)])).unwrap();
        drop(writer);
        engine.set_book(Some(Arc::new(BookFile::open(&shelf.path(), &variant).unwrap())));
        let (chosen, best) = engine.choose(&placed, swap(true), Limits::nodes(500)).unwrap();
        assert_eq!((chosen, best.stage, best.nodes), (choice, BOOK, 0));
        // Without the choice to place two more, one of the sides is taken.
        assert_ne!(engine.choose(&placed, swap(false), Limits::nodes(500)).unwrap().0, SwapChoice::PlaceTwo);
    }
    engine.set_option("OwnBook", "off").unwrap();
    let (_, best) = engine.choose(&placed, swap(true), Limits::nodes(500)).unwrap();
    assert_ne!(best.stage, BOOK);
}
