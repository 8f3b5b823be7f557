//! A quantised net.

use crate::kernels::{Block, Row};
use crate::pooled::{Pool, PooledSums};
use crate::shape::{Activation, BLOCK, POOL, POOLED, Shape, WIDEST};
use crate::simd::{self, Cpu};
use polyply_core::learn::Inputs;

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
    /// The first layer and its biases; in a pooled net both are empty, and the next two have them.
    pub(crate) first: Vec<Block>,
    pub(crate) bias: Vec<Block>,
    /// The rows of a pooled net, and one of zeros.
    pub(crate) rows: Vec<Row>,
    pub(crate) row_bias: Row,
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
        let (wide, narrow): (&[i16], &[i16]) = if shape.pooled { (&[], first) } else { (first, &[]) };
        let mut rows = narrow.as_chunks().0.to_vec();
        rows.push([0; POOLED]);
        Net {
            shape,
            unit,
            first: Block::all(wide),
            bias: if shape.pooled { Vec::new() } else { Block::all(bias) },
            rows,
            row_bias: *bias.first_chunk().expect("a layer is at least as wide as that of a pooled net"),
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
        let [first, bias] = match self.shape.pooled {
            true => [self.rows[..self.shape.features].as_flattened().to_vec(), self.row_bias.to_vec()],
            false => [flat(&self.first), flat(&self.bias)],
        };
        vec![first, bias, flat(&self.middle), self.middle_bias.clone(), rows.collect(), self.output_bias.clone()]
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

    /// The value of a position, in units of the evaluation, for the side to move. A search keeps
    /// [`Accumulators`](crate::Accumulators) or [`PooledSums`] instead.
    pub fn value(&self, inputs: &Inputs) -> i32 {
        let bucket = usize::from(inputs.bucket);
        if self.shape.pooled {
            return self.pooled_value(&PooledSums::pool_of(self, inputs), 0, bucket);
        }
        let perspectives = inputs.perspectives.each_ref().map(Vec::as_slice);
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
        self.in_units(output)
    }

    /// An output in units of the evaluation.
    #[inline(always)]
    fn in_units(&self, output: i64) -> i32 {
        // Rounded down, so that equal differences count the same around 0.
        (output * i64::from(self.unit)).div_euclid(i64::from(ONE) * i64::from(FINE)) as i32
    }

    /// The value for a pool, for the player of the perspective `own`.
    #[inline(always)]
    pub(crate) fn pooled_value(&self, pool: &Pool, own: usize, bucket: usize) -> i32 {
        let mut inputs = Block::ZERO;
        for (view, to) in inputs.0.chunks_mut(POOLED).enumerate() {
            let from = &pool[(view ^ own) * POOLED..][..POOLED];
            to.iter_mut().zip(from).for_each(|(to, from)| *to = ((from + POOL / 2) / POOL) as i16);
        }
        let values = self.middle_values(&[inputs], bucket);
        let width = blocks(self.shape.last());
        let weights = &self.output[bucket * width..][..width];
        let sum = simd::dot(self.cpu, &values[..width], weights);
        self.in_units(i64::from(self.output_bias[bucket]) + i64::from(sum))
    }

    /// The output, with 1 as [`ONE`] times [`FINE`].
    #[inline(always)]
    fn dense<const SQUARED: bool>(&self, sums: &[&[Block]], bucket: usize) -> i64 {
        let Shape { middle, .. } = self.shape;
        let weights = &self.output[bucket * blocks(self.shape.last())..][..blocks(self.shape.last())];
        let bias = i64::from(self.output_bias[bucket]);
        if middle > 0 {
            let width = self.bias.len();
            let mut inputs = [Block::ZERO; 2 * blocks(WIDEST)];
            for (to, sums) in inputs.chunks_mut(width).zip(sums) {
                simd::activate::<SQUARED>(self.cpu, sums, to);
            }
            let values = self.middle_values(&inputs[..width * sums.len()], bucket);
            return bias + i64::from(simd::dot(self.cpu, &values[..weights.len()], weights));
        }
        let parts = sums.iter().zip(weights.chunks(self.bias.len()));
        let sum: i64 = parts.map(|(sums, weights)| simd::activated_sum::<SQUARED>(self.cpu, sums, weights)).sum();
        bias + if SQUARED { sum.div_euclid(i64::from(ONE)) } else { sum }
    }

    /// The activated values of the middle layer.
    #[inline(always)]
    fn middle_values(&self, inputs: &[Block], bucket: usize) -> [Block; 2] {
        let mut values = [Block::ZERO; 2];
        for neuron in 0..self.shape.middle {
            let row = bucket * self.shape.middle + neuron;
            let weights = &self.middle[row * inputs.len()..][..inputs.len()];
            let sum = i32::from(self.middle_bias[row]) + simd::dot(self.cpu, inputs, weights);
            let fine = i32::from(FINE);
            values[neuron / BLOCK].0[neuron % BLOCK] = ((sum.clamp(0, i32::from(ONE) * fine) + fine / 2) / fine) as i16;
        }
        values
    }
}
