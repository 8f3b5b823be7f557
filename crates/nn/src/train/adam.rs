//! [AdamW](https://arxiv.org/abs/1711.05101): gradient descent with a step size for each parameter and decaying weights.

const MOMENTUM: f32 = 0.9;
const VARIANCE: f32 = 0.999;

/// A step of all parameters.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The step size.
    pub rate: f32,
    /// How fast weights decay.
    pub decay: f32,
    /// Corrections of the averages, which begin at 0.
    momentum_scale: f32,
    variance_scale: f32,
}

impl Step {
    /// The step with this number, from 1.
    pub fn new(number: u64, rate: f32, decay: f32) -> Step {
        let warm = |average: f32| 1.0 / (1.0 - f64::from(average).powi(number.min(1 << 20) as i32)) as f32;
        Step { rate, decay, momentum_scale: warm(MOMENTUM), variance_scale: warm(VARIANCE) }
    }
}

/// Some of the parameters, with their averages and their gradients from each slice of the batch.
pub struct Part<'a> {
    /// The parameters.
    pub parameters: &'a mut [f32],
    /// The average gradient.
    pub momentum: &'a mut [f32],
    /// The average square.
    pub variance: &'a mut [f32],
    /// Where the part begins in the gradients.
    pub start: usize,
    /// The gradients of all slices.
    pub gradients: &'a [&'a [f32]],
    /// The largest parameter.
    pub most: f32,
}

/// Moves the parameters. Gradients are added in the order of the slices, so the result does not depend on threads.
#[inline(always)]
pub fn step(part: Part<'_>, step: &Step) {
    let Part { parameters, momentum, variance, start, gradients, most } = part;
    for (at, parameter) in parameters.iter_mut().enumerate() {
        let gradient: f32 = gradients.iter().map(|slice| slice[start + at]).sum();
        momentum[at] += (1.0 - MOMENTUM) * (gradient - momentum[at]);
        variance[at] += (1.0 - VARIANCE) * (gradient * gradient - variance[at]);
        let direction = momentum[at] * step.momentum_scale / ((variance[at] * step.variance_scale).sqrt() + 1e-8);
        let moved = *parameter * (1.0 - step.rate * step.decay) - step.rate * direction;
        *parameter = moved.clamp(-most, most);
    }
}
