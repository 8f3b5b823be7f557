//! Least squares, separately for each phase: its positions and some of neighbouring phases are visited in random order,
//! and the weights are corrected by a small part of each error (Widrow and Hoff's rule).

use super::logistic::Steps;
use super::samples::Samples;
use super::{Fit, Phase, Progress, Training};
use polyply_core::random::Random;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Learns all phases.
pub fn fit(samples: &Samples, training: Training<'_>) -> Fit {
    let Training { lesson, options, stop, mut progress } = training;
    let slots = lesson.model.slots;
    let held_out = |index: &usize| samples.games[*index].is_multiple_of(lesson.recipe.held_out as u32);
    let mut phases = Vec::new();
    let (mut before, mut after, mut count) = (0.0, 0.0, 0);
    let mut numbers = lesson.model.start.clone();
    for (number, name) in lesson.model.phases.iter().enumerate().take_while(|_| !stop.load(Relaxed)) {
        let near = (0..samples.len()).filter(|&index| samples.is_near(index, number));
        let (mut tested, learned): (Vec<usize>, Vec<usize>) = near.partition(held_out);
        tested.retain(|&index| samples.main_phase(index) == number);
        let numbers = &mut numbers[number * slots..(number + 1) * slots];
        let untaught = mean_error(samples, numbers, &tested);
        let steps = Steps::new(lesson.recipe.schedule, options.epochs);
        learn(samples, steps, &learned, numbers, &mut Random::of(options.seed, number as u64), stop);
        let phase = Phase {
            name: name.clone(),
            positions: learned.len(),
            training: mean_error(samples, numbers, &learned),
            held_out: mean_error(samples, numbers, &tested),
        };
        progress(Progress::Phase(&phase));
        before += untaught * tested.len() as f32;
        after += phase.held_out * tested.len() as f32;
        count += tested.len();
        phases.push(phase);
    }
    let share = 1.0 / count.max(1) as f32;
    Fit {
        numbers,
        held_out: [before * share, after / count.max(1) as f32],
        unit: 1.0,
        epochs: Vec::new(),
        phases,
        remarks: Vec::new(),
    }
}

fn learn(
    samples: &Samples,
    mut steps: Steps,
    learned: &[usize],
    numbers: &mut [f32],
    random: &mut Random,
    stop: &AtomicBool,
) {
    let mut order: Vec<usize> = (0..learned.len()).collect();
    while let Some((_, rate)) = steps.next().filter(|_| !stop.load(Relaxed)) {
        random.shuffle(&mut order);
        for &at in &order {
            let index = learned[at];
            let step = rate * (samples.results[index] - value(samples, numbers, index));
            for &(slot, count) in samples.terms(index) {
                numbers[slot as usize] += step * f32::from(count);
            }
        }
    }
}

/// The value of a position by the weights of one phase, whatever its own phase.
fn value(samples: &Samples, numbers: &[f32], index: usize) -> f32 {
    samples.terms(index).iter().map(|&(slot, count)| numbers[slot as usize] * f32::from(count)).sum()
}

fn mean_error(samples: &Samples, numbers: &[f32], indices: &[usize]) -> f32 {
    super::fitting::mean(indices, |index| (samples.results[index] - value(samples, numbers, index)).abs())
}
