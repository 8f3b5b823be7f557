//! TDLeaf(λ): learns an evaluation from live self-play, by temporal differences of the leaves of principal variations.
//!
//! The value of a position is that of the leaf that its search ended with, so learning reaches what the evaluation judges, and
//! not what the search knows better anyway. J. Baxter, A. Tridgell, L. Weaver:
//! [KnightCap: a chess program that learns by combining TD(λ) with game-tree search][knightcap] (1998).
//!
//! Games are played in batches with the rounded weights of the moment; after a batch all weights take a step. Batches are
//! numbered and games are summed up in the order of their numbers, so the same seed gives the same weights on any number of
//! threads, and a run that was stopped goes on to the same weights. KnightCap ignored what it gained by blunders of its
//! opponents; in self-play there are none of others.
//!
//! `traces` has the mathematics, `evaluation` what is learned, `games` the games, `checkpoint` a run that was stopped,
//! and [`page`] the report.
//!
//! [knightcap]: https://arxiv.org/abs/cs/9901002

mod checkpoint;
mod evaluation;
mod games;
pub mod page;
mod traces;

use super::fitting::{Fitting, FittingState};
use super::logistic::Steps;
use crate::LabError;
use crate::arena::{SelfPlayOptions, write_whole};
use evaluation::Evaluation;
use games::{PlayedGame, Sight, Trace};
use polyply_core::hash::Fnv;
use polyply_engine::Variant;
use polyply_engine::learning::Schedule;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The last step is this part of the first one.
const LAST_STEP: f32 = 0.1;

/// How to learn.
#[derive(Clone, PartialEq, Debug)]
pub struct TdLeafOptions {
    /// Games to play.
    pub games: u64,
    /// Games between two steps.
    pub batch: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// How much of a later difference reaches a position, per ply.
    pub lambda: f32,
    /// The size of the first step in units of the weights; what the game declares without one.
    pub rate: Option<f32>,
    /// Games to play at once.
    pub threads: usize,
    /// Seed for openings and random moves.
    pub seed: u64,
}

/// A batch of games that was learned from.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Batch {
    /// The games so far.
    pub games: u64,
    /// The positions of the batch.
    pub positions: u64,
    /// The size of the step.
    pub rate: f32,
    /// The mean absolute temporal difference, as a chance or in points.
    pub difference: f32,
    /// The mean loss of the leaves against the results of the games: cross-entropy, or the error in points.
    pub loss: f32,
    /// The root mean square of the changes of all weights since the start, in units of the weights.
    pub change: f32,
    /// The hash of the weights after the batch.
    pub weights: u64,
}

/// The progress of a run.
#[non_exhaustive]
pub enum Progress<'a> {
    /// So many games were played.
    Game(u64),
    /// The weights took a step.
    Batch(&'a Batch),
}

/// A run.
pub struct TdLeaf {
    options: TdLeafOptions,
    evaluation: Evaluation,
    steps: Steps,
    /// There is one as soon as the first batch has shown how many positions there are in a game.
    fitting: Option<Fitting>,
    strength: f32,
    batches: Vec<Batch>,
}

impl TdLeaf {
    /// A run that begins with these weights: `built-in`, `handmade`, or a file, which may hold a net.
    pub fn new(variant: &Variant, start: &str, options: TdLeafOptions) -> Result<TdLeaf, LabError> {
        let evaluation = Evaluation::open(variant, start)?;
        let first = options.rate.unwrap_or(evaluation.rate);
        let count = options.games.div_ceil(options.batch.max(1));
        let schedule = Schedule::Falling { first, last: first * LAST_STEP };
        let steps = Steps::new(schedule, u32::try_from(count).unwrap_or(u32::MAX));
        Ok(TdLeaf { options, evaluation, steps, fitting: None, strength: 0.0, batches: Vec::new() })
    }

    /// Goes on from a checkpoint of a run with the same options. The error is one sentence.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (strength, state, batches) = checkpoint::read(bytes, self.fingerprint())?;
        if batches.is_empty() {
            return Ok(());
        }
        let mut fitting = Fitting::new(&self.evaluation.model, strength);
        if fitting.state().parts.len() != state.parts.len() {
            return Err(checkpoint::DAMAGED.into());
        }
        fitting.restore(state);
        self.evaluation.set(fitting.numbers());
        for _ in &batches {
            self.steps.next();
        }
        (self.strength, self.fitting, self.batches) = (strength, Some(fitting), batches);
        Ok(())
    }

    /// Plays and learns until all games are played or `stop` is set. After every batch a checkpoint is written; what is stopped
    /// or killed loses the games of one batch.
    pub fn run(
        &mut self,
        checkpoint: &Path,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<(), LabError> {
        let TdLeafOptions { games, batch, nodes, threads, seed, .. } = self.options;
        let selfplay = SelfPlayOptions { nodes, seed, threads, weights: None };
        write_whole(checkpoint, &self.checkpoint())?;
        while self.games() < games {
            let from = self.games();
            let numbers = from..games.min(from + batch.max(1));
            let mut count = from;
            let played = games::play(&self.evaluation, &selfplay, numbers, stop, &mut || {
                count += 1;
                progress(Progress::Game(count));
            })?;
            let Some(played) = played else { return Ok(()) };
            self.learn(&played)?;
            write_whole(checkpoint, &self.checkpoint())?;
            self.batches.last().into_iter().for_each(|batch| progress(Progress::Batch(batch)));
        }
        Ok(())
    }

    /// The games that were learned from.
    pub fn games(&self) -> u64 {
        self.batches.last().map_or(0, |batch| batch.games)
    }

    /// All batches so far.
    pub fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The size of the first step.
    pub fn rate(&self) -> f32 {
        self.options.rate.unwrap_or(self.evaluation.rate)
    }

    /// The hash of the weights to begin with.
    pub fn start_hash(&self) -> u64 {
        self.evaluation.start().weights_hash()
    }

    /// Whether results are compared in points, not as chances.
    pub fn counts_points(&self) -> bool {
        self.evaluation.measure == evaluation::Measure::Points
    }

    /// Writes a file of the weights. `about` says where they come from, a line each. Without games to play any more, the
    /// checkpoint goes when the weights are there.
    pub fn write(&self, path: &Path, about: &[String], checkpoint: &Path) -> Result<(), LabError> {
        write_whole(path, self.text(about)?.as_bytes())?;
        if self.games() >= self.options.games {
            // A file that stays does no harm.
            let _ = std::fs::remove_file(checkpoint);
        }
        Ok(())
    }

    /// The text of a file of the weights. `about` says where they come from, a line each.
    pub fn text(&self, about: &[String]) -> Result<String, LabError> {
        self.evaluation.text(about)
    }

    /// A step of all weights.
    fn learn(&mut self, played: &[PlayedGame]) -> Result<(), LabError> {
        let traces = played.iter().map(|game| Trace::of(game, &self.evaluation)).collect::<Result<Vec<_>, _>>()?;
        let positions: usize = traces.iter().map(|trace| trace.leaves().count()).sum();
        let games = self.games() + played.len() as u64;
        let mut fitting = match self.fitting.take() {
            Some(fitting) => fitting,
            None => self.begin(&traces, positions as f32 / played.len().max(1) as f32),
        };
        let mut gradient = fitting.gradient();
        let share = 1.0 / positions.max(1) as f32;
        let (mut difference, mut differences, mut loss) = (0.0, 0, 0.0);
        for trace in &traces {
            let learned = self.add_trace(trace, share, &mut gradient);
            difference += learned.difference;
            differences += learned.differences;
            loss += learned.loss;
        }
        let rate = self.steps.next().map_or(0.0, |(_, rate)| rate);
        fitting.descend(gradient, rate);
        self.evaluation.set(fitting.numbers());
        self.fitting = Some(fitting);
        self.batches.push(Batch {
            games,
            positions: positions as u64,
            rate,
            difference: (difference / f64::from(differences.max(1))) as f32,
            loss: (loss * f64::from(share)) as f32,
            change: self.change(),
            weights: self.evaluation.variant()?.weights_hash(),
        });
        Ok(())
    }

    /// A fit that is about to begin. The priors weigh as much as in a fit to all positions of the run at once.
    fn begin(&mut self, traces: &[Trace], positions: f32) -> Fitting {
        let all = positions * self.options.games as f32;
        self.strength = 1.0 / (self.evaluation.independent * all).max(1.0);
        let mut fitting = Fitting::new(&self.evaluation.model, self.strength);
        let leaves = traces.iter().flat_map(|trace| trace.leaves().map(|(_, leaf)| leaf));
        let samples = self.evaluation.samples(leaves);
        if !self.evaluation.even && !samples.is_empty() {
            fitting.set_scales(&samples, self.evaluation.model.slots);
        }
        fitting
    }

    /// Adds what a game teaches to a gradient. Each position counts `share`.
    fn add_trace(&self, trace: &Trace, share: f32, gradient: &mut [f32]) -> Learned {
        let (evaluation, measure) = (&self.evaluation, self.evaluation.measure);
        let value = |sight: &Sight| match sight {
            Sight::Leaf(leaf) => measure.value(evaluation.output(leaf)),
            Sight::Over(value) => *value,
        };
        let values: Vec<Option<f32>> = trace.sights.iter().map(|sight| sight.as_ref().map(value)).collect();
        let differences = traces::differences(&values, trace.result);
        let credits = traces::credits(&differences, self.options.lambda);
        let mut learned = Learned::default();
        for difference in differences.iter().flatten() {
            learned.difference += f64::from(difference.abs());
            learned.differences += 1;
        }
        for (at, leaf) in trace.leaves() {
            let output = evaluation.output(leaf);
            learned.loss += f64::from(measure.loss(output, trace.result));
            // Descent goes against the gradient, and the values are to follow their differences.
            let times = -credits[at] * measure.slope(measure.value(output)) * share;
            evaluation.add_gradient(leaf, times, gradient);
        }
        learned
    }

    /// How far the weights have come.
    fn change(&self) -> f32 {
        let start = &self.evaluation.model.start;
        let squares = self.evaluation.numbers().iter().zip(start).map(|(now, then)| f64::from(now - then).powi(2));
        (squares.sum::<f64>() / start.len().max(1) as f64).sqrt() as f32
    }

    fn checkpoint(&self) -> Vec<u8> {
        let none = FittingState::default();
        let state = self.fitting.as_ref().map_or(&none, Fitting::state);
        checkpoint::write(self.fingerprint(), self.strength, state, &self.batches)
    }

    /// A hash of everything that the weights depend on.
    fn fingerprint(&self) -> u64 {
        let TdLeafOptions { games, batch, nodes, lambda, seed, .. } = self.options;
        let mut hash = Fnv::default();
        hash.text(self.evaluation.start().name());
        [self.start_hash(), games, batch, nodes, seed].into_iter().for_each(|number| hash.number(number));
        [lambda, self.rate()].iter().for_each(|number| hash.number(number.to_bits().into()));
        hash.finish()
    }
}

/// Sums over a game.
#[derive(Default)]
struct Learned {
    difference: f64,
    differences: u32,
    loss: f64,
}
