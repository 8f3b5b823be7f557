//! The space that a tuner searches: parameters with their bounds, each scaled to 0 to 1.

/// A place in the space: a coordinate from 0 to 1 for each parameter.
pub type Point = Vec<f64>;

/// A parameter to tune.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// The name of the parameter.
    pub name: String,
    /// The smallest value to try.
    pub low: i64,
    /// The largest value to try.
    pub high: i64,
    /// The value to begin with.
    pub start: i64,
    /// A change that is likely to matter.
    pub step: f64,
}

impl Axis {
    fn width(&self) -> f64 {
        (self.high - self.low) as f64
    }

    /// The value at a coordinate, not rounded.
    pub fn value(&self, coordinate: f64) -> f64 {
        self.low as f64 + coordinate * self.width()
    }
}

/// All parameters to tune.
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    /// The parameters.
    pub axes: Vec<Axis>,
}

impl Space {
    /// The number of parameters.
    pub fn dimensions(&self) -> usize {
        self.axes.len()
    }

    /// Where tuning begins.
    pub fn start(&self) -> Point {
        self.axes.iter().map(|axis| (axis.start - axis.low) as f64 / axis.width()).collect()
    }

    /// The step of every parameter, as a difference of coordinates.
    pub fn steps(&self) -> Vec<f64> {
        self.axes.iter().map(|axis| axis.step / axis.width()).collect()
    }

    /// The values that are played at a point: parameters are whole numbers.
    pub fn values(&self, point: &[f64]) -> Vec<i64> {
        let value =
            |(axis, &coordinate): (&Axis, &f64)| (axis.value(coordinate).round() as i64).clamp(axis.low, axis.high);
        self.axes.iter().zip(point).map(value).collect()
    }

    /// A difference of coordinates in the units of the parameters.
    pub fn scaled(&self, differences: &[f64]) -> Vec<f64> {
        self.axes.iter().zip(differences).map(|(axis, difference)| difference * axis.width()).collect()
    }
}

/// Moves every coordinate by a multiple of a vector, and back into the space where it would leave it.
pub fn moved(point: &[f64], by: impl Fn(usize) -> f64) -> Point {
    point.iter().enumerate().map(|(index, coordinate)| (coordinate + by(index)).clamp(0.0, 1.0)).collect()
}

/// The mean of weighted points and the standard deviation of each coordinate; `None` without any weight.
pub fn mean_and_deviation<'a>(
    points: impl Iterator<Item = (&'a [f64], f64)> + Clone,
    dimensions: usize,
) -> Option<(Point, Vec<f64>)> {
    let total: f64 = points.clone().map(|(_, weight)| weight).sum();
    if total <= 0.0 {
        return None;
    }
    let average = |of: &dyn Fn(usize, f64) -> f64| -> Vec<f64> {
        let mut sums = vec![0.0; dimensions];
        for (point, weight) in points.clone() {
            sums.iter_mut().enumerate().for_each(|(index, sum)| *sum += weight * of(index, point[index]) / total);
        }
        sums
    };
    let mean = average(&|_, coordinate| coordinate);
    let variance = average(&|index, coordinate| (coordinate - mean[index]).powi(2));
    Some((mean, variance.into_iter().map(f64::sqrt).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_whole_and_stay_within_their_bounds() {
        let axis = Axis { name: "a".into(), low: -10, high: 30, start: 0, step: 2.0 };
        let space = Space { axes: vec![axis] };
        assert_eq!((space.start(), space.steps()), (vec![0.25], vec![0.05]));
        assert_eq!(space.values(&[0.26]), [0]);
        assert_eq!(space.values(&[0.2635]), [1]);
        assert_eq!(space.values(&[1.5]), [30]);
        assert_eq!(moved(&[0.9], |_| 0.3), [1.0]);
    }

    #[test]
    fn heavier_points_count_more() {
        let points: [(&[f64], f64); 2] = [(&[0.0], 3.0), (&[1.0], 1.0)];
        let (mean, deviation) = mean_and_deviation(points.into_iter(), 1).unwrap();
        assert_eq!((mean[0], (deviation[0] * 1000.0).round()), (0.25, 433.0));
        assert_eq!(mean_and_deviation(points[..0].iter().copied(), 1), None);
    }
}
