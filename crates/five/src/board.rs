//! The stones and everything that follows from them cell by cell, kept incrementally.
//!
//! A stone is set or lifted by one primitive. It updates the four lines through the cell and, for the empty cells they
//! show within reach, the patterns, the code and the shape of both sides; counts and sets of threats follow. What a
//! cell was before is written to a log, so that taking a stone back looks nothing up.

use crate::cell::{BORDER, Cell, CellSet, DIRECTIONS, STRIDE};
use crate::cells::{Cells, Change, Info, Threat};
use crate::pattern::{Pattern, Patterns, WALL, WinRule};
use crate::rule::Rule;
use crate::shape::{CODES, Code, Codes, Shape, pattern_of};
use crate::weights::{CaptureWeights, Weights};
use polyply_core::game::Observer;
use std::marker::PhantomData;
use std::sync::Arc;

/// What a cell was.
#[derive(Clone, Copy, Debug)]
struct Saved {
    cell: Cell,
    info: Info,
}

/// The longest line of a search may log this much more than the position it starts from.
const LOG_ROOM: usize = 16_384;

/// A board under a rule.
pub(crate) struct Board<R: Rule> {
    size: usize,
    patterns: &'static Patterns,
    codes: &'static Codes,
    /// The weights of the order of moves.
    weights: Arc<Weights>,
    /// Two bits a cell, for every line of the four directions.
    lines: [[u64; 2 * STRIDE]; DIRECTIONS],
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

    /// The stones of a side.
    pub fn stones(&self, side: usize) -> &CellSet {
        &self.stones[side]
    }

    /// The cells without a stone.
    pub fn empty(&self) -> &CellSet {
        &self.empty
    }

    /// The cell is on the board and has no stone.
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

    /// What an empty cell means to a side.
    #[inline(always)]
    pub fn code(&self, cell: Cell, side: usize) -> Code {
        self.cells.info(cell).codes[side]
    }

    /// How promising a stone of a side on an empty cell looks for it, before the opponent is looked at.
    #[inline(always)]
    pub fn promise(&self, cell: Cell, side: usize) -> i32 {
        i32::from(self.weights.order[self.code(cell, side).index()][0])
    }

    /// How promising a move of a side to an empty cell looks.
    #[inline(always)]
    pub fn order(&self, cell: Cell, side: usize) -> i32 {
        self.promise(cell, side) + i32::from(self.weights.order[self.code(cell, 1 - side).index()][1])
    }

    /// What it adds to that to be so far from the opponent's last stone and from one's own.
    #[inline(always)]
    pub fn nearness(&self, [other, own]: [usize; 2]) -> i32 {
        i32::from(self.weights.near[0][other]) + i32::from(self.weights.near[1][own])
    }

    /// What captures are worth.
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

    /// The cells of a line beginning at a cell, two bits each.
    #[inline(always)]
    pub fn line_from(&self, cell: Cell, direction: usize) -> u64 {
        let place = cell.place(direction);
        self.lines[direction][place.line] >> (2 * place.at)
    }

    /// The pattern a side would make on an empty cell if the opponent had a stone `offset` steps along the line.
    #[inline(always)]
    pub fn pattern_against(&self, cell: Cell, direction: usize, offset: i16, side: usize) -> Pattern {
        let place = cell.place(direction);
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

    /// Takes the last stone set back; `mark` is the length of the log before it was set.
    #[inline]
    pub fn unput<O: Observer<Change>>(&mut self, cell: Cell, side: usize, mark: usize, observer: &mut O) {
        self.turn(cell, side);
        self.restore(mark, observer);
        self.cells.count_in(cell, observer);
    }

    /// Lifts a stone.
    pub fn lift<O: Observer<Change>>(&mut self, cell: Cell, side: usize, observer: &mut O) {
        self.log.push(Saved { cell, info: self.cells.info(cell) });
        self.turn(cell, side);
        self.refresh(cell, observer);
        self.cells.write(cell, self.look(cell));
        self.cells.count_in(cell, observer);
    }

    /// Puts the last stone lifted back.
    pub fn unlift<O: Observer<Change>>(&mut self, cell: Cell, side: usize, observer: &mut O) {
        self.cells.count_out(cell, observer);
        self.turn(cell, side);
        // The cell itself was logged first, and it is not among those around it.
        while let Some(saved) = self.log.pop() {
            if saved.cell == cell {
                self.cells.write(cell, saved.info);
                break;
            }
            self.cells.replace(saved.cell, saved.info, observer);
        }
    }

    /// How long the log is: the mark that taking back asks for.
    #[inline(always)]
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Turns an empty cell into a stone, or back.
    #[inline(always)]
    fn turn(&mut self, cell: Cell, side: usize) {
        self.write(cell, side as u64 + 1);
        self.stones[side].flip(cell);
        self.empty.flip(cell);
    }

    /// Turns an empty cell into what is given, or back.
    #[inline(always)]
    fn write(&mut self, cell: Cell, what: u64) {
        for direction in 0..DIRECTIONS {
            let place = cell.place(direction);
            self.lines[direction][place.line] ^= what << (2 * place.at);
        }
    }

    /// The patterns of a place of a line.
    #[inline(always)]
    fn patterns_at(&self, line: u64, at: usize) -> u8 {
        self.patterns_of(line >> (2 * (at - R::HALF)))
    }

    /// The patterns of a window, given by a line beginning with its first cell.
    #[inline(always)]
    fn patterns_of(&self, window: u64) -> u8 {
        let (before, behind) = (window & Self::MASK, window >> (2 * R::HALF + 2) & Self::MASK);
        self.patterns.packed(before as usize, behind as usize)
    }

    /// What a cell means, looked up from scratch.
    fn look(&self, cell: Cell) -> Info {
        let (mut packed, mut sums) = (0, 0);
        for direction in 0..DIRECTIONS {
            let place = cell.place(direction);
            let here = self.patterns_at(self.lines[direction][place.line], place.at);
            packed |= u32::from(here) << (8 * direction);
            sums += self.codes.addend(here);
        }
        Info { packed, sums, codes: self.codes.of(sums) }
    }

    /// Looks the empty cells around a changed one up again.
    #[inline(always)]
    fn refresh<O: Observer<Change>>(&mut self, cell: Cell, observer: &mut O) {
        // Every second bit: one for each cell of a window, the middle one left out.
        let cells: u64 = (0x5555_5555_5555_5555 & ((1 << (4 * R::HALF + 2)) - 1)) ^ (1 << (2 * R::HALF));
        for direction in 0..DIRECTIONS {
            let place = cell.place(direction);
            // Begins with the first cell of the first window; where that is before the line, with the wall at its end.
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

    /// Writes everything back that was logged since the mark.
    #[inline(always)]
    fn restore<O: Observer<Change>>(&mut self, mark: usize, observer: &mut O) {
        for &Saved { cell, info } in self.log[mark..].iter().rev() {
            self.cells.replace(cell, info, observer);
        }
        self.log.truncate(mark);
    }

    /// Compares everything incremental with a board set up stone by stone, and says what differs.
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
