//! SPSA: simultaneous perturbation stochastic approximation.
//!
//! All parameters are perturbed at once, each by its step in a random direction. The point ahead plays the point behind,
//! and the parameters move towards the winner. The gains are those of [Spall] (α 0.602, γ 0.101), written as [fishtest]
//! writes them: the last perturbation is the step of the parameter, and the last move is `gain` times the step for a
//! won game.
//!
//! [Spall]: https://www.jhuapl.edu/SPSA/PDF-SPSA/Spall_Implementation_of_the_Simultaneous.PDF
//! [fishtest]: https://github.com/official-stockfish/fishtest/wiki/Creating-my-first-test#spsa-tuning

use super::space::{Point, Space, mean_and_deviation, moved};
use super::tuner::{Batch, Duel, Standing, Tuner, margin};
use crate::elo::Tally;
use polyply_core::random::Random;
use serde::{Deserialize, Serialize};

/// The settings of SPSA.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SpsaSettings {
    /// Pairs of games in each duel.
    pub pairs: u64,
    /// Directions that are tried before the parameters move.
    pub directions: u64,
    /// How fast the moves become smaller.
    pub alpha: f64,
    /// How fast the perturbations become smaller.
    pub gamma: f64,
    /// `A`, as a share of all iterations: it keeps the first moves small.
    pub stability: f64,
    /// The last move for a won game, in steps; by default what suits the number of iterations.
    pub gain: Option<f64>,
}

impl Default for SpsaSettings {
    fn default() -> Self {
        SpsaSettings { pairs: 1, directions: 1, alpha: 0.602, gamma: 0.101, stability: 0.1, gain: None }
    }
}

/// The default gain times the number of iterations. It gives fishtest's usual 0.002 at 30 000 iterations. With fewer,
/// the parameters must move faster to arrive at all.
const GAIN: f64 = 60.0;
/// With more parameters than this each one matters less, so the gain grows with their number.
const FEW: f64 = 15.0;
/// The best point is the mean of this share of the iterations, the last ones.
const AVERAGED: usize = 6;

/// The state of SPSA.
pub struct Spsa {
    settings: SpsaSettings,
    steps: Vec<f64>,
    iterations: f64,
    seed: u64,
    gain: f64,
    theta: Point,
    flips: Vec<Vec<f64>>,
    /// The parameters after every iteration.
    path: Vec<Point>,
}

impl Spsa {
    /// Begins at the start of the space.
    pub fn new(space: &Space, games: u64, seed: u64, settings: SpsaSettings) -> Spsa {
        let iterations = (games / (2 * settings.pairs * settings.directions)).max(1) as f64;
        Spsa {
            gain: settings.gain.unwrap_or(GAIN * (space.dimensions() as f64 / FEW).max(1.0) / iterations),
            settings,
            steps: space.steps(),
            iterations,
            seed,
            theta: space.start(),
            flips: Vec::new(),
            path: vec![space.start()],
        }
    }

    /// The number of the iteration, from 1.
    fn iteration(&self) -> f64 {
        self.path.len() as f64
    }

    /// The perturbation of this iteration, in steps.
    fn perturbation(&self) -> f64 {
        (self.iterations / self.iteration()).powf(self.settings.gamma)
    }

    /// How far a won game moves the parameters, in steps.
    fn rate(&self) -> f64 {
        let offset = self.settings.stability * self.iterations;
        let falling = ((offset + self.iterations) / (offset + self.iteration())).powf(self.settings.alpha);
        self.gain * falling / self.perturbation()
    }
}

/// Random directions: every coordinate is 1 or -1.
pub fn directions(random: &mut Random, count: u64, dimensions: usize) -> Vec<Vec<f64>> {
    let mut sign = || if random.next() >> 63 == 0 { 1.0 } else { -1.0 };
    (0..count).map(|_| (0..dimensions).map(|_| sign()).collect()).collect()
}

impl Tuner for Spsa {
    fn propose(&mut self) -> Batch {
        let SpsaSettings { pairs, directions: count, .. } = self.settings;
        let number = self.path.len() as u64;
        self.flips = directions(&mut Random::of(self.seed, number), count, self.steps.len());
        let reach = self.perturbation();
        let duel = |(index, flips): (u64, &Vec<f64>)| {
            let point = |sign: f64| moved(&self.theta, |axis| sign * reach * self.steps[axis] * flips[axis]);
            Duel { one: point(1.0), other: point(-1.0), opening: ((number - 1) * count + index) * pairs }
        };
        Batch { pairs, duels: (0..).zip(&self.flips).map(duel).collect() }
    }

    fn take(&mut self, batch: &Batch, results: &[Tally]) {
        let games = (2 * batch.pairs) as f64;
        let rate = self.rate() * games / results.len().max(1) as f64;
        for (flips, result) in self.flips.iter().zip(results) {
            let won = margin(result);
            self.theta = moved(&self.theta, |axis| rate * won * self.steps[axis] * flips[axis]);
        }
        self.path.push(self.theta.clone());
    }

    fn standing(&self) -> Standing {
        recent(&self.path, AVERAGED)
    }
}

/// The mean of the last part of a path, `1 / share` of it, and the deviation there.
pub fn recent(path: &[Point], share: usize) -> Standing {
    let last = &path[path.len() - path.len().div_ceil(share)..];
    let points = last.iter().map(|point| (point.as_slice(), 1.0));
    let (best, deviation) = mean_and_deviation(points, path[0].len()).unwrap_or_default();
    Standing { best, deviation }
}
