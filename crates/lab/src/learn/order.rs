//! Learns an order of moves: which of the moves that the search considers is played.
//!
//! Moves are ordered by the sums of the weights of their features. The weights maximise the likelihood of the moves
//! that were played, under the softmax over all moves of a position.

use super::choices::Choices;
use super::fitting::{Fitting, split};
use super::logistic::Steps;
use super::{Epoch, Fit, Progress, Training};
use polyply_core::random::Random;
use std::sync::atomic::Ordering::Relaxed;

/// Learns an order of moves.
pub fn fit(choices: &Choices, training: Training<'_>) -> Fit {
    let Training { lesson, options, stop, mut progress } = training;
    let recipe = &lesson.recipe;
    let mut random = Random::of(options.seed, 0);
    let (mut training, held_out) = split(&choices.games, choices.game_count, recipe.held_out, &mut random);
    let mut fitting = Fitting::new(&lesson.model, 1.0 / (recipe.independent * training.len().max(1) as f32));
    let mut steps = Steps::new(recipe.schedule, u32::MAX);
    let mut epochs = Vec::new();
    let (before, _) = judge(choices, &held_out, &fitting.numbers());
    while let Some((number, rate)) = steps.next().filter(|_| !stop.load(Relaxed)) {
        random.shuffle(&mut training);
        let mut loss = 0.0;
        for batch in training.chunks(recipe.batch) {
            loss += step(choices, &mut fitting, batch, rate);
        }
        let (held, _) = judge(choices, &held_out, &fitting.numbers());
        let epoch = Epoch { number, rate, training: loss / training.len().max(1) as f32, held_out: held };
        progress(Progress::Epoch(&epoch));
        epochs.push(epoch);
    }
    let numbers = fitting.numbers();
    let (after, among) = judge(choices, &held_out, &numbers);
    let [one, three, eight] = among.map(|share| 100.0 * share);
    let remark = format!(
        "on held-out games the move played comes first in {one:.1} %, among three in {three:.1} %, \
         among eight in {eight:.1} %"
    );
    Fit { numbers, held_out: [before, after], unit: 1.0, epochs, phases: Vec::new(), remarks: vec![remark] }
}

/// One step. Returns the sum of the losses before it.
fn step(choices: &Choices, fitting: &mut Fitting, batch: &[usize], rate: f32) -> f32 {
    let numbers = fitting.numbers();
    let mut gradient = fitting.gradient();
    let mut loss = 0.0;
    for &index in batch {
        let odds = softmax(choices, index, &numbers);
        loss -= odds[choices.chosen[index]].max(1e-9).ln();
        for (place, (slots, odds)) in choices.moves(index).zip(odds).enumerate() {
            let hit = if place == choices.chosen[index] { 1.0 } else { 0.0 };
            slots.iter().for_each(|&slot| gradient[slot as usize] += (odds - hit) / batch.len() as f32);
        }
    }
    fitting.descend(gradient, rate);
    loss
}

/// The mean loss, and how often the move played is first, among the first three and among the first eight.
fn judge(choices: &Choices, held_out: &[usize], numbers: &[f32]) -> (f32, [f32; 3]) {
    let (mut loss, mut among) = (0.0, [0.0; 3]);
    let share = 1.0 / held_out.len().max(1) as f32;
    for &index in held_out {
        let odds = softmax(choices, index, numbers);
        let chosen = odds[choices.chosen[index]];
        loss -= share * chosen.max(1e-9).ln();
        let before = odds.iter().filter(|&&other| other > chosen).count();
        for (among, first) in among.iter_mut().zip([1, 3, 8]) {
            *among += if before < first { share } else { 0.0 };
        }
    }
    (loss, among)
}

/// The probability of each move.
fn softmax(choices: &Choices, index: usize, numbers: &[f32]) -> Vec<f32> {
    let mut odds: Vec<f32> =
        choices.moves(index).map(|slots| slots.iter().map(|&slot| numbers[slot as usize]).sum()).collect();
    let top = odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    odds.iter_mut().for_each(|odds| *odds = (*odds - top).exp());
    let sum: f32 = odds.iter().sum();
    odds.iter_mut().for_each(|odds| *odds /= sum);
    odds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::FitOptions;
    use polyply_engine::Variant;
    use polyply_engine::learning::{Kind, Model, Parts};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn what_is_always_chosen_comes_first() {
        // Each position has three moves with two features; the one whose first is the largest is chosen, and one value
        // of the second helps it.
        let mut random = Random::of(3, 0);
        let mut choices = Choices::default();
        for _ in 0..3000 {
            let moves: Vec<Vec<u32>> =
                (0..3).map(|_| vec![random.scaled(40) as u32, 40 + random.scaled(8) as u32]).collect();
            let worth = |place: usize| moves[place][0] + if moves[place][1] == 42 { 10 } else { 0 };
            let best = (0..3).max_by_key(|&place| worth(place)).expect("there are three");
            choices.add(&moves, best);
            choices.game_count += 1;
        }
        let mut lesson = Variant::find("freestyle").unwrap().learning_task(Kind::Order, true).unwrap();
        lesson.model = Model::single(vec![0.0; 48], Parts::Own { spread: 10.0 });
        let (options, stop) = (FitOptions { result: 1.0, epochs: 1, seed: 1 }, &AtomicBool::new(false));
        let found = fit(&choices, Training { lesson: &lesson, options, stop, progress: Box::new(|_| ()) });
        let all: Vec<usize> = (0..choices.len()).collect();
        let (_, [first, ..]) = judge(&choices, &all, &found.numbers);
        assert!(first > 0.8 && found.held_out[1] < found.held_out[0], "{first} {:?}", found.held_out);
        assert!(found.numbers[39] > found.numbers[20] && found.numbers[20] > found.numbers[0]);
        assert_eq!((40..48).max_by(|&one, &other| found.numbers[one].total_cmp(&found.numbers[other])), Some(42));
    }
}
