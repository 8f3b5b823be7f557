//! The books that are part of the program: every game has one, and its moves are legal and do not lose by force.

use polyply_core::random::Random;
use polyply_engine::book::{self, Book, PackedBook};
use polyply_engine::{
    BOOK, Board, Engine, LEVELS, Level, Limits, Options, Player, PositionSpec, Request, Score, Side, Variant,
};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

/// Together they must stay below this many bytes.
const BYTES: usize = 1 << 20;
/// The level whose nodes are searched tenfold for a forced loss.
const CHECKED_LEVEL: u8 = 5;

fn book(variant: &Variant) -> Arc<PackedBook> {
    book::embedded(variant).unwrap_or_else(|| panic!("{} has no book", variant.name()))
}

fn board(variant: &Variant, moves: &[&str]) -> Board {
    Board::at(variant, &PositionSpec::new(None, moves)).unwrap()
}

/// The positions of a book, as boards: what its moves lead to, from the start and from named openings.
fn positions(variant: &Variant, book: &PackedBook) -> Vec<Board> {
    let mut open: Vec<Board> = Vec::new();
    for (moves, _) in variant.named_openings() {
        open.extend((0..=moves.len()).map(|plies| board(variant, &moves[..plies])));
    }
    open.push(Board::new(variant));
    let (mut seen, mut positions) = (HashSet::new(), Vec::new());
    while let Some(board) = open.pop() {
        let moves = book.moves(&board).unwrap();
        if seen.insert(board.canonical_key()) && !moves.is_empty() {
            open.extend(moves.iter().map(|mv| board.after(&mv.mv).unwrap()));
            positions.push(board);
        }
    }
    positions
}

/// The positions after moves that may be played from a book, each once.
fn after_played_moves(variant: &Variant, book: &PackedBook) -> Vec<Board> {
    let (mut seen, mut after) = (HashSet::new(), Vec::new());
    for board in positions(variant, book) {
        for mv in book.moves(&board).unwrap().iter().filter(|mv| mv.weight > 0) {
            let next = board.after(&mv.mv).unwrap();
            if next.outcome().is_none() && seen.insert(next.canonical_key()) {
                after.push(next);
            }
        }
    }
    after
}

/// The side to move wins by force, as a search with ten times the nodes of a level finds.
fn is_won(engine: &mut Engine, board: &Board) -> bool {
    engine.flush();
    engine.new_game();
    let limits = Limits::nodes(10 * Level::find(CHECKED_LEVEL).unwrap().nodes(board.variant()));
    let best = engine.search(&Request { limits, ..Request::new(board) }, &mut |_| ()).unwrap();
    match best.score() {
        Some(Score::Win(plies)) => (plies > 0) == (board.side() == Side::First),
        _ => false,
    }
}

fn engine(variant: &Variant, own_book: bool) -> Engine {
    Engine::new(variant, &Options { hash: 16, own_book, ..Options::default() }).unwrap()
}

#[test]
fn every_game_has_a_book_and_all_its_moves_are_legal() {
    for variant in Variant::all() {
        let book = book(&variant);
        let positions = positions(&variant, &book);
        let reached: HashSet<u64> = positions.iter().map(Board::canonical_key).collect();
        assert_eq!(reached, book.keys().collect(), "{}: not every position can be reached", variant.name());
        for board in &positions {
            let entries = book.entries(board.canonical_key()).unwrap();
            let known: HashSet<&str> = entries.iter().map(|entry| entry.mv.as_str()).collect();
            assert_eq!(known.len(), book.moves(board).unwrap().len(), "{board:?} has an illegal move");
        }
    }
}

#[test]
fn the_books_are_small() {
    let bytes: usize = Variant::all().flat_map(|variant| variant.about().books).map(|book| book.len()).sum();
    assert!(bytes < BYTES, "{bytes} bytes");
}

#[test]
fn every_named_opening_is_answered() {
    for variant in Variant::all() {
        let book = book(&variant);
        for (moves, name) in variant.named_openings() {
            let known = book.moves(&board(&variant, &moves)).unwrap();
            assert!(known.iter().any(|mv| mv.weight > 0), "{}: {name}", variant.name());
        }
    }
}

#[test]
fn a_move_is_played_from_the_book_only_if_that_was_asked_for() {
    for variant in Variant::all() {
        let start = Board::new(&variant);
        let full = LEVELS.last().unwrap();
        let play = |own_book| {
            engine(&variant, own_book)
                .play_as(&start, &Player::of_level(full), Limits::nodes(500), &mut |_| ())
                .unwrap()
                .stage
        };
        assert_eq!(play(true), BOOK, "{}", variant.name());
        assert_ne!(play(false), BOOK, "{}", variant.name());
        let request = Request { limits: Limits::nodes(500), ..Request::new(&start) };
        let searched = engine(&variant, true).search(&request, &mut |_| ()).unwrap();
        assert_ne!(searched.stage, BOOK, "{}", variant.name());
    }
    assert!(!Options::default().own_book);
}

#[test]
fn openings_vary() {
    let variant = Variant::find("chess").unwrap();
    let mut engine = engine(&variant, true);
    let mut game = || {
        let mut board = Board::new(&variant);
        for _ in 0..6 {
            let request = Request { limits: Limits::nodes(100), ..Request::new(&board) };
            let best = engine.play(&request, &mut |_| ()).unwrap();
            board.play(&best.mv).unwrap();
        }
        board.moves().join(" ")
    };
    let games: HashSet<String> = (0..20).map(|_| game()).collect();
    assert!(games.len() > 1, "{games:?}");
}

#[test]
fn a_sample_of_moves_does_not_lose_by_force() {
    let mut random = Random::new(1);
    for variant in Variant::all() {
        let after = after_played_moves(&variant, &book(&variant));
        for _ in 0..3 {
            let board = &after[random.below(after.len())];
            assert!(!is_won(&mut engine(&variant, false), board), "{} {board:?}", variant.name());
        }
    }
}

#[test]
#[ignore = "it searches every move of every book; `cargo xtask test --long` runs it"]
fn no_move_loses_by_force() {
    let open: Vec<Board> = Variant::all().flat_map(|variant| after_played_moves(&variant, &book(&variant))).collect();
    let (open, lost) = (Mutex::new(open), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let next = || open.lock().unwrap().pop();
                while let Some(board) = next() {
                    if is_won(&mut engine(board.variant(), false), &board) {
                        lost.lock().unwrap().push(format!("{} {}", board.variant().name(), board.moves().join(" ")));
                    }
                }
            });
        }
    });
    assert_eq!(lost.into_inner().unwrap(), Vec::<String>::new());
}
