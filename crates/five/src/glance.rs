//! What people see of five in a row: which cells they think of, and which threats they overlook.

use crate::cell::{Cell, CellSet, DIRECTIONS};
use crate::position::Five;
use crate::rule::Rule;
use crate::search::FiveParams;
use crate::shape::Shape;
use polyply_core::game::{Game, Side};
use polyply_core::glance::Glance;

/// How much more easily a threat on a diagonal is overlooked.
const DIAGONAL: u8 = 20;
/// How much more easily a threat is overlooked far from the last move.
const FAR: u8 = 15;
/// From this distance on it is far.
const FAR_FROM: usize = 5;

/// A motif: its name, how easily it is overlooked, and the side whose row it is about.
type Idea = (&'static str, u8, Side);

impl<R: Rule> Five<R> {
    /// The cells near stones, with the threats that a stone there makes or stops.
    pub(crate) fn seen_by_people(&self) -> Vec<Glance<Cell>> {
        let (side, other) = (self.side(), self.side().other());
        let mut near = self.near();
        self.retain_legal(&mut near);
        if near.is_empty() {
            // An opening rule forbids everything near; people play as near as they may.
            near = self.board.empty().clone();
            self.retain_legal(&mut near);
            let nearest = near.iter().map(|cell| self.steps_from_last(cell)).min().unwrap_or(0);
            near.retain(|cell| self.steps_from_last(cell) <= nearest + 1);
        }
        let stops = self.stops_of_open_fours(other);
        let (takes, loses) = match R::CAPTURES {
            true => (self.capturing(side), self.capturing(other)),
            false => (CellSet::EMPTY, CellSet::EMPTY),
        };
        let params = FiveParams::default();
        let glance = |cell: Cell| {
            let [own, theirs] = [side, other].map(|side| self.promise(cell, side));
            let aggression = 100 * (own - theirs) / (own.abs() + theirs.abs()).max(1);
            let seen = Glance {
                aggression: aggression.clamp(-100, 100) as i8,
                ..Glance::ordinary(cell, self.static_order(cell, &params))
            };
            let pair = if takes.contains(cell) {
                Some(("capture", 25, side))
            } else {
                loses.contains(cell).then_some(("save_pair", 55, other))
            };
            match self.idea(cell, stops.contains(cell), pair) {
                Some((name, subtlety, whose)) => seen.with_motif(name, subtlety + self.remoteness(cell, whose)),
                None => seen,
            }
        };
        near.iter().map(glance).collect()
    }

    /// The cells that stop every open four which a side threatens.
    fn stops_of_open_fours(&self, attacker: Side) -> CellSet {
        let mut stops = CellSet::EMPTY;
        if self.has_open_four(attacker) {
            match R::CAPTURES {
                true => stops = self.open_four_defences_with_captures(attacker),
                false => self.open_four_defences(attacker).into_iter().for_each(|cell| stops.insert(cell)),
            }
        }
        stops
    }

    /// The most important idea behind a move.
    fn idea(&self, cell: Cell, stops_open_four: bool, pair: Option<Idea>) -> Option<Idea> {
        let (side, other) = (self.side(), self.side().other());
        let idea = match (self.shape(cell, side), self.shape(cell, other)) {
            (Shape::Five, _) => ("five", 5, side),
            (_, Shape::Five) => ("stop_five", 20, other),
            (Shape::OpenFour | Shape::FourFour, _) => ("open_four", 30, side),
            (Shape::FourThree, _) => ("four_three", 55, side),
            _ if pair.is_some() => return pair,
            _ if stops_open_four => ("stop_three", 35, other),
            (_, Shape::OpenFour | Shape::FourFour) => ("stop_three", 35, other),
            (Shape::ThreeThree, _) => ("double_three", 55, side),
            (_, Shape::FourThree | Shape::ThreeThree) => ("stop_double", 70, other),
            (Shape::Four, _) => ("four", 20, side),
            (Shape::OpenThree, _) => ("three", 15, side),
            _ => return None,
        };
        Some(idea)
    }

    /// How much more easily people overlook a threat for where it is.
    fn remoteness(&self, cell: Cell, whose: Side) -> u8 {
        let carrier = (0..DIRECTIONS).max_by_key(|&direction| self.pattern(cell, direction, whose));
        let diagonal = if carrier.is_some_and(|direction| direction >= 2) { DIAGONAL } else { 0 };
        let far = self.steps_from_last(cell) >= FAR_FROM;
        diagonal + if far { FAR } else { 0 }
    }

    /// How many columns or rows, whichever are more, a cell is away from the last move; 0 without one.
    fn steps_from_last(&self, cell: Cell) -> usize {
        self.last().map_or(0, |last| cell.x().abs_diff(last.x()).max(cell.y().abs_diff(last.y())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Capture, Freestyle};
    use polyply_core::game::Notation;

    fn motif<R: Rule>(game: &Five<R>, cell: &str) -> Option<(&'static str, u8)> {
        let cell = game.parse_move(cell).unwrap();
        let glance = game.seen_by_people().into_iter().find(|glance| glance.mv == cell)?;
        glance.motif.map(|name| (name, glance.subtlety))
    }

    #[test]
    fn threats_have_names_and_diagonals_are_overlooked_more() {
        let row = Five::<Freestyle>::start().parse("h8 a1 i8 a3 j8").unwrap();
        let diagonal = Five::<Freestyle>::start().parse("h8 a1 i9 a3 j10").unwrap();
        let (straight, slanted) = (motif(&row, "k8").unwrap(), motif(&diagonal, "k11").unwrap());
        assert_eq!((straight.0, slanted.0), ("stop_three", "stop_three"));
        assert!(straight.1 < slanted.1);
        assert_eq!(motif(&row, "i10"), None);
        let four = Five::<Freestyle>::start().parse("h8 a1 i8 a3 j8 g8 k8").unwrap();
        assert_eq!(motif(&four, "l8").map(|(name, _)| name), Some("stop_five"));
    }

    #[test]
    fn pairs_are_taken_and_saved() {
        let game = Five::<Capture>::start().parse("j10 k10 a1 l10").unwrap();
        assert_eq!(motif(&game, "m10").map(|(name, _)| name), Some("capture"));
        let game = Five::<Capture>::start().parse("j10 k10 a1 l10 a3").unwrap();
        assert_eq!(motif(&game, "m10").map(|(name, _)| name), Some("save_pair"));
    }

    #[test]
    fn nobody_thinks_of_cells_far_from_all_stones() {
        let game = Five::<Freestyle>::start().parse("h8 i9").unwrap();
        let seen = game.seen_by_people();
        assert!(!seen.is_empty() && seen.iter().all(|glance| game.steps_from_last(glance.mv) <= 4));
    }
}
