//! What a position looks like, as plain data for everything that draws it: a page, a picture, a screen reader.
//!
//! Cells are numbered row by row from the top left, beginning with 0.

use crate::game::{Notation, Side};
use crate::refusal::Refusal;
use std::collections::BTreeMap;

/// What pieces stand on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surface {
    /// Lines; pieces stand on the intersections.
    Points,
    /// Squares; pieces stand in them.
    Squares,
    /// Columns that pieces fall down.
    Columns,
}

/// What the pieces are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pieces {
    /// Crosses and noughts.
    Marks,
    /// Stones, set on points.
    Stones,
    /// Flat discs.
    Discs,
    /// Chess pieces.
    Chessmen,
}

impl Pieces {
    /// The codes of all of them, the first player's first.
    pub const fn codes(self) -> &'static [&'static str] {
        match self {
            Pieces::Chessmen => &["wK", "wQ", "wR", "wB", "wN", "wP", "bK", "bQ", "bR", "bB", "bN", "bP"],
            Pieces::Marks | Pieces::Stones | Pieces::Discs => &["x", "o"],
        }
    }
}

/// A board without its pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// What pieces stand on.
    pub surface: Surface,
    /// What the pieces are.
    pub pieces: Pieces,
    /// The colours of the sides: `black` and `white`.
    pub colours: [&'static str; 2],
    /// How many columns there are.
    pub columns: usize,
    /// How many rows there are.
    pub rows: usize,
    /// Squares are alternately light and dark.
    pub checkered: bool,
    /// Rows are numbered from the top, as in Othello, instead of from the bottom.
    pub first_row_on_top: bool,
    /// A position may have cells that nothing can be played on, with the code [`WALL`].
    pub walls: bool,
    /// The second player sits on the other side, and sees the board turned by half.
    pub facing: bool,
}

impl Layout {
    /// The codes of everything that can be on a cell, the first player's pieces first.
    pub fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.pieces.codes().iter().copied().chain(self.walls.then_some(WALL))
    }

    /// The cell of a column from the left and a row from the bottom, both from 0.
    pub fn cell(&self, column: usize, row: usize) -> usize {
        (self.rows - 1 - row) * self.columns + column
    }

    /// The name of a cell: a letter for the column and the number of the row.
    pub fn cell_name(&self, cell: usize) -> String {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let number = if self.first_row_on_top { row + 1 } else { self.rows - row };
        format!("{}{number}", char::from(b'a' + column as u8))
    }

    /// The cell with this name, in capitals or not.
    pub fn find_cell(&self, name: &str) -> Option<usize> {
        let letter = *name.as_bytes().first()?;
        let column = usize::from(letter.to_ascii_lowercase().checked_sub(b'a')?);
        let digits = name.get(1..).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
        let number = digits.parse::<usize>().ok().filter(|number| (1..=self.rows).contains(number))?;
        let row = if self.first_row_on_top { number - 1 } else { self.rows - number };
        (column < self.columns).then_some(row * self.columns + column)
    }

    /// The names of the columns from the left.
    pub fn column_names(&self) -> Vec<String> {
        ('a'..='z').take(self.columns).map(String::from).collect()
    }

    /// The names of the rows from the top.
    pub fn row_names(&self) -> Vec<String> {
        let number = |row: usize| if self.first_row_on_top { row + 1 } else { self.rows - row };
        (0..self.rows).map(|row| number(row).to_string()).collect()
    }
}

/// The cells that a move is played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCells {
    /// Where the piece comes from, if it was on the board before.
    pub from: Option<usize>,
    /// Where it goes to; a pass goes nowhere.
    pub to: Option<usize>,
    /// The code of the piece that it becomes, if it is promoted.
    pub promotes: Option<&'static str>,
}

impl MoveCells {
    /// A new piece on a cell.
    pub fn to(cell: usize) -> MoveCells {
        MoveCells { to: Some(cell), ..MoveCells::default() }
    }
}

/// Something about a position that its pieces do not show: who may still castle, how many stones were captured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unseen {
    /// The key.
    pub key: &'static str,
    /// The value.
    pub value: String,
    /// All values that are possible with these pieces; `no` and `yes` if it is a switch.
    pub values: Vec<String>,
}

/// The keys of [`Unseen`] for the stones that the first and the second player have captured.
pub const CAPTURED: [&str; 2] = ["captured_first", "captured_second"];

/// The wanted values of what the pieces do not show, by key.
pub type Wishes = BTreeMap<String, String>;

/// The code of a wall: a cell that nothing can be played on.
pub const WALL: &str = "#";

/// The code of a stone, a disc or a mark of a side.
pub const fn piece(side: Side) -> &'static str {
    match side {
        Side::First => "x",
        Side::Second => "o",
    }
}

/// Cells in rows from the top, separated by `/`, with digits for runs of empty ones.
pub fn rows(codes: &[Option<&str>], columns: usize, letter: impl Fn(&str) -> String) -> String {
    let row = |cells: &[Option<&str>]| {
        let (mut text, mut empty) = (String::new(), 0);
        for code in cells {
            match code {
                None => empty += 1,
                Some(code) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    (empty, text) = (0, text + &letter(code));
                }
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    codes.chunks(columns.max(1)).map(row).collect::<Vec<_>>().join("/")
}

/// How a game looks. Methods with a default are rarely needed.
pub trait Look: Notation {
    /// A score, in hundredths or in points, with which a player wins 73 % of the games: the chance of winning is
    /// `1 / (1 + exp(-score / CHANCE))`.
    const CHANCE: f64;

    /// The board without its pieces.
    fn layout(&self) -> Layout;

    /// The code of what is on each cell: `x` and `o` for the pieces of the first and the second player ([`piece`]), or
    /// `wK` to `bP` in chess.
    fn codes(&self) -> Vec<Option<&'static str>>;

    /// The cells of a legal move.
    fn cells(&self, mv: Self::Move) -> MoveCells;

    /// The cells of the winning pieces, such as a row of five.
    fn winning_line(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Empty cells where the side to move may not play, where that is easily overlooked.
    fn forbidden(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Why no move goes to a cell, from another one if the player has chosen a piece; nothing if there is such a move.
    fn refused(&self, from: Option<usize>, to: usize) -> Option<Refusal> {
        let layout = self.layout();
        let name = |cell| layout.cell_name(cell);
        self.parse_move(&(from.map(name).unwrap_or_default() + &name(to))).err()
    }

    /// The cells of attacked pieces that must be saved at once, such as a king in check.
    fn checked(&self) -> Vec<usize> {
        Vec::new()
    }

    /// What is counted besides the pieces on the board, for the first and the second player: captured stones, discs.
    fn counters(&self) -> Vec<(&'static str, [u32; 2])> {
        Vec::new()
    }

    /// Why the game is over, in a word or two: `line`, `checkmate`, `repetition`. Only called after the end.
    fn reason(&self) -> &'static str {
        "rules"
    }

    /// The position with these codes on its cells in the game's notation, whether it is possible or not: rows from the
    /// top separated by `/`, digits for runs of empty cells, then the side to move. The `wishes` for [`Look::unseen`]
    /// are followed where possible; without a wish, the pieces decide.
    fn arranged(&self, codes: &[Option<&str>], side: Side, _wishes: &Wishes) -> String {
        let rows = rows(codes, self.layout().columns, |code| code.to_owned());
        format!("{rows} {}", piece(side))
    }

    /// What the pieces do not show, with the possible values.
    fn unseen(&self) -> Vec<Unseen> {
        Vec::new()
    }

    /// The same position with the other side to move, if there is one: it shows what the opponent threatens.
    fn other_to_move(&self) -> Option<Self> {
        None
    }
}
