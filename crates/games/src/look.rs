//! What a variant and its positions look like, as plain data for drawing them.
//!
//! Cells are numbered row by row from the top left, beginning with 0.
//!
//! ```
//! use polyply_games::{Board, PositionSpec, Variant};
//!
//! let variant = Variant::find("tictactoe").unwrap();
//! assert_eq!(variant.layout().row_names(), ["3", "2", "1"]);
//! let view = Board::at(&variant, &PositionSpec::new(None, &["a3", "b2"])).unwrap().look();
//! assert_eq!((view.cells[0], view.cells[4]), (Some("x"), Some("o")));
//! assert_eq!(view.last, [4]);
//! ```

pub use polyply_core::look::{CAPTURED, Layout, MoveCells, Pieces, Surface, Unseen, WALL, Wishes};

/// A legal move and its cells.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LegalMove {
    /// The move, in the game's notation.
    pub text: String,
    /// The move in short form.
    pub short: String,
    /// The cells it is played on.
    pub cells: MoveCells,
}

/// Everything needed to draw a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PositionLook {
    /// The piece code of each cell: `x` and `o` for the first and the second player, or a code of the game's own
    /// pieces.
    pub cells: Vec<Option<&'static str>>,
    /// The legal moves; none if the game is over.
    pub legal: Vec<LegalMove>,
    /// The cells of the last move.
    pub last: Vec<usize>,
    /// The cells of the winning line.
    pub line: Vec<usize>,
    /// Empty cells where the side to move may not play.
    pub forbidden: Vec<usize>,
    /// The cells of pieces under direct attack that must be saved: a king in check.
    pub checked: Vec<usize>,
    /// Counters for the first and the second player.
    pub counters: Vec<(&'static str, [u32; 2])>,
    /// What the pieces do not show.
    pub unseen: Vec<Unseen>,
    /// Why the game is over, if it is.
    pub reason: Option<&'static str>,
}
