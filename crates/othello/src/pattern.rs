//! The patterns of the evaluation, and their indices, which are updated incrementally.
//!
//! The classic set of [Logistello]: 3×3 and 2×5 corners, edges with their X squares, the inner lines, and diagonals of
//! four squares or more. Every pattern has two, four or eight instances on the board, which are symmetric images of
//! each other and share their weights. The index of an instance has a digit in base three for each of its squares: 0
//! empty, 1 Black, 2 White.
//!
//! [Logistello]: https://skatgame.net/mburo/ps/improve.pdf

use crate::board::{Board, transform};
use crate::square::Squares;
use polyply_core::game::Side;
use std::sync::LazyLock;

/// The squares of each pattern, in one of its instances.
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
/// Number of instances of all patterns.
pub const INSTANCES: usize = 46;
/// The number of instances, rounded up to whole registers.
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

/// An instance of a pattern: its squares, in the order of the pattern.
#[derive(Clone, Copy)]
struct Instance {
    pattern: usize,
    squares: [usize; 10],
}

const fn images() -> [Instance; INSTANCES] {
    let mut instances = [Instance { pattern: 0, squares: [64; 10] }; INSTANCES];
    let mut count = 0;
    let mut pattern = 0;
    while pattern < COUNT {
        let first = count;
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut instance = Instance { pattern, squares: [64; 10] };
            let mut set = 0;
            let mut index = 0;
            while index < PATTERNS[pattern].len() {
                let bit = transform(1 << PATTERNS[pattern][index], symmetry);
                instance.squares[index] = bit.trailing_zeros() as usize;
                set |= bit;
                index += 1;
            }
            // A mirror image on the same squares is the same instance.
            let mut known = first;
            while known < count && squares_of(&instances[known]) != set {
                known += 1;
            }
            if known == count {
                instances[count] = instance;
                count += 1;
            }
            symmetry += 1;
        }
        pattern += 1;
    }
    assert!(count == INSTANCES);
    instances
}

const fn squares_of(instance: &Instance) -> u64 {
    let mut set = 0;
    let mut index = 0;
    while index < 10 && instance.squares[index] < 64 {
        set |= 1 << instance.squares[index];
        index += 1;
    }
    set
}

/// What a disc on each square adds to each index.
static STEPS: [[u16; LANES]; 64] = {
    let instances = images();
    let mut steps = [[0; LANES]; 64];
    let mut instance = 0;
    while instance < INSTANCES {
        let mut index = 0;
        let mut step: u16 = 1;
        while index < 10 && instances[instance].squares[index] < 64 {
            steps[instances[instance].squares[index]][instance] = step;
            step = step.wrapping_mul(3);
            index += 1;
        }
        instance += 1;
    }
    steps
};

/// The offset of each instance's weights.
pub static INSTANCE_OFFSETS: [u32; INSTANCES] = {
    let instances = images();
    let mut offsets = [0; INSTANCES];
    let mut instance = 0;
    while instance < INSTANCES {
        offsets[instance] = OFFSETS[instances[instance].pattern] as u32;
        instance += 1;
    }
    offsets
};

/// The indices of all instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Indices([u16; LANES]);

impl Default for Indices {
    fn default() -> Self {
        Indices([0; LANES])
    }
}

impl Indices {
    /// The indices of a position.
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

    /// The indices after a move of a side to the square `placed`.
    #[inline(always)]
    pub fn after(&self, side: Side, placed: usize, flips: u64) -> Indices {
        let mut next = *self;
        // A flip changes a digit from 2 to 1, or from 1 to 2.
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

    /// The index of each instance.
    #[inline(always)]
    pub fn instances(&self) -> &[u16; INSTANCES] {
        self.0.first_chunk().expect("there are as many lanes as instances and more")
    }
}

/// The index of a pattern with the colours swapped.
pub fn swapped(mut index: usize) -> usize {
    let (mut swapped, mut step) = (0, 1);
    while index > 0 {
        swapped += step * [0, 2, 1][index % 3];
        index /= 3;
        step *= 3;
    }
    swapped
}

/// For every weight of every pattern, the index of its mirror image if the pattern is symmetric, else its own index.
pub fn mirrors() -> &'static [u32] {
    static MIRRORS: LazyLock<Vec<u32>> = LazyLock::new(|| {
        PATTERNS.iter().zip(OFFSETS).flat_map(|(squares, offset)| mirrors_of(squares, offset as u32)).collect()
    });
    &MIRRORS
}

/// The mirror images of the weights of a pattern, the first of which has the index `offset`.
fn mirrors_of(squares: &[usize], offset: u32) -> Vec<u32> {
    let set = squares.iter().fold(0_u64, |set, square| set | 1 << square);
    let symmetry = (1..8).find(|&symmetry| transform(set, symmetry) == set).unwrap_or(0);
    let image = |square: &usize| transform(1 << square, symmetry).trailing_zeros() as usize;
    let mut images = vec![offset];
    for square in squares {
        // Where the digit of this square goes.
        let digit = squares.iter().position(|other| *other == image(square)).unwrap_or(0) as u32;
        let (lower, step) = (images.clone(), 3_u32.pow(digit));
        for value in 1..3 {
            images.extend(lower.iter().map(|image| image + value * step));
        }
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_but_none_twice_is_in_the_places_of_its_patterns() {
        let instances = images();
        let sets: std::collections::HashSet<u64> = instances.iter().map(squares_of).collect();
        assert_eq!(sets.len(), INSTANCES);
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
