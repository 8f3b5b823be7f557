//! Flips and moves by plain arithmetic, for every processor.

use crate::board::Cpu;
use crate::square::INNER_COLUMNS;

/// The directions to higher indices: right, down left, down, down right. The other four are their opposites.
const STEPS: [(i32, i32); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

/// The squares from a square to the edge in each direction: first the four to higher indices, in the order of
/// [`STEPS`], then their opposites.
pub(crate) static RAYS: [[u64; 8]; 64] = rays();

const fn rays() -> [[u64; 8]; 64] {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (down, right) = STEPS[direction % 4];
            let sign = if direction < 4 { 1 } else { -1 };
            let (mut row, mut column) = (square / 8 + sign * down, square % 8 + sign * right);
            while row >= 0 && row < 8 && column >= 0 && column < 8 {
                rays[square as usize][direction] |= 1 << (8 * row + column);
                row += sign * down;
                column += sign * right;
            }
            direction += 1;
        }
        square += 1;
    }
    rays
}

/// Works on every processor.
pub struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn flips(own: u64, other: u64, square: usize) -> u64 {
        let rays = &RAYS[square];
        let mut flips = 0;
        for &ray in &rays[..4] {
            // The carry runs over the opponent's discs and over everything that is not on the ray. If it stops on an
            // own disc, all discs before it flip.
            let end = (other | !ray).wrapping_add(1) & own & ray;
            flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
        }
        for &ray in &rays[4..] {
            // There is no carry downwards; the first square that is not the opponent's is the highest bit.
            let open = ray & !other;
            let end = (1 << 63 >> (open | 1).leading_zeros()) & own & ray;
            flips |= (end << 1).wrapping_neg() & ray;
        }
        flips
    }

    #[inline(always)]
    fn moves(own: u64, other: u64) -> u64 {
        let inner = other & INNER_COLUMNS;
        (along::<1>(own, inner) | along::<7>(own, inner) | along::<8>(own, other) | along::<9>(own, inner))
            & !(own | other)
    }
}

/// The squares behind runs of `other` next to `own`, in both directions along lines whose squares are `STEP` apart. A
/// run has at most six discs.
#[inline(always)]
fn along<const STEP: u32>(own: u64, other: u64) -> u64 {
    let mut up = other & (own << STEP);
    let mut down = other & (own >> STEP);
    up |= other & (up << STEP);
    down |= other & (down >> STEP);
    // Two at a time, over pairs of discs.
    let (up_pairs, down_pairs) = (other & (other << STEP), other & (other >> STEP));
    up |= up_pairs & (up << (2 * STEP));
    down |= down_pairs & (down >> (2 * STEP));
    up |= up_pairs & (up << (2 * STEP));
    down |= down_pairs & (down >> (2 * STEP));
    (up << STEP) | (down >> STEP)
}
