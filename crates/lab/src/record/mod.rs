//! A game that was played, and the files that games are kept in.
//!
//! A [`Record`] is plain data. [`json`] keeps all of it, one game per line; journals of runs are in this format. The
//! others are for exchange with other programs and keep what they have a place for: [`pgn`] any game, [`sgf`] and
//! [`psq`] five in a row, [`ggf`] and [`wthor`] Othello, [`moves`] lists of moves, and [`positions`] only the last
//! position, as EPD or OBF. Scores are from the first player's side, except in GGF, where they are from the side of the
//! player who moves.

mod format;
pub mod ggf;
pub mod json;
pub mod moves;
pub mod pgn;
pub mod positions;
pub mod psq;
pub mod sgf;
mod stones;
pub mod tabbed;
mod words;
pub mod wthor;

pub use format::Format;

use crate::LabError;
use crate::refusals;
use polyply_engine::registry::games;
use polyply_engine::{Board, Outcome, PositionSpec, Refusal, Score, Side, Variant};
use std::path::Path;
use std::time::Duration;

/// A game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Its number, from 0; games 2n and 2n + 1 are a pair.
    pub number: u64,
    /// The game, with its board size and rules: `caro:15,opening=none`.
    pub variant: String,
    /// The starting position, and the opening moves that were given to the players.
    pub opening: PositionSpec,
    /// The names of the players, the first player first.
    pub players: [String; 2],
    /// The comment before the first move.
    pub comment: String,
    /// The moves of the players.
    pub moves: Vec<Move>,
    /// How it ended.
    pub end: End,
    /// The time that each player had left at the end, if there were clocks.
    pub left: [Option<Duration>; 2],
    /// The date of the game, as in `2026-11-16`.
    pub date: Option<String>,
    /// Other properties, such as `TimeControl`. Their names are letters and digits.
    pub settings: Vec<(String, String)>,
}

/// A move and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Move {
    /// The move, as the game writes it.
    pub text: String,
    /// The player's score, from the first player's side.
    pub score: Option<Score>,
    /// The same in units of the game's evaluation, if known.
    pub value: Option<i32>,
    /// Plies searched.
    pub depth: Option<i32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Time used.
    pub time: Option<Duration>,
    /// A comment.
    pub comment: String,
    /// Numeric annotation glyphs of PGN: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?` and 6 `?!`.
    pub nags: Vec<u8>,
    /// Variations that replace this move.
    pub variations: Vec<Vec<Move>>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct End {
    /// The winner; `None` in a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
    /// The margin in points for games that count them; negative if the second player won.
    pub points: Option<i32>,
    /// Details, for people.
    pub detail: String,
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Reason {
    /// By the rules of the game.
    Rules,
    /// The game was adjudicated.
    Adjudication,
    /// The loser took too long.
    Time,
    /// The loser did not answer at all.
    Stall,
    /// The loser played an illegal move.
    Illegal,
    /// The loser's program crashed.
    Crash,
    /// The loser's program refused to play.
    Refusal,
    /// It has not ended.
    #[default]
    Unfinished,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 8] = [
        Reason::Rules,
        Reason::Adjudication,
        Reason::Time,
        Reason::Stall,
        Reason::Illegal,
        Reason::Crash,
        Reason::Refusal,
        Reason::Unfinished,
    ];

    /// In words, for the tag `Termination` of PGN.
    pub fn words(self) -> &'static str {
        match self {
            Reason::Rules => "normal",
            Reason::Adjudication => "adjudication",
            Reason::Time => "time forfeit",
            Reason::Stall => "stall",
            Reason::Illegal => "illegal move",
            Reason::Crash => "crash",
            Reason::Refusal => "refusal",
            Reason::Unfinished => "unterminated",
        }
    }

    /// The reason with these words.
    pub fn parse(words: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.words() == words)
    }

    /// A player failed.
    pub fn is_failure(self) -> bool {
        matches!(self, Reason::Time | Reason::Stall | Reason::Illegal | Reason::Crash | Reason::Refusal)
    }
}

impl Move {
    /// All that is known about the move, and its comment, as match programs write it: `+0.35/12 0.420s; a good move`.
    pub fn note(&self) -> String {
        words::comment(self)
    }

    /// A move with such a note.
    pub fn with_note(text: String, note: &str) -> Move {
        let mut mv = Move { text, ..Move::default() };
        words::read_comment(note, &mut mv);
        mv
    }
}

impl End {
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` if the game is unfinished.
    pub fn result(&self) -> &'static str {
        match (self.winner, self.reason) {
            (Some(Side::First), _) => "1-0",
            (Some(Side::Second), _) => "0-1",
            (None, Reason::Unfinished) => "*",
            (None, _) => "1/2-1/2",
        }
    }

    /// The end with such a result. Its reason is the rules of the game until more is known.
    pub fn of_result(result: &str) -> Option<End> {
        let (winner, reason) = match result {
            "1-0" => (Some(Side::First), Reason::Rules),
            "0-1" => (Some(Side::Second), Reason::Rules),
            "1/2-1/2" => (None, Reason::Rules),
            "*" => (None, Reason::Unfinished),
            _ => return None,
        };
        Some(End { winner, reason, ..End::default() })
    }
}

impl Record {
    /// The moves of the opening and of the players, as text.
    pub fn all_moves(&self) -> impl Iterator<Item = &str> {
        self.opening.moves.iter().map(String::as_str).chain(self.moves.iter().map(|mv| mv.text.as_str()))
    }

    /// The second player is to move in the starting position. In all games the field after the board says so.
    pub(crate) fn begins_second(&self) -> bool {
        let position = self.opening.position.as_deref().unwrap_or_default();
        matches!(position.split_whitespace().nth(1), Some("b" | "o" | "O"))
    }

    /// Replays the game and rewrites its moves in the game's notation. The error says which move can't be played.
    pub fn replay(&mut self) -> Result<(), Refusal> {
        let mut board = self.start()?;
        for mv in &mut self.opening.moves {
            *mv = play(&mut board, mv)?;
        }
        replay_line(&mut board, &mut self.moves)
    }

    /// The starting board, before any move.
    fn start(&self) -> Result<Board, Refusal> {
        let variant = Variant::find(&self.variant)?;
        let place = PositionSpec { position: self.opening.position.clone(), moves: Vec::new() };
        Ok(Board::at(&variant, &place)?)
    }

    /// The final board.
    pub fn last(&self) -> Result<Board, Refusal> {
        let mut board = self.start()?;
        self.all_moves().try_for_each(|mv| play(&mut board, mv).map(drop))?;
        Ok(board)
    }

    /// Keeps only the first moves. A game that is cut is unfinished.
    pub fn cut(&mut self, plies: usize) {
        if plies < self.opening.moves.len() + self.moves.len() {
            self.opening.moves.truncate(plies);
            self.moves.truncate(plies - self.opening.moves.len());
            (self.end, self.left) = (End::default(), [None; 2]);
        }
    }

    /// Sets the end to what the rules say of the last position; unfinished if they say nothing.
    fn end_by_rules(&mut self) {
        if let Some(outcome) = self.last().ok().and_then(|board| board.outcome()) {
            let points = if let Outcome::Points(points) = outcome { Some(points) } else { None };
            self.end = End { winner: outcome.winner(), reason: Reason::Rules, points, detail: String::new() };
        }
    }

    /// Adds a move that was read from a file: to the opening, unless a move of the players came before it.
    fn add(&mut self, mv: Move, given: bool) {
        if given && self.moves.is_empty() {
            self.opening.moves.push(mv.text);
        } else {
            self.moves.push(mv);
        }
    }
}

/// Plays a move and returns it in the game's notation; the error says which ply it is.
fn play(board: &mut Board, mv: &str) -> Result<String, Refusal> {
    let ply = board.moves().len() + 1;
    board.play(mv).map_err(|error| refusals::at_ply(ply, error))?;
    Ok(board.moves().last().cloned().unwrap_or_default())
}

/// Plays moves and their variations.
fn replay_line(board: &mut Board, line: &mut [Move]) -> Result<(), Refusal> {
    for mv in line {
        let plies = board.moves().len();
        for variation in &mut mv.variations {
            replay_line(board, variation).map_err(refusals::in_variation)?;
            while board.moves().len() > plies {
                board.undo();
            }
        }
        mv.text = play(board, &mv.text)?;
    }
    Ok(())
}

/// The deepest nesting of variations that is read.
const DEEPEST: usize = 32;
/// The most moves of a game that are read, with its variations. Every one of them is replayed.
const MOST_MOVES: usize = 20_000;

/// The names of the games that a format can hold.
fn names_of(format: &str) -> String {
    let known = games().filter(|about| about.aliases.iter().any(|alias| alias.of == format));
    known.map(|about| about.name).collect::<Vec<_>>().join(", ")
}

/// The line number of a byte in a text, from 1.
pub(crate) fn line_at(text: &str, byte: usize) -> usize {
    text.as_bytes()[..byte].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The games of a file, or what is wrong with the first bad one.
pub fn read(path: &Path) -> Result<Vec<Record>, LabError> {
    let bytes = std::fs::read(path).map_err(|error| LabError::file(path, error))?;
    let games: Result<Vec<Record>, Refusal> = read_each(path, &bytes, None)?.into_iter().collect();
    games.map_err(|reason| LabError::file(path, reason))
}

/// The games of a file with these bytes: each game, or what is wrong with it. `variant` is the game if the format does
/// not say. Journals and older files of self-play may have any extension and are recognised by their first bytes; the
/// format of other files is given by their extension.
pub fn read_each(
    path: &Path,
    bytes: &[u8],
    variant: Option<&Variant>,
) -> Result<Vec<Result<Record, Refusal>>, LabError> {
    let format = match bytes.first() {
        Some(b'{') => Format::Json,
        Some(b'#') if tabbed::is_one(bytes) => {
            let games = tabbed::read(&String::from_utf8_lossy(bytes)).map_err(|reason| LabError::file(path, reason))?;
            return Ok(games.into_iter().map(Ok).collect());
        }
        _ => Format::of(path)?,
    };
    Ok(format.read_all(bytes, variant))
}
