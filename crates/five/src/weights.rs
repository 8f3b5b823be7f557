//! The weights of the evaluation.

use crate::pattern::Pattern;
use crate::settings::Kind;
use crate::shape::{Code, Shape};
use std::sync::LazyLock;

/// What the evaluation of one rule is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// What a cell of a code is worth to a side that moves and to one that waits, in parts of [`Weights::FRACTION`]. The
    /// last stands for a cell with a stone.
    pub cell: Box<[[i16; 2]; Code::COUNT + 1]>,
    /// What it is worth to the side to move that its strongest shape stands against the opponent's.
    pub pair: [[i16; Shape::COUNT]; Shape::COUNT],
    /// Captures, where there are any.
    pub capture: CaptureWeights,
    /// A hash of all of it.
    pub hash: u64,
}

/// What captures are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaptureWeights {
    /// Having captured so many pairs.
    pub pairs: [i16; 11],
    /// A pair that the side to move can take, and one that the other side can.
    pub threat: [i16; 2],
}

impl Weights {
    /// Cells are weighed in parts of so many of the evaluation's unit.
    pub const FRACTION: i32 = 16;

    /// The weights of a variant.
    pub fn of(kind: Kind) -> &'static Weights {
        static FIRST: LazyLock<Weights> = LazyLock::new(Weights::guessed);
        match kind {
            Kind::Freestyle | Kind::Standard | Kind::Caro | Kind::Capture => &FIRST,
        }
    }

    /// Weights that were learned from nothing: they only follow the order of the patterns.
    pub fn guessed() -> Weights {
        const LINE: [i32; Pattern::COUNT] = [0, 2, 6, 10, 26, 30, 34, 34, 90, 100, 120, 400, 1000];
        let mut cell = Box::new([[0; 2]; Code::COUNT + 1]);
        for index in 0..Code::COUNT {
            let values = Code::patterns(index).map(|pattern| LINE[pattern as usize]);
            let sum: i32 = values.iter().sum();
            // Two good lines through one cell are worth more than their sum.
            let cross = values[3] * values[2] / 24;
            let value = sum + cross;
            cell[index] = [value.min(3000) as i16, (value * 3 / 4).min(3000) as i16];
        }
        let mut pair = [[0; Shape::COUNT]; Shape::COUNT];
        for own in 0..Shape::COUNT {
            for other in 0..Shape::COUNT {
                const MOVING: [i16; Shape::COUNT] = [0, 4, 8, 20, 60, 30, 180, 500, 500, 1000];
                const WAITING: [i16; Shape::COUNT] = [0, 2, 4, 10, 30, 20, 90, 120, 120, 400];
                pair[own][other] = MOVING[own] - WAITING[other];
            }
        }
        let capture = CaptureWeights { pairs: [0, 20, 50, 100, 200, 400, 400, 400, 400, 400, 400], threat: [30, 15] };
        Weights { cell, pair, capture, hash: 1 }
    }
}
