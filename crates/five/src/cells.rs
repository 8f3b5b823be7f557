//! The patterns and codes of the empty cells for both sides, with the counts and sets of threats derived from them.

use crate::cell::{Cell, CellSet, GRID};
use crate::shape::{Code, Shape};
use polyply_core::game::Observer;

/// A change of a cell's code for a side; `from` and `to` may be equal if it changed for the other side only.
/// [`Code::COUNT`] stands for a cell that is not empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The side, 0 or 1.
    pub side: usize,
    /// The code's index before.
    pub from: usize,
    /// The code's index now.
    pub to: usize,
}

/// Kinds of threats; their cells are kept as sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Threat {
    /// A stone makes an open three.
    Three,
    /// A stone makes a four.
    Four,
    /// A stone makes a four that can't be stopped.
    Win,
    /// A stone makes five.
    Five,
    /// A stone makes none of these.
    None,
}

impl Threat {
    const COUNT: usize = Threat::None as usize + 1;

    /// The threat by index of the shape.
    const OF: [Threat; SHAPES] = {
        let mut of = [Threat::None; SHAPES];
        let mut index = 0;
        while index < Shape::COUNT {
            of[index] = Threat::of(Shape::ALL[index]);
            index += 1;
        }
        of
    };

    const fn of(shape: Shape) -> Threat {
        match shape {
            Shape::None | Shape::Two | Shape::TwoTwo => Threat::None,
            Shape::OpenThree | Shape::ThreeThree => Threat::Three,
            Shape::Four | Shape::FourThree => Threat::Four,
            Shape::FourFour | Shape::OpenFour => Threat::Win,
            Shape::Five => Threat::Five,
        }
    }
}

/// The size of tables indexed by four bits of a shape.
const SHAPES: usize = 16;

/// The patterns and codes of an empty cell for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Info {
    /// The patterns of the four directions, one byte each, with both sides packed.
    pub packed: u32,
    /// The sums of their addends, which determine the codes.
    pub sums: u32,
    pub codes: [Code; 2],
}

impl Info {
    /// The initial value.
    pub const NOTHING: Info = Info { packed: 0, sums: 0, codes: [Code::NOTHING; 2] };

    /// Whether the shape of either side differs.
    #[inline(always)]
    fn differs_in_shape(&self, other: &Info) -> bool {
        (0..2).any(|side| self.codes[side].shape_index() != other.codes[side].shape_index())
    }
}

/// All cells of a board. A cell with a stone keeps its last value.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Cells {
    info: [Info; GRID],
    counts: [[u16; SHAPES]; 2],
    threats: [[CellSet; Threat::COUNT]; 2],
}

impl Cells {
    /// Cells that are not counted yet.
    pub fn new() -> Cells {
        Cells {
            info: [Info::NOTHING; GRID],
            counts: [[0; SHAPES]; 2],
            threats: std::array::from_fn(|_| std::array::from_fn(|_| CellSet::EMPTY)),
        }
    }

    /// The patterns and codes of a cell.
    #[inline(always)]
    pub fn info(&self, cell: Cell) -> Info {
        self.info[cell.index()]
    }

    /// How many empty cells have this shape for a side.
    #[inline(always)]
    pub fn count(&self, side: usize, shape: Shape) -> u16 {
        self.counts[side][shape as usize]
    }

    /// The cells where a side makes this threat and nothing stronger.
    #[inline(always)]
    pub fn threats(&self, side: usize, threat: Threat) -> &CellSet {
        &self.threats[side][threat as usize]
    }

    /// Sets the value of a cell that is not counted.
    #[inline(always)]
    pub fn write(&mut self, cell: Cell, info: Info) {
        self.info[cell.index()] = info;
    }

    /// Replaces the value of a counted cell.
    #[inline(always)]
    pub fn replace<O: Observer<Change>>(&mut self, cell: Cell, new: Info, observer: &mut O) {
        let old = std::mem::replace(&mut self.info[cell.index()], new);
        for side in 0..2 {
            observer.change(Change { side, from: old.codes[side].index(), to: new.codes[side].index() });
        }
        if old.differs_in_shape(&new) {
            self.reshape(cell, old, new);
        }
    }

    /// Updates counts and sets for a cell whose shapes have changed.
    #[inline(always)]
    fn reshape(&mut self, cell: Cell, old: Info, new: Info) {
        for side in 0..2 {
            let (from, to) = (old.codes[side].shape_index(), new.codes[side].shape_index());
            self.counts[side][from] -= 1;
            self.counts[side][to] += 1;
            let (from, to) = (Threat::OF[from] as usize, Threat::OF[to] as usize);
            if from != to {
                self.threats[side][from].flip(cell);
                self.threats[side][to].flip(cell);
            }
        }
    }

    /// A cell gets a stone: it is no longer counted.
    #[inline(always)]
    pub fn count_out<O: Observer<Change>>(&mut self, cell: Cell, observer: &mut O) {
        for (side, code) in self.info(cell).codes.into_iter().enumerate() {
            observer.change(Change { side, from: code.index(), to: Code::COUNT });
            self.counts[side][code.shape_index()] -= 1;
            self.threats[side][Threat::OF[code.shape_index()] as usize].flip(cell);
        }
    }

    /// A cell becomes empty: it is counted again.
    #[inline(always)]
    pub fn count_in<O: Observer<Change>>(&mut self, cell: Cell, observer: &mut O) {
        for (side, code) in self.info(cell).codes.into_iter().enumerate() {
            observer.change(Change { side, from: Code::COUNT, to: code.index() });
            self.counts[side][code.shape_index()] += 1;
            self.threats[side][Threat::OF[code.shape_index()] as usize].flip(cell);
        }
    }

    /// Whether counts and sets are equal; cells that are not counted are ignored.
    pub fn counts_like(&self, other: &Cells) -> bool {
        self.counts == other.counts && self.threats == other.threats
    }
}
