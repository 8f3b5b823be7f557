//! The evaluation compiled for processors that count and find bits with one instruction, which is detected at run time.
//! `--cfg polyply_portable` leaves this module out.

use crate::eval::blend;
use crate::pawns::PawnCache;
use crate::position::Chess;
use crate::weights::{Pair, Weights};

/// [`blend`], in the fastest version for this processor.
#[inline(always)]
pub(crate) fn fastest_blend(game: &Chess, weights: &Weights, places: Pair, pawns: &mut PawnCache) -> i32 {
    #[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
    if has_bit_instructions() {
        // SAFETY: the processor has the instructions that the function is compiled for.
        return unsafe { blend_by_bit_instructions(game, weights, places, pawns) };
    }
    blend(game, weights, places, pawns)
}

#[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
#[inline(always)]
fn has_bit_instructions() -> bool {
    is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("lzcnt")
}

#[cfg(all(target_arch = "x86_64", not(polyply_portable)))]
#[target_feature(enable = "popcnt,bmi1,lzcnt")]
fn blend_by_bit_instructions(game: &Chess, weights: &Weights, places: Pair, pawns: &mut PawnCache) -> i32 {
    blend(game, weights, places, pawns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::{Game, MoveList, Notation};
    use polyply_core::random::Random;

    #[test]
    fn both_ways_come_to_the_same() {
        let mut random = Random::new(9);
        let mut game = Chess::start();
        let mut pawns = PawnCache::default();
        // A whole game; under Miri, where a move takes a second, only its opening.
        for _ in 0..if cfg!(miri) { 10 } else { usize::MAX } {
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            game.play(mv, &mut ());
            let (weights, places) = (Weights::built_in(), Pair::ZERO);
            // One of them has an empty cache, so cached values are compared as well.
            let plain = blend(&game, weights, places, &mut PawnCache::default());
            assert_eq!(fastest_blend(&game, weights, places, &mut pawns), plain, "{}", game.text());
        }
    }
}
