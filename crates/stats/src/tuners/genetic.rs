//! A genetic algorithm for noisy games.
//!
//! A generation plays one opponent that all share, the centre of the generation before, on the same openings, so that
//! differences between individuals are not differences between opponents. The next generation has the best individuals
//! ([elitism]) and children: parents win a [tournament], a child lies between its parents ([arithmetic crossover]) and is
//! changed a little at random. The result is the centre of the better half, not the best individual: the one with the
//! best results was mostly lucky.
//!
//! [elitism]: https://doi.org/10.1007/978-3-662-44874-8
//! [tournament]: https://doi.org/10.1016/B978-0-08-050684-5.50008-2
//! [arithmetic crossover]: https://doi.org/10.1007/978-3-662-03315-9

use super::space::{Point, Space, mean_and_deviation, moved};
use super::tuner::{Batch, Duel, Standing, Tuner, margin};
use crate::elo::Tally;
use polyply_core::random::Random;
use serde::{Deserialize, Serialize};

/// The settings of the genetic algorithm. Sizes are in steps of the parameters.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct GeneticSettings {
    /// Pairs of games of each individual in each generation.
    pub pairs: u64,
    /// Individuals of a generation.
    pub population: usize,
    /// Individuals that the next generation takes over.
    pub elite: usize,
    /// Individuals from which a tournament chooses a parent.
    pub tournament: usize,
    /// The probability that a coordinate of a child is changed at random.
    pub mutation: f64,
    /// The standard deviation of the first generation and of the first changes.
    pub first: f64,
    /// The standard deviation of the last changes.
    pub last: f64,
}

impl Default for GeneticSettings {
    fn default() -> Self {
        GeneticSettings { pairs: 2, population: 40, elite: 2, tournament: 3, mutation: 0.5, first: 3.0, last: 0.2 }
    }
}

/// The best point is the mean of the centres of this share of the generations, the last ones.
const AVERAGED: usize = 5;

/// The state of the genetic algorithm.
pub struct Genetic {
    settings: GeneticSettings,
    units: Vec<f64>,
    generations: u64,
    generation: u64,
    random: Random,
    population: Vec<Point>,
    /// The centre of the better half of every generation, with the deviation there; the start comes first.
    centres: Vec<Standing>,
}

impl Genetic {
    /// The first generation lies around the start.
    pub fn new(space: &Space, games: u64, seed: u64, settings: GeneticSettings) -> Genetic {
        let mut random = Random::of(seed, 0);
        let (start, units) = (space.start(), space.steps());
        let mut population = vec![start.clone()];
        while population.len() < settings.population {
            let noise: Vec<f64> = units.iter().map(|unit| settings.first * unit * normal(&mut random)).collect();
            population.push(moved(&start, |axis| noise[axis]));
        }
        let centres =
            vec![Standing { best: start, deviation: units.iter().map(|unit| settings.first * unit).collect() }];
        let generations = (games / (2 * settings.pairs * settings.population as u64)).max(1);
        Genetic { settings, units, generations, generation: 0, random, population, centres }
    }

    /// The standard deviation of changes in this generation, in steps: it falls evenly.
    fn spread(&self) -> f64 {
        let GeneticSettings { first, last, .. } = self.settings;
        first + (last - first) * (self.generation as f64 / self.generations as f64).min(1.0)
    }

    /// A parent, from individuals that are sorted by their results.
    fn parent(&mut self) -> usize {
        let among = self.population.len();
        let drawn = (0..self.settings.tournament.max(1)).map(|_| self.random.below(among));
        drawn.min().unwrap_or_default()
    }

    fn child(&mut self) -> Point {
        let parents = [self.parent(), self.parent()];
        let spread = self.spread();
        let mut point = Point::with_capacity(self.units.len());
        for axis in 0..self.units.len() {
            let [one, other] = parents.map(|parent| self.population[parent][axis]);
            let share = self.random.uniform();
            let mut coordinate = share * one + (1.0 - share) * other;
            if self.random.uniform() < self.settings.mutation {
                coordinate += spread * self.units[axis] * normal(&mut self.random);
            }
            point.push(coordinate.clamp(0.0, 1.0));
        }
        point
    }
}

/// A number from the standard normal distribution, by the method of Box and Muller.
fn normal(random: &mut Random) -> f64 {
    let (radius, angle) = (1.0 - random.uniform(), random.uniform());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

impl Tuner for Genetic {
    fn propose(&mut self) -> Batch {
        let pairs = self.settings.pairs;
        let opening = self.generation * pairs;
        let opponent = &self.centres[self.centres.len() - 1].best;
        let duel = |one: &Point| Duel { one: one.clone(), other: opponent.clone(), opening };
        Batch { pairs, duels: self.population.iter().map(duel).collect() }
    }

    fn take(&mut self, batch: &Batch, results: &[Tally]) {
        let mut ranking: Vec<(f64, &Duel)> = results.iter().map(margin).zip(&batch.duels).collect();
        ranking.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        self.population = ranking.into_iter().map(|(_, duel)| duel.one.clone()).collect();
        let better = &self.population[..self.population.len().div_ceil(2)];
        let points = better.iter().map(|point| (point.as_slice(), 1.0));
        let (best, deviation) = mean_and_deviation(points, self.units.len()).unwrap_or_default();
        self.centres.push(Standing { best, deviation });
        self.generation += 1;
        let mut next: Vec<Point> = self.population.iter().take(self.settings.elite).cloned().collect();
        while next.len() < self.settings.population {
            next.push(self.child());
        }
        self.population = next;
    }

    fn standing(&self) -> Standing {
        let last = &self.centres[self.centres.len() - self.centres.len().div_ceil(AVERAGED)..];
        let points = last.iter().map(|centre| (centre.best.as_slice(), 1.0));
        let (best, _) = mean_and_deviation(points, self.units.len()).unwrap_or_default();
        Standing { best, deviation: last[last.len() - 1].deviation.clone() }
    }
}
