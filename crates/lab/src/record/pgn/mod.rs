//! [Portable Game
//! Notation](https://ia902908.us.archive.org/26/items/pgn-standard-1994-03-12/PGN_standard_1994-03-12.txt): chess, and
//! any other game with a tag `Variant` and moves as the game writes them.
//!
//! The first player is White. Scores and times follow the moves as match programs write them, with the score from the
//! first player's side: `1. e4 {book} e5 {+0.35/12 0.420s, n=48213}`. Comments, glyphs (`$1`, or `!`) and variations
//! are kept.

mod read;
mod write;

use super::Record;
use polyply_engine::{Refusal, Variant};

/// The name of the format in the aliases of games.
const PGN: &str = "pgn";

/// The game of files without a tag `Variant`.
fn usual() -> String {
    Variant::main_of(PGN).map_or(String::new(), |variant| variant.name().to_owned())
}

/// Tags that have a field of their own in a record; all others are kept as properties.
const KNOWN: [&str; 16] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Variant",
    "SetUp",
    "FEN",
    "PlyCount",
    "Termination",
    "Points",
    "Detail",
    "WhiteLeft",
    "BlackLeft",
];

/// A game.
pub fn write(record: &Record) -> String {
    write::game(record)
}

/// The games of a text, or what is wrong with one, with its number and line.
pub fn read(text: &str) -> Vec<Result<Record, Refusal>> {
    read::games(text)
}
