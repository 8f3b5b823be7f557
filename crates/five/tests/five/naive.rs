//! The rules of the family once more, plain and slow: the oracle that the fast board is compared to.
//!
//! Everything here is computed from the stones each time it is asked for. It shares with the fast board what describes
//! the rules ([`Settings`], [`Opening`](polyply_five::opening::Opening)) and how positions are written, and no code that
//! judges a position. To take a move back, keep a clone.
//!
//! Where the usual wording of the rules leaves something open, this is how it is read:
//!
//! - **Winning row.** Only the four lines through the stone just placed are looked at. In a line the whole run of own
//!   stones counts. A run of exactly `win_length` wins unless both its ends are closed; a longer one wins, whatever its
//!   ends, unless `exact_five`.
//! - **Captures first.** Captured stones are lifted before anything else is judged, and whoever has `stones_to_win` then
//!   has won at once, whatever rows are on the board.
//! - **Breakable row.** A row wins at once unless the opponent has a move after which the maker has no winning row left
//!   anywhere, or that brings the opponent to `stones_to_win` (be it by one pair or by several at once). Such a move
//!   captures, so no double three forbids it. A move that makes two rows at once is broken only by breaking both.
//! - **`free`.** While a breakable row waits for its answer, the opponent plays what it likes. After that move: if the
//!   opponent has won by captures, that is the end; else, if a row still stands, its maker has won, *also if the answer
//!   made a row of its own*: the first row stands. If the answer breaks the row and makes an own one, the own one is
//!   judged like any other.
//! - **`forced`.** The only legal moves are those that break every row or win by captures. Making an own row is no
//!   answer.
//! - **Double three.** A free three of a direction is a window of four cells in that direction that holds the stone just
//!   placed, three own stones and one empty cell, with an empty cell of the board just beyond either end: the empty cell
//!   filled, it is a four open at both ends. So `o_xxx_o` is none. Nothing else matters: not what lies farther out
//!   (`x_xxx__` has a free three besides its four), not whether the four could be captured, not `win_length`. A direction
//!   counts once, however many windows it has. The stone just placed is part of each three, since other threes were
//!   there before. A move that makes two and captures nothing is illegal even if it makes a winning row.
//! - **Draw.** The side to move has no legal move: the board is full, or (in capture gomoku) every empty cell is a
//!   double three.
//! - **Opening.** The first move is bound on an empty board; the third when the first player is to move, two moves have
//!   been made and the first player has one stone. The moves made are the stones on the board and those captured.
//! - **A board that is set up** is judged as if the side not to move had just made all of its rows. A row of the side to
//!   move has outlived its answer: it has won.

use polyply_core::game::{Outcome, Side};
use polyply_five::notation::{BoardSetup, Point};
use polyply_five::settings::{BlockedEnds, BreakableFive, CaptureSettings, Settings};

/// A step from a cell to a neighbour.
type Step = (isize, isize);

/// One step for each of the four lines through a cell.
const LINES: [Step; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A position under any rule set of the family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naive {
    pub settings: Settings,
    /// The stones, the side to move and the captured stones.
    pub setup: BoardSetup,
    /// Whose breakable row waits for the answer of the side to move.
    pub standing: Option<Side>,
    /// The last move, and the stones it captured.
    pub last: Option<Point>,
    pub taken: Vec<Point>,
    outcome: Option<Outcome>,
}

impl Naive {
    /// The empty board.
    pub fn new(settings: Settings) -> Naive {
        Naive::from_setup(settings, BoardSetup::empty(settings.size))
    }

    /// A board with stones on it.
    pub fn from_setup(settings: Settings, setup: BoardSetup) -> Naive {
        assert_eq!(settings.size, setup.size);
        let mut game = Naive { settings, setup, standing: None, last: None, taken: vec![], outcome: None };
        let (side, other) = (game.side(), game.side().other());
        game.outcome = if game.has_captured_enough(other) {
            Some(Outcome::Win(other))
        } else if game.has_captured_enough(side) || game.has_row(side) {
            Some(Outcome::Win(side))
        } else {
            None
        };
        if game.outcome.is_none() && game.has_row(other) {
            game.judge_row(other);
        }
        game.judge_draw();
        game
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.setup.side
    }

    /// How the game ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// All legal moves, from the bottom left, row after row.
    pub fn legal_moves(&self) -> Vec<Point> {
        self.points().filter(|&point| self.legal(point)).collect()
    }

    /// The move is legal.
    pub fn legal(&self, point: Point) -> bool {
        self.outcome.is_none()
            && self.cell(point, (0, 0), 0) == Some(None)
            && self.opening_allows(point)
            && !self.is_forbidden_double_three(point)
            && (!self.must_answer() || self.answers(point, self.side()))
    }

    /// Plays a legal move.
    pub fn play(&mut self, point: Point) {
        assert!(self.legal(point), "{point:?} is illegal in {}", self.setup.text());
        let (side, other) = (self.side(), self.side().other());
        self.taken = self.place(point, side);
        self.last = Some(point);
        self.setup.side = other;
        let stood = self.standing.take().is_some();
        if self.has_captured_enough(side) {
            self.outcome = Some(Outcome::Win(side));
        } else if stood && self.has_row(other) {
            self.outcome = Some(Outcome::Win(other));
        } else if self.makes_row(point, side) {
            self.judge_row(side);
        }
        self.judge_draw();
    }

    /// In how many directions the stone on this cell is part of a free three.
    pub fn free_threes(&self, point: Point) -> usize {
        LINES.iter().filter(|&&line| self.has_free_three(point, line)).count()
    }

    /// The stones that this side would capture from an empty cell.
    pub fn captures(&self, point: Point, side: Side) -> Vec<Point> {
        if self.settings.capture.is_none() {
            return vec![];
        }
        let directions = LINES.iter().flat_map(|&(dx, dy)| [(dx, dy), (-dx, -dy)]);
        let captured = directions.filter(|&step| {
            let cells = [1, 2, 3].map(|distance| self.cell(point, step, distance));
            cells == [Some(Some(side.other())), Some(Some(side.other())), Some(Some(side))]
        });
        captured.flat_map(|step| [1, 2].map(|distance| self.point(point, step, distance).unwrap())).collect()
    }

    /// A stone of this side on this cell stands or would stand in a row that wins, captures aside.
    pub fn makes_row(&self, point: Point, side: Side) -> bool {
        LINES.iter().any(|&line| self.row_wins(point, side, line))
    }

    /// The empty cells, from the bottom left, row after row.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.points().filter(|&point| self.setup.at(point).is_none())
    }

    fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.settings.size;
        (0..size * size).map(move |index| (index % size, index / size))
    }

    /// The cell so many steps away, if it is on the board.
    fn point(&self, from: Point, step: Step, distance: isize) -> Option<Point> {
        let x = from.0.checked_add_signed(step.0 * distance)?;
        let y = from.1.checked_add_signed(step.1 * distance)?;
        (x < self.settings.size && y < self.settings.size).then_some((x, y))
    }

    /// What is in the cell so many steps away: `None` beyond the edge, `Some(None)` in an empty cell.
    fn cell(&self, from: Point, step: Step, distance: isize) -> Option<Option<Side>> {
        self.point(from, step, distance).map(|point| self.setup.at(point))
    }

    fn set(&mut self, (x, y): Point, cell: Option<Side>) {
        self.setup.cells[y * self.settings.size + x] = cell;
    }

    /// Sets a stone and lifts what it captures.
    fn place(&mut self, point: Point, side: Side) -> Vec<Point> {
        let taken = self.captures(point, side);
        self.set(point, Some(side));
        for &stone in &taken {
            self.set(stone, None);
        }
        self.setup.captured[side.index()] += taken.len() as u8;
        taken
    }

    // Rows

    /// The run of stones through this cell wins.
    fn row_wins(&self, point: Point, side: Side, (dx, dy): Step) -> bool {
        let ahead = self.run(point, side, (dx, dy));
        let behind = self.run(point, side, (-dx, -dy));
        let length = (ahead + 1 + behind) as usize;
        if length == self.settings.win_length {
            let closed_ahead = self.closes(self.cell(point, (dx, dy), ahead + 1), side);
            let closed_behind = self.closes(self.cell(point, (-dx, -dy), behind + 1), side);
            !(closed_ahead && closed_behind)
        } else {
            length > self.settings.win_length && !self.settings.exact_five
        }
    }

    /// How many stones of this side follow a cell.
    fn run(&self, point: Point, side: Side, step: Step) -> isize {
        (1..).take_while(|&distance| self.cell(point, step, distance) == Some(Some(side))).count() as isize
    }

    /// What is beyond the end of a row closes that end.
    fn closes(&self, beyond: Option<Option<Side>>, side: Side) -> bool {
        match self.settings.blocked_ends {
            BlockedEnds::Off => false,
            BlockedEnds::Opponent => beyond == Some(Some(side.other())),
            BlockedEnds::OpponentOrEdge => beyond.is_none() || beyond == Some(Some(side.other())),
        }
    }

    /// This side has a winning row anywhere.
    fn has_row(&self, side: Side) -> bool {
        let mut stones = self.points().filter(|&point| self.setup.at(point) == Some(side));
        stones.any(|point| self.makes_row(point, side))
    }

    /// This side has just made a row: it has won, or the row waits for an answer.
    fn judge_row(&mut self, maker: Side) {
        if self.empty_points().any(|point| self.answers(point, maker.other())) {
            self.standing = Some(maker);
        } else {
            self.outcome = Some(Outcome::Win(maker));
        }
    }

    /// A move of this side into an empty cell breaks all rows of the opponent, or wins by captures.
    fn answers(&self, point: Point, side: Side) -> bool {
        let mut after = self.clone();
        let taken = after.place(point, side);
        !taken.is_empty() && (after.has_captured_enough(side) || !after.has_row(side.other()))
    }

    fn has_captured_enough(&self, side: Side) -> bool {
        self.settings.capture.is_some_and(|rules| self.setup.captured[side.index()] >= rules.stones_to_win)
    }

    fn judge_draw(&mut self) {
        if self.outcome.is_none() && !self.points().any(|point| self.legal(point)) {
            self.outcome = Some(Outcome::Draw);
        }
    }

    // What makes a move illegal

    fn must_answer(&self) -> bool {
        let forced = |rules: CaptureSettings| rules.breakable_five == BreakableFive::Forced;
        self.standing.is_some() && self.settings.capture.is_some_and(forced)
    }

    fn opening_allows(&self, point: Point) -> bool {
        let stones = self.points().filter(|&point| self.setup.at(point).is_some()).count();
        let captured: usize = self.setup.captured.iter().map(|&stones| usize::from(stones)).sum();
        let own: Vec<Point> = self.points().filter(|&point| self.setup.at(point) == Some(Side::First)).collect();
        let first_stone = match (self.side(), &own[..]) {
            (Side::First, &[only]) => Some(only),
            _ => None,
        };
        self.settings.opening.allows(self.settings.size, stones + captured, first_stone, point.0, point.1)
    }

    fn is_forbidden_double_three(&self, point: Point) -> bool {
        let side = self.side();
        if !self.settings.capture.is_some_and(|rules| rules.double_three.binds(side)) {
            return false;
        }
        let mut after = self.clone();
        after.place(point, side).is_empty() && after.free_threes(point) >= 2
    }

    fn has_free_three(&self, point: Point, line: Step) -> bool {
        let own = Some(self.setup.at(point));
        let empty = Some(None);
        // The window begins three cells before the stone at the earliest and at the stone itself at the latest.
        own != empty
            && (-3..=0).any(|start| {
                let window: Vec<_> = (start..start + 4).map(|distance| self.cell(point, line, distance)).collect();
                let beyond = [start - 1, start + 4].map(|distance| self.cell(point, line, distance));
                window.iter().filter(|&&cell| cell == own).count() == 3
                    && window.contains(&empty)
                    && beyond == [empty, empty]
            })
    }
}
