//! The first layer of a net, kept incrementally along a line of moves.

use crate::kernels::Block;
use crate::net::Net;
use crate::simd;
use arrayvec::ArrayVec;
use std::sync::Arc;

/// The sums of the first layer for every position of a line, updated only when a value is asked for.
///
/// A search plays many moves without evaluating the position after them, and takes all of them back. So a move only notes
/// its changes; taking it back costs nothing. When a value is needed, the sums are updated from the last position of the line that
/// has them. `CHANGES` is the most features that a move usually adds or removes in one perspective; after more, the sums
/// are computed anew.
///
/// ```
/// use polyply_nn::{Accumulators, Activation, FloatNet, Inputs, Shape};
/// use std::sync::Arc;
///
/// let shape =
///     Shape { features: 9, perspectives: 1, hidden: 32, middle: 0, buckets: 1, activation: Activation::Squared, pooled: false };
/// let net = Arc::new(FloatNet::random(shape, 2.0, 1).quantised(100));
/// let mut sums = Accumulators::<4>::new(&net, 10);
/// let mut value = |sums: &mut Accumulators<4>, active: &[u32]| {
///     sums.value(0, 0, |_, add| active.iter().for_each(|&feature| add(feature)))
/// };
/// let start = value(&mut sums, &[1, 2]);
/// sums.push();
/// sums.change(0, 2, false);
/// sums.change(0, 7, true);
/// assert_eq!(value(&mut sums, &[1, 7]), net.value(&Inputs { perspectives: [vec![1, 7], vec![]], ..Inputs::default() }));
/// sums.pop();
/// assert_eq!(value(&mut sums, &[1, 2]), start);
/// ```
#[derive(Clone)]
pub struct Accumulators<const CHANGES: usize> {
    net: Arc<Net>,
    /// The sums of each frame and perspective.
    sums: Vec<Block>,
    frames: Vec<[Frame<CHANGES>; 2]>,
    /// The frame of the present position.
    top: usize,
    /// Memory for the features of a position, with room for all.
    active: Vec<u32>,
}

/// A position of the line, in one perspective.
#[derive(Clone)]
struct Frame<const CHANGES: usize> {
    state: State,
    added: ArrayVec<u32, CHANGES>,
    removed: ArrayVec<u32, CHANGES>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The sums are there.
    Known,
    /// They are those of the frame before it and the changes.
    Changed,
    /// They must be computed from all features.
    Unknown,
}

impl<const CHANGES: usize> Accumulators<CHANGES> {
    /// Accumulators for lines of up to `depth` moves. Longer ones are possible, but slower.
    pub fn new(net: &Arc<Net>, depth: usize) -> Self {
        let unknown = Frame { state: State::Unknown, added: ArrayVec::new(), removed: ArrayVec::new() };
        Accumulators {
            net: Arc::clone(net),
            sums: vec![Block::ZERO; (depth + 1) * net.shape().perspectives * net.bias.len()],
            frames: vec![[unknown.clone(), unknown]; depth + 1],
            top: 0,
            active: vec![0; net.shape().features],
        }
    }

    /// The net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Another position: nothing is known.
    pub fn reset(&mut self) {
        self.top = 0;
        (0..2).for_each(|perspective| self.forget(perspective));
    }

    /// A move follows, whose changes are reported next.
    #[inline(always)]
    pub fn push(&mut self) {
        if self.top + 1 == self.frames.len() {
            return self.reset();
        }
        self.top += 1;
        for frame in &mut self.frames[self.top] {
            frame.state = State::Changed;
            frame.added.clear();
            frame.removed.clear();
        }
    }

    /// The last move was taken back.
    #[inline(always)]
    pub fn pop(&mut self) {
        match self.top {
            // The line began at a later position.
            0 => self.reset(),
            _ => self.top -= 1,
        }
    }

    /// A feature of the present position appears or disappears.
    #[inline(always)]
    pub fn change(&mut self, perspective: usize, feature: u32, set: bool) {
        let frame = &mut self.frames[self.top][perspective];
        let list = if set { &mut frame.added } else { &mut frame.removed };
        if frame.state != State::Changed || list.try_push(feature).is_err() {
            frame.state = State::Unknown;
        }
    }

    /// All features of the present position have changed, for instance because they depend on the place of the king.
    #[inline(always)]
    pub fn forget(&mut self, perspective: usize) {
        self.frames[self.top][perspective].state = State::Unknown;
    }

    /// The value of the present position for the player of the perspective `own`, in units of the evaluation. `features` calls
    /// its second argument with every active feature of a perspective.
    #[inline(always)]
    pub fn value(&mut self, own: usize, bucket: usize, features: impl Fn(usize, &mut dyn FnMut(u32))) -> i32 {
        let perspectives = self.net.shape().perspectives;
        for perspective in 0..perspectives {
            self.bring_up_to_date(perspective, &features);
        }
        let width = self.net.bias.len();
        let sums = |perspective: usize| &self.sums[(self.top * perspectives + perspective) * width..][..width];
        match perspectives {
            1 => self.net.output(&[sums(0)], bucket),
            _ => self.net.output(&[sums(own), sums(1 - own)], bucket),
        }
    }

    fn bring_up_to_date(&mut self, perspective: usize, features: &impl Fn(usize, &mut dyn FnMut(u32))) {
        let state = |frame: &[Frame<CHANGES>; 2]| frame[perspective].state;
        let base = self.frames[..=self.top].iter().rposition(|frame| state(frame) != State::Changed);
        let base = base.filter(|&base| state(&self.frames[base]) == State::Known);
        let net = &*self.net;
        let width = net.bias.len();
        let stride = net.shape().perspectives * width;
        match base {
            Some(base) => {
                for at in base + 1..=self.top {
                    let (before, after) = self.sums.split_at_mut(at * stride);
                    let from = &before[(at - 1) * stride + perspective * width..][..width];
                    let to = &mut after[perspective * width..][..width];
                    let frame = &mut self.frames[at][perspective];
                    simd::update(net.cpu, to, from, &net.first, [&frame.added, &frame.removed]);
                    frame.state = State::Known;
                }
            }
            None => {
                let mut count = 0;
                features(perspective, &mut |feature| {
                    self.active[count] = feature;
                    count += 1;
                });
                let to = &mut self.sums[self.top * stride + perspective * width..][..width];
                simd::update(net.cpu, to, &net.bias, &net.first, [&self.active[..count], &[]]);
                self.frames[self.top][perspective].state = State::Known;
            }
        }
    }
}
