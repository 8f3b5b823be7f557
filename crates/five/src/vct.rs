//! Victory by continuous threats (VCT): an attack in which every move makes a four or an open three, and which ends
//! in an attack by fours.
//!
//! Against a four the defender has the moves that stop it. Against an open three it has the moves that stop the coming
//! four, and every four of its own, which the attacker must answer first. With captures there are too many ways to stop
//! a threat for such a list: there a threat is a move after which the opponent would lose by fours if it passed, and
//! every legal answer is tried.

use crate::attack::{Attack, Attackers, Solver, Win};
use crate::cell::{Cell, MAX_SIZE};
use crate::cells::Threat;
use crate::position::Five;
use crate::rule::Rule;
use crate::shape::Shape;
use crate::vcf::Vcf;
use arrayvec::ArrayVec;
use polyply_core::game::{Game, MoveList};

/// The longest attack by fours that may end an attack by threats, and its position budget.
const ENDING_FOURS: i32 = 12;
const ENDING_BUDGET: u32 = 200;

/// Attacks by fours and open threes.
pub(crate) struct Vct;

/// Searches an attack by fours, on the budget of the attack by threats.
fn by_fours<R: Rule>(solver: &mut Solver<'_, '_, R>) -> Option<Win> {
    let budget = ENDING_BUDGET.min(solver.budget);
    let (win, left) = Vcf::search_within(solver.game, solver.resources, ENDING_FOURS, budget);
    solver.budget -= budget - left;
    win
}

/// Whether the side to move would lose by fours if it passed.
fn threatens<R: Rule>(solver: &mut Solver<'_, '_, R>) -> bool {
    if solver.game.outcome().is_some() {
        return false;
    }
    if solver.game.breakable_five().is_some() {
        return true;
    }
    let pass = solver.game.pass();
    let win = by_fours(solver);
    solver.game.undo_pass(pass);
    win.is_some()
}

impl Attack for Vct {
    const SALT: u64 = 0x2545_f491_4f6c_dd1d;
    const DEEPENS: bool = true;
    type Answers = ArrayVec<Cell, { MAX_SIZE * MAX_SIZE }>;

    #[inline(always)]
    fn ending<R: Rule>(solver: &mut Solver<'_, '_, R>) -> Option<Win> {
        by_fours(solver)
    }

    #[inline(always)]
    fn may_go_on<R: Rule>(_game: &Five<R>) -> bool {
        true
    }

    fn attackers<R: Rule>(game: &Five<R>) -> Attackers {
        let (side, other) = (game.side(), game.side().other());
        let mut found = Attackers::new();
        if R::CAPTURES {
            let threats = [Threat::Win, Threat::Four, Threat::Three];
            let cells = threats.into_iter().flat_map(|threat| game.threats(side, threat).iter());
            found.extend(cells.filter(|&cell| game.is_legal(cell)).take(found.capacity()));
        } else if game.has_five(other) {
            // Earlier threats may still stand; that shows after the move.
            found.extend(game.five_defences(other));
        } else {
            found.extend(game.threats(side, Threat::Four).iter().take(64));
            if game.has_open_four(other) {
                let three = |cell: &Cell| {
                    let shape = game.board.shape(*cell, side.index());
                    shape >= Shape::OpenThree && shape < Shape::Four
                };
                found.extend(game.open_four_defences(other).into_iter().filter(three));
            } else {
                let room = found.remaining_capacity();
                found.extend(game.threats(side, Threat::Three).iter().take(room));
            }
        }
        found.sort_unstable_by_key(|&cell| std::cmp::Reverse(game.promise(cell, side)));
        found
    }

    fn threat<R: Rule>(solver: &mut Solver<'_, '_, R>) -> Option<i32> {
        if R::CAPTURES {
            return threatens(solver).then_some(1);
        }
        let (side, attacker) = (solver.game.side(), solver.game.side().other());
        if solver.game.has_five(side) {
            None
        } else if solver.game.has_five(attacker) {
            Some(1)
        } else {
            solver.game.has_open_four(attacker).then_some(3)
        }
    }

    /// With captures these are all legal moves, those first that look best for either side.
    fn answers<R: Rule>(game: &Five<R>) -> Self::Answers {
        let (side, attacker) = (game.side(), game.side().other());
        if R::CAPTURES {
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            let worth = |&cell: &Cell| std::cmp::Reverse(game.promise(cell, side) + game.promise(cell, attacker));
            moves.sort_unstable_by_key(worth);
            return moves.into_iter().collect();
        }
        if game.has_five(attacker) {
            return game.five_defences(attacker).into_iter().collect();
        }
        let fours = [Threat::Four, Threat::Win].into_iter().flat_map(|threat| game.threats(side, threat).iter());
        let stops = game.open_four_defences(attacker).into_iter();
        stops.filter(|&cell| game.board.shape(cell, side.index()) < Shape::Four).chain(fours).collect()
    }

    /// Only with captures, where every legal move is an answer, can an answer end the game.
    #[inline(always)]
    fn has_failed<R: Rule>(game: &Five<R>) -> bool {
        R::CAPTURES && game.outcome().is_some()
    }
}
