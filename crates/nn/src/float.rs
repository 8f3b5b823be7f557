//! A net with floating-point weights, as training sees it.

use crate::net::{FINE, LARGEST, Net, ONE};
use crate::shape::{Activation, POOL, Shape};
use polyply_core::learn::Inputs;
use polyply_core::random::Random;

/// A net with floating-point weights.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatNet {
    shape: Shape,
    /// All parameters, in the order of [`Shape::ranges`].
    pub(crate) parameters: Vec<f32>,
}

impl FloatNet {
    /// Random weights for positions with about this many active features.
    pub fn random(shape: Shape, active: f32, seed: u64) -> FloatNet {
        let mut random = Random::new(seed);
        let mut parameters = vec![0.0; shape.count()];
        let ranges = shape.ranges();
        let layers =
            [(ranges.first, active), (ranges.middle, shape.inputs() as f32), (ranges.output, shape.last() as f32)];
        for (range, inputs) in layers {
            // So that sums have about the spread of what is summed up.
            let bound = 1.0 / inputs.max(1.0).sqrt();
            for parameter in &mut parameters[range] {
                *parameter = (2.0 * random.uniform() as f32 - 1.0) * bound;
            }
        }
        if shape.pooled {
            // Sites have few features: without a bias, half of the neurons would begin without a slope.
            parameters[ranges.bias].fill(0.3);
        }
        FloatNet { shape, parameters }
    }

    /// A net with these parameters.
    pub(crate) fn of(shape: Shape, parameters: Vec<f32>) -> FloatNet {
        FloatNet { shape, parameters }
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The parameters of the layers after the first one.
    pub fn dense(&self) -> &[f32] {
        &self.parameters[self.shape.dense()]
    }

    /// Replaces the parameters of the layers after the first one.
    pub fn set_dense(&mut self, parameters: &[f32]) {
        let range = self.shape.dense();
        self.parameters[range].copy_from_slice(parameters);
    }

    /// The output for a position: the logarithm of the odds to win.
    pub fn output(&self, inputs: &Inputs) -> f32 {
        let mut values = self.hidden(inputs);
        let bucket = usize::from(inputs.bucket);
        let ranges = self.shape.ranges();
        if self.shape.middle > 0 {
            let sums = self.middle_sums(&values, bucket);
            values = sums.into_iter().map(|sum| activated(sum, Activation::Clipped)).collect();
        }
        let weights = &self.parameters[ranges.output][bucket * values.len()..];
        dot(weights, &values) + self.parameters[ranges.output_bias.start + bucket]
    }

    /// Adds the gradient of the output by the parameters of the layers after the first one, times `times`.
    pub fn add_dense_gradient(&self, inputs: &Inputs, times: f32, gradient: &mut [f32]) {
        let add = |to: &mut [f32], values: &[f32], times: f32| {
            to.iter_mut().zip(values).for_each(|(to, value)| *to += times * value);
        };
        let Shape { middle, .. } = self.shape;
        let activation = Activation::Clipped;
        let (ranges, start) = (self.shape.ranges(), self.shape.dense().start);
        let (values, bucket) = (self.hidden(inputs), usize::from(inputs.bucket));
        gradient[ranges.output_bias.start - start + bucket] += times;
        let row = ranges.output.start + bucket * self.shape.last();
        if middle == 0 {
            return add(&mut gradient[row - start..], &values, times);
        }
        for (neuron, sum) in self.middle_sums(&values, bucket).into_iter().enumerate() {
            gradient[row - start + neuron] += times * activated(sum, activation);
            let pull = times * self.parameters[row + neuron] * slope(sum, activation);
            let at = bucket * middle + neuron;
            gradient[ranges.middle_bias.start - start + at] += pull;
            add(&mut gradient[ranges.middle.start - start + at * values.len()..], &values, pull);
        }
    }

    /// The activated values of the first layer, in a pooled net those of all sites together.
    fn hidden(&self, inputs: &Inputs) -> Vec<f32> {
        let Shape { perspectives, pooled, .. } = self.shape;
        let mut values = Vec::with_capacity(self.shape.inputs());
        for active in &inputs.perspectives[..perspectives] {
            if !pooled {
                values.extend(self.layer(active));
                continue;
            }
            let (mut active, nothing) = (active.as_slice(), self.layer(&[]));
            let mut pool = vec![0.0; nothing.len()];
            for &features in &inputs.sites {
                let (site, rest) = active.split_at(features.into());
                let more = self.layer(site).into_iter().zip(&nothing).map(|(value, nothing)| value - nothing);
                pool.iter_mut().zip(more).for_each(|(pool, more)| *pool += more / POOL as f32);
                active = rest;
            }
            values.extend(pool);
        }
        values
    }

    /// The activated values of the first layer for these features.
    fn layer(&self, active: &[u32]) -> Vec<f32> {
        let Shape { hidden, activation, .. } = self.shape;
        let mut sums = self.parameters[self.shape.ranges().bias].to_vec();
        for &feature in active {
            let row = &self.parameters[feature as usize * hidden..][..hidden];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        sums.into_iter().map(|sum| activated(sum, activation)).collect()
    }

    /// The sums of the middle layer.
    fn middle_sums(&self, values: &[f32], bucket: usize) -> Vec<f32> {
        let (middle, ranges) = (self.shape.middle, self.shape.ranges());
        let weights = &self.parameters[ranges.middle];
        let sum =
            |row: usize| dot(&weights[row * values.len()..], values) + self.parameters[ranges.middle_bias.start + row];
        (bucket * middle..(bucket + 1) * middle).map(sum).collect()
    }

    /// The net with integer weights, for which an output of 1 is worth `unit`.
    pub fn quantised(&self, unit: i16) -> Net {
        let ranges = self.shape.ranges();
        let rounded = |range: std::ops::Range<usize>, scale: f32, most: i16| -> Vec<i16> {
            let most = f32::from(most);
            self.parameters[range].iter().map(|number| (number * scale).round().clamp(-most, most) as i16).collect()
        };
        let (one, fine) = (f32::from(ONE), f32::from(FINE));
        let tables = [
            rounded(ranges.first, one, i16::MAX),
            rounded(ranges.bias, one, i16::MAX),
            rounded(ranges.middle, fine, LARGEST),
            rounded(ranges.middle_bias, one * fine, i16::MAX),
            rounded(ranges.output, fine, LARGEST),
            rounded(ranges.output_bias, one * fine, i16::MAX),
        ];
        Net::of(self.shape, unit, &tables)
    }

    /// How far the quantised net is from this one on some positions, in units of the evaluation: the mean and the
    /// largest difference.
    pub fn quantisation_error(&self, net: &Net, positions: impl Iterator<Item = Inputs>) -> (f32, f32) {
        let (mut sum, mut most, mut count) = (0.0, 0.0_f32, 0);
        for inputs in positions {
            let exact = self.output(&inputs) * f32::from(net.unit());
            let value = net.value(&inputs);
            let error = (exact - value as f32).abs();
            (sum, most, count) = (sum + error, most.max(error), count + 1);
        }
        (sum / (count.max(1) as f32), most)
    }
}

/// The numbers of a net with integer weights.
impl From<&Net> for FloatNet {
    fn from(net: &Net) -> FloatNet {
        let (one, fine) = (f32::from(ONE), f32::from(FINE));
        let units = [one, one, fine, one * fine, fine, one * fine];
        let tables = net.tables();
        let layers = tables.iter().zip(units);
        let parameters = layers.flat_map(|(table, unit)| table.iter().map(move |&number| f32::from(number) / unit));
        FloatNet { shape: *net.shape(), parameters: parameters.collect() }
    }
}

fn dot(weights: &[f32], values: &[f32]) -> f32 {
    weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
}

/// The activation of a sum.
#[inline(always)]
pub(crate) fn activated(sum: f32, activation: Activation) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    match activation {
        Activation::Clipped => clipped,
        Activation::Squared => clipped * clipped,
    }
}

/// Its derivative.
#[inline(always)]
pub(crate) fn slope(sum: f32, activation: Activation) -> f32 {
    let inside = if sum > 0.0 && sum < 1.0 { 1.0 } else { 0.0 };
    match activation {
        Activation::Clipped => inside,
        Activation::Squared => 2.0 * sum * inside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::POOLED;

    fn nets() -> impl Iterator<Item = FloatNet> {
        let shape = Shape {
            features: 30,
            perspectives: 2,
            hidden: 32,
            middle: 0,
            buckets: 2,
            activation: Activation::Squared,
            pooled: false,
        };
        let middle = Shape { middle: 5, activation: Activation::Clipped, ..shape };
        let pooled = Shape { middle: 5, hidden: POOLED, pooled: true, ..shape };
        [shape, middle, pooled].into_iter().map(|shape| {
            let mut net = FloatNet::random(shape, 6.0, 7);
            // Away from the kink of the activation.
            net.parameters[shape.ranges().middle_bias].fill(0.2);
            net
        })
    }

    fn inputs(bucket: u8) -> Inputs {
        let perspectives = [vec![1, 7, 12, 20, 29], vec![0, 3, 12, 21, 6]];
        Inputs { perspectives, sites: vec![2, 3], bucket, base: 0 }
    }

    #[test]
    fn the_gradient_of_the_layers_after_the_first_is_that_of_finite_differences() {
        const STEP: f32 = 1e-2;
        for net in nets() {
            let inputs = inputs(1);
            let mut gradient = vec![0.0; net.dense().len()];
            net.add_dense_gradient(&inputs, 2.0, &mut gradient);
            for (at, &found) in gradient.iter().enumerate() {
                let output = |by: f32| {
                    let (mut shifted, mut parameters) = (net.clone(), net.dense().to_vec());
                    parameters[at] += by;
                    shifted.set_dense(&parameters);
                    shifted.output(&inputs)
                };
                let slope = 2.0 * (output(STEP) - output(-STEP)) / (2.0 * STEP);
                assert!((found - slope).abs() < 2e-3, "{at}: {found} and not {slope}");
            }
            assert!(gradient.iter().filter(|slope| **slope != 0.0).count() > 10);
        }
    }

    #[test]
    fn a_net_read_from_integers_is_rounded_to_the_same_integers() {
        for net in nets() {
            let quantised = net.quantised(300);
            let read = FloatNet::from(&quantised);
            assert_eq!(read.quantised(300), quantised);
            assert!((read.output(&inputs(0)) - net.output(&inputs(0))).abs() < 0.1);
        }
    }
}
