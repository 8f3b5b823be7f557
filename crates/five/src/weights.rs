//! The weights of the evaluation, and their files.

use crate::capture::PairEffects;
use crate::cell::Cell;
use crate::pattern::Pattern;
use crate::policy;
use crate::settings::Kind;
use crate::shape::{Code, Shape};
use polyply_core::weights::{self, Section, Tables};
use polyply_nn::{POLICY_WIDTH, Policy};
use std::sync::{Arc, LazyLock};

/// The weights of the evaluation of one rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// The value of a cell by its code, for the side to move and for the opponent, in units of 1/[`Weights::FRACTION`].
    /// The last entry stands for a cell with a stone.
    pub cell: Box<[[i16; 2]; Code::COUNT + 1]>,
    /// The value, for the side to move, of its [`ThreatSet`] against the opponent's.
    pub pair: [[i16; ThreatSet::COUNT]; ThreatSet::COUNT],
    /// The weights of captures.
    pub capture: CaptureWeights,
    /// The order of a move by the code of its cell: the values for the side to move and for the opponent add up. In
    /// units of 1/[`Weights::ORDER_UNIT`] of a logit.
    pub order: Box<[[i16; 2]; Code::COUNT]>,
    /// The order of a move by its distances from the opponent's last stone and from one's own, by [`Cell::distance`].
    pub near: [[i16; Cell::DISTANCES]; 2],
    /// A net that adds to the order of moves.
    pub policy: Option<Policy>,
    /// A hash of all weights.
    pub hash: u64,
}

/// The kinds of threats that a side can make with its next stone, as a set of five bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ThreatSet(u8);

impl ThreatSet {
    /// The number of sets.
    pub const COUNT: usize = 1 << ThreatSet::KINDS.len();

    /// The kinds, the lowest bit first.
    pub const KINDS: [&'static [Shape]; 5] = [
        &[Shape::OpenThree],
        &[Shape::ThreeThree],
        &[Shape::Four],
        &[Shape::FourThree],
        &[Shape::FourFour, Shape::OpenFour, Shape::Five],
    ];

    /// The set of the kinds that `has` reports.
    #[inline(always)]
    pub fn of(has: impl Fn(Shape) -> bool) -> ThreatSet {
        let bit = |(kind, shapes): (usize, &&[Shape])| u8::from(shapes.iter().any(|&shape| has(shape))) << kind;
        ThreatSet(ThreatSet::KINDS.iter().enumerate().map(bit).sum())
    }

    /// Its number, below [`ThreatSet::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize % ThreatSet::COUNT
    }
}

/// The weights of captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaptureWeights {
    /// The value of captured pairs, by their number.
    pub pairs: [i16; CaptureWeights::PAIRS],
    /// The value of a pair that the side to move, or the opponent, can capture, by the pairs that side still needs.
    pub threat: [[i16; CaptureWeights::MISSING]; 2],
    /// The order of a move by its [`PairEffects`] and the pairs that the capturing side still needs.
    pub pair_effects: [[[i16; CaptureWeights::MISSING]; PairEffects::COUNTS]; PairEffects::KINDS],
}

impl CaptureWeights {
    /// From no pair to ten.
    pub const PAIRS: usize = 11;

    /// From one pair to five and more.
    pub const MISSING: usize = 5;
}

impl Weights {
    /// The weights of cells are in units of one over this of the evaluation's unit.
    pub const FRACTION: i32 = 16;

    /// The order of moves is in units of one over this of a logit.
    pub const ORDER_UNIT: i32 = 256;

    /// The weights of a variant.
    pub fn of(kind: Kind) -> &'static Arc<Weights> {
        static ALL: [LazyLock<Arc<Weights>>; 4] = [
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

    /// The tables of a file. The weights of a cell with a stone are 0 and are left out.
    pub const SECTIONS: [Section; 10] = [
        Section::linear("cell", Code::COUNT, 2),
        Section::linear("pair", ThreatSet::COUNT, ThreatSet::COUNT),
        Section::linear("captured", 1, CaptureWeights::PAIRS),
        Section::linear("threat", 2, CaptureWeights::MISSING),
        Section::order("order", Code::COUNT, 2),
        Section::order("near", 2, Cell::DISTANCES),
        // What a move does to pairs, by the name that the files have for it.
        Section::order("deeds", PairEffects::KINDS * PairEffects::COUNTS, CaptureWeights::MISSING),
        Section::policy("lines", policy::ROWS, POLICY_WIDTH),
        Section::policy("lines-bias", 1, POLICY_WIDTH),
        Section::policy("lines-output", 2, POLICY_WIDTH),
    ];

    /// Parses the text of a file. The error is one sentence.
    pub fn parse(text: &str) -> Result<Weights, String> {
        let games: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        Ok(Weights::of_tables(&weights::read(text, &games, &Weights::SECTIONS)?))
    }

    /// The weights of tables, one for each of [`Weights::SECTIONS`].
    pub fn of_tables(tables: &[Vec<i16>]) -> Weights {
        let mut weights = Weights { cell: Box::new([[0; 2]; Code::COUNT + 1]), ..Weights::handmade() };
        for (slots, table) in weights.slots().into_iter().zip(tables) {
            slots.into_iter().zip(table).for_each(|(slot, number)| *slot = *number);
        }
        if let [.., rows, bias, output] = tables {
            weights.policy = Policy::of([rows, bias, output]);
        }
        weights.hashed()
    }

    /// All numbers, a table for each of [`Weights::SECTIONS`].
    pub fn tables(&self) -> Tables {
        let mut tables: Tables =
            self.clone().slots().into_iter().map(|slots| slots.into_iter().map(|slot| *slot).collect()).collect();
        tables.extend(self.policy.as_ref().map_or_else(Default::default, Policy::tables));
        tables
    }

    /// All numbers by section, but for the net.
    fn slots(&mut self) -> [Vec<&mut i16>; 7] {
        let CaptureWeights { pairs, threat, pair_effects } = &mut self.capture;
        [
            self.cell[..Code::COUNT].iter_mut().flatten().collect(),
            self.pair.iter_mut().flatten().collect(),
            pairs.iter_mut().collect(),
            threat.iter_mut().flatten().collect(),
            self.order.iter_mut().flatten().collect(),
            self.near.iter_mut().flatten().collect(),
            pair_effects.iter_mut().flatten().flatten().collect(),
        ]
    }

    /// These numbers with their hash.
    fn hashed(mut self) -> Weights {
        self.hash = weights::hash(self.tables().into_iter().flatten());
        self
    }

    /// Hand-made weights, which only follow the order of the patterns. Learning starts from them.
    pub fn handmade() -> Weights {
        const LINE: [i32; Pattern::COUNT] = [0, 2, 6, 10, 30, 34, 34, 90, 100, 120, 400, 1000];
        let mut cell = Box::new([[0; 2]; Code::COUNT + 1]);
        for index in 0..Code::COUNT {
            let values = Code::patterns(index).map(|pattern| LINE[pattern as usize]);
            let sum: i32 = values.iter().sum();
            // Two good lines through one cell are worth more than the sum of both.
            let cross = values[3] * values[2] / 24;
            let value = sum + cross;
            cell[index] = [value.min(3000) as i16, (value * 3 / 4).min(3000) as i16];
        }
        // The strongest threat of each side counts.
        let strongest = |values: [i16; 5], threat_set: usize| {
            (0..5).filter(|kind| threat_set >> kind & 1 != 0).map(|kind| values[kind]).max().unwrap_or(0)
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
            pair_effects: [[[0; CaptureWeights::MISSING]; PairEffects::COUNTS]; PairEffects::KINDS],
        };
        Weights { cell, pair, capture, order, near: [[0; Cell::DISTANCES]; 2], policy: None, hash: 0 }.hashed()
    }
}

/// The hand-made order of a move.
fn handmade_order(patterns: [Pattern; 4]) -> [i16; 2] {
    const LINE: [i16; Pattern::COUNT] = [0, 2, 5, 10, 27, 30, 28, 83, 92, 83, 500, 1500];
    const SHAPE: [i16; Shape::COUNT] = [0, 0, 33, 50, 250, 0, 667, 1000, 1333, 1667];
    let lines: i16 = patterns.iter().map(|&pattern| LINE[pattern as usize]).sum();
    let own = lines + SHAPE[Shape::of(patterns) as usize];
    [own, own / 4 * 3]
}

/// The built-in weights; a test parses them all.
fn built_in(text: &str) -> Arc<Weights> {
    let read = Weights::parse(text);
    Arc::new(read.unwrap_or_else(|reason| panic!("the weights that were built in can't be read: {reason}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_the_way_to_a_file_and_back() {
        let weights = Weights::handmade();
        let text = weights::write("caro", &Weights::SECTIONS, &weights.tables(), &["from nowhere".into()]);
        assert!(text.contains("\n# from nowhere\n"));
        assert_eq!(Weights::parse(&text), Ok(weights));
        assert!(Weights::parse(&text.replacen("caro", "chess", 1)).unwrap_err().contains("freestyle or standard"));
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
            assert_eq!(Weights::of_tables(&weights.tables()), **weights, "{}", kind.name());
        }
    }

    #[test]
    fn another_unit_leaves_the_order_of_moves() {
        let weights = Weights::handmade();
        let scaled = |percent| {
            let mut tables = weights.tables();
            weights::scale(&Weights::SECTIONS, &mut tables, percent);
            Weights::of_tables(&tables)
        };
        let doubled = scaled(200);
        assert_eq!(scaled(100), weights);
        assert_eq!(doubled.cell[7], weights.cell[7].map(|number| 2 * number));
        assert_eq!(doubled.capture.threat[1], weights.capture.threat[1].map(|number| 2 * number));
        assert_eq!((&doubled.order, &doubled.near), (&weights.order, &weights.near));
        assert_ne!(doubled.hash, weights.hash);
    }
}
