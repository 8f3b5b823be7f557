//! What the search is told about five in a row.

use crate::board::Threat;
use crate::capture;
use crate::cell::{Cell, CellSet, MAX_SIZE};
use crate::eval::Evaluator;
use crate::position::Five;
use crate::rule::Rule;
use crate::shape::Shape;
use crate::vcf::{Vcf, Win};
use crate::vct::Vct;
use polyply_core::game::{Class, Game, MoveSink, Outcome, Proof, SearchGame, Settle, Side, Staged};
use polyply_core::params::SearchParams;
use polyply_core::resources::Resources;
use polyply_core::score::Score;

/// What the search lends to a solver.
pub(crate) type Lent<'r, R> = Resources<'r, Five<R>>;

polyply_core::params! {
    /// Tunables of five in a row.
    pub struct FiveParams {
        /// Longest attack by fours that is looked for at a leaf, in fours.
        vcf_leaf_fours = 10 in 0..=100;
        /// Positions looked at for it.
        vcf_leaf_budget = 300 in 0..=1000000;
        /// Longest attack by fours that is looked for before the search, in fours.
        vcf_root_fours = 60 in 0..=100;
        /// Positions looked at for it.
        vcf_root_budget = 20000 in 0..=100000000;
        /// Longest attack by threats that is looked for before the search, in threats.
        vct_root_threats = 16 in 0..=100;
        /// Positions looked at for it.
        vct_root_budget = 10000 in 0..=100000000;
        /// Smallest depth of the nodes where an attack by threats is looked for; 0 is never.
        vct_depth = 0 in 0..=100;
        /// Longest such attack, in threats.
        vct_threats = 4 in 0..=100;
        /// Positions looked at for it.
        vct_budget = 100 in 0..=1000000;
    }
}

/// How the side to move stands, as far as its answer is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// It makes five.
    Wins,
    /// The opponent makes five next.
    FacesFive,
    /// The opponent makes a four next that can't be stopped.
    FacesOpenFour,
    /// The opponent has a five on the board that wins unless it is broken now.
    MustBreak,
    /// None of these.
    Free,
}

impl<R: Rule> Five<R> {
    #[inline(always)]
    fn standing(&self) -> Standing {
        let (side, other) = (self.side(), self.side().other());
        if R::CAPTURES {
            // A five may be broken and a four captured: nothing else is forced.
            if self.breakable_five().is_some() { Standing::MustBreak } else { Standing::Free }
        } else if self.has_five(side) {
            Standing::Wins
        } else if self.has_five(other) {
            Standing::FacesFive
        } else if self.has_open_four(other) {
            Standing::FacesOpenFour
        } else {
            Standing::Free
        }
    }

    /// How promising a stone of a side on an empty cell looks for it.
    #[inline(always)]
    pub(crate) fn promise(&self, cell: Cell, side: Side) -> i32 {
        PROMISE[self.board.shape(cell, side.index()) as usize] + self.lines_promise(cell, side)
    }

    #[inline(always)]
    fn lines_promise(&self, cell: Cell, side: Side) -> i32 {
        const LINE: [i32; 16] = [0, 10, 30, 60, 140, 160, 180, 170, 500, 550, 500, 3000, 9000, 0, 0, 0];
        (0..4).map(|direction| LINE[self.board.pattern(cell, direction, side.index()) as usize]).sum()
    }

    /// The place of a move in the order, before anything was learned about it.
    #[inline(always)]
    fn static_order(&self, cell: Cell) -> i32 {
        let (side, other) = (self.side(), self.side().other());
        4 * self.promise(cell, side) + 3 * self.promise(cell, other)
    }

    /// Empty cells near enough to stones to be looked at.
    fn near(&self) -> CellSet {
        let (first, second) = (self.board.stones(0), self.board.stones(1));
        if self.stones() == 0 {
            let middle = (self.settings().size - 1) / 2;
            let mut centre = CellSet::EMPTY;
            centre.flip(Cell::at(middle, middle));
            return centre;
        }
        first.or(second).around().and(&self.board.empty())
    }

    /// Moves that change the balance at once.
    fn tactical(&self) -> CellSet {
        let side = self.side();
        let [mut fours, mut threes] = [Threat::Four, Threat::Three].map(|threat| self.threats(side, threat).clone());
        fours.retain(|cell| self.board.shape(cell, side.index()) == Shape::FourThree);
        threes.retain(|cell| self.board.shape(cell, side.index()) == Shape::ThreeThree);
        let mut found = fours.or(&threes);
        if R::CAPTURES {
            found = found.or(&capture::cells(&self.board, side.index())).or(self.threats(side, Threat::Five));
            found = found.or(self.threats(side, Threat::Win));
            if self.has_five(side.other()) {
                found = found.or(self.threats(side.other(), Threat::Five));
            }
        }
        if R::CAPTURES || self.stones() < 3 {
            found.retain(|cell| self.is_legal(cell));
        }
        found
    }

    /// Quiet moves worth looking at, without the tactical ones.
    fn quiet(&self, tactical: &CellSet) -> CellSet {
        if R::CAPTURES && self.has_five(self.side().other()) {
            // Whatever else there is against a five hardly ever helps.
            return CellSet::EMPTY;
        }
        let mut found = self.near().without(tactical);
        if R::CAPTURES || self.stones() < 3 {
            found.retain(|cell| self.is_legal(cell));
        }
        found
    }

    fn push_forced(&self, out: &mut MoveSink<'_, Cell>) {
        let (side, other) = (self.side(), self.side().other());
        match self.standing() {
            Standing::Wins => {
                if let Some(cell) = self.threats(side, Threat::Five).iter().next() {
                    out.push(cell, 0);
                }
            }
            Standing::FacesFive => {
                let stops = self.five_defences(other);
                if stops.is_empty() {
                    // Lost, whatever is played.
                    out.push(self.threats(other, Threat::Five).iter().next().expect("there is a five"), 0);
                }
                stops.into_iter().for_each(|cell| out.push(cell, self.static_order(cell)));
            }
            Standing::FacesOpenFour => {
                // Any other move lets the four come, which wins in four plies; nothing here loses sooner.
                let stops = self.open_four_defences(other);
                if stops.is_empty() && !self.has_four(side) {
                    out.push(self.threats(other, Threat::Win).iter().next().expect("there is a four"), 0);
                }
                for cell in stops {
                    if self.board.shape(cell, side.index()) < Shape::Four {
                        out.push(cell, self.static_order(cell));
                    }
                }
                for threat in [Threat::Four, Threat::Win] {
                    self.threats(side, threat).iter().for_each(|cell| out.push(cell, self.static_order(cell)));
                }
            }
            Standing::MustBreak => {
                let five = self.breakable_five().expect("there is a five to break");
                self.breakers(five, side).iter().for_each(|cell| out.push(cell, self.static_order(cell)));
            }
            Standing::Free => {}
        }
    }
}

/// What a shape adds to the promise of its lines.
const PROMISE: [i32; Shape::COUNT] = [0, 0, 200, 300, 1500, 0, 4000, 6000, 8000, 10000];

impl<R: Rule> SearchGame for Five<R> {
    type Eval = Evaluator;
    type Params = FiveParams;

    const HISTORY: usize = MAX_SIZE * MAX_SIZE;
    const REMOTE: bool = true;

    #[inline(always)]
    fn history_slot(&self, cell: Cell) -> usize {
        cell.y() * MAX_SIZE + cell.x()
    }

    fn class(&self, cell: Cell) -> Class {
        if self.standing() != Standing::Free {
            return Class::Forced;
        }
        let tactical = self.tactical();
        if tactical.contains(cell) {
            Class::Tactical
        } else if self.quiet(&tactical).contains(cell) {
            Class::Quiet
        } else {
            Class::Remote
        }
    }

    fn order(&self, class: Class, _exact: bool, _params: &FiveParams, out: &mut MoveSink<'_, Cell>) {
        if class == Class::Forced {
            return self.push_forced(out);
        }
        if self.standing() != Standing::Free {
            return;
        }
        let tactical = self.tactical();
        match class {
            Class::Tactical => tactical.iter().for_each(|cell| out.push(cell, self.static_order(cell))),
            Class::Quiet => self.quiet(&tactical).iter().for_each(|cell| out.push(cell, self.static_order(cell))),
            Class::Forced | Class::Remote => {
                let mut far = self.board.empty().without(&tactical).without(&self.quiet(&tactical));
                far.retain(|cell| self.is_legal(cell));
                far.iter().for_each(|cell| out.push(cell, 0));
            }
        }
    }

    #[inline(always)]
    fn ended(&self, _ply: usize) -> Option<Outcome> {
        self.outcome()
    }

    #[inline(always)]
    fn exact(&mut self, depth: i32, lent: &mut Lent<'_, R>) -> Proof {
        if R::CAPTURES {
            return self.immediate_win().map_or(Proof::OPEN, |_| Proof::exactly(Score::win_in(1)));
        }
        let (side, other) = (self.side(), self.side().other());
        match self.standing() {
            Standing::Wins => Proof::exactly(Score::win_in(1)),
            Standing::FacesFive => {
                let several = self.board.count(other.index(), Shape::Five) > 1;
                let lost = several && (!R::BLOCKED_ENDS || self.five_defences(other).is_empty());
                if lost { Proof::exactly(Score::loss_in(2)) } else { Proof::OPEN }
            }
            Standing::FacesOpenFour | Standing::Free if self.has_open_four(side) => Proof::exactly(Score::win_in(3)),
            Standing::Free if lent.params.vct_depth > 0 && depth >= lent.params.vct_depth => {
                let (threats, budget) = (lent.params.vct_threats, lent.params.vct_budget as u32);
                Vct::search(self, lent, threats, budget).map_or(Proof::OPEN, Win::proof)
            }
            Standing::FacesOpenFour | Standing::Free | Standing::MustBreak => Proof::OPEN,
        }
    }

    fn settle(&mut self, _depth: i32, lent: &mut Lent<'_, R>, out: &mut MoveSink<'_, Cell>) -> Settle {
        if matches!(self.standing(), Standing::FacesFive | Standing::MustBreak) {
            self.push_forced(out);
            return Settle::Forced;
        }
        if !self.has_four(self.side()) {
            return Settle::Quiet;
        }
        let (fours, budget) = (lent.params.vcf_leaf_fours, lent.params.vcf_leaf_budget as u32);
        match Vcf::search(self, lent, fours, budget) {
            Some(win) => Settle::Proven(win.proof()),
            None => Settle::Searched,
        }
    }

    fn staged(&mut self, lent: &mut Lent<'_, R>) -> Option<Staged<Cell>> {
        let (fours, budget) = (lent.params.vcf_root_fours, lent.params.vcf_root_budget as u32);
        if let Some((win, line)) = Vcf::line(self, lent, fours, budget) {
            let stage = if win.plies == 1 { "immediate win" } else { "VCF" };
            return Some(Staged { stage, line, score: Some(Score::win_in(win.plies)) });
        }
        let (threats, budget) = (lent.params.vct_root_threats, lent.params.vct_root_budget as u32);
        let (win, line) = if R::CAPTURES { None } else { Vct::line(self, lent, threats, budget) }?;
        Some(Staged { stage: "VCT", line, score: Some(Score::win_in(win.plies)) })
    }

    fn play_null(&mut self) -> Option<Self::Undo> {
        // Where a four must be answered or an opening rule binds, a pass means nothing.
        (self.standing() == Standing::Free && self.stones() >= 3).then(|| self.pass())
    }

    fn undo_null(&mut self, undo: Self::Undo) {
        self.take_pass_back(undo);
    }

    #[inline(always)]
    fn threatened(&self) -> bool {
        self.has_five(self.side().other()) || self.breakable_five().is_some()
    }

    fn tune(_params: &mut SearchParams) {}
}
