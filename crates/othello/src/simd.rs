//! Flips and moves with AVX2: four directions in one register. Tests compare them with the safe [`crate::portable`].
//! `--cfg polyply_portable` leaves this module out, so that the portable version can be tested on any machine.
//!
//! The method to find flips is Toshihiko Okuhara's, from the AVX2 version of [Edax].
//!
//! [Edax]: https://github.com/okuhara/edax-reversi-AVX

use crate::board::Cpu;
use crate::portable::RAYS;
use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_extracti128_si256,
    _mm256_loadu_si256, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256,
    _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_xor_si256,
};

/// Implements [`Cpu`] for a type by the functions `available`, `flips_of_four` and `moves_of_four` of its module. What
/// [`Cpu::compiled`] inlines is compiled with these features of the processor.
macro_rules! compile_for {
    ($cpu:ty, $features:literal) => {
        impl Cpu for $cpu {
            #[inline(always)]
            fn flips(own: u64, other: u64, square: usize) -> u64 {
                debug_assert!(available());
                // SAFETY: whoever chose this type has asked `available`.
                unsafe { flips_of_four(own, other, square) }
            }

            #[inline(always)]
            fn moves(own: u64, other: u64) -> u64 {
                debug_assert!(available());
                // SAFETY: whoever chose this type has asked `available`.
                unsafe { moves_of_four(own, other) }
            }

            #[inline(always)]
            fn compiled<S, L, T>(
                work: impl FnOnce(&mut S, u64, u64, u64, i32, L) -> T,
                state: &mut S,
                own: u64,
                other: u64,
                squares: u64,
                alpha: i32,
                last: L,
            ) -> T {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn compiled<S, L, T>(
                    work: impl FnOnce(&mut S, u64, u64, u64, i32, L) -> T,
                    state: &mut S,
                    own: u64,
                    other: u64,
                    squares: u64,
                    alpha: i32,
                    last: L,
                ) -> T {
                    work(state, own, other, squares, alpha, last)
                }

                debug_assert!(available());
                // SAFETY: whoever chose this type has asked `available`.
                unsafe { compiled(work, state, own, other, squares, alpha, last) }
            }
        }
    };
}

pub(crate) mod avx512;

/// Whether the processor has the features that this module and the solver compiled for it need.
#[inline(always)]
pub(crate) fn available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// AVX2, BMI and related features; requires [`available`].
pub(crate) struct Avx2;

compile_for!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");

#[target_feature(enable = "avx2")]
#[inline]
fn flips_of_four(own: u64, other: u64, square: usize) -> u64 {
    let zero = _mm256_setzero_si256();
    let own = _mm256_set1_epi64x(own as i64);
    let other = _mm256_set1_epi64x(other as i64);
    let [up, down] = rays(square);

    // Down: the nearest own disc is spread to all squares behind it; the squares before it flip if no empty square is
    // nearer. The nearest is the highest bit, so a comparison tells.
    let ends = _mm256_and_si256(own, down);
    let mut behind = _mm256_or_si256(ends, _mm256_srlv_epi64(ends, steps(1)));
    behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, steps(2)));
    behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, steps(4)));
    let empty = _mm256_xor_si256(_mm256_andnot_si256(other, down), ends);
    let down_flips = _mm256_and_si256(_mm256_andnot_si256(behind, down), _mm256_cmpgt_epi64(ends, empty));

    // Up: the lowest bit that is not the opponent's ends the run; if it is an own disc, all bits below it flip.
    let open = _mm256_andnot_si256(other, up);
    let end = _mm256_and_si256(_mm256_and_si256(open, _mm256_sub_epi64(zero, open)), own);
    let below = _mm256_sub_epi64(end, _mm256_add_epi64(_mm256_cmpeq_epi64(end, zero), _mm256_set1_epi64x(1)));
    let up_flips = _mm256_and_si256(below, up);

    any(_mm256_or_si256(down_flips, up_flips))
}

#[target_feature(enable = "avx2")]
#[inline]
fn moves_of_four(own: u64, other: u64) -> u64 {
    const INNER: i64 = crate::square::INNER_COLUMNS as i64;
    let taken = own | other;
    let own = _mm256_set1_epi64x(own as i64);
    // Runs along a row or a diagonal must not wrap around the edge.
    let other = _mm256_and_si256(_mm256_set1_epi64x(other as i64), _mm256_setr_epi64x(INNER, INNER, -1, INNER));
    let (one, two) = (steps(1), steps(2));
    let mut up = _mm256_and_si256(other, _mm256_sllv_epi64(own, one));
    let mut down = _mm256_and_si256(other, _mm256_srlv_epi64(own, one));
    up = _mm256_or_si256(up, _mm256_and_si256(other, _mm256_sllv_epi64(up, one)));
    down = _mm256_or_si256(down, _mm256_and_si256(other, _mm256_srlv_epi64(down, one)));
    let up_pairs = _mm256_and_si256(other, _mm256_sllv_epi64(other, one));
    let down_pairs = _mm256_srlv_epi64(up_pairs, one);
    up = _mm256_or_si256(up, _mm256_and_si256(up_pairs, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(down_pairs, _mm256_srlv_epi64(down, two)));
    up = _mm256_or_si256(up, _mm256_and_si256(up_pairs, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(down_pairs, _mm256_srlv_epi64(down, two)));
    any(_mm256_or_si256(_mm256_sllv_epi64(up, one), _mm256_srlv_epi64(down, one))) & !taken
}

/// The rays of a square to higher and to lower indices.
#[target_feature(enable = "avx2")]
#[inline]
fn rays(square: usize) -> [__m256i; 2] {
    let [up, down] = RAYS[square].as_chunks::<4>().0 else { unreachable!("eight are two times four") };
    // SAFETY: each pointer is to four words, and the load has no alignment requirement.
    unsafe { [_mm256_loadu_si256(up.as_ptr().cast()), _mm256_loadu_si256(down.as_ptr().cast())] }
}

/// The shifts for this many steps in each of the four directions.
#[target_feature(enable = "avx2")]
#[inline]
fn steps(number: i64) -> __m256i {
    _mm256_setr_epi64x(number, 7 * number, 8 * number, 9 * number)
}

/// The union of the four words.
#[target_feature(enable = "avx2")]
#[inline]
fn any(four: __m256i) -> u64 {
    let two = _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
    _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
}

#[cfg(test)]
mod tests {
    use super::avx512::Avx512;
    use super::*;
    use crate::endgame::{CERTAIN, Endgame};
    use crate::eval::Evaluator;
    use crate::portable::Portable;
    use crate::position::Othello;
    use polyply_core::game::{Evaluation, Game, MoveList, Notation};
    use polyply_core::random::Random;
    use polyply_core::resources::Standalone;
    use std::io::Write;

    /// Under Miri a position takes milliseconds.
    const BOARDS: usize = if cfg!(miri) { 300 } else { 100_000 };
    const ENDGAMES: usize = if cfg!(miri) { 1 } else { 200 };

    /// Whether a test can run here. If not, says so on stderr, since the harness captures `println!`.
    fn can_run(available: bool, what: &str) -> bool {
        if !available {
            let _ = writeln!(std::io::stderr(), "skipped: this processor has no {what}");
        }
        available
    }

    fn check_flips_and_moves<C: Cpu>() {
        let mut random = Random::new(7);
        for _ in 0..BOARDS {
            let (own, taken, square) = (random.next(), random.next() | random.next(), random.below(64));
            let taken = taken & !(1 << square);
            let (own, other) = (own & taken, !own & taken);
            let flips = Portable::flips(own, other, square);
            assert_eq!(C::flips(own, other, square), flips, "{own:x} {other:x} {square}");
            assert_eq!(C::moves(own, other), Portable::moves(own, other), "{own:x} {other:x}");
        }
    }

    fn solve<C: Cpu>(game: &Othello) -> i32 {
        // Built-in weights would take Miri minutes to read.
        let (mut game, mut eval) = (game.clone(), Evaluator::new(None));
        eval.reset(&game);
        let mut standalone = Standalone::new(1 << 16);
        let mut resources = standalone.lend();
        Endgame::<C>::new(&mut eval, &mut resources, &game, CERTAIN).value(&mut game, -64, 64)
    }

    fn check_solver<C: Cpu>() {
        let mut random = Random::new(11);
        for number in 0..ENDGAMES {
            let empties = if cfg!(miri) { 5 } else { 6 + number as i32 % 9 };
            let mut game = Othello::start();
            while game.outcome().is_none() && game.empties() > empties {
                let mut moves = MoveList::new();
                game.moves(&mut moves);
                game.play(random.pick(&moves).expect("the game goes on"), &mut ());
            }
            assert_eq!(solve::<C>(&game), solve::<Portable>(&game), "{}", game.text());
        }
    }

    #[test]
    fn flips_and_moves_with_avx2_are_those_of_the_safe_twin() {
        if can_run(available(), "AVX2") {
            check_flips_and_moves::<Avx2>();
        }
    }

    #[test]
    fn flips_and_moves_with_avx512_are_those_of_the_safe_twin() {
        if can_run(avx512::available(), "AVX-512") {
            check_flips_and_moves::<Avx512>();
        }
    }

    #[test]
    fn the_solver_with_avx2_finds_what_it_finds_without() {
        if can_run(available(), "AVX2") {
            check_solver::<Avx2>();
        }
    }

    #[test]
    fn the_solver_with_avx512_finds_what_it_finds_without() {
        if can_run(avx512::available(), "AVX-512") {
            check_solver::<Avx512>();
        }
    }
}
