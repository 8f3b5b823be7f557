//! Tic-tac-toe: the minimum that a game needs.
//!
//! Cells are `a1` to `c3`: a letter for the column from the left, a number for the row from the bottom. `x` moves
//! first. With best play the game is a draw.

use crate::mix;
use crate::rows::Rows;
use polyply_core::family::{About, Bench, Family, Setup};
use polyply_core::game::{Class, Evaluation, Game, MoveList, MoveSink, Notation, Observer, Outcome, SearchGame, Side};
use polyply_core::guide::{Guide, Lesson, RulePart, Scene};
use polyply_core::look::{Layout, Look, MoveCells, Pieces, Surface};
use polyply_core::params::NoParams;
use polyply_core::refusal::{Code, Refusal, common};
use polyply_core::score::Score;

/// Cells of a row, and rows of the board.
const SIZE: usize = 3;
/// All nine cells; the cell of a column and a row is bit `3 * row + column`.
const BOARD: u16 = 0o777;
/// The eight lines: rows, columns, diagonals.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

polyply_core::refusals! {
    /// The game would have been over before the last move.
    three_already() = "the side to move has three in a row already, so the other side can't have moved";
}

/// A cell to put a mark on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(u8);

impl Cell {
    const fn at(column: usize, row: usize) -> Cell {
        Cell((SIZE * row + column) as u8)
    }

    const fn column(self) -> usize {
        self.0 as usize % SIZE
    }

    const fn row(self) -> usize {
        self.0 as usize / SIZE
    }

    const fn bit(self) -> u16 {
        1 << self.0
    }
}

impl From<Cell> for u16 {
    fn from(cell: Cell) -> u16 {
        u16::from(cell.0)
    }
}

/// A position of tic-tac-toe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TicTacToe {
    /// The marks of either side.
    marks: [u16; 2],
    side: Side,
}

impl TicTacToe {
    const fn empty(&self) -> u16 {
        BOARD & !(self.marks[0] | self.marks[1])
    }

    fn has_line(&self, side: Side) -> bool {
        LINES.iter().any(|&line| self.marks[side.index()] & line == line)
    }

    fn rows(&self) -> Rows<SIZE, SIZE> {
        let mut cells = [[None; SIZE]; SIZE];
        for cell in (0..9).map(Cell) {
            let owner = [Side::First, Side::Second].into_iter().find(|side| self.marks[side.index()] & cell.bit() != 0);
            cells[cell.row()][cell.column()] = owner;
        }
        Rows { cells, side: self.side }
    }
}

impl Game for TicTacToe {
    type Move = Cell;
    type Change = ();
    type Undo = ();

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        // The number of marks determines the side to move.
        mix(u64::from(self.marks[0]) << 9 | u64::from(self.marks[1]))
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    fn moves(&self, out: &mut MoveList<Cell>) {
        if self.outcome().is_none() {
            out.extend((0..9).map(Cell).filter(|cell| self.empty() & cell.bit() != 0));
        }
    }

    fn decode(&self, bits: u16) -> Option<Cell> {
        let cell = u8::try_from(bits).ok().filter(|&cell| cell < 9).map(Cell)?;
        (self.empty() & cell.bit() != 0 && self.outcome().is_none()).then_some(cell)
    }

    fn play<O: Observer<()>>(&mut self, cell: Cell, _: &mut O) {
        self.marks[self.side.index()] |= cell.bit();
        self.side = self.side.other();
    }

    fn undo<O: Observer<()>>(&mut self, cell: Cell, _: (), _: &mut O) {
        self.side = self.side.other();
        self.marks[self.side.index()] ^= cell.bit();
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.has_line(self.side.other()) {
            Some(Outcome::Win(self.side.other()))
        } else if self.empty() == 0 {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn horizon(&self) -> i32 {
        self.empty().count_ones() as i32
    }

    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, symmetry: usize) -> TicTacToe {
        let image = |marks: u16| {
            let moved = (0..9).map(Cell).filter(|cell| marks & cell.bit() != 0);
            moved.fold(0, |image, cell| image | self.transform_move(cell, symmetry).bit())
        };
        TicTacToe { marks: self.marks.map(image), side: self.side }
    }

    /// The bits of a symmetry: 1 mirrors the columns, 2 the rows, and then 4 swaps columns and rows.
    fn transform_move(&self, cell: Cell, symmetry: usize) -> Cell {
        let flip = |at: usize, mirrored: bool| if mirrored { SIZE - 1 - at } else { at };
        let column = flip(cell.column(), symmetry & 1 != 0);
        let row = flip(cell.row(), symmetry & 2 != 0);
        if symmetry & 4 == 0 { Cell::at(column, row) } else { Cell::at(row, column) }
    }

    fn inverse(&self, symmetry: usize) -> usize {
        match symmetry {
            // The two quarter turns are each other's inverse.
            5 => 6,
            6 => 5,
            other => other,
        }
    }
}

/// The value of a line that only one side has marks on, for each mark.
const OPEN_LINE: i32 = 10;

/// The evaluation: the lines that each side can still complete, and how far they are.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpenLines;

impl OpenLines {
    fn worth(own: u16, other: u16) -> i32 {
        LINES.iter().filter(|&line| line & other == 0).map(|line| OPEN_LINE * (line & own).count_ones() as i32).sum()
    }
}

impl Observer<()> for OpenLines {
    fn change(&mut self, _: ()) {}
}

impl Evaluation<TicTacToe> for OpenLines {
    fn reset(&mut self, _: &TicTacToe) {}

    fn score(&mut self, game: &TicTacToe) -> Score {
        let own = game.marks[game.side.index()];
        let other = game.marks[game.side.other().index()];
        Score::eval(OpenLines::worth(own, other) - OpenLines::worth(other, own))
    }

    fn weights_hash(&self) -> u64 {
        mix(OPEN_LINE as u64)
    }
}

impl SearchGame for TicTacToe {
    type Eval = OpenLines;
    type Params = NoParams;

    const HISTORY: usize = 9;
    const TACTICAL: bool = false;

    fn history_slot(&self, cell: Cell) -> usize {
        usize::from(cell.0)
    }

    fn order(&self, class: Class, _: &NoParams, out: &mut MoveSink<'_, Cell>) {
        if class == Class::Quiet {
            let mut moves = MoveList::new();
            self.moves(&mut moves);
            for cell in moves {
                // The centre is on four lines, a corner on three, an edge on two.
                let lines = LINES.iter().filter(|&line| line & cell.bit() != 0).count();
                out.push(cell, lines as i32);
            }
        }
    }
}

impl Notation for TicTacToe {
    fn start() -> Self {
        TicTacToe { marks: [0; 2], side: Side::First }
    }

    fn parse(&self, text: &str) -> Result<Self, Refusal> {
        let rows = Rows::<SIZE, SIZE>::parse(text)?;
        rows.check_turns()?;
        let mut game = TicTacToe { marks: [0; 2], side: rows.side };
        for cell in (0..9).map(Cell) {
            if let Some(side) = rows.cells[cell.row()][cell.column()] {
                game.marks[side.index()] |= cell.bit();
            }
        }
        if game.has_line(game.side) {
            return Err(three_already());
        }
        Ok(game)
    }

    fn text(&self) -> String {
        self.rows().text()
    }

    fn parse_move(&self, text: &str) -> Result<Cell, Refusal> {
        let &[column @ b'a'..=b'c', row @ b'1'..=b'3'] = text.as_bytes() else {
            return Err(common::not_a_cell("a1", "c3", text));
        };
        let cell = Cell::at(usize::from(column - b'a'), usize::from(row - b'1'));
        self.decode(cell.into()).ok_or_else(|| match self.outcome() {
            None => common::cell_taken(text),
            Some(_) => common::game_over(),
        })
    }

    fn move_text(&self, cell: Cell) -> String {
        format!("{}{}", char::from(b'a' + cell.column() as u8), cell.row() + 1)
    }

    fn board(&self) -> String {
        self.rows().board(self.outcome().is_some())
    }
}

impl Look for TicTacToe {
    /// The evaluation counts open lines and is seldom far from 0; the search reaches the end anyway.
    const CHANCE: f64 = 50.0;

    fn layout(&self) -> Layout {
        self.rows().layout(Surface::Squares, Pieces::Marks, ["cross", "nought"])
    }

    fn codes(&self) -> Vec<Option<&'static str>> {
        self.rows().codes()
    }

    fn cells(&self, cell: Cell) -> MoveCells {
        MoveCells::to(self.layout().cell(cell.column(), cell.row()))
    }

    fn winning_line(&self) -> Vec<usize> {
        self.rows().in_a_row(3)
    }

    fn reason(&self) -> &'static str {
        self.rows().reason(3)
    }
}

const GUIDE: Guide = Guide {
    rules: &[
        RulePart {
            text: "Take turns to put your mark on an empty cell. Cross begins.",
            scene: Scene::at("3/1x1/o2 x"),
        },
        RulePart {
            text: "Three of your marks in a row, down, across or diagonally, win. A full board without three is a draw.",
            scene: Scene::at("xo1/ox1/2x o"),
        },
    ],
    lessons: &[
        Lesson {
            task: "Cross can win now. Where?",
            scene: Scene::at("xx1/oo1/3 x"),
            accepted: &["c3"],
            praise: "Three in a row.",
        },
        Lesson {
            task: "Stop Nought from making three.",
            scene: Scene::at("x2/oo1/x2 x"),
            accepted: &["c2"],
            praise: "Nought can't win any more.",
        },
        Lesson {
            task: "Cross threatens to take a third corner, with two ways to win. Keep Cross busy.",
            scene: Scene::at("x2/1o1/2x o"),
            accepted: &["b1", "b3", "a2", "c2"],
            praise: "Cross must block your row, and has no time for the corner.",
        },
    ],
};

impl Family for TicTacToe {
    const ABOUT: About = About {
        moves: "a cell from a1 to c3: column from the left, row from the bottom",
        positions: "rows from the top and the side to move, as in `3/1x1/3 o`",
        place: 60,
        books: &[include_bytes!("../books/tictactoe.book")],
        guide: GUIDE,
        bench: Bench { depth: 9, positions: &["3/3/3 x", "3/1x1/3 o", "x2/1o1/2x o"] },
        ..About::new(
            "tictactoe",
            "Tic-tac-toe",
            "Three in a row on a board of three by three; two players who know it draw.",
        )
    };

    fn refusals() -> &'static [&'static Code] {
        CODES
    }

    fn open(setup: &Setup) -> Result<(Self, OpenLines), Refusal> {
        setup.expect_plain(&Self::ABOUT)?;
        Ok((TicTacToe::start(), OpenLines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::conformance::{self, Run};
    use polyply_core::perft::{divide, perft};

    fn run() -> Run<'static> {
        Run { positions: &["3/1x1/3 o", "xo1/1x1/2o x", "xox/oxx/oxo o"], games: 60, plies: 9, ..Run::default() }
    }

    #[test]
    fn conforms() {
        conformance::check::<TicTacToe>(&run());
    }

    #[test]
    fn search_slots_conform() {
        conformance::check_search::<TicTacToe>(&OpenLines, &run());
    }

    #[test]
    fn perft_counts_are_the_known_ones() {
        let known = [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0];
        for (depth, lines) in (0..).zip(known) {
            assert_eq!(perft(&mut TicTacToe::start(), depth), lines, "depth {depth}");
        }
    }

    #[test]
    fn divide_splits_the_count_by_first_move() {
        let mut game = TicTacToe::start();
        let counts = divide(&mut game, 6);
        assert_eq!(counts.len(), 9);
        assert_eq!(counts.iter().map(|&(_, lines)| lines).sum::<u64>(), perft(&mut game, 6));
    }

    #[test]
    fn a_position_that_no_game_reaches_is_an_error() {
        let refusal = |text| TicTacToe::start().parse(text).unwrap_err();
        assert_eq!(refusal("xxx/3/ooo x"), three_already());
        assert_eq!(refusal("xxx/oo1/3 x"), common::wrong_turn(3, 2, 'o'));
        assert_eq!(refusal("xxx/ooo/3 x"), three_already());
    }

    #[test]
    fn a_taken_cell_and_a_finished_game_are_told_apart() {
        let refusal = |position, mv| TicTacToe::start().parse(position).unwrap().parse_move(mv).unwrap_err();
        assert_eq!(refusal("3/1x1/3 o", "b2"), common::cell_taken("b2"));
        assert_eq!(refusal("xxx/oo1/3 o", "a1"), common::game_over());
    }

    #[test]
    fn a_winning_line_is_told_by_its_cells_from_the_top_left() {
        let falling = TicTacToe::start().parse("x2/1xo/o1x o").unwrap();
        assert_eq!(falling.winning_line(), [0, 4, 8]);
    }
}
