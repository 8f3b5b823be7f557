//! The shape of a net.

use std::ops::Range;

pub use polyply_core::learn::Activation;

/// Numbers in a block: the unit in which the first layer is stored and computed.
pub const BLOCK: usize = 32;
/// The widest first layer, so that sums of products fit 32 bits in each lane.
pub const WIDEST: usize = 1024;

/// Sums of the first layer of a pooled net, for each perspective and site.
pub const POOLED: usize = 16;
/// What the pooled activations are divided by.
pub const POOL: i32 = 16;

/// The shape of a net: `features → hidden` for each perspective, `→ middle` if there is such a layer, `→ 1`.
///
/// In a pooled net the features belong to sites, such as the cells of a board. Each site has a first layer of its own, with
/// the same weights; what its activations are more than those of a site without features is summed up over all sites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Features of a perspective.
    pub features: usize,
    /// Perspectives: 1, or 2 if each player's view is summed up separately with the same weights.
    pub perspectives: usize,
    /// Sums of the first layer for each perspective: a multiple of 32, or [`POOLED`] in a pooled net.
    pub hidden: usize,
    /// Neurons of the layer between the first one and the output; 0 if there is none.
    pub middle: usize,
    /// How many sets of weights the layers after the first one have. The position decides which one counts.
    pub buckets: usize,
    /// The activation of the first layer; that of the middle one is clipped.
    pub activation: Activation,
    /// The first layer is computed for every site.
    pub pooled: bool,
}

impl Shape {
    /// A net with this shape can be built. The error is one sentence.
    pub fn check(&self) -> Result<(), String> {
        let Shape { features, perspectives, hidden, middle, buckets, pooled, .. } = *self;
        if pooled && (hidden != POOLED || perspectives != 2 || middle == 0) {
            return Err(format!("a pooled net has {POOLED} hidden numbers, two perspectives and a middle layer"));
        }
        if !pooled && (hidden == 0 || !hidden.is_multiple_of(BLOCK) || hidden > WIDEST) {
            return Err(format!("a net has a multiple of {BLOCK} hidden numbers, at most {WIDEST}, not {hidden}"));
        }
        if !(1..=2).contains(&perspectives) {
            return Err(format!("a net has one or two perspectives, not {perspectives}"));
        }
        if features == 0 || features > 1 << 20 || buckets == 0 || buckets > 64 || middle > 64 {
            return Err("a net has 1 to 1048576 features, 1 to 64 buckets and at most 64 neurons in the middle".into());
        }
        Ok(())
    }

    /// The inputs of the layer after the first one.
    pub const fn inputs(&self) -> usize {
        self.perspectives * self.hidden
    }

    /// The inputs of the output.
    pub const fn last(&self) -> usize {
        if self.middle == 0 { self.inputs() } else { self.middle }
    }

    /// The number of all parameters.
    pub fn count(&self) -> usize {
        self.ranges().output_bias.end
    }

    /// Where the parameters of the layers after the first one are among all of them.
    pub fn dense(&self) -> Range<usize> {
        let ranges = self.ranges();
        ranges.middle.start..ranges.output_bias.end
    }

    /// Where the parameters of each layer are among all of them.
    pub fn ranges(&self) -> Ranges {
        let mut end = 0;
        let mut next = |count: usize| {
            end += count;
            end - count..end
        };
        Ranges {
            first: next(self.features * self.hidden),
            bias: next(self.hidden),
            middle: next(self.buckets * self.middle * self.inputs()),
            middle_bias: next(self.buckets * self.middle),
            output: next(self.buckets * self.last()),
            output_bias: next(self.buckets),
        }
    }
}

/// Ranges of parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges {
    /// The first layer, a row for each feature.
    pub first: Range<usize>,
    /// Its biases.
    pub bias: Range<usize>,
    /// The middle layer: by bucket, neuron, input.
    pub middle: Range<usize>,
    /// Its biases, by bucket and neuron.
    pub middle_bias: Range<usize>,
    /// The output, by bucket and input.
    pub output: Range<usize>,
    /// Its biases, by bucket.
    pub output_bias: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Shape = Shape {
        features: 10,
        perspectives: 2,
        hidden: 32,
        middle: 4,
        buckets: 3,
        activation: Activation::Squared,
        pooled: false,
    };

    #[test]
    fn parameters_follow_each_other_without_a_gap() {
        let ranges = SMALL.ranges();
        let all = [ranges.first, ranges.bias, ranges.middle, ranges.middle_bias, ranges.output, ranges.output_bias];
        assert!(all.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!(all.map(|range| range.len()), [320, 32, 3 * 4 * 64, 12, 12, 3]);
    }

    #[test]
    fn impossible_shapes_are_refused() {
        assert_eq!(SMALL.check(), Ok(()));
        assert!(Shape { hidden: 40, ..SMALL }.check().unwrap_err().contains("multiple of 32"));
        assert!(Shape { perspectives: 3, ..SMALL }.check().unwrap_err().contains("not 3"));
        assert!(Shape { buckets: 0, ..SMALL }.check().unwrap_err().contains("buckets"));
    }
}
