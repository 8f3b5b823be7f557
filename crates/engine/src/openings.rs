//! Named openings. They are found by position, so the order of moves does not matter.

use crate::erased::ErasedPosition;
use crate::registry::games;
use crate::variant::Variant;
use polyply_core::family::About;
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

/// The openings of a game by the keys of their positions. Symmetric positions have the same name.
pub(crate) struct NamedOpenings {
    about: &'static About,
    names: OnceLock<HashMap<u64, &'static str>>,
}

/// The openings of all games.
static ALL: LazyLock<Vec<NamedOpenings>> =
    LazyLock::new(|| games().map(|about| NamedOpenings { about, names: OnceLock::new() }).collect());

impl NamedOpenings {
    /// The openings of a game.
    pub fn of(about: &About) -> &'static NamedOpenings {
        ALL.iter().find(|openings| openings.about.name == about.name).expect("every game is in the registry")
    }

    /// The moves and the name of each opening.
    pub fn lines(&'static self) -> impl Iterator<Item = (Vec<&'static str>, &'static str)> {
        let lines = self.about.openings.lines().filter(|line| !line.starts_with('#'));
        let named = lines.filter_map(|line| line.split_once('|'));
        named.map(|(moves, name)| (moves.split_whitespace().collect(), name.trim()))
    }

    /// The name of a position, if it has one.
    pub fn name(&'static self, variant: &Variant, position: &dyn ErasedPosition) -> Option<&'static str> {
        if self.about.openings.is_empty() {
            return None;
        }
        let names = self.names.get_or_init(|| {
            let key = |moves: &[&str]| {
                let mut position = variant.game().start();
                moves.iter().try_for_each(|mv| position.play(mv).map(drop)).ok()?;
                Some(position.canonical_key())
            };
            self.lines().filter_map(|(moves, name)| Some((key(&moves)?, name))).collect()
        });
        names.get(&position.canonical_key()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::request::PositionSpec;

    fn name(variant: &str, moves: &str) -> Option<String> {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let board = Board::at(&Variant::find(variant).unwrap(), &PositionSpec::new(None, &moves)).unwrap();
        board.opening_name().map(str::to_owned)
    }

    #[test]
    fn every_line_can_be_played_and_has_a_name() {
        let named = Variant::all().filter(|variant| !variant.about().openings.is_empty());
        for variant in named {
            let openings = variant.openings();
            for (moves, name) in openings.lines() {
                assert!(!name.is_empty() && !moves.is_empty(), "{name}");
                let board = Board::at(&variant, &PositionSpec::new(None, &moves))
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(board.opening_name().is_some(), "{name}");
            }
            assert!(openings.lines().count() >= 57, "{}", variant.name());
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
