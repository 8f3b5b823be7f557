//! Strength from the results of games: Elo with its error ([`elo`]), sequential tests ([`sprt`]), ratings of many players
//! ([`rating`]), and methods that find better parameters by such results ([`tuners`]). Knows no game, and plays none.
//!
//! The results agree with established programs: Elo and the sequential test with
//! [fastchess](https://github.com/Disservin/fastchess), ratings with [Ordo](https://github.com/michiguel/Ordo). The
//! tests compare them.

pub mod elo;
pub mod rating;
pub mod refusals;
pub mod sprt;
pub mod tuners;

pub use elo::{Estimate, Points, Tally};
pub use rating::{Encounter, Rating, Ratings};
pub use sprt::{Decision, Model, Sprt};

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Half the width of the 95 % interval of a normal distribution, in standard deviations.
pub const CONFIDENCE_95: f64 = 1.959_963_984_540_054;

/// An estimate with its 95 % confidence interval, `value ± error`.
///
/// Both are infinite if the results do not bound it: who won every game is stronger by an unknown amount.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The number.
    pub value: f64,
    /// Its error.
    pub error: f64,
}

/// `+12.3 ± 4.5` with the requested decimals, as in `{:.1}`; `∞` for what is unbounded.
impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        match self.value {
            f64::INFINITY => f.write_str("+∞")?,
            f64::NEG_INFINITY => f.write_str("-∞")?,
            // No `-0`.
            value => write!(f, "{:+.decimals$}", value + 0.0)?,
        }
        match self.error.is_finite() {
            true => write!(f, " ± {:.decimals$}", self.error),
            false => f.write_str(" ± ∞"),
        }
    }
}

/// The mean and the variance of numbers from 0 to 1, `counts[i]` of which are `i / (counts.len() - 1)`; `None` without
/// any.
fn moments(counts: &[f64]) -> Option<(f64, f64)> {
    let total: f64 = counts.iter().sum();
    let share = |index: usize| index as f64 / (counts.len() - 1) as f64;
    let mean_of = |of: &dyn Fn(f64) -> f64| {
        counts.iter().enumerate().map(|(index, count)| of(share(index)) * count).sum::<f64>() / total
    };
    (total > 0.0).then(|| {
        let mean = mean_of(&|share| share);
        (mean, mean_of(&|share| (share - mean).powi(2)))
    })
}

/// The expected score of a player who is stronger by this many Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_written_with_its_sign_and_without_nonsense() {
        let text = |value, error| format!("{:.1}", Interval { value, error });
        assert_eq!(text(12.34, 4.56), "+12.3 ± 4.6");
        assert_eq!(text(-0.0, 0.0), "+0.0 ± 0.0");
        assert_eq!(text(f64::INFINITY, f64::INFINITY), "+∞ ± ∞");
        assert_eq!(text(-8.0, f64::INFINITY), "-8.0 ± ∞");
    }
}
