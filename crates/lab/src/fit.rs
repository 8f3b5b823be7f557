//! Learns the weights of five in a row: logistic regression on the results of games ([Texel's method]).
//!
//! The chance to win is taken for `1 / (1 + exp(-evaluation / 200))`, and the weights are those under which what
//! happened is the most probable. Most codes of a cell are rare, so the weight of one is made of parts: what each of its
//! four patterns is worth, what each two of them are worth together, and a rest that is the code's own. Each part is
//! held near 0 by a prior, the rest most of all: a code that was hardly ever seen is worth what its patterns are. Where
//! there are weights of a like game to begin with, the parts are what is added to them.
//!
//! [Texel's method]: https://www.chessprogramming.org/Texel%27s_Tuning_Method

use crate::adam::Adam;
use crate::samples::{CAPTURED, CELL, PAIR, SLOTS, Samples, THREAT};
use polyply_core::random::Random;
use polyply_five::pattern::Pattern;
use polyply_five::shape::Code;
use polyply_five::{CaptureWeights, Menace, Weights};

/// The evaluation at which the chance to win is e times the chance to lose.
pub const UNIT: f32 = 200.0;

/// How to learn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recipe {
    /// How much the result counts against what the search thought, 0 to 1.
    pub result: f32,
    /// Times that all positions are seen, at most.
    pub epochs: u32,
    /// The order of the positions, and which games are held out.
    pub seed: u64,
}

/// What has been learned from a pass over all positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The mean loss on the positions learned from.
    pub training: f32,
    /// The mean loss on the games held out.
    pub held_out: f32,
    /// The step size.
    pub rate: f32,
}

/// Weights and how they were found.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The weights.
    pub weights: Weights,
    /// The loss on the games held out.
    pub held_out: f32,
    /// The loss there that the scores of the search themselves have.
    pub search_held_out: f32,
    /// The search's score at which the chance to win is e times the chance to lose.
    pub search_unit: f32,
}

/// One game of so many is held out.
const HELD_OUT: usize = 10;
/// Positions of a step.
const BATCH: usize = 512;
/// The step size at the beginning, and that at which nothing more is to be expected.
const RATES: [f32; 2] = [0.01, 0.0002];
/// The step gets smaller after so many epochs that were no better.
const PATIENCE: u32 = 2;
/// What one position counts against the priors: less than 1, for the positions of a game share its result.
const INDEPENDENT: f32 = 0.2;

/// The spread that the prior allows to each kind of part, in units of the logit.
const SPREAD_LINE: f32 = 1.0;
const SPREAD_CROSS: f32 = 0.2;
const SPREAD_CODE: f32 = 0.1;
const SPREAD_KIND: f32 = 1.0;
const SPREAD_MENACE: f32 = 0.5;
const SPREAD_PAIR: f32 = 0.3;
const SPREAD_CAPTURE: f32 = 1.0;

/// Learns from samples, beginning with weights of a like game if there are any; `each` hears of every epoch.
pub fn fit(samples: &Samples, start: Option<&Weights>, recipe: Recipe, each: &mut dyn FnMut(&Epoch)) -> Fit {
    let mut random = Random::of(recipe.seed, 0);
    let kept: Vec<bool> = (0..samples.game_count.max(1)).map(|_| !random.once_in(HELD_OUT)).collect();
    let is_kept = |&index: &usize| kept[samples.games[index] as usize];
    let (mut training, held_out): (Vec<usize>, Vec<usize>) = (0..samples.len()).partition(is_kept);
    let search_unit = fitted_unit(samples, &training);
    let think = |index: usize| sigmoid(samples.scores[index] / search_unit);
    let targets: Vec<f32> = (0..samples.len())
        .map(|index| recipe.result * samples.results[index] + (1.0 - recipe.result) * think(index))
        .collect();

    let mut model = Model::new(start, 1.0 / (INDEPENDENT * training.len().max(1) as f32));
    model.set_scales(samples);
    let mut best = (f32::INFINITY, model.parts.clone());
    let (mut rate, mut waited) = (RATES[0], 0);
    for number in 1..=recipe.epochs {
        random.shuffle(&mut training);
        let mut loss = 0.0;
        for batch in training.chunks(BATCH) {
            loss += model.step(samples, &targets, batch, rate);
        }
        let weights = model.slots();
        let held = mean(&held_out, |index| cross_entropy(logit(samples, &weights, index), targets[index]));
        each(&Epoch { number, training: loss / training.len().max(1) as f32, held_out: held, rate });
        if held < best.0 - 1e-5 {
            best = (held, model.parts.clone());
            waited = 0;
        } else if waited < PATIENCE {
            waited += 1;
        } else {
            (rate, waited) = (rate / 2.0, 0);
            model.parts.clone_from(&best.1);
            if rate < RATES[1] {
                break;
            }
        }
    }
    model.parts = best.1;
    let search_held_out = mean(&held_out, |index| cross_entropy(samples.scores[index] / search_unit, targets[index]));
    Fit { weights: quantised(&model.slots()), held_out: best.0, search_held_out, search_unit }
}

/// The loss of weights on all samples, against results alone.
pub fn loss(samples: &Samples, weights: &Weights) -> f32 {
    let slots = slots_of(weights);
    let all: Vec<usize> = (0..samples.len()).collect();
    mean(&all, |index| cross_entropy(logit(samples, &slots, index), samples.results[index]))
}

pub(crate) fn mean(indices: &[usize], of: impl Fn(usize) -> f32) -> f32 {
    (indices.iter().map(|&index| f64::from(of(index))).sum::<f64>() / indices.len().max(1) as f64) as f32
}

pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// `-target·ln(p) - (1 - target)·ln(1 - p)` of a logit, without overflow.
pub(crate) fn cross_entropy(logit: f32, target: f32) -> f32 {
    logit.max(0.0) - logit * target + (-logit.abs()).exp().ln_1p()
}

#[inline]
fn logit(samples: &Samples, weights: &[f32], index: usize) -> f32 {
    samples.terms(index).iter().map(|term| weights[usize::from(term.slot)] * f32::from(term.count)).sum()
}

/// The unit in which the scores of the search tell the results best, by ternary search.
fn fitted_unit(samples: &Samples, indices: &[usize]) -> f32 {
    let loss = |log_unit: f32| {
        mean(indices, |index| cross_entropy(samples.scores[index] / log_unit.exp(), samples.results[index]))
    };
    let (mut low, mut high) = (20_f32.ln(), 5000_f32.ln());
    for _ in 0..30 {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) { high -= third } else { low += third }
    }
    ((low + high) / 2.0).exp()
}

/// The parts that weights are made of, with what Adam remembers of each.
pub(crate) struct Model {
    parts: Vec<f32>,
    precision: Vec<f32>,
    /// How large a step of each part may be against the others'.
    scale: Vec<f32>,
    adam: Adam,
    /// What the parts are added to.
    start: Vec<f32>,
    patterns: Vec<[usize; 4]>,
}

const LINES: usize = Pattern::COUNT;
const CROSSES: usize = Pattern::COUNT * Pattern::COUNT;
/// Parts of the cells of a side: lines, crosses and the codes' own.
const CELL_PARTS: usize = LINES + CROSSES + Code::COUNT;
/// Parts of the threats of a side: each kind, and each set of kinds.
const MENACE_PARTS: usize = Menace::KINDS.len() + Menace::COUNT;
/// The parts of pairs begin here: own threats, the other's, and each pair's own.
const PAIR_PARTS: usize = 2 * CELL_PARTS;
const PAIRS: usize = Menace::COUNT * Menace::COUNT;
/// What is left has a part of its own each.
const REST_PARTS: usize = PAIR_PARTS + 2 * MENACE_PARTS + PAIRS;
const PARTS: usize = REST_PARTS + SLOTS - CAPTURED;

impl Model {
    /// `strength` is that of the priors against the mean loss.
    pub fn new(start: Option<&Weights>, strength: f32) -> Model {
        let mut precision = Vec::with_capacity(PARTS);
        let mut allow = |count: usize, spread: f32| {
            precision.extend(std::iter::repeat_n(strength / (spread * spread), count));
        };
        for _ in 0..2 {
            allow(LINES, SPREAD_LINE);
            allow(CROSSES, SPREAD_CROSS);
            allow(Code::COUNT, SPREAD_CODE);
        }
        for _ in 0..2 {
            allow(Menace::KINDS.len(), SPREAD_KIND);
            allow(Menace::COUNT, SPREAD_MENACE);
        }
        allow(PAIRS, SPREAD_PAIR);
        allow(SLOTS - CAPTURED, SPREAD_CAPTURE);
        let mut start_slots = slots_of(start.unwrap_or(&Weights::handmade()));
        if start.is_none() {
            // Pairs and captures are held near what was guessed, for some of them are never seen; cells are not.
            start_slots[CELL..PAIR].fill(0.0);
        }
        Model {
            parts: vec![0.0; PARTS],
            precision,
            scale: vec![1.0; PARTS],
            adam: Adam::new(PARTS),
            start: start_slots,
            patterns: (0..Code::COUNT).map(|code| Code::patterns(code).map(|pattern| pattern as usize)).collect(),
        }
    }

    /// Sets the sizes of steps by how much each part counts in a position, so that none of them goes too far at once.
    fn set_scales(&mut self, samples: &Samples) {
        /// Positions that are looked at.
        const SOME: usize = 1000;
        let mut squares = vec![0.0_f32; PARTS];
        for look in 0..SOME {
            let mut counts = vec![0.0; SLOTS];
            for term in samples.terms(look * samples.len() / SOME) {
                counts[usize::from(term.slot)] += f32::from(term.count);
            }
            let mut parts = vec![0.0; PARTS];
            self.each_part(|slot, part| parts[part] += counts[slot]);
            squares.iter_mut().zip(&parts).for_each(|(square, part)| *square += part * part / SOME as f32);
        }
        self.scale = squares.iter().map(|square| 1.0 / (0.3 + square.sqrt())).collect();
    }

    /// Calls with every slot and each part it is made of.
    #[inline]
    fn each_part(&self, mut visit: impl FnMut(usize, usize)) {
        for side in 0..2 {
            let base = side * CELL_PARTS;
            for (code, patterns) in self.patterns.iter().enumerate() {
                let slot = CELL + side * Code::COUNT + code;
                for (place, &one) in patterns.iter().enumerate() {
                    visit(slot, base + one);
                    for &two in &patterns[place + 1..] {
                        visit(slot, base + LINES + one * Pattern::COUNT + two);
                    }
                }
                visit(slot, base + LINES + CROSSES + code);
            }
        }
        for pair in 0..PAIRS {
            for (side, menace) in [pair / Menace::COUNT, pair % Menace::COUNT].into_iter().enumerate() {
                let base = PAIR_PARTS + side * MENACE_PARTS;
                for kind in (0..Menace::KINDS.len()).filter(|kind| menace >> kind & 1 != 0) {
                    visit(PAIR + pair, base + kind);
                }
                visit(PAIR + pair, base + Menace::KINDS.len() + menace);
            }
            visit(PAIR + pair, PAIR_PARTS + 2 * MENACE_PARTS + pair);
        }
        for rest in 0..SLOTS - CAPTURED {
            visit(CAPTURED + rest, REST_PARTS + rest);
        }
    }

    /// The weights, by slot and in units of the logit.
    pub fn slots(&self) -> Vec<f32> {
        let mut slots = self.start.clone();
        self.each_part(|slot, part| slots[slot] += self.parts[part]);
        slots
    }

    /// One step; returns the sum of the losses before it.
    fn step(&mut self, samples: &Samples, targets: &[f32], batch: &[usize], rate: f32) -> f32 {
        let slots = self.slots();
        let mut slot_gradient = vec![0.0; SLOTS];
        let mut loss = 0.0;
        for &index in batch {
            let logit = logit(samples, &slots, index);
            loss += cross_entropy(logit, targets[index]);
            let error = (sigmoid(logit) - targets[index]) / batch.len() as f32;
            for term in samples.terms(index) {
                slot_gradient[usize::from(term.slot)] += error * f32::from(term.count);
            }
        }
        self.descend(&slot_gradient, rate);
        loss
    }

    /// One step of [`Adam`] down the gradient of the mean loss by slot.
    pub fn descend(&mut self, slot_gradient: &[f32], rate: f32) {
        let mut gradient: Vec<f32> = self.parts.iter().zip(&self.precision).map(|(part, held)| part * held).collect();
        self.each_part(|slot, part| gradient[part] += slot_gradient[slot]);
        self.adam.step(&mut self.parts, &gradient, &self.scale, rate);
    }
}

/// Parts of a weight: cells are weighed in parts of the evaluation's unit.
fn fraction(slot: usize) -> f32 {
    if slot < PAIR { Weights::FRACTION as f32 } else { 1.0 }
}

/// Weights by slot, in units of the logit.
fn slots_of(weights: &Weights) -> Vec<f32> {
    let cells = (0..2).flat_map(|side| weights.cell[..Code::COUNT].iter().map(move |cell| cell[side]));
    let pairs = weights.pair.iter().flatten().copied();
    let CaptureWeights { pairs: captured, threat, .. } = weights.capture;
    let numbers = cells.chain(pairs).chain(captured).chain(threat.into_iter().flatten());
    numbers.enumerate().map(|(slot, number)| f32::from(number) / fraction(slot) / UNIT).collect()
}

/// The inverse of [`slots_of`], rounded.
fn quantised(slots: &[f32]) -> Weights {
    let number = |slot: usize| (slots[slot] * fraction(slot) * UNIT).round().clamp(-32_000.0, 32_000.0) as i16;
    let mut weights = Weights::handmade();
    for code in 0..Code::COUNT {
        weights.cell[code] = [number(CELL + code), number(CELL + Code::COUNT + code)];
    }
    for (place, pair) in weights.pair.iter_mut().flatten().enumerate() {
        *pair = number(PAIR + place);
    }
    for (place, pairs) in weights.capture.pairs.iter_mut().enumerate() {
        *pairs = number(CAPTURED + place);
    }
    for (place, threat) in weights.capture.threat.iter_mut().flatten().enumerate() {
        *threat = number(THREAT + place);
    }
    weights.hashed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Term;

    #[test]
    fn weights_survive_the_way_to_slots_and_back() {
        let weights = Weights::handmade();
        assert_eq!(quantised(&slots_of(&weights)), weights);
    }

    #[test]
    fn known_weights_are_recovered() {
        // Made-up positions: a handful of codes each, won by the odds that the guessed weights give them.
        let truth = slots_of(&Weights::handmade());
        let mut random = Random::of(7, 0);
        let mut samples = Samples::default();
        for _ in 0..20_000 {
            let mut terms: Vec<Term> = (0..6)
                .map(|place| {
                    let slot = CELL + place % 2 * Code::COUNT + random.scaled(300);
                    Term { slot: slot as u16, count: if place % 2 == 0 { 3 } else { -3 } }
                })
                .collect();
            terms.push(Term { slot: (PAIR + random.scaled(30)) as u16, count: 1 });
            let logit: f32 = terms.iter().map(|term| truth[usize::from(term.slot)] * f32::from(term.count)).sum();
            let won = (random.scaled(1 << 20) as f32) < sigmoid(logit) * (1 << 20) as f32;
            samples.add(&terms, f32::from(u8::from(won)), logit * UNIT);
            samples.game_count += 1;
        }
        let recipe = Recipe { result: 0.7, epochs: 40, seed: 1 };
        let mut epochs = Vec::new();
        let found = fit(&samples, None, recipe, &mut |epoch| epochs.push(epoch.held_out));
        assert!((found.search_unit - UNIT).abs() < 25.0, "{}", found.search_unit);
        let learned = slots_of(&found.weights);
        let differences = (0..samples.len())
            .map(|index| f64::from(logit(&samples, &learned, index) - logit(&samples, &truth, index)).powi(2));
        let error = (differences.sum::<f64>() / samples.len() as f64).sqrt();
        let spread = (samples.scores.iter().map(|&score| f64::from(score / UNIT).powi(2)).sum::<f64>()
            / samples.len() as f64)
            .sqrt();
        assert!(error < 0.25 * spread, "{error} of {spread}, {epochs:?}");
    }
}
