//! The search for a forced win by threats, of both kinds: by fours (`vcf.rs`), and by fours and open threes (`vct.rs`).
//!
//! The attacker makes one threat after the other. An attack is won only if the defender loses after every answer to
//! every threat, so a win is proven. The number of positions is limited. Results are stored in the Search TT under
//! separate keys: a failed attack of one kind says nothing about the value of the position.

use crate::cell::Cell;
use crate::position::Five;
use crate::rule::Rule;
use crate::search::SolverResources;
use arrayvec::ArrayVec;
use polyply_core::game::{Game, NO_MOVE, Proof};
use polyply_core::score::Score;
use polyply_core::table::{Bound, Entry};

/// A won attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Win {
    /// The move that begins it.
    pub first: Cell,
    /// Plies to the five against the longest defence.
    pub plies: i32,
}

impl Win {
    /// The proof. There may be a shorter win that was not found.
    pub fn proof(self) -> Proof {
        Proof { low: Score::win_in(self.plies), high: Score::win_in(1), best: self.first.into() }
    }
}

/// Attacking moves.
pub(crate) type Attackers = ArrayVec<Cell, 128>;

/// A kind of attack: which moves are threats, and which answers the defender has.
pub(crate) trait Attack: Sized {
    /// Mixed into the keys of results in the Search TT.
    const SALT: u64;
    /// Whether shorter attacks are tried first.
    const DEEPENS: bool;
    /// The answers to a threat.
    type Answers: IntoIterator<Item = Cell>;

    /// A win for the side to move without a further threat of this kind.
    fn ending<R: Rule>(solver: &mut Solver<'_, '_, R>) -> Option<Win>;

    /// Whether the side to move may have another threat: a cheap test.
    fn may_go_on<R: Rule>(game: &Five<R>) -> bool;

    /// The moves that make a threat and stop the opponent's own; the most promising first.
    fn attackers<R: Rule>(game: &Five<R>) -> Attackers;

    /// After an attacking move: the plies to the win from the attacker's next move on if the defender passes; `None` if
    /// the defender need not answer.
    fn threat<R: Rule>(solver: &mut Solver<'_, '_, R>) -> Option<i32>;

    /// All answers that may stop the threat. Any other move loses at once.
    fn answers<R: Rule>(game: &Five<R>) -> Self::Answers;

    /// After an answer: whether the attack has failed.
    #[inline(always)]
    fn has_failed<R: Rule>(_game: &Five<R>) -> bool {
        false
    }

    /// Looks for a won attack of the side to move, with at most `length` threats and within a budget of positions.
    fn search<R: Rule>(
        game: &mut Five<R>,
        resources: &mut SolverResources<'_, R>,
        length: i32,
        budget: u32,
    ) -> Option<Win> {
        Self::search_within(game, resources, length, budget).0
    }

    /// Like [`Attack::search`], but also returns what is left of the budget.
    fn search_within<R: Rule>(
        game: &mut Five<R>,
        resources: &mut SolverResources<'_, R>,
        length: i32,
        budget: u32,
    ) -> (Option<Win>, u32) {
        let mut solver = Solver { game, resources, budget, cut_short: false };
        let shortest = if Self::DEEPENS { 1 } else { length };
        let win =
            (shortest..=length).find_map(|length| if solver.cut_short { None } else { solver.attack::<Self>(length) });
        (win, solver.budget)
    }

    /// Like [`Attack::search`], but with the whole line against the longest defence.
    fn line<R: Rule>(
        game: &Five<R>,
        resources: &mut SolverResources<'_, R>,
        length: i32,
        budget: u32,
    ) -> Option<(Win, Vec<Cell>)> {
        let mut game = game.clone();
        let win = Self::search(&mut game, resources, length, budget)?;
        let mut line = Vec::new();
        let mut next = win;
        loop {
            line.push(next.first);
            game.play(next.first, &mut ());
            if game.outcome().is_some() {
                break;
            }
            let hardest = Self::answers(&game).into_iter().filter_map(|answer| {
                let undo = game.play(answer, &mut ());
                let win = Self::search(&mut game, resources, length, budget);
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
}

/// A running search for an attack.
pub(crate) struct Solver<'a, 'r, R: Rule> {
    pub game: &'a mut Five<R>,
    pub resources: &'a mut SolverResources<'r, R>,
    /// Positions that may still be visited.
    pub budget: u32,
    /// The budget ran out or the search was stopped: attacks that were not won are undecided.
    cut_short: bool,
}

impl<R: Rule> Solver<'_, '_, R> {
    /// Counts a position; true if the budget is spent or the search was stopped.
    #[inline(always)]
    pub fn spent(&mut self) -> bool {
        self.cut_short |= self.budget == 0 || self.resources.visit();
        self.budget = self.budget.saturating_sub(1);
        self.cut_short
    }

    /// The side to move attacks with at most `length` more threats.
    fn attack<A: Attack>(&mut self, length: i32) -> Option<Win> {
        // With captures a threat has many answers, and refuting one takes as long as a search: every position counts,
        // even if the attack ends there.
        if R::CAPTURES && self.spent() {
            return None;
        }
        let ending = A::ending(self);
        if ending.is_some() {
            return ending;
        }
        if length <= 0 || !A::may_go_on(self.game) {
            return None;
        }
        if !R::CAPTURES && self.spent() {
            return None;
        }
        let key = self.resources.key(self.game) ^ A::SALT;
        if let Some(known) = self.recall(key, length) {
            return known;
        }
        let win = A::attackers(self.game).into_iter().find_map(|first| self.try_move::<A>(first, length));
        if win.is_some() || !self.cut_short {
            self.remember(key, win, length);
        }
        win
    }

    /// The attack that begins with this move, if it wins.
    fn try_move<A: Attack>(&mut self, first: Cell, length: i32) -> Option<Win> {
        if self.cut_short {
            return None;
        }
        let undo = self.game.play(first, &mut ());
        let longest = self.longest_defence::<A>(length);
        self.game.undo(first, undo, &mut ());
        longest.map(|plies| Win { first, plies: plies + 2 })
    }

    /// After an attacking move: the plies to the win from the attacker's next move on against the best defence; `None`
    /// if a defence holds.
    #[inline(always)]
    fn longest_defence<A: Attack>(&mut self, length: i32) -> Option<i32> {
        let mut longest = A::threat(self)?;
        for answer in A::answers(self.game) {
            let undo = self.game.play(answer, &mut ());
            self.resources.table.prefetch(self.resources.key(self.game) ^ A::SALT);
            let win = if A::has_failed(self.game) { None } else { self.attack::<A>(length - 1) };
            self.game.undo(answer, undo, &mut ());
            longest = longest.max(win?.plies);
        }
        Some(longest)
    }

    /// The stored result for attacks of this length, if there is one: a win, or none.
    fn recall(&self, key: u64, length: i32) -> Option<Option<Win>> {
        let entry = self.resources.table.probe(key)?;
        let score = entry.score.for_side(self.game.side());
        if let (Some(plies @ 1..), Some(first)) = (score.plies_to_end(), self.game.decode(entry.best)) {
            return Some(Some(Win { first, plies }));
        }
        (i32::from(entry.depth) >= length).then_some(None)
    }

    /// Stores the result for attacks of this length.
    fn remember(&self, key: u64, win: Option<Win>, length: i32) {
        let (score, bound, best) = match win {
            Some(win) => (Score::win_in(win.plies), Bound::Lower, win.first.into()),
            None => (Score::ZERO, Bound::Upper, NO_MOVE),
        };
        let (score, depth) = (score.for_first(self.game.side()), length.min(255) as u8);
        self.resources.table.store(key, Entry { score, eval: None, best, depth, bound, generation: 0 });
    }
}
