//! Boards as text: rows from the top separated by `/`, `x` for the first player, `o` for the second, digits for runs of
//! empty cells, then a space and the side to move, as in `3/1x1/3 o`.

use polyply_core::game::Side;
use polyply_core::look::{self, Layout, Pieces, Surface};
use polyply_core::refusal::{Refusal, common};
use polyply_core::rows::{letter, parse_row, row_text};

/// A board of `W` columns and `H` rows, as it is written: not checked by any rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows<const W: usize, const H: usize> {
    /// `cells[row][column]`, row 0 at the bottom.
    pub cells: [[Option<Side>; W]; H],
    /// The side to move.
    pub side: Side,
}

impl<const W: usize, const H: usize> Rows<W, H> {
    /// Parses the text.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let (board, side) = text.split_once(' ').ok_or_else(|| common::side_missing("x", "o"))?;
        let side = match side {
            "x" => Side::First,
            "o" => Side::Second,
            other => return Err(common::side_unknown("x", "o", other)),
        };
        let lines: Vec<&str> = board.split('/').collect();
        if lines.len() != H {
            return Err(common::row_count(H, lines.len()));
        }
        let mut cells = [[None; W]; H];
        for (row, line) in cells.iter_mut().rev().zip(lines) {
            row.copy_from_slice(&parse_row(line, W)?);
        }
        Ok(Rows { cells, side })
    }

    /// The text that [`Rows::parse`] reads back.
    pub fn text(&self) -> String {
        let lines: Vec<String> = self.cells.iter().rev().map(|row| row_text(row)).collect();
        format!("{} {}", lines.join("/"), letter(Some(self.side)))
    }

    /// Draws the board for a terminal, with the columns named below, and the side to move unless the game is over.
    pub fn board(&self, over: bool) -> String {
        let mut drawn = String::new();
        for (number, row) in self.cells.iter().enumerate().rev() {
            let cells: Vec<String> = row.iter().map(|&cell| letter(cell).to_string()).collect();
            drawn += &format!("{} {}\n", number + 1, cells.join(" "));
        }
        let columns: Vec<String> = ('a'..).take(W).map(String::from).collect();
        drawn += &format!("  {}\n", columns.join(" "));
        if over { drawn } else { drawn + &format!("{} to move\n", letter(Some(self.side))) }
    }

    /// The board without pieces.
    pub fn layout(&self, surface: Surface, pieces: Pieces, colours: [&'static str; 2]) -> Layout {
        let (checkered, first_row_on_top, walls, facing) = (false, false, false, false);
        Layout { surface, pieces, colours, columns: W, rows: H, checkered, first_row_on_top, walls, facing }
    }

    /// The codes of all cells, row by row from the top left.
    pub fn codes(&self) -> Vec<Option<&'static str>> {
        self.cells.iter().rev().flatten().map(|cell| cell.map(look::piece)).collect()
    }

    /// The cells of all rows of `length` that belong to one side, counted from the top left.
    pub fn in_a_row(&self, length: usize) -> Vec<usize> {
        let at = |column: usize, row: usize| self.cells.get(row).and_then(|cells| *cells.get(column)?);
        let mut line = Vec::new();
        for (row, column) in (0..H).flat_map(|row| (0..W).map(move |column| (row, column))) {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let step = |count: usize| (column.wrapping_add_signed(right * count as isize), row + up * count);
                let cells: Vec<_> = (0..length).map(step).collect();
                let owner = at(column, row);
                if owner.is_some() && cells.iter().all(|&(column, row)| at(column, row) == owner) {
                    line.extend(cells.iter().map(|&(column, row)| (H - 1 - row) * W + column));
                }
            }
        }
        line.sort_unstable();
        line.dedup();
        line
    }

    /// Why the game is over, if `length` in a row win.
    pub fn reason(&self, length: usize) -> &'static str {
        if self.in_a_row(length).is_empty() { "full board" } else { "line" }
    }

    /// The number of a side's pieces.
    pub fn count(&self, side: Side) -> usize {
        self.cells.iter().flatten().filter(|&&cell| cell == Some(side)).count()
    }

    /// Fails unless the sides have taken turns, starting with the first, and `side` is next.
    pub fn check_turns(&self) -> Result<(), Refusal> {
        let (first, second) = (self.count(Side::First), self.count(Side::Second));
        let next = match first.checked_sub(second) {
            Some(0) => Side::First,
            Some(1) => Side::Second,
            _ => return Err(common::stone_counts(first, second)),
        };
        if self.side != next {
            return Err(common::wrong_turn(first, second, letter(Some(next))));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_written_as_it_was_read() {
        for text in ["3/1x1/3 o", "xox/2o/x2 x", "3/3/3 x"] {
            assert_eq!(Rows::<3, 3>::parse(text).unwrap().text(), text);
        }
    }

    #[test]
    fn a_board_is_drawn_with_its_names() {
        let rows = Rows::<3, 3>::parse("2o/1x1/3 x").unwrap();
        assert_eq!(rows.board(false), "3 . . o\n2 . x .\n1 . . .\n  a b c\nx to move\n");
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let error = |text| Rows::<3, 3>::parse(text).and_then(|rows| rows.check_turns()).unwrap_err().to_string();
        assert!(error("3/3/3").contains("side to move"));
        assert!(error("3/3/3 w").contains("not `w`"));
        assert!(error("3/3 x").contains("3 rows"));
        assert!(error("3/4/3 x").contains("more than 3"));
        assert!(error("3/1x/3 x").contains("2 cells"));
        assert!(error("3/1#1/3 x").contains("not `#`"));
        assert!(error("3/xx1/3 x").contains("2 to 0"));
        assert!(error("3/x2/3 x").contains("o's turn"));
    }
}
