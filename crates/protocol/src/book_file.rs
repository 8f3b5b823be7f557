//! Opening books in files of any kind: our own, in SQLite or packed, and Polyglot's for chess.

use crate::polyglot;
use crate::refusals;
use polyply_engine::book::{Book, BookFile, PackedBook};
use polyply_engine::{Refusal, Variant, read_at_most};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// How a file of SQLite begins.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// Books that are read whole are smaller.
pub(crate) const LARGEST: usize = 1 << 30;
/// How a packed book begins.
const PACKED: &[u8] = b"PLYBOOK";

/// Opens a book for a variant. The kind of the file is known by its first bytes; Polyglot's files have none of their
/// own. The refusal does not name the file.
pub fn open(path: &Path, variant: &Variant) -> Result<Arc<dyn Book>, Refusal> {
    let mut first = Vec::new();
    let file = std::fs::File::open(path).map_err(refusals::book_unread)?;
    file.take(SQLITE.len() as u64).read_to_end(&mut first).map_err(refusals::book_unread)?;
    if first.starts_with(SQLITE) {
        return Ok(Arc::new(BookFile::open(path, variant)?));
    }
    if first.starts_with(PACKED) {
        let bytes = read_at_most(path, LARGEST).map_err(refusals::book_unread)?;
        return Ok(Arc::new(PackedBook::read_for(bytes.into(), variant)?));
    }
    if Variant::main_of("polyglot").is_none_or(|of| of.name() != variant.name()) {
        return Err(polyply_engine::refusals::book_foreign());
    }
    Ok(Arc::new(polyglot::Book::open(path)?))
}
