//! Learns the weights of the patterns: the sum of those that a position shows shall be its value.
//!
//! A stage is learned for itself, from its own positions and a few of the plies around it, by going over them in random
//! order and taking a small part of every error off the weights at hand (Widrow and Hoff's rule).

use super::samples::{Sample, Samples};
use crate::fit::Recipe;
use polyply_core::game::Side;
use polyply_core::random::Random;
use polyply_othello::pattern::{Indices, PLACE_OFFSETS, PLACES, mirrors};
use polyply_othello::weights::{FINE, LEN, STAGES, Weights, others, stage};

/// The share of an error that each weight takes, at first and at last.
const RATES: [f32; 2] = [0.012, 0.0006];
/// Plies before and after a stage that it is learned from as well.
const AROUND: u32 = 2;
/// One game in so many is held out.
const HELD_OUT: u32 = 20;
/// Weights that a position shows.
const SHOWN: usize = PLACES + 3;

/// How learning a stage went.
#[derive(Clone, Copy, Debug)]
pub struct StageReport {
    /// Which one, from 0.
    pub number: usize,
    /// How many positions it was learned from.
    pub positions: usize,
    /// The mean error in discs on those.
    pub training: f32,
    /// And on the stage's positions of games that were held out.
    pub held_out: f32,
}

/// What was learned.
pub struct Fitted {
    stages: Vec<Vec<i16>>,
    /// The mean error in discs on games that were held out.
    pub held_out: f32,
}

impl Fitted {
    /// The weights.
    pub fn weights(&self) -> Weights {
        Weights::new(&self.stages)
    }

    /// The file of the weights.
    pub fn text(&self, about: &[String]) -> String {
        Weights::text(&self.stages, about)
    }
}

/// Learns all stages; `told` hears of each.
pub fn fit(samples: &Samples, recipe: Recipe, told: &mut dyn FnMut(&StageReport)) -> Fitted {
    let mirrors = mirrors();
    let (mut sum, mut count) = (0.0, 0);
    let stages = (0..STAGES).map(|number| {
        let near = |sample: &&Sample| {
            let empties = sample.board.empties();
            stage(empties + AROUND) == number
                || stage(empties) == number
                || stage(empties.saturating_sub(AROUND)) == number
        };
        let held_out = |sample: &&Sample| sample.game.is_multiple_of(HELD_OUT);
        let (tested, learned): (Vec<&Sample>, Vec<&Sample>) = samples.positions.iter().filter(near).partition(held_out);
        let tested: Vec<&Sample> =
            tested.into_iter().filter(|sample| stage(sample.board.empties()) == number).collect();
        let learned: Vec<Shown> = learned.into_iter().map(|sample| Shown::of(sample, &mirrors)).collect();
        let tested: Vec<Shown> = tested.into_iter().map(|sample| Shown::of(sample, &mirrors)).collect();
        let weights = learn(&learned, recipe, &mut Random::of(recipe.seed, number as u64));
        let report = StageReport {
            number,
            positions: learned.len(),
            training: mean_error(&weights, &learned),
            held_out: mean_error(&weights, &tested),
        };
        told(&report);
        sum += report.held_out * tested.len() as f32;
        count += tested.len();
        let mut whole: Vec<i16> = weights.iter().map(|weight| (weight * 100.0 * FINE as f32).round() as i16).collect();
        for (index, &mirror) in mirrors.iter().enumerate() {
            whole[index] = whole[index.min(mirror as usize)];
        }
        whole
    });
    let stages = stages.collect();
    Fitted { stages, held_out: sum / count.max(1) as f32 }
}

/// The weights that a position shows, and its value.
struct Shown {
    weights: [u32; SHOWN],
    value: f32,
}

impl Shown {
    fn of(sample: &Sample, mirrors: &[u32]) -> Shown {
        let board = sample.board;
        let indices = Indices::of(board, Side::First);
        let mut weights = [0; SHOWN];
        for (place, (index, offset)) in indices.places().iter().zip(&PLACE_OFFSETS).enumerate() {
            let weight = offset + u32::from(*index);
            weights[place] = weight.min(mirrors[weight as usize]);
        }
        let (moves, replies) = (board.moves().count_ones(), board.passed().moves().count_ones());
        for (place, other) in weights[PLACES..].iter_mut().zip(others(board.empties(), moves, replies)) {
            *place = other as u32;
        }
        Shown { weights, value: sample.value }
    }

    fn judged(&self, weights: &[f32]) -> f32 {
        self.weights.iter().map(|&weight| weights[weight as usize]).sum()
    }
}

fn learn(samples: &[Shown], recipe: Recipe, random: &mut Random) -> Vec<f32> {
    let mut weights = vec![0.0; LEN];
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let [first, last] = RATES;
    for epoch in 0..recipe.epochs {
        for end in (1..order.len()).rev() {
            order.swap(end, random.scaled(end + 1));
        }
        let part = epoch as f32 / (recipe.epochs - 1).max(1) as f32;
        let rate = first * (last / first).powf(part);
        for &at in &order {
            let sample = &samples[at];
            let step = rate * (sample.value - sample.judged(&weights));
            for &weight in &sample.weights {
                weights[weight as usize] += step;
            }
        }
    }
    // A weight is sixteen bits wide in the end.
    let most = f32::from(i16::MAX) / (100.0 * FINE as f32);
    weights.iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
    weights
}

fn mean_error(weights: &[f32], samples: &[Shown]) -> f32 {
    let sum: f64 = samples.iter().map(|sample| f64::from((sample.value - sample.judged(weights)).abs())).sum();
    (sum / samples.len().max(1) as f64) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_othello::handmade;

    /// Positions of random games, judged by the hand-made evaluation.
    fn samples() -> Samples {
        use polyply_core::game::{Game, MoveList, Notation};
        let mut random = Random::of(1, 1);
        let mut samples = Samples { game_count: 400, ..Samples::default() };
        for number in 0..samples.game_count {
            let mut game = polyply_othello::Othello::start();
            while game.outcome().is_none() {
                if game.legal() != 0 {
                    let value = handmade::value(game.discs()) as f32 / 100.0;
                    samples.positions.push(Sample { board: game.discs(), value, game: number });
                }
                let mut moves = MoveList::new();
                game.moves(&mut moves);
                let mv = moves[random.scaled(moves.len())];
                game.play(mv, &mut ());
            }
        }
        samples
    }

    #[test]
    fn an_evaluation_can_be_learned_and_holds_on_games_that_were_held_out() {
        let samples = samples();
        let recipe = Recipe { result: 1.0, epochs: 8, seed: 1 };
        let fitted = fit(&samples, recipe, &mut |_| ());
        let spread: f32 = samples.positions.iter().map(|sample| sample.value.abs()).sum::<f32>();
        let spread = spread / samples.positions.len() as f32;
        assert!(fitted.held_out < 0.6 * spread, "{} of {spread}", fitted.held_out);
        assert_eq!(fit(&samples, recipe, &mut |_| ()).weights().hash, fitted.weights().hash, "the same seed");
        let text = fitted.text(&["test".to_owned()]);
        assert_eq!(Weights::parse(&text).unwrap().hash, fitted.weights().hash);
    }
}
