//! A quantised net.

use crate::kernels::{Block, square};
use crate::shape::{Activation, BLOCK, Shape, WIDEST};
use crate::simd::{self, Cpu};

/// An activated value of 1. Sums of the first layer have this unit.
pub const ONE: i16 = 255;
/// A weight of 1 in the layers after the first one.
pub const FINE: i16 = 64;
/// The largest of these weights: eight bits.
pub const LARGEST: i16 = 127;

/// A net with integer weights, as a search uses it.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    shape: Shape,
    /// A value of 1 in units of the game's evaluation.
    unit: i16,
    pub(crate) first: Vec<Block>,
    pub(crate) bias: Vec<Block>,
    middle: Vec<Block>,
    middle_bias: Vec<i16>,
    output: Vec<Block>,
    output_bias: Vec<i16>,
    hash: u64,
    pub(crate) cpu: Cpu,
}

/// Blocks for this many numbers.
const fn blocks(numbers: usize) -> usize {
    numbers.div_ceil(BLOCK)
}

impl Net {
    /// A net of these tables: one for each layer and its biases, in the order of [`Shape::ranges`].
    pub(crate) fn of(shape: Shape, unit: i16, tables: &[Vec<i16>]) -> Net {
        let [first, bias, middle, middle_bias, output, output_bias] = tables else {
            unreachable!("a net has six tables")
        };
        // Rows of the output begin with a block.
        let output = output.chunks(shape.last()).flat_map(|row| {
            let mut row = row.to_vec();
            row.resize(blocks(row.len()) * BLOCK, 0);
            Block::all(&row)
        });
        let numbers = [unit].into_iter().chain(tables.iter().flatten().copied());
        Net {
            shape,
            unit,
            first: Block::all(first),
            bias: Block::all(bias),
            middle: Block::all(middle),
            middle_bias: middle_bias.clone(),
            output: output.collect(),
            output_bias: output_bias.clone(),
            hash: polyply_core::weights::hash(numbers),
            cpu: Cpu::best(),
        }
    }

    /// The tables that [`Net::of`] takes.
    pub(crate) fn tables(&self) -> Vec<Vec<i16>> {
        let flat = |blocks: &[Block]| -> Vec<i16> { blocks.iter().flat_map(|block| block.0).collect() };
        let last = self.shape.last();
        let rows = self.output.chunks(blocks(last)).flat_map(|row| flat(row).into_iter().take(last));
        vec![
            flat(&self.first),
            flat(&self.bias),
            flat(&self.middle),
            self.middle_bias.clone(),
            rows.collect(),
            self.output_bias.clone(),
        ]
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What an output of 1 means in units of the evaluation.
    pub fn unit(&self) -> i16 {
        self.unit
    }

    /// A hash of all weights.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The value of a position, in units of the evaluation, from its active features for each perspective. The side that
    /// the value is for comes first. A search keeps [`Accumulators`](crate::Accumulators) instead.
    pub fn value(&self, perspectives: &[&[u32]], bucket: usize) -> i32 {
        let mut sums = [[Block::ZERO; blocks(WIDEST)]; 2];
        let width = self.bias.len();
        for (sum, active) in sums.iter_mut().zip(perspectives) {
            simd::update(self.cpu, &mut sum[..width], &self.bias, &self.first, [active, &[]]);
        }
        self.output(&sums.each_ref().map(|sum| &sum[..width])[..self.shape.perspectives], bucket)
    }

    /// The value for sums of the first layer.
    #[inline(always)]
    pub(crate) fn output(&self, sums: &[&[Block]], bucket: usize) -> i32 {
        let output = match self.shape.activation {
            Activation::Clipped => self.dense::<false>(sums, bucket),
            Activation::Squared => self.dense::<true>(sums, bucket),
        };
        // Rounded down, so that equal differences count the same around 0.
        (output * i64::from(self.unit)).div_euclid(i64::from(ONE) * i64::from(FINE)) as i32
    }

    /// The output, with 1 as [`ONE`] times [`FINE`].
    #[inline(always)]
    fn dense<const SQUARED: bool>(&self, sums: &[&[Block]], bucket: usize) -> i64 {
        let Shape { middle, .. } = self.shape;
        let weights = &self.output[bucket * blocks(self.shape.last())..][..blocks(self.shape.last())];
        let bias = i64::from(self.output_bias[bucket]);
        if middle > 0 {
            let values = self.middle_values::<SQUARED>(sums, bucket);
            return bias + i64::from(simd::dot(self.cpu, &values[..weights.len()], weights));
        }
        let parts = sums.iter().zip(weights.chunks(self.bias.len()));
        let sum: i64 = parts.map(|(sums, weights)| simd::activated_sum::<SQUARED>(self.cpu, sums, weights)).sum();
        bias + if SQUARED { sum.div_euclid(i64::from(ONE)) } else { sum }
    }

    /// The activated values of the middle layer.
    #[inline(always)]
    fn middle_values<const SQUARED: bool>(&self, sums: &[&[Block]], bucket: usize) -> [Block; 2] {
        let width = self.bias.len();
        let mut inputs = [Block::ZERO; 2 * blocks(WIDEST)];
        for (to, sums) in inputs.chunks_mut(width).zip(sums) {
            simd::activate::<SQUARED>(self.cpu, sums, to);
        }
        let inputs = &inputs[..width * sums.len()];
        let mut values = [Block::ZERO; 2];
        for neuron in 0..self.shape.middle {
            let row = bucket * self.shape.middle + neuron;
            let weights = &self.middle[row * inputs.len()..][..inputs.len()];
            let sum = i32::from(self.middle_bias[row]) + simd::dot(self.cpu, inputs, weights);
            let fine = i32::from(FINE);
            let clipped = ((sum.clamp(0, i32::from(ONE) * fine) + fine / 2) / fine) as i16;
            values[neuron / BLOCK].0[neuron % BLOCK] = if SQUARED { square(clipped) } else { clipped };
        }
        values
    }
}
