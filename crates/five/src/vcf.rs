//! Victory by continuous fours (VCF): an attack in which every move makes a four, so every answer is forced.
//!
//! If the opponent has a four, only fours that stop it count.

use crate::attack::{Attack, Attackers, Solver, Win};
use crate::cells::Threat;
use crate::defence::Defences;
use crate::position::Five;
use crate::rule::Rule;
use crate::shape::Shape;
use polyply_core::game::Game;

/// Attacks by fours.
pub(crate) struct Vcf;

impl Attack for Vcf {
    const SALT: u64 = 0x5bd1_e995_9e37_79b9;
    const DEEPENS: bool = false;
    type Answers = Defences;

    /// A five, or an unstoppable four.
    #[inline(always)]
    fn ending<R: Rule>(solver: &mut Solver<'_, '_, R>) -> Option<Win> {
        let (game, side) = (&*solver.game, solver.game.side());
        if let Some(first) = game.immediate_win() {
            return Some(Win { first, plies: 1 });
        }
        if R::CAPTURES || game.has_five(side.other()) || !game.has_open_four(side) {
            return None;
        }
        let first = game.threats(side, Threat::Win).iter().next()?;
        Some(Win { first, plies: 3 })
    }

    #[inline(always)]
    fn may_go_on<R: Rule>(game: &Five<R>) -> bool {
        game.has_four(game.side())
    }

    fn attackers<R: Rule>(game: &Five<R>) -> Attackers {
        let (side, other) = (game.side(), game.side().other());
        let mut found = Attackers::new();
        if R::CAPTURES {
            let fours = [Threat::Four, Threat::Win].into_iter().flat_map(|threat| game.threats(side, threat).iter());
            found.extend(fours.filter(|&cell| game.is_legal(cell)).take(found.capacity()));
        } else if game.has_five(other) {
            let stops = game.five_defences(other);
            found.extend(stops.into_iter().filter(|&cell| game.board.shape(cell, side.index()) >= Shape::Four));
        } else {
            found.extend(game.threats(side, Threat::Four).iter().take(found.capacity()));
        }
        found.sort_unstable_by_key(|&cell| std::cmp::Reverse(game.promise(cell, side)));
        found
    }

    /// A four wins with the next move. With captures it may not have to be answered, and checking that costs as much as
    /// a position.
    #[inline(always)]
    fn threat<R: Rule>(solver: &mut Solver<'_, '_, R>) -> Option<i32> {
        if R::CAPTURES && (solver.spent() || !solver.game.four_must_be_answered()) {
            return None;
        }
        Some(1)
    }

    #[inline(always)]
    fn answers<R: Rule>(game: &Five<R>) -> Defences {
        game.answers_to_four()
    }
}
