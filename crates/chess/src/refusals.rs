//! What chess refuses, besides what all games do.

polyply_core::refusals! {
    /// A text that is no move at all.
    not_a_move(text) = "`{text}` is no move; moves are written as in `e2e4`, `e7e8q` or `Nf3`";
    /// A move that several pieces could make.
    ambiguous_move(text) = "`{text}` could be more than one move";

    /// The first player, in sentences that name a side.
    white() = "White";
    /// The second player, in sentences that name a side.
    black() = "Black";

    /// A position of no text at all.
    position_empty() = "it is empty";
    /// A letter that stands for no piece.
    not_a_piece(letter) = "`{letter}` is no piece (KQRBNP or kqrbnp)";
    /// A rank of too many or too few squares.
    rank_length(rank, count) = "rank {rank} has {count} squares instead of 8";
    /// A side without a king.
    no_king(side) = "{side} has no king";
    /// A side with several kings.
    many_kings(side, count) = "{side} has {count} kings";
    /// A side with too many pawns.
    many_pawns(side) = "{side} has more than 8 pawns";
    /// A side with too many pieces.
    many_pieces(side) = "{side} has more than 16 pieces";
    /// A pawn where none can be.
    pawn_rank() = "a pawn stands on the first or last rank";
    /// Castling rights that were not understood, or that the pieces do not allow.
    castling_rights(text) = "`{text}` are no castling rights: there is no king and rook for them";
    /// A square to take a pawn in passing that is none.
    not_a_passing_square(text) = "`{text}` is no square";
    /// The first counter of a position.
    halfmove_clock(text) = "`{text}` is no number of half-moves since a capture or pawn move";
    /// The second counter of a position.
    move_number(text) = "`{text}` is no number of the move";
    /// A position with too many fields.
    extra_fields() = "there is more in it than six fields";
    /// The king of the side that has just moved could be taken.
    other_in_check() = "the side that is not to move is in check";
    /// Pieces that no game brings there.
    impossible_pieces() = "the pieces could not have come to stand like this";
    /// Castling rights that the pieces do not allow.
    impossible_castling() = "there is no king and rook for the castling rights";
    /// No pawn can be taken in passing.
    impossible_passing() = "no pawn has just made two steps to be taken in passing";
    /// The game would have been drawn before.
    too_many_halfmoves() = "after 100 half-moves without capture or pawn move it is a draw";
    /// Moves are counted from 1.
    move_zero() = "moves are counted from 1";

    /// No tables of endgames where they were said to be.
    no_tables(path) = "there are no Syzygy tables in `{path}`";
    /// Tables of endgames that can't be opened.
    tables_unopened(path) = "the Syzygy tables in `{path}` can't be opened";
    /// A distance to mate that is no number of moves.
    mate_moves(text) = "`dm` is a number of moves, not `{text}`";
}
