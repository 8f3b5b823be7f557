//! Objectives that need no engine: functions with a known optimum, seen through the noise of games.

use super::objective::{Objective, PlayedGame};
use crate::LabError;
use crate::record::Reason;
use crate::stats::{Points, expected_score};
use polyply_core::random::Random;
use polyply_stats::tuners::Batch;
use polyply_stats::tuners::Space;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What is optimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Function {
    /// Games between engines.
    #[default]
    Games,
    /// The strength falls with the square of the distance from the optimum.
    Quadratic,
    /// A curved valley, as [Rosenbrock](https://en.wikipedia.org/wiki/Rosenbrock_function) has it, but with a gentler
    /// slope: 1 instead of 100, as in Coulom's tests of CLOP.
    Rosenbrock,
    /// The logarithm of the logistic density: a parabola near the optimum, a straight slope far from it.
    Logistic,
}

/// The share of draws between equal points.
const DRAWS: f64 = 0.2;
/// Elo that a point loses a quarter of the range away from the optimum in every coordinate.
const HEIGHT: f64 = 300.0;

/// A function with a known optimum, played as games.
pub struct TestFunction {
    /// The function.
    pub function: Function,
    /// The space.
    pub space: Space,
    /// The seed of the noise.
    pub seed: u64,
}

impl TestFunction {
    /// The strength at values of the parameters, in Elo below the optimum: 0 or less.
    pub fn elo(&self, values: &[i64]) -> f64 {
        let axes = self.space.axes.iter().zip(values);
        let coordinates: Vec<f64> =
            axes.map(|(axis, &value)| (value - axis.low) as f64 / (axis.high - axis.low) as f64).collect();
        let dimensions = coordinates.len() as f64;
        // In quarters of the range.
        let away = coordinates.iter().enumerate().map(|(index, coordinate)| (coordinate - optimum(index)) * 4.0);
        match self.function {
            Function::Games => 0.0,
            Function::Quadratic => -HEIGHT * away.map(|away| away * away).sum::<f64>() / dimensions,
            Function::Logistic => {
                let slope = |away: f64| (2.0 * away).cosh().ln() / 2.0_f64.cosh().ln();
                -HEIGHT * away.map(slope).sum::<f64>() / dimensions
            }
            Function::Rosenbrock => {
                // From -2 to 2, with the optimum where all are 1.
                let spread: Vec<f64> = coordinates.iter().map(|coordinate| 4.0 * coordinate - 2.0).collect();
                let valley = |pair: &[f64]| (1.0 - pair[0]).powi(2) + (pair[1] - pair[0] * pair[0]).powi(2);
                -HEIGHT * spread.windows(2).map(valley).sum::<f64>() / (dimensions - 1.0).max(1.0)
            }
        }
    }
}

/// Where the optimum of a coordinate lies: somewhere off the middle.
fn optimum(index: usize) -> f64 {
    0.5 + 0.25 * (2.4 * (index as f64 + 1.0)).cos()
}

impl Objective for TestFunction {
    fn play(
        &mut self,
        number: u64,
        batch: &Batch,
        done: &dyn Fn(usize, u64) -> bool,
        stop: &AtomicBool,
        each: &mut dyn FnMut(PlayedGame) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        for (duel, points) in batch.duels.iter().enumerate() {
            let [one, other] = [&points.one, &points.other].map(|point| self.elo(&self.space.values(point)));
            let score = expected_score(one - other);
            let drawn = DRAWS * 2.0 * score.min(1.0 - score);
            for game in (0..2 * batch.pairs).filter(|&game| !done(duel, game)) {
                if stop.load(Relaxed) {
                    return Ok(());
                }
                // Any game can be played again by its number, so it does not matter when a run was stopped.
                let mut random = Random::of(Random::nth(self.seed, number + 1), (duel as u64) << 32 | game);
                let points = match random.uniform() {
                    dice if dice < score - drawn / 2.0 => Points::Win,
                    dice if dice < score + drawn / 2.0 => Points::Draw,
                    _ => Points::Loss,
                };
                each(PlayedGame { duel, game, points, reason: Reason::Rules })?;
            }
        }
        Ok(())
    }

    fn known(&self, values: &[i64]) -> Option<f64> {
        Some(self.elo(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_stats::tuners::Axis;

    fn function(function: Function, dimensions: usize) -> TestFunction {
        let axis = |index: usize| Axis { name: format!("x{index}"), low: -1000, high: 1000, start: 0, step: 100.0 };
        TestFunction { function, space: Space { axes: (1..=dimensions).map(axis).collect() }, seed: 1 }
    }

    #[test]
    fn every_function_is_highest_at_its_optimum() {
        for kind in [Function::Quadratic, Function::Rosenbrock, Function::Logistic] {
            let function = function(kind, 6);
            let best: Vec<f64> = match kind {
                Function::Rosenbrock => vec![0.75; 6],
                _ => (0..6).map(optimum).collect(),
            };
            let top = function.elo(&function.space.values(&best));
            assert!((-0.1..=0.0).contains(&top), "{kind:?}: {top}");
            for axis in 0..6 {
                let mut away = best.clone();
                away[axis] -= 0.1;
                assert!(function.elo(&function.space.values(&away)) < top - 1.0, "{kind:?}");
            }
        }
    }
}
