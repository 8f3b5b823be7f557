//! Logistic regression on a quadratic function, with weights and a Gaussian prior.

/// A quadratic function of coordinates from 0 to 1: a constant, a linear and a square term for each, and products of
/// each two where parameters are taken to depend on each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Quadratic {
    dimensions: usize,
    products: bool,
    terms: Vec<f64>,
}

/// A result at a point: the share of points won, in so many games, and how much it counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Observation {
    /// The terms of the point, see [`Quadratic::expand`].
    pub terms: Vec<f64>,
    /// The share of points won.
    pub score: f64,
    /// The number of games.
    pub games: f64,
    /// How much it counts, from 0 to 1.
    pub weight: f64,
}

/// The precision of the prior on every term but the constant: the function is flat until games say otherwise.
const PRIOR: f64 = 0.01;
/// Newton's method converges in a few steps, more so from the last solution.
const MOST_STEPS: usize = 20;
/// Further steps would change nothing that matters.
const SMALL: f64 = 1e-4;
/// The longest step of a term. Longer ones overshoot where the results are all won or all lost.
const LONGEST: f64 = 5.0;

impl Quadratic {
    /// A flat function.
    pub fn new(dimensions: usize, products: bool) -> Quadratic {
        let mut quadratic = Quadratic { dimensions, products, terms: Vec::new() };
        quadratic.terms = vec![0.0; quadratic.expand(&vec![0.0; dimensions]).len()];
        quadratic
    }

    /// What the terms are multiplied by at a point. Coordinates are spread to -1 to 1, so that all terms have about the
    /// same size.
    pub fn expand(&self, point: &[f64]) -> Vec<f64> {
        let spread: Vec<f64> = point.iter().map(|coordinate| 2.0 * coordinate - 1.0).collect();
        let mut terms = vec![1.0];
        terms.extend(&spread);
        terms.extend(spread.iter().map(|coordinate| coordinate * coordinate));
        if self.products {
            let pairs = (0..self.dimensions).flat_map(|one| (one + 1..self.dimensions).map(move |other| [one, other]));
            terms.extend(pairs.map(|[one, other]| spread[one] * spread[other]));
        }
        terms
    }

    /// The value at a point.
    pub fn value(&self, point: &[f64]) -> f64 {
        self.value_of(&self.expand(point))
    }

    /// The value where the terms are multiplied by these.
    pub fn value_of(&self, factors: &[f64]) -> f64 {
        self.terms.iter().zip(factors).map(|(term, factor)| term * factor).sum()
    }

    /// Fits the function to results, by Newton's method on the likelihood with the prior.
    pub fn fit(&mut self, observations: &[Observation]) {
        let size = self.terms.len();
        for _ in 0..MOST_STEPS {
            let mut gradient: Vec<f64> = self.terms.iter().map(|term| -PRIOR * term).collect();
            let mut curvature = vec![0.0; size * size];
            (0..size).for_each(|index| curvature[index * size + index] = PRIOR);
            for seen in observations.iter().filter(|seen| seen.weight > 1e-4) {
                let expected = logistic(self.value_of(&seen.terms));
                let count = seen.weight * seen.games;
                let (slope, bend) = (count * (seen.score - expected), count * expected * (1.0 - expected));
                for (row, factor) in seen.terms.iter().enumerate() {
                    gradient[row] += slope * factor;
                    let scaled = bend * factor;
                    let line = &mut curvature[row * size..row * size + row + 1];
                    line.iter_mut().zip(&seen.terms).for_each(|(sum, other)| *sum += scaled * other);
                }
            }
            let step = solve(curvature, gradient);
            let longest = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
            let shorten = (LONGEST / longest.max(1e-12)).min(1.0);
            self.terms.iter_mut().zip(&step).for_each(|(term, part)| *term += shorten * part);
            if longest < SMALL {
                break;
            }
        }
    }
}

/// The logistic function.
pub fn logistic(value: f64) -> f64 {
    1.0 / (1.0 + (-value).exp())
}

/// Solves a symmetric positive definite system, of which the lower triangle is given by rows, by Cholesky's method.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let (above, line) = matrix.split_at(row * size);
            let other = if column == row { line } else { &above[column * size..] };
            let dot: f64 = line[..column].iter().zip(&other[..column]).map(|(one, other)| one * other).sum();
            let rest = line[column] - dot;
            matrix[row * size + column] = match column == row {
                true => rest.max(1e-12).sqrt(),
                false => rest / matrix[column * size + column],
            };
        }
    }
    for row in 0..size {
        let dot: f64 = (0..row).map(|column| matrix[row * size + column] * right[column]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let dot: f64 = (row + 1..size).map(|below| matrix[below * size + row] * right[below]).sum();
        right[row] = (right[row] - dot) / matrix[row * size + row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        // 4x + 2y = 10 and 2x + 3y = 11, of which the upper triangle is not read.
        let solution = solve(vec![4.0, 9.0, 2.0, 3.0], vec![10.0, 11.0]);
        assert!((solution[0] - 1.0).abs() < 1e-9 && (solution[1] - 3.0).abs() < 1e-9, "{solution:?}");
    }

    #[test]
    fn a_fit_finds_the_function_that_made_the_results() {
        let truth = |x: f64, y: f64| 1.0 - (2.0 * x - 1.2).powi(2) - x * y;
        let mut fit = Quadratic::new(2, true);
        let observations: Vec<Observation> = (0..100)
            .map(|number| {
                let point = [f64::from(number % 10) / 9.0, f64::from(number / 10) / 9.0];
                let score = logistic(truth(point[0], point[1]));
                Observation { terms: fit.expand(&point), score, games: 1000.0, weight: 1.0 }
            })
            .collect();
        fit.fit(&observations);
        for (x, y) in [(0.1, 0.9), (0.6, 0.2), (1.0, 1.0)] {
            assert!((fit.value(&[x, y]) - truth(x, y)).abs() < 0.01, "{} at {x}, {y}", fit.value(&[x, y]));
        }
    }
}
