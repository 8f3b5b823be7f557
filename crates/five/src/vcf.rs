//! Victory by continuous fours: an attack in which every move makes a four, so that every answer is forced.
//!
//! The search is exact: an attack counts only if every answer that stops the four loses as well, and if a four of the
//! opponent stands in the way, only attacking moves that stop it count. What is found out goes into the Search TT under
//! keys of its own, for an attack by fours alone is another game than the one around it: a failed attack says nothing
//! about the position itself.

use crate::cell::Cell;
use crate::cells::Threat;
use crate::defence::Defences;
use crate::position::Five;
use crate::rule::Rule;
use crate::search::Lent;
use crate::shape::Shape;
use arrayvec::ArrayVec;
use polyply_core::game::{Game, NO_MOVE, Proof};
use polyply_core::score::Score;
use polyply_core::table::{Bound, Entry};

/// Mixed into the keys of attacks by fours.
const SALT: u64 = 0x5bd1_e995_9e37_79b9;

/// A won attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Win {
    /// The move that begins it.
    pub first: Cell,
    /// Plies to the five if the defender holds out as long as possible against it.
    pub plies: i32,
}

impl Win {
    /// What it proves: a shorter win may have been overlooked.
    pub fn proof(self) -> Proof {
        Proof { low: Score::win_in(self.plies), high: Score::win_in(1), best: self.first.into() }
    }
}

/// A search for one attack.
pub(crate) struct Vcf<'a, 'r, R: Rule> {
    game: &'a mut Five<R>,
    lent: &'a mut Lent<'r, R>,
    /// Positions that may still be looked at.
    budget: u32,
    /// The budget ran out or the search was stopped: nothing is known of attacks that were not won.
    cut_short: bool,
}

impl<'a, 'r, R: Rule> Vcf<'a, 'r, R> {
    /// Looks for an attack by the side to move, of at most so many fours and looking at no more than so many positions.
    pub fn search(game: &'a mut Five<R>, lent: &'a mut Lent<'r, R>, fours: i32, budget: u32) -> Option<Win> {
        Vcf::search_within(game, lent, fours, budget).0
    }

    /// The same; says also how much of the budget is left.
    pub fn search_within(
        game: &'a mut Five<R>,
        lent: &'a mut Lent<'r, R>,
        fours: i32,
        budget: u32,
    ) -> (Option<Win>, u32) {
        let mut vcf = Vcf { game, lent, budget, cut_short: false };
        (vcf.attack(fours), vcf.budget)
    }

    /// The same with the whole line, the defender holding out as long as possible.
    pub fn line(game: &Five<R>, lent: &mut Lent<'_, R>, fours: i32, budget: u32) -> Option<(Win, Vec<Cell>)> {
        let mut game = game.clone();
        let win = Vcf::search(&mut game, lent, fours, budget)?;
        let mut line = Vec::new();
        let mut next = Some(win);
        while let Some(attack) = next {
            line.push(attack.first);
            game.play(attack.first, &mut ());
            if game.outcome().is_some() {
                break;
            }
            let hardest = game.answers_to_four().into_iter().filter_map(|answer| {
                let undo = game.play(answer, &mut ());
                let win = Vcf::search(&mut game, lent, fours, budget);
                game.undo(answer, undo, &mut ());
                Some((answer, win?))
            });
            let Some((answer, win)) = hardest.max_by_key(|(_, win)| win.plies) else { break };
            line.push(answer);
            game.play(answer, &mut ());
            next = Some(win);
        }
        Some((win, line))
    }

    fn attack(&mut self, fours: i32) -> Option<Win> {
        // With captures there are many answers to a four, and to see that one of them is no good takes as long as a search:
        // here every position counts.
        if R::CAPTURES && self.spent() {
            return None;
        }
        let side = self.game.side();
        if let Some(first) = self.game.immediate_win() {
            return Some(Win { first, plies: 1 });
        }
        let facing = self.game.has_five(side.other());
        if !R::CAPTURES && !facing && self.game.has_open_four(side) {
            let first = self.game.threats(side, Threat::Win).iter().next()?;
            return Some(Win { first, plies: 3 });
        }
        if fours <= 0 || !self.game.has_four(side) {
            return None;
        }
        if !R::CAPTURES && self.spent() {
            return None;
        }
        let key = self.lent.key(self.game) ^ SALT;
        if let Some(known) = recall(self.game, self.lent, key, fours) {
            return known;
        }
        let win = self.candidates(facing).into_iter().find_map(|first| self.try_four(first, fours));
        if win.is_some() || !self.cut_short {
            remember(self.game, self.lent, key, win, fours);
        }
        win
    }

    /// Counts a position; true if there was nothing left to count from.
    #[inline(always)]
    fn spent(&mut self) -> bool {
        self.cut_short |= self.budget == 0 || self.lent.visit();
        self.budget = self.budget.saturating_sub(1);
        self.cut_short
    }

    /// Moves that make a four, and stop the opponent's if there is one; the most promising first.
    fn candidates(&self, facing: bool) -> ArrayVec<Cell, 128> {
        let side = self.game.side();
        let mut found = ArrayVec::<Cell, 128>::new();
        if R::CAPTURES {
            let fours =
                [Threat::Four, Threat::Win].into_iter().flat_map(|threat| self.game.threats(side, threat).iter());
            found.extend(fours.filter(|&cell| self.game.is_legal(cell)).take(found.remaining_capacity()));
        } else if facing {
            let stops = self.game.five_defences(side.other());
            found.extend(stops.into_iter().filter(|&cell| self.game.board.shape(cell, side.index()) >= Shape::Four));
        } else {
            let room = found.remaining_capacity();
            found.extend(self.game.threats(side, Threat::Four).iter().take(room));
        }
        found.sort_unstable_by_key(|&cell| std::cmp::Reverse(self.game.promise(cell, side)));
        found
    }

    fn try_four(&mut self, first: Cell, fours: i32) -> Option<Win> {
        if self.cut_short || R::CAPTURES && self.spent() {
            return None;
        }
        let undo = self.game.play(first, &mut ());
        let mut longest = if R::CAPTURES && !self.game.four_must_be_answered() { None } else { Some(1) };
        for answer in if longest.is_some() { self.game.answers_to_four() } else { Defences::new() } {
            let undo = self.game.play(answer, &mut ());
            self.lent.table.prefetch(self.lent.key(self.game) ^ SALT);
            let win = self.attack(fours - 1);
            self.game.undo(answer, undo, &mut ());
            longest = win.and_then(|win| longest.map(|longest: i32| longest.max(win.plies)));
            if longest.is_none() {
                break;
            }
        }
        self.game.undo(first, undo, &mut ());
        longest.map(|plies| Win { first, plies: plies + 2 })
    }
}

/// What is known of an attack of this length from an earlier search of this kind: that it wins, or that it does not.
pub(crate) fn recall<R: Rule>(game: &Five<R>, lent: &Lent<'_, R>, key: u64, length: i32) -> Option<Option<Win>> {
    let entry = lent.table.probe(key)?;
    let score = entry.score.for_side(game.side());
    if let (Some(plies @ 1..), Some(first)) = (score.plies_to_end(), game.decode(entry.best)) {
        return Some(Some(Win { first, plies }));
    }
    (i32::from(entry.depth) >= length).then_some(None)
}

/// Keeps what a search has found out about attacks of this length.
pub(crate) fn remember<R: Rule>(game: &Five<R>, lent: &Lent<'_, R>, key: u64, win: Option<Win>, length: i32) {
    let (score, bound, best) = match win {
        Some(win) => (Score::win_in(win.plies), Bound::Lower, win.first.into()),
        None => (Score::ZERO, Bound::Upper, NO_MOVE),
    };
    let (score, depth) = (score.for_first(game.side()), length.min(255) as u8);
    lent.table.store(key, Entry { score, eval: None, best, depth, bound, generation: 0 });
}
