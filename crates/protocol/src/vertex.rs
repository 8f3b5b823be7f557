//! Points as the Go Text Protocol names them: a letter for the column, without I, and the number of the row.
//!
//! A move that places a piece is named by its point, so that a Go board can show any such game. A move from one cell to
//! another is written in the game's own notation.

use polyply_engine::Board;
use polyply_engine::look::{Layout, MoveCells};

/// The name of a cell.
fn point(layout: &Layout, cell: usize) -> String {
    let (row, column) = (cell / layout.columns, cell % layout.columns);
    let letter = ('A'..='Z').filter(|letter| *letter != 'I').nth(column).unwrap_or('?');
    format!("{letter}{}", layout.row_names()[row])
}

fn name(layout: &Layout, mv: &str, cells: &MoveCells) -> String {
    match (cells.from, cells.to) {
        (None, Some(cell)) => point(layout, cell),
        _ => mv.to_owned(),
    }
}

/// The names of all legal moves, in order.
pub fn legal(board: &Board) -> Vec<String> {
    let layout = board.variant().layout();
    board.look().legal.iter().map(|mv| name(&layout, &mv.text, &mv.cells)).collect()
}

/// The name of a legal move. Other texts are returned unchanged.
pub fn of_move(board: &Board, mv: &str) -> String {
    let layout = board.variant().layout();
    let view = board.look();
    let found = view.legal.iter().find(|legal| legal.text == mv);
    found.map_or_else(|| mv.to_owned(), |legal| name(&layout, mv, &legal.cells))
}

/// The legal move with this name, in the game's notation. Other texts are returned in lower case.
pub fn to_move(board: &Board, vertex: &str) -> String {
    let layout = board.variant().layout();
    let view = board.look();
    let called = |mv: &str, cells| name(&layout, mv, cells).eq_ignore_ascii_case(vertex);
    let found = view.legal.iter().find(|legal| called(&legal.text, &legal.cells));
    found.map_or_else(|| vertex.to_ascii_lowercase(), |legal| legal.text.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_engine::{PositionSpec, Variant};

    fn board(variant: &str, moves: &[&str]) -> Board {
        Board::at(&Variant::find(variant).unwrap(), &PositionSpec::new(None, moves)).unwrap()
    }

    #[test]
    fn columns_leave_out_the_letter_i() {
        let empty = board("freestyle:20", &[]);
        for (mv, vertex) in [("a1", "A1"), ("h8", "H8"), ("i9", "J9"), ("t19", "U19")] {
            assert_eq!(of_move(&empty, mv), vertex);
            assert_eq!(to_move(&empty, &vertex.to_lowercase()), mv);
        }
        assert_eq!(to_move(&empty, "I5"), "i5", "no point, so left to the rules");
    }

    #[test]
    fn a_disc_that_falls_is_the_point_it_lands_on() {
        let board = board("connect4", &["d"]);
        assert_eq!((of_move(&board, "d"), to_move(&board, "D2")), ("D2".into(), "d".into()));
        assert_eq!(to_move(&board, "D1"), "d1", "taken, so left to the rules");
    }
}
