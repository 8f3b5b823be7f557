//! The loops over blocks of sixteen-bit numbers. They are plain Rust that compilers vectorise; [`crate::simd`] compiles
//! them for several processors. All arithmetic is exact, so every version gives the same numbers.

use crate::net::ONE;
use crate::pooled::{Changed, Pool};
use crate::shape::{BLOCK, POOLED};
use bytemuck::{Pod, Zeroable, cast_slice};

/// A cache line of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Block(pub [i16; BLOCK]);

impl Block {
    /// All numbers are 0.
    pub const ZERO: Block = Block([0; BLOCK]);

    /// Numbers in blocks; there is a multiple of [`BLOCK`] of them.
    pub fn all(numbers: &[i16]) -> Vec<Block> {
        numbers.as_chunks().0.iter().map(|&block| Block(block)).collect()
    }
}

/// A row of the first layer of a pooled net.
pub type Row = [i16; POOLED];

/// What an update adds and removes: numbers of rows.
pub type Rows<'a> = [&'a [u32]; 2];

/// `to = from + the rows that are added - the rows that are removed`. Sums may pass the limits of sixteen bits on the way.
#[inline(always)]
pub fn update(to: &mut [Block], from: &[Block], table: &[Block], [added, removed]: Rows<'_>) {
    let width = to.len();
    for (at, (to, from)) in to.iter_mut().zip(from).enumerate() {
        let mut sum = from.0;
        for &row in added {
            let row = &table[row as usize * width + at].0;
            sum.iter_mut().zip(row).for_each(|(sum, number)| *sum = sum.wrapping_add(*number));
        }
        for &row in removed {
            let row = &table[row as usize * width + at].0;
            sum.iter_mut().zip(row).for_each(|(sum, number)| *sum = sum.wrapping_sub(*number));
        }
        to.0 = sum;
    }
}

/// Blocks whose sums of products fit 32 bits: 128 times 255² times 127.
const SHORT: usize = 4;

/// The sum of activated values times weights; the values are clipped, and squared if `SQUARED`. Weights have eight bits.
#[inline(always)]
pub fn activated_sum<const SQUARED: bool>(values: &[Block], weights: &[Block]) -> i64 {
    let mut sum = 0;
    // A loop, because closures that are not inlined would be compiled without the instructions of the caller.
    for (values, weights) in values.chunks(SHORT).zip(weights.chunks(SHORT)) {
        sum += i64::from(short_sum::<SQUARED>(values, weights));
    }
    sum
}

/// A plain loop over numbers, which compilers turn into the instruction that multiplies and adds pairs.
#[inline(always)]
fn short_sum<const SQUARED: bool>(values: &[Block], weights: &[Block]) -> i32 {
    let mut sum = 0_i32;
    for (&value, &weight) in cast_slice::<Block, i16>(values).iter().zip(cast_slice::<Block, i16>(weights)) {
        let clipped = value.clamp(0, ONE);
        // 255 times 128 fits sixteen bits.
        let factor = if SQUARED { clipped.wrapping_mul(weight) } else { weight };
        sum = sum.wrapping_add(i32::from(clipped) * i32::from(factor));
    }
    sum
}

/// The activated values themselves, from 0 to [`ONE`].
#[inline(always)]
pub fn activate<const SQUARED: bool>(values: &[Block], to: &mut [Block]) {
    for (to, values) in to.iter_mut().zip(values) {
        to.0 = values.0.map(activated::<SQUARED>);
    }
}

/// The square of a value from 0 to [`ONE`], in the same unit: `value² / 255`, rounded.
#[inline(always)]
pub fn square(value: i16) -> i16 {
    let square = (value as u16).wrapping_mul(value as u16);
    ((square + (square >> 8) + 128) >> 8) as i16
}

/// Changes of sites whose differences fit sixteen bits: 128 times 255.
const FEW: usize = 128;

/// Changes the sums of sites and, by what their activations differ, the pool.
#[inline(always)]
pub fn pool<const SQUARED: bool>(pool: &mut Pool, sums: &mut [Block], rows: &[Row], changed: &[Changed]) {
    for changed in changed.chunks(FEW) {
        let mut difference = Block::ZERO.0;
        for &Changed { site, added, removed } in changed {
            let sum = &mut sums[usize::from(site)].0;
            for view in 0..2 {
                let (added, removed) = (&rows[added[view] as usize], &rows[removed[view] as usize]);
                for at in 0..POOLED {
                    let lane = view * POOLED + at;
                    let before = sum[lane];
                    let after = before.wrapping_add(added[at]).wrapping_sub(removed[at]);
                    sum[lane] = after;
                    difference[lane] += activated::<SQUARED>(after) - activated::<SQUARED>(before);
                }
            }
        }
        for (sum, difference) in pool.iter_mut().zip(difference) {
            *sum += i32::from(difference);
        }
    }
}

/// The activated value of a sum, from 0 to [`ONE`].
#[inline(always)]
fn activated<const SQUARED: bool>(sum: i16) -> i16 {
    let clipped = sum.clamp(0, ONE);
    if SQUARED { square(clipped) } else { clipped }
}

/// The sum of products.
#[inline(always)]
pub fn dot(values: &[Block], weights: &[Block]) -> i32 {
    let mut sum = 0_i32;
    for (&value, &weight) in cast_slice::<Block, i16>(values).iter().zip(cast_slice::<Block, i16>(weights)) {
        sum = sum.wrapping_add(i32::from(value) * i32::from(weight));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_rounded() {
        for value in 0..=ONE {
            let exact = f64::from(value) * f64::from(value) / 255.0;
            assert!((f64::from(square(value)) - exact).abs() < 0.51, "{value}");
        }
    }

    #[test]
    fn sums_are_those_of_wide_numbers() {
        let values: Vec<i16> = (0..64_i32).map(|at| (at * 7919 % 700 - 200) as i16).collect();
        let weights: Vec<i16> = (0..64_i32).map(|at| (at * 104_729 % 255 - 127) as i16).collect();
        let (blocks, rows) = (Block::all(&values), Block::all(&weights));
        let sum = |squared: bool| -> i64 {
            let pairs = values.iter().zip(&weights);
            let clipped = pairs.map(|(&value, &weight)| (i64::from(value.clamp(0, ONE)), i64::from(weight)));
            clipped.map(|(value, weight)| value * weight * if squared { value } else { 1 }).sum()
        };
        assert_eq!(activated_sum::<true>(&blocks, &rows), sum(true));
        assert_eq!(activated_sum::<false>(&blocks, &rows), sum(false));
    }
}
