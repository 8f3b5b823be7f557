//! Whatever bytes a Polyglot book has, it is refused, or written so that it is read as the same again, and every move
//! it offers is legal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use polyply_engine::{Board, Variant};
use polyply_protocol::polyglot::{self, Book};

fuzz_target!(|bytes: &[u8]| {
    let Ok(book) = Book::read(bytes) else { return };
    let again = Book::read(&book.bytes()).expect("what was written is read");
    assert_eq!(again.entries(), book.entries());
    // The moves of the book, whatever their positions, as moves of the starting position.
    let board = Board::new(&Variant::find("chess").expect("there is chess"));
    let key = polyglot::key(&board.text()).expect("the starting position has a key").to_be_bytes();
    let entries: Vec<u8> = bytes.chunks_exact(16).flat_map(|entry| [&key, &entry[8..]].concat()).collect();
    let legal = board.legal_moves();
    for offered in Book::read(&entries).expect("whole entries are a book").moves(&board) {
        assert!(legal.contains(&offered.mv), "{}", offered.mv);
    }
});
