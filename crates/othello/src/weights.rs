//! What was learned about the patterns, and the file it is kept in.
//!
//! A file begins with lines that say where the weights are from, each with a `#`. Then come, stage by stage, the weights
//! that differ by more than a mirror image, each as the least number of seven-bit bytes, a run of zeros as a zero and its
//! length; a checksum is last. All that is written as text, six bits a letter.

use crate::pattern::{COUNT, Indices, OFFSETS, PLACE_OFFSETS, mirrors, swapped};
use polyply_core::game::Side;
use polyply_core::hash::Fnv;
use std::sync::LazyLock;

/// Stages of the game.
pub const STAGES: usize = 15;
/// Weights of the number of moves of a side: so many, and more count as the last.
pub const MOBILITY: usize = 24;
/// Weights of a stage: patterns, moves of the side to move, moves of the opponent, and one for each ply of the stage.
pub const LEN: usize = OFFSETS[COUNT] + 2 * MOBILITY + PLIES;
/// Plies of a stage.
const PLIES: usize = 4;
/// Weights that make a hundredth of a disc.
pub const FINE: i32 = 8;

/// The stage of a position by its empty squares.
#[inline(always)]
pub fn stage(empties: u32) -> usize {
    (60 - empties.min(60)) as usize / PLIES
}

/// Where the weights besides those of the patterns are.
#[inline(always)]
pub fn others(empties: u32, moves: u32, replies: u32) -> [usize; 3] {
    let own = OFFSETS[COUNT] + (moves as usize).min(MOBILITY - 1);
    let other = OFFSETS[COUNT] + MOBILITY + (replies as usize).min(MOBILITY - 1);
    [own, other, OFFSETS[COUNT] + 2 * MOBILITY + (60 - empties.min(60)) as usize % PLIES]
}

/// Weights of every stage, as each side sees them.
pub struct Weights {
    /// By side to move and stage.
    tables: [Vec<i16>; 2],
    /// A hash of them.
    pub hash: u64,
}

static BUILT_IN: &str = include_str!("../weights/othello.txt");

impl Weights {
    /// The weights that come with the program.
    pub fn built_in() -> &'static Weights {
        static WEIGHTS: LazyLock<Weights> =
            LazyLock::new(|| Weights::parse(BUILT_IN).expect("the built-in weights can be read"));
        &WEIGHTS
    }

    /// Weights by stage, as the side to move sees them where it is the first player.
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
        Weights { tables: [first, second], hash }
    }

    /// The value for the side to move, in hundredths of a disc.
    #[inline(always)]
    pub fn value(&self, indices: &Indices, side: Side, empties: u32, moves: u32, replies: u32) -> i32 {
        let start = LEN * stage(empties);
        let table: &[i16; LEN] =
            self.tables[side.index()][start..start + LEN].try_into().expect("a stage has so many weights");
        let mut sum = 0;
        for (&index, &offset) in indices.places().iter().zip(&PLACE_OFFSETS) {
            sum += i32::from(table[offset as usize + usize::from(index)]);
        }
        for place in others(empties, moves, replies) {
            sum += i32::from(table[place]);
        }
        sum / FINE
    }

    /// Reads a file; the error is one sentence.
    pub fn parse(text: &str) -> Result<Weights, String> {
        const NO_FILE: &str = "it is no file of weights of Othello";
        let bytes = from_letters(text).ok_or(NO_FILE)?;
        let (packed, sum) = bytes.split_last_chunk::<8>().ok_or(NO_FILE)?;
        if Fnv::of(packed.iter().copied()) != u64::from_le_bytes(*sum) {
            return Err("the file of weights is damaged".into());
        }
        let mirrors = mirrors();
        let mut packed = Unpacking { bytes: packed.iter(), zeros: 0 };
        let mut stages = Vec::with_capacity(STAGES);
        for _ in 0..STAGES {
            let mut weights = vec![0; LEN];
            for index in 0..LEN {
                weights[index] = match mirrors.get(index) {
                    Some(&mirror) if (mirror as usize) < index => weights[mirror as usize],
                    _ => packed.next().ok_or("the file of weights is too short")?,
                };
            }
            stages.push(weights);
        }
        Ok(Weights::new(&stages))
    }

    /// The file of weights by stage; `about` says where they are from, a line each.
    pub fn text(stages: &[Vec<i16>], about: &[String]) -> String {
        let mirrors = mirrors();
        let mut packed = Vec::new();
        let mut zeros = 0;
        for weights in stages {
            for (index, &weight) in weights.iter().enumerate() {
                if mirrors.get(index).is_some_and(|&mirror| (mirror as usize) < index) {
                    continue;
                }
                if weight == 0 {
                    zeros += 1;
                    continue;
                }
                pack_zeros(&mut packed, std::mem::take(&mut zeros));
                // The sign is the lowest bit.
                pack(&mut packed, ((i32::from(weight) << 1) ^ (i32::from(weight) >> 31)) as u32);
            }
        }
        pack_zeros(&mut packed, zeros);
        packed.extend_from_slice(&Fnv::of(packed.iter().copied()).to_le_bytes());
        let about: String = about.iter().map(|line| format!("# {line}\n")).collect();
        about + &to_letters(&packed)
    }
}

/// Letters of a line.
const WIDTH: usize = 120;

/// Three bytes as four letters from `0` on, in lines; what is missing of the last three are zeros.
fn to_letters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 2 * 3);
    for (number, line) in bytes.chunks(WIDTH / 4 * 3).enumerate() {
        if number > 0 {
            text.push('\n');
        }
        for three in line.chunks(3) {
            let bits = three.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - three.len()));
            // As many letters as hold the bytes.
            text.extend(
                (0..=three.len() as u32).map(|letter| char::from(b'0' + (bits >> (18 - 6 * letter) & 63) as u8)),
            );
        }
    }
    text + "\n"
}

fn from_letters(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        for four in line.as_bytes().chunks(4) {
            let bits = four.iter().try_fold(0, |bits, letter| {
                let value = letter.checked_sub(b'0').filter(|value| *value < 64)?;
                Some(bits << 6 | u32::from(value))
            })?;
            let bits = bits << (6 * (4 - four.len()));
            bytes.extend((0..four.len() as u32 - 1).map(|byte| (bits >> (16 - 8 * byte)) as u8));
        }
    }
    Some(bytes)
}

fn pack_zeros(packed: &mut Vec<u8>, zeros: u32) {
    if zeros > 0 {
        packed.push(0);
        pack(packed, zeros);
    }
}

/// Seven bits a byte, the lowest first; the highest bit of a byte says that there are more.
fn pack(packed: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        packed.push(number as u8 | 0x80);
        number >>= 7;
    }
    packed.push(number as u8);
}

struct Unpacking<'a> {
    bytes: std::slice::Iter<'a, u8>,
    zeros: u32,
}

impl Unpacking<'_> {
    fn number(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = u32::from(*self.bytes.next()?);
            number |= byte.checked_shl(shift)? & 0x7f << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }

    fn next(&mut self) -> Option<i16> {
        if self.zeros == 0 {
            match self.number()? {
                0 => self.zeros = self.number()?,
                number => return Some(((number >> 1) as i32 ^ -((number & 1) as i32)) as i16),
            }
        }
        self.zeros = self.zeros.checked_sub(1)?;
        Some(0)
    }
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
        let text = Weights::text(&stages, &["about them".to_owned()]);
        let read = Weights::parse(&text).unwrap();
        assert_eq!(read.tables[0], stages.concat());
        assert_eq!(read.hash, Weights::new(&stages).hash);
        let (start, end) = text.split_at(text.len() / 2);
        let other = if end.starts_with('0') { '1' } else { '0' };
        assert!(Weights::parse(&format!("{start}{other}{}", &end[1..])).err().unwrap().contains("damaged"));
        for bad in ["# nothing\n", "", "{}", "00", start] {
            assert!(Weights::parse(bad).is_err());
        }
    }
}
