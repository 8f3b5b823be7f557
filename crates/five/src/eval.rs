//! The evaluation: what the empty cells are worth to both sides, and how their best threats stand against each other.

use crate::board::Change;
use crate::position::Five;
use crate::rule::Rule;
use crate::shape::{Code, Shape};
use crate::weights::Weights;
use polyply_core::game::{Evaluation, Game, Observer};
use polyply_core::score::Score;

/// Sums over the cells, of one side: as the side to move, and as the other one.
type Sums = [i32; 2];

/// Plies of a search for which room is kept.
const ROOM: usize = 512;

/// The evaluation of one rule, following a position.
pub struct Evaluator {
    weights: &'static Weights,
    sums: [Sums; 2],
    /// The sums before each move that may be taken back.
    before: Vec<[Sums; 2]>,
}

impl Clone for Evaluator {
    fn clone(&self) -> Self {
        let mut before = Vec::with_capacity(self.before.len() + ROOM);
        before.extend_from_slice(&self.before);
        Evaluator { weights: self.weights, sums: self.sums, before }
    }
}

impl Evaluator {
    /// An evaluation with these weights.
    pub fn new(weights: &'static Weights) -> Self {
        Evaluator { weights, sums: [[0; 2]; 2], before: Vec::with_capacity(ROOM) }
    }

    fn add(&mut self, side: usize, code: usize) {
        let [moving, waiting] = self.weights.cell[code];
        self.sums[side][0] += i32::from(moving);
        self.sums[side][1] += i32::from(waiting);
    }
}

impl Observer<Change> for Evaluator {
    #[inline(always)]
    fn change(&mut self, change: Change) {
        let (from, to) = (self.weights.cell[change.from], self.weights.cell[change.to]);
        let sums = &mut self.sums[change.side];
        sums[0] += i32::from(to[0]) - i32::from(from[0]);
        sums[1] += i32::from(to[1]) - i32::from(from[1]);
    }
}

impl<R: Rule> Evaluation<Five<R>> for Evaluator {
    fn reset(&mut self, game: &Five<R>) {
        self.sums = [[0; 2]; 2];
        self.before.clear();
        for cell in game.board.empty().iter() {
            for side in 0..2 {
                self.add(side, game.board.code(cell, side).index());
            }
        }
    }

    fn score(&mut self, game: &Five<R>) -> Score {
        let (side, other) = (game.side(), game.side().other());
        let cells = self.sums[side.index()][0] - self.sums[other.index()][1];
        let pair = self.weights.pair[game.strongest(side) as usize][game.strongest(other) as usize];
        let captures = if R::CAPTURES { game.capture_value(&self.weights.capture) } else { 0 };
        Score::eval(cells / Weights::FRACTION + i32::from(pair) + captures)
    }

    fn weights(&self) -> u64 {
        self.weights.hash
    }

    #[inline(always)]
    fn play(&mut self, game: &mut Five<R>, mv: crate::cell::Cell) -> crate::position::Undo {
        self.before.push(self.sums);
        game.play(mv, self)
    }

    #[inline(always)]
    fn undo(&mut self, game: &mut Five<R>, mv: crate::cell::Cell, undo: crate::position::Undo) {
        game.undo(mv, undo, &mut ());
        if let Some(sums) = self.before.pop() {
            self.sums = sums;
        }
    }
}

impl<R: Rule> Five<R> {
    /// The strongest shape a side can make with its next stone.
    pub(crate) fn strongest(&self, side: polyply_core::game::Side) -> Shape {
        const STRONGEST_FIRST: [Shape; Shape::COUNT - 1] = [
            Shape::Five,
            Shape::OpenFour,
            Shape::FourFour,
            Shape::FourThree,
            Shape::Four,
            Shape::ThreeThree,
            Shape::OpenThree,
            Shape::TwoTwo,
            Shape::Two,
        ];
        let here = |shape: &Shape| self.board.count(side.index(), *shape) > 0;
        STRONGEST_FIRST.into_iter().find(here).unwrap_or(Shape::None)
    }
}

const _: () = assert!(Code::COUNT < 4096);
