//! The weights of the evaluation: for the middle game and for the endgame, in hundredths of a pawn.

use crate::eval::{Sum, place};
use crate::position::Change;
use crate::terms::{COUNT, Term};
use cozy_chess::{Color, Piece, Square};
use polyply_core::weights::{self, Section, Tables};
use std::sync::{Arc, LazyLock};

/// A weight for the middle game and one for the endgame, added and subtracted together: the first in the upper sixteen
/// bits, the second in the lower ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pair(i32);

impl Pair {
    pub const ZERO: Pair = Pair(0);

    pub const fn new(middle: i16, end: i16) -> Pair {
        Pair(((middle as i32) << 16) + end as i32)
    }

    pub const fn end(self) -> i32 {
        self.0 as i16 as i32
    }

    pub const fn middle(self) -> i32 {
        // Returns what the lower half borrowed from the upper half when it became negative.
        (self.0 + 0x8000) >> 16
    }

    #[inline(always)]
    pub fn add(&mut self, other: Pair, times: i32) {
        self.0 += other.0 * times;
    }
}

/// The weights of the evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    pub(crate) pairs: Box<[Pair; COUNT]>,
    /// The value for White of a piece on a square, by color, piece and square: material and piece-square value
    /// together.
    pub(crate) placed: Box<[[[Pair; Square::NUM]; Piece::NUM]; Color::NUM]>,
    /// A hash of all weights.
    pub hash: u64,
}

impl Weights {
    /// The number of weights.
    pub const COUNT: usize = COUNT;

    /// The built-in weights.
    pub fn built_in() -> &'static Arc<Weights> {
        static BUILT_IN: LazyLock<Arc<Weights>> = LazyLock::new(|| {
            let read = Weights::parse(include_str!("../weights/chess.txt"));
            Arc::new(read.unwrap_or_else(|reason| panic!("the weights that were built in can't be read: {reason}")))
        });
        &BUILT_IN
    }

    /// These numbers with their hash: each weight for the middle game and for the endgame.
    pub fn of(numbers: &[[i16; 2]; COUNT]) -> Weights {
        let hash = weights::hash(numbers.iter().flatten().copied());
        let pairs = Box::new(numbers.map(|[middle, end]| Pair::new(middle, end)));
        let mut placed = Box::new([[[Pair::ZERO; Square::NUM]; Piece::NUM]; Color::NUM]);
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let mut sum = Sum { weights: &pairs, total: Pair::ZERO };
                    place(&mut sum, Change { piece, color, square, set: true }, 1);
                    placed[color as usize][piece as usize][square as usize] = sum.total;
                }
            }
        }
        Weights { pairs, placed, hash }
    }

    /// Each weight for the middle game and for the endgame.
    pub fn numbers(&self) -> [[i16; 2]; COUNT] {
        self.pairs.map(|pair| [pair.middle() as i16, pair.end() as i16])
    }

    /// The tables of a file: a table for each term, with two numbers for each of its weights.
    pub fn sections() -> Vec<Section> {
        Term::ALL.iter().map(|term| Section::linear(term.name(), term.size(), 2)).collect()
    }

    /// The numbers, a table for each of [`Weights::sections`].
    pub fn tables(&self) -> Tables {
        let numbers = self.numbers();
        let table = |term: &Term| numbers[term.at(0)..term.at(term.size())].iter().flatten().copied().collect();
        Term::ALL.iter().map(table).collect()
    }

    /// Parses the text of a file. The error is one sentence.
    pub fn parse(text: &str) -> Result<Weights, String> {
        let tables = weights::read(text, &["chess"], &Weights::sections())?;
        let mut numbers = [[0; 2]; COUNT];
        for (slot, pair) in numbers.iter_mut().zip(tables.iter().flat_map(|table| table.chunks(2))) {
            slot.copy_from_slice(pair);
        }
        match numbers.iter().flatten().find(|number| number.unsigned_abs() > LARGEST.unsigned_abs()) {
            Some(number) => Err(format!("a weight of chess is at most {LARGEST}, not {number}")),
            None => Ok(Weights::of(&numbers)),
        }
    }

    /// Hand-made weights, by the advice for beginners. Learning starts from them.
    pub fn handmade() -> Weights {
        let mut numbers = [[0; 2]; COUNT];
        for &term in Term::ALL {
            for index in 0..term.size() {
                numbers[term.at(index)] = term.guess(index);
            }
        }
        Weights::of(&numbers)
    }
}

/// The largest weight, so that sums fit sixteen bits.
pub(crate) const LARGEST: i16 = 2500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_halves_of_a_pair_do_not_disturb_each_other() {
        for (middle, end) in [(0, 0), (5, -7), (-5, 7), (-300, -2), (1000, -1000), (-1, -3000)] {
            let pair = Pair::new(middle, end);
            assert_eq!((pair.middle(), pair.end()), (middle.into(), end.into()));
            let mut sum = Pair::new(-3, 4);
            sum.add(pair, -2);
            assert_eq!(sum.middle(), -3 - 2 * i32::from(middle));
        }
    }

    #[test]
    fn weights_survive_the_way_to_a_file_and_back() {
        let weights = Weights::handmade();
        let text = weights::write("chess", &Weights::sections(), &weights.tables(), &["from nowhere".into()]);
        assert!(text.contains("\n# from nowhere\n"));
        assert_eq!(Weights::parse(&text), Ok(weights));
        let built_in = Weights::built_in();
        assert_eq!(Weights::of(&built_in.numbers()), **built_in);
    }

    #[test]
    fn a_weight_that_sums_have_no_room_for_is_refused() {
        let mut tables = Weights::handmade().tables();
        tables[0][0] = LARGEST + 1;
        let text = weights::write("chess", &Weights::sections(), &tables, &[]);
        assert!(Weights::parse(&text).unwrap_err().contains("at most 2500, not 2501"));
    }
}
