//! The rules a person can choose from, with all their values.

use crate::opening::Opening;
use crate::settings::{BlockedEnds, BreakableFive, DoubleThree, Kind, Settings};

/// A rule that can be set by its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    /// The key.
    pub key: &'static str,
    /// What it is about, for people.
    pub title: &'static str,
    /// All values there are.
    pub values: Vec<String>,
    /// The usual one.
    pub usual: String,
}

impl Choices {
    /// The rules of a variant.
    pub fn of(variant: Kind) -> Vec<Choices> {
        let usual = Settings::usual(variant);
        let names = |names: String| names.split(", ").map(str::to_owned).collect::<Vec<_>>();
        let capture = |value: fn(&crate::settings::CaptureSettings) -> String| {
            usual.capture.as_ref().map(value).unwrap_or_default()
        };
        let choices = |&key: &&'static str| {
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
            Choices { key, title, values, usual }
        };
        Settings::keys(variant).iter().map(choices).collect()
    }
}

fn numbers(range: std::ops::RangeInclusive<u32>, step: usize) -> Vec<String> {
    range.step_by(step).map(|number| number.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_that_is_offered_is_taken_and_the_usual_one_changes_nothing() {
        for &variant in Kind::ALL {
            let with = |key: &str, value: &str| {
                Settings::new(variant.name(), None, &[(key.to_owned(), value.to_owned())]).unwrap()
            };
            for Choices { key, values, usual, .. } in Choices::of(variant) {
                let settings: std::collections::HashSet<_> = values.iter().map(|value| with(key, value)).collect();
                assert_eq!(settings.len(), values.len(), "{key}");
                assert_eq!(with(key, &usual), Settings::usual(variant), "{key}");
            }
        }
    }
}
