//! What binds the first moves of a game.
//!
//! Whoever moves first has the advantage in these games, and opening rules take some of it away in one of two ways.
//! Some restrict where the first player's stones may stand ([`Opening::allows`]); this is a rule of the board. Others
//! let the players bargain about who plays which colour ([`SwapPhase`]); the board knows nothing of that, and whoever
//! conducts the game (a protocol, a terminal, a web page) leads the players through it.
//!
//! | opening | first stone | third stone (the first player's second) | bargain |
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
//! shrinks to the greatest there is. The cells at that distance or beyond always include a whole edge of the board, and
//! only one stone besides the first is there to occupy it: the restriction never leaves a player without a move.
//!
//! A bargain is a small state machine. Two players, the opener and the responder, place stones and choose until it is
//! settled who plays first:
//!
//! ```
//! use polyply_five::opening::{Choice, Opening, Player, SwapPhase};
//!
//! let mut phase = Opening::Swap2.bargain();
//! for _ in 0..3 {
//!     assert_eq!(phase.to_act(), Some(Player::Opener));
//!     phase = phase.place().unwrap();
//! }
//! assert_eq!(phase.options(), [Choice::Stay, Choice::Swap, Choice::PlaceTwo]);
//! phase = phase.choose(Choice::Swap).unwrap();
//! assert_eq!(phase, SwapPhase::Settled { first: Player::Responder });
//! ```

use crate::settings::named;

named! {
    /// An opening rule.
    pub enum Opening {
        /// Nothing binds the first moves.
        None = "none",
        /// The third stone is at least 3 away from the first.
        Open = "open",
        /// The first stone is in the centre, the third at least 3 away.
        Pro = "pro",
        /// The first stone is in the centre, the third at least 4 away.
        LongPro = "long_pro",
        /// One player places three stones, the other picks a colour.
        Swap = "swap",
        /// As swap, but the other may place two more stones and let the first pick.
        Swap2 = "swap2",
    }
}

impl Opening {
    /// The opening rule lets the next stone be placed at column `x`, row `y` of an empty cell.
    ///
    /// `stones` is the number of moves made so far (stones on the board and stones captured); `first_stone` is where the
    /// first player's first stone is. Only the first and the third move are ever bound; where the first stone is not
    /// known the third is free.
    pub fn allows(self, size: usize, stones: usize, first_stone: Option<(usize, usize)>, x: usize, y: usize) -> bool {
        match (stones, first_stone) {
            (0, _) => !self.first_in_centre() || (is_central(size, x) && is_central(size, y)),
            (2, Some(first)) => {
                let greatest = farthest(size, first.0).max(farthest(size, first.1));
                x.abs_diff(first.0).max(y.abs_diff(first.1)) >= self.distance().min(greatest)
            }
            _ => true,
        }
    }

    /// How the bargain about colours begins; settled from the start where there is none.
    pub const fn bargain(self) -> SwapPhase {
        match self {
            Opening::Swap => SwapPhase::Place { who: Player::Opener, left: 3, may_place_two: false },
            Opening::Swap2 => SwapPhase::Place { who: Player::Opener, left: 3, may_place_two: true },
            _ => SwapPhase::Settled { first: Player::Opener },
        }
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

/// The two who bargain, before it is known which colour they play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Player {
    /// Places the first stones. Plays first unless somebody swaps.
    Opener,
    /// The other one.
    Responder,
}

impl Player {
    /// The opponent.
    pub const fn other(self) -> Player {
        match self {
            Player::Opener => Player::Responder,
            Player::Responder => Player::Opener,
        }
    }
}

named! {
    /// What a player can choose in a bargain.
    pub enum Choice {
        /// The opener plays first, as it is.
        Stay = "stay",
        /// The colours change hands: the responder plays first.
        Swap = "swap",
        /// Place two more stones, one of each colour, and let the opponent choose.
        PlaceTwo = "place_two",
    }
}

/// Where a bargain about colours stands.
///
/// Stones are placed in turn of colours throughout: the first player's, the second's, the first's and so on, whoever
/// places them. So when the bargain is settled, after three or five stones, the second player is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SwapPhase {
    /// A player places stones of both colours in turn.
    Place {
        /// Who places.
        who: Player,
        /// How many are left to place, at least one.
        left: u8,
        /// The opponent will have the choice to place two more.
        may_place_two: bool,
    },
    /// A player chooses one of [`SwapPhase::options`].
    Choose {
        /// Who chooses.
        who: Player,
        /// Placing two more stones is one of the choices.
        may_place_two: bool,
    },
    /// The players have their colours and play on.
    Settled {
        /// Who plays first.
        first: Player,
    },
}

impl SwapPhase {
    /// Whose turn it is to place or choose; nobody's when the bargain is settled.
    pub const fn to_act(self) -> Option<Player> {
        match self {
            SwapPhase::Place { who, .. } | SwapPhase::Choose { who, .. } => Some(who),
            SwapPhase::Settled { .. } => None,
        }
    }

    /// What can be chosen now.
    pub const fn options(self) -> &'static [Choice] {
        match self {
            SwapPhase::Choose { may_place_two: true, .. } => &[Choice::Stay, Choice::Swap, Choice::PlaceTwo],
            SwapPhase::Choose { may_place_two: false, .. } => &[Choice::Stay, Choice::Swap],
            SwapPhase::Place { .. } | SwapPhase::Settled { .. } => &[],
        }
    }

    /// After one more stone. The error is one sentence.
    pub fn place(self) -> Result<SwapPhase, String> {
        match self {
            SwapPhase::Place { who, left, may_place_two } if left > 1 => {
                Ok(SwapPhase::Place { who, left: left - 1, may_place_two })
            }
            SwapPhase::Place { who, may_place_two, .. } => Ok(SwapPhase::Choose { who: who.other(), may_place_two }),
            SwapPhase::Choose { .. } => Err(format!("it is time to choose ({}), not to place a stone", self.choices())),
            SwapPhase::Settled { .. } => Err("the opening is over: stones are placed by the players' turns".into()),
        }
    }

    /// After a choice. The error is one sentence.
    pub fn choose(self, choice: Choice) -> Result<SwapPhase, String> {
        match (self, choice) {
            (SwapPhase::Choose { .. }, Choice::Stay) => Ok(SwapPhase::Settled { first: Player::Opener }),
            (SwapPhase::Choose { .. }, Choice::Swap) => Ok(SwapPhase::Settled { first: Player::Responder }),
            (SwapPhase::Choose { who, may_place_two: true }, Choice::PlaceTwo) => {
                Ok(SwapPhase::Place { who, left: 2, may_place_two: false })
            }
            (SwapPhase::Choose { .. }, _) => Err(format!("the choice is {}, not {}", self.choices(), choice.name())),
            (SwapPhase::Place { left, .. }, _) => {
                Err(format!("stones are to be placed ({left} more) before there is a choice"))
            }
            (SwapPhase::Settled { .. }, _) => Err("the opening is over: there is nothing left to choose".into()),
        }
    }

    fn choices(self) -> String {
        let names: Vec<&str> = self.options().iter().map(|choice| choice.name()).collect();
        names.join(" or ")
    }
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

    fn placed(mut phase: SwapPhase, who: Player, stones: usize) -> SwapPhase {
        for _ in 0..stones {
            assert_eq!(phase.to_act(), Some(who));
            assert!(phase.options().is_empty());
            phase = phase.place().unwrap();
        }
        phase
    }

    #[test]
    fn swap_ends_with_the_responders_choice() {
        let phase = placed(Opening::Swap.bargain(), Player::Opener, 3);
        assert_eq!(phase.to_act(), Some(Player::Responder));
        assert_eq!(phase.options(), [Choice::Stay, Choice::Swap]);
        assert_eq!(phase.choose(Choice::Stay), Ok(SwapPhase::Settled { first: Player::Opener }));
        assert_eq!(phase.choose(Choice::Swap), Ok(SwapPhase::Settled { first: Player::Responder }));
        assert_eq!(phase.choose(Choice::PlaceTwo).unwrap_err(), "the choice is stay or swap, not place_two");
    }

    #[test]
    fn swap2_can_give_the_choice_back() {
        let phase = placed(Opening::Swap2.bargain(), Player::Opener, 3);
        assert_eq!(phase.to_act(), Some(Player::Responder));
        assert_eq!(phase.choose(Choice::Stay), Ok(SwapPhase::Settled { first: Player::Opener }));
        let phase = placed(phase.choose(Choice::PlaceTwo).unwrap(), Player::Responder, 2);
        assert_eq!(phase.to_act(), Some(Player::Opener));
        assert_eq!(phase.options(), [Choice::Stay, Choice::Swap]);
        assert_eq!(phase.choose(Choice::Swap), Ok(SwapPhase::Settled { first: Player::Responder }));
    }

    #[test]
    fn other_openings_are_settled_from_the_start() {
        for opening in [Opening::None, Opening::Open, Opening::Pro, Opening::LongPro] {
            let phase = opening.bargain();
            assert_eq!(phase, SwapPhase::Settled { first: Player::Opener });
            assert_eq!(phase.to_act(), None);
        }
    }

    #[test]
    fn what_is_out_of_turn_is_refused_in_a_sentence() {
        let start = Opening::Swap2.bargain();
        assert!(start.choose(Choice::Swap).unwrap_err().contains("3 more"));
        let choice = placed(start, Player::Opener, 3);
        assert!(choice.place().unwrap_err().contains("stay or swap or place_two"));
        let settled = choice.choose(Choice::Stay).unwrap();
        assert!(settled.place().unwrap_err().contains("over"));
        assert!(settled.choose(Choice::Stay).unwrap_err().contains("over"));
    }
}
