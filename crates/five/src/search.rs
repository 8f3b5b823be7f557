//! What the search needs to know about five in a row: order of moves, stages, proofs, parameters.

use crate::attack::{Attack, Win};
use crate::cell::{Cell, CellSet, MAX_SIZE};
use crate::cells::Threat;
use crate::eval::Evaluator;
use crate::position::Five;
use crate::rule::Rule;
use crate::settings::Kind;
use crate::shape::Shape;
use crate::vcf::Vcf;
use crate::vct::Vct;
use crate::weights::Weights;
use polyply_core::game::{Class, Game, MoveList, MoveSink, Outcome, Proof, SearchGame, Settle, Side, Staged};
use polyply_core::params::SearchParams;
use polyply_core::resources::Resources;
use polyply_core::score::Score;

/// What a solver may use of the search.
pub(crate) type SolverResources<'r, R> = Resources<'r, Five<R>>;

polyply_core::params! {
    /// Tunables of five in a row.
    pub struct FiveParams {
        /// Weight of the learned order of moves against history, for each logit.
        order_scale = 6000 in 0..=100000;
        /// Longest attack by fours searched at a leaf, in fours.
        vcf_leaf_fours = 10 in 0..=100;
        /// Position budget of that search.
        vcf_leaf_budget = 300 in 0..=1000000;
        /// Longest attack by fours searched at the root, in fours.
        vcf_root_fours = 60 in 0..=100;
        /// Position budget of that search.
        vcf_root_budget = 20000 in 0..=100000000;
        /// Position budget for the opponent's attack by fours, after each of our moves.
        vcf_defence_budget = 500 in 0..=1000000;
        /// Longest attack by threats searched at the root, in threats.
        vct_root_threats = 16 in 0..=100;
        /// Position budget of that search.
        vct_root_budget = 10000 in 0..=100000000;
        /// Smallest depth of the nodes where attacks by threats are searched; 0 is never.
        vct_depth = 0 in 0..=100;
        /// Longest attack searched there, in threats.
        vct_threats = 4 in 0..=100;
        /// Position budget of that search.
        vct_budget = 100 in 0..=1000000;
        /// Longer attacks by threats are searched in nodes of the principal variation down to this ply.
        vct_pv_plies = 1 in 0..=100;
        /// Smallest depth of such nodes.
        vct_pv_depth = 6 in 0..=100;
        /// Longest attack searched there, in threats.
        vct_pv_threats = 12 in 0..=100;
        /// Position budget of that search.
        vct_pv_budget = 2000 in 0..=1000000;
    }
}

/// The immediate threats that the side to move has to consider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// The side to move can make five.
    Wins,
    /// The opponent threatens to make five.
    FacesFive,
    /// The opponent threatens to make an unstoppable four.
    FacesOpenFour,
    /// The opponent has a five on the board that wins unless it is broken now.
    MustBreak,
    /// None of these.
    Free,
}

impl<R: Rule> Five<R> {
    /// The relative cost of a position in an attack: more with captures, since every capture is an answer.
    const COST: u32 = if R::CAPTURES { 5 } else { 1 };

    #[inline(always)]
    fn standing(&self) -> Standing {
        let (side, other) = (self.side(), self.side().other());
        if R::CAPTURES {
            // A five may be broken and a four captured, so not every four is forcing.
            if self.breakable_five().is_some() {
                Standing::MustBreak
            } else if self.has_five(other) && self.four_must_be_answered() {
                Standing::FacesFive
            } else {
                Standing::Free
            }
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

    /// The order value of a stone of a side on an empty cell, for that side alone.
    #[inline(always)]
    pub(crate) fn promise(&self, cell: Cell, side: Side) -> i32 {
        self.board.promise(cell, side.index())
    }

    /// The static order of a move, in units of the search's histories.
    #[inline(always)]
    pub(crate) fn static_order(&self, cell: Cell, params: &FiveParams) -> i32 {
        (self.linear_order(cell) + self.board.policy(cell, self.side().index())) * params.order_scale
            / Weights::ORDER_UNIT
    }

    /// The order of a move without the net, in units of one over [`Weights::ORDER_UNIT`].
    #[inline(always)]
    pub(crate) fn linear_order(&self, cell: Cell) -> i32 {
        let side = self.side();
        let distances = [side.other(), side].map(|side| cell.distance(self.last_of(side)));
        let pair_effects = if R::CAPTURES { self.pair_order(cell, self.board.capture_weights()) } else { 0 };
        self.board.order(cell, side.index()) + self.board.nearness(distances) + pair_effects
    }

    /// The empty cells close enough to stones to be considered.
    pub(crate) fn near(&self) -> CellSet {
        let (first, second) = (self.board.stones(0), self.board.stones(1));
        if self.stones() == 0 {
            let middle = (self.settings().size - 1) / 2;
            let mut centre = CellSet::EMPTY;
            centre.flip(Cell::at(middle, middle));
            return centre;
        }
        first.or(second).around().and(self.board.empty())
    }

    /// Whether the cell is one of them.
    fn is_near(&self, cell: Cell) -> bool {
        let (first, second) = (self.board.stones(0), self.board.stones(1));
        if self.stones() == 0 { self.near().contains(cell) } else { first.is_near(cell) || second.is_near(cell) }
    }

    /// Whether a move is tactical: it makes or stops a threat.
    fn is_tactical(&self, cell: Cell) -> bool {
        let (side, other) = (self.side(), self.side().other());
        match self.board.shape(cell, side.index()) {
            Shape::FourThree | Shape::ThreeThree => true,
            shape if R::CAPTURES => {
                shape > Shape::FourThree
                    || self.board.shape(cell, other.index()) == Shape::Five
                    || !self.taken_by(cell, side).cells().is_empty()
            }
            _ => false,
        }
    }

    /// All tactical moves.
    fn tactical(&self) -> CellSet {
        let side = self.side();
        let mut found = CellSet::EMPTY;
        for (threat, double) in [(Threat::Four, Shape::FourThree), (Threat::Three, Shape::ThreeThree)] {
            if self.board.count(side.index(), double) > 0 {
                let mut doubles = self.threats(side, threat).clone();
                doubles.retain(|cell| self.board.shape(cell, side.index()) == double);
                found = found.or(&doubles);
            }
        }
        if R::CAPTURES {
            found = found.or(&self.capturing(side)).or(self.threats(side, Threat::Five));
            found = found.or(self.threats(side, Threat::Win)).or(self.threats(side.other(), Threat::Five));
        }
        if R::CAPTURES || self.stones() < 3 {
            self.retain_legal(&mut found);
        }
        found
    }

    /// The quiet moves to consider, without the tactical ones.
    fn quiet(&self, tactical: &CellSet) -> CellSet {
        if R::CAPTURES && self.has_five(self.side().other()) {
            // Other moves hardly ever help against a five.
            return CellSet::EMPTY;
        }
        let mut found = self.near().without(tactical);
        if let Some(helping) = self.to_the_point() {
            found = found.and(&helping);
        }
        if R::CAPTURES || self.stones() < 3 {
            self.retain_legal(&mut found);
        }
        found
    }

    /// If the opponent is likely to win next, the moves that stop the threat or force the opponent first. Other moves
    /// hardly ever help.
    fn to_the_point(&self) -> Option<CellSet> {
        let (side, other) = (self.side(), self.side().other());
        let helping = match R::KIND {
            Kind::Freestyle if self.board.count(other.index(), Shape::FourThree) > 0 => self.four_three_defences(other),
            Kind::Capture if self.has_open_four(other) => self.open_four_defences_with_captures(other),
            // If six in a row do not win, other moves help against a four with a three often enough to be worth a
            // search.
            Kind::Freestyle | Kind::Standard | Kind::Caro | Kind::Capture => return None,
        };
        Some(helping.or(self.threats(side, Threat::Four)))
    }

    /// The moves that answer the opponent's threat, if it must be answered.
    fn forced_defence(&mut self, resources: &mut SolverResources<'_, R>) -> Option<(&'static str, Vec<Cell>)> {
        let stage = match self.standing() {
            Standing::FacesFive => "forced block",
            Standing::MustBreak => "forced break of a five",
            Standing::FacesOpenFour => "forced defence",
            Standing::Wins => return None,
            Standing::Free => return self.defence_against_vcf(resources).map(|moves| ("defence against VCF", moves)),
        };
        let mut forced = Vec::new();
        self.push_forced(resources.params, &mut MoveSink::new(&mut forced));
        Some((stage, forced.into_iter().map(|scored| scored.mv).collect()))
    }

    /// If the opponent would win by fours after a pass, the moves that prevent it.
    fn defence_against_vcf(&mut self, resources: &mut SolverResources<'_, R>) -> Option<Vec<Cell>> {
        const MOVES: u32 = 64;
        let (fours, budget) = (resources.params.vcf_root_fours, resources.params.vcf_defence_budget as u32);
        let budget = resources.share(budget.saturating_mul(MOVES)) / MOVES;
        if self.stones() < 3 {
            return None;
        }
        let pass = self.pass();
        let threat = Vcf::search(self, resources, fours, budget);
        self.undo_pass(pass);
        threat?;
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        let refutes = |&cell: &Cell| {
            let undo = self.play(cell, &mut ());
            let refuted = self.outcome().is_some() || Vcf::search(self, resources, fours, budget).is_none();
            self.undo(cell, undo, &mut ());
            refuted
        };
        let refuting: Vec<Cell> = moves.into_iter().filter(refutes).collect();
        (!refuting.is_empty()).then_some(refuting)
    }

    fn push_forced(&self, params: &FiveParams, out: &mut MoveSink<'_, Cell>) {
        let (side, other) = (self.side(), self.side().other());
        match self.standing() {
            Standing::Wins => {
                if let Some(cell) = self.threats(side, Threat::Five).iter().next() {
                    out.push(cell, 0);
                }
            }
            Standing::FacesFive => {
                let stops = self.answers_to_four();
                if stops.is_empty() {
                    // Lost, whatever is played.
                    let fives = self.threats(other, Threat::Five);
                    let any = fives.iter().chain(self.board.empty().iter()).find(|&cell| self.is_legal(cell));
                    any.into_iter().for_each(|cell| out.push(cell, 0));
                }
                stops.into_iter().for_each(|cell| out.push(cell, self.static_order(cell, params)));
            }
            Standing::FacesOpenFour => {
                // After any other move the opponent makes the four and wins in four plies; none of these moves loses
                // sooner.
                let stops = self.open_four_defences(other);
                if stops.is_empty() && !self.has_four(side) {
                    out.push(self.threats(other, Threat::Win).iter().next().expect("there is a four"), 0);
                }
                for cell in stops {
                    if self.board.shape(cell, side.index()) < Shape::Four {
                        out.push(cell, self.static_order(cell, params));
                    }
                }
                for threat in [Threat::Four, Threat::Win] {
                    self.threats(side, threat).iter().for_each(|cell| out.push(cell, self.static_order(cell, params)));
                }
            }
            Standing::MustBreak => {
                self.breakers(side).iter().for_each(|cell| out.push(cell, self.static_order(cell, params)));
            }
            Standing::Free => {}
        }
    }
}

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
        if (R::CAPTURES || self.stones() < 3) && !self.is_legal(cell) {
            return Class::Remote;
        }
        if self.is_tactical(cell) {
            return Class::Tactical;
        }
        let beside_the_point = R::CAPTURES && self.has_five(self.side().other())
            || self.to_the_point().is_some_and(|helping| !helping.contains(cell));
        if self.is_near(cell) && !beside_the_point { Class::Quiet } else { Class::Remote }
    }

    fn prepare(&mut self, eval: &Evaluator) {
        self.board.set_weights(eval.weights());
    }

    fn order(&self, class: Class, params: &FiveParams, out: &mut MoveSink<'_, Cell>) {
        if class == Class::Forced {
            return self.push_forced(params, out);
        }
        if self.standing() != Standing::Free {
            return;
        }
        let tactical = self.tactical();
        match class {
            Class::Tactical => tactical.iter().for_each(|cell| out.push(cell, self.static_order(cell, params))),
            Class::Quiet => {
                self.quiet(&tactical).iter().for_each(|cell| out.push(cell, self.static_order(cell, params)))
            }
            Class::Forced | Class::Remote => {
                let mut far = self.board.empty().without(&tactical).without(&self.quiet(&tactical));
                self.retain_legal(&mut far);
                far.iter().for_each(|cell| out.push(cell, 0));
            }
        }
    }

    #[inline(always)]
    fn ended(&self, _ply: usize) -> Option<Outcome> {
        // With captures it is expensive to see whether a legal move is left; the search notices by itself.
        if R::CAPTURES { self.winner().map(Outcome::Win) } else { self.outcome() }
    }

    #[inline(always)]
    fn proof(&mut self, depth: i32, resources: &mut SolverResources<'_, R>) -> Proof {
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
            Standing::Free if resources.params.vct_depth > 0 && depth >= resources.params.vct_depth => {
                let (threats, budget) = (resources.params.vct_threats, resources.params.vct_budget as u32);
                Vct::search(self, resources, threats, budget).map_or(Proof::OPEN, Win::proof)
            }
            Standing::Free
                if resources.pv_ply <= resources.params.vct_pv_plies as usize
                    && depth >= resources.params.vct_pv_depth =>
            {
                let (threats, budget) = (resources.params.vct_pv_threats, resources.params.vct_pv_budget as u32);
                Vct::search(self, resources, threats, budget).map_or(Proof::OPEN, Win::proof)
            }
            Standing::FacesOpenFour | Standing::Free | Standing::MustBreak => Proof::OPEN,
        }
    }

    fn settle(&mut self, _depth: i32, resources: &mut SolverResources<'_, R>, out: &mut MoveSink<'_, Cell>) -> Settle {
        let forced = match self.standing() {
            Standing::MustBreak => true,
            // With captures there are many answers, and the search has tried them before it comes here.
            Standing::FacesFive => !R::CAPTURES,
            Standing::Wins | Standing::FacesOpenFour | Standing::Free => false,
        };
        if forced {
            self.push_forced(resources.params, out);
            return Settle::Forced;
        }
        if !self.has_four(self.side()) {
            return Settle::Quiet;
        }
        let (fours, budget) = (resources.params.vcf_leaf_fours, resources.params.vcf_leaf_budget as u32 / Self::COST);
        match Vcf::search(self, resources, fours, budget) {
            Some(win) => Settle::Proven(win.proof()),
            None => Settle::Searched,
        }
    }

    fn staged(&mut self, resources: &mut SolverResources<'_, R>) -> Option<Staged<Cell>> {
        let (fours, budget) =
            (resources.params.vcf_root_fours, resources.share(resources.params.vcf_root_budget as u32));
        if let Some((win, line)) = Vcf::line(self, resources, fours, budget) {
            let stage = if win.plies == 1 { "immediate win" } else { "VCF" };
            return Some(Staged { stage, line, score: Some(Score::win_in(win.plies)) });
        }
        let (threats, budget) =
            (resources.params.vct_root_threats, resources.share(resources.params.vct_root_budget as u32) / Self::COST);
        if let Some((win, line)) = Vct::line(self, resources, threats, budget) {
            return Some(Staged { stage: "VCT", line, score: Some(Score::win_in(win.plies)) });
        }
        let (stage, line) = self.forced_defence(resources)?;
        Some(Staged { stage, line, score: None })
    }

    fn play_null(&mut self) -> Option<Self::Undo> {
        // A pass means nothing if a four must be answered or an opening rule applies.
        (self.standing() == Standing::Free && self.stones() >= 3).then(|| self.pass())
    }

    fn undo_null(&mut self, undo: Self::Undo) {
        self.undo_pass(undo);
    }

    #[inline(always)]
    fn threatened(&self) -> bool {
        let other = self.side().other();
        if R::CAPTURES {
            // A five that can be broken leaves a choice; extending each of them took most of the search.
            self.breakable_five().is_some() || self.unbreakable_five(other).is_some()
        } else {
            self.has_five(other)
        }
    }

    #[inline(always)]
    fn pressed(&self) -> bool {
        let other = self.side().other();
        self.has_open_four(other) || R::CAPTURES && self.has_five(other)
    }

    fn tune(params: &mut SearchParams) {
        // The right to move is worth so much here that a null move proves nothing.
        params.null_move = 0;
        params.lmr_divisor = 130;
        params.razoring_base = 19;
        params.razoring_margin = 14;
        params.fail_high = 1;
        // The answers to an open three include all own fours, most of which only delay it.
        params.lmr_forced = 1;
        params.lmp_depth = 64;
        params.lmp_power = 160;
        if R::CAPTURES {
            // Hardly anything is forced, and trying the whole board against every threat takes most of the time.
            params.prove_depth = 6;
            // Found together, by `polyply tune spsa`.
            params.lmr_base = 87;
            params.lmr_divisor = 112;
            params.lmp_power = 181;
            params.aspiration_window = 46;
            params.razoring_base = 68;
            params.razoring_margin = 53;
            params.reverse_futility_margin = 65;
            params.futility_base = 92;
            params.futility_margin = 69;
            params.fail_high_margin = 8;
            params.probcut_margin = 191;
            // It costs as much as two plies of depth here and gains less.
            params.singular = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Capture;
    use polyply_core::game::Notation;
    use std::sync::Arc;

    /// The position after these moves by columns and rows, which take turns.
    fn after(moves: &[(usize, usize)]) -> Five<Capture> {
        let mut game = Five::start();
        for &(x, y) in moves {
            let cell = Cell::at(x, y);
            assert!(game.is_legal(cell), "{x} {y}");
            game.play(cell, &mut ());
        }
        game
    }

    #[test]
    fn a_four_whose_five_can_be_broken_presses_but_does_not_threaten() {
        let four = [(5, 9), (6, 11), (6, 9), (0, 0), (7, 9), (2, 1), (8, 9)];
        let game = after(&four);
        assert!(game.threatened() && game.pressed());
        // The stone below the row makes a pair of it and one of the row's, which a stone above takes.
        let game = after(&[&four[..], &[(15, 3), (6, 10)]].concat());
        assert!(!game.threatened() && game.pressed());
    }

    #[test]
    fn against_an_open_three_only_moves_with_a_say_in_it_are_quiet() {
        let game = after(&[(7, 9), (0, 0), (8, 9), (2, 1), (9, 9)]);
        let mut quiet = Vec::new();
        game.order(Class::Quiet, &FiveParams::default(), &mut MoveSink::new(&mut quiet));
        assert!(!quiet.is_empty() && quiet.iter().all(|scored| scored.mv.y() == 9));
        assert_eq!(game.class(Cell::at(6, 9)), Class::Quiet);
        assert_eq!(game.class(Cell::at(8, 11)), Class::Remote);
        // Above a pair of the row to come: a capture will break it.
        let game = after(&[(7, 9), (0, 0), (8, 9), (2, 1), (9, 9), (15, 3), (8, 10)]);
        assert_eq!(game.class(Cell::at(8, 8)), Class::Quiet);
    }

    #[test]
    fn moves_are_ordered_by_the_weights_of_the_evaluation() {
        let ordered = |weights: &Arc<Weights>| {
            let mut game = after(&[(7, 9), (0, 0), (8, 9), (2, 1)]);
            game.prepare(&Evaluator::new(weights));
            let mut quiet = Vec::new();
            game.order(Class::Quiet, &FiveParams::default(), &mut MoveSink::new(&mut quiet));
            quiet.iter().map(|scored| scored.score).collect::<Vec<_>>()
        };
        let built_in = Weights::of(Capture::KIND);
        assert_ne!(ordered(built_in), ordered(&Arc::new(Weights::handmade())));
    }
}
