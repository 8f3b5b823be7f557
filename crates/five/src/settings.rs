//! How the games of the family differ, as plain data.
//!
//! [`Settings`] are made from the name of a variant, a board size and rules as `key=value`; the rest is the variant's
//! default:
//!
//! | variant | board | five | overline | five closed at both ends | captures | opening |
//! |---|---|---|---|---|---|---|
//! | `freestyle` | 15 | five or more | wins | wins | no | `none` |
//! | `standard` | 15 | exactly five | no win | wins | no | `none` |
//! | `caro` | 19 | exactly five | no win | no win | no | `open` |
//! | `capture` | 19 | five or more, unless it can be broken | wins the same way | wins | pairs | `none` |
//!
//! | key | values | variants |
//! |---|---|---|
//! | `opening` | see [`Opening`] | all |
//! | `exact_five` | `true`, `false` | `caro` |
//! | `blocked_ends` | see [`BlockedEnds`] | `caro` |
//! | `win_length` | 3 to 6 | `capture` |
//! | `stones_to_win` | 2, 4, … 20 | `capture` |
//! | `breakable_five` | see [`BreakableFive`] | `capture` |
//! | `double_three` | see [`DoubleThree`] | `capture` |
//!
//! ```
//! use polyply_five::settings::{BlockedEnds, Settings};
//!
//! let gomocup = [("blocked_ends".to_string(), "opponent".to_string())];
//! let settings = Settings::new("caro", Some(15), &gomocup).unwrap();
//! assert_eq!(settings.blocked_ends, BlockedEnds::Opponent);
//! assert!(settings.exact_five);
//! ```

use crate::opening::Opening;
use crate::refusals;
use polyply_core::game::Side;
use polyply_core::hash::Fnv;
use polyply_core::refusal::{Refusal, common};
use std::ops::RangeInclusive;

/// The board sizes.
pub const SIZES: RangeInclusive<usize> = 5..=22;

/// Declares an enum whose values are chosen by name.
macro_rules! named {
    (
        $(#[$outer:meta])*
        pub enum $Type:ident { $( $(#[$inner:meta])* $Value:ident = $name:literal, )+ }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum $Type { $( $(#[$inner])* $Value, )+ }

        impl $Type {
            /// All values, in display order.
            pub const ALL: &'static [$Type] = &[$($Type::$Value),+];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self { $($Type::$Value => $name),+ }
            }

            /// The value with this name.
            pub fn from_name(name: &str) -> Option<$Type> {
                $Type::ALL.iter().copied().find(|value| value.name() == name)
            }

            /// All names, as a list for messages.
            pub fn names() -> String {
                [$($name),+].join(", ")
            }
        }
    };
}
pub(crate) use named;

named! {
    /// A game of the family.
    pub enum Kind {
        /// Five or more in a row win.
        Freestyle = "freestyle",
        /// Exactly five in a row win.
        Standard = "standard",
        /// Exactly five in a row win, unless both ends are closed.
        Caro = "caro",
        /// Pairs are captured; five in a row win unless a capture breaks them.
        Capture = "capture",
    }
}

named! {
    /// What closes an end of a five. A five that is closed at both ends does not win.
    pub enum BlockedEnds {
        /// Nothing.
        Off = "off",
        /// An opponent's stone.
        Opponent = "opponent",
        /// An opponent's stone or the edge of the board.
        OpponentOrEdge = "opponent_or_edge",
    }
}

named! {
    /// What the opponent may do about a five that a capture can break.
    pub enum BreakableFive {
        /// Anything. If the five still stands after that move, its owner has won.
        Free = "free",
        /// Only break it, or win by captures.
        Forced = "forced",
    }
}

named! {
    /// Who may not make two free threes with one move (unless the move captures).
    pub enum DoubleThree {
        /// Both players may.
        Off = "off",
        /// The first player may not.
        First = "first",
        /// The second player may not.
        Second = "second",
        /// Neither player may.
        Both = "both",
    }
}

impl DoubleThree {
    /// Whether this side may not make two free threes at once.
    pub const fn binds(self, side: Side) -> bool {
        match self {
            DoubleThree::Off => false,
            DoubleThree::First => matches!(side, Side::First),
            DoubleThree::Second => matches!(side, Side::Second),
            DoubleThree::Both => true,
        }
    }
}

/// The rules of capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct CaptureSettings {
    /// A player who has captured this many stones wins. Always even.
    pub stones_to_win: u8,
    /// What the opponent may do about a five that a capture can break.
    pub breakable_five: BreakableFive,
    /// Who may not make two free threes at once.
    pub double_three: DoubleThree,
}

/// The rules of a game of the family, as plain data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Settings {
    /// Rows and columns, 5 to 22.
    pub size: usize,
    /// The variant.
    pub variant: Kind,
    /// How many in a row win. 5 except in capture gomoku, where it can be chosen.
    pub win_length: usize,
    /// Longer rows do not win.
    pub exact_five: bool,
    /// What closes the ends of a five. If overlines win, they win whatever their ends.
    pub blocked_ends: BlockedEnds,
    /// The rules of capture, in games with captures.
    pub capture: Option<CaptureSettings>,
    /// The opening rule.
    pub opening: Opening,
}

impl Settings {
    /// The rules of a variant: its defaults, except for what is given.
    pub fn new(variant: &str, size: Option<u32>, rules: &[(String, String)]) -> Result<Settings, Refusal> {
        let kind = Kind::from_name(variant).ok_or_else(|| refusals::not_in_family(Kind::names(), variant))?;
        let mut settings = Settings::usual(kind);
        if let Some(size) = size {
            settings.size = size as usize;
        }
        if !SIZES.contains(&settings.size) {
            return Err(common::size_range(*SIZES.start(), *SIZES.end(), settings.size));
        }
        for (key, value) in rules {
            settings.set(key, value)?;
        }
        if settings.win_length > settings.size {
            return Err(refusals::win_length(settings.size));
        }
        Ok(settings)
    }

    /// The default board size and rules of a variant.
    pub const fn usual(variant: Kind) -> Settings {
        let freestyle = Settings {
            size: 15,
            variant,
            win_length: 5,
            exact_five: false,
            blocked_ends: BlockedEnds::Off,
            capture: None,
            opening: Opening::None,
        };
        match variant {
            Kind::Freestyle => freestyle,
            Kind::Standard => Settings { exact_five: true, ..freestyle },
            Kind::Caro => Settings {
                size: 19,
                exact_five: true,
                blocked_ends: BlockedEnds::OpponentOrEdge,
                opening: Opening::Open,
                ..freestyle
            },
            Kind::Capture => Settings {
                size: 19,
                capture: Some(CaptureSettings {
                    stones_to_win: 10,
                    breakable_five: BreakableFive::Free,
                    double_three: DoubleThree::Both,
                }),
                ..freestyle
            },
        }
    }

    /// A hash of the rules and the size, the same in every build and on every machine.
    ///
    /// It is part of the keys of positions, so that results under different rules never mix.
    pub fn fingerprint(&self) -> u64 {
        // Hashes names instead of enum indices, so that new variants and values do not change existing fingerprints.
        let mut hash = Fnv::default();
        hash.text(self.variant.name());
        hash.number(self.size as u64);
        hash.number(self.win_length as u64);
        hash.number(u64::from(self.exact_five));
        hash.text(self.blocked_ends.name());
        hash.text(self.opening.name());
        if let Some(capture) = self.capture {
            hash.number(u64::from(capture.stones_to_win));
            hash.text(capture.breakable_five.name());
            hash.text(capture.double_three.name());
        }
        spread(hash.finish())
    }

    /// The rule keys of this variant.
    pub const fn keys(variant: Kind) -> &'static [&'static str] {
        match variant {
            Kind::Freestyle | Kind::Standard => &["opening"],
            Kind::Caro => &["opening", "exact_five", "blocked_ends"],
            Kind::Capture => &["opening", "win_length", "stones_to_win", "breakable_five", "double_three"],
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), Refusal> {
        let wrong = |right: &str| common::rule_value(key, right, value);
        let even = |number: &u8| number.is_multiple_of(2) && (2..=20).contains(number);
        match (key, self.variant, &mut self.capture) {
            ("opening", ..) => {
                self.opening = Opening::from_name(value).ok_or_else(|| wrong(&Opening::names()))?;
            }
            ("exact_five", Kind::Caro, _) => self.exact_five = value.parse().map_err(|_| wrong("true, false"))?,
            ("blocked_ends", Kind::Caro, _) => {
                self.blocked_ends = BlockedEnds::from_name(value).ok_or_else(|| wrong(&BlockedEnds::names()))?;
            }
            ("win_length", Kind::Capture, _) => {
                let length = value.parse().ok().filter(|length| (3..=6).contains(length));
                self.win_length = length.ok_or_else(|| wrong("3, 4, 5, 6"))?;
            }
            ("stones_to_win", _, Some(capture)) => {
                let stones = value.parse().ok().filter(even);
                capture.stones_to_win = stones.ok_or_else(|| wrong("2, 4, 6, … 20"))?;
            }
            ("breakable_five", _, Some(capture)) => {
                let answer = BreakableFive::from_name(value);
                capture.breakable_five = answer.ok_or_else(|| wrong(&BreakableFive::names()))?;
            }
            ("double_three", _, Some(capture)) => {
                let bound = DoubleThree::from_name(value);
                capture.double_three = bound.ok_or_else(|| wrong(&DoubleThree::names()))?;
            }
            _ => {
                let keys = Settings::keys(self.variant).join(", ");
                return Err(common::unknown_rule(self.variant.name(), key, keys));
            }
        }
        Ok(())
    }
}

/// Spreads a hash over all bits, since tables use the high bits of keys.
const fn spread(hash: u64) -> u64 {
    let spread = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (spread ^ (spread >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn settings(variant: &str, size: Option<u32>, rules: &[(&str, &str)]) -> Result<Settings, Refusal> {
        let rules: Vec<_> = rules.iter().map(|&(key, value)| (key.to_string(), value.to_string())).collect();
        Settings::new(variant, size, &rules)
    }

    #[test]
    fn the_variants_have_their_usual_rules() {
        let freestyle = settings("freestyle", None, &[]).unwrap();
        assert_eq!((freestyle.size, freestyle.win_length, freestyle.exact_five), (15, 5, false));
        assert_eq!((freestyle.blocked_ends, freestyle.opening), (BlockedEnds::Off, Opening::None));
        assert_eq!(freestyle.capture, None);
        let standard = settings("standard", None, &[]).unwrap();
        assert_eq!(Settings { variant: Kind::Freestyle, exact_five: false, ..standard }, freestyle);
        let caro = settings("caro", None, &[]).unwrap();
        assert_eq!((caro.size, caro.win_length, caro.exact_five), (19, 5, true));
        assert_eq!((caro.blocked_ends, caro.opening), (BlockedEnds::OpponentOrEdge, Opening::Open));
        let capture = settings("capture", None, &[]).unwrap();
        assert_eq!((capture.size, capture.win_length, capture.exact_five), (19, 5, false));
        assert_eq!(capture.opening, Opening::None);
        let rules = capture.capture.unwrap();
        assert_eq!(rules.stones_to_win, 10);
        assert_eq!((rules.breakable_five, rules.double_three), (BreakableFive::Free, DoubleThree::Both));
    }

    #[test]
    fn a_rule_that_is_given_replaces_the_usual_one() {
        let caro = settings("caro", Some(15), &[("exact_five", "false"), ("blocked_ends", "off"), ("opening", "pro")]);
        let caro = caro.unwrap();
        assert_eq!((caro.size, caro.exact_five), (15, false));
        assert_eq!((caro.blocked_ends, caro.opening), (BlockedEnds::Off, Opening::Pro));
        let rules =
            [("win_length", "4"), ("stones_to_win", "12"), ("breakable_five", "forced"), ("double_three", "first")];
        let capture = settings("capture", None, &rules).unwrap();
        assert_eq!(capture.win_length, 4);
        let rules = capture.capture.unwrap();
        assert_eq!(rules.stones_to_win, 12);
        assert_eq!((rules.breakable_five, rules.double_three), (BreakableFive::Forced, DoubleThree::First));
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let error = |variant, size, rule| settings(variant, size, &[rule]).unwrap_err().to_string();
        let fine = ("opening", "none");
        assert_eq!(
            error("gomoku", None, fine),
            "a five-in-a-row variant is one of freestyle, standard, caro, capture, not `gomoku`"
        );
        assert_eq!(error("caro", Some(23), fine), "the board size is 5 to 22, not 23");
        assert_eq!(error("caro", Some(4), fine), "the board size is 5 to 22, not 4");
        assert_eq!(error("freestyle", None, ("komi", "6")), "freestyle has no rule `komi`, only: opening");
        assert!(error("freestyle", None, ("exact_five", "true")).contains("only: opening"));
        assert!(error("caro", None, ("win_length", "4")).contains("caro has no rule `win_length`"));
        assert_eq!(error("caro", None, ("exact_five", "1")), "the rule `exact_five` is one of true, false, not `1`");
        assert!(error("caro", None, ("blocked_ends", "edge")).contains("off, opponent, opponent_or_edge"));
        assert!(error("caro", None, ("opening", "swap3")).contains("none, open, pro, long_pro, swap, swap2"));
        assert!(error("capture", None, ("win_length", "7")).contains("3, 4, 5, 6, not `7`"));
        assert!(error("capture", None, ("stones_to_win", "9")).contains("2, 4, 6"));
        assert!(error("capture", None, ("stones_to_win", "256")).contains("2, 4, 6"));
        assert!(error("capture", None, ("breakable_five", "no")).contains("free, forced"));
        assert!(error("capture", None, ("double_three", "on")).contains("off, first, second, both"));
        assert!(error("capture", Some(5), ("win_length", "6")).contains("at most the board size"));
    }

    #[test]
    fn rules_that_differ_have_different_fingerprints() {
        let rule_sets: [(&str, &[(&str, &str)]); 14] = [
            ("freestyle", &[]),
            ("freestyle", &[("opening", "pro")]),
            ("standard", &[]),
            ("caro", &[]),
            ("caro", &[("exact_five", "false")]),
            ("caro", &[("blocked_ends", "opponent")]),
            ("caro", &[("blocked_ends", "off")]),
            ("caro", &[("opening", "long_pro")]),
            ("capture", &[]),
            ("capture", &[("win_length", "4")]),
            ("capture", &[("stones_to_win", "8")]),
            ("capture", &[("breakable_five", "forced")]),
            ("capture", &[("double_three", "first")]),
            ("capture", &[("double_three", "off")]),
        ];
        let fingerprints: HashSet<u64> = (15..=22)
            .flat_map(|size| rule_sets.map(|(variant, rules)| settings(variant, Some(size), rules).unwrap()))
            .map(|settings| settings.fingerprint())
            .collect();
        assert_eq!(fingerprints.len(), 8 * rule_sets.len());
    }

    /// Tables of positions and seeds of tests are made with them.
    #[test]
    fn fingerprints_stay_what_they_are() {
        assert_eq!(Settings::usual(Kind::Freestyle).fingerprint(), 0xa757_4a35_52bc_dd58);
        assert_eq!(Settings::usual(Kind::Capture).fingerprint(), 0x331a_bd8e_4742_0698);
    }
}
