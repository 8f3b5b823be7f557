//! Victory by continuous threats: an attack in which every move makes a four or an open three.
//!
//! Against a four the defender has the moves that stop it; against an open three those that stop the four to come, and
//! every four of its own, which the attacker must answer before the attack goes on. The attack is won only if all of
//! them lose. The search deepens step by step and is bounded by the number of positions looked at; what it finds out
//! goes into the Search TT under keys of its own, as in [`crate::vcf`].

use crate::board::Threat;
use crate::cell::{Cell, MAX_SIZE};
use crate::position::Five;
use crate::rule::Rule;
use crate::search::Lent;
use crate::shape::Shape;
use crate::vcf::{Vcf, Win, recall, remember};
use arrayvec::ArrayVec;
use polyply_core::game::Game;

/// Mixed into the keys of attacks by threats.
const SALT: u64 = 0x2545_f491_4f6c_dd1d;

/// How long an attack by fours may be that ends an attack by threats, and what may be spent on looking for it.
const ENDING_FOURS: i32 = 12;
const ENDING_BUDGET: u32 = 200;

/// A search for one attack.
pub(crate) struct Vct<'a, 'r, R: Rule> {
    game: &'a mut Five<R>,
    lent: &'a mut Lent<'r, R>,
    /// Positions that may still be looked at.
    budget: u32,
    /// The budget ran out or the search was stopped: nothing is known of attacks that were not won.
    cut_short: bool,
}

impl<'a, 'r, R: Rule> Vct<'a, 'r, R> {
    /// Looks for an attack by the side to move, of at most so many threats before the closing fours, and looking at no more
    /// than so many positions.
    pub fn search(game: &'a mut Five<R>, lent: &'a mut Lent<'r, R>, threats: i32, budget: u32) -> Option<Win> {
        let mut vct = Vct { game, lent, budget, cut_short: false };
        (1..=threats).find_map(|threats| if vct.cut_short { None } else { vct.attack(threats) })
    }

    /// The same with the whole line, the defender holding out as long as possible.
    pub fn line(game: &Five<R>, lent: &mut Lent<'_, R>, threats: i32, budget: u32) -> Option<(Win, Vec<Cell>)> {
        let mut game = game.clone();
        let win = Vct::search(&mut game, lent, threats, budget)?;
        let mut line = Vec::new();
        let mut next = win;
        loop {
            line.push(next.first);
            game.play(next.first, &mut ());
            if game.outcome().is_some() {
                break;
            }
            let hardest = answers(&game).into_iter().filter_map(|answer| {
                let undo = game.play(answer, &mut ());
                let win = Vct::search(&mut game, lent, threats, budget);
                game.undo(answer, undo, &mut ());
                Some((answer, win?))
            });
            let Some((answer, win)) = hardest.max_by_key(|(_, win)| win.plies) else { break };
            line.push(answer);
            game.play(answer, &mut ());
            next = win;
        }
        Some((win, line))
    }

    fn attack(&mut self, threats: i32) -> Option<Win> {
        let ending = ENDING_BUDGET.min(self.budget);
        let (win, left) = Vcf::search_within(self.game, self.lent, ENDING_FOURS, ending);
        self.budget -= ending - left;
        if win.is_some() {
            return win;
        }
        if threats <= 0 {
            return None;
        }
        if self.budget == 0 || self.lent.visit() {
            self.cut_short = true;
            return None;
        }
        self.budget -= 1;
        let key = self.lent.key(self.game) ^ SALT;
        if let Some(known) = recall(self.game, self.lent, key, threats) {
            return known;
        }
        let win = self.candidates().into_iter().find_map(|first| self.try_threat(first, threats));
        if win.is_some() || !self.cut_short {
            remember(self.game, self.lent, key, win, threats);
        }
        win
    }

    /// Moves that threaten to win, and stop the opponent from winning first.
    fn candidates(&self) -> ArrayVec<Cell, 128> {
        let (side, other) = (self.game.side(), self.game.side().other());
        let mut found = ArrayVec::<Cell, 128>::new();
        let attacks = |cell: &Cell| self.game.board.shape(*cell, side.index()) >= Shape::OpenThree;
        if self.game.has_five(other) {
            // The threats made before may still stand: whether there is one is seen after the move.
            found.extend(self.game.five_defences(other));
        } else {
            found.extend(self.game.threats(side, Threat::Four).iter().take(64));
            if self.game.has_open_four(other) {
                let stops = self.game.open_four_defences(other);
                let new = |cell: &Cell| attacks(cell) && self.game.board.shape(*cell, side.index()) < Shape::Four;
                found.extend(stops.into_iter().filter(new));
            } else {
                let room = found.remaining_capacity();
                found.extend(self.game.threats(side, Threat::Three).iter().take(room));
            }
        }
        found.sort_unstable_by_key(|&cell| std::cmp::Reverse(self.game.promise(cell, side)));
        found
    }

    fn try_threat(&mut self, first: Cell, threats: i32) -> Option<Win> {
        if self.cut_short {
            return None;
        }
        let undo = self.game.play(first, &mut ());
        let (side, attacker) = (self.game.side(), self.game.side().other());
        let holds = !self.game.has_five(side) && (self.game.has_five(attacker) || self.game.has_open_four(attacker));
        let mut longest = holds.then_some(if self.game.has_five(attacker) { 1 } else { 3 });
        if holds {
            for answer in answers(self.game) {
                let undo = self.game.play(answer, &mut ());
                let win = self.attack(threats - 1);
                self.game.undo(answer, undo, &mut ());
                longest = win.and_then(|win| longest.map(|longest: i32| longest.max(win.plies)));
                if longest.is_none() {
                    break;
                }
            }
        }
        self.game.undo(first, undo, &mut ());
        longest.map(|plies| Win { first, plies: plies + 2 })
    }
}

/// All that the side to move can do against a threat: any other move loses at once.
fn answers<R: Rule>(game: &Five<R>) -> ArrayVec<Cell, { MAX_SIZE * MAX_SIZE }> {
    let (side, attacker) = (game.side(), game.side().other());
    if game.has_five(attacker) {
        return game.five_defences(attacker).into_iter().collect();
    }
    let fours = [Threat::Four, Threat::Win].into_iter().flat_map(|threat| game.threats(side, threat).iter());
    let stops = game.open_four_defences(attacker).into_iter();
    stops.filter(|&cell| game.board.shape(cell, side.index()) < Shape::Four).chain(fours).collect()
}
