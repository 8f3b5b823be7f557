//! What a variant and its positions look like, as plain data for whoever draws them.
//!
//! Cells are numbered row by row from the top left, beginning with 0.
//!
//! ```
//! use polyply_engine::{Board, Place, Variant};
//!
//! let variant = Variant::find("tictactoe").unwrap();
//! assert_eq!(variant.layout().row_names(), ["3", "2", "1"]);
//! let sight = Board::at(&variant, &Place::new(None, &["a3", "b2"])).unwrap().look();
//! assert_eq!((sight.cells[0], sight.cells[4]), (Some("x"), Some("o")));
//! assert_eq!(sight.last, [4]);
//! ```

pub use polyply_core::look::{CAPTURED, Layout, MoveCells, Pieces, Surface, Unseen, WALL, Wishes};

/// A legal move and its cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalMove {
    /// The move, as the game writes it.
    pub text: String,
    /// The same as people write it down.
    pub short: String,
    /// Where it is played.
    pub cells: MoveCells,
}

/// What there is to see of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    /// The code of what is on each cell: `x` and `o` for the first and the second player, `wK` to `bP` in chess.
    pub cells: Vec<Option<&'static str>>,
    /// What the side to move may play; nothing when the game is over.
    pub legal: Vec<LegalMove>,
    /// The cells of the last move.
    pub last: Vec<usize>,
    /// The cells of what has won.
    pub line: Vec<usize>,
    /// Empty cells where the side to move may not play.
    pub forbidden: Vec<usize>,
    /// Cells of what has to be saved at once: a king in check.
    pub checked: Vec<usize>,
    /// What is counted for the first and the second player.
    pub counters: Vec<(&'static str, [u32; 2])>,
    /// What the pieces do not show.
    pub unseen: Vec<Unseen>,
    /// Why the game is over, where it is.
    pub reason: Option<&'static str>,
}
