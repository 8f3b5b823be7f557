//! How far short searches are off as predictions of longer ones, for Multi-ProbCut.
//!
//! Positions of self-play are searched without anything that prunes, depth by depth; of every two depths of the same
//! parity the difference is an error, and the spread of the errors is fitted by a plane over both depths and the number of
//! empty squares. Late positions are solved as well, so that the plane of the end is known.

use super::samples::Samples;
use crate::LabError;
use polyply_core::clock::Limits;
use polyply_core::game::{Game, Side};
use polyply_core::params::ParamSet;
use polyply_core::random::Random;
use polyply_core::table::{Bound, EvalCache, SearchTt};
use polyply_core::{Searcher, Task};
use polyply_othello::{Evaluator, Othello, Weights};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The deepest search.
const DEPTH: i32 = 10;
/// Positions with so many empty squares or fewer are solved.
const SOLVED: std::ops::RangeInclusive<u32> = 13..=20;
/// Mean absolute error times this is the standard deviation, if errors are normal.
const DEVIATION: f64 = 1.2533;
/// Bytes of the table.
const TABLE: usize = 32 << 20;

/// A plane: the standard deviation in hundredths of a disc is `base + deep · depth + short · depth' + empty · empties`.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// How many errors it was fitted to.
    pub errors: usize,
    /// The constant and the three slopes.
    pub base: f64,
    /// For every ply of the deep search.
    pub deep: f64,
    /// For every ply of the short one.
    pub short: f64,
    /// For every empty square.
    pub empty: f64,
    /// The mean of deep minus short.
    pub bias: f64,
}

/// The planes of the middle game and of the end, from so many positions; `told` hears how many are done.
pub fn errors(
    samples: &Samples,
    weights: Option<&'static Weights>,
    positions: usize,
    seed: u64,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> Result<[Plane; 2], LabError> {
    let table = Arc::new(SearchTt::new(TABLE));
    let mut searcher = Searcher::<Othello>::new(Evaluator::new(weights), table, Arc::new(EvalCache::off()));
    let mut params = searcher.params().clone();
    for off in ["multi_probcut", "lmr", "reverse_futility", "iir"] {
        params.set(off, 0).map_err(|error| LabError::Run(error.to_string()))?;
    }
    searcher.set_params(params);
    let mut random = Random::of(seed, 0);
    let (mut middle, mut end) = (Vec::new(), Vec::new());
    for number in 0..positions {
        if stop.load(Relaxed) {
            break;
        }
        told(number as u64);
        let board = samples.positions[random.scaled(samples.positions.len())].board;
        let (game, empties) = (Othello::new(board, Side::First), board.empties());
        if empties < *SOLVED.start() || empties > 52 {
            continue;
        }
        searcher.table().flush();
        searcher.new_game();
        let mut values = [None; DEPTH as usize + 1];
        searcher.search(&game, &Task::new(Limits::depth(DEPTH.min(empties as i32 - 1))), &mut |info| {
            if info.bound == Bound::Exact {
                values[info.depth as usize] = Some(info.score.value());
            }
        });
        for depth in 1..=DEPTH {
            for short in (1..=depth - 2).rev().step_by(2) {
                if let (Some(deep_value), Some(short_value)) = (values[depth as usize], values[short as usize]) {
                    middle.push(([depth, short, empties as i32], deep_value - short_value));
                }
            }
        }
        if SOLVED.contains(&empties) && game.outcome().is_none() {
            let truth = searcher.search(&game, &Task::new(Limits::default()), &mut |_| ()).score().unwrap_or_default();
            for short in 1..=DEPTH {
                if let Some(value) = values[short as usize] {
                    end.push(([0, short, empties as i32], truth.value() - value));
                }
            }
        }
    }
    Ok([plane(&middle), plane(&end)])
}

/// The plane through the errors, by least squares.
fn plane(errors: &[([i32; 3], i32)]) -> Plane {
    let mut sums = [[0.0; 5]; 4];
    let mut bias = 0.0;
    for &([depth, short, empties], error) in errors {
        let row = [1.0, f64::from(depth), f64::from(short), f64::from(empties)];
        let spread = DEVIATION * f64::from(error.abs());
        bias += f64::from(error);
        for (line, left) in sums.iter_mut().zip(row) {
            for (sum, right) in line.iter_mut().zip(row) {
                *sum += left * right;
            }
            line[4] += left * spread;
        }
    }
    // A slope that nothing speaks for is 0.
    for (index, line) in sums.iter_mut().enumerate() {
        line[index] += 1e-6;
    }
    let [base, deep, short, empty] = solve(sums);
    Plane { errors: errors.len(), base, deep, short, empty, bias: bias / errors.len().max(1) as f64 }
}

/// Four equations with four unknowns, by elimination.
fn solve(mut lines: [[f64; 5]; 4]) -> [f64; 4] {
    for pivot in 0..4 {
        let best = (pivot..4).max_by(|&a, &b| lines[a][pivot].abs().total_cmp(&lines[b][pivot].abs())).unwrap_or(pivot);
        lines.swap(pivot, best);
        let upper = lines[pivot];
        for (index, line) in lines.iter_mut().enumerate() {
            if index != pivot {
                let times = line[pivot] / upper[pivot];
                for (value, above) in line.iter_mut().zip(upper) {
                    *value -= times * above;
                }
            }
        }
    }
    std::array::from_fn(|index| lines[index][4] / lines[index][index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_found_again() {
        let errors: Vec<_> = (0..4000)
            .map(|number| {
                let place = [3 + number % 7, 1 + number / 7 % 3, 13 + number / 21 % 30];
                let deviation = 300 + 20 * place[0] - 30 * place[1] - 4 * place[2];
                let error = (f64::from(deviation) / DEVIATION).round() as i32;
                (place, if number % 2 == 0 { error } else { -error })
            })
            .collect();
        let found = plane(&errors);
        for (found, given) in [(found.base, 300.0), (found.deep, 20.0), (found.short, -30.0), (found.empty, -4.0)] {
            assert!((found - given).abs() < 1.0, "{found} for {given}");
        }
    }
}
