//! Random numbers that are the same in every build and on every machine: the same seed gives the same numbers.
//!
//! Keys of positions, openings, self-play, learning and tests all use this generator, [SplitMix64]. It has 64 bits of
//! state and is good enough for all of these, but not for secrets.
//!
//! ```
//! use polyply_core::random::Random;
//!
//! let mut dice = Random::new(7);
//! let throws: Vec<usize> = (0..6).map(|_| 1 + dice.below(6)).collect();
//! assert_eq!(throws, [4, 1, 1, 4, 5, 4]);
//! ```
//!
//! [SplitMix64]: https://prng.di.unimi.it/splitmix64.c

use std::hash::{BuildHasher, RandomState};

/// What the state grows by with every number: 2⁶⁴ divided by the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
/// Spreads the numbers of games and other things over all seeds.
const SPREAD: u64 = 0xd134_2543_de82_ef95;

/// A seeded source of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator with a seed that differs from run to run.
    pub fn fresh() -> Random {
        Random(RandomState::new().hash_one(0))
    }

    /// A generator for one of many things that share a seed, such as the games of a match. The things can then be done
    /// in any order.
    pub const fn of(seed: u64, number: u64) -> Random {
        Random(Random::nth(seed, 1) ^ number.wrapping_mul(SPREAD))
    }

    /// The number at this place in the sequence of a seed, counting from 1.
    #[inline]
    pub const fn nth(seed: u64, place: u64) -> u64 {
        mixed(seed.wrapping_add(place.wrapping_mul(STEP)))
    }

    /// The next number.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(self.0)
    }

    /// A number below `limit`, which is not 0: the remainder of the next number.
    pub const fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A number below `limit`, which is not 0: the next number, scaled down. Openings, self-play and learning use it;
    /// with [`Random::below`] their seeds would give other results.
    pub const fn scaled(&mut self, limit: usize) -> usize {
        ((self.next() as u128 * limit as u128) >> 64) as usize
    }

    /// A number from 0 to 1, 1 excluded.
    pub const fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with a chance of one in `times`, by [`Random::scaled`].
    pub const fn once_in(&mut self, times: usize) -> bool {
        self.scaled(times) == 0
    }

    /// One of the items; `None` if there are none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    /// Puts the items in a random order, by [`Random::scaled`].
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.scaled(end + 1));
        }
    }
}

/// The output function of SplitMix64.
#[inline]
const fn mixed(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the C program of the authors prints them.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        let numbers = [(); 5].map(|()| random.next());
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    #[test]
    fn a_place_of_the_sequence_has_the_number_that_is_drawn_there() {
        let mut random = Random::new(3);
        for place in 1..=100 {
            assert_eq!(Random::nth(3, place), random.next());
        }
    }

    /// Games of self-play and openings are known by their seed and number alone.
    #[test]
    fn numbers_of_things_stay_what_they_are() {
        let mut random = Random::of(1, 2);
        assert_eq!(
            [(); 3].map(|()| random.next()),
            [17_726_990_778_372_864_297, 15_287_607_234_741_920_061, 16_287_601_470_165_433_696]
        );
        assert_eq!([10, 100, 1000].map(|limit| random.scaled(limit)), [4, 21, 963]);
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        random.shuffle(&mut items);
        assert_eq!(items, [1, 2, 0, 4, 5, 6, 3, 7]);
    }

    #[test]
    fn all_numbers_below_a_limit_come_equally_often() {
        for draw in [Random::below, Random::scaled] {
            let mut random = Random::new(5);
            let mut counts = [0_u32; 6];
            (0..60_000).for_each(|_| counts[draw(&mut random, 6)] += 1);
            assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
        }
    }

    #[test]
    fn uniform_numbers_fill_the_interval() {
        let mut random = Random::new(6);
        let drawn: Vec<f64> = (0..10_000).map(|_| random.uniform()).collect();
        assert!(drawn.iter().all(|number| (0.0..1.0).contains(number)));
        assert!((drawn.iter().sum::<f64>() / 10_000.0 - 0.5).abs() < 0.02);
    }

    #[test]
    fn a_shuffle_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Random::new(9).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..50));
    }

    #[test]
    fn fresh_numbers_are_others_every_time() {
        assert_ne!(Random::fresh().next(), Random::fresh().next());
    }

    #[test]
    fn nothing_is_picked_where_nothing_is() {
        assert_eq!(Random::new(1).pick::<u8>(&[]), None);
        assert_eq!(Random::new(1).pick(&[8]), Some(8));
    }
}
