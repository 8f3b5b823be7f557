//! Measures how well short searches predict longer ones, for Multi-ProbCut.
//!
//! Positions are searched depth by depth without selective pruning. The difference of the scores at two depths of the
//! same parity is an error; the standard deviation of the errors is fitted by a plane over both depths and the number
//! of remaining moves. Late positions are also solved, which gives a second plane for predictions of the final result.

use super::replay::{self, Spot, replay};
use crate::{LabError, refusals};
use polyply_core::random::Random;
use polyply_engine::learning::{Features, Kind};
use polyply_engine::{Board, Bound, Engine, Limits, Options, Request, Side, Variant};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The standard deviation of normally distributed errors is their mean absolute value times this.
const DEVIATION: f64 = 1.2533;
/// Megabytes of the table.
const HASH: usize = 32;

/// The standard deviation as a plane: `base + deep · depth + short · depth' + remaining · moves left`, in units of the
/// evaluation.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Plane {
    /// The number of errors it was fitted to.
    pub errors: usize,
    /// The constant.
    pub base: f64,
    /// For every ply of the deep search.
    pub deep: f64,
    /// For every ply of the short one.
    pub short: f64,
    /// For every remaining move.
    pub remaining: f64,
    /// The mean of deep minus short.
    pub bias: f64,
}

/// Random positions of games, after their last random moves. A position may be drawn several times.
pub fn positions(variant: &Variant, paths: &[PathBuf], count: usize, seed: u64) -> Result<Vec<Board>, LabError> {
    variant.prediction_test()?;
    let mut spots: Vec<Spot> = Vec::new();
    let mut features = Features::default();
    replay(variant, paths, &mut |game| {
        let (from, first) = (game.steady(), spots.len());
        game.each(|board, at| {
            if at >= from && variant.features(board, Some(game.moves[at]), &mut features)? {
                spots.push((game.number, at));
            }
            Ok(())
        })?;
        // Last position first, as in the samples of a loss of squares: the same seed draws the same positions.
        spots[first..].reverse();
        Ok(())
    })?;
    if spots.is_empty() {
        return Err(LabError::Call(refusals::nothing_to_learn()));
    }
    let mut random = Random::of(seed, 0);
    let drawn: Vec<Spot> = (0..count).map(|_| spots[random.scaled(spots.len())]).collect();
    let boards = replay::boards(variant, paths, &drawn)?;
    Ok(drawn.iter().filter_map(|spot| boards.get(spot).cloned()).collect())
}

/// The planes for the middle game and for the end, from these positions. `progress` is called with the number done.
pub fn errors(
    variant: &Variant,
    boards: &[Board],
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<[Plane; 2], LabError> {
    let measuring = variant.prediction_test()?;
    let depth = measuring.depth;
    let mut engine = Engine::new(variant, &Options { hash: HASH, ..Options::default() })?;
    engine.set_option("EvalCache", "0")?;
    for off in measuring.off {
        engine.set_option(off, "0")?;
    }
    let (mut middle, mut end) = (Vec::new(), Vec::new());
    for (number, board) in boards.iter().enumerate() {
        if stop.load(Relaxed) {
            break;
        }
        progress(number as u64);
        let remaining = variant.remaining(board)?;
        if !measuring.searched.contains(&remaining) {
            continue;
        }
        let own = |value: i32| if board.side() == Side::First { value } else { -value };
        engine.flush();
        engine.new_game();
        let mut values = vec![None; depth as usize + 1];
        let limits = Limits::depth(depth.min(remaining - 1));
        engine.search(&Request { limits, ..Request::new(board) }, &mut |info| {
            if info.bound == Bound::Exact {
                values[info.depth as usize] = Some(own(info.value));
            }
        })?;
        for deep in 1..=depth {
            for short in (1..=deep - 2).rev().step_by(2) {
                if let (Some(deep_value), Some(short_value)) = (values[deep as usize], values[short as usize]) {
                    middle.push(([deep, short, remaining], deep_value - short_value));
                }
            }
        }
        if measuring.solved.contains(&remaining) && board.outcome().is_none() {
            let best = engine.search(&Request { limits: Limits::default(), ..Request::new(board) }, &mut |_| ())?;
            let truth = own(best.value.unwrap_or_default());
            for short in 1..=depth {
                if let Some(value) = values[short as usize] {
                    end.push(([0, short, remaining], truth - value));
                }
            }
        }
    }
    Ok([plane(&middle), plane(&end)])
}

/// The text of a file: the weights of the variant with these planes.
pub fn text(variant: &Variant, planes: &[Plane; 2], about: &[String]) -> Result<String, LabError> {
    let row = |plane: &Plane| [plane.base, plane.deep, plane.short, plane.remaining].map(|number| number as f32);
    let numbers: Vec<f32> = planes.iter().flat_map(row).collect();
    Ok(variant.weights_text(Kind::Probcut, &numbers, 100, about)?)
}

/// The plane through the errors, by least squares.
fn plane(errors: &[([i32; 3], i32)]) -> Plane {
    let mut sums = [[0.0; 5]; 4];
    let mut bias = 0.0;
    for &([depth, short, remaining], error) in errors {
        let row = [1.0, f64::from(depth), f64::from(short), f64::from(remaining)];
        let spread = DEVIATION * f64::from(error.abs());
        bias += f64::from(error);
        for (line, left) in sums.iter_mut().zip(row) {
            for (sum, right) in line.iter_mut().zip(row) {
                *sum += left * right;
            }
            line[4] += left * spread;
        }
    }
    // Slopes that the errors do not determine become 0.
    for (index, line) in sums.iter_mut().enumerate() {
        line[index] += 1e-6;
    }
    let [base, deep, short, remaining] = solve(sums);
    Plane { errors: errors.len(), base, deep, short, remaining, bias: bias / errors.len().max(1) as f64 }
}

/// Solves four linear equations by Gaussian elimination.
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
        for (found, given) in [(found.base, 300.0), (found.deep, 20.0), (found.short, -30.0), (found.remaining, -4.0)] {
            assert!((found - given).abs() < 1.0, "{found} for {given}");
        }
    }
}
