//! A game for tests. A position is a few counters and the side to move. A move raises a counter, so many orders of the
//! same moves lead to the same position. Everything else about a position (which counters can be raised, whether the
//! game is over, the evaluation, classes of moves, threats) is a hash of it and of a seed.
//!
//! The proofs of the game are right: its true values are computed beforehand, without the core's search.
//!
//! Every test binary uses the part it needs.
#![allow(dead_code)]

use crate::oracle::{Random, Truth, after};
use polyply_core::game::{
    Class, Evaluation, Game, MoveList, MoveSink, NO_MOVE, Observer, Outcome, Prediction, Proof, SearchGame, Settle,
    Side, Unit,
};
use polyply_core::params::NoParams;
use polyply_core::resources::Resources;
use polyply_core::score::Score;
use std::collections::HashMap;
use std::sync::Arc;

/// What a lattice game is like.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The seed of everything random.
    pub seed: u64,
    /// Counters, at most eight: the largest number of moves of a position.
    pub counters: u32,
    /// The game is over after this many plies, below sixteen.
    pub plies: u32,
    /// This many of a thousand positions end the game early.
    pub ends: u64,
    /// In this many of a thousand pairs of position and counter, the counter can't be raised.
    pub gaps: u64,
    /// Zugzwang: the evaluation of the side to move is often this much lower.
    pub zugzwang: i32,
    /// The game knows some of its true values. They are computed at the start, so it should be small.
    pub proofs: bool,
    /// The game has null moves, quiescence and predictions of deep searches.
    pub tactics: bool,
    /// [`SearchGame::ended`] does not see that there are no moves left.
    pub blind: bool,
}

impl Rules {
    /// A game too large to be searched to its end in a test.
    pub const fn large(seed: u64) -> Rules {
        let (counters, plies) = (8, 15);
        Rules { seed, counters, plies, ends: 20, gaps: 200, zugzwang: 0, proofs: false, tactics: true, blind: false }
    }

    /// Rules of every kind, by seed.
    pub fn random(seed: u64) -> Rules {
        let mut random = Random::new(seed);
        let (counters, plies) = [(2, 11), (3, 8), (4, 6), (7, 4)][random.below(4)];
        Rules {
            seed,
            counters,
            plies,
            ends: [0, 30, 120, 300][random.below(4)],
            gaps: [0, 200, 600][random.below(3)],
            zugzwang: [0, 10, 60][random.below(3)],
            proofs: random.below(2) == 0,
            tactics: random.below(4) != 0,
            blind: random.below(4) == 0,
        }
    }
}

/// A position of a lattice game. With `POINTS` its result is a number.
#[derive(Clone)]
pub struct Lattice<const POINTS: bool> {
    rules: Rules,
    /// True values by key; empty while they are being computed, and where the game proves nothing.
    truths: Arc<HashMap<u64, Score>>,
    /// Four bits a counter.
    counts: u64,
    raised: u32,
    side: Side,
}

/// A counter to raise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raise(u8);

impl From<Raise> for u16 {
    fn from(raise: Raise) -> u16 {
        // Far from 0, so that a slot is not mistaken for a move.
        0x4100 + u16::from(raise.0)
    }
}

/// What a hash of a position is for, so that different hashes are independent.
#[derive(Clone, Copy)]
enum Ask {
    Key,
    End,
    Winner,
    Points,
    Gap,
    Eval,
    Class,
    Order,
    Threatened,
    Proof,
    Settle,
    Predict,
    Correct,
    ProvenMove,
}

impl<const POINTS: bool> Lattice<POINTS> {
    /// The position a game starts from.
    pub fn start(rules: Rules) -> Self {
        assert!(rules.counters <= 8 && rules.plies < 16);
        let blank = Lattice { rules, truths: Arc::default(), counts: 0, raised: 0, side: Side::First };
        if !rules.proofs {
            return blank;
        }
        let mut truth = Truth::default();
        let mut truths = HashMap::new();
        blank.every(&mut |position| {
            truths.insert(position.key(), truth.of(position));
        });
        Lattice { truths: Arc::new(truths), ..blank }
    }

    /// Calls `show` once for every position that can be reached, with either side to move.
    pub fn every(&self, show: &mut dyn FnMut(&Self)) {
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![self.clone()];
        while let Some(position) = open.pop() {
            if seen.insert(position.key()) {
                show(&position);
                open.push(Lattice { side: position.side.other(), ..position.clone() });
                open.extend(position.list().into_iter().map(|mv| after(&position, mv)));
            }
        }
    }

    fn hash(&self, ask: Ask, detail: u64) -> u64 {
        let place = self.counts << 1 | self.side.index() as u64;
        let salt = self.rules.seed.wrapping_mul(0x1234_5677) ^ (ask as u64) << 56 ^ detail << 48;
        Random::new(Random::new(place).next() ^ salt).next()
    }

    /// True in this many of a thousand positions.
    fn chance(&self, ask: Ask, detail: u64, thousandths: u64) -> bool {
        self.hash(ask, detail) % 1000 < thousandths
    }

    /// Whatever the gaps are, one counter can always be raised.
    fn can_raise(&self, counter: u8) -> bool {
        u64::from(counter) == self.hash(Ask::Gap, 99) % u64::from(self.rules.counters)
            || !self.chance(Ask::Gap, counter.into(), self.rules.gaps)
    }

    /// Nothing beats a move that wins at once, and nothing else than the only move can be played.
    fn forced(&self) -> Option<Raise> {
        let all = self.list();
        let wins = |mv: &Raise| after(self, *mv).outcome() == Some(Outcome::Win(self.side));
        if all.len() == 1 { all.first().copied() } else { all.into_iter().find(wins) }
    }

    /// The moves, without an allocation.
    fn list(&self) -> MoveList<Raise> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list
    }

    fn truth(&self) -> Option<Score> {
        self.truths.get(&self.key()).copied()
    }

    /// A true proof, often weaker than possible.
    fn true_proof(&self, detail: u64) -> Proof {
        let Some(truth) = self.truth() else { return Proof::OPEN };
        match self.hash(Ask::Proof, detail) % 32 {
            0 => Proof::exactly(truth),
            1 if truth >= Score::ZERO => Proof { low: Score::ZERO, ..Proof::OPEN },
            2 if truth <= Score::ZERO => Proof { high: Score::ZERO, ..Proof::OPEN },
            3 => Proof { low: truth, ..Proof::OPEN },
            4 => Proof { high: truth, best: NO_MOVE, ..Proof::OPEN },
            _ => Proof::OPEN,
        }
    }
}

impl<const POINTS: bool> Game for Lattice<POINTS> {
    type Move = Raise;
    type Change = ();
    type Undo = ();

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        self.hash(Ask::Key, 0)
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    fn moves(&self, out: &mut MoveList<Raise>) {
        if self.outcome().is_none() {
            out.extend((0..self.rules.counters as u8).filter(|&counter| self.can_raise(counter)).map(Raise));
        }
    }

    fn decode(&self, bits: u16) -> Option<Raise> {
        self.list().into_iter().find(|&mv| u16::from(mv) == bits)
    }

    fn play<O: Observer<()>>(&mut self, mv: Raise, _: &mut O) {
        self.counts += 1 << (4 * mv.0);
        self.raised += 1;
        self.side = self.side.other();
    }

    fn undo<O: Observer<()>>(&mut self, mv: Raise, _: (), _: &mut O) {
        self.counts -= 1 << (4 * mv.0);
        self.raised -= 1;
        self.side = self.side.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.raised == self.rules.plies;
        if !over && (self.raised == 0 || !self.chance(Ask::End, 0, self.rules.ends)) {
            return None;
        }
        if POINTS {
            return Some(Outcome::Points((self.hash(Ask::Points, 0) % 129) as i32 - 64));
        }
        // Mostly the player who moved last wins, sometimes the side to move.
        Some(match self.hash(Ask::Winner, 0) % 8 {
            0..4 => Outcome::Win(self.side.other()),
            4 => Outcome::Win(self.side),
            _ => Outcome::Draw,
        })
    }

    fn horizon(&self) -> i32 {
        (self.rules.plies - self.raised) as i32
    }
}

/// A hash in parts: one that grows with the counters, noise, and zugzwang.
#[derive(Clone, Copy, Default)]
pub struct Noise;

impl Observer<()> for Noise {
    fn change(&mut self, _: ()) {}
}

impl<const POINTS: bool> Evaluation<Lattice<POINTS>> for Noise {
    fn reset(&mut self, _: &Lattice<POINTS>) {}

    fn score(&mut self, game: &Lattice<POINTS>) -> Score {
        let lead = (game.counts & 15) as i32 - (game.counts >> 4 & 15) as i32;
        let noise = (game.hash(Ask::Eval, 0) % 101) as i32 - 50;
        let drift = Score::eval(12 * lead).for_first(Side::First).for_side(game.side).value();
        Score::eval(drift + noise - game.rules.zugzwang)
    }

    fn weights_hash(&self) -> u64 {
        7
    }
}

impl<const POINTS: bool> SearchGame for Lattice<POINTS> {
    type Eval = Noise;
    type Params = NoParams;

    const HISTORY: usize = 8;
    const CORRECTIONS: usize = 1;
    const UNIT: Unit = if POINTS { Unit::Points(1) } else { Unit::Centi };

    fn history_slot(&self, mv: Raise) -> usize {
        mv.0.into()
    }

    fn class(&self, mv: Raise) -> Class {
        if self.forced() == Some(mv) {
            Class::Forced
        } else if self.chance(Ask::Class, mv.0.into(), 250) {
            Class::Tactical
        } else {
            Class::Quiet
        }
    }

    fn order(&self, class: Class, _: &NoParams, out: &mut MoveSink<'_, Raise>) {
        let forced = self.forced();
        let asked = |mv: &Raise| match forced {
            Some(forced) => class == Class::Forced && *mv == forced,
            None => self.class(*mv) == class,
        };
        for mv in self.list().into_iter().filter(asked) {
            out.push(mv, (self.hash(Ask::Order, mv.0.into()) % 64) as i32 - 16);
        }
    }

    fn ended(&self, _: usize) -> Option<Outcome> {
        let hidden = |outcome: &Outcome| {
            self.rules.blind && self.raised == self.rules.plies && *outcome != Outcome::Win(self.side)
        };
        self.outcome().filter(|outcome| !hidden(outcome))
    }

    /// True proofs of some moves that do not say how far the end is.
    fn proven_moves(&self) -> Vec<(Raise, Proof)> {
        let known = |mv: Raise| {
            let truth = -after(self, mv).truth().filter(|_| self.chance(Ask::ProvenMove, mv.0.into(), 200))?;
            let draw = Proof::exactly(Score::ZERO);
            let proof = [(truth.is_win(), Proof::WON), (truth.is_loss(), Proof::LOST), (truth == Score::ZERO, draw)];
            proof.into_iter().find(|(holds, _)| *holds).map(|(_, proof)| (mv, proof))
        };
        self.list().into_iter().filter_map(known).collect()
    }

    fn proof(&mut self, depth: i32, _: &mut Resources<'_, Self>) -> Proof {
        self.true_proof(depth.clamp(0, 3) as u64)
    }

    fn settle(&mut self, depth: i32, _: &mut Resources<'_, Self>, out: &mut MoveSink<'_, Raise>) -> Settle {
        if !self.rules.tactics || depth < -3 {
            return Settle::Quiet;
        }
        let answer = self.hash(Ask::Settle, 0) % 8;
        for mv in self.list().into_iter().filter(|&mv| answer == 0 || self.class(mv) != Class::Quiet) {
            out.push(mv, self.hash(Ask::Order, mv.0.into()) as i32 % 64);
        }
        match answer {
            0 => Settle::Forced,
            1 => Settle::Proven(self.true_proof(9)),
            2 | 3 => Settle::Quiet,
            _ => Settle::Optional,
        }
    }

    fn threatened(&self) -> bool {
        self.chance(Ask::Threatened, 0, 150)
    }

    fn play_null(&mut self) -> Option<()> {
        self.rules.tactics.then(|| self.side = self.side.other())
    }

    fn undo_null(&mut self, _: ()) {
        self.side = self.side.other();
    }

    fn correction_key(&self, _: usize) -> u64 {
        self.hash(Ask::Correct, 0) % 64
    }

    fn prediction(&self, _: &Self::Eval, depth: i32, attempt: usize) -> Option<Prediction> {
        let applies = self.rules.tactics && attempt < 2 && depth >= 3;
        let bias = (self.hash(Ask::Predict, attempt as u64) % 21) as i32 - 10;
        applies.then_some(Prediction { depth: depth - 2 - attempt as i32, bias, error: 15 })
    }
}
