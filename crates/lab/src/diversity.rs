//! Measures how different the games of a set are. A match with few different games says less than their number
//! suggests.

use crate::record;
use crate::{LabError, refusals};
use polyply_engine::{Board, PositionSpec, Variant};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

/// The different games and positions in a set of games.
#[derive(Clone, Debug)]
pub struct Diversity {
    /// How many games there are.
    pub games: u64,
    /// By the number of plies: the games that are as long, and the different positions they reach. Positions that a
    /// symmetry of the board maps to each other count once.
    pub positions: BTreeMap<usize, Reached>,
    /// How often each first move was played. Symmetric moves count together, under the name of the one seen first.
    pub first_moves: BTreeMap<String, u64>,
    first_names: HashMap<(String, u64), String>,
    whole: HashSet<(String, Vec<u64>)>,
    variants: HashMap<String, Variant>,
}

/// The positions after so many plies.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Games that are as long.
    pub games: u64,
    keys: HashSet<(String, u64)>,
}

impl Reached {
    /// The number of different positions.
    pub fn different(&self) -> usize {
        self.keys.len()
    }
}

impl Diversity {
    /// An empty set that compares positions after these numbers of plies.
    pub fn after(plies: &[usize]) -> Diversity {
        Diversity {
            games: 0,
            positions: plies.iter().map(|&plies| (plies, Reached::default())).collect(),
            first_moves: BTreeMap::new(),
            first_names: HashMap::new(),
            whole: HashSet::new(),
            variants: HashMap::new(),
        }
    }

    /// The number of different games. Games that a symmetry maps to each other count once.
    pub fn different(&self) -> usize {
        self.whole.len()
    }

    /// Adds the games of a file.
    pub fn add_file(&mut self, path: &Path) -> Result<(), LabError> {
        for (number, record) in record::read(path)?.into_iter().enumerate() {
            let refuse = |error: LabError| LabError::file(path, refusals::in_game(number + 1, error.refusal()));
            let moves = record.all_moves().map(str::to_owned).collect();
            self.add(&record.variant, PositionSpec { position: record.opening.position, moves }).map_err(refuse)?;
        }
        Ok(())
    }

    /// Adds a game by its variant and its moves.
    pub fn add(&mut self, name: &str, place: PositionSpec) -> Result<(), LabError> {
        if !self.variants.contains_key(name) {
            self.variants.insert(name.to_owned(), Variant::find(name)?);
        }
        let mut board =
            Board::at(&self.variants[name], &PositionSpec { position: place.position.clone(), moves: Vec::new() })?;
        let mut keys = vec![board.canonical_key()];
        for mv in &place.moves {
            board.play(mv)?;
            keys.push(board.canonical_key());
        }
        for (&plies, reached) in self.positions.iter_mut().filter(|(plies, _)| **plies < keys.len()) {
            reached.games += 1;
            reached.keys.insert((name.to_owned(), keys[plies]));
        }
        self.games += 1;
        if let Some(first) = place.moves.first() {
            let named = self.first_names.entry((name.to_owned(), keys[1])).or_insert_with(|| first.clone());
            *self.first_moves.entry(named.clone()).or_default() += 1;
        }
        self.whole.insert((name.to_owned(), keys));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_moves_and_positions_are_counted_once_each() {
        let mut diversity = Diversity::after(&[1, 3, 20]);
        let games: [&[&str]; 4] = [&["h8", "i9", "g7"], &["h8", "i9", "g7"], &["g7", "i9", "h8"], &["h8", "i9"]];
        for moves in games {
            diversity.add("caro:15,opening=none", PositionSpec::new(None, moves)).unwrap();
        }
        assert_eq!((diversity.games, diversity.different()), (4, 3));
        let counts: Vec<_> = diversity.positions.values().map(|reached| (reached.games, reached.different())).collect();
        // h8 i9 g7 and g7 i9 h8 are two games, and one position.
        assert_eq!(counts, [(4, 2), (3, 1), (0, 0)]);
        assert_eq!(diversity.first_moves.into_iter().collect::<Vec<_>>(), [("g7".into(), 1), ("h8".into(), 3)]);
    }

    #[test]
    fn what_is_the_same_by_a_symmetry_counts_once() {
        let mut diversity = Diversity::after(&[1, 2]);
        for moves in [["a1", "b1"], ["a3", "a2"], ["c3", "a1"]] {
            diversity.add("tictactoe", PositionSpec::new(None, &moves)).unwrap();
        }
        assert_eq!((diversity.games, diversity.different()), (3, 2));
        assert_eq!(diversity.positions.values().map(Reached::different).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(diversity.first_moves.into_iter().collect::<Vec<_>>(), [("a1".into(), 3)]);
    }

    #[test]
    fn a_game_that_can_not_be_is_refused() {
        let mut diversity = Diversity::after(&[2]);
        let error = diversity.add("freestyle:15", PositionSpec::new(None, &["h8", "h8"])).unwrap_err().to_string();
        assert!(error.contains("h8"), "{error}");
        assert!(diversity.add("chekers", PositionSpec::default()).is_err());
    }
}
