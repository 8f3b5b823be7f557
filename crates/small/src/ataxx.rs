//! Ataxx on the usual board of seven by seven: pieces multiply or jump, and take over what they land beside.
//!
//! A move puts a new piece beside one of one's own (`g2`), or moves a piece by two cells in any direction (`a1c3`).
//! Either way all enemy pieces beside the target change sides. A side without a move passes (`0000`). The game ends
//! when a side has no pieces left, when nobody can move, or as a draw after 100 plies without a new piece; more pieces
//! win. Positions are written as the [Universal Ataxx Interface] has them, `x5o/7/7/7/7/7/o5x x 0 1`, with `-` for a
//! wall.
//!
//! `docs/add-your-game.md` walks through this file.
//!
//! [Universal Ataxx Interface]: https://github.com/kz04px/uai-protocol

use crate::mix;
use polyply_core::family::{About, Alias, Bench, Family, Setup};
use polyply_core::game::{Class, Game, MoveList, MoveSink, Notation, Observer, Outcome, SearchGame, Side};
use polyply_core::glance::{self, Glance};
use polyply_core::guide::{Guide, Lesson, RulePart, Scene};
use polyply_core::learn::Learning;
use polyply_core::linear::{self, LinearEval, LinearGame, Table};
use polyply_core::look::{self, Layout, Look, MoveCells, Pieces, Surface, WALL, Wishes};
use polyply_core::params::{NoParams, SearchParams};
use polyply_core::refusal::{Code, Refusal, common};

const SIZE: usize = 7;
const CELLS: usize = SIZE * SIZE;
/// All cells; the cell of a column and a row from the bottom is bit `7 * row + column`.
const BOARD: u64 = (1 << CELLS) - 1;
const LEFT: u64 = 0x0000_0408_1020_4081;
const RIGHT: u64 = LEFT << (SIZE - 1);
/// The game is a draw after this many plies without a new piece.
const LONGEST_QUIET: u8 = 100;
const START: &str = "x5o/7/7/7/7/7/o5x x 0 1";

polyply_core::refusals! {
    /// A position with too few fields, or with an unknown side to move.
    ataxx_position(example) = "a position is as in `{example}`";
    /// Too many plies without a new piece, or not a number.
    quiet_plies(text) = "the plies without a new piece are 0 to 100, not `{text}`";
    /// A move number that is not a number.
    ataxx_move_number(text) = "the number of the move is from 1 on, not `{text}`";
    /// A row with an unknown sign.
    wall_row_sign(sign) = "a row is made of `x`, `o`, `-` and digits, not `{sign}`";
    /// A text that is not a move.
    not_a_step(text) = "a move is a cell as in `g2`, two as in `a1c3`, or `0000`, not `{text}`";
    /// A pass although there are moves.
    pass_needless() = "a side passes only where it has no move";
    /// A cell that no piece can reach.
    out_of_reach(text) = "no piece of the side to move can go to `{text}`";
}

/// The cells and all their neighbours.
const fn grown(cells: u64) -> u64 {
    let wide = cells | (cells & !LEFT) >> 1 | (cells & !RIGHT) << 1;
    (wide | wide >> SIZE | wide << SIZE) & BOARD
}

/// The single cells of a set.
fn each(mut cells: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = cells.trailing_zeros() as usize;
        cells &= cells.wrapping_sub(1);
        (cell < 64).then_some(cell)
    })
}

/// The cells two steps away from each cell.
static JUMPS: [u64; CELLS] = {
    let mut jumps = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let near = grown(1 << cell);
        jumps[cell] = grown(near) & !near;
        cell += 1;
    }
    jumps
};

/// The cells of the edge, then those one step from it, and so on to the middle.
const RINGS: [u64; 4] = {
    let edge = LEFT | RIGHT | 0x7f | 0x7f << (CELLS - SIZE);
    let second = grown(edge) & !edge;
    let third = grown(second) & !(edge | second);
    [edge, second, third, BOARD & !(edge | second | third)]
};

/// A move: the cells it starts and ends on. Both are the same for a new piece, and beyond the board for a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Move {
    const PASS: Move = Move { from: CELLS as u8, to: CELLS as u8 };

    const fn new_piece(to: usize) -> Move {
        Move { from: to as u8, to: to as u8 }
    }

    const fn jump(from: usize, to: usize) -> Move {
        Move { from: from as u8, to: to as u8 }
    }

    const fn is_jump(self) -> bool {
        self.from != self.to
    }
}

impl From<Move> for u16 {
    fn from(mv: Move) -> u16 {
        u16::from(mv.from) << 8 | u16::from(mv.to)
    }
}

/// A position of Ataxx.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ataxx {
    /// The pieces of either side.
    pieces: [u64; 2],
    walls: u64,
    side: Side,
    /// Plies since the last new piece.
    quiet: u8,
    /// The number of the move, from 1.
    number: u16,
}

impl Ataxx {
    fn own(&self) -> u64 {
        self.pieces[self.side.index()]
    }

    fn other(&self) -> u64 {
        self.pieces[self.side.other().index()]
    }

    fn empty(&self) -> u64 {
        BOARD & !(self.pieces[0] | self.pieces[1] | self.walls)
    }

    /// Whether these pieces can reach an empty cell.
    fn can_move(&self, pieces: u64) -> bool {
        grown(grown(pieces)) & self.empty() != 0
    }

    /// The result by the pieces alone, whatever the number of quiet plies.
    fn decided(&self) -> Option<Outcome> {
        let [first, second] = self.pieces.map(u64::count_ones);
        let over = first == 0 || second == 0 || !self.can_move(self.pieces[0] | self.pieces[1]);
        over.then(|| match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    /// The code of each cell from the top left.
    fn top_down(&self) -> impl Iterator<Item = Option<&'static str>> {
        let code = |cell: usize| {
            let is_in = |cells: u64| cells >> cell & 1 != 0;
            let owner = [Side::First, Side::Second].into_iter().find(|side| is_in(self.pieces[side.index()]));
            owner.map(look::piece).or(is_in(self.walls).then_some(WALL))
        };
        (0..SIZE).rev().flat_map(move |row| (0..SIZE).map(move |column| code(SIZE * row + column)))
    }

    fn layout() -> Layout {
        Layout {
            surface: Surface::Squares,
            pieces: Pieces::Discs,
            colours: ["black", "white"],
            columns: SIZE,
            rows: SIZE,
            checkered: false,
            first_row_on_top: false,
            walls: true,
            facing: false,
        }
    }
}

impl Game for Ataxx {
    type Move = Move;
    type Change = ();
    type Undo = Ataxx;

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        // The move number does not matter, but the quiet plies do.
        let state = u64::from(self.quiet) << 1 | self.side.index() as u64;
        mix(mix(mix(self.pieces[0]) ^ self.pieces[1]) ^ self.walls ^ state << CELLS)
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    fn moves(&self, out: &mut MoveList<Move>) {
        if self.outcome().is_some() {
            return;
        }
        let (own, empty) = (self.own(), self.empty());
        out.extend(each(grown(own) & empty).map(Move::new_piece));
        for from in each(own) {
            out.extend(each(JUMPS[from] & empty).map(|to| Move::jump(from, to)));
        }
        if out.is_empty() {
            out.push(Move::PASS);
        }
    }

    fn decode(&self, bits: u16) -> Option<Move> {
        let [from, to] = bits.to_be_bytes();
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        moves.into_iter().find(|&mv| mv == Move { from, to })
    }

    fn play<O: Observer<()>>(&mut self, mv: Move, _: &mut O) -> Ataxx {
        let before = *self;
        let (own, other) = (self.side.index(), self.side.other().index());
        self.quiet = (self.quiet + 1).min(LONGEST_QUIET);
        if mv != Move::PASS {
            let near = grown(1 << mv.to);
            let taken = near & self.pieces[other];
            self.pieces[own] |= 1 << mv.to | taken;
            self.pieces[other] ^= taken;
            if mv.is_jump() {
                self.pieces[own] ^= 1 << mv.from;
            } else {
                self.quiet = 0;
            }
        }
        self.number += u16::from(self.side == Side::Second && self.number < u16::MAX);
        self.side = self.side.other();
        before
    }

    fn undo<O: Observer<()>>(&mut self, _: Move, before: Ataxx, _: &mut O) {
        *self = before;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.decided().or((self.quiet >= LONGEST_QUIET).then_some(Outcome::Draw))
    }

    /// The bits of a symmetry: 1 mirrors the columns, 2 the rows, and then 4 swaps columns and rows.
    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, symmetry: usize) -> Ataxx {
        let image = |cells: u64| each(cells).fold(0, |image, cell| image | 1 << turned(cell, symmetry));
        Ataxx { pieces: self.pieces.map(image), walls: image(self.walls), ..*self }
    }

    fn transform_move(&self, mv: Move, symmetry: usize) -> Move {
        if mv == Move::PASS {
            return mv;
        }
        let [from, to] = [mv.from, mv.to].map(|cell| turned(usize::from(cell), symmetry) as u8);
        Move { from, to }
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

/// A cell under a symmetry.
fn turned(cell: usize, symmetry: usize) -> usize {
    let flip = |at: usize, mirrored: bool| if mirrored { SIZE - 1 - at } else { at };
    let (column, row) = (flip(cell % SIZE, symmetry & 1 != 0), flip(cell / SIZE, symmetry & 2 != 0));
    if symmetry & 4 == 0 { SIZE * row + column } else { SIZE * column + row }
}

impl LinearGame for Ataxx {
    /// A piece by its distance from the edge, an empty neighbour of the pieces, and the right to move.
    const TABLES: &'static [Table] =
        &[Table::new("piece", &[105, 100, 95, 95]), Table::new("room", &[12]), Table::new("turn", &[150])];

    fn count(&self, tally: &mut impl FnMut(usize, i32)) {
        for (pieces, sign) in [(self.own(), 1), (self.other(), -1)] {
            for (ring, cells) in RINGS.into_iter().enumerate() {
                tally(ring, sign * (pieces & cells).count_ones() as i32);
            }
            tally(RINGS.len(), sign * (grown(pieces) & self.empty()).count_ones() as i32);
        }
        tally(RINGS.len() + 1, 1);
    }
}

impl SearchGame for Ataxx {
    type Eval = LinearEval<Ataxx>;
    type Params = NoParams;

    /// One slot for each target of new pieces, one for each target of jumps, and one for the pass.
    const HISTORY: usize = 2 * CELLS + 1;
    const TACTICAL: bool = false;

    fn history_slot(&self, mv: Move) -> usize {
        match mv {
            Move::PASS => 2 * CELLS,
            Move { to, .. } => usize::from(to) + if mv.is_jump() { CELLS } else { 0 },
        }
    }

    fn class(&self, mv: Move) -> Class {
        if mv == Move::PASS { Class::Forced } else { Class::Quiet }
    }

    fn order(&self, class: Class, _: &NoParams, out: &mut MoveSink<'_, Move>) {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        for mv in moves.into_iter().filter(|&mv| self.class(mv) == class) {
            let gained = (grown(1 << mv.to) & self.other()).count_ones() as i32;
            // The cell that a jump leaves weakens its neighbours.
            let left = if mv.is_jump() { (grown(1 << mv.from) & self.own()).count_ones() as i32 } else { -4 };
            out.push(mv, 1000 * gained - 400 * left);
        }
    }

    fn tune(params: &mut SearchParams) {
        // A move that takes a handful of pieces changes the evaluation by a thousand.
        params.null_move = 0;
        params.razoring_margin = 900;
        params.reverse_futility_margin = 400;
        params.futility_base = 500;
        params.futility_margin = 400;
        params.aspiration_window = 120;
    }
}

impl Notation for Ataxx {
    fn start() -> Self {
        Ataxx { pieces: [1 << 42 | 1 << 6, 1 << 48 | 1], walls: 0, side: Side::First, quiet: 0, number: 1 }
    }

    fn parse(&self, text: &str) -> Result<Self, Refusal> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (board, side) = match fields[..] {
            [board, "x", ..] => (board, Side::First),
            [board, "o", ..] => (board, Side::Second),
            _ => return Err(ataxx_position(START)),
        };
        let mut game = Ataxx { pieces: [0; 2], walls: 0, side, quiet: 0, number: 1 };
        if let Some(quiet) = fields.get(2) {
            let read = quiet.parse().ok().filter(|&quiet| quiet <= LONGEST_QUIET);
            game.quiet = read.ok_or_else(|| quiet_plies(*quiet))?;
        }
        if let Some(number) = fields.get(3) {
            let read = number.parse().ok().filter(|&number| number > 0);
            game.number = read.ok_or_else(|| ataxx_move_number(*number))?;
        }
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != SIZE {
            return Err(common::row_count(SIZE, rows.len()));
        }
        for (row, text) in (0..SIZE).rev().zip(rows) {
            let mut column = 0;
            for sign in text.chars() {
                let bit = 1 << (SIZE * row + column).min(CELLS);
                match sign {
                    'x' => game.pieces[0] |= bit,
                    'o' => game.pieces[1] |= bit,
                    '-' => game.walls |= bit,
                    '1'..='7' => column += sign as usize - '1' as usize,
                    other => return Err(wall_row_sign(other)),
                }
                column += 1;
                if column > SIZE {
                    return Err(common::row_long(text, SIZE));
                }
            }
            if column < SIZE {
                return Err(common::row_short(text, column, SIZE));
            }
        }
        Ok(game)
    }

    fn text(&self) -> String {
        let codes: Vec<_> = self.top_down().collect();
        let rows = look::rows(&codes, SIZE, |code| if code == WALL { "-".into() } else { code.to_owned() });
        format!("{rows} {} {} {}", look::piece(self.side), self.quiet, self.number)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Refusal> {
        let layout = Ataxx::layout();
        let cell = |name: &str| layout.find_cell(name).map(|cell| (SIZE - 1 - cell / SIZE) * SIZE + cell % SIZE);
        let mv = match text.len() {
            2 => cell(text).map(Move::new_piece),
            4 if text == "0000" => Some(Move::PASS),
            4 if text.is_ascii() => cell(&text[..2]).zip(cell(&text[2..])).map(|(from, to)| {
                // Some programs write a new piece with the piece it comes from.
                if grown(1 << from) >> to & 1 != 0 { Move::new_piece(to) } else { Move::jump(from, to) }
            }),
            _ => None,
        };
        let mv = mv.ok_or_else(|| not_a_step(text))?;
        self.decode(mv.into()).ok_or_else(|| match self.outcome() {
            Some(_) => common::game_over(),
            None if mv == Move::PASS => pass_needless(),
            None => out_of_reach(text),
        })
    }

    fn move_text(&self, mv: Move) -> String {
        let layout = Ataxx::layout();
        let name = |cell: u8| layout.cell_name(layout.cell(usize::from(cell) % SIZE, usize::from(cell) / SIZE));
        match mv {
            Move::PASS => "0000".into(),
            Move { from, to } if mv.is_jump() => name(from) + &name(to),
            Move { to, .. } => name(to),
        }
    }

    fn board(&self) -> String {
        let codes: Vec<_> = self.top_down().collect();
        let mut drawn = String::new();
        for (number, row) in (1..=SIZE).rev().zip(codes.chunks(SIZE)) {
            let cells: Vec<&str> = row.iter().map(|code| code.unwrap_or(".")).collect();
            drawn += &format!("{number} {}\n", cells.join(" "));
        }
        drawn += "  a b c d e f g\n";
        if self.outcome().is_some() { drawn } else { drawn + &format!("{} to move\n", look::piece(self.side)) }
    }
}

impl Look for Ataxx {
    /// Two more pieces, with the other side to move, win about three games of four.
    const CHANCE: f64 = 300.0;

    fn layout(&self) -> Layout {
        Ataxx::layout()
    }

    fn codes(&self) -> Vec<Option<&'static str>> {
        self.top_down().collect()
    }

    fn cells(&self, mv: Move) -> MoveCells {
        if mv == Move::PASS {
            return MoveCells::default();
        }
        let [from, to] = [mv.from, mv.to].map(usize::from).map(|cell| (SIZE - 1 - cell / SIZE) * SIZE + cell % SIZE);
        MoveCells { from: mv.is_jump().then_some(from), ..MoveCells::to(to) }
    }

    fn counters(&self) -> Vec<(&'static str, [u32; 2])> {
        vec![("discs", self.pieces.map(u64::count_ones))]
    }

    fn reason(&self) -> &'static str {
        if self.decided().is_some() { "discs" } else { "fifty moves" }
    }

    fn arranged(&self, codes: &[Option<&str>], side: Side, _: &Wishes) -> String {
        let rows = look::rows(codes, SIZE, |code| if code == WALL { "-".into() } else { code.to_owned() });
        format!("{rows} {} 0 1", look::piece(side))
    }

    fn other_to_move(&self) -> Option<Self> {
        let other = Ataxx { side: self.side.other(), ..*self };
        other.can_move(other.own()).then_some(other)
    }
}

const GUIDE: Guide = Guide {
    rules: &[
        RulePart {
            text: "Each side begins with two pieces in opposite corners. You win by having more pieces at the end.",
            scene: Scene::at(START),
        },
        RulePart {
            text: "Put a new piece on an empty cell beside one of yours: your piece doubles. Tap the cell.",
            scene: Scene::at("xx4o/7/7/7/7/7/o5x o 0 1"),
        },
        RulePart {
            text: "Or jump over one cell in any direction: tap your piece, then a cell two steps away. The piece leaves its place.",
            scene: Scene::at("6o/7/x1x4/7/7/7/o5x o 0 2"),
        },
        RulePart {
            text: "Either way, all enemy pieces beside the new place become yours. Who can't move passes.",
            scene: Scene::at("7/7/2ooo2/2o1o2/2oxo2/7/7 o 0 9"),
        },
    ],
    lessons: &[
        Lesson {
            task: "Grow: put a new piece beside your own in the corner.",
            scene: Scene::at("x5o/7/7/7/7/7/o6 x 0 1"),
            accepted: &["a6", "b6", "b7"],
            praise: "Now you have one piece more.",
        },
        Lesson {
            task: "Take over: land where three enemy pieces are beside you.",
            scene: Scene::at("7/7/3o3/1x1o3/3o3/7/7 x 0 1"),
            accepted: &["c4"],
            praise: "All three changed sides.",
        },
        Lesson {
            task: "No piece is near enough to grow. Jump between the enemy pieces.",
            scene: Scene::at("7/7/2o1o2/7/3x3/7/7 x 0 1"),
            accepted: &["d3d5"],
            praise: "A jump reaches farther, but leaves a hole behind.",
        },
    ],
};

impl Family for Ataxx {
    const ABOUT: About = About {
        moves: "the cell of a new piece, as in `g2`, the cells of a jump, as in `a1c3`, or `0000` for a pass",
        positions: "rows from the top with `-` for a wall, the side to move, plies without a new piece, and the number of the move",
        pass: Some("0000"),
        bench: Bench {
            depth: 8,
            positions: &[
                START,
                "x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1",
                "x4oo/4xx1/2xxo2/2xoo2/1xx4/o6/oo3xx o 0 9",
                "xxx1ooo/xxxoooo/xx1oo2/x1xoo1x/2xx1xx/1oo2xx/ooo1xxx x 3 21",
                "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1",
            ],
        },
        aliases: &[Alias::new("uai", "")],
        place: 50,
        level_nodes: [2_000, 2_500, 3_000, 1_500, 4_000, 10_000, 800, 2_500, 8_000],
        level_elo: [700, 810, 1030, 1180, 1330, 1520, 1700, 1870, 2040, 2200],
        books: &[include_bytes!("../books/ataxx.book")],
        guide: GUIDE,
        ..About::new("ataxx", "Ataxx", "Pieces multiply or jump, and take over what they land beside; more pieces win.")
    };

    fn refusals() -> &'static [&'static Code] {
        CODES
    }

    fn open(setup: &Setup) -> Result<(Self, LinearEval<Self>), Refusal> {
        Setup { weights: None, ..setup.clone() }.expect_plain(&Self::ABOUT)?;
        Ok((Ataxx::start(), LinearEval::open(&Self::ABOUT, setup)?))
    }

    fn learning() -> Option<Learning<Self>> {
        Some(linear::learning())
    }

    /// Whoever plays for pieces attacks.
    fn glance(&self) -> Vec<Glance<Move>> {
        let mut seen = glance::by_order(self);
        for glance in &mut seen {
            let gained =
                if glance.mv == Move::PASS { 0 } else { (grown(1 << glance.mv.to) & self.other()).count_ones() };
            glance.aggression = (30 * gained as i32 - 50).min(100) as i8;
            if gained >= 3 {
                *glance = glance.with_motif("takeover", 20);
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::conformance::{self, Run};
    use polyply_core::perft::perft;

    const WALLS: &str = "x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1";
    const BLOCKED: &str = "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1";

    fn at(text: &str) -> Ataxx {
        Ataxx::start().parse(text).unwrap()
    }

    fn run() -> Run<'static> {
        let positions = &[START, WALLS, BLOCKED, "x5o/7/7/7/7/7/o5x o 97 60"];
        Run { positions, games: 20, plies: 80, ..Run::default() }
    }

    #[test]
    fn conforms() {
        conformance::check::<Ataxx>(&run());
    }

    #[test]
    fn search_slots_conform() {
        let eval = LinearEval::open(&Ataxx::ABOUT, &Setup::default()).unwrap();
        conformance::check_search::<Ataxx>(&eval, &run());
    }

    #[test]
    fn perft_counts_are_the_known_ones() {
        for (position, known) in [
            (START, &[16, 256, 6460, 155_888, 4_752_668]),
            (WALLS, &[14, 196, 4184, 86_528, 2_266_352]),
            (BLOCKED, &[1, 75, 249, 14_270, 452_980]),
        ] {
            for (depth, &lines) in (1..).zip(known) {
                assert_eq!(perft(&mut at(position), depth), lines, "{position} depth {depth}");
            }
        }
    }

    #[test]
    fn a_new_piece_takes_over_what_is_beside_it_and_a_jump_leaves_its_cell() {
        let mut game = at("7/7/3o3/7/2x4/7/7 x 5 1");
        let jump = game.parse_move("c3c5").unwrap();
        game.play(jump, &mut ());
        assert_eq!(game.text(), "7/7/2xx3/7/7/7/7 o 6 1");
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
        let mut game = at("7/7/3o3/2x4/7/7/6o x 5 1");
        let new = game.parse_move("c4c5").unwrap();
        assert_eq!(game.move_text(new), "c5");
        game.play(new, &mut ());
        assert_eq!(game.text(), "7/7/2xx3/2x4/7/7/6o o 0 1");
    }

    #[test]
    fn a_side_passes_only_where_it_has_no_move() {
        assert!(at(START).parse_move("0000").unwrap_err().to_string().contains("only"));
        let game = at(BLOCKED);
        let pass = game.parse_move("0000").unwrap();
        assert_eq!(game.move_text(pass), "0000");
        assert_eq!(game.cells(pass), MoveCells::default());
    }

    #[test]
    fn a_hundred_plies_without_a_new_piece_are_a_draw() {
        let mut game = at("x5o/7/7/7/7/7/o5x x 99 80");
        let new = game.parse_move("b7").unwrap();
        let before = game.play(new, &mut ());
        assert_eq!(game.outcome(), None);
        game.undo(new, before, &mut ());
        let jump = game.parse_move("a7c7").unwrap();
        game.play(jump, &mut ());
        assert_eq!((game.outcome(), game.reason()), (Some(Outcome::Draw), "fifty moves"));
    }

    #[test]
    fn every_mistake_has_its_sentence() {
        let error = |text: &str| Ataxx::start().parse(text).unwrap_err().to_string();
        assert!(error("7/7 x").contains("7 rows"));
        assert!(error("7/7/7/7/7/7/7 w").contains("as in"));
        assert!(error("8/7/7/7/7/7/7 x").contains("not `8`"));
        assert!(error("7x/7/7/7/7/7/7 x").contains("more than 7"));
        assert!(error("6/7/7/7/7/7/7 x").contains("6 cells"));
        assert!(error("7/7/7/7/7/7/7 x 101").contains("0 to 100"));
        let refused = |mv: &str| at(START).parse_move(mv).unwrap_err().to_string();
        assert!(
            refused("h1").contains("not `h1`")
                && refused("d4").contains("no piece")
                && refused("a7d4").contains("no piece")
        );
    }
}
