//! [Adam](https://arxiv.org/abs/1412.6980): gradient descent with a step size for each number.

const MOMENTUM: f32 = 0.9;
const VARIANCE: f32 = 0.999;

/// Running averages of the gradients.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Adam {
    /// Of the gradients.
    pub momentum: Vec<f32>,
    /// Of their squares.
    pub variance: Vec<f32>,
    /// The number of steps so far.
    pub steps: i32,
}

impl Adam {
    /// For this many numbers.
    pub fn new(count: usize) -> Adam {
        Adam { momentum: vec![0.0; count], variance: vec![0.0; count], steps: 0 }
    }

    /// One step: each of `numbers` moves by about `rate` times its `scale`.
    pub fn step(&mut self, numbers: &mut [f32], gradient: &[f32], scale: &[f32], rate: f32) {
        self.steps += 1;
        let warm = |decay: f32| 1.0 - decay.powi(self.steps);
        let (momentum_scale, variance_scale) = (1.0 / warm(MOMENTUM), 1.0 / warm(VARIANCE));
        for (at, &gradient) in gradient.iter().enumerate() {
            let (momentum, variance) = (&mut self.momentum[at], &mut self.variance[at]);
            *momentum += (1.0 - MOMENTUM) * (gradient - *momentum);
            *variance += (1.0 - VARIANCE) * (gradient * gradient - *variance);
            let direction = *momentum * momentum_scale / ((*variance * variance_scale).sqrt() + 1e-8);
            numbers[at] -= rate * scale[at] * direction;
        }
    }
}
