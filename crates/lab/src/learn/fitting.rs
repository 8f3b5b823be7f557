//! The numbers that are fitted: weights, or the parts that weights are made of.

use super::adam::Adam;
use super::samples::Samples;
use polyply_core::random::Random;
use polyply_engine::learning::{Model, Parts};

/// Where weights begin, and which part belongs to which weight.
type Sums = (Vec<f32>, Vec<(u32, u32)>);

/// The parts of weights, with what [`Adam`] remembers of each.
pub struct Fitting {
    parts: Vec<f32>,
    /// Where the priors hold the parts, and how firmly.
    centre: Vec<f32>,
    precision: Vec<f32>,
    /// How large a step of each part may be against the others'.
    scale: Vec<f32>,
    adam: Adam,
    /// What the sums of parts are added to, with the weights and their parts; nothing where weights are their own parts.
    sums: Option<Sums>,
}

impl Fitting {
    /// `strength` is that of the priors against the mean loss.
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
        Fitting { parts: centre.clone(), centre, precision, scale: vec![1.0; count], adam: Adam::new(count), sums }
    }

    /// Sets the sizes of steps by how much each part counts in a position, so that none of them goes too far at once.
    pub fn set_scales(&mut self, samples: &Samples, slots: usize) {
        /// Positions that are looked at.
        const SOME: usize = 1000;
        let all = self.sums.as_ref().map_or(self.parts.len(), |(start, _)| start.len());
        let mut squares = vec![0.0_f32; self.parts.len()];
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
                    let mut parts = vec![0.0; self.parts.len()];
                    members.iter().for_each(|&(slot, part)| parts[part as usize] += counts[slot as usize]);
                    parts
                }
            };
            squares.iter_mut().zip(&parts).for_each(|(square, part)| *square += part * part / SOME as f32);
        }
        self.scale = squares.iter().map(|square| 1.0 / (0.3 + square.sqrt())).collect();
    }

    /// The weights.
    pub fn numbers(&self) -> Vec<f32> {
        match &self.sums {
            None => self.parts.clone(),
            Some((start, members)) => {
                let mut numbers = start.clone();
                members.iter().for_each(|&(slot, part)| numbers[slot as usize] += self.parts[part as usize]);
                numbers
            }
        }
    }

    /// The parts, to go back to.
    pub fn parts(&self) -> &[f32] {
        &self.parts
    }

    /// Goes back to parts.
    pub fn set_parts(&mut self, parts: &[f32]) {
        self.parts.copy_from_slice(parts);
    }

    /// Where the gradient of a step begins, by weight: the pull of the priors where weights are their own parts.
    pub fn gradient(&self) -> Vec<f32> {
        match &self.sums {
            None => self.pull(),
            Some((start, _)) => vec![0.0; start.len()],
        }
    }

    fn pull(&self) -> Vec<f32> {
        let held = self.parts.iter().zip(&self.centre).zip(&self.precision);
        held.map(|((part, centre), held)| (part - centre) * held).collect()
    }

    /// One step down a gradient by weight, which began with [`Fitting::gradient`].
    pub fn descend(&mut self, gradient: Vec<f32>, rate: f32) {
        let gradient = match &self.sums {
            None => gradient,
            Some((_, members)) => {
                let mut sums = self.pull();
                members.iter().for_each(|&(slot, part)| sums[part as usize] += gradient[slot as usize]);
                sums
            }
        };
        self.adam.step(&mut self.parts, &gradient, &self.scale, rate);
    }
}

/// The positions to learn from and those of games held out, one game of so many.
pub fn split(games: &[u32], game_count: u32, held_out: usize, random: &mut Random) -> (Vec<usize>, Vec<usize>) {
    let kept: Vec<bool> = (0..game_count.max(1)).map(|_| !random.once_in(held_out)).collect();
    (0..games.len()).partition(|&index| kept[games[index] as usize])
}

/// The mean over some positions.
pub fn mean(indices: &[usize], of: impl Fn(usize) -> f32) -> f32 {
    (indices.iter().map(|&index| f64::from(of(index))).sum::<f64>() / indices.len().max(1) as f64) as f32
}
