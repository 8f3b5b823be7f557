//! Books in the compact form that is part of the program: read from memory, found by binary search, never parsed as a
//! whole.
//!
//! After the magic bytes comes a checksum of all that follows: the name of the variant, the command that has built the
//! book, the key of the start (so that a book with outdated keys is noticed), the number of positions, their sorted keys,
//! where the moves of each begin, and the moves. Numbers of fixed size are little-endian; the others are [LEB128], signed
//! ones in zigzag. A text is preceded by its length.
//!
//! [LEB128]: https://en.wikipedia.org/wiki/LEB128

use super::weigh::moves_of;
use super::{Book, BookMove, Entry, Results, Source};
use crate::refusals;
use polyply_core::hash::Fnv;
use polyply_core::refusal::Refusal;
use polyply_games::{Board, Variant, registry::games};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

const MAGIC: &[u8; 8] = b"PLYBOOK2";
/// Bytes of a key and of the place of its moves.
const KEY: usize = 8;
const PLACE: usize = 4;

/// A book in memory.
#[derive(Debug)]
pub struct PackedBook {
    bytes: Cow<'static, [u8]>,
    variant: String,
    made_by: String,
    start_key: u64,
    positions: usize,
    /// Where the keys begin.
    keys: usize,
    /// Whether the checksum is right, once somebody has asked.
    is_sound: OnceLock<bool>,
}

/// The books that are part of the program.
static EMBEDDED: LazyLock<Vec<Arc<PackedBook>>> = LazyLock::new(|| {
    let books = games().flat_map(|about| about.books);
    books.filter_map(|bytes| PackedBook::read(Cow::Borrowed(*bytes)).ok()).map(Arc::new).collect()
});

/// The book for a variant that is part of the program, if there is one.
pub fn embedded(variant: &Variant) -> Option<Arc<PackedBook>> {
    let of = |name: &str| EMBEDDED.iter().find(|book| book.variant == name);
    // The same rules may be asked for by different names.
    let book = of(variant.name()).or_else(|| of(Variant::named(variant.name()).ok()?.name()))?;
    (book.start_key == Board::new(variant).canonical_key()).then(|| book.clone())
}

impl PackedBook {
    /// Reads the bytes of a file. The checksum is verified when the book is first asked for moves.
    pub fn read(bytes: Cow<'static, [u8]>) -> Result<PackedBook, Refusal> {
        if !bytes.starts_with(MAGIC) {
            return Err(refusals::book_foreign());
        }
        let mut reader = Reader { bytes: &bytes, at: MAGIC.len() + 8 };
        let mut header = || {
            let (name, made_by) = (reader.text()?.to_owned(), reader.text()?.to_owned());
            let (start_key, positions) = (reader.fixed(8)?, reader.fixed(4)? as usize);
            let keys = reader.at;
            let places = keys.checked_add(positions.checked_mul(KEY + PLACE)?)?;
            (places <= bytes.len()).then_some((name, made_by, start_key, positions, keys))
        };
        let (variant, made_by, start_key, positions, keys) = header().ok_or_else(cut_off)?;
        Ok(PackedBook { bytes, variant, made_by, start_key, positions, keys, is_sound: OnceLock::new() })
    }

    /// The same, for a variant.
    pub fn read_for(bytes: Cow<'static, [u8]>, variant: &Variant) -> Result<PackedBook, Refusal> {
        let book = PackedBook::read(bytes)?;
        let asked = Variant::named(variant.name())?;
        if book.variant != asked.name() {
            return Err(refusals::book_variant(&book.variant, asked.name()));
        }
        if book.start_key != Board::new(variant).canonical_key() {
            return Err(refusals::book_keys());
        }
        Ok(book)
    }

    /// The variant, by its full name.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// The command that has built it; empty if it was only filled from games.
    pub fn made_by(&self) -> &str {
        &self.made_by
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions
    }

    /// There are no positions.
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// The keys of all positions, in their order.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        (0..self.positions).map(|index| self.key(index))
    }

    fn key(&self, index: usize) -> u64 {
        Reader { bytes: &self.bytes, at: self.keys + KEY * index }.fixed(KEY).unwrap_or_default()
    }

    /// What is known of the position with this key, in its canonical orientation.
    pub fn entries(&self, key: u64) -> Result<Vec<Entry>, Refusal> {
        let checked = || Fnv::of(self.bytes[MAGIC.len() + 8..].iter().copied()) == self.checksum();
        if !*self.is_sound.get_or_init(checked) {
            return Err(refusals::book_damaged("its checksum is wrong"));
        }
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = low.midpoint(high);
            if self.key(middle) < key { low = middle + 1 } else { high = middle }
        }
        if low == self.positions || self.key(low) != key {
            return Ok(Vec::new());
        }
        let places = self.keys + KEY * self.positions;
        let place = Reader { bytes: &self.bytes, at: places + PLACE * low }.fixed(PLACE).unwrap_or_default();
        let moves = places + PLACE * self.positions + place as usize;
        Reader { bytes: &self.bytes, at: moves }.entries().ok_or_else(cut_off)
    }

    fn checksum(&self) -> u64 {
        Reader { bytes: &self.bytes, at: MAGIC.len() }.fixed(8).unwrap_or_default()
    }
}

impl Book for PackedBook {
    fn moves(&self, board: &Board) -> Result<Vec<BookMove>, Refusal> {
        Ok(moves_of(board, self.entries(board.canonical_key())?))
    }
}

fn cut_off() -> Refusal {
    refusals::book_damaged("it is cut off")
}

/// The bytes of a book of these positions, by canonical key, and with the command that has built it.
pub fn pack(variant: &Variant, made_by: &str, positions: &[(u64, Vec<Entry>)]) -> Result<Vec<u8>, Refusal> {
    let mut sorted: Vec<&(u64, Vec<Entry>)> = positions.iter().collect();
    sorted.sort_by_key(|(key, _)| *key);
    let mut body = Vec::new();
    put_text(&mut body, Variant::named(variant.name())?.name());
    put_text(&mut body, made_by);
    body.extend(Board::new(variant).canonical_key().to_le_bytes());
    body.extend((sorted.len() as u32).to_le_bytes());
    sorted.iter().for_each(|(key, _)| body.extend(key.to_le_bytes()));
    let mut moves = Vec::new();
    for (_, entries) in &sorted {
        body.extend((moves.len() as u32).to_le_bytes());
        put_entries(&mut moves, entries);
    }
    body.extend(moves);
    let checksum = Fnv::of(body.iter().copied());
    Ok([MAGIC.as_slice(), &checksum.to_le_bytes(), &body].concat())
}

fn put_entries(out: &mut Vec<u8>, entries: &[Entry]) {
    put(out, entries.len() as u64);
    for entry in entries {
        put_text(out, &entry.mv);
        // The source, and whether there is a value and whether there are results.
        let (is_valued, is_played) = (entry.value.is_some(), entry.results != Results::default());
        put(out, u64::from(entry.source.number()) | u64::from(is_valued) << 2 | u64::from(is_played) << 3);
        if let Some(value) = entry.value {
            put(out, zigzag(value));
            put(out, entry.depth.max(0) as u64);
        }
        if is_played {
            let Results { won, drawn, lost, unfinished } = entry.results;
            [won, drawn, lost, unfinished].into_iter().for_each(|count| put(out, count));
        }
    }
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend(text.as_bytes());
}

const fn zigzag(number: i32) -> u64 {
    ((number << 1) ^ (number >> 31)) as u32 as u64
}

/// Reads from bytes that may end anywhere.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn fixed(&mut self, length: usize) -> Option<u64> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.fixed(1)?;
            number |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn text(&mut self) -> Option<&str> {
        let length = usize::try_from(self.number()?).ok()?;
        let from = self.at;
        let text = std::str::from_utf8(self.bytes.get(from..from.checked_add(length)?)?).ok()?;
        self.at += length;
        Some(text)
    }

    fn entries(&mut self) -> Option<Vec<Entry>> {
        (0..self.number()?).map(|_| self.entry()).collect()
    }

    fn entry(&mut self) -> Option<Entry> {
        let mv = self.text()?.to_owned();
        let kind = self.number()?;
        let (mut value, mut depth, mut results) = (None, 0, Results::default());
        if kind & 4 != 0 {
            let bits = self.number()? as u32;
            value = Some((bits >> 1) as i32 ^ -((bits & 1) as i32));
            depth = i32::try_from(self.number()?).ok()?;
        }
        if kind & 8 != 0 {
            let [won, drawn, lost, unfinished] = [self.number()?, self.number()?, self.number()?, self.number()?];
            results = Results { won, drawn, lost, unfinished };
        }
        Some(Entry { mv, source: Source::of_number(kind & 3)?, value, depth, results })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant() -> Variant {
        Variant::find("othello").unwrap()
    }

    fn entries() -> Vec<Entry> {
        let results = Results { won: 1, drawn: 300, lost: 0, unfinished: 2 };
        let values = [None, Some(0), Some(-1), Some(i32::MAX), Some(-999_993)];
        let entry = |(number, value): (usize, Option<i32>)| Entry {
            mv: format!("a{number}"),
            source: Source::ALL[number % 4],
            value,
            depth: if value.is_some() { 40 * number as i32 } else { 0 },
            results: if number % 2 == 0 { results } else { Results::default() },
        };
        values.into_iter().enumerate().map(entry).collect()
    }

    #[test]
    fn what_is_packed_is_found_again() {
        let positions = vec![(u64::MAX, entries()), (7, entries()[..2].to_vec()), (1 << 40, Vec::new())];
        let book = PackedBook::read_for(pack(&variant(), "polyply book build", &positions).unwrap().into(), &variant())
            .unwrap();
        for (key, entries) in &positions {
            assert_eq!(book.entries(*key).unwrap(), *entries);
        }
        assert_eq!(book.made_by(), "polyply book build");
        assert_eq!(book.entries(8).unwrap(), []);
        assert_eq!(book.keys().collect::<Vec<_>>(), [7, 1 << 40, u64::MAX]);
    }

    #[test]
    fn a_book_that_is_cut_changed_or_for_another_game_is_refused() {
        let bytes = pack(&variant(), "", &[(7, entries())]).unwrap();
        let refusal = |bytes: &[u8]| match PackedBook::read(bytes.to_vec().into()) {
            Ok(book) => book.entries(7).err().map(|refusal| refusal.code().name),
            Err(refusal) => Some(refusal.code().name),
        };
        assert_eq!(refusal(&bytes), None);
        for length in 0..bytes.len() {
            assert!(refusal(&bytes[..length]).is_some(), "{length}");
        }
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            assert!(refusal(&changed).is_some(), "{place}");
        }
        let other = PackedBook::read_for(bytes.into(), &Variant::find("caro").unwrap()).unwrap_err();
        assert_eq!(other.to_string(), "it is a book for othello, not for caro");
    }
}
