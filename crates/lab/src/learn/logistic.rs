//! Logistic regression on the results of games ([Texel's method]).
//!
//! The probability of a win is modelled as `1 / (1 + exp(-value / unit))`; the weights maximise the likelihood of the
//! results.
//!
//! [Texel's method]: https://www.chessprogramming.org/Texel%27s_Tuning_Method

use super::fitting::{Fitting, mean, split};
use super::samples::Samples;
use super::{Epoch, Fit, Phase, Progress, Training};
use polyply_core::random::Random;
use polyply_engine::learning::{Loss, Schedule};
use std::sync::atomic::Ordering::Relaxed;

pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// `-target·ln(p) - (1 - target)·ln(1 - p)` of a logit, without overflow.
pub(crate) fn cross_entropy(logit: f32, target: f32) -> f32 {
    logit.max(0.0) - logit * target + (-logit.abs()).exp().ln_1p()
}

/// The unit in which values predict the results best, by ternary search.
fn fitted_unit(samples: &Samples, values: &[f32], indices: &[usize], [low, high]: [f32; 2], rounds: u32) -> f32 {
    let loss =
        |log_unit: f32| mean(indices, |index| cross_entropy(values[index] / log_unit.exp(), samples.results[index]));
    let (mut low, mut high) = (low.ln(), high.ln());
    for _ in 0..rounds {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) { high -= third } else { low += third }
    }
    ((low + high) / 2.0).exp()
}

/// Learns from samples.
pub fn fit(samples: &Samples, training: Training<'_>) -> Fit {
    let Training { lesson, options, stop, mut progress } = training;
    let (recipe, model) = (&lesson.recipe, &lesson.model);
    let slots = model.slots;
    let Loss::Logistic { unit, units, rounds } = recipe.loss else { panic!("a loss of another kind") };
    let mut random = Random::of(options.seed, 0);
    let (mut training, held_out) = split(&samples.games, samples.game_count, recipe.held_out, &mut random);
    let given = unit;
    let unit = given.unwrap_or_else(|| {
        let values: Vec<f32> = (0..samples.len()).map(|index| samples.value(&model.start, slots, index)).collect();
        fitted_unit(samples, &values, &training, units, rounds)
    });
    let search_unit = fitted_unit(samples, &samples.scores, &training, units, rounds);
    let searched = |index: usize| sigmoid(samples.scores[index] / search_unit);
    let target = |index: usize| options.result * samples.results[index] + (1.0 - options.result) * searched(index);
    let targets: Vec<f32> = (0..samples.len()).map(target).collect();
    let loss_at =
        |numbers: &[f32], index: usize| cross_entropy(samples.value(numbers, slots, index) / unit, targets[index]);

    let mut fitting = Fitting::new(model, 1.0 / (recipe.independent * training.len().max(1) as f32));
    if !recipe.even {
        fitting.set_scales(samples, slots);
    }
    let before = mean(&held_out, |index| loss_at(&model.start, index));
    // The first large steps may make the weights worse, so patience is counted from the first epoch.
    let is_patient = matches!(recipe.schedule, Schedule::Patient { .. });
    let mut best = (if is_patient { f32::INFINITY } else { before }, fitting.parts().to_vec());
    let mut steps = Steps::new(recipe.schedule, options.epochs);
    let mut epochs = Vec::new();
    while let Some((number, rate)) = steps.next() {
        random.shuffle(&mut training);
        let mut loss = 0.0;
        for batch in training.chunks(recipe.batch).take_while(|_| !stop.load(Relaxed)) {
            loss += step(samples, &mut fitting, (slots, unit), &targets, batch, rate);
        }
        if stop.load(Relaxed) {
            break;
        }
        let numbers = fitting.numbers();
        let held = mean(&held_out, |index| loss_at(&numbers, index));
        let epoch = Epoch { number, rate, training: loss / training.len().max(1) as f32, held_out: held };
        progress(Progress::Epoch(&epoch));
        epochs.push(epoch);
        match steps.judge(best.0, held) {
            Judged::Better => best = (held, fitting.parts().to_vec()),
            Judged::GoOn => {}
            Judged::GoBack => fitting.set_parts(&best.1),
        }
    }
    fitting.set_parts(&best.1);
    let numbers = fitting.numbers();
    let phases = model.phases.iter().enumerate().map(|(phase, name)| {
        let of = |indices: &[usize]| -> Vec<usize> {
            indices.iter().copied().filter(|&index| samples.main_phase(index) == phase).collect()
        };
        let (training, held_out) = (of(&training), of(&held_out));
        let loss = |indices: &[usize]| mean(indices, |index| loss_at(&numbers, index));
        let positions = training.len();
        Phase { name: name.clone(), positions, training: loss(&training), held_out: loss(&held_out) }
    });
    let phases = phases.collect();
    let search = mean(&held_out, |index| cross_entropy(samples.scores[index] / search_unit, targets[index]));
    let all: Vec<usize> = (0..samples.len()).collect();
    let results = |numbers: &[f32]| {
        mean(&all, |index| cross_entropy(samples.value(numbers, slots, index) / unit, samples.results[index]))
    };
    let fitted = given.is_none().then(|| format!("the unit of the evaluation is {unit:.0}"));
    let remarks = [
        format!("the search itself has {search:.5} on games held out, with a unit of {search_unit:.0}"),
        format!("loss against all results {:.5}, before {:.5}", results(&numbers), results(&model.start)),
    ];
    let remarks = fitted.into_iter().chain(remarks).collect();
    let after = if best.0.is_finite() { best.0 } else { before };
    Fit { held_out: [before, after], numbers, unit, epochs, phases, remarks }
}

/// One step. Returns the sum of the losses before it.
fn step(
    samples: &Samples,
    fitting: &mut Fitting,
    (slots, unit): (usize, f32),
    targets: &[f32],
    batch: &[usize],
    rate: f32,
) -> f32 {
    let numbers = fitting.numbers();
    let mut gradient = fitting.gradient();
    let mut loss = 0.0;
    for &index in batch {
        let logit = samples.value(&numbers, slots, index) / unit;
        loss += cross_entropy(logit, targets[index]);
        let error = (sigmoid(logit) - targets[index]) / (unit * batch.len() as f32);
        samples.add_gradient(index, slots, error, &mut gradient);
    }
    fitting.descend(gradient, rate);
    loss
}

/// What to do after an epoch.
pub(super) enum Judged {
    /// It is the best so far.
    Better,
    /// It may still get better.
    GoOn,
    /// Go back to the best so far and take smaller steps.
    GoBack,
}

/// The epochs of a schedule.
pub(super) struct Steps {
    schedule: Schedule,
    epochs: u32,
    number: u32,
    rate: f32,
    waited: u32,
}

impl Steps {
    pub fn new(schedule: Schedule, epochs: u32) -> Steps {
        let (rate, epochs) = match schedule {
            Schedule::Patient { first, .. } | Schedule::Falling { first, .. } => (first, epochs),
            Schedule::Decaying { first, epochs, .. } => (first, epochs),
        };
        Steps { schedule, epochs, number: 0, rate, waited: 0 }
    }

    /// The next epoch and its step size.
    pub fn next(&mut self) -> Option<(u32, f32)> {
        if let Schedule::Patient { last, .. } = self.schedule
            && self.rate < last
        {
            return None;
        }
        self.number += 1;
        match self.schedule {
            Schedule::Falling { first, last } => {
                let done = (self.number - 1) as f32 / self.epochs.max(2).saturating_sub(1) as f32;
                self.rate = first * (last / first).powf(done);
            }
            Schedule::Decaying { factor, .. } if self.number > 1 => self.rate *= factor,
            Schedule::Decaying { .. } | Schedule::Patient { .. } => {}
        }
        (self.number <= self.epochs).then_some((self.number, self.rate))
    }

    /// Compares the loss of this epoch on held-out games with the smallest so far.
    pub fn judge(&mut self, best: f32, held_out: f32) -> Judged {
        match self.schedule {
            Schedule::Patient { gain, patience, .. } => {
                if held_out < best - gain {
                    self.waited = 0;
                    Judged::Better
                } else if self.waited < patience {
                    self.waited += 1;
                    Judged::GoOn
                } else {
                    (self.rate, self.waited) = (self.rate / 2.0, 0);
                    Judged::GoBack
                }
            }
            _ if held_out < best => Judged::Better,
            _ => Judged::GoOn,
        }
    }
}
