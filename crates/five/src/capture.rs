//! What capture gomoku adds to the board: pairs that are taken, fives that can be broken, double threes.

use crate::board::Board;
use crate::cell::{Cell, CellSet, DIRECTIONS, STRIDE};
use crate::pattern::WinRule;
use crate::rule::Rule;

/// Stones that one move takes: a pair in each of eight directions at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    cells: [Cell; 16],
    len: u8,
}

impl Taken {
    /// Nothing is taken.
    pub const NONE: Taken = Taken { cells: [Cell::at(0, 0); 16], len: 0 };

    /// What a stone of a side on this cell takes: two enemy stones between it and another own one.
    #[inline]
    pub fn by<R: Rule>(board: &Board<R>, cell: Cell, side: usize) -> Taken {
        let (own, enemy) = (side as u64 + 1, 2 - side as u64);
        let ahead = enemy | enemy << 2 | own << 4;
        let behind = own | enemy << 2 | enemy << 4;
        let mut taken = Taken::NONE;
        for direction in 0..DIRECTIONS {
            if board.line_from(cell.step(direction, 1), direction) & 0x3f == ahead {
                taken.add(cell.step(direction, 1), cell.step(direction, 2));
            }
            if board.line_from(cell.step(direction, -3), direction) & 0x3f == behind {
                taken.add(cell.step(direction, -1), cell.step(direction, -2));
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

/// The empty cells where a side takes a pair at least.
pub(crate) fn cells<R: Rule>(board: &Board<R>, side: usize) -> CellSet {
    let (own, enemy) = (board.stones(side), board.stones(1 - side));
    let in_row = |row: usize| {
        let mut here = 0;
        for (one, two, three) in [(row, row, row), (row - 1, row - 2, row - 3), (row + 1, row + 2, row + 3)] {
            let (first, second, end) = (enemy.row(one), enemy.row(two), own.row(three));
            if one != row {
                here |= first & second & end;
            }
            here |= first >> 1 & second >> 2 & end >> 3;
            here |= first << 1 & second << 2 & end << 3;
        }
        here
    };
    let found = std::array::from_fn(|row| if (3..STRIDE - 3).contains(&row) { in_row(row) } else { 0 });
    CellSet::of_rows(found).and(&board.empty())
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
        rule.row_wins(self.length, self.ends.map(|end| if end == self.enemy { crate::pattern::OTHER } else { end }))
    }
}

/// The rows of a side through one of its stones in the four directions, with these stones taken away.
pub(crate) fn rows_through<'a, R: Rule>(
    board: &'a Board<R>,
    cell: Cell,
    side: usize,
    without: &'a [Cell],
) -> impl Iterator<Item = Row> + 'a {
    let at = move |cell: Cell, direction| match board.line_from(cell, direction) & 3 {
        stone if stone == side as u64 + 1 && without.contains(&cell) => 0,
        other => other,
    };
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

impl<R: Rule> crate::position::Five<R> {
    /// What captures made and captures at hand are worth to the side to move.
    pub(crate) fn capture_value(&self, weights: &crate::weights::CaptureWeights) -> i32 {
        use polyply_core::game::Game;
        let (side, other) = (self.side(), self.side().other());
        let pairs = |side| i32::from(weights.pairs[usize::from(self.captured(side) / 2).min(weights.pairs.len() - 1)]);
        let threats = |side: polyply_core::game::Side| cells(&self.board, side.index()).iter().count() as i32;
        pairs(side) - pairs(other) + threats(side) * i32::from(weights.threat[0])
            - threats(other) * i32::from(weights.threat[1])
    }
}
