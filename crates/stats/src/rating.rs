//! Ratings of many players from any set of games between them.
//!
//! As in Ordo: expected scores follow the logistic curve, with the same advantage of moving first for all players; the
//! ratings are those whose expected scores equal the actual scores (maximum likelihood, a draw counted as half a win
//! and half a loss). The draw rate follows [Davidson](https://doi.org/10.1080/01621459.1970.10481082): draws are
//! `ν √(wins · losses)`, so the closer the players, the more draws.
//!
//! Errors come from the curvature of the likelihood and the variance of the results, draws included. Ordo simulates
//! them; both agree.

use super::{CONFIDENCE_95, Interval, expected_score};

/// Games of two players with the same first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// The first player, by index.
    pub first: usize,
    /// The opponent.
    pub second: usize,
    /// Games that the first won, drew and lost.
    pub games: [u64; 3],
}

impl Encounter {
    fn count(&self) -> f64 {
        self.games.iter().sum::<u64>() as f64
    }

    fn points(&self) -> f64 {
        self.games[0] as f64 + self.games[1] as f64 / 2.0
    }
}

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo relative to the average of the connected players, with the error of this difference. The error is infinite
    /// for players who won or lost every game: they get the rating at which this had a probability of one half.
    pub elo: Interval,
}

/// The ratings of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// A rating for each player; `None` for those whose games don't connect them with the others.
    pub players: Vec<Option<Rating>>,
    /// The advantage of moving first, in Elo; the error is infinite if the games do not determine it.
    pub first_move: Interval,
    /// The draw rate of equal players without the advantage of moving first.
    pub draw_rate: f64,
}

impl Ratings {
    /// Rates players by their games.
    pub fn of(players: usize, encounters: &[Encounter]) -> Ratings {
        let members = largest_group(players, encounters);
        let inside: Vec<Encounter> =
            encounters.iter().filter(|met| members[met.first] && members[met.second]).copied().collect();
        let mut fit = Fit::new(players, inside);
        fit.find();
        let draw_rate = fit.draw_rate();
        let errors = fit.errors(draw_rate);
        let mut ratings: Vec<Option<Rating>> = (0..players)
            .map(|player| {
                let elo = Interval { value: fit.theta[player], error: errors[player] };
                members[player].then_some(Rating { elo })
            })
            .collect();
        let unknown = fit.encounters.is_empty();
        let first_move =
            Interval { value: fit.theta[players], error: if unknown { f64::INFINITY } else { errors[players] } };
        rate_the_perfect(&mut ratings, encounters, first_move.value, draw_rate);
        Ratings { players: ratings, first_move, draw_rate }
    }
}

/// The largest strongly connected group, where an edge means that a player scored against another: only within such a
/// group are ratings finite. All false if there is none.
fn largest_group(players: usize, encounters: &[Encounter]) -> Vec<bool> {
    let mut scored = vec![vec![false; players]; players];
    for met in encounters {
        scored[met.first][met.second] |= met.games[0] + met.games[1] > 0;
        scored[met.second][met.first] |= met.games[1] + met.games[2] > 0;
    }
    for via in 0..players {
        let beyond = scored[via].clone();
        for row in scored.iter_mut().filter(|row| row[via]) {
            row.iter_mut().zip(&beyond).for_each(|(reached, further)| *reached |= further);
        }
    }
    let group = |player: usize| -> Vec<bool> {
        (0..players).map(|other| scored[player][other] && scored[other][player]).collect()
    };
    let size = |group: &Vec<bool>| group.iter().filter(|&&member| member).count();
    // The first of equally large groups.
    let groups = (0..players).rev().map(group);
    groups.max_by_key(size).unwrap_or_default()
}

/// Converts Elo to the natural scale of the logistic curve.
const BETA: f64 = std::f64::consts::LN_10 / 400.0;
/// A prior on the advantage of moving first. It is so weak (half a hundredth of a game) that it matters only if the
/// first player won every game: without it the advantage would be infinite.
const FIRST_MOVE_PRIOR: f64 = 1.0 / (5000.0 * 5000.0);
/// Newton's method converges in a handful of steps; this many are never needed.
const MOST_STEPS: usize = 100;
/// The longest step in Elo; longer ones would overshoot far from the solution.
const LONGEST_STEP: f64 = 200.0;

/// The ratings of connected players and, last, the advantage of moving first.
struct Fit {
    encounters: Vec<Encounter>,
    theta: Vec<f64>,
}

impl Fit {
    fn new(players: usize, encounters: Vec<Encounter>) -> Fit {
        Fit { encounters, theta: vec![0.0; players + 1] }
    }

    fn expected(&self, met: &Encounter) -> f64 {
        let advantage = self.theta[self.theta.len() - 1];
        expected_score(self.theta[met.first] + advantage - self.theta[met.second])
    }

    /// A symmetric matrix: the sum over the encounters of `weight · x xᵀ`, where `x` says how ratings and advantage
    /// enter the difference.
    fn sum(&self, weight: &dyn Fn(&Encounter) -> f64) -> Matrix {
        let size = self.theta.len();
        let mut sum = vec![vec![0.0; size]; size];
        for met in &self.encounters {
            let entries = [(met.first, 1.0), (met.second, -1.0), (size - 1, 1.0)];
            for (row, left) in entries {
                for (column, right) in entries {
                    sum[row][column] += weight(met) * left * right;
                }
            }
        }
        sum
    }

    /// The inverse of the Fisher information. The average is held at 0, because games do not determine it.
    fn covariance(&self) -> Matrix {
        let advantage = self.theta.len() - 1;
        let mut information =
            self.sum(&|met| BETA * BETA * met.count() * self.expected(met) * (1.0 - self.expected(met)));
        let scale = BETA * BETA;
        let member: Vec<bool> = (0..advantage).map(|player| information[player][player] > 0.0).collect();
        for row in 0..advantage {
            for column in 0..advantage {
                if member[row] && member[column] {
                    information[row][column] += scale;
                }
            }
            if !member[row] {
                information[row][row] = 1.0;
            }
        }
        information[advantage][advantage] += FIRST_MOVE_PRIOR;
        inverse(information)
    }

    /// Newton's method on the likelihood.
    fn find(&mut self) {
        let advantage = self.theta.len() - 1;
        for _ in 0..MOST_STEPS {
            let mut gradient = vec![0.0; self.theta.len()];
            for met in &self.encounters {
                let missing = BETA * (met.points() - met.count() * self.expected(met));
                gradient[met.first] += missing;
                gradient[met.second] -= missing;
                gradient[advantage] += missing;
            }
            gradient[advantage] -= FIRST_MOVE_PRIOR * self.theta[advantage];
            let mut step = times(&self.covariance(), &gradient);
            let longest = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
            let shorter = (LONGEST_STEP / longest).min(1.0);
            step.iter_mut().for_each(|part| *part *= shorter);
            self.theta.iter_mut().zip(&step).for_each(|(theta, part)| *theta += part);
            if longest < 1e-9 {
                break;
            }
        }
    }

    /// The draw rate of equal players under which the expected number of draws is the actual one.
    fn draw_rate(&self) -> f64 {
        let drawn: f64 = self.encounters.iter().map(|met| met.games[1] as f64).sum();
        let expected = |rate: f64| -> f64 {
            self.encounters.iter().map(|met| met.count() * draws(self.expected(met), rate)).sum()
        };
        bisect(0.0, 1.0, &|rate| expected(rate) < drawn)
    }

    /// The 95 % errors of all ratings and of the advantage.
    fn errors(&self, draw_rate: f64) -> Vec<f64> {
        let variance = |met: &Encounter| {
            let score = self.expected(met);
            BETA * BETA * met.count() * (score * (1.0 - score) - draws(score, draw_rate) / 4.0)
        };
        let (covariance, spread) = (self.covariance(), self.sum(&variance));
        let error = |row: &Vec<f64>| {
            let variance: f64 = times(&spread, row).iter().zip(row).map(|(left, right)| left * right).sum();
            CONFIDENCE_95 * variance.max(0.0).sqrt()
        };
        covariance.iter().map(error).collect()
    }
}

/// The draw rate at an expected score, given the draw rate of equal players.
fn draws(score: f64, even: f64) -> f64 {
    let reach = 4.0 * score * (1.0 - score);
    // Of `d² = ν² (score - d/2) (1 - score - d/2)` with `ν = 2 even / (1 - even)`, the root that is a probability.
    even * reach / (even + (even * even + (1.0 - 2.0 * even) * reach).max(0.0).sqrt()).max(f64::MIN_POSITIVE)
}

/// Rates players who won or lost every game: at the rating that gives this a probability of one half.
fn rate_the_perfect(ratings: &mut [Option<Rating>], encounters: &[Encounter], first_move: f64, draw_rate: f64) {
    for player in 0..ratings.len() {
        if ratings[player].is_some() {
            continue;
        }
        // The difference to each opponent for a player of rating 0, and the games won, drawn and lost.
        let met: Vec<(f64, [u64; 3])> = encounters
            .iter()
            .filter_map(|met| {
                let [won, drawn, lost] = met.games;
                let (other, advantage, games) = match player {
                    _ if met.first == player => (met.second, first_move, [won, drawn, lost]),
                    _ if met.second == player => (met.first, -first_move, [lost, drawn, won]),
                    _ => return None,
                };
                // A player with a perfect score is no measure for another.
                let rating = ratings[other].filter(|rating| rating.elo.error.is_finite())?;
                Some((advantage - rating.elo.value, games))
            })
            .collect();
        let sum = |index: usize| met.iter().map(|(_, games)| games[index]).sum::<u64>();
        let all_won = match (sum(0), sum(1), sum(2)) {
            (1.., 0, 0) => true,
            (0, 0, 1..) => false,
            _ => continue,
        };
        let likelihood = |elo: f64| -> f64 {
            let each = met.iter().map(|(difference, games)| {
                let score = expected_score(elo + difference);
                let score = if all_won { score } else { 1.0 - score };
                games.iter().sum::<u64>() as f64 * (score - draws(score, draw_rate) / 2.0).max(f64::MIN_POSITIVE).ln()
            });
            each.sum()
        };
        let half = 0.5f64.ln();
        let value = bisect(-10_000.0, 10_000.0, &|elo| (likelihood(elo) < half) == all_won);
        ratings[player] = Some(Rating { elo: Interval { value, error: f64::INFINITY } });
    }
}

/// The point between two numbers where a condition stops being true.
fn bisect(mut low: f64, mut high: f64, below: &dyn Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

type Matrix = Vec<Vec<f64>>;

fn times(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(left, right)| left * right).sum()).collect()
}

/// The inverse of a positive definite matrix by elimination; such a matrix needs no pivoting.
fn inverse(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    let mut inverse: Matrix =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for pivot in 0..size {
        let scale = 1.0 / matrix[pivot][pivot];
        for part in [&mut matrix, &mut inverse] {
            part[pivot].iter_mut().for_each(|entry| *entry *= scale);
        }
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for part in [&mut matrix, &mut inverse] {
                let pivot_row = part[pivot].clone();
                part[row].iter_mut().zip(pivot_row).for_each(|(entry, above)| *entry -= factor * above);
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(first: usize, second: usize, games: [u64; 3]) -> Encounter {
        Encounter { first, second, games }
    }

    #[test]
    fn those_who_did_not_meet_anybody_are_not_rated() {
        let ratings = Ratings::of(4, &[met(0, 1, [3, 2, 1]), met(2, 3, [1, 0, 0])]);
        let rated: Vec<bool> = ratings.players.iter().map(Option::is_some).collect();
        assert_eq!(rated, [true, true, false, false]);
        assert_eq!(Ratings::of(0, &[]).players, []);
        let apart = Ratings::of(2, &[met(0, 1, [5, 0, 0])]);
        assert_eq!((apart.players, apart.first_move.error), (vec![None, None], f64::INFINITY), "as far as can be");
    }

    #[test]
    fn an_advantage_of_the_first_move_that_decides_every_game_stays_finite() {
        let ratings = Ratings::of(2, &[met(0, 1, [50, 0, 0]), met(1, 0, [50, 0, 0])]);
        let first_move = ratings.first_move.value;
        assert!(first_move > 500.0 && first_move.is_finite(), "{first_move}");
        assert!(ratings.players.iter().all(|rating| rating.unwrap().elo.value.abs() < 1e-6));
    }
}
