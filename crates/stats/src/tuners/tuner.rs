//! What a method of tuning is. A new one is a file that implements [`Tuner`], and a line in [`Method`].

use super::clop::{Clop, ClopSettings};
use super::genetic::{Genetic, GeneticSettings};
use super::rspsa::{Rspsa, RspsaSettings};
use super::space::{Point, Space};
use super::spsa::{Spsa, SpsaSettings};
use crate::elo::Tally;
use serde::Serialize;

/// Two points that play each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Duel {
    /// The point whose results are counted.
    pub one: Point,
    /// Its opponent.
    pub other: Point,
    /// The number of the first opening; duels with the same number play the same openings.
    pub opening: u64,
}

/// Duels that are played at once, each over this many pairs of games.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// Pairs of games in each duel.
    pub pairs: u64,
    /// The duels.
    pub duels: Vec<Duel>,
}

impl Batch {
    /// How many games that is.
    pub fn games(&self) -> u64 {
        2 * self.pairs * self.duels.len() as u64
    }
}

/// Where a tuner stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The best point so far, as far as is known.
    pub best: Point,
    /// How far each of its coordinates may be off: a standard deviation.
    pub deviation: Vec<f64>,
}

/// What a method believes of one parameter while the others stay at their best.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// The coordinate, and the Elo compared to the best point.
    pub points: Vec<(f64, f64)>,
}

/// A method of tuning. It proposes duels, is told their results, and says where it stands. The same results always lead
/// to the same proposals, so that a run can be repeated from its journal.
pub trait Tuner {
    /// What to play next.
    fn propose(&mut self) -> Batch;
    /// The results of the batch that was proposed last, one for each duel, from the side of [`Duel::one`].
    fn take(&mut self, batch: &Batch, results: &[Tally]);
    /// Where it stands.
    fn standing(&self) -> Standing;
    /// A curve for every parameter, if the method has a model of the strength.
    fn curves(&self) -> Vec<Curve> {
        Vec::new()
    }
}

/// The settings of each method.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct MethodSettings {
    /// Of SPSA.
    pub spsa: SpsaSettings,
    /// Of RSPSA.
    pub rspsa: RspsaSettings,
    /// Of CLOP.
    pub clop: ClopSettings,
    /// Of the genetic algorithm.
    pub genetic: GeneticSettings,
}

/// The methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Simultaneous perturbation stochastic approximation.
    Spsa,
    /// SPSA with a step size for each parameter, as in RPROP.
    Rspsa,
    /// Confident local optimisation.
    Clop,
    /// A genetic algorithm.
    Genetic,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [Method::Spsa, Method::Rspsa, Method::Clop, Method::Genetic];

    /// The name, as commands and files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Spsa => "spsa",
            Method::Rspsa => "rspsa",
            Method::Clop => "clop",
            Method::Genetic => "genetic",
        }
    }

    /// A tuner for a space that may play about this many games.
    pub fn tuner(self, space: &Space, games: u64, seed: u64, settings: &MethodSettings) -> Box<dyn Tuner> {
        match self {
            Method::Spsa => Box::new(Spsa::new(space, games, seed, settings.spsa)),
            Method::Rspsa => Box::new(Rspsa::new(space, games, seed, settings.rspsa)),
            Method::Clop => Box::new(Clop::new(space, seed, settings.clop)),
            Method::Genetic => Box::new(Genetic::new(space, games, seed, settings.genetic)),
        }
    }
}

/// The games won minus the games lost, as a share of all; 0 without games.
pub fn margin(tally: &Tally) -> f64 {
    let [won, _, lost] = tally.games;
    (won as f64 - lost as f64) / tally.count().max(1) as f64
}
