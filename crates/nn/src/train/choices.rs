//! Learning which move is played: cross-entropy under the softmax over all moves of a position.

use super::lesson::Lesson;
use crate::choices::MoveChoices;
use crate::policy::{LARGEST_PARAMETER, PolicyShape, WIDTH};
use polyply_core::random::Random;
use std::ops::Range;

type Lanes = [f32; WIDTH];

/// Moves to learn to choose.
pub struct Choices<'a> {
    choices: &'a MoveChoices,
    shape: PolicyShape,
}

/// The numbers of one position on their way.
#[derive(Default)]
pub struct Scratch {
    index: usize,
    /// The activations of each move in both views.
    values: Vec<[Lanes; 2]>,
    /// First the value of each move, then its probability.
    odds: Vec<f32>,
}

impl<'a> Choices<'a> {
    /// Choices in games.
    pub fn new(choices: &'a MoveChoices) -> Choices<'a> {
        Choices { choices, shape: choices.shape() }
    }

    /// The share of some positions whose move comes first, among three, and among eight.
    pub fn among_first(&self, parameters: &[f32], indices: &[u32]) -> [f32; 3] {
        let mut counts = [0; 3];
        let mut scratch = self.scratch();
        for &index in indices {
            self.forward(parameters, index as usize, &mut scratch);
            let chosen = scratch.odds[self.choices.chosen(index as usize)];
            let before = scratch.odds.iter().filter(|&&odds| odds > chosen).count();
            for (count, first) in counts.iter_mut().zip([1, 3, 8]) {
                *count += usize::from(before < first);
            }
        }
        counts.map(|count| count as f32 / indices.len().max(1) as f32)
    }

    /// The value of a move that touches these rows, in one view and then in the other.
    #[cfg(test)]
    pub fn value(&self, parameters: &[f32], rows: &[u16]) -> f32 {
        value(&self.shape, parameters, rows, &mut [[0.0; WIDTH]; 2])
    }
}

/// Some consecutive parameters.
#[inline(always)]
fn lanes(parameters: &[f32], start: usize) -> &Lanes {
    parameters[start..].first_chunk().expect("there is a row")
}

#[inline(always)]
fn value(shape: &PolicyShape, parameters: &[f32], rows: &[u16], values: &mut [Lanes; 2]) -> f32 {
    let mut products = [0.0; WIDTH];
    for (view, rows) in rows.chunks_exact(shape.active).enumerate() {
        let mut sums = *lanes(parameters, shape.bias_start());
        for &row in rows {
            let row = lanes(parameters, usize::from(row) * WIDTH);
            for lane in 0..WIDTH {
                sums[lane] += row[lane];
            }
        }
        let output = lanes(parameters, shape.output_start() + view * WIDTH);
        for lane in 0..WIDTH {
            values[view][lane] = sums[lane].max(0.0);
            products[lane] += values[view][lane] * output[lane];
        }
    }
    products.iter().sum()
}

impl Lesson for Choices<'_> {
    type Scratch = Scratch;

    fn parameters(&self) -> usize {
        self.shape.parameters()
    }

    fn initial(&self, seed: u64) -> Vec<f32> {
        let mut random = Random::new(seed);
        let mut draw = |bound: f32| (2.0 * random.uniform() as f32 - 1.0) * bound;
        let PolicyShape { rows, active } = self.shape;
        let first = 0.3 / (active.max(1) as f32).sqrt();
        let mut parameters: Vec<f32> = (0..rows * WIDTH).map(|_| draw(first)).collect();
        // Most neurons are active at first.
        parameters.extend([0.1; WIDTH]);
        parameters.extend((0..2 * WIDTH).map(|_| draw(0.1)));
        parameters
    }

    fn largest(&self) -> f32 {
        LARGEST_PARAMETER
    }

    fn games(&self) -> impl Iterator<Item = Range<usize>> {
        self.choices.games()
    }

    fn fingerprint(&self) -> u64 {
        self.choices.hash()
    }

    fn scratch(&self) -> Scratch {
        Scratch::default()
    }

    #[inline(always)]
    fn forward(&self, parameters: &[f32], index: usize, scratch: &mut Scratch) -> f32 {
        let Scratch { values, odds, .. } = scratch;
        scratch.index = index;
        odds.clear();
        let mut top = f32::NEG_INFINITY;
        for (number, (offset, rows)) in self.choices.moves(index).enumerate() {
            if values.len() <= number {
                values.push([[0.0; WIDTH]; 2]);
            }
            let value = offset + value(&self.shape, parameters, rows, &mut values[number]);
            top = top.max(value);
            odds.push(value);
        }
        let chosen = odds[self.choices.chosen(index)];
        let mut sum = 0.0;
        for odds in odds.iter_mut() {
            *odds = (*odds - top).exp();
            sum += *odds;
        }
        odds.iter_mut().for_each(|odds| *odds /= sum);
        sum.ln() + top - chosen
    }

    #[inline(always)]
    fn backward(&self, parameters: &[f32], share: f32, scratch: &mut Scratch, gradient: &mut [f32]) {
        let shape = &self.shape;
        let chosen = self.choices.chosen(scratch.index);
        for (number, (_, rows)) in self.choices.moves(scratch.index).enumerate() {
            let error = (scratch.odds[number] - if number == chosen { 1.0 } else { 0.0 }) * share;
            for (view, rows) in rows.chunks_exact(shape.active).enumerate() {
                let values = &scratch.values[number][view];
                let start = shape.output_start() + view * WIDTH;
                let output = *lanes(parameters, start);
                let mut pulls = [0.0; WIDTH];
                for lane in 0..WIDTH {
                    gradient[start + lane] += error * values[lane];
                    pulls[lane] = if values[lane] > 0.0 { error * output[lane] } else { 0.0 };
                }
                let mut add = |start: usize| {
                    let to: &mut Lanes = gradient[start..].first_chunk_mut().expect("there is a row");
                    for lane in 0..WIDTH {
                        to[lane] += pulls[lane];
                    }
                };
                add(shape.bias_start());
                rows.iter().for_each(|&row| add(usize::from(row) * WIDTH));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::lesson::check_gradient;

    fn some(count: usize) -> MoveChoices {
        let mut random = Random::new(4);
        let mut choices = MoveChoices::new(PolicyShape { rows: 9, active: 2 });
        for _ in 0..count {
            choices.begin_game();
            let moves = 2 + random.below(5);
            for _ in 0..moves {
                let views = [(); 2].map(|()| [(); 2].map(|()| random.below(9) as u16));
                choices.add_move(random.uniform() as f32, views.each_ref().map(|view| &view[..]));
            }
            choices.choose(Some(random.below(moves)));
        }
        choices
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let choices = some(40);
        let lesson = Choices::new(&choices);
        check_gradient(&lesson, &lesson.initial(7), 40);
    }

    #[test]
    fn positions_without_a_choice_are_left_out() {
        let mut choices = some(3);
        let row: [u16; 2] = [0, 1];
        choices.add_move(0.0, [&row, &row]);
        choices.choose(Some(0));
        choices.add_move(0.0, [&row, &row]);
        choices.add_move(0.0, [&row, &row]);
        choices.choose(None);
        assert_eq!((choices.len(), choices.moves(2).count() > 1), (3, true));
        choices.add_move(0.5, [&row, &row]);
        choices.add_move(0.0, [&row, &row]);
        choices.choose(Some(1));
        assert_eq!(
            choices.moves(3).map(|(offset, rows)| (offset, rows.len())).collect::<Vec<_>>(),
            [(0.5, 4), (0.0, 4)]
        );
    }
}
