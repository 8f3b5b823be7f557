//! Shapes: what a stone makes of all four lines through a cell together.

use crate::pattern::Pattern;
use std::sync::LazyLock;

/// What a stone on a cell threatens; the weakest first.
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
    /// A four: a five is next, and the opponent can stop it.
    Four,
    /// A four and an open three.
    FourThree,
    /// Two fours in two lines.
    FourFour,
    /// An unstoppable four.
    OpenFour,
    /// A five.
    Five,
}

impl Shape {
    /// The number of shapes.
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
        let count = |kind: fn(Pattern) -> bool| patterns.iter().filter(|&&pattern| kind(pattern)).count();
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

/// The four patterns of a cell for one side, in any order, and the shape they make together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code(u16);

impl Code {
    /// The number of codes: multisets of four patterns.
    pub const COUNT: usize = {
        let n = Pattern::COUNT;
        n * (n + 1) * (n + 2) * (n + 3) / 24
    };

    /// Four dead lines.
    pub(crate) const NOTHING: Code = Code(0);

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

/// A number for each pattern, such that the sum of any four identifies them, whatever their order. The most frequent
/// patterns have the smallest numbers, so that frequent codes are close together in the table.
const ADDENDS: [u32; Pattern::COUNT] = {
    // Greedy: the least possible number after those before it.
    const LEAST: [u32; Pattern::COUNT] = [0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194];
    const BY_FREQUENCY: [Pattern; Pattern::COUNT] = [
        Pattern::Dead,
        Pattern::OpenOne,
        Pattern::One,
        Pattern::BroadTwo,
        Pattern::Two,
        Pattern::Three,
        Pattern::BroadThree,
        Pattern::OpenThree,
        Pattern::Four,
        Pattern::OpenFour,
        Pattern::Five,
        Pattern::OpenTwo,
    ];
    let mut addends = [0; Pattern::COUNT];
    let mut rank = 0;
    while rank < Pattern::COUNT {
        addends[BY_FREQUENCY[rank] as usize] = LEAST[rank];
        rank += 1;
    }
    addends
};

/// The codes of all sets of four patterns, by the sums of their addends.
pub(crate) struct Codes {
    /// What the packed patterns of one line add to the sums of both sides: the first player's in the low half of the
    /// word, the second player's in the high half.
    addends: Box<[u32; 256]>,
    of: Box<[Code; 1 << 16]>,
    patterns: Vec<[Pattern; 4]>,
}

/// The table of codes. A board keeps a reference, which is faster than checking whether it is initialised.
pub(crate) static CODES: LazyLock<Codes> = LazyLock::new(|| {
    let mut addends = Box::new([0; 256]);
    for first in Pattern::ALL {
        for second in Pattern::ALL {
            addends[first as usize | (second as usize) << 4] = ADDENDS[first as usize] | ADDENDS[second as usize] << 16;
        }
    }
    let mut patterns = Vec::with_capacity(Code::COUNT);
    let mut of = vec![Code(0); 1 << 16];
    for a in Pattern::ALL {
        for b in Pattern::ALL.into_iter().filter(|&b| b >= a) {
            for c in Pattern::ALL.into_iter().filter(|&c| c >= b) {
                for d in Pattern::ALL.into_iter().filter(|&d| d >= c) {
                    let four = [a, b, c, d];
                    let sum: u32 = four.iter().map(|&pattern| ADDENDS[pattern as usize]).sum();
                    of[sum as usize] = Code(patterns.len() as u16 | (Shape::of(four) as u16) << 12);
                    patterns.push(four);
                }
            }
        }
    }
    let of = of.try_into().unwrap_or_else(|_| unreachable!("the table has this length"));
    Codes { addends, of, patterns }
});

impl Codes {
    /// What the packed patterns of one line add to the sums of a cell.
    #[inline(always)]
    pub fn addend(&self, packed: u8) -> u32 {
        self.addends[usize::from(packed)]
    }

    /// The codes of both sides from the sums of a cell.
    #[inline(always)]
    pub fn of(&self, sums: u32) -> [Code; 2] {
        [self.of[sums as usize & 0xffff], self.of[sums as usize >> 16]]
    }
}

/// The pattern of a side in one direction, from four packed patterns.
#[inline(always)]
pub(crate) const fn pattern_of(packed: u32, direction: usize, side: usize) -> Pattern {
    let index = (packed >> (8 * direction + 4 * side)) as usize & 15;
    // The table contains no other values.
    Pattern::ALL[if index < Pattern::COUNT { index } else { 0 }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_known_by_its_sum() {
        for (index, four) in CODES.patterns.iter().enumerate() {
            let sum = |order: [usize; 4]| order.map(|place| ADDENDS[four[place] as usize]).iter().sum::<u32>();
            for order in [[0, 1, 2, 3], [3, 1, 0, 2]] {
                let [code, other] = CODES.of(sum(order));
                assert_eq!((code.index(), code.shape()), (index, Shape::of(*four)));
                assert_eq!(other.index(), 0);
            }
        }
    }
}
