//! A net that adds to the evaluation: every cell sums up a row of weights for each of the four lines through it.
//!
//! A row belongs to what is on nine cells of a line, seen by either player. Where no stone is among them there is no row, so
//! that the empty part of the board costs nothing.

use crate::board::Lines;
use crate::cell::{BORDER, Cell, CellSet, DIRECTIONS, MAX_SIZE, STRIDE};
use crate::policy::{HALF, LINE_ROWS, LineRows, ROWS};
use crate::position::Five;
use crate::rule::Rule;
use crate::settings::Kind;
use polyply_core::MAX_PLY;
use polyply_core::game::Game;
use polyply_core::learn::{Activation, Inputs};
use polyply_nn::{Changed, Net, POOLED, PooledSums, Shape};
use std::sync::{Arc, LazyLock};

/// What can be in the middle of a window, beside its surroundings.
const MIDDLES: usize = 3;
/// Features of a perspective.
pub(crate) const FEATURES: usize = MIDDLES * ROWS;
/// Stands for a window without a feature.
const NONE: [u32; 2] = [FEATURES as u32; 2];
/// The sizes of a net.
pub(crate) const PERSPECTIVES: usize = 2;
pub(crate) const HIDDEN: usize = POOLED;
pub(crate) const MIDDLE: usize = 32;
pub(crate) const BUCKETS: usize = 1;
pub(crate) const ACTIVATION: Activation = Activation::Squared;
/// The lines that moves change between two values, usually.
const LINES: usize = 16;
/// Every second bit of a line: one for each cell.
const CELLS: u64 = 0x5555_5555_5555_5555;

/// The evaluation of a game by a net.
#[derive(Clone)]
pub(crate) struct NetEvaluation {
    sums: PooledSums,
    rows: &'static LineRows,
    /// The board that the sums are of; none before the first value.
    seen: Option<Box<Seen>>,
    /// Moves played less moves taken back.
    ply: isize,
    /// The ply of the oldest position whose sums are kept.
    base: isize,
    /// The changes of sums that can be taken back, to that position.
    steps: Vec<Step>,
    /// The lines before they changed, the latest last.
    lines: Vec<(usize, usize, u64)>,
    /// Memory for changes of cells.
    changed: Vec<Changed>,
}

/// A board.
#[derive(Clone)]
struct Seen {
    size: usize,
    lines: Lines,
    stones: [CellSet; 2],
}

/// A change of the sums by all moves since the step before it.
#[derive(Clone)]
struct Step {
    /// The ply after which the sums were right.
    ply: isize,
    /// The number of lines noted before it.
    lines: usize,
    stones: [CellSet; 2],
}

/// The number of a cell in the net.
#[inline(always)]
fn site(cell: Cell) -> u16 {
    (cell.y() * MAX_SIZE + cell.x()) as u16
}

/// The features of the window around a place of a line, as both players see it.
#[inline(always)]
fn features(rows: &LineRows, line: u64, at: usize) -> [u32; 2] {
    let window = line >> (2 * (at - HALF));
    // A stone is 1 or 2, an empty cell 0 and a wall 3.
    if (window ^ window >> 1) & CELLS & ((1 << (4 * HALF + 2)) - 1) == 0 {
        return NONE;
    }
    let middle = line >> (2 * at) & 3;
    let [first, second] = rows.of(line, at).map(|row| MIDDLES as u32 * u32::from(row));
    [first + middle as u32, second + [0, 2, 1, 0][middle as usize]]
}

/// The features of a position for learning.
pub(crate) fn inputs<R: Rule>(game: &Five<R>, out: &mut Inputs) {
    let own = game.side().index();
    let board = CellSet::board(game.settings().size);
    for cell in board.iter() {
        let mut count = 0;
        for (direction, lines) in game.board.lines().iter().enumerate() {
            let place = cell.on_line(direction);
            let found = features(&LINE_ROWS, lines[place.line], place.at);
            if found != NONE {
                count += 1;
                out.perspectives[0].push(found[own]);
                out.perspectives[1].push(found[1 - own]);
            }
        }
        if count > 0 {
            out.sites.push(count);
        }
    }
}

impl NetEvaluation {
    /// Reads a net for a game of the family. The error is one sentence.
    pub fn parse(text: &str) -> Result<Arc<Net>, String> {
        let games: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        let net = Net::parse(text, &games)?;
        let shape = Shape {
            features: FEATURES,
            perspectives: PERSPECTIVES,
            buckets: BUCKETS,
            activation: ACTIVATION,
            pooled: true,
            ..*net.shape()
        };
        match *net.shape() == shape {
            true => Ok(Arc::new(net)),
            false => Err(format!("a net of five in a row is pooled, with {FEATURES} features")),
        }
    }

    /// The built-in net of a variant, if it has one.
    pub fn built_in(kind: Kind) -> Option<&'static Arc<Net>> {
        static FREESTYLE: LazyLock<Arc<Net>> = LazyLock::new(|| {
            let read = NetEvaluation::parse(include_str!("../weights/freestyle-net.txt"));
            read.unwrap_or_else(|reason| panic!("the net that was built in can't be read: {reason}"))
        });
        match kind {
            Kind::Freestyle => Some(&FREESTYLE),
            Kind::Standard | Kind::Caro | Kind::Capture => None,
        }
    }

    pub fn new(net: &Arc<Net>) -> NetEvaluation {
        NetEvaluation {
            sums: PooledSums::new(net, MAX_SIZE * MAX_SIZE),
            rows: &LINE_ROWS,
            seen: None,
            ply: 0,
            base: 0,
            steps: Vec::new(),
            lines: Vec::new(),
            changed: Vec::new(),
        }
    }

    pub fn net(&self) -> &Net {
        self.sums.net()
    }

    /// Another position follows: nothing can be taken back any more. What was seen last is still known.
    pub fn reset(&mut self) {
        self.base = self.ply;
        self.sums.keep();
        self.steps.clear();
        self.lines.clear();
    }

    /// A move is about to be played.
    #[inline(always)]
    pub fn push(&mut self) {
        self.ply += 1;
    }

    /// A move was taken back.
    #[inline(always)]
    pub fn pop(&mut self) {
        self.ply -= 1;
        self.base = self.base.min(self.ply);
        while let Some(step) = self.steps.pop_if(|step| step.ply > self.ply) {
            let Some(seen) = &mut self.seen else { return };
            for &(direction, line, before) in self.lines[step.lines..].iter().rev() {
                seen.lines[direction][line] = before;
            }
            self.lines.truncate(step.lines);
            seen.stones = step.stones;
            self.sums.undo();
        }
    }

    /// The value for the side to move.
    #[inline(always)]
    pub fn value<R: Rule>(&mut self, game: &Five<R>) -> i32 {
        self.bring_up_to_date(game);
        self.sums.value(game.side().index(), 0)
    }

    fn bring_up_to_date<R: Rule>(&mut self, game: &Five<R>) {
        let stones = [0, 1].map(|side| game.board.stones(side));
        let size = game.settings().size;
        let Some(seen) = self.seen.as_mut().filter(|seen| seen.size == size) else { return self.begin(game) };
        let different = seen.stones[0].differences(stones[0]).or(&seen.stones[1].differences(stones[1]));
        if different.is_empty() {
            return;
        }
        let mark = self.lines.len();
        self.changed.clear();
        for cell in different.iter() {
            for direction in 0..DIRECTIONS {
                let number = cell.on_line(direction).line;
                let new = game.board.lines()[direction][number];
                let old = std::mem::replace(&mut seen.lines[direction][number], new);
                // Otherwise another cell of this line came before.
                if old != new {
                    self.lines.push((direction, number, old));
                    changes_of_line(self.rows, [old, new], direction, number, &mut self.changed);
                }
            }
        }
        let before = std::mem::replace(&mut seen.stones, stones.map(CellSet::clone));
        if self.ply == self.base {
            // Nothing to go back to.
            self.lines.clear();
            return self.sums.change(&self.changed);
        }
        self.steps.push(Step { ply: self.ply, lines: mark, stones: before });
        self.sums.push(&self.changed);
    }

    /// Computes the sums of a position from its cells.
    fn begin<R: Rule>(&mut self, game: &Five<R>) {
        let lines = game.board.lines();
        // From here on nothing is allocated.
        self.sums.reserve(MAX_PLY);
        self.steps.reserve(MAX_PLY);
        self.lines.reserve(LINES * MAX_PLY);
        self.changed.clear();
        self.changed.reserve(MAX_SIZE * MAX_SIZE * DIRECTIONS);
        for cell in CellSet::board(game.settings().size).iter() {
            for (direction, lines) in lines.iter().enumerate() {
                let place = cell.on_line(direction);
                let added = features(self.rows, lines[place.line], place.at);
                if added != NONE {
                    self.changed.push(Changed { site: site(cell), added, removed: NONE });
                }
            }
        }
        self.sums.clear();
        self.sums.change(&self.changed);
        self.reset();
        let stones = [0, 1].map(|side| game.board.stones(side).clone());
        self.seen = Some(Box::new(Seen { size: game.settings().size, lines: *lines, stones }));
    }
}

/// What changes for the cells of a line when its contents do.
#[inline(always)]
fn changes_of_line(rows: &LineRows, [old, new]: [u64; 2], direction: usize, number: usize, changed: &mut Vec<Changed>) {
    let cells = (old ^ new | (old ^ new) >> 1) & CELLS;
    let mut near = cells;
    for step in 1..=HALF {
        near |= cells << (2 * step) | cells >> (2 * step);
    }
    let walls = new & new >> 1 & CELLS;
    near &= !walls;
    while near != 0 {
        let at = near.trailing_zeros() as usize / 2;
        near &= near - 1;
        let (removed, added) = (features(rows, old, at), features(rows, new, at));
        if removed != added {
            let cell = Cell::on(direction, number, at);
            changed.push(Changed { site: site(cell), added, removed });
        }
    }
}

const _: () = assert!(BORDER > HALF && STRIDE == 32);
