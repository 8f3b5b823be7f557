//! The refusals of chess.

polyply_core::refusals! {
    /// A text that is not a move.
    not_a_move(text) = "`{text}` is no move; moves are written as in `e2e4`, `e7e8q` or `Nf3`";
    /// A move that several pieces could make.
    ambiguous_move(text) = "`{text}` could be more than one move";

    /// A square without a piece of the side to move.
    choose_piece() = "choose one of your own pieces first";
    /// A piece without a move.
    piece_stuck(piece) = "this {piece} has no move now";
    /// A target with a piece of the same side.
    own_piece(square) = "your own piece is on `{square}`";
    /// A way that the piece does not go, or that is closed.
    piece_way(piece, square) = "a {piece} can't go to `{square}` from there";
    /// The king would be attacked after the move.
    king_exposed() = "your king would be in check";
    /// The king is attacked, and the move does not help.
    answer_check() = "your king is in check: move it, block the check or capture the attacker";
    /// A piece, as part of a sentence.
    pawn() = "pawn";
    /// A piece, as part of a sentence.
    knight() = "knight";
    /// A piece, as part of a sentence.
    bishop() = "bishop";
    /// A piece, as part of a sentence.
    rook() = "rook";
    /// A piece, as part of a sentence.
    queen() = "queen";
    /// A piece, as part of a sentence.
    king() = "king";

    /// The first player, as part of a sentence.
    white() = "White";
    /// The second player, as part of a sentence.
    black() = "Black";

    /// A position without text.
    position_empty() = "it is empty";
    /// A letter that is not a piece.
    not_a_piece(letter) = "`{letter}` is no piece (KQRBNP or kqrbnp)";
    /// A rank with too many or too few squares.
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
    /// Castling rights that could not be parsed, or that the pieces do not allow.
    castling_rights(text) = "`{text}` are no castling rights: there is no king and rook for them";
    /// An en passant square that is not one.
    not_a_passing_square(text) = "`{text}` is no square";
    /// The first counter of a position.
    halfmove_clock(text) = "`{text}` is no number of half-moves since a capture or pawn move";
    /// The second counter of a position.
    move_number(text) = "`{text}` is no number of the move";
    /// A position with too many fields.
    extra_fields() = "there is more in it than six fields";
    /// The side that has just moved is in check.
    other_in_check() = "the side that is not to move is in check";
    /// Pieces that no game can lead to.
    impossible_pieces() = "the pieces could not have come to stand like this";
    /// Castling rights that the pieces do not allow.
    impossible_castling() = "there is no king and rook for the castling rights";
    /// No pawn can be captured en passant.
    impossible_passing() = "no pawn has just made two steps to be taken in passing";
    /// The game would have been drawn earlier.
    too_many_halfmoves() = "after 100 half-moves without capture or pawn move it is a draw";
    /// Moves are counted from 1.
    move_zero() = "moves are counted from 1";

    /// A directory without endgame tables.
    no_tables(path) = "there are no Syzygy tables in `{path}`";
    /// Endgame tables that can't be opened.
    tables_unopened(path) = "the Syzygy tables in `{path}` can't be opened";
    /// A distance to mate that is not a number of moves.
    mate_moves(text) = "`dm` is a number of moves, not `{text}`";
}
