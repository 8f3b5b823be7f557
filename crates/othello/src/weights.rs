//! The learned weights of the patterns, and their file.

use crate::pattern::{COUNT, INSTANCE_OFFSETS, Indices, OFFSETS, mirrors, swapped};
use crate::search::Spread;
use polyply_core::game::Side;
use polyply_core::hash::Fnv;
use polyply_core::weights::{self, Section};
use std::sync::{Arc, LazyLock};

/// Number of stages of the game.
pub const STAGES: usize = 15;
/// Number of weights for a side's number of moves; higher numbers use the last.
pub const MOBILITY: usize = 24;
/// Number of weights of a stage: patterns, moves of the side to move, moves of the opponent, and one for each ply.
pub const LEN: usize = OFFSETS[COUNT] + 2 * MOBILITY + PLIES;
/// Plies of a stage.
const PLIES: usize = 4;
/// Units of weight in a hundredth of a disc.
pub const FINE: i32 = 8;

/// The stage of a position by its empty squares.
#[inline(always)]
pub fn stage(empties: u32) -> usize {
    (60 - empties.min(60)) as usize / PLIES
}

/// The indices of the weights besides those of the patterns.
#[inline(always)]
pub fn others(empties: u32, moves: u32, replies: u32) -> [usize; 3] {
    let own = OFFSETS[COUNT] + (moves as usize).min(MOBILITY - 1);
    let other = OFFSETS[COUNT] + MOBILITY + (replies as usize).min(MOBILITY - 1);
    [own, other, OFFSETS[COUNT] + 2 * MOBILITY + (60 - empties.min(60)) as usize % PLIES]
}

/// The weights of every stage, for each side to move.
pub struct Weights {
    /// By side to move and stage.
    tables: [Vec<i16>; 2],
    /// The errors of searches with these weights as predictions: of longer ones, and of the end.
    pub(crate) spreads: [Spread; 2],
    /// A hash of all weights.
    pub hash: u64,
}

static BUILT_IN: &str = include_str!("../weights/othello.txt");

impl Weights {
    /// The built-in weights.
    pub fn built_in() -> &'static Arc<Weights> {
        static WEIGHTS: LazyLock<Arc<Weights>> =
            LazyLock::new(|| Arc::new(Weights::parse(BUILT_IN).expect("the built-in weights can be read")));
        &WEIGHTS
    }

    /// Weights by stage, for the first player to move.
    pub fn new(stages: &[Vec<i16>]) -> Weights {
        let first: Vec<i16> = stages.concat();
        let colours: Vec<u32> = (0..COUNT)
            .flat_map(|pattern| {
                let offset = OFFSETS[pattern];
                (0..OFFSETS[pattern + 1] - offset).map(move |index| (offset + swapped(index)) as u32)
            })
            .collect();
        let mut second = first.clone();
        for (from, to) in first.chunks(LEN).zip(second.chunks_mut(LEN)) {
            for (weight, &other) in to.iter_mut().zip(&colours) {
                *weight = from[other as usize];
            }
        }
        let hash = Fnv::of(first.iter().map(|&weight| weight as u16));
        Weights { tables: [first, second], spreads: Spread::USUAL, hash }
    }

    /// The same weights with measured predictions. The usual ones leave the hash as it is.
    fn with_spreads(mut self, numbers: &[i16]) -> Weights {
        for (spread, numbers) in self.spreads.iter_mut().zip(numbers.chunks(4)) {
            *spread = Spread::new(numbers);
        }
        if self.spreads != Spread::USUAL {
            self.hash ^= weights::hash(numbers.iter().copied());
        }
        self
    }

    /// The value for the side to move, in hundredths of a disc.
    #[inline(always)]
    pub fn value(&self, indices: &Indices, side: Side, empties: u32, moves: u32, replies: u32) -> i32 {
        let start = LEN * stage(empties);
        let table: &[i16; LEN] =
            self.tables[side.index()][start..start + LEN].try_into().expect("a stage has so many weights");
        let mut sum = 0;
        for (&index, &offset) in indices.instances().iter().zip(&INSTANCE_OFFSETS) {
            sum += i32::from(table[offset as usize + usize::from(index)]);
        }
        for place in others(empties, moves, replies) {
            sum += i32::from(table[place]);
        }
        sum / FINE
    }

    /// The weights of a stage, for the first player to move.
    pub fn stage(&self, stage: usize) -> &[i16] {
        &self.tables[0][stage * LEN..(stage + 1) * LEN]
    }

    /// The tables of a file: a row for each stage, where mirror images share one weight; and the predictions, one row for the
    /// middle game and one for the end.
    pub fn sections() -> Vec<Section> {
        vec![Section::linear("patterns", STAGES, distinct().len()), Section::probcut("spread", 2, 4)]
    }

    /// Parses a file. The error is one sentence.
    pub fn parse(text: &str) -> Result<Weights, String> {
        let tables = weights::read(text, &["othello"], &Weights::sections())?;
        let (mirrors, distinct) = (mirrors(), distinct());
        let stage = |row: &[i16]| {
            let mut weights = vec![0; LEN];
            distinct.iter().zip(row).for_each(|(&index, &weight)| weights[index] = weight);
            for index in 0..mirrors.len() {
                weights[index] = weights[index.min(mirrors[index] as usize)];
            }
            weights
        };
        let stages: Vec<_> = tables[0].chunks(distinct.len()).map(stage).collect();
        Ok(Weights::new(&stages).with_spreads(&tables[1]))
    }
}

/// The weights of a stage without those that are the mirror image of an earlier one.
pub fn distinct() -> &'static [usize] {
    static DISTINCT: LazyLock<Vec<usize>> = LazyLock::new(|| {
        let mirrors = mirrors();
        (0..LEN).filter(|&index| mirrors.get(index).is_none_or(|&mirror| mirror as usize >= index)).collect()
    });
    &DISTINCT
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::random::Random;

    #[test]
    fn weights_survive_the_way_to_a_file_and_back() {
        let mut random = Random::new(1);
        let mirrors = mirrors();
        let stages: Vec<Vec<i16>> = (0..STAGES)
            .map(|_| {
                let mut weights: Vec<i16> =
                    (0..LEN).map(|_| if random.below(3) == 0 { random.next() as i16 } else { 0 }).collect();
                for index in 0..mirrors.len() {
                    weights[index] = weights[index.min(mirrors[index] as usize)];
                }
                weights
            })
            .collect();
        let table = stages.iter().flat_map(|stage| distinct().iter().map(|&index| stage[index])).collect();
        let spreads = Spread::USUAL.iter().flat_map(Spread::numbers).collect();
        let text = weights::write("othello", &Weights::sections(), &[table, spreads], &["about them".to_owned()]);
        let read = Weights::parse(&text).unwrap();
        assert_eq!(read.tables[0], stages.concat());
        assert_eq!(read.stage(3), stages[3]);
        assert_eq!(read.hash, Weights::new(&stages).hash);
        let (start, end) = text.split_at(text.len() / 2);
        let other = if end.starts_with('A') { 'B' } else { 'A' };
        assert!(Weights::parse(&format!("{start}{other}{}", &end[1..])).is_err());
        for bad in ["# nothing\n", "", "{}", "00", start] {
            assert!(Weights::parse(bad).is_err());
        }
    }
}
