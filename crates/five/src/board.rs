//! The stones and everything that follows from them cell by cell, kept incrementally.
//!
//! A stone is set or lifted by one primitive. It updates the four lines through the cell and, for the empty cells they
//! show within reach, the patterns, the code and the shape of both sides; counts and sets of threats follow. What a
//! cell was before is written to a log, so that taking a stone back looks nothing up.

use crate::cell::{BORDER, Cell, CellSet, DIRECTIONS, GRID, STRIDE};
use crate::pattern::{Pattern, Patterns, WALL, WinRule};
use crate::rule::Rule;
use crate::shape::{CODES, Code, Codes, Shape, pattern_of};
use crate::weights::Weights;
use polyply_core::game::Observer;
use std::marker::PhantomData;

/// A cell now means something else to a side. [`Code::COUNT`] stands for a cell that is not empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The side, 0 or 1.
    pub side: usize,
    /// The code's index before.
    pub from: usize,
    /// The code's index now.
    pub to: usize,
}

/// Kinds of threats whose cells are kept as sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Threat {
    /// A stone makes an open three.
    Three,
    /// A stone makes a four.
    Four,
    /// A stone makes a four that can't be stopped.
    Win,
    /// A stone makes five.
    Five,
    /// A stone makes none of these.
    None,
}

impl Threat {
    const COUNT: usize = Threat::None as usize + 1;

    /// By the index of the shape.
    const OF: [Threat; SHAPES] = {
        let mut of = [Threat::None; SHAPES];
        let mut index = 0;
        while index < Shape::COUNT {
            of[index] = Threat::of(Shape::ALL[index]);
            index += 1;
        }
        of
    };

    const fn of(shape: Shape) -> Threat {
        match shape {
            Shape::None | Shape::Two | Shape::TwoTwo => Threat::None,
            Shape::OpenThree | Shape::ThreeThree => Threat::Three,
            Shape::Four | Shape::FourThree => Threat::Four,
            Shape::FourFour | Shape::OpenFour => Threat::Win,
            Shape::Five => Threat::Five,
        }
    }
}

/// Room for every index of a shape that four bits can hold.
const SHAPES: usize = 16;

/// What an empty cell means to both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Info {
    /// The patterns of the four directions, a byte each, both sides packed.
    packed: u32,
    codes: [Code; 2],
}

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
    weights: &'static Weights,
    /// Two bits a cell, for every line of the four directions.
    lines: [[u64; 2 * STRIDE]; DIRECTIONS],
    info: [Info; GRID],
    stones: [CellSet; 2],
    counts: [[u16; SHAPES]; 2],
    threats: [[CellSet; Threat::COUNT]; 2],
    log: Vec<Saved>,
    rule: PhantomData<R>,
}

impl<R: Rule> Clone for Board<R> {
    fn clone(&self) -> Self {
        // Playing on a clone must not allocate.
        let mut log = Vec::with_capacity(self.log.len() + LOG_ROOM);
        log.extend_from_slice(&self.log);
        Board {
            lines: self.lines,
            info: self.info,
            stones: self.stones.clone(),
            counts: self.counts,
            threats: self.threats.clone(),
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
        let nothing = Info { packed: 0, codes: [codes.of(0, 0); 2] };
        let mut board = Board {
            size,
            patterns,
            codes,
            weights: Weights::of(R::KIND),
            lines: [[u64::MAX; 2 * STRIDE]; DIRECTIONS],
            info: [nothing; GRID],
            stones: [CellSet::EMPTY, CellSet::EMPTY],
            counts: [[0; SHAPES]; 2],
            threats: std::array::from_fn(|_| std::array::from_fn(|_| CellSet::EMPTY)),
            log: Vec::with_capacity(LOG_ROOM),
            rule: PhantomData,
        };
        for cell in CellSet::board(size).iter() {
            board.write(cell, WALL);
        }
        for cell in CellSet::board(size).iter() {
            board.info[cell.index()] = board.look(cell);
            for side in 0..2 {
                let code = board.info[cell.index()].codes[side];
                board.counts[side][code.shape() as usize] += 1;
                board.threats[side][Threat::of(code.shape()) as usize].flip(cell);
            }
        }
        board
    }

    /// The stones of a side.
    pub fn stones(&self, side: usize) -> &CellSet {
        &self.stones[side]
    }

    /// The cells without a stone.
    pub fn empty(&self) -> CellSet {
        CellSet::board(self.size).without(&self.stones[0]).without(&self.stones[1])
    }

    /// The cell is on the board and has no stone.
    #[inline(always)]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.lines[0][cell.grid_y()] >> (2 * cell.grid_x()) & 3 == 0
    }

    /// How many empty cells have this shape for a side.
    #[inline(always)]
    pub fn count(&self, side: usize, shape: Shape) -> u16 {
        self.counts[side][shape as usize]
    }

    /// The cells where a side makes this threat and nothing stronger.
    #[inline(always)]
    pub fn threats(&self, side: usize, threat: Threat) -> &CellSet {
        &self.threats[side][threat as usize]
    }

    /// What an empty cell means to a side.
    #[inline(always)]
    pub fn code(&self, cell: Cell, side: usize) -> Code {
        self.info[cell.index()].codes[side]
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

    /// The shape a side makes on an empty cell.
    #[inline(always)]
    pub fn shape(&self, cell: Cell, side: usize) -> Shape {
        self.code(cell, side).shape()
    }

    /// The pattern a side makes on an empty cell in a direction.
    #[inline(always)]
    pub fn pattern(&self, cell: Cell, direction: usize, side: usize) -> Pattern {
        pattern_of(self.info[cell.index()].packed, direction, side)
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
        self.count_out(cell, observer);
        self.write(cell, side as u64 + 1);
        self.stones[side].flip(cell);
        self.refresh(cell, observer);
    }

    /// Takes the last stone set back; `mark` is the length of the log before it was set.
    #[inline]
    pub fn unput<O: Observer<Change>>(&mut self, cell: Cell, side: usize, mark: usize, observer: &mut O) {
        self.write(cell, side as u64 + 1);
        self.stones[side].flip(cell);
        self.restore(mark, observer);
        self.count_in(cell, observer);
    }

    /// Lifts a stone.
    pub fn lift<O: Observer<Change>>(&mut self, cell: Cell, side: usize, observer: &mut O) {
        self.log.push(Saved { cell, info: self.info[cell.index()] });
        self.write(cell, side as u64 + 1);
        self.stones[side].flip(cell);
        self.refresh(cell, observer);
        self.info[cell.index()] = self.look(cell);
        self.count_in(cell, observer);
    }

    /// Puts the last stone lifted back.
    pub fn unlift<O: Observer<Change>>(&mut self, cell: Cell, side: usize, observer: &mut O) {
        self.count_out(cell, observer);
        self.write(cell, side as u64 + 1);
        self.stones[side].flip(cell);
        // The cell itself was logged first, and it is not among those around it.
        while let Some(saved) = self.log.pop() {
            if saved.cell == cell {
                self.info[cell.index()] = saved.info;
                break;
            }
            self.replace(saved.cell, self.info[saved.cell.index()], saved.info, observer);
        }
    }

    /// How long the log is: the mark that taking back asks for.
    #[inline(always)]
    pub fn mark(&self) -> usize {
        self.log.len()
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
        let from = line >> (2 * (at - R::HALF));
        let (before, behind) = (from & Self::MASK, from >> (2 * R::HALF + 2) & Self::MASK);
        self.patterns.packed(before as usize, behind as usize)
    }

    /// What a cell means, looked up from scratch.
    fn look(&self, cell: Cell) -> Info {
        let mut packed = 0;
        for direction in 0..DIRECTIONS {
            let place = cell.place(direction);
            packed |= u32::from(self.patterns_at(self.lines[direction][place.line], place.at)) << (8 * direction);
        }
        Info { packed, codes: [self.codes.of(packed, 0), self.codes.of(packed, 1)] }
    }

    /// Looks the empty cells around a changed one up again.
    #[inline(always)]
    fn refresh<O: Observer<Change>>(&mut self, cell: Cell, observer: &mut O) {
        // Every second bit: one for each cell of a window, the middle one left out.
        let cells: u64 = (0x5555_5555_5555_5555 & ((1 << (4 * R::HALF + 2)) - 1)) ^ (1 << (2 * R::HALF));
        for direction in 0..DIRECTIONS {
            let place = cell.place(direction);
            let line = self.lines[direction][place.line];
            let around = line >> (2 * (place.at - R::HALF));
            let mut empty = !(around | around >> 1) & cells;
            while empty != 0 {
                let offset = empty.trailing_zeros() as usize / 2;
                empty &= empty - 1;
                let packed = self.patterns_at(line, place.at + offset - R::HALF);
                let near = cell.step(direction, offset as i16 - R::HALF as i16);
                let old = self.info[near.index()];
                let shift = 8 * direction;
                if (old.packed >> shift) as u8 == packed {
                    continue;
                }
                let packed = old.packed & !(0xff << shift) | u32::from(packed) << shift;
                let info = Info { packed, codes: [self.codes.of(packed, 0), self.codes.of(packed, 1)] };
                self.log.push(Saved { cell: near, info: old });
                self.replace(near, old, info, observer);
            }
        }
    }

    /// Writes everything back that was logged since the mark.
    #[inline(always)]
    fn restore<O: Observer<Change>>(&mut self, mark: usize, observer: &mut O) {
        for at in (mark..self.log.len()).rev() {
            let Saved { cell, info } = self.log[at];
            let old = self.info[cell.index()];
            self.replace(cell, old, info, observer);
        }
        self.log.truncate(mark);
    }

    #[inline(always)]
    fn replace<O: Observer<Change>>(&mut self, cell: Cell, old: Info, new: Info, observer: &mut O) {
        self.info[cell.index()] = new;
        for side in 0..2 {
            let (from, to) = (old.codes[side], new.codes[side]);
            if from == to {
                continue;
            }
            observer.change(Change { side, from: from.index(), to: to.index() });
            let (from, to) = (from.shape_index(), to.shape_index());
            if from != to {
                self.counts[side][from] -= 1;
                self.counts[side][to] += 1;
                let (from, to) = (Threat::OF[from] as usize, Threat::OF[to] as usize);
                if from != to {
                    self.threats[side][from].flip(cell);
                    self.threats[side][to].flip(cell);
                }
            }
        }
    }

    /// An empty cell no longer counts.
    #[inline(always)]
    fn count_out<O: Observer<Change>>(&mut self, cell: Cell, observer: &mut O) {
        let info = self.info[cell.index()];
        for (side, code) in info.codes.into_iter().enumerate() {
            observer.change(Change { side, from: code.index(), to: Code::COUNT });
            self.counts[side][code.shape() as usize] -= 1;
            self.threats[side][Threat::of(code.shape()) as usize].flip(cell);
        }
    }

    /// A cell that became empty counts again.
    #[inline(always)]
    fn count_in<O: Observer<Change>>(&mut self, cell: Cell, observer: &mut O) {
        let info = self.info[cell.index()];
        for (side, code) in info.codes.into_iter().enumerate() {
            observer.change(Change { side, from: Code::COUNT, to: code.index() });
            self.counts[side][code.shape() as usize] += 1;
            self.threats[side][Threat::of(code.shape()) as usize].flip(cell);
        }
    }

    /// Compares everything incremental with a board set up stone by stone, and says what differs.
    pub fn check(&self, rule: WinRule) -> Result<(), String> {
        let mut fresh = Board::<R>::new(self.size, rule);
        for side in 0..2 {
            for cell in self.stones[side].iter() {
                fresh.write(cell, side as u64 + 1);
                fresh.stones[side].flip(cell);
            }
        }
        let mut counts = [[0; SHAPES]; 2];
        let mut threats: [[CellSet; Threat::COUNT]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| CellSet::EMPTY));
        for cell in self.empty().iter() {
            let info = fresh.look(cell);
            if info != self.info[cell.index()] {
                return Err(format!("{cell:?} is {:?}, not {info:?}", self.info[cell.index()]));
            }
            for side in 0..2 {
                let shape = info.codes[side].shape();
                counts[side][shape as usize] += 1;
                threats[side][Threat::of(shape) as usize].flip(cell);
            }
        }
        if fresh.lines != self.lines {
            return Err("the lines differ from the stones".into());
        }
        if counts != self.counts || threats != self.threats {
            return Err("the counts or sets of threats differ from the cells".into());
        }
        Ok(())
    }
}

const _: () = assert!(BORDER + crate::cell::MAX_SIZE + BORDER <= STRIDE);
