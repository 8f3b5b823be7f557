//! A net that values moves: how likely each move of a position is to be the best.
//!
//! A move touches a few things on the board, such as the lines through a cell. Each of them has a row of weights. The rows
//! are summed up once for each of two views (as the player to move sees them, and as the opponent does), clipped from
//! below, and weighed. The weights are the same for all moves, so a move costs a few additions of short rows and needs no
//! state that is kept.

/// Numbers in a row, and hidden neurons for each view.
pub const WIDTH: usize = 16;
/// A sum of 1 of the first layer, and a weight of 1 of the second one.
const ONE: f32 = 128.0;
/// A value of 1, the logarithm of odds.
pub const POLICY_UNIT: i32 = 1 << 14;
/// The largest activation and the largest weight after it, so that sums of products fit 32 bits.
const LARGEST: i16 = 2047;
/// The largest parameter while training, so that sums fit 16 bits.
pub(crate) const LARGEST_PARAMETER: f32 = 8.0;

/// A row of weights.
pub type Row = [i16; WIDTH];

/// The sizes of a net for moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolicyShape {
    /// Rows of weights.
    pub rows: usize,
    /// Rows that a move adds up for each view.
    pub active: usize,
}

impl PolicyShape {
    /// The number of parameters: rows, their biases, and the output for each view.
    pub const fn parameters(&self) -> usize {
        self.output_start() + 2 * WIDTH
    }

    pub(crate) const fn bias_start(&self) -> usize {
        self.rows * WIDTH
    }

    pub(crate) const fn output_start(&self) -> usize {
        self.bias_start() + WIDTH
    }
}

/// A net for moves with integer weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    rows: Vec<Row>,
    bias: Row,
    output: [Row; 2],
}

impl Policy {
    /// A net of these tables, as [`Policy::quantise`] makes them; `None` if their sizes do not fit.
    pub fn of(tables: [&[i16]; 3]) -> Option<Policy> {
        let [rows, bias, output] = tables;
        let (rows, rest) = rows.as_chunks();
        let (&[bias], &[own, other]) = (bias.as_chunks().0, output.as_chunks().0) else { return None };
        let clipped = |row: Row| row.map(|weight| weight.clamp(-LARGEST, LARGEST));
        let whole = rest.is_empty() && !rows.is_empty();
        whole.then(|| Policy { rows: rows.to_vec(), bias, output: [clipped(own), clipped(other)] })
    }

    /// The tables of a net with these parameters: rows, biases, output.
    pub fn quantise(shape: PolicyShape, parameters: &[f32]) -> [Vec<i16>; 3] {
        let rounded = |range: std::ops::Range<usize>| -> Vec<i16> {
            let round = |number: &f32| (number * ONE).round().clamp(-f32::from(LARGEST), LARGEST.into()) as i16;
            parameters[range].iter().map(round).collect()
        };
        let (bias, output) = (shape.bias_start(), shape.output_start());
        [rounded(0..bias), rounded(bias..output), rounded(output..shape.parameters())]
    }

    /// The tables that [`Policy::of`] takes.
    pub fn tables(&self) -> [Vec<i16>; 3] {
        [self.rows.as_flattened().to_vec(), self.bias.to_vec(), self.output.as_flattened().to_vec()]
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The value of a move from the rows that it touches in either view, in units of one over [`POLICY_UNIT`].
    #[inline(always)]
    pub fn value<const ACTIVE: usize>(&self, views: &[[u16; ACTIVE]; 2]) -> i32 {
        let mut value = 0;
        for (active, output) in views.iter().zip(&self.output) {
            let mut sums = self.bias;
            for &row in active {
                let row = &self.rows[usize::from(row)];
                for lane in 0..WIDTH {
                    sums[lane] = sums[lane].wrapping_add(row[lane]);
                }
            }
            for lane in 0..WIDTH {
                value += i32::from(sums[lane].clamp(0, LARGEST)) * i32::from(output[lane]);
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::MoveChoices;
    use crate::train::{Choices, Lesson};
    use polyply_core::random::Random;

    #[test]
    fn a_quantised_net_is_close_to_the_one_it_was_made_of() {
        let shape = PolicyShape { rows: 50, active: 4 };
        let choices = MoveChoices::new(shape);
        let lesson = Choices::new(&choices);
        let parameters = lesson.initial(3);
        let [rows, bias, output] = Policy::quantise(shape, &parameters);
        let policy = Policy::of([&rows, &bias, &output]).unwrap();
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let views = [(); 2].map(|()| [(); 4].map(|()| random.below(50) as u16));
            let exact = lesson.value(&parameters, views.as_flattened());
            let value = policy.value(&views) as f32 / POLICY_UNIT as f32;
            assert!((exact - value).abs() < 0.05, "{exact} {value}");
        }
    }

    #[test]
    fn tables_of_other_sizes_are_refused() {
        assert!(Policy::of([&[0; 32], &[0; 16], &[0; 32]]).is_some());
        assert!(Policy::of([&[0; 30], &[0; 16], &[0; 32]]).is_none());
        assert!(Policy::of([&[], &[0; 16], &[0; 32]]).is_none());
        assert!(Policy::of([&[0; 32], &[0; 15], &[0; 32]]).is_none());
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let policy = Policy::of([&[i16::MAX; 16], &[i16::MAX; 16], &[i16::MAX; 32]]).unwrap();
        assert_eq!(policy.value(&[[], []]), 2 * 16 * 2047 * 2047);
    }
}
