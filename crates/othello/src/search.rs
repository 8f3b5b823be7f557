//! What the search needs to know about Othello.

use crate::endgame::{CERTAIN, CERTAINTY, Endgame};
use crate::eval::Evaluator;
use crate::portable::Portable;
use crate::position::{DISC, Othello, Undo};
use crate::square::{C_SQUARES, CORNERS, Square, X_SQUARES};
use polyply_core::game::{Class, MoveSink, Prediction, Proof, SearchGame, Unit};
use polyply_core::params::SearchParams;
use polyply_core::resources::Resources;
use polyply_core::score::Score;

polyply_core::params! {
    /// Tunables of Othello.
    pub struct Params {
        /// Static order: weight of each move left to the opponent.
        order_mobility = 3000 in 0..=20000;
        /// Static order: bonus for a corner.
        order_corner = 9000 in 0..=30000;
        /// Static order: penalty for a square next to a corner.
        order_beside_corner = 4000 in 0..=30000;
    }
}

/// The smallest depth that a shallower search predicts.
const SHALLOWEST: i32 = 3;

impl SearchGame for Othello {
    type Eval = Evaluator;
    type Params = Params;

    /// One slot for each square, and one for the pass.
    const HISTORY: usize = 65;
    const TACTICAL: bool = false;
    const UNIT: Unit = Unit::Points(DISC);
    const FINISHES: bool = true;

    fn history_slot(&self, square: Square) -> usize {
        square.index()
    }

    fn class(&self, square: Square) -> Class {
        if square == Square::PASS { Class::Forced } else { Class::Quiet }
    }

    fn order(&self, class: Class, params: &Params, out: &mut MoveSink<'_, Square>) {
        match class {
            Class::Forced if self.must_pass() => out.push(Square::PASS, 0),
            Class::Quiet => {
                let board = self.discs();
                for (square, flips) in board.moves_with_flips() {
                    let after = board.after(square.bit(), flips);
                    let replies = after.moves();
                    // A corner left to the opponent counts as one more move.
                    let freedom = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
                    let place = match square.bit() {
                        bit if bit & CORNERS != 0 => params.order_corner,
                        bit if bit & (X_SQUARES | C_SQUARES) != 0 => -params.order_beside_corner,
                        _ => 0,
                    };
                    out.push(square, place - params.order_mobility * freedom);
                }
            }
            Class::Forced | Class::Tactical | Class::Remote => {}
        }
    }

    #[inline(always)]
    fn proof(&mut self, _: i32, _: &mut Resources<'_, Self>) -> Proof {
        let all = Score::eval(64 * DISC);
        Proof { low: -all, high: all, ..Proof::OPEN }
    }

    /// A pass is not a choice, so it is extended by a ply.
    #[inline(always)]
    fn threatened(&self) -> bool {
        self.legal() == 0
    }

    #[inline(always)]
    fn play_null(&mut self) -> Option<Undo> {
        None
    }

    fn endgame(&self) -> bool {
        self.empties() <= 24
    }

    /// A depth equal to the number of empty squares reaches the end; every further ply is a level of certainty.
    #[inline(always)]
    fn certainty(&self, depth: i32) -> Option<u8> {
        let level = depth - self.empties();
        (level >= 0).then(|| CERTAINTY[level.min(CERTAIN) as usize])
    }

    fn deepen(&self, depth: i32) -> i32 {
        let empties = self.empties();
        let certain = empties + CERTAIN;
        match empties {
            _ if depth >= empties => depth + 1,
            // Solved so quickly that no preparation is needed.
            ..=12 => certain,
            13..=16 if depth >= empties / 2 - 2 => certain,
            _ if depth >= (empties / 2).max(empties - 14) => empties,
            _ => depth + 1,
        }
    }

    fn finish(
        &mut self,
        eval: &mut Self::Eval,
        (alpha, beta): (Score, Score),
        depth: i32,
        resources: &mut Resources<'_, Self>,
    ) -> Score {
        let level = (depth - self.empties()).clamp(0, CERTAIN);
        // The score is a whole number of discs.
        let alpha = alpha.value().div_euclid(DISC).max(-65);
        let beta = (-(-beta.value()).div_euclid(DISC)).min(65);
        #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
        if crate::simd::avx512::available() {
            let mut endgame = Endgame::<crate::simd::avx512::Avx512>::new(eval, resources, self, level);
            return Score::eval(DISC * endgame.value(self, alpha, beta));
        } else if crate::simd::available() {
            let mut endgame = Endgame::<crate::simd::Avx2>::new(eval, resources, self, level);
            return Score::eval(DISC * endgame.value(self, alpha, beta));
        }
        Score::eval(DISC * Endgame::<Portable>::new(eval, resources, self, level).value(self, alpha, beta))
    }

    /// About half the depth, with the same parity, since having the last move matters.
    fn prediction(&self, eval: &Evaluator, depth: i32, attempt: usize) -> Option<Prediction> {
        if depth < SHALLOWEST || attempt > 0 {
            return None;
        }
        let short = depth / 4 * 2 + depth % 2;
        let [middle, _] = eval.spreads();
        Some(Prediction { depth: short, bias: 0, error: middle.at(depth, short, self.empties()) })
    }

    fn tune(params: &mut SearchParams) {
        // Margins in hundredths of a disc. Every move changes the whole position and nothing is quiet, so pruning by
        // the static value is left to Multi-ProbCut.
        params.aspiration_window = 150;
        params.razoring = 0;
        params.reverse_futility_margin = 500;
        params.reverse_futility_depth = 3;
        params.futility = 0;
        params.lmp = 0;
        params.null_move = 0;
        params.probcut = 0;
        params.singular = 0;
        params.multicut = 0;
        params.correction = 0;
        params.settle = 0;
    }
}

/// The error of a short search as a prediction of a longer one: the standard deviation in evaluation units, as a plane
/// over both depths and the number of empty squares. `polyply learn probcut` measures it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Spread {
    base: f64,
    deep: f64,
    short: f64,
    empty: f64,
}

impl Spread {
    /// The errors of predictions of longer searches in the middle game, and of the end. The latter are from 700 positions
    /// with 14 to 18 empty squares, each two random moves away from a game of self-play, as positions in a tree are.
    pub const USUAL: [Spread; 2] = [
        Spread { base: 626.0, deep: 46.0, short: -59.0, empty: -13.0 },
        Spread { base: 1090.0, deep: 0.0, short: -70.0, empty: 0.0 },
    ];

    /// A row of a file of weights.
    pub fn new(numbers: &[i16]) -> Spread {
        let number = |index: usize| numbers.get(index).copied().map_or(0.0, f64::from);
        Spread { base: number(0), deep: number(1), short: number(2), empty: number(3) }
    }

    /// The row in a file of weights.
    pub fn numbers(&self) -> [i16; 4] {
        [self.base, self.deep, self.short, self.empty].map(|number| number as i16)
    }

    pub fn at(&self, depth: i32, short: i32, empties: i32) -> i32 {
        let Spread { base, deep, short: slope, empty } = self;
        let spread = base + deep * f64::from(depth) + slope * f64::from(short) + empty * f64::from(empties);
        // Never so small that a difference of one disc would be certain, nor larger than any result.
        spread.clamp(f64::from(DISC), f64::from(128 * DISC)) as i32
    }
}
