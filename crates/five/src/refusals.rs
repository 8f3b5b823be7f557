//! What the games of the family refuse, besides what all games do.

polyply_core::refusals! {
    /// There is no game of this name in the family.
    not_in_family(known, name) = "a five-in-a-row variant is one of {known}, not `{name}`";
    /// A row to win that does not fit on the board.
    win_length(size) = "`win_length` is at most the board size, {size}";

    /// A position with too many or too few fields.
    position_fields() = "a position is its rows, the side to move and the stones captured, as in `… x 0 0`";
    /// A number of captured stones that is none.
    captured_number(text) = "captured stones are a number from 0 to 255, not `{text}`";
    /// Captured stones in a game without captures.
    no_captures(variant) = "nothing is captured in {variant}";
    /// Both sides would have won by captures.
    both_captured() = "both sides have captured enough stones to win";
    /// Both sides would have won by a row.
    both_five() = "both sides have five in a row";

    /// A cell that the opening rule does not allow for this stone.
    opening_forbids(opening, cell) = "the opening rule `{opening}` does not allow {cell} now";
    /// A move that leaves a five standing where the rules ask to break it.
    five_stands(cell) = "{cell} neither breaks the five nor wins";
    /// A move that makes two free threes.
    double_three(cell) = "{cell} makes two free threes at once";
}
