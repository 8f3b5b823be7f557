//! Positions to learn from, packed: millions must fit into memory.

use polyply_core::hash::Fnv;
use polyply_core::learn::Inputs;

/// A position to learn from, for the player of the first perspective.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Position {
    /// Its active features.
    pub inputs: Inputs,
    /// The result of its game in half points: 2 is a win.
    pub result: u8,
    /// The score of a search, in units of the evaluation.
    pub score: i16,
}

/// Positions of games, game after game.
///
/// Features are sorted and stored as differences, so most of them take one byte: about 50 bytes for a position of chess. Those of
/// sites stay in order.
#[derive(Clone, Default)]
pub struct Positions {
    bytes: Vec<u8>,
    /// Where each position ends in `bytes`.
    ends: Vec<usize>,
    results: Vec<u8>,
    scores: Vec<i16>,
    /// How many positions there are after each game.
    games: Vec<usize>,
}

impl Positions {
    /// The positions that follow are of another game.
    pub fn begin_game(&mut self) {
        self.games.push(self.len());
    }

    /// Adds a position of the current game.
    pub fn add(&mut self, position: &Position) {
        let Position { inputs, result, score } = position;
        self.bytes.push(inputs.bucket);
        self.bytes.extend(inputs.base.to_le_bytes());
        pack(&mut self.bytes, inputs.sites.len() as u32);
        self.bytes.extend(&inputs.sites);
        for active in &inputs.perspectives {
            if !inputs.sites.is_empty() {
                active.iter().for_each(|&feature| pack(&mut self.bytes, feature));
                continue;
            }
            let mut sorted = active.clone();
            sorted.sort_unstable();
            pack(&mut self.bytes, sorted.len() as u32);
            let mut last = 0;
            for feature in sorted {
                pack(&mut self.bytes, feature - last);
                last = feature;
            }
        }
        self.ends.push(self.bytes.len());
        self.results.push(*result);
        self.scores.push(*score);
        match self.games.last_mut() {
            Some(end) => *end += 1,
            None => self.games.push(1),
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.bytes.len() + self.len() * (size_of::<usize>() + size_of::<u8>() + size_of::<i16>())
    }

    /// The number of games.
    pub fn game_count(&self) -> usize {
        self.games.len()
    }

    /// The positions of each game, as ranges of indices.
    pub fn games(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = [0].into_iter().chain(self.games.iter().copied());
        starts.zip(self.games.iter().copied()).map(|(start, end)| start..end)
    }

    /// The points of the player of the first perspective: 1, ½ or 0.
    #[inline(always)]
    pub fn result(&self, index: usize) -> f32 {
        f32::from(self.results[index]) / 2.0
    }

    /// The score of the search.
    #[inline(always)]
    pub fn score(&self, index: usize) -> f32 {
        f32::from(self.scores[index])
    }

    /// Unpacks the features of a position.
    #[inline(always)]
    pub fn read(&self, index: usize, out: &mut Inputs) {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let mut bytes = self.bytes[start..self.ends[index]].iter();
        let mut byte = || bytes.next().copied().unwrap_or(0);
        out.bucket = byte();
        out.base = i16::from_le_bytes([byte(), byte()]);
        out.sites.clear();
        let sites = unpack(&mut bytes) as usize;
        out.sites.extend(bytes.by_ref().take(sites));
        let features: usize = out.sites.iter().copied().map(usize::from).sum();
        for active in &mut out.perspectives {
            active.clear();
            if sites > 0 {
                active.extend((0..features).map(|_| unpack(&mut bytes)));
                continue;
            }
            let mut feature = 0;
            for _ in 0..unpack(&mut bytes) {
                feature += unpack(&mut bytes);
                active.push(feature);
            }
        }
    }

    /// A hash of everything, to notice that positions are others than before.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv::default();
        let (words, rest) = self.bytes.as_chunks::<8>();
        words.iter().for_each(|&word| hash.add(u64::from_le_bytes(word)));
        rest.iter().chain(&self.results).for_each(|&byte| hash.add(byte));
        self.scores.iter().for_each(|&score| hash.add(score as u16));
        self.games.iter().for_each(|&end| hash.number(end as u64));
        hash.finish()
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn pack(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[inline(always)]
fn unpack(bytes: &mut std::slice::Iter<'_, u8>) -> u32 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = u32::from(bytes.next().copied().unwrap_or(0));
        number |= (byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_with_their_games() {
        let mut positions = Positions::default();
        let features = [vec![0, 5, 127, 128, 100_000], vec![1_000_000, 3]];
        let inputs = Inputs { perspectives: features, bucket: 7, ..Inputs::default() };
        positions.begin_game();
        positions.add(&Position { inputs: inputs.clone(), result: 2, score: -300 });
        positions.add(&Position::default());
        let sites = Inputs { perspectives: [vec![9, 2, 700], vec![8, 1, 0]], sites: vec![1, 2], ..Inputs::default() };
        positions.begin_game();
        positions.add(&Position { inputs: sites.clone(), ..Position::default() });
        positions.begin_game();
        positions.begin_game();
        positions.add(&Position { result: 1, score: 7, ..Position::default() });
        let mut found = Inputs::default();
        positions.read(0, &mut found);
        assert_eq!(
            found,
            Inputs {
                perspectives: [inputs.perspectives[0].clone(), vec![3, 1_000_000]],
                bucket: 7,
                ..Inputs::default()
            }
        );
        positions.read(2, &mut found);
        assert_eq!(found, sites);
        positions.read(3, &mut found);
        assert_eq!(found, Inputs::default());
        assert_eq!(
            [0, 1, 3].map(|at| (positions.result(at), positions.score(at))),
            [(1.0, -300.0), (0.0, 0.0), (0.5, 7.0)]
        );
        assert_eq!(positions.games().collect::<Vec<_>>(), [0..2, 2..3, 3..3, 3..4]);
    }
}
