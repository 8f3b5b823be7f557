//! The patterns that the evaluation looks at, and their indices, which follow the moves.
//!
//! The classic set of [Logistello]: 3×3 and 2×5 corners, edges with their X squares, the inner lines, and diagonals of four
//! squares or more. A pattern lies on the board in two, four or eight places that are images of each other, and all of
//! them share its weights. The index of a place has a digit to the base of three for each of its squares: 0 empty, 1 Black,
//! 2 White.
//!
//! [Logistello]: https://skatgame.net/mburo/ps/improve.pdf

use crate::board::{Board, transform};
use crate::square::Squares;
use polyply_core::game::Side;

/// The squares of each pattern, one of its places.
const PATTERNS: [&[usize]; 11] = [
    // 3×3 corner
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    // 2×5 corner
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    // edge with both X squares
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    // second, third and fourth row
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    // diagonals
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// Number of patterns.
pub const COUNT: usize = PATTERNS.len();
/// Places of all patterns.
pub const PLACES: usize = 46;
/// The same, rounded up to whole registers.
const LANES: usize = 48;

/// Where the weights of each pattern begin; the last is where all end.
pub const OFFSETS: [usize; COUNT + 1] = {
    let mut offsets = [0; COUNT + 1];
    let mut pattern = 0;
    while pattern < COUNT {
        offsets[pattern + 1] = offsets[pattern] + 3_usize.pow(PATTERNS[pattern].len() as u32);
        pattern += 1;
    }
    offsets
};

/// A place of a pattern: its squares, in the order of the pattern's.
#[derive(Clone, Copy)]
struct Place {
    pattern: usize,
    squares: [usize; 10],
}

const fn images() -> [Place; PLACES] {
    let mut places = [Place { pattern: 0, squares: [64; 10] }; PLACES];
    let mut count = 0;
    let mut pattern = 0;
    while pattern < COUNT {
        let first = count;
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut place = Place { pattern, squares: [64; 10] };
            let mut set = 0;
            let mut index = 0;
            while index < PATTERNS[pattern].len() {
                let bit = transform(1 << PATTERNS[pattern][index], symmetry);
                place.squares[index] = bit.trailing_zeros() as usize;
                set |= bit;
                index += 1;
            }
            // The mirror image on the same squares is the same place.
            let mut known = first;
            while known < count && squares_of(&places[known]) != set {
                known += 1;
            }
            if known == count {
                places[count] = place;
                count += 1;
            }
            symmetry += 1;
        }
        pattern += 1;
    }
    assert!(count == PLACES);
    places
}

const fn squares_of(place: &Place) -> u64 {
    let mut set = 0;
    let mut index = 0;
    while index < 10 && place.squares[index] < 64 {
        set |= 1 << place.squares[index];
        index += 1;
    }
    set
}

/// What a disc on each square adds to each index.
static STEPS: [[u16; LANES]; 64] = {
    let places = images();
    let mut steps = [[0; LANES]; 64];
    let mut place = 0;
    while place < PLACES {
        let mut index = 0;
        let mut step: u16 = 1;
        while index < 10 && places[place].squares[index] < 64 {
            steps[places[place].squares[index]][place] = step;
            step = step.wrapping_mul(3);
            index += 1;
        }
        place += 1;
    }
    steps
};

/// Where the weights of each place begin.
pub static PLACE_OFFSETS: [u32; PLACES] = {
    let places = images();
    let mut offsets = [0; PLACES];
    let mut place = 0;
    while place < PLACES {
        offsets[place] = OFFSETS[places[place].pattern] as u32;
        place += 1;
    }
    offsets
};

/// The indices of all places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Indices([u16; LANES]);

impl Default for Indices {
    fn default() -> Self {
        Indices([0; LANES])
    }
}

impl Indices {
    /// Those of a position.
    pub fn of(board: Board, side: Side) -> Indices {
        let (first, second) = if side == Side::First { (board.own, board.other) } else { (board.other, board.own) };
        let mut indices = Indices::default();
        for (discs, digit) in [(first, 1), (second, 2)] {
            for square in Squares(discs) {
                indices.add(&STEPS[square.index()], digit);
            }
        }
        indices
    }

    /// Those after a move of a side; `placed` is the square it plays on.
    #[inline(always)]
    pub fn after(&self, side: Side, placed: usize, flips: u64) -> Indices {
        let mut next = *self;
        // A flip takes a digit from 2 to 1, or from 1 to 2.
        let (disc, flip) = if side == Side::First { (1, 1_u16.wrapping_neg()) } else { (2, 1) };
        next.add(&STEPS[placed], disc);
        let mut flipped = [0; LANES];
        for square in Squares(flips) {
            for (sum, step) in flipped.iter_mut().zip(&STEPS[square.index()]) {
                *sum += step;
            }
        }
        next.add(&flipped, flip);
        next
    }

    #[inline(always)]
    fn add(&mut self, steps: &[u16; LANES], times: u16) {
        for (index, step) in self.0.iter_mut().zip(steps) {
            *index = index.wrapping_add(step.wrapping_mul(times));
        }
    }

    /// The index of each place.
    #[inline(always)]
    pub fn places(&self) -> &[u16; PLACES] {
        self.0.first_chunk().expect("there are as many lanes as places and more")
    }
}

/// The index of the same pattern with the colours swapped.
pub fn swapped(mut index: usize) -> usize {
    let (mut swapped, mut step) = (0, 1);
    while index > 0 {
        swapped += step * [0, 2, 1][index % 3];
        index /= 3;
        step *= 3;
    }
    swapped
}

/// For every weight of every pattern the one of its mirror image, where the pattern is its own image; else itself.
pub fn mirrors() -> Vec<u32> {
    let mut mirrors = Vec::with_capacity(OFFSETS[COUNT]);
    for (pattern, squares) in PATTERNS.iter().enumerate() {
        let set = squares.iter().fold(0_u64, |set, square| set | 1 << square);
        let mirror = (1..8).find(|&symmetry| transform(set, symmetry) == set);
        // Where each digit goes.
        let order: Vec<usize> = match mirror {
            None => (0..squares.len()).collect(),
            Some(symmetry) => {
                let image = |square: &usize| transform(1 << square, symmetry).trailing_zeros() as usize;
                squares
                    .iter()
                    .map(|square| squares.iter().position(|other| *other == image(square)).unwrap_or(0))
                    .collect()
            }
        };
        let steps: Vec<usize> = (0..squares.len() as u32).map(|place| 3_usize.pow(place)).collect();
        for index in 0..3_usize.pow(squares.len() as u32) {
            let image: usize = (0..squares.len()).map(|place| index / steps[place] % 3 * steps[order[place]]).sum();
            mirrors.push((OFFSETS[pattern] + image) as u32);
        }
    }
    mirrors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_but_none_twice_is_in_the_places_of_its_patterns() {
        let places = images();
        let sets: std::collections::HashSet<u64> = places.iter().map(squares_of).collect();
        assert_eq!(sets.len(), PLACES);
        assert_eq!(sets.iter().fold(0, |all, set| all | set), u64::MAX);
    }

    #[test]
    fn mirrors_and_swaps_undo_themselves() {
        let mirrors = mirrors();
        for (index, &mirror) in mirrors.iter().enumerate() {
            assert_eq!(mirrors[mirror as usize] as usize, index);
        }
        assert!(mirrors.iter().enumerate().any(|(index, &mirror)| index != mirror as usize));
        assert_eq!(swapped(swapped(12345)), 12345);
        assert_eq!(swapped(1 + 2 * 3), 2 + 3);
    }
}
