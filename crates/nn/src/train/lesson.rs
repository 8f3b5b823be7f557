//! What a training learns: examples, a loss, and the parameters that it depends on.

use std::ops::Range;

/// Examples and their loss.
pub trait Lesson: Sync {
    /// The numbers of one example on their way.
    type Scratch: Send;

    /// The number of parameters.
    fn parameters(&self) -> usize;

    /// Random parameters to begin with.
    fn initial(&self, seed: u64) -> Vec<f32>;

    /// The largest value of a parameter that the quantised net has room for.
    fn largest(&self) -> f32;

    /// The examples of each game, as ranges of indices.
    fn games(&self) -> impl Iterator<Item = Range<usize>>;

    /// A hash of everything that the loss depends on, besides the parameters.
    fn fingerprint(&self) -> u64;

    /// Working memory.
    fn scratch(&self) -> Self::Scratch;

    /// The loss of an example.
    fn forward(&self, parameters: &[f32], index: usize, scratch: &mut Self::Scratch) -> f32;

    /// Adds the gradient of the example that went forward last, times `share`.
    fn backward(&self, parameters: &[f32], share: f32, scratch: &mut Self::Scratch, gradient: &mut [f32]);
}

/// The gradient and the loss of a slice of a batch.
pub struct Slice<L: Lesson> {
    /// By parameter, for the sum of the losses times `share`.
    pub gradient: Vec<f32>,
    /// The sum of the losses.
    pub loss: f64,
    /// What an example's loss counts.
    pub share: f32,
    /// Working memory.
    pub scratch: L::Scratch,
}

impl<L: Lesson> Slice<L> {
    /// For the examples of a lesson.
    pub fn new(lesson: &L) -> Slice<L> {
        Slice { gradient: vec![0.0; lesson.parameters()], loss: 0.0, share: 0.0, scratch: lesson.scratch() }
    }
}

/// Computes the gradient and the loss of some examples.
#[inline(always)]
pub fn slice<L: Lesson>(lesson: &L, parameters: &[f32], indices: &[u32], out: &mut Slice<L>) {
    out.gradient.fill(0.0);
    out.loss = 0.0;
    for &index in indices {
        out.loss += f64::from(lesson.forward(parameters, index as usize, &mut out.scratch));
        lesson.backward(parameters, out.share, &mut out.scratch, &mut out.gradient);
    }
}

/// The sum of the losses of some examples.
#[inline(always)]
pub fn loss<L: Lesson>(lesson: &L, parameters: &[f32], indices: &[u32], scratch: &mut L::Scratch) -> f64 {
    let mut sum = 0.0;
    for &index in indices {
        sum += f64::from(lesson.forward(parameters, index as usize, scratch));
    }
    sum
}

/// Compares the gradient of some examples with finite differences.
#[cfg(test)]
pub fn check_gradient<L: Lesson>(lesson: &L, parameters: &[f32], examples: u32) {
    let indices: Vec<u32> = (0..examples).collect();
    let mut found = Slice { share: 1.0, ..Slice::new(lesson) };
    slice(lesson, parameters, &indices, &mut found);
    let mut seen = 0;
    for at in (0..parameters.len()).step_by(3) {
        let slope = |by: f32| {
            let mut shifted = parameters.to_vec();
            shifted[at] += by;
            ((loss(lesson, &shifted, &indices, &mut lesson.scratch()) - found.loss) / f64::from(by)) as f32
        };
        // Where a value is clipped on one side only, the slopes differ, and the gradient is one of them.
        let slopes = [slope(-1e-3), slope(1e-3)];
        let (low, high) = (slopes[0].min(slopes[1]), slopes[0].max(slopes[1]));
        let gradient = found.gradient[at];
        seen += usize::from(gradient != 0.0);
        let room = 3e-3 + 0.02 * gradient.abs();
        assert!((low - room..high + room).contains(&gradient), "{at}: {gradient}, not {slopes:?}");
    }
    assert!(seen > parameters.len() / 12, "{seen}");
}
