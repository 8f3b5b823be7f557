//! The boards whose games SGF holds, with points as SGF writes them: two letters, column from the left and row from the top.

use crate::family::Variant;
use polyply_engine::Side;
use polyply_five::notation::{self, Setup, Written};
use polyply_protocol::ggf;

/// A board of stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
    /// Five in a row, with the size.
    Five(usize),
    /// Othello, always of eight.
    Othello,
}

/// What stands at the beginning: the cells row by row from the top, and the side to move.
pub struct Stones {
    pub cells: Vec<Option<Side>>,
    pub side: Side,
}

const OTHELLO: &str = "othello";
const PASS: &str = "pass";

impl Board {
    /// The board of a variant.
    pub fn of(variant: &str) -> Result<Board, String> {
        if variant == OTHELLO {
            return Ok(Board::Othello);
        }
        let five = Variant::parse(variant, &[]).map(|variant| Board::Five(variant.settings.size));
        five.map_err(|_| format!("an SGF file holds games of five in a row and of Othello, not of {variant}"))
    }

    /// The board of a file that may not say what is played on it.
    pub fn of_file(game: &str, size: &str, rules: Option<String>) -> Result<(Board, String), String> {
        // The rules of a file of others are theirs to name.
        let named = rules.filter(|rules| Board::of(rules).is_ok_and(|board| board.number() == game));
        let variant = match game {
            "2" => OTHELLO.into(),
            "4" => named.unwrap_or_else(|| format!("freestyle:{size}")),
            _ => return Err("it is neither one of Othello (GM 2) nor of five in a row (GM 4)".into()),
        };
        Ok((Board::of(&variant)?, variant))
    }

    /// The number of the game, the value of `GM`.
    pub fn number(self) -> &'static str {
        match self {
            Board::Five(_) => "4",
            Board::Othello => "2",
        }
    }

    /// Rows and columns.
    pub fn size(self) -> usize {
        match self {
            Board::Five(size) => size,
            Board::Othello => 8,
        }
    }

    /// The point of a cell of [`Stones`].
    pub fn letters(self, cell: usize) -> String {
        [cell % self.size(), cell / self.size()].map(|at| char::from(b'a' + at as u8)).iter().collect()
    }

    /// The cell of a point.
    pub fn cell(self, point: &str) -> Result<usize, String> {
        let size = self.size();
        let letters: Vec<usize> = point.bytes().map(|byte| usize::from(byte.wrapping_sub(b'a'))).collect();
        match letters[..] {
            [x, y] if x < size && y < size => Ok(y * size + x),
            _ => Err(format!("`{}` is no point of a board of {size}", point.escape_debug())),
        }
    }

    /// The point of a move; nothing where it is a pass.
    pub fn point(self, mv: &str) -> Result<String, String> {
        if self == Board::Othello && mv == PASS {
            return Ok(String::new());
        }
        let (x, y) = notation::parse_move(mv, self.size())?;
        Ok(self.letters(self.flipped(y * self.size() + x)))
    }

    /// The move of a point.
    pub fn mv(self, point: &str) -> Result<String, String> {
        if self == Board::Othello && ["", "tt"].contains(&point) {
            return Ok(PASS.into());
        }
        let cell = self.flipped(self.cell(point)?);
        Ok(notation::move_text((cell % self.size(), cell / self.size())))
    }

    /// A cell counted by rows from where the game has its first: Othello at the top as SGF has it, the others at the bottom.
    fn flipped(self, cell: usize) -> usize {
        match self {
            Board::Othello => cell,
            Board::Five(size) => (size - 1 - cell / size) * size + cell % size,
        }
    }

    /// What stands in a position.
    pub fn stones(self, position: &str) -> Result<Stones, String> {
        let Board::Five(size) = self else {
            let (cells, side) = ggf::board(position)?;
            let owner = |cell| match cell {
                '*' => Some(Side::First),
                'O' => Some(Side::Second),
                _ => None,
            };
            return Ok(Stones { cells: cells.chars().map(owner).collect(), side });
        };
        let setup = match Written::parse(position, size)? {
            Written::Board(setup) => setup,
            Written::Moves(moves) => moves.into_iter().fold(Setup::empty(size), |mut setup, (x, y)| {
                setup.cells[y * size + x] = Some(setup.side);
                setup.side = setup.side.other();
                setup
            }),
        };
        Ok(Stones { cells: self.turned(&setup.cells), side: setup.side })
    }

    /// All cells, from the rows of the game to those of SGF or back.
    fn turned(self, cells: &[Option<Side>]) -> Vec<Option<Side>> {
        (0..cells.len()).map(|cell| cells[self.flipped(cell)]).collect()
    }

    /// The position as its game writes it; none where every game begins with it.
    pub fn position(self, stones: &Stones) -> Option<String> {
        match self {
            Board::Five(size) => {
                Some(Setup { cells: self.turned(&stones.cells), side: stones.side, ..Setup::empty(size) }.text())
            }
            Board::Othello => {
                let letter = |side| if side == Side::First { 'X' } else { 'O' };
                let cells: String = stones.cells.iter().map(|cell| cell.map_or('-', letter)).collect();
                Some(format!("{cells} {}", letter(stones.side))).filter(|text| text != ggf::START)
            }
        }
    }
}
