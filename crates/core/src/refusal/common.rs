//! Refusals that games share, so that each is worded and translated once.

crate::refusals! {
    /// A move after the end of the game.
    game_over() = "the game is over";
    /// A move to a cell that is not empty.
    cell_taken(cell) = "the cell `{cell}` is taken";
    /// A move that names no cell of the board.
    not_a_cell(first, last, text) = "a move is a cell from `{first}` to `{last}`, not `{text}`";
    /// A move that the rules do not allow, for no reason that has a code of its own.
    illegal_move(text) = "`{text}` is not a legal move here";
    /// A move in a list is refused; its number counts from 1.
    move_in_list(number, reason) = "move {number}: {reason}";

    /// A position without the side to move.
    side_missing(first, second) = "the side to move is missing; it is `{first}` or `{second}`";
    /// The side to move is neither of the two.
    side_unknown(first, second, text) = "the side to move is `{first}` or `{second}`, not `{text}`";
    /// A board of too many or too few rows.
    row_count(rows, count) = "a board has {rows} rows separated by `/`, not {count}";
    /// A row with too many cells.
    row_long(row, size) = "the row `{row}` has more than {size} cells";
    /// A row with too few cells.
    row_short(row, count, size) = "the row `{row}` has {count} cells instead of {size}";
    /// A row with an unknown sign.
    row_sign(sign) = "a row is made of `x`, `o` and numbers, not `{sign}`";
    /// Numbers of stones that are impossible when players take turns.
    stone_counts(first, second) = "`x` has as many as `o` or one more, not {first} to {second}";
    /// The stones say that it is the other side's turn.
    wrong_turn(first, second, side) = "with {first} `x` and {second} `o` it is {side}'s turn";

    /// A size for a game with only one.
    one_size(variant) = "`{variant}` has a board of one size, so it takes none";
    /// A board that is too small or too large.
    size_range(min, max, size) = "the board size is {min} to {max}, not {size}";
    /// A rule for a game without choices of rules.
    no_rules(variant) = "`{variant}` has no rules to choose from";
    /// A rule that the game does not have.
    unknown_rule(variant, rule, known) = "{variant} has no rule `{rule}`, only: {known}";
    /// A value that the rule does not have.
    rule_value(rule, known, value) = "the rule `{rule}` is one of {known}, not `{value}`";
    /// Weights for an evaluation that has none.
    no_weights(variant) = "`{variant}` has an evaluation without weights";
    /// A weights file with an error. The reason is in English.
    weights_refused(reason) = "the weights are refused: {reason}";

    /// An unknown operation after a position to solve.
    unknown_operation(code) = "after the position come bm, am and id, not `{code}`";

    /// A stone when it is time to choose.
    time_to_choose(choices) = "it is time to choose ({choices}), not to place a stone";
    /// A stone of the opening after the opening.
    opening_placed() = "the opening is over: stones are placed by the players' turns";
    /// A choice that is not offered.
    not_a_choice(choices, choice) = "the choice is one of {choices}, not {choice}";
    /// A choice before all stones of the opening are placed.
    stones_first(left) = "stones are to be placed ({left} more) before there is a choice";
    /// A choice after the opening.
    opening_chosen() = "the opening is over: there is nothing left to choose";
}
