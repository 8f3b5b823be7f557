//! Accumulators equal what is computed anew, after any line of moves.

use polyply_core::random::Random;
use polyply_nn::{Accumulators, Activation, FloatNet, Inputs, Shape};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

type Sets = [BTreeSet<u32>; 2];

fn toggle(sets: &mut Sets, sums: Option<&mut Accumulators<3>>, changes: &[(usize, u32)]) {
    let mut sums = sums;
    for &(perspective, feature) in changes {
        let set = sets[perspective].insert(feature);
        if !set {
            sets[perspective].remove(&feature);
        }
        if let Some(sums) = sums.as_deref_mut() {
            sums.change(perspective, feature, set);
        }
    }
}

proptest! {
    #[test]
    fn sums_follow_any_line(seed in any::<u64>(), perspectives in 1..=2_usize, middle in prop_oneof![Just(0), Just(3)]) {
        let shape = Shape { features: 30, perspectives, hidden: 64, middle, buckets: 2, activation: Activation::Squared, pooled: false };
        let net = Arc::new(FloatNet::random(shape, 5.0, seed).quantised(300));
        let mut sums = Accumulators::<3>::new(&net, 6);
        let (mut random, mut sets, mut line) = (Random::new(seed), Sets::default(), Vec::new());
        for _ in 0..60 {
            match random.below(5) {
                // Up to eight plies, where the accumulators have room for six; and more changes than a frame has room for.
                0..=1 if line.len() < 8 => {
                    let changes: Vec<_> =
                        (0..random.below(9)).map(|_| (random.below(perspectives), random.below(30) as u32)).collect();
                    sums.push();
                    toggle(&mut sets, Some(&mut sums), &changes);
                    line.push(changes);
                }
                2 if !line.is_empty() => {
                    let mut changes = line.pop().unwrap();
                    changes.reverse();
                    toggle(&mut sets, None, &changes);
                    sums.pop();
                }
                3 => sums.forget(random.below(perspectives)),
                _ => {
                    let (own, bucket) = (random.below(perspectives), random.below(2));
                    let lists = [own, 1 - own].map(|at| sets[at].iter().copied().collect());
                    let inputs = Inputs { perspectives: lists, bucket: bucket as u8, ..Inputs::default() };
                    let expected = net.value(&inputs);
                    let found = sums.value(own, bucket, |at, add| sets[at].iter().for_each(|&feature| add(feature)));
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }
}
