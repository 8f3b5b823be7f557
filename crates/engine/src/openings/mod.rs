//! Openings that have names, as tables of facts: moves, and what they are called.

use crate::registry::Variant;
use crate::request::Place;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The openings of Othello. Those that are the same by a symmetry of the board have the same name.
static OTHELLO: Openings = Openings::of(include_str!("othello.txt"));

/// The openings of chess, with their codes of the Encyclopaedia of Chess Openings.
static CHESS: Openings = Openings::of(include_str!("chess.txt"));

/// Openings by the positions they lead to, so that it does not matter in which order their moves are played.
pub(crate) struct Openings {
    /// A line each: `moves | name`; comments begin with `#`.
    text: &'static str,
    names: OnceLock<HashMap<u64, &'static str>>,
}

impl Openings {
    const fn of(text: &'static str) -> Openings {
        Openings { text, names: OnceLock::new() }
    }

    /// The openings of a game by its name in the registry, if any have names.
    pub fn of_game(name: &str) -> Option<&'static Openings> {
        match name {
            "othello" => Some(&OTHELLO),
            "chess" => Some(&CHESS),
            _ => None,
        }
    }

    fn lines(&self) -> impl Iterator<Item = (Place, &'static str)> {
        let lines = self.text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('|'));
        lines.map(|(moves, name)| (Place::new(None, &moves.split_whitespace().collect::<Vec<_>>()), name.trim()))
    }

    /// The name of the last position on the way to a place that has one.
    pub fn name(&self, variant: &Variant, place: &Place) -> Option<String> {
        let names = self.names.get_or_init(|| {
            let key = |place: &Place| variant.folded_keys(place).ok()?.pop();
            self.lines().filter_map(|(place, name)| Some((key(&place)?, name))).collect()
        });
        let keys = variant.folded_keys(place).ok()?;
        keys.iter().rev().find_map(|key| names.get(key)).map(|name| (*name).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(variant: &str, moves: &str) -> Option<String> {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        Variant::find(variant).unwrap().opening_name(&Place::new(None, &moves))
    }

    #[test]
    fn every_line_can_be_played_and_has_a_name() {
        for (variant, openings, least) in [("othello", &OTHELLO, 57), ("chess", &CHESS, 150)] {
            let variant = Variant::find(variant).unwrap();
            for (place, name) in openings.lines() {
                assert!(!name.is_empty() && !place.moves.is_empty(), "{name}");
                variant.folded_keys(&place).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(variant.opening_name(&place).is_some(), "{name}");
            }
            assert!(openings.lines().count() >= least);
        }
    }

    #[test]
    fn an_opening_of_othello_is_the_same_from_all_four_first_moves() {
        for moves in ["f5 d6", "e6 f4", "c4 e3", "d3 c5"] {
            assert_eq!(name("othello", moves).as_deref(), Some("Perpendicular"), "{moves}");
        }
        for tiger in ["f5 d6 c3 d3 c4", "c4 e3 f6 e6 f5", "d3 c5 f6 f5 e6"] {
            assert_eq!(name("othello", tiger).as_deref(), Some("Tiger"), "{tiger}");
        }
        assert_eq!(name("othello", "f5"), None);
    }

    #[test]
    fn an_opening_of_chess_is_found_by_transposition_and_kept_in_the_game() {
        let ruy = "C60 Ruy Lopez";
        assert_eq!(name("chess", "e2e4 e7e5 g1f3 b8c6 f1b5").as_deref(), Some(ruy));
        assert_eq!(name("chess", "Nf3 Nc6 e4 e5 Bb5").as_deref(), Some(ruy));
        assert_eq!(name("chess", "e4 e5 Nf3 Nc6 Bb5 h6 h3 h5").as_deref(), Some(ruy));
        assert_eq!(name("chess", ""), None);
        assert_eq!(name("freestyle", "h8"), None);
    }
}
