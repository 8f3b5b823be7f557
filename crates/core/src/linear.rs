//! A plain linear evaluation, for games that need no other: features that the game counts, times weights.
//!
//! A game lists its tables with hand-made weights, and counts its features. Everything else is here: the evaluation,
//! weights files, and what learning needs to know.
//!
//! ```
//! # use polyply_core::linear::Table;
//! /// A piece by its class of cell, a move, and being to move.
//! const TABLES: &[Table] =
//!     &[Table::new("piece", &[100, 90, 80]), Table::new("mobility", &[3]), Table::new("tempo", &[20])];
//! # assert_eq!(TABLES[0].name, "piece");
//! ```
//!
//! `type Eval = LinearEval<Self>` uses it, [`LinearEval::open`] takes the weights from a setup, and
//! [`Family::learning`](crate::family::Family::learning) returns [`learning`].

use crate::family::{About, Setup};
use crate::game::{Class, Evaluation, Observer, SearchGame};
use crate::learn::{Features, Learning, Linear, Loss, Model, Parts, Recipe, Schedule, View};
use crate::refusal::{Refusal, common};
use crate::score::Score;
use crate::weights::{self, Section, Tables};
use std::marker::PhantomData;
use std::sync::Arc;

/// A table of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// Its name in files: one word.
    pub name: &'static str,
    /// The hand-made weights.
    pub handmade: &'static [i16],
}

impl Table {
    /// A table with this name.
    pub const fn new(name: &'static str, handmade: &'static [i16]) -> Table {
        Table { name, handmade }
    }
}

/// A game whose evaluation is a sum of features.
pub trait LinearGame: SearchGame<Eval = LinearEval<Self>> {
    /// The tables of weights.
    const TABLES: &'static [Table];
    /// The weights file that comes with the game; without one, the hand-made weights are used.
    const BUILT_IN: Option<&'static str> = None;

    /// Calls `tally` for every feature of the position, with the index of its weight in the concatenated tables and its
    /// count for the side to move.
    fn count(&self, tally: &mut impl FnMut(usize, i32));

    /// Whether to learn from this position, given the move that was played there.
    fn is_quiet(&self, mv: Self::Move) -> bool {
        !self.threatened() && self.class(mv) == Class::Quiet
    }
}

/// The evaluation. It counts the features of every position from scratch.
pub struct LinearEval<G> {
    numbers: Arc<[i16]>,
    hash: u64,
    game: PhantomData<fn() -> G>,
}

impl<G> Clone for LinearEval<G> {
    fn clone(&self) -> Self {
        LinearEval { numbers: Arc::clone(&self.numbers), hash: self.hash, game: PhantomData }
    }
}

impl<G: LinearGame> LinearEval<G> {
    /// An evaluation with these weights.
    pub fn new(numbers: &[i16]) -> Self {
        LinearEval { numbers: numbers.into(), hash: weights::hash(numbers.iter().copied()), game: PhantomData }
    }

    /// An evaluation with the weights that a setup asks for.
    pub fn open(about: &About, setup: &Setup) -> Result<Self, Refusal> {
        let handmade = || G::TABLES.iter().flat_map(|table| table.handmade).copied().collect::<Vec<_>>();
        let read = |text: &str| {
            let read = weights::read(text, &[about.name], &sections::<G>()).map_err(common::weights_refused)?;
            Ok::<_, Refusal>(read.concat())
        };
        let numbers = match (setup.weights.as_deref(), G::BUILT_IN) {
            (None | Some(Setup::LINEAR), None) | (Some(Setup::HANDMADE), _) => handmade(),
            (None | Some(Setup::LINEAR), Some(text)) | (Some(text), _) => read(text)?,
        };
        Ok(LinearEval::new(&numbers))
    }
}

impl<G: LinearGame> Observer<G::Change> for LinearEval<G> {
    #[inline(always)]
    fn change(&mut self, _: G::Change) {}
}

impl<G: LinearGame> Evaluation<G> for LinearEval<G> {
    fn reset(&mut self, _: &G) {}

    fn score(&mut self, game: &G) -> Score {
        let mut sum = 0;
        game.count(&mut |slot, times| sum += i32::from(self.numbers[slot]) * times);
        Score::eval(sum)
    }

    fn weights_hash(&self) -> u64 {
        self.hash
    }
}

fn sections<G: LinearGame>() -> Vec<Section> {
    G::TABLES.iter().map(|table| Section::linear(table.name, 1, table.handmade.len())).collect()
}

/// How the weights of such a game are learned: by logistic regression on the results, near the initial weights.
pub fn learning<G: LinearGame>() -> Learning<G> {
    Learning {
        sections: sections::<G>,
        linear: Some(Linear {
            recipe: RECIPE,
            view: View::SideToMove,
            model: |eval, _| {
                let start = eval.numbers.iter().map(|&number| f32::from(number)).collect();
                Model::single(start, Parts::Own { spread: 40.0 })
            },
            features: |game, eval, out| features(game, eval.numbers.len(), out),
            is_quiet: G::is_quiet,
            tables,
        }),
        order: None,
        probcut: None,
        policy: None,
        net: None,
    }
}

const RECIPE: Recipe = Recipe {
    loss: Loss::Logistic { unit: None, units: [50.0, 2000.0], rounds: 20 },
    held_out: 20,
    batch: 1024,
    schedule: Schedule::Falling { first: 1.5, last: 0.1 },
    independent: 0.1,
    even: true,
};

fn features<G: LinearGame>(game: &G, slots: usize, out: &mut Features) {
    let mut counts = vec![0_i16; slots];
    game.count(&mut |slot, times| counts[slot] += times as i16);
    let counted = counts.into_iter().enumerate().filter(|&(_, count)| count != 0);
    out.terms.extend(counted.map(|(slot, count)| (slot as u32, count)));
    out.phases.push((0, 1.0));
}

fn tables<G: LinearGame>(_: &LinearEval<G>, numbers: &[f32]) -> Tables {
    let mut numbers = numbers.iter().map(|number| number.round().clamp(-32_000.0, 32_000.0) as i16);
    G::TABLES.iter().map(|table| numbers.by_ref().take(table.handmade.len()).collect()).collect()
}
