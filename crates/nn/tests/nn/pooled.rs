//! The sums of a pooled net equal what is computed anew, after any changes.

use polyply_core::random::Random;
use polyply_nn::{Activation, Changed, FloatNet, Inputs, POOLED, PooledSums, Shape};
use proptest::prelude::*;
use std::sync::Arc;

const SITES: usize = 20;
const FEATURES: usize = 30;

/// The features of each site; the second player sees them from the other end.
type Board = Vec<Vec<u32>>;

fn seen([own, other]: [usize; 2], feature: u32) -> [u32; 2] {
    let views = [feature, FEATURES as u32 - 1 - feature];
    [views[own], views[other]]
}

fn inputs(board: &Board, own: usize) -> Inputs {
    let mut inputs = Inputs::default();
    for site in board.iter().filter(|site| !site.is_empty()) {
        inputs.sites.push(site.len() as u8);
        for &feature in site {
            let views = seen([own, 1 - own], feature);
            inputs.perspectives.iter_mut().zip(views).for_each(|(list, feature)| list.push(feature));
        }
    }
    inputs
}

proptest! {
    #[test]
    fn sums_are_those_of_the_features(seed: u64, steps in 1_usize..60, squared: bool) {
        let shape = Shape {
            features: FEATURES,
            perspectives: 2,
            hidden: POOLED,
            middle: 8,
            buckets: 1,
            activation: if squared { Activation::Squared } else { Activation::Clipped },
            pooled: true,
        };
        let net = Arc::new(FloatNet::random(shape, 3.0, seed).quantised(300));
        let mut random = Random::new(seed);
        let mut board: Board = vec![Vec::new(); SITES];
        let mut line = Vec::new();
        let mut sums = PooledSums::new(&net, SITES);
        for _ in 0..steps {
            if random.below(3) > 0 {
                let before = board.clone();
                let changed: Vec<Changed> = (0..1 + random.below(5)).map(|_| {
                    let site = random.below(SITES);
                    let none = [FEATURES as u32; 2];
                    let removed = board[site].pop().map_or(none, |feature| seen([0, 1], feature));
                    let feature = random.below(FEATURES) as u32;
                    board[site].push(feature);
                    Changed { site: site as u16, added: seen([0, 1], feature), removed }
                }).collect();
                if random.below(5) == 0 {
                    sums.keep();
                    line.clear();
                    sums.change(&changed);
                } else {
                    line.push(before);
                    sums.push(&changed);
                }
            } else if let Some(before) = line.pop() {
                board = before;
                sums.undo();
            }
            for own in 0..2 {
                prop_assert_eq!(sums.value(own, 0), net.value(&inputs(&board, own)));
            }
        }
    }
}
