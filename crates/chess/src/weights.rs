//! The weights of the evaluation, and the file they are kept in.
//!
//! A file is text: a first line that says what it is, lines beginning with `#` that say where the weights come from, the
//! hash of all numbers, and then a section for each [`Term`]: a line with its name, and a line with the two numbers of
//! each weight, for the middle game and for the endgame, in hundredths of a pawn.

use crate::eval::{Sum, place};
use crate::position::Change;
use crate::terms::{COUNT, Term};
use cozy_chess::{Color, Piece, Square};
use polyply_core::hash::Fnv;
use std::sync::LazyLock;

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
        // What the lower half borrowed from the upper one when it fell below 0 is given back.
        (self.0 + 0x8000) >> 16
    }

    #[inline(always)]
    pub fn add(&mut self, other: Pair, times: i32) {
        self.0 += other.0 * times;
    }
}

/// What the evaluation is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    pub(crate) pairs: Box<[Pair; COUNT]>,
    /// What a piece is worth to White on its square, by color, piece and square: material and place together.
    pub(crate) placed: Box<[[[Pair; Square::NUM]; Piece::NUM]; Color::NUM]>,
    /// A hash of all of them.
    pub hash: u64,
}

impl Weights {
    /// How many weights there are.
    pub const COUNT: usize = COUNT;

    /// The weights that come with the program.
    pub fn built_in() -> &'static Weights {
        static BUILT_IN: LazyLock<Weights> = LazyLock::new(|| {
            Weights::parse(include_str!("../weights/chess.txt"))
                .unwrap_or_else(|reason| panic!("the weights that were built in can't be read: {reason}"))
        });
        &BUILT_IN
    }

    /// These numbers with their hash: each weight for the middle game and for the endgame.
    pub fn of(numbers: &[[i16; 2]; COUNT]) -> Weights {
        let hash = Fnv::of(numbers.iter().flatten().flat_map(|number| number.to_le_bytes()));
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

    /// Reads the text of a file. The error is one sentence.
    pub fn parse(text: &str) -> Result<Weights, String> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        if lines.next() != Some(TITLE) {
            return Err(format!("a file of weights of chess begins with `{TITLE}`"));
        }
        let hash = lines.next().and_then(|line| line.strip_prefix("hash ")).ok_or("the hash is missing")?;
        let mut numbers = [[0; 2]; COUNT];
        for &term in Term::ALL {
            if lines.next() != Some(term.name()) {
                return Err(format!("the section `{}` is missing", term.name()));
            }
            for index in 0..term.size() {
                let line = lines.next().ok_or_else(|| format!("the section `{}` ends too soon", term.name()))?;
                let wrong = || format!("`{}` in the section `{}` is no weight", line.escape_debug(), term.name());
                let (middle, end) = line.split_once(' ').ok_or_else(wrong)?;
                let read = |text: &str| text.parse().ok().filter(|number: &i16| number.abs() <= LARGEST);
                numbers[term.at(index)] = [read(middle).ok_or_else(wrong)?, read(end).ok_or_else(wrong)?];
            }
        }
        if lines.next().is_some() {
            return Err("there is more than weights in the file".into());
        }
        let weights = Weights::of(&numbers);
        if u64::from_str_radix(hash, 16) == Ok(weights.hash) {
            Ok(weights)
        } else {
            Err(format!("the numbers have the hash {:016x}, not {hash}", weights.hash))
        }
    }

    /// The text of a file, with these lines about where the weights come from.
    pub fn text(&self, about: &[String]) -> String {
        let mut text = format!("{TITLE}\n");
        about.iter().for_each(|line| text += &format!("# {line}\n"));
        text += &format!("hash {:016x}\n", self.hash);
        for &term in Term::ALL {
            text += &format!("{}\n", term.name());
            for index in 0..term.size() {
                let pair = self.pairs[term.at(index)];
                text += &format!("{} {}\n", pair.middle(), pair.end());
            }
        }
        text
    }

    /// Weights that nothing was learned for: what a beginner is told. Learning begins here.
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

/// The first line of a file.
const TITLE: &str = "polyply weights of chess";

/// No weight is larger: sums of them must fit sixteen bits.
const LARGEST: i16 = 2500;

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
        let text = weights.text(&["from nowhere".into()]);
        assert!(text.contains("\n# from nowhere\n"));
        assert_eq!(Weights::parse(&text), Ok(weights));
        let built_in = Weights::built_in();
        assert_eq!(Weights::of(&built_in.numbers()), *built_in);
    }

    #[test]
    fn a_file_that_is_not_whole_is_refused_in_a_sentence() {
        let text = Weights::handmade().text(&[]);
        let error = |text: &str| Weights::parse(text).unwrap_err();
        assert!(error("").contains("begins with"));
        assert!(
            error(&text[..text.len() / 2]).contains("no weight") || error(&text[..text.len() / 2]).contains("soon")
        );
        assert!(error(&text.replacen("Material\n", "Material\nx ", 1)).contains("no weight"));
        assert!(error(&text.replacen("Material\n", "Material\n1 1\n", 1)).contains("missing"));
        assert!(error(&text.replacen("Material\n90 ", "Material\n91 ", 1)).contains("hash"));
        assert!(error(&(text + "1 1\n")).contains("more than weights"));
    }
}
