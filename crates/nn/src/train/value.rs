//! Learning to value positions.

use super::lesson::Lesson;
use crate::float::{FloatNet, activated, slope};
use crate::net::{FINE, LARGEST};
use crate::positions::Positions;
use crate::shape::{Activation, BLOCK, POOL, POOLED, Ranges, Shape};
use polyply_core::hash::Fnv;
use polyply_core::learn::Inputs;
use std::ops::Range;

/// Numbers that compilers keep in a few registers.
type Lanes = [f32; BLOCK];
/// The same for a site of a pooled net, in one perspective.
type Narrow = [f32; POOLED];

/// Values to learn: the results of games, mixed with the scores of searches.
pub struct Values<'a> {
    shape: Shape,
    ranges: Ranges,
    positions: &'a Positions,
    /// The weight of the result in the target; the rest is the score of the search.
    result: f32,
    /// The unit of the scores: the score at which a win is e times as likely as a loss.
    unit: f32,
}

impl<'a> Values<'a> {
    /// Positions for a net of this shape. There must be some.
    pub fn new(positions: &'a Positions, shape: Shape, result: f32, unit: f32) -> Values<'a> {
        Values { shape, ranges: shape.ranges(), positions, result, unit }
    }

    /// The shape of the net.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The unit of the scores.
    pub fn unit(&self) -> f32 {
        self.unit
    }

    /// The positions.
    pub fn positions(&self) -> &'a Positions {
        self.positions
    }

    /// The net with these parameters.
    pub fn net(&self, parameters: Vec<f32>) -> FloatNet {
        FloatNet::of(self.shape, parameters)
    }

    /// The loss of the search's scores themselves for a position. A net can hardly be better.
    pub fn loss_of_score(&self, index: usize) -> f32 {
        cross_entropy(self.positions.score(index) / self.unit, self.target(index))
    }

    /// The loss of the evaluation that the net adds to, for a position.
    pub fn loss_of_base(&self, index: usize) -> f32 {
        let mut inputs = Inputs::default();
        self.positions.read(index, &mut inputs);
        cross_entropy(f32::from(inputs.base) / self.unit, self.target(index))
    }

    /// The chance to win that the net should give to a position.
    #[inline(always)]
    fn target(&self, index: usize) -> f32 {
        let searched = sigmoid(self.positions.score(index) / self.unit);
        self.result * self.positions.result(index) + (1.0 - self.result) * searched
    }
}

impl Lesson for Values<'_> {
    type Scratch = Scratch;

    fn parameters(&self) -> usize {
        self.shape.count()
    }

    fn initial(&self, seed: u64) -> Vec<f32> {
        FloatNet::random(self.shape, active(self.positions), seed).parameters
    }

    fn largest(&self) -> f32 {
        f32::from(LARGEST) / f32::from(FINE)
    }

    fn games(&self) -> impl Iterator<Item = Range<usize>> {
        self.positions.games()
    }

    fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        hash.number(self.positions.hash());
        let Shape { features, perspectives, hidden, middle, buckets, activation, pooled } = self.shape;
        [features, perspectives, hidden, middle, buckets].iter().for_each(|&size| hash.number(size as u64));
        hash.number((activation == Activation::Squared).into());
        hash.number(pooled.into());
        [self.result, self.unit].iter().for_each(|number| hash.number(number.to_bits().into()));
        hash.finish()
    }

    fn scratch(&self) -> Scratch {
        Scratch::new(&self.shape)
    }

    #[inline(always)]
    fn forward(&self, parameters: &[f32], index: usize, scratch: &mut Scratch) -> f32 {
        let output = match self.shape.activation {
            Activation::Clipped => forward::<false>(self, parameters, index, scratch),
            Activation::Squared => forward::<true>(self, parameters, index, scratch),
        };
        let output = output + f32::from(scratch.inputs.base) / self.unit;
        let target = self.target(index);
        scratch.error = sigmoid(output) - target;
        cross_entropy(output, target)
    }

    #[inline(always)]
    fn backward(&self, parameters: &[f32], share: f32, scratch: &mut Scratch, gradient: &mut [f32]) {
        match self.shape.activation {
            Activation::Clipped => backward::<false>(self, parameters, share, scratch, gradient),
            Activation::Squared => backward::<true>(self, parameters, share, scratch, gradient),
        }
    }
}

/// About how many features of a perspective are active.
fn active(positions: &Positions) -> f32 {
    let mut inputs = Inputs::default();
    let some = positions.len().min(1000);
    let count = |number: usize| {
        positions.read(number * positions.len() / some, &mut inputs);
        inputs.perspectives[0].len() as f32
    };
    (0..some).map(count).sum::<f32>() / some.max(1) as f32
}

/// The chance that belongs to an output.
pub fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// `-target·ln(p) - (1 - target)·ln(1 - p)` of a logit, without overflow.
pub fn cross_entropy(logit: f32, target: f32) -> f32 {
    logit.max(0.0) - logit * target + (-logit.abs()).exp().ln_1p()
}

/// The numbers of one position on their way through a net.
pub struct Scratch {
    inputs: Inputs,
    /// How far the chance to win is from its target.
    error: f32,
    /// Sums of the first layer, their activations and the gradients of these.
    sums: Vec<Lanes>,
    values: Vec<Lanes>,
    pulls: Vec<Lanes>,
    /// The sums of the sites of a pooled net, perspective by perspective.
    sites: Vec<Narrow>,
    /// The same of the middle layer.
    middle_sums: Vec<f32>,
    middle_values: Vec<f32>,
}

impl Scratch {
    fn new(shape: &Shape) -> Scratch {
        let blocks = vec![[0.0; BLOCK]; shape.inputs() / BLOCK];
        Scratch {
            inputs: Inputs::default(),
            error: 0.0,
            sums: blocks.clone(),
            values: blocks.clone(),
            pulls: blocks,
            sites: Vec::new(),
            middle_sums: vec![0.0; shape.middle],
            middle_values: vec![0.0; shape.middle],
        }
    }
}

#[inline(always)]
fn activation<const SQUARED: bool>() -> Activation {
    if SQUARED { Activation::Squared } else { Activation::Clipped }
}

/// A row of the first layer.
#[inline(always)]
fn row(parameters: &[f32], feature: u32, hidden: usize) -> &[Lanes] {
    parameters[feature as usize * hidden..][..hidden].as_chunks().0
}

#[inline(always)]
fn dot(one: &[Lanes], other: &[Lanes]) -> f32 {
    let mut lanes = [0.0; BLOCK];
    for (one, other) in one.iter().zip(other) {
        for lane in 0..BLOCK {
            lanes[lane] += one[lane] * other[lane];
        }
    }
    lanes.iter().sum()
}

/// `to += from · times`
#[inline(always)]
fn add(to: &mut [f32], from: &[f32], times: f32) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from * times);
}

/// The output for a position.
#[inline(always)]
fn forward<const SQUARED: bool>(lesson: &Values<'_>, parameters: &[f32], index: usize, scratch: &mut Scratch) -> f32 {
    lesson.positions.read(index, &mut scratch.inputs);
    if lesson.shape.pooled {
        fill_pool::<SQUARED>(lesson, parameters, scratch);
    } else {
        fill_layer::<SQUARED>(lesson, parameters, scratch);
    }
    dense(lesson, parameters, scratch)
}

/// The biases and a row of the first layer of a pooled net.
#[inline(always)]
fn narrow(parameters: &[f32], start: usize) -> &Narrow {
    parameters[start..].first_chunk().expect("a row is whole")
}

/// The sums of all sites, and the pool of their activations.
#[inline(always)]
fn fill_pool<const SQUARED: bool>(lesson: &Values<'_>, parameters: &[f32], scratch: &mut Scratch) {
    let Scratch { inputs, values, sites, .. } = scratch;
    let bias = narrow(parameters, lesson.ranges.bias.start);
    let nothing = bias.map(|sum| activated(sum, activation::<SQUARED>()));
    sites.clear();
    for (active, pool) in inputs.perspectives.iter().zip(values.as_flattened_mut().chunks_mut(POOLED)) {
        let mut active = active.iter();
        pool.fill(0.0);
        for &features in &inputs.sites {
            let mut sums = *bias;
            for &feature in active.by_ref().take(features.into()) {
                let row = narrow(parameters, feature as usize * POOLED);
                for lane in 0..POOLED {
                    sums[lane] += row[lane];
                }
            }
            for lane in 0..POOLED {
                pool[lane] += activated(sums[lane], activation::<SQUARED>()) - nothing[lane];
            }
            sites.push(sums);
        }
        pool.iter_mut().for_each(|value| *value /= POOL as f32);
    }
}

/// Adds the gradient of the sites, from the pulls on their pool.
#[inline(always)]
fn spread_pool<const SQUARED: bool>(lesson: &Values<'_>, parameters: &[f32], scratch: &Scratch, gradient: &mut [f32]) {
    let Scratch { inputs, pulls, sites, .. } = scratch;
    let start = lesson.ranges.bias.start;
    let nothing = narrow(parameters, start).map(|sum| slope(sum, activation::<SQUARED>()));
    let mut sites = sites.iter();
    for (active, pulls) in inputs.perspectives.iter().zip(pulls.as_flattened().chunks(POOLED)) {
        let mut active = active.iter();
        let mut bias = [0.0; POOLED];
        for (&features, sums) in inputs.sites.iter().zip(&mut sites) {
            let mut pull = [0.0; POOLED];
            for lane in 0..POOLED {
                let share = pulls[lane] / POOL as f32;
                pull[lane] = share * slope(sums[lane], activation::<SQUARED>());
                bias[lane] += pull[lane] - share * nothing[lane];
            }
            for &feature in active.by_ref().take(features.into()) {
                add(&mut gradient[feature as usize * POOLED..][..POOLED], &pull, 1.0);
            }
        }
        add(&mut gradient[start..][..POOLED], &bias, 1.0);
    }
}

/// The sums of the first layer and their activations.
#[inline(always)]
fn fill_layer<const SQUARED: bool>(lesson: &Values<'_>, parameters: &[f32], scratch: &mut Scratch) {
    let Values { shape, ranges, .. } = lesson;
    let Scratch { inputs, sums, values, .. } = scratch;
    let width = shape.hidden / BLOCK;
    let bias = parameters[ranges.bias.clone()].as_chunks().0;
    for (active, sums) in inputs.perspectives.iter().zip(sums.chunks_mut(width)) {
        for (block, sum) in sums.iter_mut().enumerate() {
            let mut lanes: Lanes = bias[block];
            for &feature in active {
                let row = &row(parameters, feature, shape.hidden)[block];
                for lane in 0..BLOCK {
                    lanes[lane] += row[lane];
                }
            }
            *sum = lanes;
        }
    }
    for (value, sum) in values.iter_mut().zip(sums.iter()) {
        *value = sum.map(|sum| activated(sum, activation::<SQUARED>()));
    }
}

/// The output for the values of the first layer.
#[inline(always)]
fn dense(lesson: &Values<'_>, parameters: &[f32], scratch: &mut Scratch) -> f32 {
    let Values { shape, ranges, .. } = lesson;
    let Scratch { inputs, values, middle_sums, middle_values, .. } = scratch;
    let bucket = usize::from(inputs.bucket);
    let output = &parameters[ranges.output.clone()][bucket * shape.last()..][..shape.last()];
    let bias = parameters[ranges.output_bias.start + bucket];
    if shape.middle == 0 {
        return bias + dot(output.as_chunks().0, values);
    }
    let mut sum = bias;
    for neuron in 0..shape.middle {
        let at = bucket * shape.middle + neuron;
        let weights = parameters[ranges.middle.clone()][at * shape.inputs()..][..shape.inputs()].as_chunks().0;
        middle_sums[neuron] = parameters[ranges.middle_bias.start + at] + dot(weights, values);
        middle_values[neuron] = activated(middle_sums[neuron], Activation::Clipped);
        sum += output[neuron] * middle_values[neuron];
    }
    sum
}

/// Adds the gradient of the position that went forward last.
#[inline(always)]
fn backward<const SQUARED: bool>(
    lesson: &Values<'_>,
    parameters: &[f32],
    share: f32,
    scratch: &mut Scratch,
    gradient: &mut [f32],
) {
    let Values { shape, ranges, .. } = lesson;
    let Scratch { inputs, error, sums, values, pulls, middle_sums, middle_values, .. } = scratch;
    let error = *error * share;
    let bucket = usize::from(inputs.bucket);
    gradient[ranges.output_bias.start + bucket] += error;
    let row_start = ranges.output.start + bucket * shape.last();
    let output = &parameters[row_start..][..shape.last()];
    let output_gradient = &mut gradient[row_start..][..shape.last()];
    pulls.fill([0.0; BLOCK]);
    if shape.middle == 0 {
        add(output_gradient, values.as_flattened(), error);
        add(pulls.as_flattened_mut(), output, error);
    } else {
        for neuron in 0..shape.middle {
            output_gradient[neuron] += error * middle_values[neuron];
        }
        for neuron in 0..shape.middle {
            let pull = error * output[neuron] * slope(middle_sums[neuron], Activation::Clipped);
            let at = bucket * shape.middle + neuron;
            gradient[ranges.middle_bias.start + at] += pull;
            let place = ranges.middle.start + at * shape.inputs();
            add(&mut gradient[place..][..shape.inputs()], values.as_flattened(), pull);
            add(pulls.as_flattened_mut(), &parameters[place..][..shape.inputs()], pull);
        }
    }
    if shape.pooled {
        return spread_pool::<SQUARED>(lesson, parameters, scratch, gradient);
    }
    for (pull, &sum) in pulls.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
        *pull *= slope(sum, activation::<SQUARED>());
    }
    for (active, pulls) in inputs.perspectives.iter().zip(pulls.as_flattened().chunks(shape.hidden)) {
        add(&mut gradient[ranges.bias.clone()], pulls, 1.0);
        for &feature in active {
            add(&mut gradient[feature as usize * shape.hidden..][..shape.hidden], pulls, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::FloatNet;
    use crate::positions::Position;
    use crate::simd::{self, Cpu};
    use crate::train::lesson::{Slice, check_gradient};
    use polyply_core::random::Random;

    fn positions(shape: &Shape, count: usize) -> Positions {
        let mut random = Random::new(4);
        let mut positions = Positions::default();
        for _ in 0..count {
            let sites = if shape.pooled { vec![3, 1, 2] } else { Vec::new() };
            let mut side = || (0..6).map(|_| random.below(shape.features) as u32).collect();
            let perspectives = [side(), side()];
            let bucket = random.below(shape.buckets) as u8;
            let inputs = Inputs { perspectives, sites, bucket, base: 0 };
            let (result, score) = (random.below(3) as u8, random.below(600) as i16 - 300);
            positions.add(&Position { inputs, result, score });
        }
        positions
    }

    fn lesson(shape: Shape, positions: &Positions) -> Values<'_> {
        Values::new(positions, shape, 0.3, 200.0)
    }

    fn shapes() -> Vec<Shape> {
        let shape = Shape {
            features: 20,
            perspectives: 2,
            hidden: 32,
            middle: 0,
            buckets: 2,
            activation: Activation::Squared,
            pooled: false,
        };
        vec![
            shape,
            Shape { activation: Activation::Clipped, ..shape },
            Shape { middle: 5, ..shape },
            Shape { middle: 5, perspectives: 1, activation: Activation::Clipped, ..shape },
            Shape { middle: 5, hidden: POOLED, pooled: true, ..shape },
        ]
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        for shape in shapes() {
            let positions = positions(&shape, 40);
            check_gradient(&lesson(shape, &positions), &FloatNet::random(shape, 6.0, 11).parameters, 40);
        }
    }

    #[test]
    fn every_version_gives_the_gradient_of_its_safe_twin() {
        for shape in shapes() {
            let positions = positions(&shape, 10);
            let (lesson, net) = (lesson(shape, &positions), FloatNet::random(shape, 6.0, 2));
            let indices: Vec<u32> = (0..10).collect();
            let gradient = |cpu| {
                let mut slice = Slice { share: 0.1, ..Slice::new(&lesson) };
                simd::slice(cpu, &lesson, &net.parameters, &indices, &mut slice);
                let loss = simd::loss(cpu, &lesson, &net.parameters, &indices, &mut slice.scratch);
                (slice.gradient, slice.loss, loss)
            };
            let plain = gradient(Cpu::PLAIN);
            assert!(Cpu::all().into_iter().all(|cpu| gradient(cpu) == plain));
        }
    }

    #[test]
    fn the_loss_is_that_of_the_net() {
        for shape in shapes() {
            let positions = positions(&shape, 5);
            let (lesson, net) = (lesson(shape, &positions), FloatNet::random(shape, 6.0, 2));
            let mut inputs = Inputs::default();
            positions.read(3, &mut inputs);
            let expected = cross_entropy(net.output(&inputs), lesson.target(3));
            let found = lesson.forward(&net.parameters, 3, &mut lesson.scratch());
            assert!((found - expected).abs() < 1e-5);
        }
    }
}
