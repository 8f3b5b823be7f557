//! RSPSA: SPSA whose step sizes follow the signs of the gradient, as in RPROP.
//!
//! [Kocsis, Szepesvári and Winands] join SPSA with [RPROP]: every parameter has a step size of its own, which grows while
//! its gradient keeps its sign and shrinks when the sign changes. Only the sign of the gradient counts, so parameters
//! of any scale are tuned alike. The sign must be right more often than not, so the gradient is the mean of many
//! directions; the perturbation is as large as the step.
//!
//! [Kocsis, Szepesvári and Winands]: https://doi.org/10.1007/11922155_4
//! [RPROP]: https://doi.org/10.1109/ICNN.1993.298623

use super::space::{Point, Space, moved};
use super::spsa::{directions, recent};
use super::tuner::{Batch, Duel, Standing, Tuner, margin};
use crate::elo::Tally;
use polyply_core::random::Random;
use serde::{Deserialize, Serialize};

/// The settings of RSPSA. Sizes are in steps of the parameters.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RspsaSettings {
    /// Pairs of games in each duel.
    pub pairs: u64,
    /// Directions whose mean is the gradient; by default what leaves time for forty iterations.
    pub directions: Option<u64>,
    /// A step grows by this while the gradient keeps its sign.
    pub grow: f64,
    /// A step shrinks by this when the gradient changes its sign.
    pub shrink: f64,
    /// The first step.
    pub first: f64,
    /// The smallest step.
    pub smallest: f64,
    /// The largest step.
    pub largest: f64,
}

impl Default for RspsaSettings {
    fn default() -> Self {
        RspsaSettings { pairs: 1, directions: None, grow: 1.2, shrink: 0.5, first: 1.0, smallest: 0.25, largest: 4.0 }
    }
}

/// The number of iterations where the number of directions is not set.
const ITERATIONS: u64 = 40;
/// The smallest perturbation in steps: a smaller one would drown in the noise.
const SMALLEST_PERTURBATION: f64 = 1.0;
/// The best point is the mean of this share of the iterations, the last ones.
const AVERAGED: usize = 4;

/// The state of RSPSA.
pub struct Rspsa {
    settings: RspsaSettings,
    count: u64,
    units: Vec<f64>,
    /// The step size of each parameter, in units.
    sizes: Vec<f64>,
    /// The gradient before; 0 after a change of sign.
    before: Vec<f64>,
    seed: u64,
    theta: Point,
    flips: Vec<Vec<f64>>,
    path: Vec<Point>,
}

impl Rspsa {
    /// Begins at the start of the space.
    pub fn new(space: &Space, games: u64, seed: u64, settings: RspsaSettings) -> Rspsa {
        let count = settings.directions.unwrap_or((games / (2 * settings.pairs * ITERATIONS)).max(1));
        let dimensions = space.dimensions();
        Rspsa {
            settings,
            count,
            units: space.steps(),
            sizes: vec![settings.first; dimensions],
            before: vec![0.0; dimensions],
            seed,
            theta: space.start(),
            flips: Vec::new(),
            path: vec![space.start()],
        }
    }
}

impl Tuner for Rspsa {
    fn propose(&mut self) -> Batch {
        let number = self.path.len() as u64;
        self.flips = directions(&mut Random::of(self.seed, number), self.count, self.units.len());
        let pairs = self.settings.pairs;
        let duel = |(index, flips): (u64, &Vec<f64>)| {
            let reach = |axis: usize| self.sizes[axis].max(SMALLEST_PERTURBATION) * self.units[axis] * flips[axis];
            let one = moved(&self.theta, reach);
            let other = moved(&self.theta, |axis| -reach(axis));
            Duel { one, other, opening: ((number - 1) * self.count + index) * pairs }
        };
        Batch { pairs, duels: (0..).zip(&self.flips).map(duel).collect() }
    }

    fn take(&mut self, _: &Batch, results: &[Tally]) {
        let RspsaSettings { grow, shrink, smallest, largest, .. } = self.settings;
        for axis in 0..self.units.len() {
            let mut gradient: f64 =
                self.flips.iter().zip(results).map(|(flips, result)| margin(result) * flips[axis]).sum();
            let agreement = gradient * self.before[axis];
            if agreement > 0.0 {
                self.sizes[axis] = (self.sizes[axis] * grow).min(largest);
            } else if agreement < 0.0 {
                self.sizes[axis] = (self.sizes[axis] * shrink).max(smallest);
                gradient = 0.0;
            }
            self.before[axis] = gradient;
        }
        self.theta = moved(&self.theta, |axis| match self.before[axis] {
            0.0 => 0.0,
            gradient => gradient.signum() * self.sizes[axis] * self.units[axis],
        });
        self.path.push(self.theta.clone());
    }

    fn standing(&self) -> Standing {
        recent(&self.path, AVERAGED)
    }
}
