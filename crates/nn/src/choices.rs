//! Positions with the move that was played, packed.

use crate::policy::PolicyShape;
use polyply_core::hash::Fnv;
use std::ops::Range;

/// Positions with the rows that each of their moves touches, and the move that was played, game after game.
#[derive(Clone, Debug)]
pub struct MoveChoices {
    shape: PolicyShape,
    /// The rows of each move, in one view and then in the other.
    rows: Vec<u16>,
    /// What else speaks for each move: the logarithm of odds that a net adds to.
    offsets: Vec<f32>,
    /// Where the moves of each position end.
    ends: Vec<usize>,
    /// The index of the move played in each position.
    chosen: Vec<u16>,
    /// How many positions there are after each game.
    games: Vec<usize>,
}

impl MoveChoices {
    /// No choices yet.
    pub fn new(shape: PolicyShape) -> MoveChoices {
        MoveChoices {
            shape,
            rows: Vec::new(),
            offsets: Vec::new(),
            ends: Vec::new(),
            chosen: Vec::new(),
            games: Vec::new(),
        }
    }

    /// The sizes of the net that learns from them.
    pub fn shape(&self) -> PolicyShape {
        self.shape
    }

    /// The positions that follow are of another game.
    pub fn begin_game(&mut self) {
        self.games.push(self.len());
    }

    /// Adds a move of the position that [`MoveChoices::choose`] will complete.
    pub fn add_move(&mut self, offset: f32, views: [&[u16]; 2]) {
        views.iter().for_each(|rows| self.rows.extend_from_slice(rows));
        self.offsets.push(offset);
    }

    /// Completes a position: this one of its moves was played. Without one, or if there was no choice, the position is
    /// left out.
    pub fn choose(&mut self, chosen: Option<usize>) {
        let start = self.ends.last().copied().unwrap_or(0);
        match chosen.filter(|_| self.offsets.len() - start > 1) {
            Some(chosen) => {
                self.chosen.push(chosen as u16);
                self.ends.push(self.offsets.len());
                match self.games.last_mut() {
                    Some(end) => *end += 1,
                    None => self.games.push(1),
                }
            }
            None => {
                self.offsets.truncate(start);
                self.rows.truncate(start * 2 * self.shape.active);
            }
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// The number of games.
    pub fn game_count(&self) -> usize {
        self.games.len()
    }

    pub(crate) fn games(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = [0].into_iter().chain(self.games.iter().copied());
        starts.zip(self.games.iter().copied()).map(|(start, end)| start..end)
    }

    pub(crate) fn chosen(&self, index: usize) -> usize {
        usize::from(self.chosen[index])
    }

    /// The offset and the rows of each move of a position.
    #[inline(always)]
    pub(crate) fn moves(&self, index: usize) -> impl Iterator<Item = (f32, &[u16])> {
        let range = if index == 0 { 0 } else { self.ends[index - 1] }..self.ends[index];
        let width = 2 * self.shape.active;
        let rows = self.rows[range.start * width..range.end * width].chunks_exact(width);
        self.offsets[range].iter().copied().zip(rows)
    }

    /// A hash of everything.
    pub(crate) fn hash(&self) -> u64 {
        let mut hash = Fnv::default();
        [self.shape.rows, self.shape.active].iter().for_each(|&size| hash.number(size as u64));
        self.rows.iter().chain(&self.chosen).for_each(|&row| hash.add(row));
        self.offsets.iter().for_each(|offset| hash.add(offset.to_bits()));
        self.ends.iter().chain(&self.games).for_each(|&end| hash.number(end as u64));
        hash.finish()
    }
}
