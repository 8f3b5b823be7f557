//! What the two games look like.

use crate::connect4::Connect4;
use crate::tictactoe::TicTacToe;
use polyply_core::game::Game;
use polyply_core::look::{Layout, Look, MoveCells, Pieces, Surface};

impl Look for TicTacToe {
    /// The evaluation counts open lines; it is seldom far from 0, and the search sees to the end anyway.
    const CHANCE: f64 = 50.0;

    fn layout(&self) -> Layout {
        Layout {
            surface: Surface::Squares,
            pieces: Pieces::Marks,
            colours: ["cross", "nought"],
            columns: 3,
            rows: 3,
            checkered: false,
            first_row_on_top: false,
        }
    }

    fn codes(&self) -> Vec<Option<&'static str>> {
        self.rows().codes()
    }

    fn cells(&self, cell: <Self as Game>::Move) -> MoveCells {
        MoveCells::to(self.layout().cell(cell.column(), cell.row()))
    }

    fn winning_line(&self) -> Vec<usize> {
        self.rows().in_a_row(3)
    }

    fn reason(&self) -> &'static str {
        if self.winning_line().is_empty() { "full board" } else { "line" }
    }
}

impl Look for Connect4 {
    /// A threat that decides the endgame is worth this much, and does not always decide it.
    const CHANCE: f64 = 60.0;

    fn layout(&self) -> Layout {
        Layout {
            surface: Surface::Columns,
            pieces: Pieces::Discs,
            colours: ["red", "yellow"],
            columns: 7,
            rows: 6,
            checkered: false,
            first_row_on_top: false,
        }
    }

    fn codes(&self) -> Vec<Option<&'static str>> {
        self.rows().codes()
    }

    fn cells(&self, cell: <Self as Game>::Move) -> MoveCells {
        MoveCells::to(self.layout().cell(cell.column(), cell.row()))
    }

    fn winning_line(&self) -> Vec<usize> {
        self.rows().in_a_row(4)
    }

    fn reason(&self) -> &'static str {
        if self.winning_line().is_empty() { "full board" } else { "line" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;

    #[test]
    fn a_winning_line_is_told_by_its_cells_from_the_top_left() {
        let row = Connect4::start().parse("4455667").unwrap();
        assert_eq!(row.winning_line(), [38, 39, 40, 41]);
        assert_eq!(row.reason(), "line");
        let falling = TicTacToe::start().parse("x2/1xo/o1x o").unwrap();
        assert_eq!(falling.winning_line(), [0, 4, 8]);
        assert!(Connect4::start().parse("44").unwrap().winning_line().is_empty());
    }
}
