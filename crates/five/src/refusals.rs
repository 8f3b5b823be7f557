//! The refusals of the family.

polyply_core::refusals! {
    /// A name that no game of the family has.
    not_in_family(known, name) = "a five-in-a-row variant is one of {known}, not `{name}`";
    /// A winning row that does not fit on the board.
    win_length(size) = "`win_length` is at most the board size, {size}";

    /// A position with too many or too few fields.
    position_fields() = "a position is its rows, the side to move and the stones captured, as in `… x 0 0`";
    /// Captured stones that are not a number.
    captured_number(text) = "captured stones are a number from 0 to 255, not `{text}`";
    /// Captured stones in a game without captures.
    no_captures(variant) = "nothing is captured in {variant}";
    /// Both sides would have won by captures.
    both_captured() = "both sides have captured enough stones to win";
    /// Both sides would have won by a row.
    both_five() = "both sides have five in a row";

    /// The first stone of an opening rule that begins in the centre.
    opening_centre() = "by the opening rule the first stone goes in the centre";
    /// The first player's second stone, too near to the first.
    opening_distance(distance) = "by the opening rule your second stone must be at least {distance} points away from your first";
    /// A move that ignores a five which must be broken.
    five_stands(cell) = "{cell} neither breaks the five nor wins";
    /// A move that makes two free threes.
    double_three(cell) = "{cell} makes two free threes at once";
}
