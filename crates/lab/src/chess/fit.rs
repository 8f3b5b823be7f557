//! Learns the weights of chess: logistic regression on the results of games ([Texel's method]).
//!
//! The chance of White is taken for `1 / (1 + exp(-evaluation / unit))`, where the unit is the one under which the
//! weights to begin with tell the results best; so what is learned keeps their scale. A prior holds every weight near
//! where it began: one that was hardly ever seen stays there.
//!
//! [Texel's method]: https://www.chessprogramming.org/Texel%27s_Tuning_Method

use super::samples::Samples;
use crate::adam::Adam;
use crate::fit::{Epoch, Recipe, cross_entropy, mean, sigmoid};
use polyply_chess::Weights;
use polyply_core::random::Random;

/// Weights and how they were found.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The weights.
    pub weights: Weights,
    /// The loss on the games held out, of the weights to begin with and of those found.
    pub held_out: [f32; 2],
    /// The evaluation at which the chance to win is e times the chance to lose.
    pub unit: f32,
}

/// One game of so many is held out.
const HELD_OUT: usize = 20;
/// Positions of a step.
const BATCH: usize = 4096;
/// The step size at the beginning and at the end, in hundredths of a pawn.
const RATES: [f32; 2] = [1.5, 0.1];
/// The spread that the prior allows to a weight, in hundredths of a pawn.
const SPREAD: f32 = 40.0;
/// What one position counts against the prior: less than 1, for the positions of a game share its result.
const INDEPENDENT: f32 = 0.1;

/// Weights as numbers to be learned: those of the middle game, then those of the endgame.
type Numbers = Vec<f32>;

fn numbers_of(weights: &Weights) -> Numbers {
    let pairs = weights.numbers();
    (0..2).flat_map(|half| pairs.iter().map(move |pair| f32::from(pair[half]))).collect()
}

fn quantised(numbers: &[f32]) -> Weights {
    let number = |at: usize| numbers[at].round() as i16;
    Weights::of(&std::array::from_fn(|at| [number(at), number(Weights::COUNT + at)]))
}

/// The evaluation of a position for White.
#[inline]
fn evaluation(samples: &Samples, numbers: &[f32], index: usize) -> f32 {
    let (mut middle, mut end) = (0.0, 0.0);
    for &(at, count) in samples.terms(index) {
        middle += numbers[usize::from(at)] * f32::from(count);
        end += numbers[Weights::COUNT + usize::from(at)] * f32::from(count);
    }
    let [middle_share, end_share] = samples.shares[index];
    middle_share * middle + end_share * end
}

/// The unit in which these evaluations tell the results best, by ternary search.
fn fitted_unit(samples: &Samples, evaluations: &[f32], indices: &[usize]) -> f32 {
    let loss = |log_unit: f32| {
        mean(indices, |index| cross_entropy(evaluations[index] / log_unit.exp(), samples.results[index]))
    };
    let (mut low, mut high) = (50_f32.ln(), 2000_f32.ln());
    for _ in 0..20 {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) { high -= third } else { low += third }
    }
    ((low + high) / 2.0).exp()
}

/// Learns from samples, beginning with `start`; `each` hears of every epoch.
pub fn fit(samples: &Samples, start: &Weights, recipe: Recipe, each: &mut dyn FnMut(&Epoch)) -> Fit {
    let mut random = Random::of(recipe.seed, 0);
    let kept: Vec<bool> = (0..samples.game_count.max(1)).map(|_| !random.once_in(HELD_OUT)).collect();
    let is_kept = |&index: &usize| kept[samples.games[index] as usize];
    let (mut training, held_out): (Vec<usize>, Vec<usize>) = (0..samples.len()).partition(is_kept);

    let begun = numbers_of(start);
    let evaluations: Vec<f32> = (0..samples.len()).map(|index| evaluation(samples, &begun, index)).collect();
    let unit = fitted_unit(samples, &evaluations, &training);
    let search_unit = fitted_unit(samples, &samples.scores, &training);
    let think = |index: usize| sigmoid(samples.scores[index] / search_unit);
    let target = |index: usize| recipe.result * samples.results[index] + (1.0 - recipe.result) * think(index);
    let targets: Vec<f32> = (0..samples.len()).map(target).collect();
    let loss_of = |numbers: &[f32]| {
        mean(&held_out, |index| cross_entropy(evaluation(samples, numbers, index) / unit, targets[index]))
    };

    let mut numbers = begun.clone();
    let mut adam = Adam::new(numbers.len());
    let scale = vec![1.0; numbers.len()];
    let precision = 1.0 / (INDEPENDENT * training.len().max(1) as f32 * SPREAD * SPREAD);
    let before = loss_of(&numbers);
    let mut best = (before, numbers.clone());
    for number in 1..=recipe.epochs {
        let done = (number - 1) as f32 / recipe.epochs.max(2).saturating_sub(1) as f32;
        let rate = RATES[0] * (RATES[1] / RATES[0]).powf(done);
        random.shuffle(&mut training);
        let mut loss = 0.0;
        for batch in training.chunks(BATCH) {
            let mut gradient: Vec<f32> =
                numbers.iter().zip(&begun).map(|(now, then)| (now - then) * precision).collect();
            for &index in batch {
                let logit = evaluation(samples, &numbers, index) / unit;
                loss += cross_entropy(logit, targets[index]);
                let error = (sigmoid(logit) - targets[index]) / (unit * batch.len() as f32);
                let [middle, end] = samples.shares[index].map(|share| share * error);
                for &(at, count) in samples.terms(index) {
                    gradient[usize::from(at)] += middle * f32::from(count);
                    gradient[Weights::COUNT + usize::from(at)] += end * f32::from(count);
                }
            }
            adam.step(&mut numbers, &gradient, &scale, rate);
        }
        let held = loss_of(&numbers);
        each(&Epoch { number, training: loss / training.len().max(1) as f32, held_out: held, rate });
        if held < best.0 {
            best = (held, numbers.clone());
        }
    }
    Fit { weights: quantised(&best.1), held_out: [before, best.0], unit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_chess::Chess;
    use polyply_core::game::{Game, MoveList, Notation};

    #[test]
    fn known_weights_are_recovered() {
        // Positions of random games, won by the odds that weights give them in which rooks and queens changed places.
        let guessed = Weights::handmade();
        let mut truth = guessed.numbers();
        truth.swap(3, 4);
        let truth = Weights::of(&truth);
        let mut random = Random::of(5, 0);
        let mut samples = Samples::default();
        let mut game = Chess::start();
        while samples.len() < 6000 {
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            if moves.is_empty() {
                game = Chess::start();
                samples.game_count += 1;
                continue;
            }
            game.play(moves[random.scaled(moves.len())], &mut ());
            samples.add(&game, &guessed, 0.5, 0.0);
            let index = samples.len() - 1;
            let odds = sigmoid(evaluation(&samples, &numbers_of(&truth), index) / 250.0);
            samples.results[index] = f32::from(u8::from((random.scaled(1 << 20) as f32) < odds * (1 << 20) as f32));
        }
        samples.game_count += 1;
        let recipe = Recipe { result: 1.0, epochs: 60, seed: 1 };
        let found = fit(&samples, &guessed, recipe, &mut |_| ());
        assert!(found.held_out[1] < found.held_out[0], "{:?}", found.held_out);
        let [rook, queen] = [3, 4].map(|at| found.weights.numbers()[at][0] - guessed.numbers()[at][0]);
        assert!(rook > 20 && queen < -20, "{rook} {queen}");
    }
}
