//! Training: [AdamW](https://arxiv.org/abs/1711.05101) on the cross-entropy of results and scores.
//!
//! A [`Lesson`] says what is learned: [`Values`] of positions, or [`Choices`] of moves.
//! [`Trainer::advance`] does one batch, so whoever trains decides when to report, to save and to stop. A run depends on its
//! lesson, its [`Options`] and nothing else: neither on the number of threads, nor on the processor, nor on whether it
//! was stopped and [resumed](Trainer::resume) in between.

pub(crate) mod adam;
mod checkpoint;
mod choices;
pub(crate) mod lesson;
mod value;

pub use choices::Choices;
pub use lesson::Lesson;
pub use value::Values;

use crate::positions::Positions;
use crate::simd::{self, Cpu};
use lesson::Slice;
use polyply_core::random::Random;
use std::sync::Mutex;
use value::cross_entropy;

/// A batch is computed in this many slices, whatever the number of threads, so that sums are always the same.
const SLICES: usize = 16;
/// Parameters that a thread moves at a time.
const PART: usize = 4096;
/// Positions that a thread looks at at a time to find the loss.
const PIECE: usize = 2048;
/// The last step size, as a share of the largest.
const LAST_RATE: f32 = 0.01;

/// How to train.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Passes over all positions, at most.
    pub epochs: u32,
    /// Positions in a step.
    pub batch: usize,
    /// The largest step size.
    pub rate: f32,
    /// Steps until it is reached. It falls afterwards, as half a wave of a cosine.
    pub warm_up: u64,
    /// How fast weights decay.
    pub decay: f32,
    /// One game in this many is held out.
    pub held_out: usize,
    /// Training ends after this many passes without a gain on held-out games.
    pub patience: u32,
    /// The initial weights, the order of the positions and the choice of held-out games.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { epochs: 20, batch: 16_384, rate: 1e-3, warm_up: 100, decay: 0.01, held_out: 20, patience: 5, seed: 1 }
    }
}

/// A pass over all positions.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The step size at its end.
    pub rate: f32,
    /// The mean loss on the training positions.
    pub training: f32,
    /// The mean loss on the held-out games.
    pub held_out: f32,
}

/// What [`Trainer::advance`] did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// A batch.
    Batch,
    /// The last batch of a pass.
    Epoch(Epoch),
    /// Nothing: training has ended.
    Done,
}

/// A net in training.
///
/// ```
/// use polyply_nn::train::{Event, Options, Trainer, Values};
/// use polyply_nn::{Activation, Inputs, Position, Positions, Shape};
///
/// // Feature 0 wins, feature 1 loses.
/// let mut positions = Positions::default();
/// for game in 0..200 {
///     positions.begin_game();
///     let inputs = Inputs { perspectives: [vec![game % 2], vec![]], bucket: 0, ..Inputs::default() };
///     positions.add(&Position { inputs, result: if game % 2 == 0 { 2 } else { 0 }, score: 0 });
/// }
/// let shape =
///     Shape { features: 2, perspectives: 1, hidden: 32, middle: 0, buckets: 1, activation: Activation::Squared, pooled: false };
/// let options = Options { epochs: 50, batch: 50, rate: 0.05, warm_up: 5, ..Options::default() };
/// let values = Values::new(&positions, shape, 1.0, 200.0);
/// let mut trainer = Trainer::new(&values, options);
/// while trainer.advance() != Event::Done {}
/// let net = values.net(trainer.best()).quantised(100);
/// let value = |feature| net.value(&Inputs { perspectives: [vec![feature], vec![]], ..Inputs::default() });
/// assert!(value(0) > 100 && value(1) < -100);
/// ```
pub struct Trainer<'a, L: Lesson> {
    lesson: &'a L,
    options: Options,
    state: State,
    /// The indices of the positions to learn from, in the order of this epoch.
    training: Vec<u32>,
    held_out: Vec<u32>,
    slices: Vec<Slice<L>>,
    threads: usize,
    cpu: Cpu,
}

/// All that changes while training goes on, and that a checkpoint holds.
#[derive(Clone, PartialEq, Debug)]
struct State {
    parameters: Vec<f32>,
    momentum: Vec<f32>,
    variance: Vec<f32>,
    best: Vec<f32>,
    best_loss: f32,
    /// Passes since the best one.
    waited: u32,
    /// Steps done.
    steps: u64,
    /// Positions of this epoch that are done, and the sum of their losses.
    done: usize,
    loss: f64,
    epochs: Vec<Epoch>,
}

impl<'a, L: Lesson> Trainer<'a, L> {
    /// Begins to train. There must be examples.
    pub fn new(lesson: &'a L, options: Options) -> Trainer<'a, L> {
        let parameters = lesson.initial(options.seed);
        let count = parameters.len();
        let state = State {
            momentum: vec![0.0; count],
            variance: vec![0.0; count],
            best: parameters.clone(),
            parameters,
            best_loss: f32::INFINITY,
            waited: 0,
            steps: 0,
            done: 0,
            loss: 0.0,
            epochs: Vec::new(),
        };
        Trainer::with_state(lesson, options, state)
    }

    /// Goes on from a [`Trainer::checkpoint`] of the same lesson and options. The error is one sentence.
    pub fn resume(lesson: &'a L, options: Options, checkpoint: &[u8]) -> Result<Trainer<'a, L>, String> {
        let fingerprint = checkpoint::fingerprint(lesson, &options);
        let state = checkpoint::read(checkpoint, lesson.parameters(), fingerprint)?;
        Ok(Trainer::with_state(lesson, options, state))
    }

    fn with_state(lesson: &'a L, options: Options, state: State) -> Trainer<'a, L> {
        let (_, held_out) = split(lesson, &options);
        let mut trainer = Trainer {
            lesson,
            options,
            state,
            training: Vec::new(),
            held_out,
            slices: (0..SLICES).map(|_| Slice::new(lesson)).collect(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            cpu: Cpu::best(),
        };
        trainer.shuffle();
        trainer
    }

    /// Trains on this many threads instead of all.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// All that is needed to go on after a stop.
    pub fn checkpoint(&self) -> Vec<u8> {
        checkpoint::write(&self.state, checkpoint::fingerprint(self.lesson, &self.options))
    }

    /// Passes done.
    pub fn epochs(&self) -> &[Epoch] {
        &self.state.epochs
    }

    /// The parameters after the pass that was best on held-out games.
    pub fn best(&self) -> Vec<f32> {
        self.state.best.clone()
    }

    /// The examples of held-out games.
    pub fn held_out(&self) -> &[u32] {
        &self.held_out
    }

    /// How many positions are trained on, and how many are held out.
    pub fn counts(&self) -> [usize; 2] {
        [self.training.len(), self.held_out.len()]
    }

    /// How many positions were trained on in this pass.
    pub fn done(&self) -> usize {
        self.state.done
    }

    /// Does the next batch.
    pub fn advance(&mut self) -> Event {
        if self.state.epochs.len() >= self.options.epochs as usize || self.state.waited >= self.options.patience {
            return Event::Done;
        }
        let batch = self.options.batch.min(self.training.len() - self.state.done);
        self.find_gradients(batch);
        self.state.loss += self.slices.iter().map(|slice| slice.loss).sum::<f64>();
        self.state.steps += 1;
        self.move_parameters();
        self.state.done += batch;
        if self.state.done < self.training.len() {
            return Event::Batch;
        }
        let epoch = Epoch {
            number: self.state.epochs.len() as u32 + 1,
            rate: self.rate(),
            training: (self.state.loss / self.training.len().max(1) as f64) as f32,
            held_out: self.held_out_loss(),
        };
        self.end(epoch);
        Event::Epoch(epoch)
    }

    fn end(&mut self, epoch: Epoch) {
        let state = &mut self.state;
        if epoch.held_out < state.best_loss {
            (state.best_loss, state.waited) = (epoch.held_out, 0);
            state.best.copy_from_slice(&state.parameters);
        } else {
            state.waited += 1;
        }
        state.epochs.push(epoch);
        (state.done, state.loss) = (0, 0.0);
        self.shuffle();
    }

    /// Puts the positions in the order of the epoch, which depends on its number alone.
    fn shuffle(&mut self) {
        (self.training, _) = split(self.lesson, &self.options);
        Random::of(self.options.seed, self.state.epochs.len() as u64 + 1).shuffle(&mut self.training);
    }

    /// The step size of the present step.
    fn rate(&self) -> f32 {
        let Options { epochs, batch, rate, warm_up, .. } = self.options;
        let steps = self.state.steps;
        let all = u64::from(epochs) * self.training.len().div_ceil(batch) as u64;
        // Short trainings warm up in a tenth of their steps.
        let warm_up = warm_up.min(all / 10);
        if steps <= warm_up {
            return rate * steps as f32 / warm_up.max(1) as f32;
        }
        let done = (steps - warm_up) as f32 / (all - warm_up).max(1) as f32;
        rate * (LAST_RATE + (1.0 - LAST_RATE) * 0.5 * (1.0 + (std::f32::consts::PI * done).cos()))
    }

    fn find_gradients(&mut self, batch: usize) {
        let (cpu, threads) = (self.cpu, self.threads);
        let mut slices = std::mem::take(&mut self.slices);
        let (lesson, parameters) = (self.lesson, &self.state.parameters);
        let indices = &self.training[self.state.done..][..batch];
        let each = batch.div_ceil(SLICES);
        let parts = slices.iter_mut().enumerate().map(|(number, slice)| {
            let part = &indices[(number * each).min(batch)..((number + 1) * each).min(batch)];
            slice.share = 1.0 / batch as f32;
            (part, slice)
        });
        in_parallel(threads, parts, |(part, slice)| simd::slice(cpu, lesson, parameters, part, slice));
        self.slices = slices;
    }

    fn move_parameters(&mut self) {
        let (cpu, threads) = (self.cpu, self.threads);
        let step = adam::Step::new(self.state.steps, self.rate(), self.options.decay);
        let gradients: Vec<&[f32]> = self.slices.iter().map(|slice| slice.gradient.as_slice()).collect();
        let State { parameters, momentum, variance, .. } = &mut self.state;
        let chunks = parameters.chunks_mut(PART).zip(momentum.chunks_mut(PART)).zip(variance.chunks_mut(PART));
        let most = self.lesson.largest();
        let parts = chunks.enumerate().map(|(number, ((parameters, momentum), variance))| adam::Part {
            parameters,
            momentum,
            variance,
            start: number * PART,
            gradients: &gradients,
            most,
        });
        in_parallel(threads, parts, |part| simd::adam_step(cpu, part, &step));
    }

    fn held_out_loss(&self) -> f32 {
        let (cpu, lesson, parameters) = (self.cpu, self.lesson, &self.state.parameters);
        let mut sums = vec![0.0; self.held_out.len().div_ceil(PIECE)];
        let parts = self.held_out.chunks(PIECE).zip(&mut sums);
        in_parallel(self.threads, parts, |(indices, sum)| {
            *sum = simd::loss(cpu, lesson, parameters, indices, &mut lesson.scratch());
        });
        (sums.iter().sum::<f64>() / self.held_out.len().max(1) as f64) as f32
    }
}

/// Does pieces of work on some threads.
fn in_parallel<T: Send>(threads: usize, work: impl Iterator<Item = T> + Send, each: impl Fn(T) + Sync) {
    let queue = Mutex::new(work);
    let run = || {
        while let Some(piece) = queue.lock().map_or(None, |mut queue| queue.next()) {
            each(piece);
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(run)));
        run();
    });
}

/// The indices of the positions to learn from, and of those of held-out games.
fn split(lesson: &impl Lesson, options: &Options) -> (Vec<u32>, Vec<u32>) {
    let mut random = Random::of(options.seed, 0);
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    for (number, game) in lesson.games().enumerate() {
        // The first game is always learned from, and the second one always held out: there is something of both.
        let held = random.once_in(options.held_out.max(2)) && number > 0 || number == 1;
        let list = if held { &mut held_out } else { &mut training };
        list.extend(game.map(|index| index as u32));
    }
    (training, held_out)
}

/// The unit in which scores predict the results best, by ternary search.
pub fn fitted_unit(positions: &Positions) -> f32 {
    let loss = |unit: f32| -> f64 {
        let loss = |index| f64::from(cross_entropy(positions.score(index) / unit, positions.result(index)));
        (0..positions.len()).map(loss).sum()
    };
    let (mut low, mut high) = (20_f32.ln(), 2000_f32.ln());
    for _ in 0..20 {
        let third = (high - low) / 3.0;
        if loss((low + third).exp()) < loss((high - third).exp()) { high -= third } else { low += third }
    }
    ((low + high) / 2.0).exp()
}
