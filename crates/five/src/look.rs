//! How the games of the family look.

use crate::cell::Cell;
use crate::position::Five;
use crate::rule::Rule;
use polyply_core::game::{Game, Side};
use polyply_core::look::{self, CAPTURED, Layout, Look, MoveCells, Pieces, Surface, Unseen, Wishes};

impl<R: Rule> Five<R> {
    /// All cells from the top left, row by row.
    fn top_down(&self) -> impl Iterator<Item = Cell> {
        let size = self.settings().size;
        (0..size).rev().flat_map(move |y| (0..size).map(move |x| Cell::at(x, y)))
    }

    /// The indices of the cells that pass, counted from the top left.
    fn places(&self, is_one: impl Fn(Cell) -> bool) -> Vec<usize> {
        self.top_down().enumerate().filter(|&(_, cell)| is_one(cell)).map(|(place, _)| place).collect()
    }
}

impl<R: Rule> Look for Five<R> {
    /// The unit of the learned evaluation.
    const CHANCE: f64 = 200.0;

    fn layout(&self) -> Layout {
        Layout {
            surface: Surface::Points,
            pieces: Pieces::Stones,
            colours: ["black", "white"],
            columns: self.settings().size,
            rows: self.settings().size,
            checkered: false,
            first_row_on_top: false,
            walls: false,
            facing: false,
        }
    }

    fn codes(&self) -> Vec<Option<&'static str>> {
        self.top_down().map(|cell| self.stone(cell).map(look::piece)).collect()
    }

    fn cells(&self, cell: Cell) -> MoveCells {
        MoveCells::to(self.layout().cell(cell.x(), cell.y()))
    }

    fn winning_line(&self) -> Vec<usize> {
        match self.winner() {
            Some(winner) => self.places(|cell| self.wins_through(cell, winner)),
            None => Vec::new(),
        }
    }

    fn forbidden(&self) -> Vec<usize> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.places(|cell| self.stone(cell).is_none() && !self.is_legal(cell))
    }

    fn counters(&self) -> Vec<(&'static str, [u32; 2])> {
        if R::CAPTURES { vec![("captured", self.captures().map(u32::from))] } else { Vec::new() }
    }

    fn reason(&self) -> &'static str {
        match self.winner() {
            None => "full board",
            Some(winner) if self.captures_win(winner, 0) => "captures",
            Some(_) => "line",
        }
    }

    fn arranged(&self, codes: &[Option<&str>], side: Side, wishes: &Wishes) -> String {
        let rows = look::rows(codes, self.settings().size, |code| code.to_owned());
        let [first, second] = CAPTURED.map(|key| wishes.get(key).map_or("0", String::as_str));
        format!("{rows} {} {first} {second}", look::piece(side))
    }

    fn unseen(&self) -> Vec<Unseen> {
        let Some(rules) = self.settings().capture.filter(|_| R::CAPTURES) else { return Vec::new() };
        // Stones are captured in pairs, and with the last one the game is over.
        let values = || (0..rules.stones_to_win).step_by(2).map(|stones| stones.to_string()).collect();
        let unseen = |(key, stones): (&'static str, u8)| Unseen { key, value: stones.to_string(), values: values() };
        CAPTURED.into_iter().zip(self.captures()).map(unseen).collect()
    }

    fn other_to_move(&self) -> Option<Self> {
        let stones = [Side::First, Side::Second];
        let stones = stones.into_iter().flat_map(|side| {
            self.top_down().filter(move |&cell| self.stone(cell) == Some(side)).map(move |cell| (cell, side))
        });
        let other = Five::set_up(*self.settings(), stones, self.side().other(), self.captures()).ok()?;
        other.outcome().is_none().then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Capture, Caro, Freestyle};
    use polyply_core::game::Notation;

    #[test]
    fn the_winning_row_is_told_top_down_left() {
        let won = Five::<Freestyle>::start().parse("a15 a1 b15 b1 c15 c1 d15 d1 e15").unwrap();
        assert_eq!(won.winning_line(), [0, 1, 2, 3, 4]);
        assert_eq!(won.reason(), "line");
        assert_eq!(won.codes()[..6], [Some("x"), Some("x"), Some("x"), Some("x"), Some("x"), None]);
        assert_eq!(won.codes()[14 * 15], Some("o"));
    }

    #[test]
    fn what_the_opening_rule_forbids_is_shown() {
        let caro = Five::<Caro>::start().parse("j10 j11").unwrap();
        // Five rows of five around the first stone, without the two stones.
        assert_eq!(caro.forbidden().len(), 23);
    }

    #[test]
    fn captured_stones_are_counted_and_can_win() {
        let capture = Five::<Capture>::start().parse("j10 k10 a1 l10 m10").unwrap();
        assert_eq!(capture.counters(), [("captured", [2, 0])]);
        assert_eq!(Five::<Caro>::start().counters(), []);
    }

    #[test]
    fn captured_stones_can_be_set_up() {
        let capture = Five::<Capture>::start().parse("j10 k10 a1 l10 m10").unwrap();
        let unseen = capture.unseen();
        assert_eq!((unseen[0].key, unseen[0].value.as_str()), ("captured_first", "2"));
        assert_eq!(unseen[0].values, ["0", "2", "4", "6", "8"]);
        let wishes = Wishes::from([("captured_second".to_owned(), "6".to_owned())]);
        let text = capture.arranged(&capture.codes(), Side::First, &wishes);
        assert_eq!(capture.parse(&text).unwrap().captures(), [0, 6]);
        assert_eq!(Five::<Caro>::start().unseen(), []);
    }

    #[test]
    fn the_other_side_can_be_to_move() {
        let game = Five::<Freestyle>::start().parse("h8 i9").unwrap();
        let other = game.other_to_move().unwrap();
        assert_eq!((game.side(), other.side()), (Side::First, Side::Second));
        assert_eq!(other.codes(), game.codes());
    }
}
