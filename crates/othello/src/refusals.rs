//! The refusals of Othello.

polyply_core::refusals! {
    /// A position that is neither a board nor a list of moves.
    not_a_board() =
        "a position is 64 cells from a1 along the rows, `X` for Black, `O` for White and `-` for empty, then a space and \
         the side to move, `X` or `O`";
    /// A board with too many or too few cells.
    cell_count(count) = "a position is 64 cells and the side to move; here are {count} cells";
    /// A cell with an unknown sign.
    cell_sign(sign) = "a cell is `X`, `O` or `-`, not `{sign}`";
    /// A board without discs.
    board_empty() = "the board is empty";
    /// A move that is not a square.
    not_a_square(text) = "a move is a square from `a1` to `h8`, or `pass`, not `{text}`";
    /// A pass although there are moves.
    pass_with_moves() = "a side passes only when it has no move, and here there are some";
    /// A move to a square although the side must pass.
    only_pass(square) = "`{square}` is no move: there is none, so it has to be `pass`";
    /// A move that flips no disc.
    flips_nothing(square) = "`{square}` flips nothing";
    /// A move of a problem without a valid score.
    scored_move(text) = "a move with its score is as in G8:+18, not `{text}`";
}
