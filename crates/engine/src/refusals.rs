//! The engine's own refusals, which are about books, and the codes of all refusals of the engine, the games and the core.

use polyply_core::refusal::Code;

pub use polyply_games::refusals as games;

polyply_core::refusals! {
    /// A file that is no opening book.
    book_foreign() = "it is not an opening book";
    /// A book of a newer version.
    book_newer(version, known) = "it was made by a newer version of Polyply: its format is {version}, and {known} is the newest known here";
    /// A book of another game.
    book_variant(variant, expected) = "it is a book for {variant}, not for {expected}";
    /// A book whose keys are outdated.
    book_keys() = "it was made by another version of Polyply, whose keys of positions differ; build it again";
    /// A book that can't be read any more. The reason is in English.
    book_damaged(reason) = "the book is damaged: {reason}";
    /// A book that somebody else writes to.
    book_busy() = "another process is writing to this book";
    /// A book that could not be read or written. The reason is in English.
    book_failed(reason) = "{reason}";
}

/// All codes of the core, of the games and of the engine.
pub fn codes() -> impl Iterator<Item = &'static Code> {
    games::codes().chain(CODES.iter().copied())
}
