//! The evaluation: the values of the empty cells for both sides, and of both sides' threats against each other.

use crate::capture::PairEffects;
use crate::cell::Cell;
use crate::cells::Change;
use crate::net::NetEvaluation;
use crate::position::Five;
use crate::rule::Rule;
use crate::search::FiveParams;
use crate::shape::Code;
use crate::weights::{CaptureWeights, ThreatSet, Weights};
use polyply_core::game::{Class, Evaluation, Game, MoveSink, Observer, SearchGame, Side};
use polyply_core::score::Score;
use polyply_nn::Net;
use std::sync::Arc;

/// Two values of a side: as the side to move in the high half of the word, as the opponent in the low half. One
/// addition updates both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct SideValues(i64);

impl SideValues {
    const fn new([moving, waiting]: [i16; 2]) -> SideValues {
        SideValues(((moving as i64) << 32) + waiting as i64)
    }

    #[inline(always)]
    const fn moving(self) -> i32 {
        ((self.0 - self.waiting() as i64) >> 32) as i32
    }

    #[inline(always)]
    const fn waiting(self) -> i32 {
        self.0 as i32
    }
}

/// The net is asked where the linear evaluation is within this. Farther off it costs time and changes little.
const NET_REACH: i32 = 300;

/// The number of plies to reserve memory for.
const ROOM: usize = 512;

/// The size of a table indexed by twelve bits, so that no bounds check is needed.
const CODES: usize = 4096;

/// The incremental evaluation of a position under one rule.
pub struct Evaluator {
    weights: Arc<Weights>,
    /// The value of a cell by its code.
    cells: Arc<[SideValues; CODES]>,
    /// The sums over all cells for both sides.
    sums: [SideValues; 2],
    /// The sums before each move, for undo.
    before: Vec<[SideValues; 2]>,
    /// A net that adds to the sums.
    net: Option<Box<NetEvaluation>>,
}

impl Clone for Evaluator {
    fn clone(&self) -> Self {
        let mut before = Vec::with_capacity(self.before.len() + ROOM);
        before.extend_from_slice(&self.before);
        Evaluator {
            weights: Arc::clone(&self.weights),
            cells: Arc::clone(&self.cells),
            sums: self.sums,
            before,
            net: self.net.clone(),
        }
    }
}

impl Evaluator {
    /// An evaluation with these weights.
    pub fn new(weights: &Arc<Weights>) -> Self {
        let cells =
            std::array::from_fn(|code| weights.cell.get(code).map_or(SideValues(0), |&cell| SideValues::new(cell)));
        let before = Vec::with_capacity(ROOM);
        Evaluator { weights: Arc::clone(weights), cells: Arc::new(cells), sums: [SideValues(0); 2], before, net: None }
    }

    /// The same evaluation with a net that adds to it.
    pub fn with_net(self, net: &Arc<Net>) -> Self {
        Evaluator { net: Some(Box::new(NetEvaluation::new(net))), ..self }
    }

    /// The weights.
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }
}

impl Observer<Change> for Evaluator {
    #[inline(always)]
    fn change(&mut self, Change { side, from, to }: Change) {
        self.sums[side].0 += self.cells[to % CODES].0 - self.cells[from % CODES].0;
    }
}

impl<R: Rule> Evaluation<Five<R>> for Evaluator {
    fn reset(&mut self, game: &Five<R>) {
        self.sums = [SideValues(0); 2];
        self.before.clear();
        for cell in game.board.empty().iter() {
            for side in 0..2 {
                self.change(Change { side, from: Code::COUNT, to: game.board.code(cell, side).index() });
            }
        }
        if let Some(net) = &mut self.net {
            net.reset();
        }
    }

    fn score(&mut self, game: &Five<R>) -> Score {
        let (side, other) = (game.side(), game.side().other());
        let cells = self.sums[side.index()].moving() - self.sums[other.index()].waiting();
        let pair = self.weights.pair[game.threat_set(side).index()][game.threat_set(other).index()];
        let captures = if R::CAPTURES { game.capture_value(&self.weights.capture) } else { 0 };
        let linear = cells / Weights::FRACTION + i32::from(pair) + captures;
        let net = self.net.as_mut().filter(|_| linear.abs() <= NET_REACH).map_or(0, |net| net.value(game));
        Score::eval(linear + net)
    }

    fn weights_hash(&self) -> u64 {
        self.weights.hash ^ self.net.as_ref().map_or(0, |net| net.net().hash())
    }

    #[inline(always)]
    fn play(&mut self, game: &mut Five<R>, mv: Cell) -> crate::position::Undo {
        self.before.push(self.sums);
        if let Some(net) = &mut self.net {
            net.push();
        }
        game.play(mv, self)
    }

    #[inline(always)]
    fn undo(&mut self, game: &mut Five<R>, mv: Cell, undo: crate::position::Undo) {
        game.undo(mv, undo, &mut ());
        if let Some(sums) = self.before.pop() {
            self.sums = sums;
        }
        if let Some(net) = &mut self.net {
            net.pop();
        }
    }
}

/// The features of a position, from which weights are learned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// The codes of all empty cells for the side to move and for the opponent.
    pub codes: [Vec<usize>; 2],
    /// The threats of both sides, as [`ThreatSet::index`].
    pub threat_sets: [usize; 2],
    /// The pairs captured by both sides.
    pub captured: [usize; 2],
    /// The number of cells where each side can capture.
    pub capturing: [usize; 2],
    /// The pairs that each side still has to capture, as the weights count them.
    pub missing: [usize; 2],
}

/// A move with the features of its static order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub cell: Cell,
    /// The codes of the cell for the side to move and for the opponent.
    pub codes: [usize; 2],
    /// The distances from the opponent's last stone and from the last stone of the side to move.
    pub distances: [usize; 2],
    /// The counts of [`PairEffects`], in games with captures.
    pub pair_effects: [usize; PairEffects::KINDS],
    /// For each kind, the pairs that the capturing side still has to capture.
    pub missing: [usize; PairEffects::KINDS],
}

impl Terms {
    /// The evaluation with these weights.
    pub fn value(&self, weights: &Weights) -> i32 {
        let cells = |side: usize| self.codes[side].iter().map(|&code| i32::from(weights.cell[code][side])).sum::<i32>();
        let captured = |side: usize| i32::from(weights.capture.pairs[self.captured[side]]);
        let capturing =
            |side: usize| self.capturing[side] as i32 * i32::from(weights.capture.threat[side][self.missing[side]]);
        let [own, other] = self.threat_sets;
        (cells(0) - cells(1)) / Weights::FRACTION
            + i32::from(weights.pair[own][other])
            + (captured(0) - captured(1))
            + (capturing(0) - capturing(1))
    }
}

impl<R: Rule> Five<R> {
    /// The features of this position.
    pub fn terms(&self) -> Terms {
        let sides = [self.side(), self.side().other()];
        let codes =
            |side: Side| self.board.empty().iter().map(|cell| self.board.code(cell, side.index()).index()).collect();
        let mut terms = Terms {
            codes: sides.map(codes),
            threat_sets: sides.map(|side| self.threat_set(side).index()),
            ..Terms::default()
        };
        if R::CAPTURES {
            let most = CaptureWeights::PAIRS - 1;
            terms.captured = sides.map(|side| usize::from(self.captured(side) / 2).min(most));
            terms.capturing = sides.map(|side| self.capturing(side).iter().count());
            terms.missing = sides.map(|side| self.missing(side));
        }
        terms
    }

    /// The moves that the search considers, with the features of their static order.
    pub fn ordered(&self) -> Vec<Choice> {
        let mut moves = Vec::new();
        for class in [Class::Forced, Class::Tactical, Class::Quiet] {
            self.order(class, &FiveParams::default(), &mut MoveSink::new(&mut moves));
        }
        let sides = [self.side(), self.side().other()];
        let missing = sides.map(|side| if R::CAPTURES { self.missing(side) } else { 0 });
        let choice = |cell: Cell| Choice {
            cell,
            codes: sides.map(|side| self.board.code(cell, side.index()).index()),
            distances: sides.map(|side| cell.distance(self.last_of(side.other()))),
            pair_effects: if R::CAPTURES { self.pair_effects(cell).counts() } else { [0; PairEffects::KINDS] },
            missing: PairEffects::TAKER.map(|taker| missing[taker]),
        };
        moves.into_iter().map(|scored| choice(scored.mv)).collect()
    }

    /// Whether the evaluation is meaningful here: neither side can make five at once, and the side to move has no
    /// unstoppable four. The search resolves other positions.
    pub fn is_settled(&self) -> bool {
        let (side, other) = (self.side(), self.side().other());
        let forced = self.has_five(side) || self.has_five(other) || self.has_open_four(side);
        !forced && self.breakable_five().is_none()
    }

    /// The threats that a side can make with its next stone.
    #[inline(always)]
    fn threat_set(&self, side: Side) -> ThreatSet {
        ThreatSet::of(|shape| self.board.count(side.index(), shape) > 0)
    }
}

const _: () = assert!(Code::COUNT < CODES);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net;
    use crate::rule::{Capture, Caro, Freestyle, Standard};
    use polyply_core::game::{MoveList, Notation};
    use polyply_nn::{FloatNet, Shape};

    /// Plays a game of scattered moves and compares what the evaluation keeps with what it sees.
    fn check<R: Rule>() {
        let weights = Weights::of(R::KIND);
        let mut game = Five::<R>::start();
        let mut evaluator = Evaluator::new(weights);
        evaluator.reset(&game);
        for step in 0_usize.. {
            let value = evaluator.score(&game).value();
            assert_eq!(value, game.terms().value(weights), "move {step}");
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            if moves.is_empty() || step == 80 {
                break;
            }
            let mv = moves[(step * step * 7919 + step * 31) % moves.len()];
            evaluator.play(&mut game, mv);
        }
    }

    #[test]
    fn what_is_kept_is_what_is_seen() {
        check::<Freestyle>();
        check::<Standard>();
        check::<Caro>();
        check::<Capture>();
    }

    /// Plays scattered moves forth and back, with a net, and compares its value with one that is computed anew.
    fn check_net<R: Rule>() {
        let shape = Shape {
            features: net::FEATURES,
            perspectives: net::PERSPECTIVES,
            hidden: net::HIDDEN,
            middle: net::MIDDLE,
            pooled: true,
            buckets: net::BUCKETS,
            activation: net::ACTIVATION,
        };
        let net = Arc::new(FloatNet::random(shape, 4.0, 5).quantised(200));
        let mut evaluator = Evaluator::new(Weights::of(R::KIND)).with_net(&net);
        let mut game = Five::<R>::start();
        evaluator.reset(&game);
        let (mut played, mut said) = (Vec::new(), 0);
        for step in 0_usize..200 {
            let mut fresh = evaluator.clone();
            fresh.reset(&game);
            let plain = game.terms().value(evaluator.weights());
            let value = evaluator.score(&game).value();
            assert_eq!(value, fresh.score(&game).value(), "step {step}");
            said += usize::from(value != plain);
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            if moves.is_empty() || step % 3 == 2 {
                let (mv, undo) = played.pop().expect("two moves are played for each that is taken back");
                evaluator.undo(&mut game, mv, undo);
            } else {
                let mv = moves[(step * step * 7919 + step * 31) % moves.len()];
                played.push((mv, evaluator.play(&mut game, mv)));
            }
        }
        assert!(said > 20, "the net says something: {said}");
    }

    #[test]
    fn the_net_keeps_what_it_would_compute_anew() {
        check_net::<Freestyle>();
        check_net::<Caro>();
        check_net::<Capture>();
    }
}
