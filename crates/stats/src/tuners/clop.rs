//! CLOP: confident local optimisation.
//!
//! As in [Coulom's paper]: points are tried against one fixed opponent, which is the start, and a quadratic logistic
//! regression is fitted to all results. A point whose fitted value is confidently below the mean gets less weight,
//! `exp((q(x) − m) / (H · s))` with the mean `m` and its standard deviation `s`; fit and weights are repeated until the
//! weights stay. So the regression becomes local as the games allow it. The next points are drawn with a density
//! proportional to the weight, and the best point is the weighted mean of all. A draw counts as half a win and half a
//! loss.
//!
//! [Coulom's paper]: https://www.remi-coulom.fr/CLOP/CLOP.pdf

use super::regression::{Observation, Quadratic};
use super::space::{Point, Space, mean_and_deviation};
use super::tuner::{Batch, Curve, Duel, Standing, Tuner};
use crate::elo::Tally;
use polyply_core::random::Random;
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_10;

/// The settings of CLOP.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ClopSettings {
    /// Pairs of games of each point.
    pub pairs: u64,
    /// Points that are tried at once.
    pub batch: usize,
    /// `H`: how confidently a point must be worse than the mean to lose weight.
    pub confidence: f64,
    /// Whether parameters are taken to depend on each other; by default with up to six of them.
    pub products: Option<bool>,
}

impl Default for ClopSettings {
    fn default() -> Self {
        ClopSettings { pairs: 1, batch: 8, confidence: 3.0, products: None }
    }
}

/// With more parameters, their products would need more games than anybody plays.
const MOST_WITH_PRODUCTS: usize = 6;
/// The fit is repeated when there are this many times as many points as at the last one.
const GROWTH: f64 = 1.1;
/// Fit and weights are repeated until the sum of the weights stays within this factor.
const STEADY: f64 = 0.99;
/// More rounds would hardly change the weights.
const MOST_ROUNDS: usize = 20;
/// A coordinate is drawn anew at most this many times.
const MOST_DRAWS: usize = 50;
/// Passes over all coordinates until a drawn point no longer depends on the one it began from.
const PASSES: usize = 2;
/// The number of points of a plotted curve.
const CURVE: usize = 41;

/// One regression with the mean and its deviation: a point is weighed by it.
struct Level {
    fit: Quadratic,
    mean: f64,
    deviation: f64,
}

/// The state of CLOP.
pub struct Clop {
    settings: ClopSettings,
    seed: u64,
    start: Point,
    points: Vec<Point>,
    seen: Vec<Observation>,
    /// The regressions of the last fit, each more local than the one before.
    levels: Vec<Level>,
    fit: Quadratic,
    fitted: usize,
}

impl Clop {
    /// Nothing is known yet.
    pub fn new(space: &Space, seed: u64, settings: ClopSettings) -> Clop {
        let dimensions = space.dimensions();
        let products = settings.products.unwrap_or(dimensions <= MOST_WITH_PRODUCTS);
        Clop {
            settings,
            seed,
            start: space.start(),
            points: Vec::new(),
            seen: Vec::new(),
            levels: Vec::new(),
            fit: Quadratic::new(dimensions, products),
            fitted: 0,
        }
    }

    /// The weight of a point: the least that any regression gives it.
    fn weight(&self, factors: &[f64]) -> f64 {
        self.levels.iter().map(|level| self.exponent(level, factors)).fold(0.0, f64::min).exp()
    }

    /// The logarithm of the weight by one regression.
    fn exponent(&self, level: &Level, factors: &[f64]) -> f64 {
        (level.fit.value_of(factors) - level.mean) / (self.settings.confidence * level.deviation)
    }

    /// Fits regressions to all results, with weights that fall until they stay.
    fn refit(&mut self) {
        self.seen.iter_mut().for_each(|seen| seen.weight = 1.0);
        self.levels.clear();
        let mut sum = self.seen.len() as f64;
        for _ in 0..MOST_ROUNDS {
            self.fit.fit(&self.seen);
            let (mean, deviation) = mean_strength(&self.seen);
            self.levels.push(Level { fit: self.fit.clone(), mean, deviation });
            let confidence = self.settings.confidence;
            for seen in &mut self.seen {
                let weight = ((self.fit.value_of(&seen.terms) - mean) / (confidence * deviation)).exp();
                seen.weight = seen.weight.min(weight);
            }
            let now: f64 = self.seen.iter().map(|seen| seen.weight).sum();
            if now > STEADY * sum {
                break;
            }
            sum = now;
        }
        self.fitted = self.seen.len();
    }

    /// A point drawn with a density proportional to its weight: from a known point, one coordinate after the other is
    /// drawn anew (Gibbs sampling).
    fn draw(&self, random: &mut Random) -> Point {
        let mut point = self.known(random);
        for axis in (0..PASSES).flat_map(|_| 0..self.start.len()) {
            let parabolas = self.along(&point, axis);
            let weight = |at: f64| {
                let exponents = parabolas.iter().map(|[base, slope, bend]| base + at * (slope + at * bend));
                exponents.fold(0.0, f64::min).exp()
            };
            let mut draws = (0..MOST_DRAWS).map(|_| [random.uniform(), random.uniform()]);
            if let Some([at, _]) = draws.find(|[at, dice]| *dice < weight(*at)) {
                point[axis] = at;
            }
        }
        point
    }

    /// The logarithm of the weight along an axis: every regression is a parabola there, through three of its points.
    fn along(&self, point: &[f64], axis: usize) -> Vec<[f64; 3]> {
        let at = |coordinate: f64| {
            let mut there = point.to_vec();
            there[axis] = coordinate;
            self.fit.expand(&there)
        };
        let factors = [0.0, 0.5, 1.0].map(at);
        let parabola = |level: &Level| {
            let [low, middle, high] = factors.each_ref().map(|factors| self.exponent(level, factors));
            [low, 4.0 * middle - 3.0 * low - high, 2.0 * (low + high) - 4.0 * middle]
        };
        self.levels.iter().map(parabola).collect()
    }

    /// A point that was tried, with a probability proportional to its weight; the start where there is none.
    fn known(&self, random: &mut Random) -> Point {
        let total: f64 = self.seen.iter().map(|seen| seen.weight).sum();
        let mut left = random.uniform() * total;
        let chosen = self.seen.iter().position(|seen| {
            left -= seen.weight;
            left <= 0.0
        });
        chosen.map_or_else(|| self.start.clone(), |index| self.points[index].clone())
    }
}

/// The mean of all results on the logistic scale, and its standard deviation. Half a game that was won and half a game
/// that was lost keep both finite.
fn mean_strength(seen: &[Observation]) -> (f64, f64) {
    let sum =
        |of: &dyn Fn(&Observation) -> f64| seen.iter().map(|seen| seen.weight * seen.games * of(seen)).sum::<f64>();
    let games = 1.0 + sum(&|_| 1.0);
    let share = (0.5 + sum(&|seen| seen.score)) / games;
    ((share / (1.0 - share)).ln(), 1.0 / (games * share * (1.0 - share)).sqrt())
}

impl Tuner for Clop {
    fn propose(&mut self) -> Batch {
        let number = self.points.len() as u64;
        let mut random = Random::of(self.seed, number);
        let pairs = self.settings.pairs;
        let duel = |index: u64| Duel {
            one: self.draw(&mut random),
            other: self.start.clone(),
            opening: (number + index) * pairs,
        };
        Batch { pairs, duels: (0..self.settings.batch as u64).map(duel).collect() }
    }

    fn take(&mut self, batch: &Batch, results: &[Tally]) {
        for (duel, result) in batch.duels.iter().zip(results) {
            let [won, drawn, _] = result.games;
            let games = result.count() as f64;
            let score = (won as f64 + drawn as f64 / 2.0) / games.max(1.0);
            let terms = self.fit.expand(&duel.one);
            let weight = self.weight(&terms);
            self.points.push(duel.one.clone());
            self.seen.push(Observation { terms, score, games, weight });
        }
        if self.seen.len() as f64 >= GROWTH * self.fitted as f64 {
            self.refit();
        }
    }

    fn standing(&self) -> Standing {
        let points = self.points.iter().zip(&self.seen).map(|(point, seen)| (point.as_slice(), seen.weight));
        let dimensions = self.start.len();
        let (best, deviation) =
            mean_and_deviation(points, dimensions).unwrap_or_else(|| (self.start.clone(), vec![0.3; dimensions]));
        Standing { best, deviation }
    }

    fn curves(&self) -> Vec<Curve> {
        let best = self.standing().best;
        let top = self.fit.value(&best);
        let curve = |axis: usize| {
            let at = |step: usize| {
                let coordinate = step as f64 / (CURVE - 1) as f64;
                let mut point = best.clone();
                point[axis] = coordinate;
                (coordinate, (self.fit.value(&point) - top) * 400.0 / LN_10)
            };
            Curve { points: (0..CURVE).map(at).collect() }
        };
        (0..best.len()).map(curve).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::regression::logistic;
    use super::*;

    #[test]
    fn the_mean_of_results_is_known_the_better_the_more_games_there_are() {
        let seen = |count: usize| {
            vec![Observation { terms: Vec::new(), score: logistic(1.0), games: 100.0, weight: 1.0 }; count]
        };
        let (mean, deviation) = mean_strength(&seen(10));
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
        let (_, closer) = mean_strength(&seen(1000));
        assert!((deviation / closer - 10.0).abs() < 0.1, "{deviation} {closer}");
        assert_eq!(mean_strength(&[]).0, 0.0);
    }
}
