//! What the server refuses, and every code that it can send.

use polyply_engine::refusal::Code;

polyply_engine::refusals! {
    /// A body that is not the JSON that was expected. The reason is English.
    body_unread(reason) = "the body of the request can't be read: {reason}";
    /// A query that is not what was expected. The reason is English.
    query_unread(reason) = "the query of the address can't be read: {reason}";
    /// A message on a WebSocket that is not what was expected. The reason is English.
    message_unread(reason) = "the message can't be read: {reason}";
    /// A failure of the server itself.
    internal_error() = "something went wrong on the server; its log has the details";
    /// The database can't be written.
    not_stored() = "the server can't write to its disk, so nothing was changed; try again in a moment";
    /// Another server uses the folder.
    folder_in_use() = "another server is using it";
    /// A copy is to be put back where there are games.
    folder_has_games() = "it has games already; restore into another folder";
    /// A copy is to be made where something is.
    folder_exists() = "it exists already; choose a new name";
    /// A request without a `Host` header, or with several.
    host_missing() = "a request needs one Host header";
    /// A request to a name that may point anywhere.
    host_unknown(host) = "this server does not go by the name `{host}`; the option --host allows it";
    /// A request from a page of another site.
    other_site() = "requests from pages of other sites are not answered";
    /// Something that is closed to everybody but the operator.
    operator_only() = "this is for the operator of the server; the settings have a field for the operator token";
    /// A token that is easy to guess.
    operator_token_short(path, least) = "the operator token in {path} has fewer than {least} characters; delete the file, and a new one is made";
    /// The body of a request takes too long.
    body_late(seconds) = "the body of a request must arrive within {seconds} seconds";
    /// A client has had its share of requests, bytes or new things.
    too_often(seconds) = "that was too much at once; try again in {seconds} seconds";
    /// A client has as many unfinished games as it may have.
    too_many_games(most) = "you have {most} unfinished games here; finish or resign one first";
    /// A client has as many games between engines as it may have.
    too_many_engine_games(most) = "{most} of your games between engines are running; stop one first";
    /// A client has as many reviews as it may have.
    too_many_reviews(most) = "{most} of your reviews are running; wait until one is done";
    /// All clients together have as much as there is room for.
    server_full() = "the server has no room for more of this; try again later";
    /// There is no file or address of this path.
    page_unknown(path) = "there is no page `{path}`";

    /// Too many WebSockets are open.
    too_many_connections() = "there are too many open connections; try again later";
    /// A client sends messages faster than they are read.
    too_many_messages(most) = "at most {most} messages a second are read";
    /// A binary message.
    message_not_text() = "messages must be text";
    /// A client of an engine protocol does not wait for answers.
    too_many_lines() = "too many lines are waiting for an answer";
    /// There is no engine protocol of this name.
    protocol_unknown(known, name) = "a protocol is one of {known}, not `{name}`";
    /// Too many clients use engine protocols.
    too_many_sessions(most) = "{most} programs are using engines already; try again later";

    /// Too much waits for the engine.
    engine_busy() = "too many requests are waiting for the engine; try again in a moment";
    /// Too much of this client waits for the engine.
    engine_share() = "too many of your requests are waiting for the engine; try again in a moment";
    /// The engine was closed before it answered.
    engine_closed() = "the engine could not answer; try again";
    /// An engine outside the pool does not fit into the memory.
    engine_memory(needed, left) = "this takes {needed} MB, and {left} MB of the memory for engines are free; try again later, or start the server with more (--memory)";
    /// A table that is too large for this server.
    table_size(most) = "a table has at most {most} megabytes here";
    /// More threads than processors.
    thread_count(most) = "this machine has {most} processors";

    /// The name of a variant that is far too long.
    variant_long(most) = "the name of a variant has at most {most} characters";
    /// A position that is far too long.
    position_long(most) = "a position has at most {most} characters";
    /// Far too many moves.
    moves_many(most) = "a list has at most {most} moves";

    /// There is no game with this id.
    game_unknown(id) = "there is no game `{id}`";
    /// Somebody without a seat wants to act.
    not_seated() = "only the players of this game may do that";
    /// Somebody wants to stop or delete what is not his.
    not_owner() = "only its owner may do that";
    /// A game with people is to be stopped or paused.
    stop_people() = "only a game between engines can be stopped or paused; players resign";
    /// A seat is still open.
    seat_open() = "the other seat is still open";
    /// The seat is not open.
    seat_taken() = "this seat is taken";
    /// The other player is to move.
    not_your_turn() = "it is not your turn";
    /// A clock is at zero.
    time_over() = "the time is over";
    /// The game is still being played.
    game_not_over() = "the game is not over yet";
    /// A name that is too long, or that can't be shown.
    name_long(most) = "a name has at most {most} characters, all of which can be shown";
    /// There is no move to judge.
    no_move_to_judge() = "there is no move to judge yet";
    /// There is no such persona.
    persona_unknown(known) = "a persona is one of {known}";
    /// There is no such level.
    level_range(most) = "a level is a number from 1 to {most}";
    /// A clock that makes no sense.
    clock_range() = "a clock has between a millisecond and a day";
    /// The engine is asked for help against another person.
    hint_between_people() = "there are no hints in a game between people";
    /// A time for a move that makes no sense.
    move_time_range() = "a move has between 50 milliseconds and ten minutes";
    /// A message that is not one of those that can be said.
    message_unknown(known, name) = "a message is one of {known}, not `{name}`";
    /// A text that is too long for a QR code.
    code_long(most) = "a QR code has at most {most} characters here";
    /// A move that is far too long.
    move_long(most) = "a move has at most {most} characters";
    /// There is no choice of this name.
    choice_unknown(known, name) = "a choice is one of {known}, not `{name}`";
    /// Only a game that is being played can be drawn.
    draw_not_playing() = "a draw can be agreed only while the game is being played";
    /// There is no draw to accept.
    draw_not_offered() = "nobody has offered a draw";
    /// The engine wants to play on.
    draw_declined() = "the engine declines the draw";
    /// Stones of an opening stay where they are.
    undo_opening() = "no move can be taken back before it is settled who plays first";
    /// There is no request to accept.
    undo_not_asked() = "nobody has asked to take a move back";
    /// The clock has decided.
    undo_lost_on_time() = "a game that was lost on time can't be taken back";
    /// There is no move to take back.
    undo_nothing() = "you have no move to take back";
    /// Both players agreed to take the move back.
    redo_agreed() = "a move that was taken back by agreement can't be replayed";
    /// There is no move to play again.
    redo_nothing() = "no move was taken back";

    /// A search of what the other side threatens, where it can't be to move.
    no_threats() = "the other side can't be to move here";
    /// A search that is restricted to far too many moves.
    search_moves(most) = "a search is restricted to at most {most} moves";
    /// There is no review with this id.
    review_unknown(id) = "there is no review `{id}`";
    /// A review of a game without moves.
    review_empty() = "there is no move to review";
    /// A move is tried where none was judged.
    review_ply(most) = "the move must be one of the {most} that were judged";

    /// Too many files wait to be read or drawn.
    too_much_to_read() = "too many games and pictures are waiting for their turn; try again in a moment";
    /// There is no format of this name.
    format_name(known, name) = "a format is one of {known}, not `{name}`";
    /// A text without a game.
    import_empty() = "there is no game in it";
    /// A text with fewer games.
    import_number(count) = "its games are numbered 1 to {count}";
    /// A text that does not name its game.
    import_variant() = "the text does not say which game it is";
    /// A list of moves alone.
    import_moves() = "a list of moves does not say which game it is; choose one";
    /// A binary file that was damaged on its way.
    import_base64() = "the bytes of the file are not base64";
    /// There is no theme of this name.
    theme_unknown(known, name) = "a theme is one of {known}, not `{name}`";
    /// A picture that is too small or too large.
    picture_width(least, most) = "a picture is {least} to {most} pixels wide";

    /// There is no match with this id.
    match_unknown(id) = "there is no match `{id}`";
    /// A match from the command line.
    match_elsewhere(id) = "the match `{id}` was not started here";
    /// A match that was ended is to go on.
    match_ended() = "this match was ended for good";
    /// The match is being played.
    match_running() = "this match is running already";
    /// The match is not being played.
    match_not_running() = "this match is not running";
    /// As many matches as may run are running.
    matches_running(most) = "{most} matches are running already; stop one first";
    /// Too many games, or none.
    match_games(most) = "a match has 1 to {most} games";
    /// Too many games at a time, or none.
    match_concurrency(most) = "1 to {most} games can be played at a time";
    /// Too many engines.
    match_engines(most) = "at most {most} engines take part";
    /// An engine that is another program.
    match_programs() = "only built-in engines play here; `polyply match` lets other programs play";
    /// Weights or parameters from a file.
    match_weights() = "weights and parameters from a file play in `polyply match`, not here";
    /// An option that would take too much of the machine.
    match_option(name, most) = "`{name}` is at most {most} here";

    /// The address can't be used. The reason is the system's.
    listen_failed(addr, reason) = "{addr} can't be listened on: {reason}";
    /// The data folder can't be used.
    folder_refused(path, reason) = "the folder {path} can't be used: {reason}";
}

/// Every code that the server can send: its own, and those of the lab, the protocols, the engine, the games and the
/// core.
pub fn codes() -> impl Iterator<Item = &'static Code> {
    let own =
        [polyply_protocol::refusals::CODES, polyply_lab::stats::refusals::CODES, polyply_lab::refusals::CODES, CODES];
    polyply_engine::refusals::codes().chain(own.into_iter().flatten().copied())
}
