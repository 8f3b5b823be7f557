//! How Othello looks.

use crate::position::Othello;
use crate::square::Square;
use polyply_core::game::{Game, Side};
use polyply_core::look::{self, Layout, Look, MoveCells, Pieces, Surface, Wishes};

impl Othello {
    /// The discs of the first and of the second player.
    fn discs_by_side(&self) -> [u64; 2] {
        let discs = self.discs();
        if self.side() == Side::First { [discs.own, discs.other] } else { [discs.other, discs.own] }
    }
}

impl Look for Othello {
    /// Four more discs in the middle game win about three games of four.
    const CHANCE: f64 = 4.0;

    fn layout(&self) -> Layout {
        Layout {
            surface: Surface::Squares,
            pieces: Pieces::Discs,
            colours: ["black", "white"],
            columns: 8,
            rows: 8,
            checkered: false,
            first_row_on_top: true,
            walls: false,
            facing: false,
        }
    }

    fn codes(&self) -> Vec<Option<&'static str>> {
        let discs = self.discs_by_side();
        let owner =
            |square: usize| [Side::First, Side::Second].into_iter().find(|side| discs[side.index()] >> square & 1 != 0);
        (0..64).map(|square| owner(square).map(look::piece)).collect()
    }

    fn cells(&self, square: Square) -> MoveCells {
        if square == Square::PASS { MoveCells::default() } else { MoveCells::to(square.index()) }
    }

    fn counters(&self) -> Vec<(&'static str, [u32; 2])> {
        vec![("discs", self.discs_by_side().map(u64::count_ones))]
    }

    fn reason(&self) -> &'static str {
        "discs"
    }

    fn arranged(&self, codes: &[Option<&str>], side: Side, _: &Wishes) -> String {
        let letter = |code: &Option<&str>| match code {
            Some("x") => 'X',
            Some(_) => 'O',
            None => '-',
        };
        let cells: String = codes.iter().map(letter).collect();
        format!("{cells} {}", if side == Side::First { 'X' } else { 'O' })
    }

    fn other_to_move(&self) -> Option<Self> {
        let other = Othello::new(self.discs().passed(), self.side().other());
        (other.legal() != 0).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::Notation;

    #[test]
    fn the_start_shows_four_discs_and_counts_them() {
        let start = Othello::start();
        let codes = start.codes();
        assert_eq!([codes[27], codes[28], codes[35], codes[36]], [Some("o"), Some("x"), Some("x"), Some("o")]);
        assert_eq!(start.counters(), [("discs", [2, 2])]);
        assert_eq!(start.layout().row_names()[0], "1");
        assert_eq!(start.other_to_move().unwrap().side(), Side::Second);
    }
}
