//! What protocols and their notations refuse, and how a driven engine fails.

polyply_engine::refusals! {
    /// A text that is not a position.
    ggf_position(text) = "`{text}` is not a position in GGF: the cells of the board and the side to move";
    /// A GGF board of another size.
    ggf_board_size(text, size) = "the board `{text}` does not have {size} rows";
    /// A GGF game without an end.
    ggf_unclosed() = "it has no `;)`";
    /// A GGF property without an end.
    ggf_property_unclosed(property) = "`{property}` has no `]`";

    /// An NBoard game that is not in GGF.
    nboard_game() = "a game is as in `set game (;GM[Othello]…;)`";
    /// A variant that a protocol can't express.
    protocol_variant(protocol, known, variant) = "the protocol {protocol} is for {known}, not for {variant}";

    /// A Polyglot book that ends in the middle of an entry.
    book_bytes(entry, left) = "a Polyglot book has {entry} bytes a move, and {left} are left over";
    /// A book that can't be read. The reason is in English.
    book_unread(reason) = "{reason}";
    /// A move that a book can't store.
    book_move(text) = "`{text}` is no move in a position of chess";

    /// An engine that did not start.
    engine_unstarted(engine, reason) = "the engine `{engine}` can't be started: {reason}";
    /// An option that an engine does not have.
    engine_option(engine, option) = "the engine `{engine}` has no option `{option}`";
    /// An engine that did not answer in time.
    engine_late(engine, last) = "the engine `{engine}` did not answer in time; the last it said was `{last}`";
    /// An engine that exited. The way it did is in English.
    engine_gone(engine, how, last) = "the engine `{engine}` ended by itself ({how}); the last it said was `{last}`";
    /// An engine that refused. The reason is the engine's own text.
    engine_refused(engine, reason) = "the engine `{engine}` refused: {reason}";
    /// An engine that we stopped.
    engine_stopped(engine) = "the engine `{engine}` was stopped";
}
