//! Chess opening books in [Polyglot's format](http://hgm.nubati.net/book_format.html): sixteen bytes for each move,
//! sorted by the key of the position.
//!
//! Positions are FENs and moves are in UCI notation, so nothing here depends on our implementation of chess.

use crate::book_file::LARGEST;
use crate::refusals;
use polyply_engine::book::{self, BookMove, Results, Source};
use polyply_engine::{Board, Refusal, read_at_most};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

/// A book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// Sorted by key, then by weight, the heaviest first.
    entries: Vec<Entry>,
}

/// One move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The position.
    pub key: u64,
    /// The move: six bits for each square and three for the promotion.
    pub mv: u16,
    /// How often to play it, relative to the other moves of the position.
    pub weight: u16,
    /// For learning; programs use it in different ways.
    pub learn: u32,
}

/// Bytes of an entry.
const ENTRY: usize = 16;

impl Book {
    /// Reads the bytes of a file. Its entries may be in any order.
    pub fn read(bytes: &[u8]) -> Result<Book, Refusal> {
        let entries = bytes.chunks_exact(ENTRY);
        if !entries.remainder().is_empty() {
            return Err(refusals::book_bytes(ENTRY, bytes.len() % ENTRY));
        }
        let part = |entry: &[u8], at: usize, length: usize| {
            entry[at..at + length].iter().fold(0u64, |number, byte| number << 8 | u64::from(*byte))
        };
        let mut book = Book::default();
        book.entries.extend(entries.map(|entry| Entry {
            key: part(entry, 0, 8),
            mv: part(entry, 8, 2) as u16,
            weight: part(entry, 10, 2) as u16,
            learn: part(entry, 12, 4) as u32,
        }));
        book.sort();
        Ok(book)
    }

    /// Reads a file. The refusal does not name the file.
    pub fn open(path: &Path) -> Result<Book, Refusal> {
        Book::read(&read_at_most(path, LARGEST).map_err(refusals::book_unread)?)
    }

    /// The bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        let bytes = self.entries.iter().flat_map(|entry| {
            let mut bytes = entry.key.to_be_bytes().to_vec();
            bytes.extend(entry.mv.to_be_bytes());
            bytes.extend(entry.weight.to_be_bytes());
            bytes.extend(entry.learn.to_be_bytes());
            bytes
        });
        bytes.collect()
    }

    fn sort(&mut self) {
        self.entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight)));
    }

    /// All moves of all positions.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|one, other| one.key == other.key).count()
    }

    /// The book's legal moves in a position with their weights, the heaviest first.
    pub fn weighed_moves(&self, board: &Board) -> Vec<(String, u16)> {
        let Some(key) = key(&board.text()) else { return Vec::new() };
        let first = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries[first..].iter().take_while(|entry| entry.key == key);
        here.filter_map(|entry| Some((legal(board, entry.mv)?, entry.weight))).collect()
    }
}

impl book::Book for Book {
    fn moves(&self, board: &Board) -> Result<Vec<BookMove>, Refusal> {
        let known = |(mv, weight): (String, u16)| BookMove {
            mv,
            score: None,
            value: None,
            depth: 0,
            source: Source::Imported,
            results: Results::default(),
            weight: weight.into(),
        };
        Ok(self.weighed_moves(board).into_iter().map(known).collect())
    }
}

/// Builds a book from games. A move counts 2 for a win of the side that played it and 1 for a draw, as in Polyglot.
#[derive(Clone, Debug, Default)]
pub struct Maker {
    counts: BTreeMap<(u64, u16), u64>,
}

impl Maker {
    /// Adds `count` to a move; 0 marks a move that has only lost.
    pub fn add(&mut self, board: &Board, mv: &str, count: u64) -> Result<(), Refusal> {
        let refuse = || refusals::book_move(mv);
        let key = key(&board.text()).ok_or_else(refuse)?;
        let mv = encode(&board.text(), mv).ok_or_else(refuse)?;
        *self.counts.entry((key, mv)).or_default() += count;
        Ok(())
    }

    /// The book of the moves that count at least `least`. If a count is too large for the format, all counts of its
    /// position are scaled down.
    pub fn book(&self, least: u64) -> Book {
        let mut greatest: BTreeMap<u64, u64> = BTreeMap::new();
        for (&(key, _), &count) in &self.counts {
            let known = greatest.entry(key).or_default();
            *known = count.max(*known);
        }
        let kept = self.counts.iter().filter(|(_, count)| **count >= least.max(1));
        let entries = kept.map(|(&(key, mv), &count)| {
            let most = u64::from(u16::MAX);
            let weight = if greatest[&key] > most { (count * most / greatest[&key]).max(1) } else { count };
            Entry { key, mv, weight: weight as u16, learn: 0 }
        });
        let mut book = Book { entries: entries.collect() };
        book.sort();
        book
    }
}

/// The random numbers of keys: pieces on squares, castling rights, en passant files, and White to move.
///
/// Polyglot's table is the output of the generator [ISAAC-64](https://burtleburtle.net/bob/rand/isaacafa.html) with a
/// seed of zeros.
static RANDOM: LazyLock<Vec<u64>> = LazyLock::new(|| isaac64(781));

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE: usize = 780;

fn isaac64(count: usize) -> Vec<u64> {
    const SIZE: usize = 256;
    let mut state = [0x9e37_79b9_7f4a_7c13_u64; 8];
    fn mix(s: &mut [u64; 8]) {
        const SHIFTS: [(bool, u32); 8] =
            [(false, 9), (true, 9), (false, 23), (true, 15), (false, 14), (true, 20), (false, 17), (true, 14)];
        for (i, (left, shift)) in SHIFTS.into_iter().enumerate() {
            s[i] = s[i].wrapping_sub(s[(i + 4) % 8]);
            let from = s[(i + 7) % 8];
            s[(i + 5) % 8] ^= if left { from << shift } else { from >> shift };
            s[(i + 7) % 8] = s[(i + 7) % 8].wrapping_add(s[i]);
        }
    }
    (0..4).for_each(|_| mix(&mut state));
    let mut memory = [0u64; SIZE];
    for _ in 0..2 {
        for chunk in memory.chunks_exact_mut(8) {
            state.iter_mut().zip(&*chunk).for_each(|(state, word)| *state = state.wrapping_add(*word));
            mix(&mut state);
            chunk.copy_from_slice(&state);
        }
    }
    let (mut a, mut b, mut c) = (0u64, 0u64, 0u64);
    let mut numbers = Vec::with_capacity(count + SIZE);
    while numbers.len() < count {
        c = c.wrapping_add(1);
        b = b.wrapping_add(c);
        let mut block = [0u64; SIZE];
        for i in 0..SIZE {
            let x = memory[i];
            a = match i % 4 {
                0 => !(a ^ (a << 21)),
                1 => a ^ (a >> 5),
                2 => a ^ (a << 12),
                _ => a ^ (a >> 33),
            }
            .wrapping_add(memory[(i + SIZE / 2) % SIZE]);
            let y = memory[(x >> 3) as usize % SIZE].wrapping_add(a).wrapping_add(b);
            memory[i] = y;
            b = memory[(y >> 11) as usize % SIZE].wrapping_add(x);
            block[i] = b;
        }
        // A block is read from its end.
        numbers.extend(block.iter().rev());
    }
    numbers.truncate(count);
    numbers
}

/// The key of a position, or `None` if the text is not a FEN.
pub fn key(fen: &str) -> Option<u64> {
    let mut fields = fen.split_whitespace();
    let cells = cells(fields.next()?)?;
    let white = match fields.next()? {
        "w" => true,
        "b" => false,
        _ => return None,
    };
    let mut key = if white { RANDOM[WHITE] } else { 0 };
    for (square, piece) in cells.iter().enumerate().filter_map(|(square, piece)| Some((square, (*piece)?))) {
        let kind = 2 * "pnbrqk".find(piece.to_ascii_lowercase())? + usize::from(piece.is_ascii_uppercase());
        key ^= RANDOM[64 * kind + square];
    }
    for right in fields.next().unwrap_or("-").chars() {
        if let Some(index) = castling(&cells, right) {
            key ^= RANDOM[CASTLING + index];
        }
    }
    // En passant counts only if a pawn stands beside the one that could be taken.
    if let Some(file) = fields.next().and_then(|square| "abcdefgh".find(square.chars().next()?)) {
        let (row, pawn) = if white { (4, 'P') } else { (3, 'p') };
        let beside = [file.checked_sub(1), Some(file + 1).filter(|file| *file < 8)];
        if beside.into_iter().flatten().any(|file| cells[8 * row + file] == Some(pawn)) {
            key ^= RANDOM[EN_PASSANT + file];
        }
    }
    Some(key)
}

/// The pieces from a1 to h8, row by row.
fn cells(board: &str) -> Option<[Option<char>; 64]> {
    let mut cells = [None; 64];
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 8 {
        return None;
    }
    for (row, text) in rows.iter().rev().enumerate() {
        let mut file = 0;
        for sign in text.chars() {
            match sign.to_digit(9) {
                Some(empty) => file += empty as usize,
                None => {
                    *cells.get_mut(8 * row + file).filter(|_| file < 8)? = Some(sign);
                    file += 1;
                }
            }
        }
        if file != 8 {
            return None;
        }
    }
    Some(cells)
}

/// The index of a castling right: `K`, `Q`, `k`, `q`, or the file of the rook as Chess960 has it.
fn castling(cells: &[Option<char>; 64], right: char) -> Option<usize> {
    let black = if right.is_ascii_lowercase() { 2 } else { 0 };
    let file = match right.to_ascii_lowercase() {
        'k' => return Some(black),
        'q' => return Some(black + 1),
        letter => "abcdefgh".find(letter)?,
    };
    let (row, king) = if black == 0 { (0, 'K') } else { (56, 'k') };
    let home = cells[row..row + 8].iter().position(|piece| *piece == Some(king))?;
    Some(black + usize::from(file < home))
}

/// The legal move of an entry. Castling is written as the king taking its own rook.
fn legal(board: &Board, mv: u16) -> Option<String> {
    let square = |bits: u16| {
        let (file, row) = (bits & 7, bits >> 3 & 7);
        format!("{}{}", char::from(b'a' + file as u8), row + 1)
    };
    let becomes = ["", "n", "b", "r", "q"].get(usize::from(mv >> 12 & 7))?;
    let text = format!("{}{}{becomes}", square(mv >> 6), square(mv));
    let castled = match text.as_str() {
        "e1h1" => "e1g1",
        "e1a1" => "e1c1",
        "e8h8" => "e8g8",
        "e8a8" => "e8c8",
        _ => "",
    };
    [text.as_str(), castled]
        .into_iter()
        .find(|mv| board.legal_moves().iter().any(|legal| legal == mv))
        .map(str::to_owned)
}

/// A move of a position in the bits of an entry.
fn encode(fen: &str, mv: &str) -> Option<u16> {
    let square = |text: &str| {
        let bytes = text.as_bytes();
        let (file, row) = (bytes[0].wrapping_sub(b'a'), bytes[1].wrapping_sub(b'1'));
        (file < 8 && row < 8).then(|| u16::from(8 * row + file))
    };
    if !mv.is_ascii() || !matches!(mv.len(), 4 | 5) {
        return None;
    }
    let (from, mut to) = (square(&mv[..2])?, square(&mv[2..4])?);
    let becomes = match &mv[4..] {
        "" => 0,
        piece => "nbrq".find(piece)? as u16 + 1,
    };
    let moved = cells(fen.split_whitespace().next()?)?[usize::from(from)]?;
    if moved.eq_ignore_ascii_case(&'k') && from.abs_diff(to) == 2 {
        to = if to > from { from | 7 } else { from & !7 };
    }
    Some(becomes << 12 | from << 6 | to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the format's description.
    #[test]
    fn keys_are_those_that_were_published() {
        for (fen, published) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key(fen), Some(published), "{fen}");
        }
        let shredder = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
        assert_eq!(key(shredder), Some(0x463b_9618_1691_fc9c), "rights by file");
    }

    #[test]
    fn what_is_no_position_has_no_key() {
        for text in ["", "8/8", "9/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/7 w - -", "8/8/8/8/8/8/8/x7 w - -"] {
            assert_eq!(key(text), None, "{text}");
        }
    }

    #[test]
    fn moves_are_written_as_the_format_has_them() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(encode(start, "e2e4"), Some(12 << 6 | 28));
        let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(encode(castle, "e1g1"), Some(4 << 6 | 7));
        assert_eq!(encode(castle, "e1c1"), Some(4 << 6), "to a1");
        assert_eq!(encode("8/P7/8/8/8/8/8/k1K5 w - - 0 1", "a7a8q"), Some(4 << 12 | 48 << 6 | 56));
        for bad in ["", "e2", "e2e9", "e3e4", "a7a8x", "é2e4"] {
            assert_eq!(encode(start, bad), None, "{bad}");
        }
    }

    #[test]
    fn a_book_is_written_as_it_was_read() {
        let entry = |key, weight| Entry { key, mv: 796, weight, learn: 3 };
        let book = Book { entries: vec![entry(1, 9), entry(1, 4), entry(u64::MAX, 1)] };
        assert_eq!(Book::read(&book.bytes()), Ok(book.clone()));
        assert_eq!((book.positions(), book.entries().len()), (2, 3));
        let mut shuffled = book.bytes();
        shuffled.rotate_left(ENTRY);
        assert_eq!(Book::read(&shuffled), Ok(book), "sorted again");
        assert!(Book::read(&[0; 17]).unwrap_err().to_string().contains("1 are left over"));
    }
}
