//! The sequential probability ratio test: plays only until it is clear which of two hypotheses holds.
//!
//! The first hypothesis is that the difference is `elo0`, the second that it is `elo1`. After every pair, their
//! log-likelihood ratio says how much better the second explains the results; the test ends when the ratio leaves the
//! bounds. A difference of `elo0` or less passes with a probability of at most `alpha`; one of `elo1` or more fails
//! with at most `beta`. It is the generalised ratio: nuisance parameters (draw rate, influence of openings) take the
//! values that fit the results best under each hypothesis.

use super::elo::NORMALISED;
use super::expected_score;
use crate::refusals;
use polyply_core::refusal::Refusal;
use std::str::FromStr;

/// The scale in which hypotheses are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Logistic Elo, from points per game.
    #[default]
    Logistic,
    /// Normalised Elo, see [`super::Estimate::normalised`].
    Normalised,
}

impl Model {
    /// `logistic` or `normalised`.
    pub fn name(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalised => "normalised",
        }
    }
}

/// The decision of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Play on.
    Continue,
    /// The difference is `elo0` or less.
    Fails,
    /// The difference is `elo1` or more.
    Passes,
}

impl Decision {
    /// `continue`, `fails` or `passes`.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Continue => "continue",
            Decision::Fails => "fails",
            Decision::Passes => "passes",
        }
    }
}

/// A test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The hypothesis that there is nothing to gain.
    pub elo0: f64,
    /// The hypothesis that there is.
    pub elo1: f64,
    /// The largest probability of rejecting the first hypothesis although it is true.
    pub alpha: f64,
    /// The same for the second.
    pub beta: f64,
    /// The scale of both.
    pub model: Model,
}

impl Sprt {
    /// A test, or what is wrong with it.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, Refusal> {
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(refusals::sequential_elo());
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(refusals::sequential_errors());
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The bounds: it ends at or below the first, at or above the second.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio of pairs with 0, ½, 1, 1½ and 2 points.
    pub fn llr(&self, pairs: [u64; 5]) -> f64 {
        self.ratio(pairs, 2.0)
    }

    /// The same for games won, drawn and lost that are not played in pairs.
    pub fn llr_of_games(&self, [won, drawn, lost]: [u64; 3]) -> f64 {
        self.ratio([lost, drawn, won], 1.0)
    }

    /// The decision at a ratio.
    pub fn decide(&self, llr: f64) -> Decision {
        let [low, high] = self.bounds();
        match llr {
            llr if llr >= high => Decision::Passes,
            llr if llr <= low => Decision::Fails,
            _ => Decision::Continue,
        }
    }

    fn ratio<const N: usize>(&self, counts: [u64; N], games: f64) -> f64 {
        // Results that never occurred may still be possible.
        let counts = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let [p0, p1] = [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Logistic => with_mean(&seen, expected_score(elo)),
            Model::Normalised => with_deviations(&seen, games.sqrt() * elo / NORMALISED),
        });
        total * (0..N).map(|i| seen[i] * (p1[i] / p0[i]).ln()).sum::<f64>()
    }
}

/// `0,5`, or `0,5,0.05,0.1` with alpha and beta; either may be followed by `,normalised` or `,logistic`.
impl FromStr for Sprt {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Sprt, Refusal> {
        let mut parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let model = match parts.last() {
            Some(&"logistic") => Some(Model::Logistic),
            Some(&"normalised" | &"normalized") => Some(Model::Normalised),
            _ => None,
        };
        parts.truncate(parts.len() - usize::from(model.is_some()));
        let model = model.unwrap_or_default();
        let numbers: Option<Vec<f64>> = parts.iter().map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[elo0, elo1]) => Sprt::new(elo0, elo1, 0.05, 0.05, model),
            Some(&[elo0, elo1, alpha, beta]) => Sprt::new(elo0, elo1, alpha, beta, model),
            _ => Err(refusals::sequential_form(text)),
        }
    }
}

/// The score of the `index`-th of `N` results, from 0 to 1.
fn share<const N: usize>(index: usize) -> f64 {
    index as f64 / (N - 1) as f64
}

/// The distribution with this mean that fits the results best ([Van den Bergh, proposition
/// 1.1](https://www.cantate.be/Fishtest/comparing_approximations.pdf)).
fn with_mean<const N: usize>(seen: &[f64; N], mean: f64) -> [f64; N] {
    tilted(seen, &std::array::from_fn(|i| share::<N>(i) - mean))
}

/// The distribution whose mean is this many standard deviations above ½ that fits the results best ([Van den Bergh,
/// section 4.1](https://www.cantate.be/Fishtest/normalized_elo_practical.pdf)): the condition is linearised
/// around the last solution until it converges.
fn with_deviations<const N: usize>(seen: &[f64; N], deviations: f64) -> [f64; N] {
    let mut guess = [1.0 / N as f64; N];
    for _ in 0..MOST_GUESSES {
        let (mean, variance) = super::moments(&guess).unwrap_or((0.5, 0.0));
        let sigma = variance.sqrt();
        let condition = std::array::from_fn(|i| {
            let off = (share::<N>(i) - mean) / sigma;
            share::<N>(i) - 0.5 - 0.5 * deviations * sigma * (1.0 + off * off)
        });
        let next = tilted(seen, &condition);
        let change = (0..N).map(|i| (next[i] - guess[i]).abs()).fold(0.0, f64::max);
        guess = next;
        if change < CLOSE_ENOUGH {
            break;
        }
    }
    guess
}

/// As in fastchess. Other values would change the ratio for extreme results.
const MOST_GUESSES: usize = 10;
const CLOSE_ENOUGH: f64 = 1e-4;
/// The number of bisections: more than a float has bits.
const HALVINGS: u32 = 60;

/// `p[i] = seen[i] / (1 + θ condition[i])`, with the θ for which the condition is 0 on average.
fn tilted<const N: usize>(seen: &[f64; N], condition: &[f64; N]) -> [f64; N] {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for &value in condition {
        (least, most) = (least.min(value), most.max(value));
    }
    // Between these no probability is negative, and the average falls from +∞ to -∞.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = (low + high) / 2.0;
    for _ in 0..HALVINGS {
        let average: f64 = (0..N).map(|i| seen[i] * condition[i] / (1.0 + theta * condition[i])).sum();
        if average > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        theta = (low + high) / 2.0;
    }
    std::array::from_fn(|i| seen[i] / (1.0 + theta * condition[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_read_as_it_is_written() {
        let usual: Sprt = "0, 5".parse().unwrap();
        assert_eq!(usual, Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic });
        let other: Sprt = "-1.75,0.25,0.05,0.1,normalised".parse().unwrap();
        assert_eq!(other, Sprt { elo0: -1.75, elo1: 0.25, alpha: 0.05, beta: 0.1, model: Model::Normalised });
    }

    #[test]
    fn what_is_no_test_is_refused_in_a_sentence() {
        let cases =
            [("5", "elo0,elo1"), ("0,x", "`0,x`"), ("5,0", "smaller"), ("0,nan", "finite"), ("0,5,0.6,0.5", "alpha")];
        for (text, says) in cases {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn it_ends_at_its_bounds() {
        let sprt: Sprt = "0,5".parse().unwrap();
        let [low, high] = sprt.bounds();
        assert_eq!(format!("{low:.3} {high:.3}"), "-2.944 2.944");
        let decisions = [low, low + 0.01, high - 0.01, high].map(|llr| sprt.decide(llr));
        assert_eq!(decisions, [Decision::Fails, Decision::Continue, Decision::Continue, Decision::Passes]);
    }
}
