//! The first layer of a pooled net, kept incrementally.

use crate::kernels::Block;
use crate::net::Net;
use crate::shape::{Activation, POOLED};
use crate::simd;
use polyply_core::learn::Inputs;
use std::sync::Arc;

/// What the activations of all sites are more than those of sites without features, for both perspectives.
pub type Pool = [i32; 2 * POOLED];

/// A feature of a site is replaced by another, in both perspectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The site.
    pub site: u16,
    /// The feature that appears, in each perspective; the number of features stands for none.
    pub added: [u32; 2],
    /// The feature that disappears.
    pub removed: [u32; 2],
}

/// The sums of the first layer for every site, and their pool.
#[derive(Clone)]
pub struct PooledSums {
    net: Arc<Net>,
    sums: Vec<Block>,
    pool: Pool,
    /// The sites that changed, the latest last, and their sums before that.
    changed: Vec<u16>,
    before: Vec<Block>,
    /// Each change that can be taken back: where its part of the log begins, and the pool before it.
    marks: Vec<(usize, Pool)>,
}

/// Room in the log for each change that can be taken back.
const ROOM: usize = 96;

impl PooledSums {
    /// Sites without features.
    pub fn new(net: &Arc<Net>, sites: usize) -> PooledSums {
        PooledSums {
            net: Arc::clone(net),
            sums: vec![nothing(net); sites],
            pool: [0; 2 * POOLED],
            changed: Vec::new(),
            before: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// Makes room for so many changes that can be taken back, so that none of them allocates.
    pub fn reserve(&mut self, depth: usize) {
        self.changed.reserve(depth * ROOM);
        self.before.reserve(depth * ROOM);
        self.marks.reserve(depth);
    }

    /// The net.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// No site has a feature, and nothing can be taken back.
    pub fn clear(&mut self) {
        self.sums.fill(nothing(&self.net));
        self.pool = [0; 2 * POOLED];
        self.keep();
    }

    /// Nothing can be taken back any more.
    pub fn keep(&mut self) {
        self.changed.clear();
        self.before.clear();
        self.marks.clear();
    }

    /// Changes features of sites for good.
    pub fn change(&mut self, changed: &[Changed]) {
        let PooledSums { net, sums, pool, .. } = self;
        match net.shape().activation {
            Activation::Clipped => simd::pool::<false>(net.cpu, pool, sums, &net.rows, changed),
            Activation::Squared => simd::pool::<true>(net.cpu, pool, sums, &net.rows, changed),
        }
    }

    /// Changes features of sites until [`PooledSums::undo`].
    pub fn push(&mut self, changed: &[Changed]) {
        self.marks.push((self.changed.len(), self.pool));
        self.changed.extend(changed.iter().map(|changed| changed.site));
        self.before.extend(changed.iter().map(|changed| self.sums[usize::from(changed.site)]));
        self.change(changed);
    }

    /// Takes back what was pushed last.
    pub fn undo(&mut self) {
        let Some((mark, pool)) = self.marks.pop() else { return };
        for (&site, &sum) in self.changed[mark..].iter().zip(&self.before[mark..]).rev() {
            self.sums[usize::from(site)] = sum;
        }
        self.changed.truncate(mark);
        self.before.truncate(mark);
        self.pool = pool;
    }

    /// The value for the player of the perspective `own`, in units of the evaluation.
    #[inline(always)]
    pub fn value(&self, own: usize, bucket: usize) -> i32 {
        self.net.pooled_value(&self.pool, own, bucket)
    }

    /// The pool for the features of a position.
    pub(crate) fn pool_of(net: &Net, inputs: &Inputs) -> Pool {
        let Inputs { perspectives: [own, other], sites, .. } = inputs;
        let mut sums = vec![nothing(net); sites.len()];
        let none = [net.shape().features as u32; 2];
        let features = sites.iter().enumerate().flat_map(|(site, &count)| std::iter::repeat_n(site, count.into()));
        let changed = features.zip(own.iter().zip(other));
        let changed: Vec<Changed> = changed
            .map(|(site, (&own, &other))| Changed { site: site as u16, added: [own, other], removed: none })
            .collect();
        let mut pool = [0; 2 * POOLED];
        match net.shape().activation {
            Activation::Clipped => simd::pool::<false>(net.cpu, &mut pool, &mut sums, &net.rows, &changed),
            Activation::Squared => simd::pool::<true>(net.cpu, &mut pool, &mut sums, &net.rows, &changed),
        }
        pool
    }
}

/// The sums of a site without features.
fn nothing(net: &Net) -> Block {
    let mut sums = Block::ZERO;
    sums.0.chunks_mut(POOLED).for_each(|view| view.copy_from_slice(&net.row_bias));
    sums
}
