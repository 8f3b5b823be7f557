//! The notation of positions and moves.
//!
//! A move is a column letter, from `a` at the left, and a row number, from 1 at the bottom: `h8` is the middle of a
//! 15×15 board. A position is written in one of two ways:
//!
//! - as a board: rows from the top separated by `/`, `x` for the first player's stones, `o` for the second's, a decimal
//!   number for a run of empty cells; then the side to move, then how many stones `x` and `o` have captured. On a 5×5
//!   board: `5/5/2x2/1o3/5 x 0 0`. The two numbers may be left out when both are 0; they are always written.
//! - as the moves from the empty board: `h8 i9 j10`, `h8,i9,j10` or `h8i9j10`. No move at all is the empty board.
//!
//! This module knows the size of the board and the syntax, but no rules: whether a position is legal is not checked
//! here.
//!
//! ```
//! use polyply_core::game::Side;
//! use polyply_five::notation::{BoardSetup, Written};
//!
//! let Written::Board(setup) = Written::parse("5/5/2x2/1o3/5 x", 5).unwrap() else { panic!("it is a board") };
//! assert_eq!(setup.at((1, 1)), Some(Side::Second));
//! assert_eq!(setup.text(), "5/5/2x2/1o3/5 x 0 0");
//! assert_eq!(Written::parse("c3b2", 5), Ok(Written::Moves(vec![(2, 2), (1, 1)])));
//! ```

use crate::refusals;
use polyply_core::game::Side;
use polyply_core::refusal::{Refusal, common};
use polyply_core::rows::{letter, parse_row, row_text};

/// Column and row of a cell, from 0 at the left and at the bottom.
pub type Point = (usize, usize);

/// A position in one of the two notations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// The stones on the board.
    Board(BoardSetup),
    /// The moves from the empty board.
    Moves(Vec<Point>),
}

impl Written {
    /// Parses a position on a board of this size.
    pub fn parse(text: &str, size: usize) -> Result<Written, Refusal> {
        if text.contains('/') {
            BoardSetup::parse(text, size).map(Written::Board)
        } else {
            parse_moves(text, size).map(Written::Moves)
        }
    }

    /// The text that [`Written::parse`] reads back.
    pub fn text(&self) -> String {
        match self {
            Written::Board(setup) => setup.text(),
            Written::Moves(moves) => moves_text(moves),
        }
    }
}

/// A board as it is written: not checked by any rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardSetup {
    /// Rows and columns.
    pub size: usize,
    /// The cells, row after row from the bottom, each from the left.
    pub cells: Vec<Option<Side>>,
    /// The side to move.
    pub side: Side,
    /// How many stones the first and the second player have captured.
    pub captured: [u8; 2],
}

impl BoardSetup {
    /// The empty board, the first player to move.
    pub fn empty(size: usize) -> BoardSetup {
        BoardSetup { size, cells: vec![None; size * size], side: Side::First, captured: [0, 0] }
    }

    /// The stone on a cell.
    pub fn at(&self, (x, y): Point) -> Option<Side> {
        self.cells[y * self.size + x]
    }

    /// Parses the text.
    pub fn parse(text: &str, size: usize) -> Result<BoardSetup, Refusal> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (board, side, captured) = match fields[..] {
            [board, side] => (board, side, [0, 0]),
            [board, side, first, second] => (board, side, [parse_captured(first)?, parse_captured(second)?]),
            _ => return Err(refusals::position_fields()),
        };
        let side = match side {
            "x" => Side::First,
            "o" => Side::Second,
            other => return Err(common::side_unknown("x", "o", other)),
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != size {
            return Err(common::row_count(size, rows.len()));
        }
        let mut cells = Vec::with_capacity(size * size);
        for row in rows.into_iter().rev() {
            cells.extend(parse_row(row, size)?);
        }
        Ok(BoardSetup { size, cells, side, captured })
    }

    /// The text that [`BoardSetup::parse`] reads back.
    pub fn text(&self) -> String {
        let rows: Vec<String> = self.cells.chunks(self.size).rev().map(row_text).collect();
        let [first, second] = self.captured;
        format!("{} {} {first} {second}", rows.join("/"), letter(Some(self.side)))
    }

    /// Draws the board for a terminal: rows numbered at the left, columns named below, the last move in brackets if
    /// known, the captured stones in games with captures, and the side to move unless the game is over.
    pub fn board(&self, last: Option<Point>, captures: bool, over: bool) -> String {
        let width = self.size.to_string().len();
        let mut drawn = String::new();
        for (y, row) in self.cells.chunks(self.size).enumerate().rev() {
            drawn += &format!("{:>width$}", y + 1);
            for (x, &cell) in row.iter().enumerate() {
                drawn.push(match last {
                    Some(last) if last == (x, y) => '(',
                    Some(last) if (last.0 + 1, last.1) == (x, y) => ')',
                    _ => ' ',
                });
                drawn.push(letter(cell));
            }
            drawn += if last == Some((self.size - 1, y)) { ")\n" } else { "\n" };
        }
        let columns: Vec<String> = ('a'..).take(self.size).map(String::from).collect();
        drawn += &format!("{:width$} {}\n", "", columns.join(" "));
        if captures {
            let [first, second] = self.captured;
            drawn += &format!("captured: x {first}, o {second}\n");
        }
        if over { drawn } else { drawn + &format!("{} to move\n", letter(Some(self.side))) }
    }
}

/// Parses a move on a board of this size. Case is ignored.
pub fn parse_move(text: &str, size: usize) -> Result<Point, Refusal> {
    let mut rest = text.chars();
    let column = rest.next().map(|sign| sign.to_ascii_lowercase());
    let x = column.and_then(|sign| ('a'..='z').take(size).position(|name| name == sign));
    let digits = rest.as_str();
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<usize>().ok()).flatten();
    let y = number.filter(|number| (1..=size).contains(number)).map(|number| number - 1);
    x.zip(y).ok_or_else(|| common::not_a_cell("a1", move_text((size - 1, size - 1)), text))
}

/// Writes a move.
pub fn move_text((x, y): Point) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

/// Parses a list of moves, separated by spaces, commas or nothing.
pub fn parse_moves(text: &str, size: usize) -> Result<Vec<Point>, Refusal> {
    let words = text.split(|sign: char| sign.is_whitespace() || sign == ',').filter(|word| !word.is_empty());
    words.flat_map(split_moves).map(|word| parse_move(word, size)).collect()
}

/// Writes a list of moves.
pub fn moves_text(moves: &[Point]) -> String {
    let words: Vec<String> = moves.iter().copied().map(move_text).collect();
    words.join(" ")
}

/// Splits `h8i9` before every letter.
fn split_moves(word: &str) -> Vec<&str> {
    let letters = word.char_indices().filter(|(_, sign)| sign.is_alphabetic()).map(|(index, _)| index);
    let mut cuts: Vec<usize> = letters.filter(|&index| index > 0).collect();
    cuts.insert(0, 0);
    cuts.push(word.len());
    cuts.windows(2).map(|cut| &word[cut[0]..cut[1]]).collect()
}

fn parse_captured(text: &str) -> Result<u8, Refusal> {
    text.parse().map_err(|_| refusals::captured_number(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SIZES;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn a_cell() -> impl Strategy<Value = Option<Side>> {
        prop_oneof![4 => Just(None), 1 => Just(Some(Side::First)), 1 => Just(Some(Side::Second))]
    }

    fn a_setup() -> impl Strategy<Value = BoardSetup> {
        let side = prop_oneof![Just(Side::First), Just(Side::Second)];
        (SIZES, side, any::<[u8; 2]>()).prop_flat_map(|(size, side, captured)| {
            vec(a_cell(), size * size).prop_map(move |cells| BoardSetup { size, cells, side, captured })
        })
    }

    fn some_moves() -> impl Strategy<Value = (usize, Vec<Point>)> {
        SIZES.prop_flat_map(|size| (Just(size), vec((0..size, 0..size), 0..40)))
    }

    proptest! {
        #[test]
        fn a_board_is_read_as_it_was_written(setup in a_setup()) {
            let text = setup.text();
            let size = setup.size;
            let read = Written::parse(&text, size).unwrap();
            prop_assert_eq!(&read, &Written::Board(setup));
            prop_assert_eq!(read.text(), text);
        }

        #[test]
        fn moves_are_read_as_they_were_written((size, moves) in some_moves()) {
            let text = moves_text(&moves);
            prop_assert_eq!(Written::parse(&text, size).unwrap(), Written::Moves(moves.clone()));
            for separator in ["", ",", ", ", "\n"] {
                prop_assert_eq!(parse_moves(&text.replace(' ', separator), size).unwrap(), moves.clone());
            }
            prop_assert_eq!(parse_moves(&text.to_uppercase(), size).unwrap(), moves);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[a-z0-9/ xo,é]{0,30}", size in SIZES) {
            if let Ok(written) = Written::parse(&text, size) {
                prop_assert_eq!(Written::parse(&written.text(), size), Ok(written));
            }
        }
    }

    #[test]
    fn a_move_is_a_column_letter_and_a_row_number() {
        assert_eq!(parse_move("a1", 15), Ok((0, 0)));
        assert_eq!(parse_move("h8", 15), Ok((7, 7)));
        assert_eq!(parse_move("o15", 15), Ok((14, 14)));
        assert_eq!(move_text((21, 9)), "v10");
    }

    #[test]
    fn runs_of_empty_cells_are_decimal_numbers() {
        let text = format!("{}14x/o10ox2 o 2 4", "15/".repeat(13));
        let setup = BoardSetup::parse(&text, 15).unwrap();
        assert_eq!(setup.at((14, 1)), Some(Side::First));
        assert_eq!(setup.at((11, 0)), Some(Side::Second));
        assert_eq!((setup.side, setup.captured), (Side::Second, [2, 4]));
        assert_eq!(setup.text(), text);
    }

    #[test]
    fn captured_stones_may_be_left_out_when_there_are_none() {
        assert_eq!(BoardSetup::parse("5/5/5/5/5 x", 5), Ok(BoardSetup::empty(5)));
        assert_eq!(BoardSetup::empty(5).text(), "5/5/5/5/5 x 0 0");
    }

    #[test]
    fn no_moves_are_the_empty_board() {
        assert_eq!(Written::parse("", 15), Ok(Written::Moves(vec![])));
    }

    #[test]
    fn a_board_is_drawn_with_its_names_and_its_last_move() {
        let setup = BoardSetup::parse("5/5/2x2/1o3/4x o 2 0", 5).unwrap();
        let rows = "5 . . . . .\n4 . . . . .\n3 . .(x). .\n2 . o . . .\n1 . . . . x\n  a b c d e\n";
        assert_eq!(setup.board(Some((2, 2)), false, true), rows);
        assert_eq!(
            setup.board(Some((2, 2)), true, false),
            format!("{rows}captured: x 2, o 0\no to move\n"),
            "captures and turn come below"
        );
        assert!(setup.board(Some((4, 0)), false, true).contains("1 . . . .(x)\n"));
        assert!(BoardSetup::empty(10).board(None, false, true).contains("\n 9 . ."));
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let error = |text| Written::parse(text, 5).unwrap_err().to_string();
        assert_eq!(error("h8"), "a move is a cell from `a1` to `e5`, not `h8`");
        assert!(error("a6").contains("not `a6`"));
        assert!(error("a0").contains("not `a0`"));
        assert!(error("a+1").contains("not `a+1`"));
        assert!(error("a1b").contains("not `b`"));
        assert!(error("a1 3c").contains("not `3`"));
        assert!(error("5/5/5/5/5").contains("side to move"));
        assert!(error("5/5/5/5/5 x 1").contains("captured"));
        assert!(error("5/5/5/5/5 w").contains("`x` or `o`, not `w`"));
        assert!(error("5/5/5/5/5 x -2 0").contains("not `-2`"));
        assert!(error("5/5/5/5 x").contains("5 rows separated by `/`, not 4"));
        assert!(error("5/5/5/6/5 x").contains("`6` has more than 5 cells"));
        assert!(error("5/5/5/99999999999999999999999/5 x").contains("more than 5 cells"));
        assert!(error("5/5/5/2x1/5 x").contains("`2x1` has 4 cells instead of 5"));
        assert!(error("5/5/5/0x4/5 x").contains("not `0`"));
        assert!(error("5/5/5/#4/5 x").contains("not `#`"));
    }
}
