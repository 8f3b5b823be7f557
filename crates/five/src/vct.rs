//! Victory by continuous threats: an attack in which every move makes a four or an open three.
//!
//! Against a four the defender has the moves that stop it; against an open three those that stop the four to come, and
//! every four of its own, which the attacker must answer before the attack goes on. The attack is won only if all of
//! them lose. Where stones can be captured there are too many ways to stop a threat for a list of them: there a threat
//! is a move after which an idle opponent loses by fours, and every legal answer is tried. The search deepens step by step and is bounded by the number of positions looked at; what it finds out
//! goes into the Search TT under keys of its own, as in [`crate::vcf`].

use crate::cell::{Cell, MAX_SIZE};
use crate::cells::Threat;
use crate::position::Five;
use crate::rule::Rule;
use crate::search::Lent;
use crate::shape::Shape;
use crate::vcf::{Vcf, Win, recall, remember};
use arrayvec::ArrayVec;
use polyply_core::game::{Game, MoveList};

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
            let hardest = game.answers_to_threat().into_iter().filter_map(|answer| {
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

    /// Counts a position; true if there was nothing left to count from.
    fn spent(&mut self) -> bool {
        self.cut_short |= self.budget == 0 || self.lent.visit();
        self.budget = self.budget.saturating_sub(1);
        self.cut_short
    }

    fn attack(&mut self, threats: i32) -> Option<Win> {
        // So many answers are tried where stones can be captured that they count even if they lose at once.
        if R::CAPTURES && self.spent() {
            return None;
        }
        let ending = ENDING_BUDGET.min(self.budget);
        let (win, left) = Vcf::search_within(self.game, self.lent, ENDING_FOURS, ending);
        self.budget -= ending - left;
        if win.is_some() {
            return win;
        }
        if threats <= 0 {
            return None;
        }
        if !R::CAPTURES && self.spent() {
            return None;
        }
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
        if R::CAPTURES {
            let threats = [Threat::Win, Threat::Four, Threat::Three];
            let cells = threats.into_iter().flat_map(|threat| self.game.threats(side, threat).iter());
            found.extend(cells.filter(|&cell| self.game.is_legal(cell)).take(found.capacity()));
        } else if self.game.has_five(other) {
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

    /// The opponent, to move, would lose by fours if it did nothing.
    fn threatens(&mut self) -> bool {
        if self.game.outcome().is_some() {
            return false;
        }
        if self.game.breakable_five().is_some() {
            return true;
        }
        let pass = self.game.pass();
        let ending = ENDING_BUDGET.min(self.budget);
        let (win, left) = Vcf::search_within(self.game, self.lent, ENDING_FOURS, ending);
        self.game.take_pass_back(pass);
        self.budget -= ending - left;
        win.is_some()
    }

    fn try_threat(&mut self, first: Cell, threats: i32) -> Option<Win> {
        if self.cut_short {
            return None;
        }
        let undo = self.game.play(first, &mut ());
        let (side, attacker) = (self.game.side(), self.game.side().other());
        let mut longest = if R::CAPTURES {
            self.threatens().then_some(1)
        } else {
            let holds = self.game.has_five(attacker) || self.game.has_open_four(attacker);
            (holds && !self.game.has_five(side)).then_some(if self.game.has_five(attacker) { 1 } else { 3 })
        };
        if longest.is_some() {
            for answer in self.game.answers_to_threat() {
                let undo = self.game.play(answer, &mut ());
                let over = R::CAPTURES && self.game.outcome().is_some();
                let win = if over { None } else { self.attack(threats - 1) };
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

impl<R: Rule> Five<R> {
    /// All that the side to move can do against a threat: any other move loses at once. Where stones can be captured it
    /// is any move, those first that look best for either side.
    fn answers_to_threat(&self) -> ArrayVec<Cell, { MAX_SIZE * MAX_SIZE }> {
        let (side, attacker) = (self.side(), self.side().other());
        if R::CAPTURES {
            let mut moves = MoveList::new();
            self.moves(&mut moves);
            let worth = |&cell: &Cell| std::cmp::Reverse(self.promise(cell, side) + self.promise(cell, attacker));
            moves.sort_unstable_by_key(worth);
            return moves.into_iter().collect();
        }
        if self.has_five(attacker) {
            return self.five_defences(attacker).into_iter().collect();
        }
        let fours = [Threat::Four, Threat::Win].into_iter().flat_map(|threat| self.threats(side, threat).iter());
        let stops = self.open_four_defences(attacker).into_iter();
        stops.filter(|&cell| self.board.shape(cell, side.index()) < Shape::Four).chain(fours).collect()
    }
}
