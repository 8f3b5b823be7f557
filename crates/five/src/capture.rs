//! What capture gomoku adds to the board: pairs that are taken, fives that can be broken, double threes.

use crate::board::Board;
use crate::cell::{Cell, CellSet, DIRECTIONS, STRIDE};
use crate::cells::Threat;
use crate::defence::Defences;
use crate::pattern::{OTHER, Pattern, WinRule};
use crate::position::Five;
use crate::rule::Rule;
use crate::weights::CaptureWeights;
use polyply_core::game::{Game, Side};

/// Stones that one move takes: a pair in each of eight directions at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    cells: [Cell; 16],
    len: u8,
}

impl Taken {
    /// Nothing is taken.
    pub const NONE: Taken = Taken { cells: [Cell::at(0, 0); 16], len: 0 };

    /// What a stone on this cell takes: two enemy stones between it and another own one.
    #[inline]
    pub fn by(own: &CellSet, enemy: &CellSet, cell: Cell) -> Taken {
        let mut taken = Taken::NONE;
        for direction in 0..DIRECTIONS {
            for way in [1, -1] {
                let (first, second) = (cell.step(direction, way), cell.step(direction, 2 * way));
                if enemy.contains(first) && enemy.contains(second) && own.contains(cell.step(direction, 3 * way)) {
                    taken.add(first, second);
                }
            }
        }
        taken
    }

    fn add(&mut self, first: Cell, second: Cell) {
        let len = usize::from(self.len);
        self.cells[len] = first;
        self.cells[len + 1] = second;
        self.len += 2;
    }

    /// The stones taken.
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.len)]
    }
}

/// The cells, with or without a stone, where a stone would take a pair at least.
pub(crate) fn cells(own: &CellSet, enemy: &CellSet) -> CellSet {
    let mut found = [0; STRIDE];
    for (row, here) in found.iter_mut().enumerate().take(STRIDE - 3).skip(3) {
        let pair_of = |one: usize, two: usize, three: usize| (enemy.row(one), enemy.row(two), own.row(three));
        let beside = |(first, second, end): (u32, u32, u32)| {
            first >> 1 & second >> 2 & end >> 3 | first << 1 & second << 2 & end << 3
        };
        let straight = |(first, second, end): (u32, u32, u32)| first & second & end;
        let (up, down) = (pair_of(row + 1, row + 2, row + 3), pair_of(row - 1, row - 2, row - 3));
        *here = beside(pair_of(row, row, row)) | straight(up) | beside(up) | straight(down) | beside(down);
    }
    CellSet::of_rows(found)
}

/// A row of stones of one side through a cell.
pub(crate) struct Row {
    length: usize,
    /// What is beyond its ends, as two bits of a line.
    ends: [u64; 2],
    /// What the opponent's stones are on a line.
    enemy: u64,
}

impl Row {
    /// The row wins.
    pub fn wins(&self, rule: WinRule) -> bool {
        rule.row_wins(self.length, self.ends.map(|end| if end == self.enemy { OTHER } else { end }))
    }
}

/// The rows of a side through one of its stones in the four directions.
pub(crate) fn rows_through<R: Rule>(board: &Board<R>, cell: Cell, side: usize) -> impl Iterator<Item = Row> + '_ {
    let at = move |cell: Cell, direction| board.line_from(cell, direction) & 3;
    (0..DIRECTIONS).map(move |direction| {
        let own = side as u64 + 1;
        let run =
            |step: i16| (1..).find(|&count| at(cell.step(direction, step * count), direction) != own).unwrap_or(1);
        let (ahead, behind) = (run(1), run(-1));
        let ends = [cell.step(direction, ahead), cell.step(direction, -behind)].map(|end| at(end, direction));
        Row { length: (ahead + behind - 1) as usize, ends, enemy: 2 - side as u64 }
    })
}

/// A stone of a side on this cell makes free threes in two directions or more.
///
/// A free three is three stones, the new one among them, that one more stone makes a straight four with both ends
/// empty. It is judged by geometry alone: whether that stone could be set, or would be captured, does not matter.
pub(crate) fn makes_double_three<R: Rule>(board: &Board<R>, cell: Cell, side: usize) -> bool {
    (0..DIRECTIONS).filter(|&direction| makes_free_three(board, cell, direction, side)).count() >= 2
}

fn makes_free_three<R: Rule>(board: &Board<R>, cell: Cell, direction: usize, side: usize) -> bool {
    let own = side as u64 + 1;
    // The four cells before the stone, the stone, and the four behind it.
    let line = board.line_from(cell.step(direction, -4), direction) | own << 8;
    (0..4).any(|start| {
        // Six cells: an empty one, the four of the straight four, an empty one.
        let six = line >> (2 * start) & 0xfff;
        let four = six >> 2 & 0xff;
        let stones = (0..4).filter(|place| four >> (2 * place) & 3 == own).count();
        let empty = (0..4).filter(|place| four >> (2 * place) & 3 == 0).count();
        six & 3 == 0 && six >> 10 == 0 && stones == 3 && empty == 1
    })
}

impl<R: Rule> Five<R> {
    /// The empty cells where a side takes a pair at least.
    pub(crate) fn capturing(&self, side: Side) -> CellSet {
        let (own, enemy) = self.stones_of(side);
        cells(own, enemy).and(self.board.empty())
    }

    /// What a stone of a side on this cell takes.
    #[inline]
    pub(crate) fn taken_by(&self, cell: Cell, side: Side) -> Taken {
        let (own, enemy) = self.stones_of(side);
        Taken::by(own, enemy, cell)
    }

    /// What captures made and captures at hand are worth to the side to move.
    pub(crate) fn capture_value(&self, weights: &CaptureWeights) -> i32 {
        let (side, other) = (self.side(), self.side().other());
        let pairs = |side| i32::from(weights.pairs[usize::from(self.captured(side) / 2).min(weights.pairs.len() - 1)]);
        let threats = |side: Side| self.capturing(side).len() as i32;
        pairs(side) - pairs(other) + threats(side) * i32::from(weights.threat[0])
            - threats(other) * i32::from(weights.threat[1])
    }

    /// A move with which the side to move wins at once: by captures, or by a five that can't be broken.
    pub(crate) fn immediate_win_with_captures(&self) -> Option<Cell> {
        let side = self.side();
        // Two pairs at once are rare, but they count.
        if self.captures_win(side, 4) {
            let captures = self.capturing(side);
            let winner = captures.iter().find(|&cell| self.captures_win(side, self.taken_by(cell, side).cells().len()));
            if winner.is_some() {
                return winner;
            }
        }
        self.unbreakable_five(side)
    }

    /// A five at hand that would win: it can't be broken.
    pub(crate) fn unbreakable_five(&self, side: Side) -> Option<Cell> {
        if !self.has_five(side) {
            return None;
        }
        let wins = |&cell: &Cell| self.capture_rules_allow(cell, side) && self.five_wins(cell, side);
        self.threats(side, Threat::Five).iter().find(wins)
    }

    /// The opponent has just made a four, wins with the next move unless it is stopped, and can't be beaten to it.
    pub(crate) fn four_must_be_answered(&self) -> bool {
        // Nearly enough captured stones make every pair on the board part of the defence: too much to be sure of.
        let unclear = self.captures_win(self.side(), 4) || self.breakable_five().is_some();
        // A threat to win by captures would have other answers than those to a five.
        self.outcome().is_none()
            && !unclear
            && self.immediate_win().is_none()
            && self.unbreakable_five(self.side().other()).is_some()
    }

    /// The moves that may stop the attacker's fives: on their cells, by captures, by an own five first, or beside a pair of
    /// the row to come, so that a capture will break it.
    pub(crate) fn answers_with_captures(&self, attacker: Side) -> Defences {
        let defender = attacker.other();
        let mut found = CellSet::EMPTY;
        let mut add = |cell: Cell| {
            if self.board.is_empty(cell) && !found.contains(cell) {
                found.flip(cell);
            }
        };
        self.capturing(defender).iter().for_each(&mut add);
        self.threats(defender, Threat::Five).iter().for_each(&mut add);
        for five in self.threats(attacker, Threat::Five).iter() {
            add(five);
            for direction in 0..DIRECTIONS {
                if self.board.pattern(five, direction, attacker.index()) == Pattern::Five {
                    self.beside_pairs(five, direction, attacker).for_each(&mut add);
                }
            }
        }
        found.iter().filter(|&cell| self.is_legal(cell)).take(64).collect()
    }

    /// The cells where a stone may help against the attacker's open fours at hand: on their cells, where it stops all of them, or
    /// beside a pair of the row to come, so that a capture will break it.
    pub(crate) fn open_four_defences_with_captures(&self, attacker: Side) -> CellSet {
        let mut found = self.threats(attacker, Threat::Win).clone();
        self.open_four_defences(attacker).into_iter().for_each(|cell| found.insert(cell));
        for four in self.threats(attacker, Threat::Win).iter() {
            for direction in 0..DIRECTIONS {
                if self.board.pattern(four, direction, attacker.index()) >= Pattern::Four {
                    self.beside_pairs(four, direction, attacker).for_each(|cell| found.insert(cell));
                }
            }
        }
        found
    }

    /// The cells next to the pairs that a row of the attacker through an empty cell would have a stone in.
    fn beside_pairs(&self, five: Cell, row: usize, attacker: Side) -> impl Iterator<Item = Cell> + '_ {
        let own = move |cell: Cell| cell == five || self.board.stones(attacker.index()).contains(cell);
        let stones = [1, -1].into_iter().flat_map(move |step| {
            (1..).map(move |count| five.step(row, step * count)).take_while(move |&cell| own(cell))
        });
        std::iter::once(five).chain(stones).flat_map(move |stone| {
            (0..DIRECTIONS).filter(move |&direction| direction != row).flat_map(move |direction| {
                let pairs = [(stone, stone.step(direction, 1)), (stone.step(direction, -1), stone)];
                pairs
                    .into_iter()
                    .filter(move |&(first, second)| own(first) && own(second))
                    .flat_map(move |(first, second)| [first.step(direction, -1), second.step(direction, 1)])
            })
        })
    }
}
