//! Opening books: what is known of the first moves of a game, asked before a search.
//!
//! A book has positions by their canonical keys, so that symmetric positions are stored once, and for each position
//! moves with scores and results. There are two kinds of files: [`BookFile`] is an SQLite database that grows, by
//! building or importing; [`PackedBook`] is the compact form that is part of the program ([`embedded`]). What plays
//! knows only the trait [`Book`].
//!
//! ```
//! use polyply_engine::book::{self, Book};
//! use polyply_engine::{Board, Variant};
//!
//! let variant = Variant::find("tictactoe").unwrap();
//! // Every game has a built-in book for its usual rules.
//! let book = book::embedded(&variant).unwrap();
//! let moves = book.moves(&Board::new(&variant)).unwrap();
//! assert!(moves.iter().any(|mv| mv.mv == "b2" && mv.weight > 0));
//! ```

mod check;
mod file;
mod packed;
mod weigh;

pub use file::{BookFile, BookWriter, Found, FoundMove, Game, StoredPosition};
pub use packed::{PackedBook, embedded, pack};
pub use weigh::draw;

use polyply_core::refusal::Refusal;
use polyply_games::{Best, Board, Bound, Line, Score};

/// Where a move of a book comes from, the least trustworthy first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// Games that were imported.
    Imported,
    /// Games of the engine against itself.
    SelfPlay,
    /// A search.
    Searched,
    /// A search that has proven the score.
    Solved,
}

impl Source {
    /// All sources.
    pub const ALL: [Source; 4] = [Source::Imported, Source::SelfPlay, Source::Searched, Source::Solved];

    /// Its name: `imported`, `self-play`, `searched` or `solved`.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Imported => "imported",
            Source::SelfPlay => "self-play",
            Source::Searched => "searched",
            Source::Solved => "solved",
        }
    }

    /// The source of this name.
    pub fn find(name: &str) -> Option<Source> {
        Source::ALL.into_iter().find(|source| source.name() == name)
    }

    const fn number(self) -> u8 {
        self as u8
    }

    fn of_number(number: u64) -> Option<Source> {
        Source::ALL.get(number as usize).copied()
    }
}

/// The results of games in which a move was played, for the side that played it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Games that the side won.
    pub won: u64,
    /// Games that were drawn.
    pub drawn: u64,
    /// Games that the side lost.
    pub lost: u64,
    /// Games without a result.
    pub unfinished: u64,
}

impl Results {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.won + self.drawn + self.lost + self.unfinished
    }

    /// Two for a win and one for a draw, as in Polyglot's books. A game without a result counts as a draw.
    pub const fn points(&self) -> u64 {
        2 * self.won + self.drawn + self.unfinished
    }

    fn add(&mut self, other: &Results) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.unfinished += other.unfinished;
    }
}

/// What a book knows of a move of a canonical position, from one source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The move, as the canonical position writes it.
    pub mv: String,
    /// Where it comes from.
    pub source: Source,
    /// Its value in evaluation units, from the first player's side; see [`value_of`].
    pub value: Option<i32>,
    /// The depth of the search.
    pub depth: i32,
    /// The results of games.
    pub results: Results,
}

/// What a book knows of a legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move, in the game's notation.
    pub mv: String,
    /// Its score, if it was searched. It takes account of what is known of the positions after it.
    pub score: Option<Score>,
    /// The same in evaluation units, from the first player's side; see [`value_of`].
    pub value: Option<i32>,
    /// The depth of the search; 0 if it was not searched.
    pub depth: i32,
    /// The most trustworthy of its sources.
    pub source: Source,
    /// The results of games.
    pub results: Results,
    /// How often to play it, compared with the other moves; 0 if never.
    pub weight: u64,
}

/// The source of moves from the opening book.
pub const BOOK: &str = "book";

impl BookMove {
    /// The move as the result of a search. It has a line if the book knows its score.
    pub(crate) fn as_best(&self) -> Best {
        let line = |score| Line {
            score,
            value: self.value.unwrap_or_default(),
            bound: Bound::Exact,
            depth: self.depth,
            certainty: None,
            moves: vec![self.mv.clone()],
        };
        let mut best = Best::without_search(self.mv.clone());
        (best.lines, best.value, best.stage) = (self.score.map(line).into_iter().collect(), self.value, BOOK);
        best
    }
}

/// Something that knows moves of positions.
pub trait Book: Send + Sync {
    /// The moves of a position, the best first; none if the position is not in the book. Fails if the book can't be
    /// read.
    fn moves(&self, board: &Board) -> Result<Vec<BookMove>, Refusal>;
}

/// The value of a win at once in a book; a win in n plies is n less.
const WIN: i32 = 1_000_000;
/// Values beyond this are proven wins.
const DECIDED: i32 = WIN / 2;

/// The value that a book keeps of a score: the value in evaluation units, or for a proven win one million less its
/// plies.
pub fn value_of(score: Score, units: i32) -> i32 {
    match score {
        Score::Win(plies) => plies.signum() * (WIN - plies.abs()),
        _ => units,
    }
}

/// Whether a value is a proven win.
pub const fn is_decided(value: i32) -> bool {
    value.abs() > DECIDED
}

/// The value a ply before.
const fn one_ply_before(value: i32) -> i32 {
    if is_decided(value) { value - value.signum() } else { value }
}
