//! The descriptions of the games of the family.

use crate::cell::Cell;
use crate::eval::Evaluator;
use crate::guide::guide;
use crate::learn;
use crate::net::NetEvaluation;
use crate::opening::Opening;
use crate::position::Five;
use crate::refusals;
use crate::rule::Rule;
use crate::settings::{BlockedEnds, BreakableFive, CaptureSettings, DoubleThree, Kind, SIZES, Settings};
use crate::weights::Weights;
use polyply_core::family::{About, Alias, Bench, Family, Handicap, RuleChoice, Setup, Solving};
use polyply_core::game::Side;
use polyply_core::glance::Glance;
use polyply_core::learn::Learning;
use polyply_core::refusal::{Code, Refusal, common};
use polyply_core::swap::Swap;
use polyply_nn::Net;
use std::sync::Arc;
use std::time::Duration;

impl<R: Rule> Family for Five<R> {
    const ABOUT: About = about(R::KIND);

    fn rules() -> Vec<RuleChoice> {
        Settings::keys(R::KIND).iter().map(|key| choice(R::KIND, key)).collect()
    }

    fn refusals() -> &'static [&'static Code] {
        refusals::CODES
    }

    fn open(setup: &Setup) -> Result<(Self, Evaluator), Refusal> {
        let settings = Settings::new(R::KIND.name(), setup.size, &setup.rules)?;
        let net = match setup.weights.as_deref() {
            None => NetEvaluation::built_in(R::KIND).cloned(),
            Some(text) if Net::is_in(text) => Some(NetEvaluation::parse(text).map_err(common::weights_refused)?),
            Some(_) => None,
        };
        let weights = match setup.weights.as_deref() {
            None | Some(Setup::LINEAR) => Arc::clone(Weights::of(R::KIND)),
            Some(Setup::HANDMADE) => Arc::new(Weights::handmade()),
            // A net adds to the built-in weights.
            Some(_) if net.is_some() => Arc::clone(Weights::of(R::KIND)),
            Some(text) => Arc::new(Weights::parse(text).map_err(common::weights_refused)?),
        };
        let eval = Evaluator::new(&weights);
        Ok((Five::new(settings), net.iter().fold(eval, Evaluator::with_net)))
    }

    fn learning() -> Option<Learning<Self>> {
        Some(learn::learning())
    }

    fn glance(&self) -> Vec<Glance<Cell>> {
        self.seen_by_people()
    }

    fn swap(&self) -> Swap {
        match self.settings().opening {
            Opening::Swap => Swap::after_placing(3, false),
            Opening::Swap2 => Swap::after_placing(3, true),
            Opening::None | Opening::Open | Opening::Pro | Opening::LongPro => Swap::SETTLED,
        }
    }
}

/// The family in file formats; SGF has a number for it.
const SGF: Alias = Alias::new("sgf", "4");
const PSQ: Alias = Alias::new("psq", "");

/// Gomocup's Caro has no opening rule, and the edge of the board closes no end.
const GOMOCUP_CARO: &[(&str, &str)] = &[("exact_five", "true"), ("blocked_ends", "opponent"), ("opening", "none")];
const GOMOCUP_CARO_OVERLINE: &[(&str, &str)] =
    &[("exact_five", "false"), ("blocked_ends", "opponent"), ("opening", "none")];

const fn about(kind: Kind) -> About {
    let common = About {
        moves: "a cell such as h8: column from the left, row from the bottom",
        positions: "rows from the top and the side to move, or the moves so far, as in `h8 i9 h9`",
        sizes: Some([*SIZES.start() as u32, *SIZES.end() as u32]),
        bench: Bench { depth: 12, positions: BENCH },
        solving: Solving::ForcedWin {
            budgets: &["vcf_root_budget", "vct_root_budget"],
            // After every move the opponent's attack is searched, so that losses are proven as well.
            params: &[("vcf_defence_budget", 0), ("vct_depth", 2), ("vct_threats", 8), ("vct_budget", 500)],
        },
        record: "sgf",
        off_at_zero: &["vcf_leaf_fours", "vcf_root_fours", "vcf_defence_budget", "vct_root_threats"],
        // The threat search at the root would take longer than the search itself, and what it proves is what the
        // evaluation should learn to foresee.
        selfplay: &[("vct_root_threats", 0)],
        level_nodes: [2_000, 2_500, 3_000, 4_000, 6_000, 20_000, 1_300, 5_000, 20_000],
        level_elo: [700, 810, 900, 1000, 1100, 1190, 1390, 1560, 1710, 1850],
        foresight: &["vcf_leaf_fours", "vct_pv_plies"],
        guide: guide(kind),
        ..About::new(kind.name(), "", "")
    };
    match kind {
        Kind::Freestyle => About {
            title: "Gomoku, freestyle",
            description: "Five in a row or more win.",
            place: 11,
            handicaps: STONE_15,
            books: &[include_bytes!("../books/freestyle.book")],
            aliases: const { &[Alias::new("gomocup", "0"), Alias::new("gtp", ""), SGF, PSQ] },
            ..common
        },
        Kind::Standard => About {
            title: "Gomoku, standard",
            description: "Exactly five in a row win; six or more do not.",
            place: 12,
            handicaps: STONE_15,
            books: &[include_bytes!("../books/standard.book")],
            aliases: const { &[Alias::new("gomocup", "1"), SGF, PSQ] },
            ..common
        },
        Kind::Caro => About {
            title: "Caro",
            description: "Exactly five in a row win, unless both ends are closed.",
            place: 10,
            handicaps: STONE_19,
            books: &[include_bytes!("../books/caro.book")],
            aliases: &[
                Alias { of: "gomocup", name: "9", rules: GOMOCUP_CARO },
                Alias { of: "gomocup", name: "8", rules: GOMOCUP_CARO_OVERLINE },
                SGF,
                PSQ,
            ],
            ..common
        },
        Kind::Capture => About {
            title: "Capture gomoku",
            place: 13,
            handicaps: STONE_19,
            books: &[include_bytes!("../books/capture.book")],
            move_time: Some(Duration::from_millis(500)),
            eval_cache: 16,
            description: "Pairs can be captured; five in a row win unless a capture breaks them, and so do five pairs.",
            positions: "rows from the top, the side to move and the stones each side has captured, or the moves so far, \
                        as in `j10 k11 j11`",
            bench: Bench { depth: 8, positions: BENCH },
            // Gomocup has no number for it.
            aliases: const { &[Alias::new("gomocup", ""), SGF, PSQ] },
            ..common
        },
    }
}

/// Black has placed a second stone before White begins, on the board of 15 and on that of 19.
const STONE_15: &[Handicap] = &[extra_stone("15/15/15/15/15/15/8x6/7x7/15/15/15/15/15/15/15 o 0 0")];
const STONE_19: &[Handicap] = &[extra_stone("19/19/19/19/19/19/19/19/10x8/9x9/19/19/19/19/19/19/19/19/19 o 0 0")];

const fn extra_stone(position: &'static str) -> Handicap {
    Handicap { key: "stone", title: "Black begins with two stones", position, favours: Side::First }
}

/// Middle games of gomoku; on larger boards they are in a corner.
const BENCH: &[&str] = &[
    "h8 i9 h11 h9 g9 i7 i8 j9 g7 f6 h10",
    "h8 h9 k8 i8 g9 j7 i10 f8 h10 j10",
    "h8 g9 j11 g8 g10 h9 f10 i9 f9",
    "h8 i7 e6 g8 j7 i9 i6 h6 j8 h7 g7 k5",
    "h8 j9 h5 g6 i7 j6 j8 h6 i6",
];

/// A rule of a variant with its values.
fn choice(variant: Kind, key: &'static str) -> RuleChoice {
    let usual = Settings::usual(variant);
    let names = |names: String| names.split(", ").map(str::to_owned).collect::<Vec<_>>();
    let capture = |value: fn(&CaptureSettings) -> String| usual.capture.as_ref().map(value).unwrap_or_default();
    let (title, values, usual) = match key {
        "opening" => ("Opening rule", names(Opening::names()), usual.opening.name().to_owned()),
        "exact_five" => {
            let values = vec!["true".to_owned(), "false".to_owned()];
            ("Only exactly five wins", values, usual.exact_five.to_string())
        }
        "blocked_ends" => {
            ("What closes an end of a five", names(BlockedEnds::names()), usual.blocked_ends.name().to_owned())
        }
        "win_length" => ("Stones in a row to win", numbers(3..=6, 1), usual.win_length.to_string()),
        "stones_to_win" => {
            ("Captured stones to win", numbers(2..=20, 2), capture(|rules| rules.stones_to_win.to_string()))
        }
        "breakable_five" => {
            let answer = capture(|rules| rules.breakable_five.name().to_owned());
            ("Answer to a five that can be broken", names(BreakableFive::names()), answer)
        }
        _ => {
            let bound = capture(|rules| rules.double_three.name().to_owned());
            ("Who may not make two free threes", names(DoubleThree::names()), bound)
        }
    };
    RuleChoice { key, title, values, usual }
}

fn numbers(range: std::ops::RangeInclusive<u32>, step: usize) -> Vec<String> {
    range.step_by(step).map(|number| number.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Capture, Caro, Freestyle, Standard};
    use std::collections::HashSet;

    fn check<R: Rule>() {
        let with = |key: &str, value: &str| {
            Settings::new(R::KIND.name(), None, &[(key.to_owned(), value.to_owned())]).unwrap()
        };
        for RuleChoice { key, values, usual, .. } in Five::<R>::rules() {
            let settings: HashSet<_> = values.iter().map(|value| with(key, value)).collect();
            assert_eq!(settings.len(), values.len(), "{key}");
            assert_eq!(with(key, &usual), Settings::usual(R::KIND), "{key}");
        }
    }

    #[test]
    fn every_value_that_is_offered_is_taken_and_the_usual_one_changes_nothing() {
        check::<Freestyle>();
        check::<Standard>();
        check::<Caro>();
        check::<Capture>();
    }

    #[test]
    fn only_swap_rules_leave_something_to_settle() {
        for &opening in Opening::ALL {
            let rules = vec![("opening".to_owned(), opening.name().to_owned())];
            let (start, _) = Five::<Freestyle>::open(&Setup { rules, ..Setup::default() }).unwrap();
            let swaps = matches!(opening, Opening::Swap | Opening::Swap2);
            assert_eq!(start.swap() != Swap::SETTLED, swaps, "{opening:?}");
        }
    }
}
