//! The [kernels](crate::kernels) and the loops of training, compiled for processors with wide registers. `--cfg
//! polyply_portable` leaves out all versions but the plain ones, their safe twins.

use crate::kernels::{self, Block, Row, Rows};
use crate::pooled::{Changed, Pool};
use crate::train::adam;
use crate::train::lesson::{self, Lesson, Slice};

/// Which instructions to use. There is no value for instructions that this processor lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cpu(Level);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Plain,
    #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
    Avx2,
    #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
    Avx512,
}

impl Cpu {
    /// What every processor can do.
    #[cfg(test)]
    pub const PLAIN: Cpu = Cpu(Level::Plain);

    /// All that this processor can do, the fastest last.
    pub fn all() -> Vec<Cpu> {
        let mut levels = vec![Level::Plain];
        #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2");
            if avx2 {
                levels.push(Level::Avx2);
            }
            if avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
            {
                levels.push(Level::Avx512);
            }
        }
        levels.into_iter().map(Cpu).collect()
    }

    /// The fastest.
    pub fn best() -> Cpu {
        Cpu::all().pop().unwrap_or(Cpu(Level::Plain))
    }
}

/// Declares a function that calls the version of another one that is compiled for a processor.
macro_rules! compiled {
    ($(#[$about:meta])* fn $name:ident $([const $flag:ident])? $({$kind:ident: $bound:path})? ($($argument:ident: $type:ty),* $(,)?)
     $(-> $result:ty)? = $plain:path) => {
        $(#[$about])*
        #[inline(always)]
        pub fn $name$(<const $flag: bool>)?$(<$kind: $bound>)?(cpu: Cpu, $($argument: $type),*) $(-> $result)? {
            use $plain as plain;

            #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi2")]
            fn with_avx512$(<const $flag: bool>)?$(<$kind: $bound>)?($($argument: $type),*) $(-> $result)? {
                plain$(::<$flag>)?$(::<$kind>)?($($argument),*)
            }

            #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
            #[target_feature(enable = "avx2,bmi2")]
            fn with_avx2$(<const $flag: bool>)?$(<$kind: $bound>)?($($argument: $type),*) $(-> $result)? {
                plain$(::<$flag>)?$(::<$kind>)?($($argument),*)
            }

            match cpu.0 {
                Level::Plain => plain$(::<$flag>)?$(::<$kind>)?($($argument),*),
                // SAFETY: a `Cpu` exists only for instructions that this processor has.
                #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
                Level::Avx2 => unsafe { with_avx2$(::<$flag>)?$(::<$kind>)?($($argument),*) },
                // SAFETY: as above.
                #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
                Level::Avx512 => unsafe { with_avx512$(::<$flag>)?$(::<$kind>)?($($argument),*) },
            }
        }
    };
}

compiled! {
    /// [`kernels::update`]
    fn update(to: &mut [Block], from: &[Block], table: &[Block], rows: Rows<'_>) = kernels::update
}
compiled! {
    /// [`kernels::activated_sum`]
    fn activated_sum[const SQUARED](values: &[Block], weights: &[Block]) -> i64 = kernels::activated_sum
}
compiled! {
    /// [`kernels::activate`]
    fn activate[const SQUARED](values: &[Block], to: &mut [Block]) = kernels::activate
}
compiled! {
    /// [`kernels::pool`]
    fn pool[const SQUARED](pool: &mut Pool, sums: &mut [Block], rows: &[Row], changed: &[Changed]) = kernels::pool
}
compiled! {
    /// [`kernels::dot`]
    fn dot(values: &[Block], weights: &[Block]) -> i32 = kernels::dot
}
compiled! {
    /// [`lesson::slice`]
    fn slice{L: Lesson}(lesson: &L, parameters: &[f32], indices: &[u32], out: &mut Slice<L>) = lesson::slice
}
compiled! {
    /// [`lesson::loss`]
    fn loss{L: Lesson}(lesson: &L, parameters: &[f32], indices: &[u32], scratch: &mut L::Scratch) -> f64 = lesson::loss
}
compiled! {
    /// [`adam::step`]
    fn adam_step(part: adam::Part<'_>, step: &adam::Step) = adam::step
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::random::Random;

    fn blocks(random: &mut Random, count: usize, limit: i32) -> Vec<Block> {
        let number = |random: &mut Random| (random.below(2 * limit as usize + 1) as i32 - limit) as i16;
        (0..count).map(|_| Block([(); 32].map(|()| number(random)))).collect()
    }

    #[test]
    fn every_version_gives_the_numbers_of_its_safe_twin() {
        let mut random = Random::new(5);
        for round in 0..if cfg!(miri) { 5 } else { 500 } {
            let width = 1 + round % 32;
            let table = blocks(&mut random, 20 * width, 32_767);
            let (from, weights) = (blocks(&mut random, width, 700), blocks(&mut random, width, 127));
            let rows: Vec<u32> = (0..random.below(9)).map(|_| random.below(20) as u32).collect();
            let (added, removed) = rows.split_at(random.below(rows.len() + 1));
            let results = Cpu::all().into_iter().map(|cpu| {
                let mut sums = vec![Block::ZERO; width];
                update(cpu, &mut sums, &from, &table, [added, removed]);
                let mut activated = [vec![Block::ZERO; width], vec![Block::ZERO; width]];
                activate::<false>(cpu, &from, &mut activated[0]);
                activate::<true>(cpu, &from, &mut activated[1]);
                let product = dot(cpu, &activated[1], &weights);
                let outputs =
                    [activated_sum::<false>(cpu, &from, &weights), activated_sum::<true>(cpu, &from, &weights)];
                (sums, activated, product, outputs)
            });
            let results: Vec<_> = results.collect();
            assert!(results.iter().all(|result| *result == results[0]), "width {width}");
        }
    }

    #[test]
    fn every_version_changes_a_pool_like_its_safe_twin() {
        let mut random = Random::new(6);
        let rows: Vec<Row> = (0..20).map(|_| [(); 16].map(|()| (random.below(801) as i32 - 400) as i16)).collect();
        for _ in 0..if cfg!(miri) { 5 } else { 200 } {
            let sums = blocks(&mut random, 9, 300);
            let mut two = || [(); 2].map(|()| random.below(20) as u32);
            // More changes than fit one sum of sixteen bits.
            let changed: Vec<Changed> =
                (0..300).map(|at| Changed { site: at % 9, added: two(), removed: two() }).collect();
            let results = Cpu::all().into_iter().map(|cpu| {
                [pool::<false>, pool::<true>].map(|change| {
                    let (mut sums, mut found) = (sums.clone(), [0; 32]);
                    change(cpu, &mut found, &mut sums, &rows, &changed);
                    (sums, found)
                })
            });
            let results: Vec<_> = results.collect();
            assert!(results.iter().all(|result| *result == results[0]));
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let (values, weights) = (vec![Block([255; 32]); 64], vec![Block([-127; 32]); 64]);
        for cpu in Cpu::all() {
            assert_eq!(activated_sum::<true>(cpu, &values, &weights), -127 * 255 * 255 * 2048);
            assert_eq!(dot(cpu, &values, &weights), -127 * 255 * 2048);
        }
    }
}
