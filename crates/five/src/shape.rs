//! What a stone makes of all four lines through a cell together.

use crate::pattern::Pattern;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a stone on a cell threatens, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Shape {
    /// Nothing yet.
    None,
    /// An open two or a three.
    Two,
    /// Two of these.
    TwoTwo,
    /// An open three: an open four is next.
    OpenThree,
    /// Two open threes.
    ThreeThree,
    /// A four: a five is next, and the opponent has one way or so to stop it.
    Four,
    /// A four and an open three.
    FourThree,
    /// Two fours in two lines.
    FourFour,
    /// A four that can't be stopped.
    OpenFour,
    /// The win.
    Five,
}

impl Shape {
    /// How many shapes there are.
    pub const COUNT: usize = Shape::Five as usize + 1;

    pub(crate) const ALL: [Shape; Shape::COUNT] = [
        Shape::None,
        Shape::Two,
        Shape::TwoTwo,
        Shape::OpenThree,
        Shape::ThreeThree,
        Shape::Four,
        Shape::FourThree,
        Shape::FourFour,
        Shape::OpenFour,
        Shape::Five,
    ];

    pub(crate) fn of(patterns: [Pattern; 4]) -> Shape {
        let count = |wanted: fn(Pattern) -> bool| patterns.iter().filter(|&&pattern| wanted(pattern)).count();
        let fours = count(|pattern| pattern == Pattern::Four);
        let threes = count(Pattern::is_open_three);
        let twos = count(|pattern| pattern.is_open_two() || pattern == Pattern::Three);
        if patterns.contains(&Pattern::Five) {
            Shape::Five
        } else if patterns.contains(&Pattern::OpenFour) {
            Shape::OpenFour
        } else {
            match (fours, threes, twos) {
                (2.., _, _) => Shape::FourFour,
                (1, 1.., _) => Shape::FourThree,
                (1, 0, _) => Shape::Four,
                (_, 2.., _) => Shape::ThreeThree,
                (_, 1, _) => Shape::OpenThree,
                (_, _, 2..) => Shape::TwoTwo,
                (_, _, 1) => Shape::Two,
                _ => Shape::None,
            }
        }
    }
}

/// The four patterns of a cell for one side, whichever line has which, and the shape they make together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code(u16);

impl Code {
    /// How many codes there are: multisets of four patterns.
    pub const COUNT: usize = {
        let n = Pattern::COUNT;
        n * (n + 1) * (n + 2) * (n + 3) / 24
    };

    /// The number of the code, below [`Code::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & 0xfff
    }

    /// The shape.
    #[inline(always)]
    pub const fn shape(self) -> Shape {
        Shape::ALL[self.shape_index()]
    }

    /// The shape as a number below 16.
    #[inline(always)]
    pub(crate) const fn shape_index(self) -> usize {
        self.0 as usize >> 12
    }

    /// The patterns of a code, the weakest first.
    pub fn patterns(index: usize) -> [Pattern; 4] {
        CODES.patterns[index]
    }
}

/// The codes of all fours of patterns: looked up by two pairs, whose order does not matter, so that the table is small.
pub(crate) struct Codes {
    /// The number of a pair of patterns, four bits each.
    pairs: Box<[u8; 256]>,
    of: Box<[[Code; PAIRS]; PAIRS]>,
    patterns: Vec<[Pattern; 4]>,
}

/// Room for all pairs of patterns.
const PAIRS: usize = 128;

/// The one table of codes. A board keeps a reference, which is quicker than asking whether it was made already.
pub(crate) static CODES: LazyLock<Codes> = LazyLock::new(|| {
    let mut pairs = Box::new([0; 256]);
    let mut members = Vec::new();
    for high in 0..Pattern::COUNT {
        for low in 0..=high {
            pairs[high << 4 | low] = members.len() as u8;
            pairs[low << 4 | high] = members.len() as u8;
            members.push([Pattern::ALL[low], Pattern::ALL[high]]);
        }
    }
    let mut patterns = Vec::with_capacity(Code::COUNT);
    let mut codes = HashMap::new();
    for a in Pattern::ALL {
        for b in Pattern::ALL.into_iter().filter(|&b| b >= a) {
            for c in Pattern::ALL.into_iter().filter(|&c| c >= b) {
                for d in Pattern::ALL.into_iter().filter(|&d| d >= c) {
                    let four = [a, b, c, d];
                    codes.insert(four, Code(patterns.len() as u16 | (Shape::of(four) as u16) << 12));
                    patterns.push(four);
                }
            }
        }
    }
    let mut of = Box::new([[Code(0); PAIRS]; PAIRS]);
    for (first, &[a, b]) in members.iter().enumerate() {
        for (second, &[c, d]) in members.iter().enumerate() {
            let mut four = [a, b, c, d];
            four.sort_unstable();
            of[first][second] = codes[&four];
        }
    }
    Codes { pairs, of, patterns }
});

impl Codes {
    /// The code of four packed patterns, a byte each, for the side whose patterns are in the low (0) or the high (1) half
    /// of the bytes.
    #[inline(always)]
    pub fn of(&self, packed: u32, side: usize) -> Code {
        let nibbles = packed >> (4 * side) & 0x0f0f_0f0f;
        let pairs = nibbles | nibbles >> 4;
        let pair = |byte: u32| usize::from(self.pairs[(byte & 0xff) as usize]) % PAIRS;
        self.of[pair(pairs)][pair(pairs >> 16)]
    }
}

/// The pattern of a side in one direction, from four packed patterns.
#[inline(always)]
pub(crate) const fn pattern_of(packed: u32, direction: usize, side: usize) -> Pattern {
    let index = (packed >> (8 * direction + 4 * side)) as usize & 15;
    // The table holds no other values.
    Pattern::ALL[if index < Pattern::COUNT { index } else { 0 }]
}
