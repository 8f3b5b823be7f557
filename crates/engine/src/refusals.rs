//! What the engine refuses, and all codes of the engine, the games and the core.

use crate::registry::GAMES;
use polyply_core::refusal::{Code, common};

polyply_core::refusals! {
    /// The size of a board that is no number.
    size_number(variant) = "`{variant}` takes the size of the board as a number, as in `{variant}:15`";
    /// A rule without its value.
    rule_form(text) = "a rule is written key=value, not `{text}`";
    /// An order of moves that can't be learned.
    no_order(variant) = "`{variant}` orders its moves without weights";
    /// Predictions that can't be measured.
    no_predictions(variant) = "`{variant}` does not predict searches";
    /// A piece that the game does not have.
    unknown_piece(code, known) = "there is no piece `{code}`, only {known}";
    /// A set-up board of too many or too few cells.
    board_cells(cells, count) = "the board has {cells} cells, not {count}";
}

/// All codes of the core, of the games and of the engine. Games that share a file share their codes.
pub fn codes() -> impl Iterator<Item = &'static Code> {
    let mut codes: Vec<&'static Code> = common::CODES.iter().chain(CODES).copied().collect();
    for code in GAMES.iter().flat_map(|game| game.refusals()) {
        if !codes.contains(code) {
            codes.push(code);
        }
    }
    codes.into_iter()
}
