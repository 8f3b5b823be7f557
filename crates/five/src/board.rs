//! The stones, and everything derived from them cell by cell, kept incrementally.
//!
//! One primitive sets or removes a stone. It updates the four lines through the cell and, for the empty cells within
//! reach, the patterns, the code and the shape of both sides; counts and sets of threats follow. The old values of each
//! cell are written to a log, so that taking a stone back needs no lookup.

use crate::cell::{BORDER, Cell, CellSet, DIRECTIONS, STRIDE};
use crate::cells::{Cells, Change, Info, Threat};
use crate::pattern::{Pattern, Patterns, WALL, WinRule};
use crate::policy::{LINE_ROWS, LineRows};
use crate::rule::Rule;
use crate::shape::{CODES, Code, Codes, Shape, pattern_of};
use crate::weights::{CaptureWeights, Weights};
use polyply_core::game::Observer;
use polyply_nn::POLICY_UNIT;
use std::marker::PhantomData;
use std::sync::Arc;

/// The old value of a cell.
#[derive(Clone, Copy, Debug)]
struct Saved {
    cell: Cell,
    info: Info,
}

/// Two bits for each cell of every line of the four directions.
pub(crate) type Lines = [[u64; 2 * STRIDE]; DIRECTIONS];

/// Room for what the longest line of a search logs, besides the position it starts from.
const LOG_ROOM: usize = 16_384;

/// A board under a rule.
pub(crate) struct Board<R: Rule> {
    size: usize,
    patterns: &'static Patterns,
    codes: &'static Codes,
    line_rows: &'static LineRows,
    /// The weights of the order of moves.
    weights: Arc<Weights>,
    lines: Lines,
    cells: Cells,
    stones: [CellSet; 2],
    empty: CellSet,
    log: Vec<Saved>,
    rule: PhantomData<R>,
}

impl<R: Rule> Clone for Board<R> {
    fn clone(&self) -> Self {
        // Playing on a clone must not allocate.
        let mut log = Vec::with_capacity(self.log.len() + LOG_ROOM);
        log.extend_from_slice(&self.log);
        Board {
            weights: Arc::clone(&self.weights),
            lines: self.lines,
            cells: self.cells.clone(),
            stones: self.stones.clone(),
            empty: self.empty.clone(),
            log,
            ..*self
        }
    }
}

impl<R: Rule> Board<R> {
    /// Window bits on one side of the middle.
    const MASK: u64 = (1 << (2 * R::HALF)) - 1;

    /// An empty board.
    pub fn new(size: usize, rule: WinRule) -> Self {
        let patterns = Patterns::of(rule);
        let codes: &'static Codes = &CODES;
        let mut board = Board {
            size,
            patterns,
            codes,
            line_rows: &LINE_ROWS,
            weights: Arc::clone(Weights::of(R::KIND)),
            lines: [[u64::MAX; 2 * STRIDE]; DIRECTIONS],
            cells: Cells::new(),
            stones: [CellSet::EMPTY, CellSet::EMPTY],
            empty: CellSet::board(size),
            log: Vec::with_capacity(LOG_ROOM),
            rule: PhantomData,
        };
        for cell in CellSet::board(size).iter() {
            board.write(cell, WALL);
        }
        for cell in CellSet::board(size).iter() {
            board.cells.write(cell, board.look(cell));
            board.cells.count_in(cell, &mut ());
        }
        board
    }

    /// Orders moves by these weights from now on. A new board has the built-in ones.
    pub fn set_weights(&mut self, weights: &Arc<Weights>) {
        self.weights = Arc::clone(weights);
    }

    /// All lines.
    #[inline(always)]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The stones of a side.
    pub fn stones(&self, side: usize) -> &CellSet {
        &self.stones[side]
    }

    /// The cells without a stone.
    pub fn empty(&self) -> &CellSet {
        &self.empty
    }

    /// Whether the cell is on the board and empty.
    #[inline(always)]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.lines[0][cell.grid_y()] >> (2 * cell.grid_x()) & 3 == 0
    }

    /// How many empty cells have this shape for a side.
    #[inline(always)]
    pub fn count(&self, side: usize, shape: Shape) -> u16 {
        self.cells.count(side, shape)
    }

    /// The cells where a side makes this threat and nothing stronger.
    #[inline(always)]
    pub fn threats(&self, side: usize, threat: Threat) -> &CellSet {
        self.cells.threats(side, threat)
    }

    /// The code of an empty cell for a side.
    #[inline(always)]
    pub fn code(&self, cell: Cell, side: usize) -> Code {
        self.cells.info(cell).codes[side]
    }

    /// The order value of a stone of a side on an empty cell, without what it takes from the opponent.
    #[inline(always)]
    pub fn promise(&self, cell: Cell, side: usize) -> i32 {
        i32::from(self.weights.order[self.code(cell, side).index()][0])
    }

    /// The order value of a move of a side to an empty cell.
    #[inline(always)]
    pub fn order(&self, cell: Cell, side: usize) -> i32 {
        self.promise(cell, side) + i32::from(self.weights.order[self.code(cell, 1 - side).index()][1])
    }

    /// The order value of the distances from the opponent's last stone and from one's own.
    #[inline(always)]
    pub fn nearness(&self, [other, own]: [usize; 2]) -> i32 {
        i32::from(self.weights.near[0][other]) + i32::from(self.weights.near[1][own])
    }

    /// What the net for moves adds to the order value of a move of a side to an empty cell.
    #[inline(always)]
    pub fn policy(&self, cell: Cell, side: usize) -> i32 {
        let Some(policy) = &self.weights.policy else { return 0 };
        policy.value(&self.policy_rows(cell, side)) / (POLICY_UNIT / Weights::ORDER_UNIT)
    }

    /// The rows of the net for moves that a cell touches, as a side sees its lines and as the opponent does.
    #[inline(always)]
    pub fn policy_rows(&self, cell: Cell, side: usize) -> [[u16; DIRECTIONS]; 2] {
        let rows: [[u16; 2]; DIRECTIONS] = std::array::from_fn(|direction| {
            let place = cell.on_line(direction);
            self.line_rows.of(self.lines[direction][place.line], place.at)
        });
        [side, 1 - side].map(|view| rows.map(|row| row[view]))
    }

    /// The weights of captures.
    #[inline(always)]
    pub fn capture_weights(&self) -> &CaptureWeights {
        &self.weights.capture
    }

    /// The shape a side makes on an empty cell.
    #[inline(always)]
    pub fn shape(&self, cell: Cell, side: usize) -> Shape {
        self.code(cell, side).shape()
    }

    /// The pattern a side makes on an empty cell in a direction.
    #[inline(always)]
    pub fn pattern(&self, cell: Cell, direction: usize, side: usize) -> Pattern {
        pattern_of(self.cells.info(cell).packed, direction, side)
    }

    /// The cells of a line from a cell on, two bits each.
    #[inline(always)]
    pub fn line_from(&self, cell: Cell, direction: usize) -> u64 {
        let place = cell.on_line(direction);
        self.lines[direction][place.line] >> (2 * place.at)
    }

    /// The pattern that a side would make on an empty cell if the opponent had a stone `offset` steps along the line.
    #[inline(always)]
    pub fn pattern_against(&self, cell: Cell, direction: usize, offset: i16, side: usize) -> Pattern {
        let place = cell.on_line(direction);
        let stone = (2 - side as u64) << (2 * (place.at as i16 + offset));
        let packed = self.patterns_at(self.lines[direction][place.line] | stone, place.at);
        pattern_of(u32::from(packed), 0, side)
    }

    /// Sets a stone.
    #[inline]
    pub fn put<O: Observer<Change>>(&mut self, cell: Cell, side: usize, observer: &mut O) {
        self.cells.count_out(cell, observer);
        self.turn(cell, side);
        self.refresh(cell, observer);
    }

    /// Takes back the stone that was set last. `mark` is the length of the log before it was set.
    #[inline]
    pub fn unput<O: Observer<Change>>(&mut self, cell: Cell, side: usize, mark: usize, observer: &mut O) {
        self.turn(cell, side);
        self.restore(mark, observer);
        self.cells.count_in(cell, observer);
    }

    /// Removes a stone.
    pub fn lift<O: Observer<Change>>(&mut self, cell: Cell, side: usize, observer: &mut O) {
        self.log.push(Saved { cell, info: self.cells.info(cell) });
        self.turn(cell, side);
        self.refresh(cell, observer);
        self.cells.write(cell, self.look(cell));
        self.cells.count_in(cell, observer);
    }

    /// Puts back the stone that was removed last.
    pub fn unlift<O: Observer<Change>>(&mut self, cell: Cell, side: usize, observer: &mut O) {
        self.cells.count_out(cell, observer);
        self.turn(cell, side);
        // The cell itself was logged first; the entries above it are its neighbours.
        while let Some(saved) = self.log.pop() {
            if saved.cell == cell {
                self.cells.write(cell, saved.info);
                break;
            }
            self.cells.replace(saved.cell, saved.info, observer);
        }
    }

    /// The length of the log: the mark for [`Board::unput`].
    #[inline(always)]
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Turns an empty cell into a stone, or a stone into an empty cell.
    #[inline(always)]
    fn turn(&mut self, cell: Cell, side: usize) {
        self.write(cell, side as u64 + 1);
        self.stones[side].flip(cell);
        self.empty.flip(cell);
    }

    /// Writes a value to an empty cell of all lines, or clears it.
    #[inline(always)]
    fn write(&mut self, cell: Cell, what: u64) {
        for direction in 0..DIRECTIONS {
            let place = cell.on_line(direction);
            self.lines[direction][place.line] ^= what << (2 * place.at);
        }
    }

    /// The patterns at a position of a line.
    #[inline(always)]
    fn patterns_at(&self, line: u64, at: usize) -> u8 {
        self.patterns_of(line >> (2 * (at - R::HALF)))
    }

    /// The patterns of a window. The line starts with the window's first cell.
    #[inline(always)]
    fn patterns_of(&self, window: u64) -> u8 {
        let (before, behind) = (window & Self::MASK, window >> (2 * R::HALF + 2) & Self::MASK);
        self.patterns.packed(before as usize, behind as usize)
    }

    /// The patterns and codes of a cell, computed from scratch.
    fn look(&self, cell: Cell) -> Info {
        let (mut packed, mut sums) = (0, 0);
        for direction in 0..DIRECTIONS {
            let place = cell.on_line(direction);
            let here = self.patterns_at(self.lines[direction][place.line], place.at);
            packed |= u32::from(here) << (8 * direction);
            sums += self.codes.addend(here);
        }
        Info { packed, sums, codes: self.codes.of(sums) }
    }

    /// Updates the empty cells around a changed one.
    #[inline(always)]
    fn refresh<O: Observer<Change>>(&mut self, cell: Cell, observer: &mut O) {
        // Every second bit, one for each cell of a window except the middle.
        let cells: u64 = (0x5555_5555_5555_5555 & ((1 << (4 * R::HALF + 2)) - 1)) ^ (1 << (2 * R::HALF));
        for direction in 0..DIRECTIONS {
            let place = cell.on_line(direction);
            // Starts with the first cell of the first window; if that is before the line, with the wall at its end.
            let line = self.lines[direction][place.line].rotate_right(2 * (place.at + STRIDE - 2 * R::HALF) as u32);
            let around = line >> (2 * R::HALF);
            let mut empty = !(around | around >> 1) & cells;
            let first = cell.step(direction, -(R::HALF as i16));
            while empty != 0 {
                let bit = empty.trailing_zeros();
                empty &= empty - 1;
                let packed = self.patterns_of(line >> bit);
                let near = first.step(direction, bit as i16 / 2);
                let old = self.cells.info(near);
                let shift = 8 * direction;
                let before = (old.packed >> shift) as u8;
                if before == packed {
                    continue;
                }
                let sums = old.sums + self.codes.addend(packed) - self.codes.addend(before);
                let packed = old.packed ^ u32::from(before ^ packed) << shift;
                let info = Info { packed, sums, codes: self.codes.of(sums) };
                self.log.push(Saved { cell: near, info: old });
                self.cells.replace(near, info, observer);
            }
        }
    }

    /// Restores everything that was logged since the mark.
    #[inline(always)]
    fn restore<O: Observer<Change>>(&mut self, mark: usize, observer: &mut O) {
        for &Saved { cell, info } in self.log[mark..].iter().rev() {
            self.cells.replace(cell, info, observer);
        }
        self.log.truncate(mark);
    }

    /// Compares everything incremental with its recomputation. The error says what differs.
    pub fn check(&self, rule: WinRule) -> Result<(), String> {
        let mut fresh = Board::<R>::new(self.size, rule);
        for side in 0..2 {
            for cell in self.stones[side].iter() {
                fresh.turn(cell, side);
            }
        }
        let mut cells = Cells::new();
        for cell in self.empty().iter() {
            let info = fresh.look(cell);
            if info != self.cells.info(cell) {
                return Err(format!("{cell:?} is {:?}, not {info:?}", self.cells.info(cell)));
            }
            cells.write(cell, info);
            cells.count_in(cell, &mut ());
        }
        if fresh.lines != self.lines {
            return Err("the lines differ from the stones".into());
        }
        if !self.cells.counts_like(&cells) {
            return Err("the counts or sets of threats differ from the cells".into());
        }
        Ok(())
    }
}

const _: () = assert!(BORDER + crate::cell::MAX_SIZE + BORDER <= STRIDE);
