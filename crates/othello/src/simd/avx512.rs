//! The same with AVX-512, still four directions in one register. It can count leading zeros, which finds the nearest
//! disc down a ray as fast as up, and combine three words at a time.

use super::{any, moves_of_four, rays};
use crate::board::Cpu;
use std::arch::x86_64::{
    _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi64, _mm256_lzcnt_epi64, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_srlv_epi64, _mm256_sub_epi64,
};

/// AVX-512, besides what [`super::Avx2`] needs; requires [`available`].
pub(crate) struct Avx512;

/// Whether the processor has the features that [`Avx512`] needs.
#[inline(always)]
pub(crate) fn available() -> bool {
    super::available()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512cd")
}

compile_for!(Avx512, "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512cd");

#[target_feature(enable = "avx2,avx512f,avx512vl,avx512cd")]
#[inline]
fn flips_of_four(own: u64, other: u64, square: usize) -> u64 {
    let zero = _mm256_setzero_si256();
    let ones = _mm256_set1_epi64x(-1);
    let own = _mm256_set1_epi64x(own as i64);
    let other = _mm256_set1_epi64x(other as i64);
    let [up, down] = rays(square);

    // Down: the highest bit that is not the opponent's ends the run; if it is an own disc, all bits above it flip.
    let open = _mm256_andnot_si256(other, down);
    let highest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(open));
    let end = _mm256_and_si256(highest, own);
    let up_to = _mm256_add_epi64(_mm256_add_epi64(end, end), ones);
    let down_flips = _mm256_andnot_si256(up_to, down);

    // Up: the lowest bit that is not the opponent's ends the run; if it is an own disc, all bits below it flip.
    let open = _mm256_andnot_si256(other, up);
    let end = _mm256_and_si256(_mm256_and_si256(open, _mm256_sub_epi64(zero, open)), own);
    let below = _mm256_add_epi64(end, _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), ones));
    let up_flips = _mm256_and_si256(below, up);

    any(_mm256_or_si256(down_flips, up_flips))
}
