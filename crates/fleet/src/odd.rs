//! Workers whose pieces end unlike those of all others.
//!
//! Pieces are dealt out at random, so on honest machines of the same build the same share of them is won, drawn, lost or
//! forfeited. A worker that differs by more than chance explains has a broken clock, bad memory or other intentions.

use std::collections::{BTreeMap, HashMap};

/// A worker is judged by at least so many pieces, and against at least so many of others.
const FEWEST: u64 = 20;
/// The chance that one of all honest workers is called odd, over a whole job.
const FALSE_ALARM: f64 = 1e-4;

/// Counts how pieces end, by worker.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    workers: HashMap<String, BTreeMap<String, u64>>,
}

impl Verdicts {
    /// Counts a piece of a worker. Returns why the worker is odd, if it is by now.
    pub fn add(&mut self, worker: &str, verdict: &str) -> Option<String> {
        let mine = self.workers.entry(worker.to_owned()).or_default();
        *mine.entry(verdict.to_owned()).or_default() += 1;
        // Looking after every piece would find something in the end: look at each power of two only.
        let count: u64 = mine.values().sum();
        if count < FEWEST || !(count.is_power_of_two() || count == FEWEST) {
            return None;
        }
        self.judge(worker)
    }

    fn judge(&self, worker: &str) -> Option<String> {
        let mine = self.workers.get(worker)?;
        let mut others: BTreeMap<&str, u64> = BTreeMap::new();
        for (_, counts) in self.workers.iter().filter(|(name, _)| *name != worker) {
            counts.iter().for_each(|(verdict, count)| *others.entry(verdict).or_default() += count);
        }
        let sums = [mine.values().sum::<u64>(), others.values().sum()];
        if sums[1] < FEWEST {
            return None;
        }
        let verdicts: std::collections::BTreeSet<&str> =
            mine.keys().map(String::as_str).chain(others.keys().copied()).collect();
        let rows: Vec<[u64; 2]> = verdicts
            .iter()
            .map(|verdict| [mine.get(*verdict), others.get(verdict)].map(|count| count.copied().unwrap_or_default()))
            .collect();
        let (chi_square, freedom) = chi_square(&rows, sums);
        let chance = survival(chi_square, freedom) * self.workers.len() as f64;
        // Every worker is looked at about twenty times, at each power of two.
        (chance * 20.0 < FALSE_ALARM).then(|| {
            let share = |count: u64, sum: u64| 100.0 * count as f64 / sum as f64;
            let told: Vec<String> = verdicts
                .iter()
                .zip(&rows)
                .map(|(verdict, [mine, others])| {
                    format!("{:.0} % {verdict} ({:.0} % elsewhere)", share(*mine, sums[0]), share(*others, sums[1]))
                })
                .collect();
            let told = told.join(", ");
            format!("its {} pieces end unlike those of others: {told}, χ² {chi_square:.1}", sums[0])
        })
    }
}

/// Pearson's χ² of a table with two columns, and its degrees of freedom. Rows that are expected less than once in a column
/// are put together: the approximation fails there.
fn chi_square(rows: &[[u64; 2]], sums: [u64; 2]) -> (f64, u32) {
    let all = (sums[0] + sums[1]) as f64;
    let smallest_share = sums[0].min(sums[1]) as f64 / all;
    let mut rare = [0, 0];
    let mut kept = Vec::new();
    for row in rows {
        if (row[0] + row[1]) as f64 * smallest_share < 1.0 {
            rare = [rare[0] + row[0], rare[1] + row[1]];
        } else {
            kept.push(*row);
        }
    }
    if rare != [0, 0] {
        kept.push(rare);
    }
    let mut sum = 0.0;
    for row in &kept {
        for (count, column) in row.iter().zip(sums) {
            let expected = (row[0] + row[1]) as f64 * column as f64 / all;
            sum += (*count as f64 - expected).powi(2) / expected;
        }
    }
    (sum, kept.len().saturating_sub(1) as u32)
}

/// The chance of a χ² at least as large: `Q(k) = Q(k-2) + (x/2)^(k/2-1) e^(-x/2) / Γ(k/2)`, Abramowitz and Stegun 26.4.8.
fn survival(x: f64, freedom: u32) -> f64 {
    if freedom == 0 {
        return 1.0;
    }
    let half = x / 2.0;
    let (mut sum, first) = if freedom.is_multiple_of(2) { ((-half).exp(), 4) } else { (libm::erfc(half.sqrt()), 3) };
    for degrees in (first..=freedom).step_by(2) {
        let k = f64::from(degrees) / 2.0;
        sum += (half.ln() * (k - 1.0) - half - libm::lgamma(k)).exp();
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_tables() {
        for (x, freedom, chance) in [(3.841, 1, 0.05), (5.991, 2, 0.05), (11.345, 3, 0.01), (18.467, 4, 0.001)] {
            assert!((survival(x, freedom) - chance).abs() < 1e-4, "{x} {freedom}: {}", survival(x, freedom));
        }
        assert_eq!(survival(9.0, 0), 1.0);
    }

    /// Adds pieces of workers by a share of wins for each, in turn; returns who was found odd.
    fn odd(shares: &[u64], pieces: u64) -> Vec<usize> {
        let mut verdicts = Verdicts::default();
        let mut found = Vec::new();
        for piece in 0..pieces {
            for (worker, share) in shares.iter().enumerate() {
                // A number that looks random, and is the same every time.
                let seed = piece * 31 + worker as u64 + 1;
                let draw = (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % 100;
                let verdict = if draw < *share { "won" } else { "lost" };
                if verdicts.add(&format!("w{worker}"), verdict).is_some() && !found.contains(&worker) {
                    found.push(worker);
                }
            }
        }
        found
    }

    #[test]
    fn honest_workers_are_not_odd() {
        assert!(odd(&[50, 50, 50, 50], 2000).is_empty());
    }

    #[test]
    fn a_worker_that_loses_far_more_is() {
        assert_eq!(odd(&[50, 50, 50, 15], 300), [3]);
    }

    #[test]
    fn a_worker_that_loses_on_time_alone_is_told_so() {
        let mut verdicts = Verdicts::default();
        let mut reason = None;
        for piece in 0..64 {
            for worker in ["a", "b", "c"] {
                verdicts.add(worker, if piece % 2 == 0 { "won" } else { "lost" });
            }
            let late = if piece % 2 == 0 { "time forfeit" } else { "lost" };
            reason = reason.or(verdicts.add("slow", late));
        }
        assert!(reason.clone().unwrap_or_default().contains("time forfeit (0 % elsewhere)"), "{reason:?}");
    }

    #[test]
    fn nobody_is_judged_by_a_few_pieces_or_alone() {
        assert!(odd(&[50, 0], 10).is_empty());
        assert!(odd(&[100], 1000).is_empty());
    }
}
