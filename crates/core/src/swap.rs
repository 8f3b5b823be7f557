//! Swap rules: how the players decide who plays first, in games in which the first move is an advantage.
//!
//! Two players, the opener and the responder, place stones and choose until it is settled who plays first. The position
//! itself does not know about it: the program that conducts the game (a protocol, a terminal, a web page) leads the
//! players through it.
//!
//! ```
//! use polyply_core::swap::{Role, Swap, SwapChoice};
//!
//! let mut swap = Swap::after_placing(3, true);
//! for _ in 0..3 {
//!     assert_eq!(swap.to_act(), Some(Role::Opener));
//!     swap = swap.place().unwrap();
//! }
//! assert_eq!(swap.options(), [SwapChoice::Stay, SwapChoice::Swap, SwapChoice::PlaceTwo]);
//! swap = swap.choose(SwapChoice::Swap).unwrap();
//! assert_eq!(swap, Swap::Settled { first: Role::Responder });
//! ```

use crate::refusal::{Refusal, common};

/// The two players before it is known which side they play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// Places the first stones. Plays first unless a player swaps.
    Opener,
    /// The other player.
    Responder,
}

impl Role {
    /// The opponent.
    pub const fn other(self) -> Role {
        match self {
            Role::Opener => Role::Responder,
            Role::Responder => Role::Opener,
        }
    }
}

/// What a player can choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SwapChoice {
    /// The opener plays first.
    Stay,
    /// The responder plays first.
    Swap,
    /// Place two more stones, one of each side, and let the opponent choose.
    PlaceTwo,
}

impl SwapChoice {
    /// All choices.
    pub const ALL: [SwapChoice; 3] = [SwapChoice::Stay, SwapChoice::Swap, SwapChoice::PlaceTwo];

    /// Its name in commands.
    pub const fn name(self) -> &'static str {
        match self {
            SwapChoice::Stay => "stay",
            SwapChoice::Swap => "swap",
            SwapChoice::PlaceTwo => "place_two",
        }
    }

    /// The choice of this name.
    pub fn from_name(name: &str) -> Option<SwapChoice> {
        SwapChoice::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

/// The state of the swap.
///
/// The colours of the stones alternate throughout, whoever places them: first player, second player, first player, and
/// so on. So when it is settled, after three or five stones, the second player is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Swap {
    /// A player places stones of alternating colours.
    Place {
        /// Who places.
        who: Role,
        /// How many are left to place, at least one.
        left: u8,
        /// The opponent will have the choice to place two more.
        may_place_two: bool,
    },
    /// A player chooses one of [`Swap::options`].
    Choose {
        /// Who chooses.
        who: Role,
        /// Placing two more stones is one of the choices.
        may_place_two: bool,
    },
    /// The players have their sides and play on.
    Settled {
        /// Who plays first.
        first: Role,
    },
}

impl Swap {
    /// Nothing to settle: the opener plays first.
    pub const SETTLED: Swap = Swap::Settled { first: Role::Opener };

    /// The opener places this many stones; then the responder chooses, and may place two more if that is allowed.
    pub const fn after_placing(stones: u8, may_place_two: bool) -> Swap {
        Swap::Place { who: Role::Opener, left: stones, may_place_two }
    }

    /// Whose turn it is to place or choose; `None` when it is settled.
    pub const fn to_act(self) -> Option<Role> {
        match self {
            Swap::Place { who, .. } | Swap::Choose { who, .. } => Some(who),
            Swap::Settled { .. } => None,
        }
    }

    /// What can be chosen now.
    pub const fn options(self) -> &'static [SwapChoice] {
        match self {
            Swap::Choose { may_place_two: true, .. } => &SwapChoice::ALL,
            Swap::Choose { may_place_two: false, .. } => &[SwapChoice::Stay, SwapChoice::Swap],
            Swap::Place { .. } | Swap::Settled { .. } => &[],
        }
    }

    /// The state after one more stone.
    pub fn place(self) -> Result<Swap, Refusal> {
        match self {
            Swap::Place { who, left, may_place_two } if left > 1 => {
                Ok(Swap::Place { who, left: left - 1, may_place_two })
            }
            Swap::Place { who, may_place_two, .. } => Ok(Swap::Choose { who: who.other(), may_place_two }),
            Swap::Choose { .. } => Err(common::time_to_choose(self.choices())),
            Swap::Settled { .. } => Err(common::opening_placed()),
        }
    }

    /// The state after a choice.
    pub fn choose(self, choice: SwapChoice) -> Result<Swap, Refusal> {
        match (self, choice) {
            (Swap::Choose { .. }, SwapChoice::Stay) => Ok(Swap::Settled { first: Role::Opener }),
            (Swap::Choose { .. }, SwapChoice::Swap) => Ok(Swap::Settled { first: Role::Responder }),
            (Swap::Choose { who, may_place_two: true }, SwapChoice::PlaceTwo) => {
                Ok(Swap::Place { who, left: 2, may_place_two: false })
            }
            (Swap::Choose { .. }, _) => Err(common::not_a_choice(self.choices(), choice.name())),
            (Swap::Place { left, .. }, _) => Err(common::stones_first(left)),
            (Swap::Settled { .. }, _) => Err(common::opening_chosen()),
        }
    }

    fn choices(self) -> String {
        let names: Vec<&str> = self.options().iter().map(|choice| choice.name()).collect();
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(mut swap: Swap, who: Role, stones: usize) -> Swap {
        for _ in 0..stones {
            assert_eq!(swap.to_act(), Some(who));
            assert!(swap.options().is_empty());
            swap = swap.place().unwrap();
        }
        swap
    }

    #[test]
    fn swap_ends_with_the_responders_choice() {
        let swap = placed(Swap::after_placing(3, false), Role::Opener, 3);
        assert_eq!(swap.to_act(), Some(Role::Responder));
        assert_eq!(swap.options(), [SwapChoice::Stay, SwapChoice::Swap]);
        assert_eq!(swap.choose(SwapChoice::Stay), Ok(Swap::Settled { first: Role::Opener }));
        assert_eq!(swap.choose(SwapChoice::Swap), Ok(Swap::Settled { first: Role::Responder }));
        assert_eq!(swap.choose(SwapChoice::PlaceTwo), Err(common::not_a_choice("stay, swap", "place_two")));
    }

    #[test]
    fn swap2_can_give_the_choice_back() {
        let swap = placed(Swap::after_placing(3, true), Role::Opener, 3);
        assert_eq!(swap.to_act(), Some(Role::Responder));
        assert_eq!(swap.choose(SwapChoice::Stay), Ok(Swap::Settled { first: Role::Opener }));
        let swap = placed(swap.choose(SwapChoice::PlaceTwo).unwrap(), Role::Responder, 2);
        assert_eq!(swap.to_act(), Some(Role::Opener));
        assert_eq!(swap.options(), [SwapChoice::Stay, SwapChoice::Swap]);
        assert_eq!(swap.choose(SwapChoice::Swap), Ok(Swap::Settled { first: Role::Responder }));
    }

    #[test]
    fn what_is_out_of_turn_is_refused_in_a_sentence() {
        let start = Swap::after_placing(3, true);
        assert!(start.choose(SwapChoice::Swap).unwrap_err().to_string().contains("3 more"));
        let choice = placed(start, Role::Opener, 3);
        assert!(choice.place().unwrap_err().to_string().contains("stay, swap, place_two"));
        let settled = choice.choose(SwapChoice::Stay).unwrap();
        assert!(settled.place().unwrap_err().to_string().contains("over"));
        assert!(settled.choose(SwapChoice::Stay).unwrap_err().to_string().contains("over"));
    }
}
