//! Opening rules, which restrict the first moves of a game.
//!
//! The first player has an advantage in these games, and opening rules reduce it. Some restrict where the first
//! player's stones may be ([`Opening::allows`]). Others let the players settle who plays which colour
//! ([`polyply_core::swap`]), which does not concern the board.
//!
//! | opening | first stone | third stone (the first player's second) | colours |
//! |---|---|---|---|
//! | `none` | anywhere | anywhere | none |
//! | `open` | anywhere | at least 3 away from the first | none |
//! | `pro` | in the centre | at least 3 away from the first | none |
//! | `long_pro` | in the centre | at least 4 away from the first | none |
//! | `swap` | anywhere | anywhere | three stones, then the other player picks a colour |
//! | `swap2` | anywhere | anywhere | the same, or the other places two more and lets the first pick |
//!
//! Distance is the greater of the distances in rows and in columns. A board of even size has four cells in the centre.
//!
//! On a board too small for a third stone that far away (5×5 with the first stone in the middle, say) the distance
//! shrinks to the greatest possible one. The cells at that distance always include a whole edge of the board, and only
//! one stone besides the first can be on it: the rule never leaves a player without a move.

use crate::settings::named;

named! {
    /// An opening rule.
    pub enum Opening {
        /// No restriction.
        None = "none",
        /// The third stone is at least 3 away from the first.
        Open = "open",
        /// The first stone is in the centre, the third at least 3 away.
        Pro = "pro",
        /// The first stone is in the centre, the third at least 4 away.
        LongPro = "long_pro",
        /// One player places three stones, the other picks a colour.
        Swap = "swap",
        /// Like swap, but the other player may instead place two more stones and let the first player pick.
        Swap2 = "swap2",
    }
}

impl Opening {
    /// Whether the opening rule allows the next stone on the empty cell in column `x` and row `y`.
    ///
    /// `stones` is the number of moves made so far (stones on the board and stones captured); `first_stone` is where
    /// the first player's first stone is. Only the first and the third move are ever bound; where the first stone is
    /// not known the third is free.
    pub fn allows(self, size: usize, stones: usize, first_stone: Option<(usize, usize)>, x: usize, y: usize) -> bool {
        match (stones, first_stone) {
            (0, _) => !self.first_in_centre() || (is_central(size, x) && is_central(size, y)),
            (2, Some(first)) => x.abs_diff(first.0).max(y.abs_diff(first.1)) >= self.least_distance(size, first),
            _ => true,
        }
    }

    /// How far from the first stone the third has to be on a board of this size.
    pub fn least_distance(self, size: usize, first: (usize, usize)) -> usize {
        self.distance().min(farthest(size, first.0).max(farthest(size, first.1)))
    }

    const fn first_in_centre(self) -> bool {
        matches!(self, Opening::Pro | Opening::LongPro)
    }

    /// How far from the first stone the third has to be.
    const fn distance(self) -> usize {
        match self {
            Opening::Open | Opening::Pro => 3,
            Opening::LongPro => 4,
            Opening::None | Opening::Swap | Opening::Swap2 => 0,
        }
    }
}

const fn is_central(size: usize, coordinate: usize) -> bool {
    coordinate == size / 2 || coordinate == (size - 1) / 2
}

fn farthest(size: usize, coordinate: usize) -> usize {
    coordinate.max(size - 1 - coordinate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SIZES;

    fn cells(size: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..size * size).map(move |cell| (cell % size, cell / size))
    }

    #[test]
    fn without_a_restriction_every_cell_is_allowed() {
        for opening in [Opening::None, Opening::Swap, Opening::Swap2] {
            for (x, y) in cells(7) {
                assert!(opening.allows(7, 0, None, x, y));
                assert!(opening.allows(7, 2, Some((3, 3)), x, y));
            }
        }
    }

    #[test]
    fn pro_begins_in_the_centre() {
        for opening in [Opening::Pro, Opening::LongPro] {
            let central = |size| cells(size).filter(|&(x, y)| opening.allows(size, 0, None, x, y)).collect::<Vec<_>>();
            assert_eq!(central(15), [(7, 7)]);
            assert_eq!(central(20), [(9, 9), (10, 9), (9, 10), (10, 10)]);
        }
        assert!(Opening::Open.allows(15, 0, None, 0, 0));
    }

    #[test]
    fn the_third_stone_keeps_its_distance_in_rows_or_columns() {
        for (opening, distance) in [(Opening::Open, 3), (Opening::Pro, 3), (Opening::LongPro, 4)] {
            for (x, y) in cells(15) {
                let away = x.abs_diff(7).max(y.abs_diff(7)) >= distance;
                assert_eq!(opening.allows(15, 2, Some((7, 7)), x, y), away, "{opening:?} {x} {y}");
            }
        }
    }

    #[test]
    fn the_second_and_the_fourth_stone_are_free() {
        for &opening in Opening::ALL {
            for stones in [1, 3, 4, 100] {
                assert!(opening.allows(15, stones, Some((7, 7)), 7, 8));
            }
        }
    }

    #[test]
    fn no_board_is_too_small_for_a_third_stone() {
        for size in SIZES {
            for &opening in Opening::ALL {
                for first in cells(size) {
                    let free = cells(size).filter(|&(x, y)| opening.allows(size, 2, Some(first), x, y)).count();
                    assert!(free >= size, "{opening:?} on {size} after {first:?}");
                }
            }
        }
        assert!(Opening::Open.allows(5, 2, Some((2, 2)), 4, 2));
        assert!(!Opening::Open.allows(5, 2, Some((2, 2)), 3, 2));
    }
}
