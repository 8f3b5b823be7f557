//! What the lab refuses: files of games, settings of matches, and the like.

polyply_engine::refusals! {
    /// The fleet does not answer, or refuses something.
    fleet_unreachable(reason) = "{reason}";
    /// Pieces of work that nobody could do.
    fleet_failed(count, number, reason) =
        "{count} pieces of work failed on every worker that tried them, the first of them number {number}: {reason}";
    /// A task or a result that is none.
    fleet_task(reason) = "this is not a task of this version: {reason}";
    /// An option that takes more than a worker gives.
    fleet_limit(name, most, value) = "this worker allows a {name} of {most} at most, not {value}";
    /// An option that names a file.
    fleet_text_option(name) = "the option {name} names files, which workers of a fleet do not have";
    /// Weights that are neither built in nor kept by the fleet.
    fleet_weights(name) = "`{name}` are not weights that a worker knows";
    /// A program of this machine.
    fleet_program(name) = "{name} is a program of this machine; workers of a fleet play only with the built-in engine";

    /// Two would write to the same file.
    file_busy() = "another process is writing to this file";
    /// Something is wrong with a file.
    in_file(path, reason) = "{path}: {reason}";
    /// Something is wrong with a line of a file, from 1.
    in_line(line, reason) = "line {line}: {reason}";
    /// Something is wrong with a game of a file, from 1.
    in_game(game, reason) = "game {game}: {reason}";
    /// Something is wrong with a game of a file, in this line.
    in_game_line(game, line, reason) = "game {game}, line {line}: {reason}";
    /// Something is wrong with a game of a file, somewhere after this line.
    in_game_after(game, line, reason) = "game {game}, after line {line}: {reason}";
    /// A move of a game, from 1, can't be played.
    at_ply(ply, reason) = "ply {ply}: {reason}";
    /// A move of a variation can't be played.
    in_variation(reason) = "in a variation, {reason}";

    /// A game that a book has no place for.
    book_game(variant, other) = "the book is for {variant}, and the game is of {other}";
    /// A format of books that is for another game.
    book_format(format, variant) = "{format} holds no books of {variant}";
    /// A file name that does not tell the format of a book.
    book_ending(path) = "the format of `{path}` is unknown; its name must end with .bin (Polyglot), .book or .jsonl";

    /// A file whose name does not tell its format.
    format_unknown(path, endings) =
        "the format of `{path}` is unknown; its name must end with one of {endings}";
    /// A format of games that are not part of this build.
    format_unused() = "no game here has files of this format";
    /// A game that a format has no place for.
    file_variant(format, known, variant) = "{format} files hold games of {known}, not of {variant}";
    /// A move that is no cell, in a format that has only those.
    cell_unknown(text) = "`{text}` is not a cell of the board";
    /// A format that holds positions of one game only.
    positions_of(variant, other) = "such a file holds positions of {variant}, not of {other}";
    /// Moves without the game they are of.
    moves_variant() = "a list of moves does not name its game; give it with --variant";
    /// Moves from a position that is not the start.
    moves_position() = "a list of moves cannot hold a starting position";

    /// A line that is no game.
    not_a_game(reason) = "this is not a game: {reason}";
    /// A result that is none.
    result_unknown(text) = "a result is 1-0, 0-1, 1/2-1/2 or *, not `{text}`";
    /// A game that ended for no reason we know.
    end_unknown(text) = "`{text}` is not a reason for the end of a game";
    /// A time that is none.
    time_unknown(text) = "{text} ms is not a valid time";

    /// A judgement of a move that is no number.
    not_a_judgement(text) = "`{text}` is not an annotation glyph";
    /// A variation without a move that it replaces.
    variation_first() = "there is a variation before the first move";
    /// Variations within variations within variations.
    variations_deep(most) = "variations are nested more than {most} deep";
    /// Far more moves and variations than anybody has written down.
    moves_too_many(most) = "a game has at most {most} moves, with its variations";
    /// Two stones on one point.
    stone_twice(point) = "there are two stones on `{point}`";
    /// The end of a variation that did not begin.
    variation_unopened() = "there is a `)` without its `(`";
    /// A variation that does not end.
    variation_unclosed() = "a variation has no `)`";
    /// A game that breaks off.
    no_result() = "the result at its end is missing";
    /// A comment or a tag that does not end.
    unclosed(sign) = "the closing `{sign}` is missing";
    /// A tag that does not end.
    tag_unclosed(tag) = "the tag `{tag}` has no end";
    /// Points that are no number.
    points_number(text) = "`{text}` is not a number of points";

    /// A text that is no SGF.
    not_sgf() = "this is not SGF: there is no `(`";
    /// An SGF file of another game.
    sgf_game(number) = "its game is not known here (GM {number})";
    /// A board whose size is no number.
    sgf_size(text) = "the size of a board is a number, not `{text}`";
    /// A game that does not end.
    sgf_unclosed() = "it has no `)` at its end";
    /// A value without its property.
    sgf_value_first() = "there is a value before the first property";
    /// A value that does not end.
    sgf_value_unclosed() = "a value has no `]`";
    /// A game of nothing.
    sgf_no_node() = "it has no node";
    /// A result that is none.
    sgf_result(text) = "a result is as in B+, W+T or 0, not `{text}`";
    /// A point that is not on the board.
    sgf_point(text, size) = "`{text}` is not a point on a board of size {size}";

    /// A game that PSQ has no place for.
    psq_position() = "a PSQ file cannot hold a game that began from a position";
    /// A game without its heading.
    psq_heading(heading, text) = "it begins with `{heading} 15x15, 11:11, 0`, not `{text}`";
    /// A point that is not on the board.
    psq_point(x, y, size) = "{x},{y} is not on a board of size {size}";

    /// A text that is no GGF.
    not_ggf() = "this is not GGF: there is no `(;`";
    /// A GGF game of another game.
    ggf_game(game) = "it is not a game of {game}";
    /// A result that is none.
    ggf_result(text) = "a result is as in +2.000 or -64.000:t, not `{text}`";
    /// A move of no text.
    ggf_move() = "a move is as in F5 or PA, not empty";

    /// A file that breaks off in its header.
    wthor_header() = "this is not a WTHOR file: its header is incomplete";
    /// A board of another size.
    wthor_board() = "this is not a WTHOR file: its board is not 8 by 8";
    /// More or fewer games than the header says.
    wthor_length(games, bytes) = "this is not a WTHOR file: it announces {games} games, but has {bytes} bytes of them";
    /// A move that is not on the board.
    wthor_cell(number) = "{number} is not a cell; cells are 11 to 88, row and column";
    /// A game that WTHOR has no place for.
    wthor_variant(known) = "a WTHOR file holds games of {known} from the start";
    /// A game that is too long.
    wthor_long() = "it has more than 60 moves";
    /// WTHOR files can't be added to.
    wthor_whole() = "a WTHOR file can only be written as a whole";

    /// A line that begins like JSON and is none.
    not_json(reason) = "this is not a JSON object: {reason}";
    /// A value that should be a text.
    value_text(key, value) = "`{key}` must be a text, not {value}";
    /// A value that should be moves.
    value_moves(key, value) = "`{key}` must be a list of moves, not {value}";
    /// A value that should be a number of plies.
    value_win(value) = "`win` must be a number of plies, negative if the second player wins, not {value}";
    /// A position without anything to find.
    puzzle_open() = "there is no best move, no move to avoid, no win and no result to find";
    /// A line of another file.
    not_an_attempt(reason) = "this is not a line of `polyply suite --json`: {reason}";

    /// Settings that were not understood. The reason is English.
    settings_refused(reason) = "the settings are refused: {reason}";
    /// A match of one.
    two_engines() = "a match needs two engines or more";
    /// A sequential test of more than two.
    sequential_two() = "a sequential test is for two engines";
    /// A time that is none.
    setting_time(setting, text) = "`{setting}` is a time with its unit, as in 100ms or 2s, not `{text}`";
    /// A number of nodes that is none.
    setting_nodes(text) = "`nodes` is a number of nodes, not `{text}`";
    /// A depth that is none.
    setting_depth(text) = "`depth` is a number of plies from 1 to 255, not `{text}`";
    /// A clock that is none.
    time_control(text) =
        "a time control is moves/seconds+increment, as in 40/60+0.6, 10+0.1 or 1:30, or hourglass:seconds, not `{text}`";
    /// A rule of adjudication that was not understood.
    adjudication(example, text) = "an adjudication rule must be written like {example}, not `{text}`";
    /// A match by a rule that lets the players choose colours.
    match_swap() = "a match cannot use a swap rule; set --rule opening=none or another opening";
    /// An engine that might think for ever.
    no_limit(engine) = "`{engine}` needs a limit: a time control, a time, nodes or a depth a move";
    /// A protocol without a way to set up the positions of openings.
    openings_as_moves(engine) = "`{engine}` can be told openings as moves only, not as positions";
    /// A file without openings.
    no_openings() = "there is no opening in it";
    /// An opening that leaves nothing to play.
    opening_over(outcome) = "the game is over after it: {outcome}";
    /// An option that can't be tried without a value.
    not_a_switch(option) = "`{option}` is no switch; say with which value to try it, as in {option}=1";

    /// A built-in engine that was not understood.
    entrant_form(engine) = "the engine `{engine}` must be written builtin:option=value,…";
    /// A part of an engine that was not understood.
    entrant_part(engine, part) = "the engine `{engine}` has `{part}` without a `=`";
    /// An engine of a protocol that we do not speak.
    entrant_protocol(engine, known) = "the engine `{engine}` has an unknown protocol; `proto` must be one of {known}";
    /// An engine without its protocol.
    entrant_no_protocol(engine, known) = "the engine `{engine}` needs `proto`, one of {known}";
    /// A key that engines do not have.
    entrant_key(engine, key, known) = "the engine `{engine}` has an unknown key `{key}`; the keys are {known}";
    /// Levels of a ladder that are none.
    ladder_levels() = "a ladder is climbed from a level to a higher one, from 1 to 10";
    /// A line of a ladder's journal that can't be read. The reason is in English.
    ladder_line(line, reason) = "line {line} is no game of a ladder: {reason}";
    /// The journal of another ladder.
    ladder_other() = "it is the journal of another ladder; remove it or choose another file";
    /// Full strength, where personas are compared.
    style_level(most) = "personas are compared at a level from 1 to {most}";
    /// A persona that is none.
    entrant_persona(engine, names) = "the persona of the engine `{engine}` is one of {names}";
    /// A level that is none.
    entrant_level(engine, most) = "the level of the engine `{engine}` is a number from 1 to {most}";
    /// Neither built in nor a program.
    entrant_kind(engine) = "the engine `{engine}` is neither builtin nor cmd=<program>,proto=<protocol>";

    /// A file that would be written over.
    file_there(path) = "{path} already exists; choose another file";
    /// The games of a match that was begun.
    match_there(path) = "{path} already exists; add --resume to continue it";
    /// A file in the place of the games of a match.
    not_a_match(path) = "{path} already exists and is not part of a match; choose another file";
    /// A match that was begun in another way.
    other_settings(path, names) = "{path} was begun with other settings ({names}); choose another file";

    /// No parameter to tune.
    tune_nothing() = "there is nothing to tune; name parameters under [parameters]";
    /// A parameter to tune that does not exist.
    tune_unknown(name) = "there is no parameter or group `{name}`; groups are core, clock, game and prefixes as in lmr_*";
    /// A bound that the parameter does not allow.
    tune_range(name, min, max, value) = "`{name}` allows {min} to {max}, not {value}";
    /// Bounds without room between them.
    tune_bounds(name, min, max) = "the bounds of `{name}` leave no room: {min} to {max}";
    /// A start outside of the bounds.
    tune_start(name, min, max, value) = "`{name}` begins at {value}, which is not between {min} and {max}";
    /// A step that is too small or too large.
    tune_step(name, min, max, value) = "the step of `{name}` is {min} to {max}, not {value}";
    /// A number of dimensions that makes no sense.
    tune_dimensions(value) = "a test function has 1 to 1000 dimensions, not {value}";
    /// A setting of a method that makes no sense.
    tune_setting(method, setting) = "`{setting}` of {method} is out of range";
    /// An engine whose parameters can't be tuned.
    tune_engine(engine) = "only the built-in engine can be tuned, as in builtin:Hash=1, not `{engine}`";
    /// A tuning that was begun.
    tune_there(path) = "{path} already exists; add --resume to continue it";
    /// A journal of another tuning.
    tune_other(path) = "{path} was begun with other settings; choose another file";
    /// A journal that does not fit its settings.
    tune_journal(path, line) = "{path}: line {line} does not follow from the lines before it";
    /// A line that no journal of a tuning has.
    tune_line() = "this is not a line of the journal of a tuning";
    /// A file of parameters that is none. The reason is English.
    params_refused(reason) = "a file of parameters has a table [parameters] of whole numbers: {reason}";

    /// A build to compare that is not named.
    no_build() = "a build must be a program or `builtin`";
    /// A program that is not there.
    no_program(program) = "there is no program `{program}`";
    /// The path of this program can't be had.
    own_path(reason) = "the path of this program is unknown: {reason}";
    /// A bench that can't be run.
    bench_unstarted(command, reason) = "`{command}` can't be run: {reason}";
    /// A bench that failed.
    bench_failed(command, status, last) = "`{command}` failed ({status}): {last}";
    /// A bench that does not say what it measured.
    bench_end(command, last) = "`{command}` ends with `{last}`, not `<nodes> nodes <nps> nps`";

    /// A game of self-play that an engine could not play. The reason is English.
    selfplay_broken(number, reason) = "game {number} can't be played: {reason}";
    /// A game without an end where one is needed.
    game_unfinished() = "the game is unfinished";
    /// Files without a position that can be learned from.
    nothing_to_learn() = "there is nothing to learn from in these files";
    /// A net of an impossible shape.
    net_refused(reason) = "the net can't be built: {reason}";
}
