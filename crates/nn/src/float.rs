//! A net with floating-point weights, as training sees it.

use crate::net::{FINE, LARGEST, Net, ONE};
use crate::shape::{Activation, Shape};
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

    /// The output for a position: the logarithm of the odds to win.
    pub fn output(&self, inputs: &Inputs) -> f32 {
        let Shape { perspectives, hidden, middle, activation, .. } = self.shape;
        let ranges = self.shape.ranges();
        let mut values = Vec::with_capacity(self.shape.inputs());
        for active in &inputs.perspectives[..perspectives] {
            let mut sums = self.parameters[ranges.bias.clone()].to_vec();
            for &feature in active {
                let row = &self.parameters[feature as usize * hidden..][..hidden];
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            values.extend(sums.into_iter().map(|sum| activated(sum, activation)));
        }
        let dot = |weights: &[f32], values: &[f32]| -> f32 {
            weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
        };
        let bucket = usize::from(inputs.bucket);
        if middle > 0 {
            let count = values.len();
            let neuron = |row: usize| {
                let sum = dot(&self.parameters[ranges.middle.clone()][row * count..], &values);
                activated(sum + self.parameters[ranges.middle_bias.start + row], activation)
            };
            values = (bucket * middle..(bucket + 1) * middle).map(neuron).collect();
        }
        let weights = &self.parameters[ranges.output.clone()][bucket * values.len()..];
        dot(weights, &values) + self.parameters[ranges.output_bias.start + bucket]
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
            let perspectives = inputs.perspectives.each_ref().map(Vec::as_slice);
            let value = net.value(&perspectives[..self.shape.perspectives], inputs.bucket.into());
            let error = (exact - value as f32).abs();
            (sum, most, count) = (sum + error, most.max(error), count + 1);
        }
        (sum / (count.max(1) as f32), most)
    }
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
