//! Temporal differences and eligibility traces.
//!
//! The values `v_t` of the positions of a game should foretell each other and, at last, the result. The error at `t` is the
//! temporal difference `d_t = v_{t+1} − v_t`, and every earlier position has a part in it: the eligibility trace
//! `e_t = λ·e_{t−1} + ∇v_t` says which one. The weights change by `Σ_t d_t·e_t`.
//!
//! No weight changes within a game, so the traces can be run backwards: with `c_t = d_t + λ·c_{t+1}` the same sum is
//! `Σ_t c_t·∇v_t`. That needs one number for each position in place of one for each weight.

/// The temporal differences of a game. `values` are those of its positions, `None` before a random move, and `end` is the
/// result. Where a random move lies between two positions there is no difference: neither is to blame for it.
pub(super) fn differences(values: &[Option<f32>], end: f32) -> Vec<Option<f32>> {
    let next = values.iter().copied().skip(1).chain([Some(end)]);
    values.iter().zip(next).map(|(&value, next)| Some(next? - value?)).collect()
}

/// What each position gets of its own difference and of those after it, which count `lambda` times as much with every ply.
pub(super) fn credits(differences: &[Option<f32>], lambda: f32) -> Vec<f32> {
    let mut credits = vec![0.0; differences.len()];
    let mut after = 0.0;
    for (credit, difference) in credits.iter_mut().zip(differences).rev() {
        after = difference.map_or(0.0, |difference| difference + lambda * after);
        *credit = after;
    }
    credits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up game: values, and their gradients by two weights.
    const VALUES: [f32; 6] = [0.5, 0.4, 0.7, 0.65, 0.3, 0.8];
    const GRADIENTS: [[f32; 2]; 6] = [[1.0, 0.0], [0.5, -1.0], [0.0, 2.0], [-1.0, 1.0], [3.0, 0.25], [0.1, 0.2]];
    const LAMBDA: f32 = 0.7;

    fn update(credits: &[f32], gradients: &[[f32; 2]]) -> [f32; 2] {
        std::array::from_fn(|at| credits.iter().zip(gradients).map(|(credit, gradient)| credit * gradient[at]).sum())
    }

    fn assert_near(found: [f32; 2], expected: [f32; 2]) {
        assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-5), "{found:?}, {expected:?}");
    }

    fn found(values: &[Option<f32>], end: f32, gradients: &[[f32; 2]]) -> [f32; 2] {
        update(&credits(&differences(values, end), LAMBDA), gradients)
    }

    #[test]
    fn the_update_is_the_double_sum_over_positions_and_later_differences() {
        let d: Vec<f32> = (0..6).map(|t| VALUES.get(t + 1).unwrap_or(&1.0) - VALUES[t]).collect();
        let mut expected = [0.0; 2];
        for (t, gradient) in GRADIENTS.iter().enumerate() {
            let sum: f32 = (t..6).map(|j| LAMBDA.powi((j - t) as i32) * d[j]).sum();
            (0..2).for_each(|at| expected[at] += gradient[at] * sum);
        }
        assert_near(found(&VALUES.map(Some), 1.0, &GRADIENTS), expected);
    }

    #[test]
    fn the_update_is_that_of_traces_run_forwards() {
        let (mut trace, mut expected) = ([0.0; 2], [0.0; 2]);
        for (t, gradient) in GRADIENTS.iter().enumerate() {
            let difference = VALUES.get(t + 1).unwrap_or(&1.0) - VALUES[t];
            for at in 0..2 {
                trace[at] = LAMBDA * trace[at] + gradient[at];
                expected[at] += difference * trace[at];
            }
        }
        assert_near(found(&VALUES.map(Some), 1.0, &GRADIENTS), expected);
    }

    #[test]
    fn a_random_move_ends_a_trace_and_another_one_begins_behind_it() {
        let mut values = VALUES.map(Some);
        values[2] = None;
        let before = credits(&[Some(VALUES[1] - VALUES[0])], LAMBDA);
        let behind = credits(&differences(&values[3..], 0.0), LAMBDA);
        let expected: Vec<f32> = before.into_iter().chain([0.0, 0.0]).chain(behind).collect();
        assert_eq!(credits(&differences(&values, 0.0), LAMBDA), expected);
    }

    #[test]
    fn without_lambda_a_position_learns_from_the_next_one_and_with_all_of_it_from_the_result() {
        let differences = differences(&VALUES.map(Some), 1.0);
        assert!((credits(&differences, 0.0)[2] - (VALUES[3] - VALUES[2])).abs() < 1e-6);
        assert!((credits(&differences, 1.0)[2] - (1.0 - VALUES[2])).abs() < 1e-6);
    }
}
