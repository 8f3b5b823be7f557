//! The loss of positions and its gradient.

use crate::float::{activated, slope};
use crate::positions::Positions;
use crate::shape::{Activation, BLOCK, Ranges, Shape};
use polyply_core::learn::Inputs;

/// Numbers that compilers keep in a few registers.
type Lanes = [f32; BLOCK];

/// What the loss of a position depends on.
pub struct Work<'a> {
    /// The shape of the net.
    pub shape: &'a Shape,
    /// Where its layers are.
    pub ranges: &'a Ranges,
    /// Its parameters.
    pub parameters: &'a [f32],
    /// The positions.
    pub positions: &'a Positions,
    /// The weight of the result in the target; the rest is the score of the search.
    pub result: f32,
    /// The unit of the scores.
    pub unit: f32,
}

impl Work<'_> {
    /// The chance to win that the net should give to a position.
    #[inline(always)]
    pub fn target(&self, index: usize) -> f32 {
        let searched = sigmoid(self.positions.score(index) / self.unit);
        self.result * self.positions.result(index) + (1.0 - self.result) * searched
    }
}

/// The chance that belongs to an output.
pub fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// `-target·ln(p) - (1 - target)·ln(1 - p)` of a logit, without overflow.
pub fn cross_entropy(logit: f32, target: f32) -> f32 {
    logit.max(0.0) - logit * target + (-logit.abs()).exp().ln_1p()
}

/// The gradient and the loss of a slice of a batch.
pub struct Slice {
    /// By parameter, for the sum of the losses times `share`.
    pub gradient: Vec<f32>,
    /// The sum of the losses.
    pub loss: f64,
    /// What a position's loss counts.
    pub share: f32,
    /// Working memory.
    pub scratch: Scratch,
}

impl Slice {
    /// For nets of a shape.
    pub fn new(shape: &Shape) -> Slice {
        Slice { gradient: vec![0.0; shape.count()], loss: 0.0, share: 0.0, scratch: Scratch::new(shape) }
    }
}

/// The numbers of one position on their way through a net.
pub struct Scratch {
    inputs: Inputs,
    /// Sums of the first layer, their activations and the gradients of these.
    sums: Vec<Lanes>,
    values: Vec<Lanes>,
    pulls: Vec<Lanes>,
    /// The same of the middle layer.
    middle_sums: Vec<f32>,
    middle_values: Vec<f32>,
}

impl Scratch {
    /// For nets of a shape.
    pub fn new(shape: &Shape) -> Scratch {
        let blocks = vec![[0.0; BLOCK]; shape.inputs() / BLOCK];
        Scratch {
            inputs: Inputs::default(),
            sums: blocks.clone(),
            values: blocks.clone(),
            pulls: blocks,
            middle_sums: vec![0.0; shape.middle],
            middle_values: vec![0.0; shape.middle],
        }
    }
}

/// Computes the gradient and the loss of some positions.
#[inline(always)]
pub fn slice(work: &Work<'_>, indices: &[u32], out: &mut Slice) {
    out.gradient.fill(0.0);
    out.loss = 0.0;
    match work.shape.activation {
        Activation::Clipped => slice_of::<false>(work, indices, out),
        Activation::Squared => slice_of::<true>(work, indices, out),
    }
}

#[inline(always)]
fn slice_of<const SQUARED: bool>(work: &Work<'_>, indices: &[u32], out: &mut Slice) {
    for &index in indices {
        let target = work.target(index as usize);
        let output = forward::<SQUARED>(work, index as usize, &mut out.scratch);
        out.loss += f64::from(cross_entropy(output, target));
        let error = (sigmoid(output) - target) * out.share;
        backward::<SQUARED>(work, error, out);
    }
}

/// The sum of the losses of some positions.
#[inline(always)]
pub fn loss(work: &Work<'_>, indices: &[u32], scratch: &mut Scratch) -> f64 {
    let mut sum = 0.0;
    for &index in indices {
        let output = match work.shape.activation {
            Activation::Clipped => forward::<false>(work, index as usize, scratch),
            Activation::Squared => forward::<true>(work, index as usize, scratch),
        };
        sum += f64::from(cross_entropy(output, work.target(index as usize)));
    }
    sum
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
fn forward<const SQUARED: bool>(work: &Work<'_>, index: usize, scratch: &mut Scratch) -> f32 {
    let Work { shape, ranges, parameters, .. } = work;
    let Scratch { inputs, sums, values, middle_sums, middle_values, .. } = scratch;
    work.positions.read(index, inputs);
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
        middle_values[neuron] = activated(middle_sums[neuron], activation::<SQUARED>());
        sum += output[neuron] * middle_values[neuron];
    }
    sum
}

/// Adds the gradient of the position that went forward last. `error` is that of its output.
#[inline(always)]
fn backward<const SQUARED: bool>(work: &Work<'_>, error: f32, out: &mut Slice) {
    let Work { shape, ranges, parameters, .. } = work;
    let Slice { gradient, scratch, .. } = out;
    let Scratch { inputs, sums, values, pulls, middle_sums, middle_values } = scratch;
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
            let pull = error * output[neuron] * slope(middle_sums[neuron], activation::<SQUARED>());
            let at = bucket * shape.middle + neuron;
            gradient[ranges.middle_bias.start + at] += pull;
            let place = ranges.middle.start + at * shape.inputs();
            add(&mut gradient[place..][..shape.inputs()], values.as_flattened(), pull);
            add(pulls.as_flattened_mut(), &parameters[place..][..shape.inputs()], pull);
        }
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
    use polyply_core::random::Random;

    fn positions(shape: &Shape, count: usize) -> Positions {
        let mut random = Random::new(4);
        let mut positions = Positions::default();
        for _ in 0..count {
            let mut side = || (0..6).map(|_| random.below(shape.features) as u32).collect();
            let inputs = Inputs { perspectives: [side(), side()], bucket: random.below(shape.buckets) as u8 };
            let (result, score) = (random.below(3) as u8, random.below(600) as i16 - 300);
            positions.add(&Position { inputs, result, score });
        }
        positions
    }

    fn work<'a>(shape: &'a Shape, ranges: &'a Ranges, net: &'a FloatNet, positions: &'a Positions) -> Work<'a> {
        Work { shape, ranges, parameters: &net.parameters, positions, result: 0.3, unit: 200.0 }
    }

    fn shapes() -> Vec<Shape> {
        let shape =
            Shape { features: 20, perspectives: 2, hidden: 32, middle: 0, buckets: 2, activation: Activation::Squared };
        vec![
            shape,
            Shape { activation: Activation::Clipped, ..shape },
            Shape { middle: 5, ..shape },
            Shape { middle: 5, perspectives: 1, activation: Activation::Clipped, ..shape },
        ]
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        for shape in shapes() {
            let positions = positions(&shape, 40);
            let ranges = shape.ranges();
            let net = FloatNet::random(shape, 6.0, 11);
            let indices: Vec<u32> = (0..40).collect();
            let base = work(&shape, &ranges, &net, &positions);
            let mut found = Slice { share: 1.0, ..Slice::new(&shape) };
            slice(&base, &indices, &mut found);
            assert!((found.loss - loss(&base, &indices, &mut found.scratch)).abs() < 1e-9);
            let mut seen = 0;
            for at in (0..shape.count()).step_by(3) {
                let slope = |by: f32| {
                    let mut net = net.clone();
                    net.parameters[at] += by;
                    let shifted = loss(&work(&shape, &ranges, &net, &positions), &indices, &mut Scratch::new(&shape));
                    ((shifted - found.loss) / f64::from(by)) as f32
                };
                // Where a value is clipped on one side only, the slopes differ, and the gradient is one of them.
                let slopes = [slope(-1e-3), slope(1e-3)];
                let (low, high) = (slopes[0].min(slopes[1]), slopes[0].max(slopes[1]));
                let gradient = found.gradient[at];
                seen += usize::from(gradient != 0.0);
                let room = 3e-3 + 0.02 * gradient.abs();
                assert!((low - room..high + room).contains(&gradient), "{shape:?} {at}: {gradient}, not {slopes:?}");
            }
            assert!(seen > shape.count() / 12, "{shape:?}: {seen}");
        }
    }

    #[test]
    fn every_version_gives_the_gradient_of_its_safe_twin() {
        for shape in shapes() {
            let positions = positions(&shape, 10);
            let (ranges, net) = (shape.ranges(), FloatNet::random(shape, 6.0, 2));
            let work = work(&shape, &ranges, &net, &positions);
            let indices: Vec<u32> = (0..10).collect();
            let gradient = |cpu| {
                let mut slice = Slice { share: 0.1, ..Slice::new(&shape) };
                simd::slice(cpu, &work, &indices, &mut slice);
                let loss = simd::loss(cpu, &work, &indices, &mut slice.scratch);
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
            let (ranges, net) = (shape.ranges(), FloatNet::random(shape, 6.0, 2));
            let work = work(&shape, &ranges, &net, &positions);
            let mut inputs = Inputs::default();
            positions.read(3, &mut inputs);
            let expected = cross_entropy(net.output(&inputs), work.target(3));
            assert!((loss(&work, &[3], &mut Scratch::new(&shape)) - f64::from(expected)).abs() < 1e-5);
        }
    }
}
