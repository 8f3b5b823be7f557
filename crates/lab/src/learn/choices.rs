//! Positions with the move that was chosen, as an order of moves sees them.

use super::replay::{ReplayedGame, SearchValue, replay};
use crate::{LabError, refusals};
use polyply_engine::Variant;
use std::path::PathBuf;

/// Positions with the move that was chosen.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The features of all moves, as slots.
    slots: Vec<u32>,
    /// Where those of each move end.
    move_ends: Vec<usize>,
    /// Where the moves of each position end.
    ends: Vec<usize>,
    /// Which move of each position was played.
    pub chosen: Vec<usize>,
    /// The game each position is of.
    pub games: Vec<u32>,
    /// How many games there are.
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
            // A random move was no choice, and where the end is proven any move that keeps it is as good.
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

    /// Adds a position of the current game: the features of its moves, and which was chosen.
    pub fn add(&mut self, moves: &[Vec<u32>], chosen: usize) {
        for slots in moves {
            self.slots.extend(slots);
            self.move_ends.push(self.slots.len());
        }
        self.ends.push(self.move_ends.len());
        self.chosen.push(chosen);
        self.games.push(self.game_count);
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// There is none.
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
