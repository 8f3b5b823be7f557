//! Training data for an order of moves: positions with the move that was played.

use super::replay::{ReplayedGame, SearchValue, replay};
use crate::{LabError, refusals};
use polyply_engine::Variant;
use std::path::PathBuf;

/// Positions with the move that was played.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The features of all moves, as slots.
    slots: Vec<u32>,
    /// Where the slots of each move end.
    move_ends: Vec<usize>,
    /// Where the moves of each position end.
    ends: Vec<usize>,
    /// The index of the move played in each position.
    pub chosen: Vec<usize>,
    /// The game of each position.
    pub games: Vec<u32>,
    /// The number of games.
    pub game_count: u32,
}

impl Choices {
    /// The choices in the games of these files.
    pub fn load(variant: &Variant, paths: &[PathBuf]) -> Result<Choices, LabError> {
        let mut choices = Choices::default();
        replay(variant, paths, &mut |game| choices.add_game(variant, game))?;
        match choices.is_empty() {
            true => Err(LabError::Call(refusals::nothing_to_learn())),
            false => Ok(choices),
        }
    }

    fn add_game(&mut self, variant: &Variant, game: &ReplayedGame<'_>) -> Result<(), LabError> {
        game.each(|board, at| {
            // Random moves teach nothing, and once the result is proven any move that keeps it is as good.
            if game.searched[at].and_then(SearchValue::value).is_some() {
                let mut moves: Vec<Vec<u32>> = Vec::new();
                let chosen = variant.choices(board, game.moves[at], &mut |slots| moves.push(slots.to_vec()))?;
                if let Some(chosen) = chosen
                    && moves.len() > 1
                {
                    self.add(&moves, chosen);
                }
            }
            Ok(())
        })?;
        self.game_count += 1;
        Ok(())
    }

    /// Adds a position of the current game: the features of its moves, and the index of the one played.
    pub fn add(&mut self, moves: &[Vec<u32>], chosen: usize) {
        for slots in moves {
            self.slots.extend(slots);
            self.move_ends.push(self.slots.len());
        }
        self.ends.push(self.move_ends.len());
        self.chosen.push(chosen);
        self.games.push(self.game_count);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// The features of each move of a position.
    pub fn moves(&self, index: usize) -> impl Iterator<Item = &[u32]> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        (start..self.ends[index]).map(|mv| {
            let first = if mv == 0 { 0 } else { self.move_ends[mv - 1] };
            &self.slots[first..self.move_ends[mv]]
        })
    }
}
