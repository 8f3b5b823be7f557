//! The difference in strength of two players, from their games.

use super::{CONFIDENCE_95, Interval, moments};
use libm::erf;
use std::f64::consts::LN_10;
use std::fmt;

/// A player's points from a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Points {
    /// Nothing.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl Points {
    /// The other player's points.
    pub fn other(self) -> Points {
        match self {
            Points::Loss => Points::Win,
            Points::Draw => Points::Draw,
            Points::Win => Points::Loss,
        }
    }
}

/// The results of a match from one player's side.
///
/// The two games of a pair begin with the same opening, and each player moves first once. They are not independent: an
/// opening that favours a side gives each player a win. So strength is estimated from pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won, drawn and lost.
    pub games: [u64; 3],
    /// Pairs in which the player got 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Adds a game without a partner.
    pub fn add_game(&mut self, points: Points) {
        self.games[2 - points as usize] += 1;
    }

    /// Adds both games of a pair.
    pub fn add_pair(&mut self, pair: [Points; 2]) {
        pair.into_iter().for_each(|points| self.add_game(points));
        self.pairs[pair[0] as usize + pair[1] as usize] += 1;
    }

    /// How many games there are.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// How many whole pairs there are.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The proportion of drawn games; 0 without games.
    pub fn draw_rate(&self) -> f64 {
        self.games[1] as f64 / self.count().max(1) as f64
    }

    /// The estimate from pairs, or from single games if not all are in pairs. `None` without games.
    pub fn estimate(&self) -> Option<Estimate> {
        if 2 * self.pair_count() == self.count() {
            Estimate::of_pairs(self.pairs)
        } else {
            Estimate::of_games(self.games)
        }
    }

    /// The same results from the other player's side.
    pub fn other(&self) -> Tally {
        let mut other = *self;
        other.games.reverse();
        other.pairs.reverse();
        other
    }
}

/// `12 won, 3 drawn, 5 lost: +127 ± 80 Elo`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, drawn, lost] = self.games;
        write!(f, "{won} won, {drawn} drawn, {lost} lost")?;
        self.estimate().map_or(Ok(()), |estimate| write!(f, ": {:.0} Elo", estimate.elo))
    }
}

/// An estimate of the difference in strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Points per game.
    pub score: f64,
    /// Logistic Elo.
    pub elo: Interval,
    /// Normalised Elo: the number of games needed to detect a difference does not depend on draw rate and openings
    /// ([Van den Bergh](https://www.cantate.be/Fishtest/normalized_elo_practical.pdf)). Infinite where all results are
    /// the same.
    pub normalised: Interval,
    /// Likelihood of superiority: the probability that the player is stronger at all, from 0 to 1.
    pub los: f64,
}

impl Estimate {
    /// From games won, drawn and lost, assumed to be independent.
    pub fn of_games([won, drawn, lost]: [u64; 3]) -> Option<Estimate> {
        Estimate::of([lost, drawn, won], 1.0)
    }

    /// From pairs in which the player got 0, ½, 1, 1½ and 2 points.
    pub fn of_pairs(pairs: [u64; 5]) -> Option<Estimate> {
        Estimate::of(pairs, 2.0)
    }

    /// From trials of this many games each.
    fn of<const N: usize>(counts: [u64; N], games: f64) -> Option<Estimate> {
        let trials = counts.iter().sum::<u64>() as f64;
        let counts = counts.map(|count| count as f64);
        let (score, variance) = moments(&counts)?;
        let deviation = (cautious_variance(counts, trials).unwrap_or(variance) / trials).sqrt();
        let [low, high] = [-1.0, 1.0].map(|sign| score + sign * CONFIDENCE_95 * deviation);
        let elo = Interval { value: logistic(score), error: (logistic(high) - logistic(low)) / 2.0 };
        let normalised = |score: f64| (score - 0.5) / (games * variance).sqrt() * NORMALISED;
        let surely = |above: f64| if above == 0.0 { 0.5 } else { (1.0 + erf(above / deviation / 2f64.sqrt())) / 2.0 };
        Some(Estimate {
            score,
            elo: elo.or_open(),
            normalised: Interval {
                value: if score == 0.5 { 0.0 } else { normalised(score) },
                error: (normalised(high) - normalised(low)) / 2.0,
            }
            .or_open(),
            los: surely(score - 0.5),
        })
    }
}

/// Fewer trials than this say little about their own variance.
const FEW: f64 = 30.0;

/// The variance of a few trials as if two more had been lost and won. Two pairs with the same result have no variance, but
/// prove nothing.
fn cautious_variance<const N: usize>(mut counts: [f64; N], trials: f64) -> Option<f64> {
    if trials < FEW {
        counts[0] += 1.0;
        counts[N - 1] += 1.0;
    }
    moments(&counts).map(|(_, variance)| variance)
}

/// Normalised Elo of a score that is one standard deviation of a game above ½.
pub(super) const NORMALISED: f64 = 800.0 / LN_10;

/// The Elo difference of a score; NaN outside of 0 to 1.
fn logistic(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

impl Interval {
    /// If one end of the interval is no possible score, the error is infinite.
    fn or_open(self) -> Interval {
        let open = |number: f64| if number.is_nan() { f64::INFINITY } else { number };
        Interval { value: self.value, error: open(self.error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_pairs_are_counted_by_what_was_scored() {
        let mut tally = Tally::default();
        tally.add_pair([Points::Win, Points::Loss]);
        tally.add_pair([Points::Draw, Points::Win]);
        assert_eq!((tally.games, tally.pairs), ([2, 1, 1], [0, 0, 1, 1, 0]));
        assert_eq!(tally.estimate(), Estimate::of_pairs(tally.pairs));
        assert_eq!(tally.other().pairs, [0, 1, 1, 0, 0]);
        tally.add_game(Points::Draw);
        assert_eq!(tally.estimate(), Estimate::of_games([2, 2, 1]), "a game without its partner");
        assert_eq!(tally.draw_rate(), 0.4);
    }

    #[test]
    fn three_points_of_four_are_191_elo() {
        let estimate = Estimate::of_pairs([0, 0, 0, 50, 0]).unwrap();
        assert_eq!(format!("{:.2}", estimate.elo), "+190.85 ± 0.00");
    }

    #[test]
    fn a_handful_of_games_proves_nothing() {
        let estimate = Estimate::of_pairs([0, 0, 0, 2, 0]).unwrap();
        assert!(estimate.elo.error > 200.0 && estimate.los < 0.95, "{estimate:?}");
        let estimate = Estimate::of_pairs([0, 0, 0, 1, 3]).unwrap();
        assert!(estimate.los < 0.999, "{estimate:?}");
    }

    #[test]
    fn a_tally_is_told_in_a_line() {
        let mut tally = Tally::default();
        assert_eq!(tally.to_string(), "0 won, 0 drawn, 0 lost");
        tally.add_pair([Points::Win, Points::Win]);
        assert_eq!(tally.to_string(), "2 won, 0 drawn, 0 lost: +∞ ± ∞ Elo");
    }
}
