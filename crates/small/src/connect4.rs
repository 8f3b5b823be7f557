//! Connect Four on the usual board of seven columns and six rows: `x` moves first, four in a row win.
//!
//! A column is written `a` to `g`, or `1` to `7` from the left. A position is written in rows from the top
//! (`7/7/7/7/3o3/3x3 x`) or as the columns played so far (`44`). The board is a bitboard with seven bits for each
//! column, six cells and one that stays empty, so that no line wraps around an edge. [Pascal Pons' solver tutorial]
//! explains this and most of the tricks below. Victor Allis' thesis, [A Knowledge-based Approach of Connect-Four],
//! explains why the parity of a threat's row decides games.
//!
//! [Pascal Pons' solver tutorial]: http://blog.gamesolver.org/
//! [A Knowledge-based Approach of Connect-Four]: http://www.informatik.uni-trier.de/~fernau/DSL0607/Masterthesis-Viergewinnt.pdf

use crate::mix;
use crate::rows::Rows;
use polyply_core::family::{About, Bench, Family, Setup};
use polyply_core::game::{
    Class, Evaluation, Game, MoveList, MoveSink, NO_MOVE, Notation, Observer, Outcome, Proof, SearchGame, Side, Staged,
};
use polyply_core::guide::{Guide, Lesson, RulePart, Scene};
use polyply_core::look::{Layout, Look, MoveCells, Pieces, Surface};
use polyply_core::params::{NoParams, SearchParams};
use polyply_core::problem::Problem;
use polyply_core::refusal::{Code, Refusal, common};
use polyply_core::resources::Resources;
use polyply_core::score::{FirstScore, Score};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// The bits of a column: its cells and an empty one on top. The cell of a column and a row is bit `7 * column + row`.
const STRIDE: usize = ROWS + 1;
/// Cells of the board.
const CELLS: u8 = (COLUMNS * ROWS) as u8;
/// The lowest cell of every column.
const BOTTOM: u64 = every_column(1);
/// All cells.
const BOARD: u64 = every_column((1 << ROWS) - 1);

polyply_core::refusals! {
    /// A move that is not a column.
    not_a_column(text) = "a move is a column from `a` to `g`, not `{text}`";
    /// A move to a full column.
    column_full(column) = "the column `{column}` is full";
    /// A disc with an empty cell below it.
    floating_disc() = "a disc rests on the disc below it or on the bottom, and none may float";
    /// The game would have ended before the last move.
    four_already() = "the side to move has four in a row already, so the other side can't have moved";
    /// The game would have ended before the last move.
    fours_too_many() = "no single last move makes all the fours there are, so the game ended before it";
    /// A line of a test set that can't be parsed.
    column_score(line) = "a line is a position, or the columns played so far and a score from -21 to 21, not `{line}`";
}

/// The same bits in every column.
const fn every_column(bits: u64) -> u64 {
    let mut board = 0;
    let mut column = 0;
    while column < COLUMNS {
        board |= bits << (STRIDE * column);
        column += 1;
    }
    board
}

/// All cells of one column.
const fn column_cells(column: usize) -> u64 {
    ((1 << ROWS) - 1) << (STRIDE * column)
}

/// The cell where a disc lands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(u8);

impl Cell {
    /// The lowest cell of a non-empty set.
    #[inline(always)]
    const fn lowest(cells: u64) -> Cell {
        Cell(cells.trailing_zeros() as u8)
    }

    #[inline(always)]
    const fn bit(self) -> u64 {
        1 << self.0
    }

    const fn column(self) -> usize {
        self.0 as usize / STRIDE
    }

    const fn row(self) -> usize {
        self.0 as usize % STRIDE
    }
}

impl From<Cell> for u16 {
    #[inline(always)]
    fn from(cell: Cell) -> u16 {
        u16::from(cell.0)
    }
}

/// The cells of a set, column by column.
struct Cells(u64);

impl Iterator for Cells {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        let cell = Cell::lowest(self.0);
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            cell
        })
    }
}

/// The empty cells that would complete four in a row for `discs`, playable now or not.
#[inline(always)]
const fn winning_cells(discs: u64, occupied: u64) -> u64 {
    let vertical = (discs << 1) & (discs << 2) & (discs << 3);
    (vertical | on_line::<STRIDE>(discs) | on_line::<{ STRIDE - 1 }>(discs) | on_line::<{ STRIDE + 1 }>(discs))
        & (BOARD & !occupied)
}

/// The cells that complete four of `discs` in one direction, in which neighbours are `STEP` bits apart. The missing
/// cell is an end of the four or one of its two inner cells.
#[inline(always)]
const fn on_line<const STEP: usize>(discs: u64) -> u64 {
    let two_before = (discs << STEP) & (discs << (2 * STEP));
    let two_behind = (discs >> STEP) & (discs >> (2 * STEP));
    (two_before & ((discs << (3 * STEP)) | (discs >> STEP))) | (two_behind & ((discs >> (3 * STEP)) | (discs << STEP)))
}

/// Whether there are four in a row.
#[inline(always)]
fn has_four(discs: u64) -> bool {
    [1, STRIDE - 1, STRIDE, STRIDE + 1].into_iter().any(|step| {
        let pairs = discs & (discs >> step);
        pairs & (pairs >> (2 * step)) != 0
    })
}

/// The cells that would win for each side, playable now or not. Almost everything that the search needs follows from
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinningCells {
    /// The winning cells of the side to move.
    own: u64,
    /// The winning cells of the opponent.
    other: u64,
}

/// A position of Connect Four.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Connect4 {
    /// The discs of the side to move.
    own: u64,
    /// The discs of both sides.
    occupied: u64,
    winning: WinningCells,
    /// The number of discs.
    discs: u8,
    /// Whether the last move made four in a row.
    won: bool,
}

impl Connect4 {
    /// The position of these discs. The last move, if it won, was the opponent's.
    fn of(own: u64, other: u64) -> Connect4 {
        let occupied = own | other;
        let winning = WinningCells { own: winning_cells(own, occupied), other: winning_cells(other, occupied) };
        Connect4 { own, occupied, winning, discs: occupied.count_ones() as u8, won: has_four(other) }
    }

    /// The cells where a disc may land, if the game is not over.
    #[inline(always)]
    const fn landing(&self) -> u64 {
        // Adding 1 to a full run of ones carries into the first empty cell; a full column carries off the board.
        (self.occupied + BOTTOM) & BOARD
    }

    /// The moves that decide the value of the position: see [`Candidates`].
    #[inline(always)]
    const fn candidates(&self) -> Candidates {
        let landing = self.landing();
        let wins = self.winning.own & landing;
        let blocks = self.winning.other & landing;
        let choice = if blocks == 0 { landing } else { blocks };
        // A disc below a winning cell of the opponent makes that cell playable.
        let safe = choice & !(self.winning.other >> 1);
        // Only one of two threats can be blocked.
        let two_threats = blocks & blocks.wrapping_sub(1) != 0;
        Candidates { wins, blocks, choice, safe: if two_threats { 0 } else { safe } }
    }

    /// Bounds for the side to move from the strategy of always answering in the column just played ("claimeven" and
    /// zugzwang control in Allis' thesis).
    ///
    /// The second player can fill every even row of the columns that hold an even number of discs. The others are even
    /// in number when the first player moves, and if one of them is made even, the second makes even another: so of
    /// their next cells the first player gets some. Where the second player moves and just one column is odd, the first
    /// can answer likewise, and in that column fill the odd rows, until the second has to play below a winning cell.
    /// Either works if the opponent's cells, all of them together with the discs there are, make no four.
    #[inline(always)]
    fn follow_up(&self) -> (Score, Score) {
        let (mut low, mut high) = (Score::loss_in(0), Score::win_in(0));
        let empty = BOARD & !self.occupied;
        let (odd, even) = (empty & ODD_ROWS, empty & EVEN_ROWS);
        let other = self.own ^ self.occupied;
        // The next cells of the columns that hold an odd number of discs.
        let open = self.landing() & EVEN_ROWS;
        let left = self.horizon();
        match self.side() {
            Side::First if !has_four(self.own | odd | open) => {
                high = if has_four(other | even & !open) { Score::loss_in(left) } else { Score::ZERO };
            }
            Side::First => {}
            Side::Second => {
                for cell in Cells(open) {
                    let rest = open ^ cell.bit();
                    if !has_four(other | odd | rest) {
                        low = if has_four(self.own | even & !rest) { Score::win_in(left) } else { Score::ZERO };
                        break;
                    }
                }
                if open.is_power_of_two() {
                    let column = column_cells(Cell::lowest(open).column());
                    let wins = self.winning.other & ODD_ROWS & column;
                    let win = wins & wins.wrapping_neg();
                    let reached = empty & column & win.wrapping_sub(1);
                    if wins != 0 && !has_four(self.own | odd & !column | even & reached) {
                        let plies = (empty & !column | reached | win).count_ones();
                        high = Score::loss_in(plies as i32);
                    }
                }
            }
        }
        (low, high)
    }

    fn rows(&self) -> Rows<COLUMNS, ROWS> {
        let (first, second) = self.discs_by_side();
        let mut cells = [[None; COLUMNS]; ROWS];
        for cell in Cells(first) {
            cells[cell.row()][cell.column()] = Some(Side::First);
        }
        for cell in Cells(second) {
            cells[cell.row()][cell.column()] = Some(Side::Second);
        }
        Rows { cells, side: self.side() }
    }

    #[inline(always)]
    fn discs_by_side(&self) -> (u64, u64) {
        let other = self.own ^ self.occupied;
        match self.side() {
            Side::First => (self.own, other),
            Side::Second => (other, self.own),
        }
    }
}

/// The moves of a position by their immediate effect.
///
/// Considering only these changes neither the value of a position nor the distance to the end. If there is a win in one
/// ply, nothing is better. If there is none, the worst result of any move is a loss in two plies. A move that leaves a
/// threat open, or makes a winning cell of the opponent playable, loses in exactly two plies, so any other move is at
/// least as good.
#[derive(Clone, Copy)]
struct Candidates {
    /// Moves that win.
    wins: u64,
    /// Moves that take a cell where the opponent would win next.
    blocks: u64,
    /// The blocks if there are any, and all moves otherwise.
    choice: u64,
    /// The moves after which the opponent can't win at once.
    safe: u64,
}

impl Candidates {
    /// The only move to consider, if there is no choice: a win, a block, or any move of a lost position.
    #[inline(always)]
    const fn forced(self) -> Option<Cell> {
        if self.wins != 0 {
            Some(Cell::lowest(self.wins))
        } else if self.blocks != 0 || self.safe == 0 {
            Some(Cell::lowest(self.choice))
        } else {
            None
        }
    }
}

impl Game for Connect4 {
    type Move = Cell;
    type Change = ();
    type Undo = WinningCells;

    #[inline(always)]
    fn side(&self) -> Side {
        if self.discs.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        // Pons' packing: adding a one below every column puts a one on top of it, which marks its height; the bits
        // below mark the owners.
        mix(self.own + self.occupied + BOTTOM)
    }

    fn recomputed_key(&self) -> u64 {
        Connect4::of(self.own, self.own ^ self.occupied).key()
    }

    fn moves(&self, out: &mut MoveList<Cell>) {
        if !self.won {
            out.extend(Cells(self.landing()));
        }
    }

    #[inline]
    fn decode(&self, bits: u16) -> Option<Cell> {
        let on_board = usize::from(bits) < STRIDE * COLUMNS;
        (on_board && !self.won && self.landing() >> bits & 1 != 0).then_some(Cell(bits as u8))
    }

    #[inline]
    fn play<O: Observer<()>>(&mut self, cell: Cell, _: &mut O) -> WinningCells {
        let before = self.winning;
        let bit = cell.bit();
        let mover = self.own | bit;
        self.won = before.own & bit != 0;
        self.own ^= self.occupied;
        self.occupied |= bit;
        self.winning = WinningCells { own: before.other & !bit, other: winning_cells(mover, self.occupied) };
        self.discs += 1;
        before
    }

    #[inline]
    fn undo<O: Observer<()>>(&mut self, cell: Cell, before: WinningCells, _: &mut O) {
        self.occupied ^= cell.bit();
        self.own ^= self.occupied;
        self.winning = before;
        self.discs -= 1;
        self.won = false;
    }

    #[inline(always)]
    fn outcome(&self) -> Option<Outcome> {
        if self.won {
            Some(Outcome::Win(self.side().other()))
        } else if self.discs == CELLS {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline(always)]
    fn horizon(&self) -> i32 {
        i32::from(CELLS - self.discs)
    }

    fn symmetries(&self) -> usize {
        2
    }

    fn transform(&self, symmetry: usize) -> Connect4 {
        if symmetry == 0 { self.clone() } else { Connect4::of(mirror(self.own), mirror(self.own ^ self.occupied)) }
    }

    fn transform_move(&self, cell: Cell, symmetry: usize) -> Cell {
        if symmetry == 0 { cell } else { Cell::lowest(mirror(cell.bit())) }
    }
}

/// The columns in reverse.
fn mirror(board: u64) -> u64 {
    (0..COLUMNS).fold(0, |image, column| image << STRIDE | board >> (STRIDE * column) & column_cells(0))
}

/// The value of a winning cell.
const THREAT: i32 = 20;
/// The bonus for one in a row that its owner gets by zugzwang.
const ZUGZWANG: i32 = 30;
/// The bonus if such a cell is in the lower half, which is filled sooner.
const EARLY: i32 = 20;
/// The value of a disc in the middle column.
const CENTRE: i32 = 6;
/// The value of a disc next to the middle column.
const BESIDE_CENTRE: i32 = 3;

/// The first, third and fifth row.
const ODD_ROWS: u64 = every_column(0b01_0101);
/// The second, fourth and sixth row.
const EVEN_ROWS: u64 = every_column(0b10_1010);
const LOWER_HALF: u64 = every_column(0b00_0111);
const MIDDLE: u64 = column_cells(3);
const BESIDE_MIDDLE: u64 = column_cells(2) | column_cells(4);

/// The evaluation: threats, and which side will be forced to play below them.
///
/// By always answering in the same column, the second player gets every cell of an even row. A winning cell of the
/// first player in an odd row reverses this: the column stays open below it, the number of other cells is odd, and so
/// the second player has to play there in the end (zugzwang control in Allis' thesis). So a winning cell in an odd row
/// is worth more to the first player, and one in an even row to the second.
#[derive(Clone, Copy, Default, Debug)]
pub struct Threats;

impl Threats {
    #[inline(always)]
    fn worth(discs: u64, winning: u64, zugzwang_rows: u64) -> i32 {
        let count = |cells: u64| cells.count_ones() as i32;
        THREAT * count(winning)
            + ZUGZWANG * count(winning & zugzwang_rows)
            + EARLY * count(winning & zugzwang_rows & LOWER_HALF)
            + CENTRE * count(discs & MIDDLE)
            + BESIDE_CENTRE * count(discs & BESIDE_MIDDLE)
    }
}

impl Observer<()> for Threats {
    #[inline(always)]
    fn change(&mut self, _: ()) {}
}

impl Evaluation<Connect4> for Threats {
    fn reset(&mut self, _: &Connect4) {}

    #[inline]
    fn score(&mut self, game: &Connect4) -> Score {
        let (own_rows, other_rows) = match game.side() {
            Side::First => (ODD_ROWS, EVEN_ROWS),
            Side::Second => (EVEN_ROWS, ODD_ROWS),
        };
        let own = Threats::worth(game.own, game.winning.own, own_rows);
        let other = Threats::worth(game.own ^ game.occupied, game.winning.other, other_rows);
        Score::eval(own - other)
    }

    fn weights_hash(&self) -> u64 {
        let weights = [THREAT, ZUGZWANG, EARLY, CENTRE, BESIDE_CENTRE];
        weights.iter().fold(0, |hash, &weight| mix(hash ^ weight as u64))
    }
}

/// Static order of a move, for every winning cell that its side then has. This is the largest value of the search's
/// history, so history mostly decides between moves with equal threats.
const THREAT_ORDER: i32 = 1 << 14;
/// Static order of a move by column: more lines cross the middle.
const COLUMN_ORDER: [i32; COLUMNS] = [0, 1 << 12, 2 << 12, 3 << 12, 2 << 12, 1 << 12, 0];

impl SearchGame for Connect4 {
    type Eval = Threats;
    type Params = NoParams;

    const HISTORY: usize = STRIDE * COLUMNS;
    const TACTICAL: bool = false;

    #[inline(always)]
    fn history_slot(&self, cell: Cell) -> usize {
        usize::from(cell.0)
    }

    #[inline]
    fn class(&self, cell: Cell) -> Class {
        if self.candidates().forced() == Some(cell) { Class::Forced } else { Class::Quiet }
    }

    #[inline]
    fn order(&self, class: Class, _: &NoParams, out: &mut MoveSink<'_, Cell>) {
        let candidates = self.candidates();
        match (class, candidates.forced()) {
            (Class::Forced, Some(cell)) => out.push(cell, 0),
            (Class::Quiet, None) => {
                for cell in Cells(candidates.safe) {
                    let winning = winning_cells(self.own | cell.bit(), self.occupied | cell.bit());
                    let score = THREAT_ORDER * winning.count_ones() as i32 + COLUMN_ORDER[cell.column()];
                    out.push(cell, score);
                }
            }
            _ => {}
        }
    }

    /// Bounds from three plies ahead, without a search. After a safe move the opponent can't win at once. So a position
    /// without an immediate win but with a safe move is lost in four plies at worst and won in three at best. If fewer
    /// cells are left, it is not lost or not won at all.
    #[inline]
    fn proof(&mut self, _depth: i32, _: &mut Resources<'_, Self>) -> Proof {
        let candidates = self.candidates();
        if candidates.wins != 0 {
            return Proof { best: Cell::lowest(candidates.wins).into(), ..Proof::exactly(Score::win_in(1)) };
        }
        if candidates.safe == 0 {
            return Proof { best: Cell::lowest(candidates.choice).into(), ..Proof::exactly(Score::loss_in(2)) };
        }
        let left = self.horizon();
        let low = if left >= 4 { Score::loss_in(4) } else { Score::ZERO };
        let high = if left >= 3 { Score::win_in(3) } else { Score::ZERO };
        let (follow_low, follow_high) = self.follow_up();
        let (low, high) = (low.max(follow_low), high.min(follow_high));
        let best = if low == high && low == Score::ZERO { Cell::lowest(candidates.safe).into() } else { NO_MOVE };
        Proof { low, high, best }
    }

    fn staged(&mut self, _: &mut Resources<'_, Self>) -> Option<Staged<Cell>> {
        let candidates = self.candidates();
        if candidates.wins != 0 {
            let line = vec![Cell::lowest(candidates.wins)];
            Some(Staged { stage: "immediate win", line, score: Some(Score::win_in(1)) })
        } else if candidates.blocks != 0 {
            let line = vec![Cell::lowest(candidates.blocks)];
            let score = (candidates.safe == 0).then_some(Score::loss_in(2));
            Some(Staged { stage: "forced block", line, score })
        } else {
            None
        }
    }

    #[inline(always)]
    fn threatened(&self) -> bool {
        self.winning.other & self.landing() != 0
    }

    fn tune(params: &mut SearchParams) {
        // Zugzwang decides this game, so a null move proves nothing. And no move is tactical.
        params.null_move = 0;
        params.probcut = 0;
        // Killer moves help little here, and would come before moves that make threats.
        params.killers = 0;
        params.counter_moves = 0;
        // Nodes are fast here, so near the end searching is cheaper than a table lookup.
        params.solve_tt_depth = 9;
        params.etc_depth = 14;
        // A threat is worth 20 to 70 and a move rarely makes more than one.
        params.aspiration_window = 30;
        params.razoring_margin = 150;
        params.reverse_futility_margin = 60;
        params.futility_base = 80;
        params.futility_margin = 60;
    }
}

impl Notation for Connect4 {
    fn start() -> Self {
        Connect4::of(0, 0)
    }

    fn parse(&self, text: &str) -> Result<Self, Refusal> {
        match text {
            "" | "start" => Ok(Connect4::start()),
            rows if rows.contains('/') => parse_rows(rows),
            columns => parse_columns(columns),
        }
    }

    fn text(&self) -> String {
        self.rows().text()
    }

    fn parse_move(&self, text: &str) -> Result<Cell, Refusal> {
        let column = match *text.as_bytes() {
            [letter @ b'a'..=b'g'] => usize::from(letter - b'a'),
            [digit @ b'1'..=b'7'] => usize::from(digit - b'1'),
            _ => return Err(not_a_column(text)),
        };
        if self.outcome().is_some() {
            return Err(common::game_over());
        }
        let landing = self.landing() & column_cells(column);
        Cells(landing).next().ok_or_else(|| column_full(text))
    }

    fn move_text(&self, cell: Cell) -> String {
        char::from(b'a' + cell.column() as u8).to_string()
    }

    fn board(&self) -> String {
        self.rows().board(self.outcome().is_some())
    }
}

/// The columns played so far, as in `4455` or `ddee`.
fn parse_columns(text: &str) -> Result<Connect4, Refusal> {
    let mut game = Connect4::start();
    for (place, column) in text.chars().filter(|letter| *letter != ' ').enumerate() {
        let cell = game
            .parse_move(column.encode_utf8(&mut [0; 4]))
            .map_err(|reason| common::move_in_list(place + 1, reason))?;
        game.play(cell, &mut ());
    }
    Ok(game)
}

fn parse_rows(text: &str) -> Result<Connect4, Refusal> {
    let rows = Rows::<COLUMNS, ROWS>::parse(text)?;
    rows.check_turns()?;
    let mut discs = [0; 2];
    for cell in Cells(BOARD) {
        if let Some(side) = rows.cells[cell.row()][cell.column()] {
            discs[side.index()] |= cell.bit();
        }
    }
    let (own, other) = (discs[rows.side.index()], discs[rows.side.other().index()]);
    let occupied = own | other;
    // The cell below an occupied cell must be occupied.
    if (occupied & !BOTTOM) >> 1 & !occupied != 0 {
        return Err(floating_disc());
    }
    if has_four(own) {
        return Err(four_already());
    }
    let mut last_moves = Cells(other & (occupied + BOTTOM) >> 1);
    if has_four(other) && last_moves.all(|cell| has_four(other ^ cell.bit())) {
        return Err(fours_too_many());
    }
    Ok(Connect4::of(own, other))
}

impl Look for Connect4 {
    /// About the value of a threat that usually decides the endgame.
    const CHANCE: f64 = 60.0;

    fn layout(&self) -> Layout {
        self.rows().layout(Surface::Columns, Pieces::Discs, ["red", "yellow"])
    }

    fn codes(&self) -> Vec<Option<&'static str>> {
        self.rows().codes()
    }

    fn cells(&self, cell: Cell) -> MoveCells {
        MoveCells::to(self.layout().cell(cell.column(), cell.row()))
    }

    fn winning_line(&self) -> Vec<usize> {
        self.rows().in_a_row(4)
    }

    fn reason(&self) -> &'static str {
        self.rows().reason(4)
    }

    /// Any cell of a column stands for it.
    fn refused(&self, _: Option<usize>, to: usize) -> Option<Refusal> {
        self.parse_move(&self.layout().column_names()[to % COLUMNS]).err()
    }
}

const GUIDE: Guide = Guide {
    rules: &[
        RulePart {
            text: "Take turns to drop a disc into a column: it falls to the lowest free place. Tap anywhere in the column.",
            scene: Scene::at("443"),
        },
        RulePart {
            text: "Four of your discs in a row, down, across or diagonally, win. A full board without four is a draw.",
            scene: Scene::at("4152637"),
        },
    ],
    lessons: &[
        Lesson {
            task: "Red has three in a row. Win.",
            scene: Scene::at("324151"),
            accepted: &["f"],
            praise: "Four in a row across.",
        },
        Lesson {
            task: "Yellow stacks three. Stop the fourth.",
            scene: Scene::at("142464"),
            accepted: &["d"],
            praise: "A disc on top closes the column.",
        },
        Lesson {
            task: "Make three in a row with both ends open: then two places win, and only one can be stopped.",
            scene: Scene::at("4455"),
            accepted: &["c", "f"],
            praise: "Two open ends: you win next move.",
        },
    ],
};

impl Family for Connect4 {
    const ABOUT: About = About {
        moves: "a column from a to g, or from 1 to 7",
        positions: "the columns played so far, as in `4453`, or rows from the top and the side to move, as in \
                    `7/7/7/7/3o3/3x3 x`",
        bench: Bench {
            depth: 20,
            positions: &[
                "start",
                "44",
                "4332",
                "445671",
                "35444463",
                "1234567",
                "2252576253462244111563365343671351441",
                "214657261653",
                "217454",
                "273163456",
                "31762453",
                "335247262",
                "45314164153",
                "61342746261",
                "627167176",
                "6533524",
                "6667752514",
                "7656654",
                "772125",
            ],
        },
        place: 40,
        level_nodes: [2_000, 2_500, 3_000, 4_000, 6_000, 10_000, 600, 4_000, 30_000],
        level_elo: [700, 770, 820, 950, 1020, 1090, 1310, 1420, 1550, 1650],
        books: &[include_bytes!("../books/connect4.book")],
        guide: GUIDE,
        ..About::new(
            "connect4",
            "Connect Four",
            "Discs fall into seven columns; four in a row win, and with best play the first player does.",
        )
    };

    fn refusals() -> &'static [&'static Code] {
        CODES
    }

    fn open(setup: &Setup) -> Result<(Self, Threats), Refusal> {
        setup.expect_plain(&Self::ABOUT)?;
        Ok((Connect4::start(), Threats))
    }

    /// A line of [Pascal Pons' test sets]: the columns played so far and a score. The score is 0 for a draw, else 22
    /// minus the discs of the winner at the end, positive when the side to move wins.
    ///
    /// [Pascal Pons' test sets]: http://blog.gamesolver.org/solving-connect-four/02-test-protocol/
    fn problem(line: &str) -> Result<Problem, Refusal> {
        let Some((columns, score)) = line.split_once(' ').filter(|_| !line.contains(['/', ';'])) else {
            return Problem::parse(line);
        };
        let value = score.trim().parse().ok().and_then(|score| pons_score(columns.len() as i32, score));
        let Some(value) = value else {
            return Err(column_score(line));
        };
        Ok(Problem { position: Some(columns.to_owned()), value: Some(value), ..Problem::default() })
    }
}

/// The value of a position with this many discs, from its score in a test set; `None` if no game can end like that.
fn pons_score(played: i32, score: i32) -> Option<FirstScore> {
    let side = if played % 2 == 0 { Side::First } else { Side::Second };
    let half = i32::from(CELLS) / 2;
    if score == 0 {
        return Some(Score::ZERO.for_first(side));
    }
    let side_to_move_wins = score > 0;
    let first_wins = (side == Side::First) == side_to_move_wins;
    let winners_discs = half + 1 - score.abs();
    // The first player's n-th disc is the last of 2n - 1, the second's the last of 2n.
    let plies = 2 * winners_discs - i32::from(first_wins) - played;
    if score.abs() > half || plies <= 0 {
        return None;
    }
    let result = if side_to_move_wins { Score::win_in(plies) } else { Score::loss_in(plies) };
    Some(result.for_first(side))
}

#[cfg(test)]
mod tests;
