//! What the engine refuses, and all codes of the engine, the games and the core.

use crate::registry::GAMES;
use polyply_core::refusal::{Code, common};

polyply_core::refusals! {
    /// There is no variant of this name.
    unknown_variant(name, known) = "there is no game `{name}`; there are {known}";
    /// The position was not understood, or can't be.
    position_refused(text, reason) = "the position `{text}` is refused: {reason}";
    /// The move was not understood, or is not legal.
    move_refused(text, reason) = "the move `{text}` is refused: {reason}";
    /// There is nothing left to search.
    over(outcome) = "the game is over: {outcome}";
    /// A result, in sentences that name it.
    draw() = "it is a draw";
    /// A result, in sentences that name it.
    first_won() = "the first player has won";
    /// A result, in sentences that name it.
    second_won() = "the second player has won";
    /// A result, in sentences that name it.
    first_won_by(points) = "the first player has won by {points}";
    /// A result, in sentences that name it.
    second_won_by(points) = "the second player has won by {points}";

    /// There is no option of this name.
    unknown_option(name) = "there is no option `{name}`; the main ones are Threads, Hash, EvalCache and MultiPV";
    /// The option takes other values.
    option_value(name, min, max, value) =
        "the option `{name}` takes a whole number from {min} to {max}, not `{value}`";
    /// An option whose value is a text does not take this one.
    option_refused(name, reason) = "the option `{name}` is refused: {reason}";
    /// The board is one of another game than the engine plays.
    other_game(expected) = "the engine plays {expected}, and the board is of another game";
    /// A table that can't be had. The reason is English.
    table_refused(reason) = "{reason}";
    /// A table that can't be saved or loaded. The reason is English.
    snapshot_refused(reason) = "{reason}";

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
