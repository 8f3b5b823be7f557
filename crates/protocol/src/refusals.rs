//! What can't be said in a protocol or its notation, and how a driven engine fails.

polyply_engine::refusals! {
    /// A text that is no position of Othello.
    not_an_othello_board(text) = "`{text}` is no position of Othello: 64 cells and the side to move";
    /// A GGF board of another size.
    ggf_board_size(text) = "the board `{text}` is not of 8";
    /// A GGF game without its end.
    ggf_unclosed() = "it has no `;)`";
    /// A GGF property without its end.
    ggf_property_unclosed(property) = "`{property}` has no `]`";

    /// A game of NBoard without GGF.
    nboard_game() = "a game is as in `set game (;GM[Othello]…;)`";
    /// A variant that a protocol has no words for.
    protocol_variant(protocol, known, variant) = "the protocol {protocol} is for {known}, not for {variant}";

    /// A Polyglot book that breaks off.
    book_bytes(entry, left) = "a Polyglot book has {entry} bytes a move, and {left} are left over";
    /// A book that can't be read. The reason is English.
    book_unread(reason) = "{reason}";
    /// A move that a book has no place for.
    book_move(text) = "`{text}` is no move in a position of chess";

    /// A program that did not start.
    engine_unstarted(engine, reason) = "the engine `{engine}` can't be started: {reason}";
    /// An option that a program does not have.
    engine_option(engine, option) = "the engine `{engine}` has no option `{option}`";
    /// A program that did not answer in time.
    engine_late(engine, last) = "the engine `{engine}` did not answer in time; the last it said was `{last}`";
    /// A program that ended. The way it ended is English.
    engine_gone(engine, how, last) = "the engine `{engine}` ended by itself ({how}); the last it said was `{last}`";
    /// A program that said no. Its words are its own.
    engine_refused(engine, reason) = "the engine `{engine}` refused: {reason}";
    /// A program that was told to stop.
    engine_stopped(engine) = "the engine `{engine}` was stopped";
}
