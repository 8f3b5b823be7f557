//! A position of the family: the board, the side to move, and the state of the game.

use crate::board::Board;
use crate::capture::{self, Taken};
use crate::cell::{Cell, CellSet};
use crate::cells::{Change, Threat};
use crate::pattern::{Pattern, WinRule};
use crate::refusals;
use crate::rule::Rule;
use crate::settings::{BreakableFive, Settings};
use crate::shape::Shape;
use polyply_core::game::{Game, MoveList, Observer, Outcome, Side};
use polyply_core::random::Random;
use polyply_core::refusal::Refusal;

/// A position under a rule.
#[derive(Clone)]
pub struct Five<R: Rule> {
    pub(crate) board: Board<R>,
    settings: Settings,
    side: Side,
    key: u64,
    /// Stones on the board.
    stones: u16,
    /// Stones each side has captured.
    captured: [u8; 2],
    winner: Option<Side>,
    /// The last stone of an opponent's five that can still be broken: if it stands after the next move, it wins.
    standing: Option<Cell>,
    /// The last stone of each side.
    last: [Option<Cell>; 2],
}

/// What a move changed besides setting the stone.
#[derive(Clone, Copy)]
pub struct Undo {
    mark: usize,
    key: u64,
    captured: [u8; 2],
    standing: Option<Cell>,
    last: [Option<Cell>; 2],
    taken: Taken,
}

/// Zobrist numbers of the stones, the captured stones and the side to move.
struct Zobrist;

impl Zobrist {
    #[inline(always)]
    const fn stone(cell: Cell, side: Side) -> u64 {
        Random::nth(0, 1 + 2 * cell.index() as u64 + side.index() as u64)
    }

    const fn captured(side: Side, stones: u8) -> u64 {
        Random::nth(0, 0x1_0000 + 2 * stones as u64 + side.index() as u64)
    }

    const SECOND_TO_MOVE: u64 = Random::nth(0, 0x2_0000);
}

impl<R: Rule> Five<R> {
    /// The empty board.
    ///
    /// # Panics
    /// If the settings are of another variant.
    pub fn new(settings: Settings) -> Self {
        assert_eq!(settings.variant, R::KIND, "the settings are of the rule's own variant");
        Five {
            board: Board::new(settings.size, WinRule::of::<R>(&settings)),
            settings,
            side: Side::First,
            key: settings.fingerprint() ^ Zobrist::captured(Side::First, 0) ^ Zobrist::captured(Side::Second, 0),
            stones: 0,
            captured: [0; 2],
            winner: None,
            standing: None,
            last: [None; 2],
        }
    }

    /// A position with these stones and captures. Fails if it is illegal.
    pub fn set_up(
        settings: Settings,
        stones: impl IntoIterator<Item = (Cell, Side)>,
        side: Side,
        captured: [u8; 2],
    ) -> Result<Self, Refusal> {
        let mut game = Five::<R>::new(settings);
        for (cell, owner) in stones {
            game.board.put(cell, owner.index(), &mut ());
            game.stones += 1;
        }
        game.side = side;
        game.captured = captured;
        game.judge_set_up()?;
        game.key = game.recomputed_key();
        Ok(game)
    }

    /// Determines the state of a position that was set up.
    fn judge_set_up(&mut self) -> Result<(), Refusal> {
        let other = self.side.other();
        let to_win = self.settings.capture.map_or(u8::MAX, |capture| capture.stones_to_win);
        if self.captured.iter().all(|&stones| stones >= to_win) {
            return Err(refusals::both_captured());
        }
        let five = |side: Side| self.board.stones(side.index()).iter().find(|&cell| self.wins_through(cell, side));
        let (own, opposing) = (five(self.side), five(other));
        self.winner = if let Some(side) =
            [Side::First, Side::Second].into_iter().find(|side| self.captured[side.index()] >= to_win)
        {
            Some(side)
        } else if own.is_some() && opposing.is_some() && !R::CAPTURES {
            return Err(refusals::both_five());
        } else if own.is_some() {
            Some(self.side)
        } else if let Some(cell) = opposing {
            if R::CAPTURES && !self.breakers(self.side).is_empty() {
                self.standing = Some(cell);
                None
            } else {
                Some(other)
            }
        } else {
            None
        };
        Ok(())
    }

    /// The winner, if there is one.
    pub(crate) fn winner(&self) -> Option<Side> {
        self.winner
    }

    /// The rules.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The owner of the stone on a cell.
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        [Side::First, Side::Second].into_iter().find(|side| self.board.stones(side.index()).contains(cell))
    }

    /// The number of stones on the board.
    pub fn stones(&self) -> usize {
        usize::from(self.stones)
    }

    /// The stones of a side, and those of its opponent.
    #[inline(always)]
    pub(crate) fn stones_of(&self, side: Side) -> (&CellSet, &CellSet) {
        (self.board.stones(side.index()), self.board.stones(side.other().index()))
    }

    /// The number of stones a side has captured.
    pub fn captured(&self, side: Side) -> u8 {
        self.captured[side.index()]
    }

    /// The numbers of stones the first and the second player have captured.
    pub fn captures(&self) -> [u8; 2] {
        self.captured
    }

    /// Why a move to an empty cell is illegal.
    pub(crate) fn why_forbidden(&self, cell: Cell) -> Refusal {
        let name = crate::notation::move_text((cell.x(), cell.y()));
        if !self.opening_allows(cell) {
            match self.first_stone() {
                Some(first) => {
                    refusals::opening_distance(self.settings.opening.least_distance(self.settings.size, first))
                }
                None => refusals::opening_centre(),
            }
        } else if self.standing.is_some() {
            refusals::five_stands(name)
        } else {
            refusals::double_three(name)
        }
    }

    /// The cell of the last move, unless the position was set up.
    pub fn last(&self) -> Option<Cell> {
        self.last_of(self.side.other())
    }

    /// The last stone of a side, unless the position was set up.
    #[inline(always)]
    pub fn last_of(&self, side: Side) -> Option<Cell> {
        self.last[side.index()]
    }

    /// The opponent's five of the last move, if it can still be broken. It wins if it stands after the next move.
    pub fn breakable_five(&self) -> Option<Cell> {
        self.standing
    }

    /// Whether a row of a side through a cell wins.
    pub(crate) fn wins_through(&self, cell: Cell, side: Side) -> bool {
        let rule = WinRule::of::<R>(&self.settings);
        self.board.stones(side.index()).contains(cell)
            && capture::rows_through(&self.board, cell, side.index()).any(|row| row.wins(rule))
    }

    /// Whether these stones contain a winning row. With captures, every row that is long enough wins.
    fn has_five_among(&self, stones: &CellSet) -> bool {
        stones.has_row(self.settings.win_length)
    }

    /// Whether the captures of a stone on this cell break the enemy's fives, or win.
    fn breaks(&self, own: &CellSet, enemy: &CellSet, cell: Cell, side: Side) -> bool {
        let taken = Taken::by(own, enemy, cell);
        let taken = taken.cells();
        let left = || taken.iter().fold(enemy.clone(), |left, &cell| left.with_flipped(cell));
        !taken.is_empty() && (self.captures_win(side, taken.len()) || !self.has_five_among(&left()))
    }

    /// With these stones on the board, the captures with which a side breaks the enemy's fives, or wins.
    fn breakers_among(&self, own: &CellSet, enemy: &CellSet, side: Side) -> CellSet {
        let empty = CellSet::board(self.settings.size).without(own).without(enemy);
        let mut captures = capture::cells(own, enemy).and(&empty);
        captures.retain(|cell| self.breaks(own, enemy, cell, side));
        captures
    }

    /// The captures with which a side breaks the opponent's fives, or wins.
    pub(crate) fn breakers(&self, side: Side) -> CellSet {
        let (own, enemy) = self.stones_of(side);
        self.breakers_among(own, enemy, side)
    }

    /// Whether a side, if it were to move, would win at once with a five on this cell: nothing breaks it, and the
    /// opponent has no five.
    pub(crate) fn five_wins(&self, cell: Cell, side: Side) -> bool {
        let other = side.other();
        let taken = self.taken_by(cell, side);
        if self.captures_win(side, taken.cells().len()) {
            return true;
        }
        let (own, enemy) = self.stones_of(side);
        let own = own.clone().with_flipped(cell);
        let enemy = taken.cells().iter().fold(enemy.clone(), |enemy, &cell| enemy.with_flipped(cell));
        let beaten = self.standing.is_some() && self.has_five_among(&enemy);
        !beaten && self.breakers_among(&enemy, &own, other).is_empty()
    }

    /// Whether a side wins by captures with this many more stones.
    pub(crate) fn captures_win(&self, side: Side, more: usize) -> bool {
        let stones = usize::from(self.captured[side.index()]) + more;
        self.settings.capture.is_some_and(|capture| stones >= usize::from(capture.stones_to_win))
    }

    /// Removes captured stones from the board.
    fn take<O: Observer<Change>>(&mut self, taken: &Taken, side: Side, observer: &mut O) {
        let before = self.captured[side.index()];
        let now = before + taken.cells().len() as u8;
        if now == before {
            return;
        }
        for &cell in taken.cells() {
            self.board.lift(cell, side.other().index(), observer);
            self.key ^= Zobrist::stone(cell, side.other());
        }
        self.stones -= taken.cells().len() as u16;
        self.captured[side.index()] = now;
        self.key ^= Zobrist::captured(side, before) ^ Zobrist::captured(side, now);
    }

    fn has_legal_move(&self) -> bool {
        self.board.empty().iter().any(|cell| self.is_legal(cell))
    }

    /// Whether the opening rule allows this cell.
    fn opening_allows(&self, cell: Cell) -> bool {
        // Opening rules do not restrict later moves.
        if self.stones >= 3 {
            return true;
        }
        let moves = self.stones() + self.captured.iter().map(|&stones| usize::from(stones)).sum::<usize>();
        self.settings.opening.allows(self.settings.size, moves, self.first_stone(), cell.x(), cell.y())
    }

    /// The first player's stone, if it is the only one and this player is to move.
    fn first_stone(&self) -> Option<(usize, usize)> {
        let mut own = self.board.stones(0).iter().map(|cell| (cell.x(), cell.y()));
        own.next().filter(|_| self.side == Side::First && own.next().is_none())
    }

    /// Whether the side to move may play on an empty cell.
    #[inline]
    pub(crate) fn is_legal(&self, cell: Cell) -> bool {
        (self.stones >= 3 || self.opening_allows(cell)) && (!R::CAPTURES || self.capture_rules_allow(cell, self.side))
    }

    /// Removes the cells where the side to move may not play.
    pub(crate) fn retain_legal(&self, cells: &mut CellSet) {
        if self.stones < 3 || self.standing.is_some() || self.settings.win_length != 5 {
            cells.retain(|cell| self.is_legal(cell));
        } else if R::CAPTURES {
            // Only stones that make a threat can make two free threes.
            for threat in [Threat::Three, Threat::Four, Threat::Win, Threat::Five] {
                for cell in self.threats(self.side, threat).iter() {
                    if cells.contains(cell) && !self.is_legal(cell) {
                        cells.flip(cell);
                    }
                }
            }
        }
    }

    /// Whether a move is neither a forbidden double three, nor ignores a five that must be broken.
    pub(crate) fn capture_rules_allow(&self, cell: Cell, side: Side) -> bool {
        let Some(rules) = self.settings.capture else { return true };
        if self.standing.is_some() && rules.breakable_five == BreakableFive::Forced {
            let (own, enemy) = self.stones_of(side);
            return self.breaks(own, enemy, cell, side);
        }
        // A free three leads to an open four, so two of them are at least two threes, or a four and a three.
        let shape = self.board.shape(cell, side.index());
        if self.settings.win_length == 5 && (shape < Shape::ThreeThree || shape == Shape::Four) {
            return true;
        }
        !rules.double_three.binds(side)
            || !capture::makes_double_three(&self.board, cell, side.index())
            || !self.taken_by(cell, side).cells().is_empty()
    }

    /// Updates the state of the game after a stone of `side`, before the turn passes.
    fn judge_capture_move(&mut self, cell: Cell, side: Side, five: bool) {
        let standing = self.standing.take();
        if self.captures_win(side, 0) {
            self.winner = Some(side);
        } else if standing.is_some() && self.has_five_among(self.board.stones(side.other().index())) {
            self.winner = Some(side.other());
        } else if five {
            let breakable = !self.breakers(side.other()).is_empty();
            (self.winner, self.standing) = if breakable { (None, Some(cell)) } else { (Some(side), None) };
        }
    }

    /// What to restore when the next move is taken back.
    #[inline(always)]
    fn before(&self) -> Undo {
        Undo {
            mark: self.board.mark(),
            key: self.key,
            captured: self.captured,
            standing: self.standing,
            last: self.last,
            taken: Taken::NONE,
        }
    }

    /// Passes the turn: for the search, which tries null moves.
    pub(crate) fn pass(&mut self) -> Undo {
        let undo = self.before();
        self.side = self.side.other();
        self.key ^= Zobrist::SECOND_TO_MOVE;
        undo
    }

    /// Takes a pass back.
    pub(crate) fn undo_pass(&mut self, undo: Undo) {
        self.side = self.side.other();
        self.key = undo.key;
    }

    /// Whether the game is not over and a side has a cell that makes five.
    #[inline(always)]
    pub(crate) fn has_five(&self, side: Side) -> bool {
        self.board.count(side.index(), Shape::Five) > 0
    }

    /// Whether a side has a cell that makes an unstoppable four.
    #[inline(always)]
    pub(crate) fn has_open_four(&self, side: Side) -> bool {
        self.board.count(side.index(), Shape::OpenFour) + self.board.count(side.index(), Shape::FourFour) > 0
    }

    /// Whether a side has a cell that makes a four.
    #[inline(always)]
    pub(crate) fn has_four(&self, side: Side) -> bool {
        self.has_open_four(side)
            || self.board.count(side.index(), Shape::Four) + self.board.count(side.index(), Shape::FourThree) > 0
    }

    /// The cells where a side makes a threat.
    #[inline(always)]
    pub(crate) fn threats(&self, side: Side, threat: Threat) -> &CellSet {
        self.board.threats(side.index(), threat)
    }

    /// Compares everything incremental with its recomputation. The error says what differs.
    pub fn check(&self) -> Result<(), String> {
        if self.key != self.recomputed_key() {
            return Err("the key differs from the recomputed one".into());
        }
        self.board.check(WinRule::of::<R>(&self.settings))
    }

    /// The pattern a side makes on an empty cell in a direction.
    pub fn pattern(&self, cell: Cell, direction: usize, side: Side) -> Pattern {
        self.board.pattern(cell, direction, side.index())
    }

    /// The shape a side makes on an empty cell.
    pub fn shape(&self, cell: Cell, side: Side) -> Shape {
        self.board.shape(cell, side.index())
    }
}

impl<R: Rule> Game for Five<R> {
    type Move = Cell;
    type Change = Change;
    type Undo = Undo;

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    fn recomputed_key(&self) -> u64 {
        let mut key = self.settings.fingerprint();
        for side in [Side::First, Side::Second] {
            for cell in self.board.stones(side.index()).iter() {
                key ^= Zobrist::stone(cell, side);
            }
            key ^= Zobrist::captured(side, self.captured[side.index()]);
        }
        if self.side == Side::Second { key ^ Zobrist::SECOND_TO_MOVE } else { key }
    }

    fn moves(&self, out: &mut MoveList<Cell>) {
        if self.winner.is_none() {
            out.extend(self.board.empty().iter().filter(|&cell| self.is_legal(cell)));
        }
    }

    #[inline]
    fn decode(&self, bits: u16) -> Option<Cell> {
        if usize::from(bits) >= crate::cell::GRID || self.winner.is_some() {
            return None;
        }
        let cell = Cell::of_index(usize::from(bits));
        (self.board.is_empty(cell) && self.is_legal(cell)).then_some(cell)
    }

    #[inline]
    fn play<O: Observer<Change>>(&mut self, cell: Cell, observer: &mut O) -> Undo {
        let side = self.side;
        let mut undo = self.before();
        let five = self.board.shape(cell, side.index()) == Shape::Five;
        self.board.put(cell, side.index(), observer);
        self.stones += 1;
        self.key ^= Zobrist::stone(cell, side) ^ Zobrist::SECOND_TO_MOVE;
        if R::CAPTURES {
            undo.taken = self.taken_by(cell, side);
            self.take(&undo.taken, side, observer);
            self.judge_capture_move(cell, side, five);
        } else if five {
            self.winner = Some(side);
        }
        self.side = side.other();
        self.last[side.index()] = Some(cell);
        undo
    }

    #[inline]
    fn undo<O: Observer<Change>>(&mut self, cell: Cell, undo: Undo, observer: &mut O) {
        self.side = self.side.other();
        let side = self.side;
        if R::CAPTURES {
            for &taken in undo.taken.cells().iter().rev() {
                self.board.unlift(taken, side.other().index(), observer);
            }
            self.stones += undo.taken.cells().len() as u16;
        }
        self.board.unput(cell, side.index(), undo.mark, observer);
        self.stones -= 1;
        self.key = undo.key;
        self.captured = undo.captured;
        self.standing = undo.standing;
        self.last = undo.last;
        self.winner = None;
    }

    fn horizon(&self) -> i32 {
        if R::CAPTURES { i32::MAX } else { self.settings.size.pow(2) as i32 - i32::from(self.stones) }
    }

    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, symmetry: usize) -> Self {
        let turned = |side: Side| {
            self.board.stones(side.index()).iter().map(move |cell| (self.transform_move(cell, symmetry), side))
        };
        let stones = turned(Side::First).chain(turned(Side::Second));
        let mut image =
            Five::set_up(self.settings, stones, self.side, self.captured).expect("a symmetry keeps what is possible");
        image.last = self.last.map(|last| last.map(|cell| self.transform_move(cell, symmetry)));
        image
    }

    /// Symmetries 0 to 3 turn the board by that many quarters; 4 to 7 mirror it at the diagonal first.
    fn transform_move(&self, cell: Cell, symmetry: usize) -> Cell {
        let end = self.settings.size - 1;
        let (mut x, mut y) = (cell.x(), cell.y());
        if symmetry >= 4 {
            (x, y) = (y, x);
        }
        for _ in 0..symmetry % 4 {
            (x, y) = (end - y, x);
        }
        Cell::at(x, y)
    }

    fn inverse(&self, symmetry: usize) -> usize {
        if symmetry >= 4 { symmetry } else { (4 - symmetry) % 4 }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = self.winner {
            return Some(Outcome::Win(winner));
        }
        let full = usize::from(self.stones) == self.settings.size * self.settings.size;
        if full || (R::CAPTURES && !self.has_legal_move()) { Some(Outcome::Draw) } else { None }
    }
}
