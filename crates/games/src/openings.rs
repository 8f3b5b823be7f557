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
