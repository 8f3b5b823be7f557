//! The weights of the evaluation, and the files they are kept in.
//!
//! A file is text: a first line that says what it is, lines beginning with `#` that say where the weights come from, and
//! then sections. Each section is a line with its name and lines of numbers; `hash` is that of all numbers.
//!
//! ```text
//! polyply weights of five in a row
//! # command: polyply learn patterns freestyle …
//! hash 3f0c8e5b1d2a7794
//! cell
//! 3 2
//! …
//! ```

use crate::capture::Deeds;
use crate::cell::Cell;
use crate::pattern::Pattern;
use crate::settings::Kind;
use crate::shape::{Code, Shape};
use polyply_core::hash::Fnv;
use std::sync::LazyLock;

/// What the evaluation of one rule is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// What a cell of a code is worth to a side that moves and to one that waits, in parts of [`Weights::FRACTION`]. The
    /// last stands for a cell with a stone.
    pub cell: Box<[[i16; 2]; Code::COUNT + 1]>,
    /// What the threats at hand of the side to move and those of the other one, as [`Menace`] has them, are worth to the
    /// side to move.
    pub pair: [[i16; Menace::COUNT]; Menace::COUNT],
    /// Captures, where there are any.
    pub capture: CaptureWeights,
    /// How likely a move to a cell of a code is to be the best: the code of the side that moves and that of the other one
    /// add up. In parts of [`Weights::ORDER_UNIT`] of a logit.
    pub order: Box<[[i16; 2]; Code::COUNT]>,
    /// What the distance of such a move from the opponent's last stone and from one's own adds to that, by
    /// [`Cell::distance`].
    pub near: [[i16; Cell::DISTANCES]; 2],
    /// A hash of all of it.
    pub hash: u64,
}

/// Which kinds of threats a side can make with its next stone, as a set in five bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Menace(u8);

impl Menace {
    /// How many sets there are.
    pub const COUNT: usize = 1 << Menace::KINDS.len();

    /// The kinds, the lowest bit first.
    pub const KINDS: [&'static [Shape]; 5] = [
        &[Shape::OpenThree],
        &[Shape::ThreeThree],
        &[Shape::Four],
        &[Shape::FourThree],
        &[Shape::FourFour, Shape::OpenFour, Shape::Five],
    ];

    /// The set of the kinds of which there is a shape.
    #[inline(always)]
    pub fn of(has: impl Fn(Shape) -> bool) -> Menace {
        let bit = |(kind, shapes): (usize, &&[Shape])| u8::from(shapes.iter().any(|&shape| has(shape))) << kind;
        Menace(Menace::KINDS.iter().enumerate().map(bit).sum())
    }

    /// Its number, below [`Menace::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize % Menace::COUNT
    }
}

/// What captures are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaptureWeights {
    /// Having captured so many pairs.
    pub pairs: [i16; CaptureWeights::PAIRS],
    /// A pair that the side to move can take, and one that the other side can, by the pairs that side still misses.
    pub threat: [[i16; CaptureWeights::MISSING]; 2],
    /// What a move does to pairs, by [`Deeds`] and the pairs missed by the side that would take them: it adds to the order
    /// of moves.
    pub deeds: [[[i16; CaptureWeights::MISSING]; Deeds::COUNTS]; Deeds::KINDS],
}

impl CaptureWeights {
    /// No pair, one, and so on up to ten.
    pub const PAIRS: usize = 11;

    /// One pair still to take, two, and so on up to five and more.
    pub const MISSING: usize = 5;
}

impl Weights {
    /// Cells are weighed in parts of so many of the evaluation's unit.
    pub const FRACTION: i32 = 16;

    /// The order of moves counts in parts of a logit.
    pub const ORDER_UNIT: i32 = 256;

    /// The weights of a variant.
    pub fn of(kind: Kind) -> &'static Weights {
        static ALL: [LazyLock<Weights>; 4] = [
            LazyLock::new(|| built_in(include_str!("../weights/freestyle.txt"))),
            LazyLock::new(|| built_in(include_str!("../weights/standard.txt"))),
            LazyLock::new(|| built_in(include_str!("../weights/caro.txt"))),
            LazyLock::new(|| built_in(include_str!("../weights/capture.txt"))),
        ];
        &ALL[match kind {
            Kind::Freestyle => 0,
            Kind::Standard => 1,
            Kind::Caro => 2,
            Kind::Capture => 3,
        }]
    }

    /// Reads the text of a file. The error is one sentence.
    pub fn parse(text: &str) -> Result<Weights, String> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        if lines.next() != Some(TITLE) {
            return Err(format!("a file of weights begins with `{TITLE}`"));
        }
        let hash = lines.next().and_then(|line| line.strip_prefix("hash ")).ok_or("the hash is missing")?;
        let mut weights = Weights { cell: Box::new([[0; 2]; Code::COUNT + 1]), ..Weights::handmade() };
        for (name, slots) in weights.sections() {
            if lines.next() != Some(name) {
                return Err(format!("the section `{name}` is missing"));
            }
            let mut slots = slots.into_iter();
            while slots.len() > 0 {
                let line = lines.next().ok_or_else(|| format!("the section `{name}` ends too soon"))?;
                for number in line.split_ascii_whitespace() {
                    let wrong = || format!("`{}` in the section `{name}` is no weight", number.escape_debug());
                    let slot = slots.next().ok_or_else(|| format!("the section `{name}` has too many numbers"))?;
                    *slot = number.parse().map_err(|_| wrong())?;
                }
            }
        }
        if lines.next().is_some() {
            return Err("there is more than weights in the file".into());
        }
        weights.hash = weights.computed_hash();
        if u64::from_str_radix(hash, 16) == Ok(weights.hash) {
            Ok(weights)
        } else {
            Err(format!("the numbers have the hash {:016x}, not {hash}", weights.hash))
        }
    }

    /// The text of a file, with these lines about where the weights come from.
    pub fn text(&self, about: &[String]) -> String {
        let mut weights = self.clone();
        let mut text = format!("{TITLE}\n");
        about.iter().for_each(|line| text += &format!("# {line}\n"));
        text += &format!("hash {:016x}\n", weights.computed_hash());
        for (name, slots) in weights.sections() {
            text += &format!("{name}\n");
            let columns = match name {
                "cell" | "order" => 2,
                "pair" => Menace::COUNT,
                "near" => Cell::DISTANCES,
                "capture threat" | "deeds" => CaptureWeights::MISSING,
                _ => slots.len(),
            };
            for row in slots.chunks(columns) {
                let row: Vec<String> = row.iter().map(|slot| slot.to_string()).collect();
                text += &format!("{}\n", row.join(" "));
            }
        }
        text
    }

    /// All numbers by section, in the order of the file. The weights of a cell with a stone are 0 and not among them.
    fn sections(&mut self) -> [(&'static str, Vec<&mut i16>); 7] {
        let CaptureWeights { pairs, threat, deeds } = &mut self.capture;
        [
            ("cell", self.cell[..Code::COUNT].iter_mut().flatten().collect()),
            ("pair", self.pair.iter_mut().flatten().collect()),
            ("captured", pairs.iter_mut().collect()),
            ("capture threat", threat.iter_mut().flatten().collect()),
            ("order", self.order.iter_mut().flatten().collect()),
            ("near", self.near.iter_mut().flatten().collect()),
            ("deeds", deeds.iter_mut().flatten().flatten().collect()),
        ]
    }

    /// The hash of all numbers.
    fn computed_hash(&self) -> u64 {
        let mut weights = self.clone();
        let numbers = weights.sections().into_iter().flat_map(|(_, slots)| slots);
        Fnv::of(numbers.flat_map(|number| number.to_le_bytes()))
    }

    /// These numbers with their hash.
    pub fn hashed(mut self) -> Weights {
        self.hash = self.computed_hash();
        self
    }

    /// The same evaluation in another unit, for margins of the search that were found with it: so many hundredths of what it
    /// was. The order of moves has a unit of its own.
    pub fn scaled(mut self, percent: u16) -> Weights {
        let scale = |number: &mut i16| {
            let scaled = f32::from(*number) * f32::from(percent) / 100.0;
            *number = scaled.round_ties_even() as i16;
        };
        self.cell.iter_mut().flatten().for_each(scale);
        self.pair.iter_mut().flatten().for_each(scale);
        let CaptureWeights { pairs, threat, .. } = &mut self.capture;
        pairs.iter_mut().chain(threat.iter_mut().flatten()).for_each(scale);
        self.hashed()
    }

    /// Weights that nothing was learned for: they only follow the order of the patterns. Learning begins here.
    pub fn handmade() -> Weights {
        const LINE: [i32; Pattern::COUNT] = [0, 2, 6, 10, 30, 34, 34, 90, 100, 120, 400, 1000];
        let mut cell = Box::new([[0; 2]; Code::COUNT + 1]);
        for index in 0..Code::COUNT {
            let values = Code::patterns(index).map(|pattern| LINE[pattern as usize]);
            let sum: i32 = values.iter().sum();
            // Two good lines through one cell are worth more than their sum.
            let cross = values[3] * values[2] / 24;
            let value = sum + cross;
            cell[index] = [value.min(3000) as i16, (value * 3 / 4).min(3000) as i16];
        }
        // The strongest threat of each counts.
        let strongest = |values: [i16; 5], menace: usize| {
            (0..5).filter(|kind| menace >> kind & 1 != 0).map(|kind| values[kind]).max().unwrap_or(0)
        };
        let pair = std::array::from_fn(|own| {
            std::array::from_fn(|other| {
                strongest([20, 60, 30, 180, 500], own) - strongest([10, 30, 20, 90, 120], other)
            })
        });
        let order = Box::new(std::array::from_fn(|index| handmade_order(Code::patterns(index))));
        let capture = CaptureWeights {
            pairs: [0, 20, 50, 100, 200, 400, 400, 400, 400, 400, 400],
            threat: [30, 15].map(|threat| [threat; CaptureWeights::MISSING]),
            deeds: [[[0; CaptureWeights::MISSING]; Deeds::COUNTS]; Deeds::KINDS],
        };
        Weights { cell, pair, capture, order, near: [[0; Cell::DISTANCES]; 2], hash: 0 }.hashed()
    }
}

/// The place of a move in the order that nothing was learned for.
fn handmade_order(patterns: [Pattern; 4]) -> [i16; 2] {
    const LINE: [i16; Pattern::COUNT] = [0, 2, 5, 10, 27, 30, 28, 83, 92, 83, 500, 1500];
    const SHAPE: [i16; Shape::COUNT] = [0, 0, 33, 50, 250, 0, 667, 1000, 1333, 1667];
    let lines: i16 = patterns.iter().map(|&pattern| LINE[pattern as usize]).sum();
    let own = lines + SHAPE[Shape::of(patterns) as usize];
    [own, own / 4 * 3]
}

/// Weights that come with the program; a test reads them all.
fn built_in(text: &str) -> Weights {
    Weights::parse(text).unwrap_or_else(|reason| panic!("the weights that were built in can't be read: {reason}"))
}

/// The first line of a file.
const TITLE: &str = "polyply weights of five in a row";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_the_way_to_a_file_and_back() {
        let weights = Weights::handmade();
        let text = weights.text(&["from nowhere".into()]);
        assert!(text.contains("\n# from nowhere\n"));
        assert_eq!(Weights::parse(&text), Ok(weights));
    }

    #[test]
    fn a_file_that_is_not_whole_is_refused_in_a_sentence() {
        let text = Weights::handmade().text(&[]);
        let error = |text: &str| Weights::parse(text).unwrap_err();
        assert!(error("").contains("begins with"));
        assert!(error(&text[..text.len() / 2]).contains("ends too soon"));
        assert!(error(&text.replacen("pair\n", "pair\nx ", 1)).contains("`x`"));
        assert!(error(&text.replacen("pair\n", "pair\n7 ", 1)).contains("too many"));
        assert!(error(&text.replacen("\n0 0\n", "\n0 1\n", 1)).contains("hash"));
    }

    #[test]
    fn codes_are_numbered_as_the_files_have_them() {
        let fours: Vec<_> = (0..Code::COUNT).map(Code::patterns).collect();
        assert!(fours.is_sorted() && fours.iter().all(|four| four.is_sorted()));
        assert_eq!(fours.len(), Code::COUNT);
    }

    #[test]
    fn the_weights_of_every_variant_can_be_read() {
        for &kind in Kind::ALL {
            let weights = Weights::of(kind);
            assert_eq!(weights.hash, weights.computed_hash(), "{}", kind.name());
        }
    }

    #[test]
    fn another_unit_leaves_the_order_of_moves() {
        let weights = Weights::handmade();
        let doubled = weights.clone().scaled(200);
        assert_eq!(weights.clone().scaled(100), weights);
        assert_eq!(doubled.cell[7], weights.cell[7].map(|number| 2 * number));
        assert_eq!(doubled.capture.threat[1], weights.capture.threat[1].map(|number| 2 * number));
        assert_eq!((&doubled.order, &doubled.near), (&weights.order, &weights.near));
        assert_ne!(doubled.hash, weights.hash);
    }
}
