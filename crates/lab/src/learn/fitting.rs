//! The numbers that are fitted: weights, or the parts that weights are sums of.

use super::adam::Adam;
use super::samples::Samples;
use polyply_core::random::Random;
use polyply_engine::learning::{Model, Parts};

/// The initial weights, and pairs of a weight and one of its parts.
type Sums = (Vec<f32>, Vec<(u32, u32)>);

/// What a fit changes: the parts of the weights, and the state of [`Adam`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FittingState {
    /// The parts.
    pub parts: Vec<f32>,
    /// The relative step size of each part.
    pub scale: Vec<f32>,
    /// The averages of their gradients.
    pub adam: Adam,
}

/// Weights that are being fitted.
pub struct Fitting {
    state: FittingState,
    /// The means and precisions of the priors of the parts.
    centre: Vec<f32>,
    precision: Vec<f32>,
    /// `None` if every weight is its own part.
    sums: Option<Sums>,
}

impl Fitting {
    /// `strength` is the weight of the priors relative to the mean loss.
    pub fn new(model: &Model, strength: f32) -> Fitting {
        let hold = |spread: &f32| strength / (spread * spread);
        let (centre, precision, sums) = match &model.parts {
            Parts::Own { spread } => (model.start.clone(), vec![hold(spread); model.start.len()], None),
            Parts::Sums { members, spreads } => {
                let sums = Some((model.start.clone(), members.clone()));
                (vec![0.0; spreads.len()], spreads.iter().map(hold).collect(), sums)
            }
        };
        let count = centre.len();
        let state = FittingState { parts: centre.clone(), scale: vec![1.0; count], adam: Adam::new(count) };
        Fitting { state, centre, precision, sums }
    }

    /// What the fit has changed so far.
    pub fn state(&self) -> &FittingState {
        &self.state
    }

    /// Goes on from an earlier state of the same fit.
    pub fn restore(&mut self, state: FittingState) {
        self.state = state;
    }

    /// Makes the steps of a part smaller the more it counts in a position, so that no step goes too far.
    pub fn set_scales(&mut self, samples: &Samples, slots: usize) {
        /// The number of positions to look at.
        const SOME: usize = 1000;
        let count = self.state.parts.len();
        let all = self.sums.as_ref().map_or(count, |(start, _)| start.len());
        let mut squares = vec![0.0_f32; count];
        for look in 0..SOME {
            let mut counts = vec![0.0; all];
            let index = look * samples.len() / SOME;
            for &(phase, share) in samples.phases(index) {
                for &(slot, count) in samples.terms(index) {
                    counts[usize::from(phase) * slots + slot as usize] += share * f32::from(count);
                }
            }
            let parts = match &self.sums {
                None => counts,
                Some((_, members)) => {
                    let mut parts = vec![0.0; count];
                    members.iter().for_each(|&(slot, part)| parts[part as usize] += counts[slot as usize]);
                    parts
                }
            };
            squares.iter_mut().zip(&parts).for_each(|(square, part)| *square += part * part / SOME as f32);
        }
        self.state.scale = squares.iter().map(|square| 1.0 / (0.3 + square.sqrt())).collect();
    }

    /// The weights.
    pub fn numbers(&self) -> Vec<f32> {
        match &self.sums {
            None => self.state.parts.clone(),
            Some((start, members)) => {
                let mut numbers = start.clone();
                members.iter().for_each(|&(slot, part)| numbers[slot as usize] += self.state.parts[part as usize]);
                numbers
            }
        }
    }

    /// The parts, for [`Fitting::set_parts`].
    pub fn parts(&self) -> &[f32] {
        &self.state.parts
    }

    /// Restores earlier parts.
    pub fn set_parts(&mut self, parts: &[f32]) {
        self.state.parts.copy_from_slice(parts);
    }

    /// The initial gradient of a step, by weight: the pull of the priors if weights are their own parts, else 0.
    pub fn gradient(&self) -> Vec<f32> {
        match &self.sums {
            None => self.pull(),
            Some((start, _)) => vec![0.0; start.len()],
        }
    }

    fn pull(&self) -> Vec<f32> {
        let held = self.state.parts.iter().zip(&self.centre).zip(&self.precision);
        held.map(|((part, centre), held)| (part - centre) * held).collect()
    }

    /// A step down a gradient by weight that was started with [`Fitting::gradient`].
    pub fn descend(&mut self, gradient: Vec<f32>, rate: f32) {
        let gradient = match &self.sums {
            None => gradient,
            Some((_, members)) => {
                let mut sums = self.pull();
                members.iter().for_each(|&(slot, part)| sums[part as usize] += gradient[slot as usize]);
                sums
            }
        };
        let FittingState { parts, scale, adam } = &mut self.state;
        adam.step(parts, &gradient, scale, rate);
    }
}

/// Splits positions into training positions and those of held-out games, one game in `held_out`.
pub fn split(games: &[u32], game_count: u32, held_out: usize, random: &mut Random) -> (Vec<usize>, Vec<usize>) {
    let kept: Vec<bool> = (0..game_count.max(1)).map(|_| !random.once_in(held_out)).collect();
    (0..games.len()).partition(|&index| kept[games[index] as usize])
}

/// The mean over some positions.
pub fn mean(indices: &[usize], of: impl Fn(usize) -> f32) -> f32 {
    (indices.iter().map(|&index| f64::from(of(index))).sum::<f64>() / indices.len().max(1) as f64) as f32
}
