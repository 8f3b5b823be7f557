//! Boards in SGF coordinates: two letters, column from the left and row from the top.

use super::names_of;
use crate::refusals;
use polyply_engine::look::{Layout, Wishes};
use polyply_engine::{Board, PositionSpec, Refusal, Side, Variant};

/// The board of a game that SGF can hold.
pub struct Stones {
    variant: Variant,
    layout: Layout,
    number: &'static str,
}

/// The name of the format in the aliases of games.
const SGF: &str = "sgf";

impl Stones {
    /// The board of a variant.
    pub fn of(variant: &str) -> Result<Stones, Refusal> {
        let known = Variant::find(variant).ok().and_then(|variant| Some((variant.alias(SGF)?.0.name, variant)));
        let (number, variant) = known.ok_or_else(|| refusals::file_variant("SGF", names_of(SGF), variant))?;
        Ok(Stones { layout: variant.layout(), variant, number })
    }

    /// The board of a file, by the number of the game, its size and its rules.
    pub fn of_file(game: &str, size: &str, rules: Option<String>) -> Result<Stones, Refusal> {
        // Other programs have their own names for rules; unknown ones are ignored.
        if let Some(named) = rules.and_then(|rules| Stones::of(&rules).ok()).filter(|named| named.number == game) {
            return Ok(named);
        }
        let size = size.parse().map_err(|_| refusals::sgf_size(size))?;
        let variant = Variant::by_alias(SGF, game, Some(size)).ok_or_else(|| refusals::sgf_game(game))??;
        Stones::of(variant.name())
    }

    /// The game.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The number of the game, the value of `GM`.
    pub fn number(&self) -> &'static str {
        self.number
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.layout.columns
    }

    /// The point of a cell; cells are numbered from the top left.
    pub fn letters(&self, cell: usize) -> String {
        [cell % self.size(), cell / self.size()].map(|at| char::from(b'a' + at as u8)).iter().collect()
    }

    /// The cell of a point.
    pub fn cell(&self, point: &str) -> Result<usize, Refusal> {
        let size = self.size();
        let letters: Vec<usize> = point.bytes().map(|byte| usize::from(byte.wrapping_sub(b'a'))).collect();
        match letters[..] {
            [x, y] if x < size && y < size => Ok(y * size + x),
            _ => Err(refusals::sgf_point(point, size)),
        }
    }

    /// The point of a move; empty for a pass.
    pub fn point(&self, mv: &str) -> Result<String, Refusal> {
        if self.pass() == Some(mv) {
            return Ok(String::new());
        }
        let cell = self.layout.find_cell(mv).ok_or_else(|| refusals::cell_unknown(mv))?;
        Ok(self.letters(cell))
    }

    /// The move of a point.
    pub fn mv(&self, point: &str) -> Result<String, Refusal> {
        match (self.cell(point), self.pass()) {
            (Ok(cell), _) => Ok(self.layout.cell_name(cell)),
            (Err(_), Some(pass)) if ["", "tt"].contains(&point) => Ok(pass.to_owned()),
            (Err(reason), _) => Err(reason),
        }
    }

    /// How the game writes a pass, if it has one.
    pub fn pass(&self) -> Option<&'static str> {
        self.variant.about().pass
    }

    /// The pieces of a position and the side to move.
    pub fn set_up(&self, position: &str) -> Result<(Vec<Option<&'static str>>, Side), Refusal> {
        let board = Board::at(&self.variant, &PositionSpec::new(Some(position), &[]))?;
        Ok((board.pieces(), board.side()))
    }

    /// The position with these pieces in the game's notation; `None` for the usual starting position.
    pub fn position(&self, pieces: &[Option<&str>], side: Side) -> Result<Option<String>, Refusal> {
        let text = self.variant.arranged(pieces, side, &Wishes::new())?;
        Ok(Some(text).filter(|text| *text != Board::new(&self.variant).text()))
    }
}
