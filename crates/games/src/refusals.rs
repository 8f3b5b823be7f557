//! The refusals of variants, boards and options, and the codes of all refusals of the games and the core.

use crate::registry::GAMES;
use polyply_core::refusal::{Code, common};

polyply_core::refusals! {
    /// There is no variant of this name.
    unknown_variant(name, known) = "there is no game `{name}`; there are {known}";
    /// The position could not be parsed, or is illegal.
    position_refused(text, reason) = "the position `{text}` is refused: {reason}";
    /// The move could not be parsed, or is illegal.
    move_refused(text, reason) = "the move `{text}` is refused: {reason}";
    /// The game is over.
    over(outcome) = "the game is over: {outcome}";
    /// A result, as part of a sentence.
    draw() = "it is a draw";
    /// A result, as part of a sentence.
    first_won() = "the first player has won";
    /// A result, as part of a sentence.
    second_won() = "the second player has won";
    /// A result, as part of a sentence.
    first_won_by(points) = "the first player has won by {points}";
    /// A result, as part of a sentence.
    second_won_by(points) = "the second player has won by {points}";

    /// There is no option of this name.
    unknown_option(name) = "there is no option `{name}`; the main ones are Threads, Hash, EvalCache, MultiPV and OwnBook";
    /// The value of an option is out of range.
    option_value(name, min, max, value) =
        "the option `{name}` takes a whole number from {min} to {max}, not `{value}`";
    /// The game refused the text of an option.
    option_refused(name, reason) = "the option `{name}` is refused: {reason}";
    /// The board is of another game than the engine.
    other_game(expected) = "the engine plays {expected}, and the board is of another game";
    /// A table could not be allocated. The reason is in English.
    table_refused(reason) = "{reason}";
    /// A table could not be saved or loaded. The reason is in English.
    snapshot_refused(reason) = "{reason}";

    /// A board size that is not a number.
    size_number(variant) = "`{variant}` takes the size of the board as a number, as in `{variant}:15`";
    /// A rule without a value.
    rule_form(text) = "a rule is written key=value, not `{text}`";
    /// A game without a learned order of moves.
    no_order(variant) = "`{variant}` orders its moves without weights";
    /// A game without ProbCut predictions.
    no_predictions(variant) = "`{variant}` does not predict searches";
    /// A game without features for a net.
    no_net(variant) = "`{variant}` has no features for a net";
    /// A game without a net for moves.
    no_policy(variant) = "`{variant}` has no net for its moves";
    /// A piece that the game does not have.
    unknown_piece(code, known) = "there is no piece `{code}`, only {known}";
    /// A board with too many or too few cells.
    board_cells(cells, count) = "the board has {cells} cells, not {count}";
}

/// All codes of the core and of the games. Games of one crate may share codes.
pub fn codes() -> impl Iterator<Item = &'static Code> {
    let mut codes: Vec<&'static Code> = common::CODES.iter().chain(CODES).copied().collect();
    for code in GAMES.iter().flat_map(|game| game.refusals()) {
        if !codes.contains(code) {
            codes.push(code);
        }
    }
    codes.into_iter()
}
