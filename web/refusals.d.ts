/**
 * Every code that the server refuses with, and the names of its arguments.
 * Made from the declarations in the crates by `POLYPLY_UPDATE=1 cargo test -p polyply-server --test server refusals::`.
 */
export interface RefusalArguments {
  /** an adjudication rule must be written like {example}, not `{text}` */
  adjudication: 'example' | 'text';
  /** `{text}` could be more than one move */
  ambiguous_move: 'text';
  /** your king is in check: move it, block the check or capture the attacker */
  answer_check: never;
  /** ply {ply}: {reason} */
  at_ply: 'ply' | 'reason';
  /** the number of the move is from 1 on, not `{text}` */
  ataxx_move_number: 'text';
  /** a position is as in `{example}` */
  ataxx_position: 'example';
  /** `{command}` ends with `{last}`, not `<nodes> nodes <nps> nps` */
  bench_end: 'command' | 'last';
  /** `{command}` failed ({status}): {last} */
  bench_failed: 'command' | 'status' | 'last';
  /** `{command}` can't be run: {reason} */
  bench_unstarted: 'command' | 'reason';
  /** bishop */
  bishop: never;
  /** Black */
  black: never;
  /** the board has {cells} cells, not {count} */
  board_cells: 'cells' | 'count';
  /** the board is empty */
  board_empty: never;
  /** the body of a request must arrive within {seconds} seconds */
  body_late: 'seconds';
  /** the body of the request can't be read: {reason} */
  body_unread: 'reason';
  /** another process is writing to this book */
  book_busy: never;
  /** a Polyglot book has {entry} bytes a move, and {left} are left over */
  book_bytes: 'entry' | 'left';
  /** the book is damaged: {reason} */
  book_damaged: 'reason';
  /** the format of `{path}` is unknown; its name must end with .bin (Polyglot), .book or .jsonl */
  book_ending: 'path';
  /** {reason} */
  book_failed: 'reason';
  /** it is not an opening book */
  book_foreign: never;
  /** {format} holds no books of {variant} */
  book_format: 'format' | 'variant';
  /** the book is for {variant}, and the game is of {other} */
  book_game: 'variant' | 'other';
  /** it was made by another version of Polyply, whose keys of positions differ; build it again */
  book_keys: never;
  /** `{text}` is no move in a position of chess */
  book_move: 'text';
  /** it was made by a newer version of Polyply: its format is {version}, and {known} is the newest known here */
  book_newer: 'version' | 'known';
  /** {reason} */
  book_unread: 'reason';
  /** it is a book for {variant}, not for {expected} */
  book_variant: 'variant' | 'expected';
  /** both sides have captured enough stones to win */
  both_captured: never;
  /** both sides have five in a row */
  both_five: never;
  /** captured stones are a number from 0 to 255, not `{text}` */
  captured_number: 'text';
  /** `{text}` are no castling rights: there is no king and rook for them */
  castling_rights: 'text';
  /** a position is 64 cells and the side to move; here are {count} cells */
  cell_count: 'count';
  /** a cell is `X`, `O` or `-`, not `{sign}` */
  cell_sign: 'sign';
  /** the cell `{cell}` is taken */
  cell_taken: 'cell';
  /** `{text}` is not a cell of the board */
  cell_unknown: 'text';
  /** a choice is one of {known}, not `{name}` */
  choice_unknown: 'known' | 'name';
  /** choose one of your own pieces first */
  choose_piece: never;
  /** a clock has between a millisecond and a day */
  clock_range: never;
  /** a QR code has at most {most} characters here */
  code_long: 'most';
  /** the column `{column}` is full */
  column_full: 'column';
  /** a line is a position, or the columns played so far and a score from -21 to 21, not `{line}` */
  column_score: 'line';
  /** {cell} makes two free threes at once */
  double_three: 'cell';
  /** it is a draw */
  draw: never;
  /** the engine declines the draw */
  draw_declined: never;
  /** nobody has offered a draw */
  draw_not_offered: never;
  /** a draw can be agreed only while the game is being played */
  draw_not_playing: never;
  /** `{text}` is not a reason for the end of a game */
  end_unknown: 'text';
  /** too many requests are waiting for the engine; try again in a moment */
  engine_busy: never;
  /** the engine could not answer; try again */
  engine_closed: never;
  /** the engine `{engine}` ended by itself ({how}); the last it said was `{last}` */
  engine_gone: 'engine' | 'how' | 'last';
  /** the engine `{engine}` did not answer in time; the last it said was `{last}` */
  engine_late: 'engine' | 'last';
  /** this takes {needed} MB, and {left} MB of the memory for engines are free; try again later, or start the server with more (--memory) */
  engine_memory: 'needed' | 'left';
  /** the engine `{engine}` has no option `{option}` */
  engine_option: 'engine' | 'option';
  /** the engine `{engine}` refused: {reason} */
  engine_refused: 'engine' | 'reason';
  /** too many of your requests are waiting for the engine; try again in a moment */
  engine_share: never;
  /** the engine `{engine}` was stopped */
  engine_stopped: 'engine';
  /** the engine `{engine}` can't be started: {reason} */
  engine_unstarted: 'engine' | 'reason';
  /** the engine `{engine}` must be written builtin:option=value,… */
  entrant_form: 'engine';
  /** the engine `{engine}` has an unknown key `{key}`; the keys are {known} */
  entrant_key: 'engine' | 'key' | 'known';
  /** the engine `{engine}` is neither builtin nor cmd=<program>,proto=<protocol> */
  entrant_kind: 'engine';
  /** the level of the engine `{engine}` is a number from 1 to {most} */
  entrant_level: 'engine' | 'most';
  /** the engine `{engine}` needs `proto`, one of {known} */
  entrant_no_protocol: 'engine' | 'known';
  /** the engine `{engine}` has `{part}` without a `=` */
  entrant_part: 'engine' | 'part';
  /** the persona of the engine `{engine}` is one of {names} */
  entrant_persona: 'engine' | 'names';
  /** the engine `{engine}` has an unknown protocol; `proto` must be one of {known} */
  entrant_protocol: 'engine' | 'known';
  /** there is more in it than six fields */
  extra_fields: never;
  /** another process is writing to this file */
  file_busy: never;
  /** {path} already exists; choose another file */
  file_there: 'path';
  /** {format} files hold games of {known}, not of {variant} */
  file_variant: 'format' | 'known' | 'variant';
  /** the first player has won */
  first_won: never;
  /** the first player has won by {points} */
  first_won_by: 'points';
  /** {cell} neither breaks the five nor wins */
  five_stands: 'cell';
  /** {count} pieces of work failed on every worker that tried them, the first of them number {number}: {reason} */
  fleet_failed: 'count' | 'number' | 'reason';
  /** this worker allows a {name} of {most} at most, not {value} */
  fleet_limit: 'name' | 'most' | 'value';
  /** {name} is a program of this machine; workers of a fleet play only with the built-in engine */
  fleet_program: 'name';
  /** this is not a task of this version: {reason} */
  fleet_task: 'reason';
  /** the option {name} names files, which workers of a fleet do not have */
  fleet_text_option: 'name';
  /** {reason} */
  fleet_unreachable: 'reason';
  /** `{name}` are not weights that a worker knows */
  fleet_weights: 'name';
  /** `{square}` flips nothing */
  flips_nothing: 'square';
  /** a disc rests on the disc below it or on the bottom, and none may float */
  floating_disc: never;
  /** it exists already; choose a new name */
  folder_exists: never;
  /** it has games already; restore into another folder */
  folder_has_games: never;
  /** another server is using it */
  folder_in_use: never;
  /** the folder {path} can't be used: {reason} */
  folder_refused: 'path' | 'reason';
  /** a format is one of {known}, not `{name}` */
  format_name: 'known' | 'name';
  /** the format of `{path}` is unknown; its name must end with one of {endings} */
  format_unknown: 'path' | 'endings';
  /** no game here has files of this format */
  format_unused: never;
  /** the side to move has four in a row already, so the other side can't have moved */
  four_already: never;
  /** no single last move makes all the fours there are, so the game ended before it */
  fours_too_many: never;
  /** the game is not over yet */
  game_not_over: never;
  /** the game is over */
  game_over: never;
  /** the game is unfinished */
  game_unfinished: never;
  /** there is no game `{id}` */
  game_unknown: 'id';
  /** the board `{text}` does not have {size} rows */
  ggf_board_size: 'text' | 'size';
  /** it is not a game of {game} */
  ggf_game: 'game';
  /** a move is as in F5 or PA, not empty */
  ggf_move: never;
  /** `{text}` is not a position in GGF: the cells of the board and the side to move */
  ggf_position: 'text';
  /** `{property}` has no `]` */
  ggf_property_unclosed: 'property';
  /** a result is as in +2.000 or -64.000:t, not `{text}` */
  ggf_result: 'text';
  /** it has no `;)` */
  ggf_unclosed: never;
  /** `{text}` is no number of half-moves since a capture or pawn move */
  halfmove_clock: 'text';
  /** there are no hints in a game between people */
  hint_between_people: never;
  /** a request needs one Host header */
  host_missing: never;
  /** this server does not go by the name `{host}`; the option --host allows it */
  host_unknown: 'host';
  /** `{text}` is not a legal move here */
  illegal_move: 'text';
  /** the bytes of the file are not base64 */
  import_base64: never;
  /** there is no game in it */
  import_empty: never;
  /** a list of moves does not say which game it is; choose one */
  import_moves: never;
  /** its games are numbered 1 to {count} */
  import_number: 'count';
  /** the text does not say which game it is */
  import_variant: never;
  /** there is no king and rook for the castling rights */
  impossible_castling: never;
  /** no pawn has just made two steps to be taken in passing */
  impossible_passing: never;
  /** the pieces could not have come to stand like this */
  impossible_pieces: never;
  /** {path}: {reason} */
  in_file: 'path' | 'reason';
  /** game {game}: {reason} */
  in_game: 'game' | 'reason';
  /** game {game}, after line {line}: {reason} */
  in_game_after: 'game' | 'line' | 'reason';
  /** game {game}, line {line}: {reason} */
  in_game_line: 'game' | 'line' | 'reason';
  /** line {line}: {reason} */
  in_line: 'line' | 'reason';
  /** in a variation, {reason} */
  in_variation: 'reason';
  /** something went wrong on the server; its log has the details */
  internal_error: never;
  /** king */
  king: never;
  /** your king would be in check */
  king_exposed: never;
  /** knight */
  knight: never;
  /** a ladder is climbed from a level to a higher one, from 1 to 10 */
  ladder_levels: never;
  /** line {line} is no game of a ladder: {reason} */
  ladder_line: 'line' | 'reason';
  /** it is the journal of another ladder; remove it or choose another file */
  ladder_other: never;
  /** a level is a number from 1 to {most} */
  level_range: 'most';
  /** {addr} can't be listened on: {reason} */
  listen_failed: 'addr' | 'reason';
  /** {side} has {count} kings */
  many_kings: 'side' | 'count';
  /** {side} has more than 8 pawns */
  many_pawns: 'side';
  /** {side} has more than 16 pieces */
  many_pieces: 'side';
  /** 1 to {most} games can be played at a time */
  match_concurrency: 'most';
  /** the match `{id}` was not started here */
  match_elsewhere: 'id';
  /** this match was ended for good */
  match_ended: never;
  /** at most {most} engines take part */
  match_engines: 'most';
  /** a match has 1 to {most} games */
  match_games: 'most';
  /** this match is not running */
  match_not_running: never;
  /** `{name}` is at most {most} here */
  match_option: 'name' | 'most';
  /** only built-in engines play here; `polyply match` lets other programs play */
  match_programs: never;
  /** this match is running already */
  match_running: never;
  /** a match cannot use a swap rule; set --rule opening=none or another opening */
  match_swap: never;
  /** {path} already exists; add --resume to continue it */
  match_there: 'path';
  /** there is no match `{id}` */
  match_unknown: 'id';
  /** weights and parameters from a file play in `polyply match`, not here */
  match_weights: never;
  /** {most} matches are running already; stop one first */
  matches_running: 'most';
  /** `dm` is a number of moves, not `{text}` */
  mate_moves: 'text';
  /** messages must be text */
  message_not_text: never;
  /** a message is one of {known}, not `{name}` */
  message_unknown: 'known' | 'name';
  /** the message can't be read: {reason} */
  message_unread: 'reason';
  /** move {number}: {reason} */
  move_in_list: 'number' | 'reason';
  /** a move has at most {most} characters */
  move_long: 'most';
  /** `{text}` is no number of the move */
  move_number: 'text';
  /** the move `{text}` is refused: {reason} */
  move_refused: 'text' | 'reason';
  /** a move has between 50 milliseconds and ten minutes */
  move_time_range: never;
  /** moves are counted from 1 */
  move_zero: never;
  /** a list has at most {most} moves */
  moves_many: 'most';
  /** a list of moves cannot hold a starting position */
  moves_position: never;
  /** a game has at most {most} moves, with its variations */
  moves_too_many: 'most';
  /** a list of moves does not name its game; give it with --variant */
  moves_variant: never;
  /** a name has at most {most} characters, all of which can be shown */
  name_long: 'most';
  /** a game is as in `set game (;GM[Othello]…;)` */
  nboard_game: never;
  /** the net can't be built: {reason} */
  net_refused: 'reason';
  /** a build must be a program or `builtin` */
  no_build: never;
  /** nothing is captured in {variant} */
  no_captures: 'variant';
  /** {side} has no king */
  no_king: 'side';
  /** `{engine}` needs a limit: a time control, a time, nodes or a depth a move */
  no_limit: 'engine';
  /** there is no move to judge yet */
  no_move_to_judge: never;
  /** `{variant}` has no features for a net */
  no_net: 'variant';
  /** there is no opening in it */
  no_openings: never;
  /** `{variant}` orders its moves without weights */
  no_order: 'variant';
  /** `{variant}` has no net for its moves */
  no_policy: 'variant';
  /** `{variant}` does not predict searches */
  no_predictions: 'variant';
  /** there is no program `{program}` */
  no_program: 'program';
  /** the result at its end is missing */
  no_result: never;
  /** `{variant}` has no rules to choose from */
  no_rules: 'variant';
  /** there are no Syzygy tables in `{path}` */
  no_tables: 'path';
  /** the other side can't be to move here */
  no_threats: never;
  /** `{variant}` has an evaluation without weights */
  no_weights: 'variant';
  /** a position is 64 cells from a1 along the rows, `X` for Black, `O` for White and `-` for empty, then a space and the side to move, `X` or `O` */
  not_a_board: never;
  /** a move is a cell from `{first}` to `{last}`, not `{text}` */
  not_a_cell: 'first' | 'last' | 'text';
  /** the choice is one of {choices}, not {choice} */
  not_a_choice: 'choices' | 'choice';
  /** a move is a column from `a` to `g`, not `{text}` */
  not_a_column: 'text';
  /** this is not a game: {reason} */
  not_a_game: 'reason';
  /** `{text}` is not an annotation glyph */
  not_a_judgement: 'text';
  /** {path} already exists and is not part of a match; choose another file */
  not_a_match: 'path';
  /** `{text}` is no move; moves are written as in `e2e4`, `e7e8q` or `Nf3` */
  not_a_move: 'text';
  /** `{text}` is no square */
  not_a_passing_square: 'text';
  /** `{letter}` is no piece (KQRBNP or kqrbnp) */
  not_a_piece: 'letter';
  /** a move is a square from `a1` to `h8`, or `pass`, not `{text}` */
  not_a_square: 'text';
  /** a move is a cell as in `g2`, two as in `a1c3`, or `0000`, not `{text}` */
  not_a_step: 'text';
  /** `{option}` is no switch; say with which value to try it, as in {option}=1 */
  not_a_switch: 'option';
  /** this is not a line of `polyply suite --json`: {reason} */
  not_an_attempt: 'reason';
  /** this is not GGF: there is no `(;` */
  not_ggf: never;
  /** a five-in-a-row variant is one of {known}, not `{name}` */
  not_in_family: 'known' | 'name';
  /** this is not a JSON object: {reason} */
  not_json: 'reason';
  /** only its owner may do that */
  not_owner: never;
  /** only the players of this game may do that */
  not_seated: never;
  /** this is not SGF: there is no `(` */
  not_sgf: never;
  /** the server can't write to its disk, so nothing was changed; try again in a moment */
  not_stored: never;
  /** it is not your turn */
  not_your_turn: never;
  /** there is nothing to learn from in these files */
  nothing_to_learn: never;
  /** `{variant}` has a board of one size, so it takes none */
  one_size: 'variant';
  /** `{square}` is no move: there is none, so it has to be `pass` */
  only_pass: 'square';
  /** by the opening rule the first stone goes in the centre */
  opening_centre: never;
  /** the opening is over: there is nothing left to choose */
  opening_chosen: never;
  /** by the opening rule your second stone must be at least {distance} points away from your first */
  opening_distance: 'distance';
  /** the game is over after it: {outcome} */
  opening_over: 'outcome';
  /** the opening is over: stones are placed by the players' turns */
  opening_placed: never;
  /** `{engine}` can be told openings as moves only, not as positions */
  openings_as_moves: 'engine';
  /** this is for the operator of the server; the settings have a field for the operator token */
  operator_only: never;
  /** the operator token in {path} has fewer than {least} characters; delete the file, and a new one is made */
  operator_token_short: 'path' | 'least';
  /** the option `{name}` is refused: {reason} */
  option_refused: 'name' | 'reason';
  /** the option `{name}` takes a whole number from {min} to {max}, not `{value}` */
  option_value: 'name' | 'min' | 'max' | 'value';
  /** the engine plays {expected}, and the board is of another game */
  other_game: 'expected';
  /** the side that is not to move is in check */
  other_in_check: never;
  /** {path} was begun with other settings ({names}); choose another file */
  other_settings: 'path' | 'names';
  /** requests from pages of other sites are not answered */
  other_site: never;
  /** no piece of the side to move can go to `{text}` */
  out_of_reach: 'text';
  /** the game is over: {outcome} */
  over: 'outcome';
  /** the path of this program is unknown: {reason} */
  own_path: 'reason';
  /** your own piece is on `{square}` */
  own_piece: 'square';
  /** there is no page `{path}` */
  page_unknown: 'path';
  /** a file of parameters has a table [parameters] of whole numbers: {reason} */
  params_refused: 'reason';
  /** a side passes only where it has no move */
  pass_needless: never;
  /** a side passes only when it has no move, and here there are some */
  pass_with_moves: never;
  /** pawn */
  pawn: never;
  /** a pawn stands on the first or last rank */
  pawn_rank: never;
  /** a persona is one of {known} */
  persona_unknown: 'known';
  /** a picture is {least} to {most} pixels wide */
  picture_width: 'least' | 'most';
  /** this {piece} has no move now */
  piece_stuck: 'piece';
  /** a {piece} can't go to `{square}` from there */
  piece_way: 'piece' | 'square';
  /** `{text}` is not a number of points */
  points_number: 'text';
  /** it is empty */
  position_empty: never;
  /** a position is its rows, the side to move and the stones captured, as in `… x 0 0` */
  position_fields: never;
  /** a position has at most {most} characters */
  position_long: 'most';
  /** the position `{text}` is refused: {reason} */
  position_refused: 'text' | 'reason';
  /** such a file holds positions of {variant}, not of {other} */
  positions_of: 'variant' | 'other';
  /** a protocol is one of {known}, not `{name}` */
  protocol_unknown: 'known' | 'name';
  /** the protocol {protocol} is for {known}, not for {variant} */
  protocol_variant: 'protocol' | 'known' | 'variant';
  /** it begins with `{heading} 15x15, 11:11, 0`, not `{text}` */
  psq_heading: 'heading' | 'text';
  /** {x},{y} is not on a board of size {size} */
  psq_point: 'x' | 'y' | 'size';
  /** a PSQ file cannot hold a game that began from a position */
  psq_position: never;
  /** there is no best move, no move to avoid, no win and no result to find */
  puzzle_open: never;
  /** queen */
  queen: never;
  /** the query of the address can't be read: {reason} */
  query_unread: 'reason';
  /** the plies without a new piece are 0 to 100, not `{text}` */
  quiet_plies: 'text';
  /** rank {rank} has {count} squares instead of 8 */
  rank_length: 'rank' | 'count';
  /** a move that was taken back by agreement can't be replayed */
  redo_agreed: never;
  /** no move was taken back */
  redo_nothing: never;
  /** a result is 1-0, 0-1, 1/2-1/2 or *, not `{text}` */
  result_unknown: 'text';
  /** there is no move to review */
  review_empty: never;
  /** the move must be one of the {most} that were judged */
  review_ply: 'most';
  /** there is no review `{id}` */
  review_unknown: 'id';
  /** rook */
  rook: never;
  /** a board has {rows} rows separated by `/`, not {count} */
  row_count: 'rows' | 'count';
  /** the row `{row}` has more than {size} cells */
  row_long: 'row' | 'size';
  /** the row `{row}` has {count} cells instead of {size} */
  row_short: 'row' | 'count' | 'size';
  /** a row is made of `x`, `o` and numbers, not `{sign}` */
  row_sign: 'sign';
  /** a rule is written key=value, not `{text}` */
  rule_form: 'text';
  /** the rule `{rule}` is one of {known}, not `{value}` */
  rule_value: 'rule' | 'known' | 'value';
  /** a move with its score is as in G8:+18, not `{text}` */
  scored_move: 'text';
  /** a search is restricted to at most {most} moves */
  search_moves: 'most';
  /** the other seat is still open */
  seat_open: never;
  /** this seat is taken */
  seat_taken: never;
  /** the second player has won */
  second_won: never;
  /** the second player has won by {points} */
  second_won_by: 'points';
  /** game {number} can't be played: {reason} */
  selfplay_broken: 'number' | 'reason';
  /** a sequential test needs two finite Elo differences, the smaller one first, as in 0,5 */
  sequential_elo: never;
  /** alpha and beta of a sequential test are above 0 and below 1 together */
  sequential_errors: never;
  /** a sequential test is elo0,elo1[,alpha,beta][,normalised], as in 0,5, not `{text}` */
  sequential_form: 'text';
  /** a sequential test is for two engines */
  sequential_two: never;
  /** the server has no room for more of this; try again later */
  server_full: never;
  /** `depth` is a number of plies from 1 to 255, not `{text}` */
  setting_depth: 'text';
  /** `nodes` is a number of nodes, not `{text}` */
  setting_nodes: 'text';
  /** `{setting}` is a time with its unit, as in 100ms or 2s, not `{text}` */
  setting_time: 'setting' | 'text';
  /** the settings are refused: {reason} */
  settings_refused: 'reason';
  /** its game is not known here (GM {number}) */
  sgf_game: 'number';
  /** it has no node */
  sgf_no_node: never;
  /** `{text}` is not a point on a board of size {size} */
  sgf_point: 'text' | 'size';
  /** a result is as in B+, W+T or 0, not `{text}` */
  sgf_result: 'text';
  /** the size of a board is a number, not `{text}` */
  sgf_size: 'text';
  /** it has no `)` at its end */
  sgf_unclosed: never;
  /** there is a value before the first property */
  sgf_value_first: never;
  /** a value has no `]` */
  sgf_value_unclosed: never;
  /** the side to move is missing; it is `{first}` or `{second}` */
  side_missing: 'first' | 'second';
  /** the side to move is `{first}` or `{second}`, not `{text}` */
  side_unknown: 'first' | 'second' | 'text';
  /** `{variant}` takes the size of the board as a number, as in `{variant}:15` */
  size_number: 'variant';
  /** the board size is {min} to {max}, not {size} */
  size_range: 'min' | 'max' | 'size';
  /** {reason} */
  snapshot_refused: 'reason';
  /** `x` has as many as `o` or one more, not {first} to {second} */
  stone_counts: 'first' | 'second';
  /** there are two stones on `{point}` */
  stone_twice: 'point';
  /** stones are to be placed ({left} more) before there is a choice */
  stones_first: 'left';
  /** only a game between engines can be stopped or paused; players resign */
  stop_people: never;
  /** personas are compared at a level from 1 to {most} */
  style_level: 'most';
  /** {reason} */
  table_refused: 'reason';
  /** a table has at most {most} megabytes here */
  table_size: 'most';
  /** the Syzygy tables in `{path}` can't be opened */
  tables_unopened: 'path';
  /** the tag `{tag}` has no end */
  tag_unclosed: 'tag';
  /** a theme is one of {known}, not `{name}` */
  theme_unknown: 'known' | 'name';
  /** this machine has {most} processors */
  thread_count: 'most';
  /** the side to move has three in a row already, so the other side can't have moved */
  three_already: never;
  /** a time control is moves/seconds+increment, as in 40/60+0.6, 10+0.1 or 1:30, or hourglass:seconds, not `{text}` */
  time_control: 'text';
  /** the time is over */
  time_over: never;
  /** it is time to choose ({choices}), not to place a stone */
  time_to_choose: 'choices';
  /** {text} ms is not a valid time */
  time_unknown: 'text';
  /** there are too many open connections; try again later */
  too_many_connections: never;
  /** {most} of your games between engines are running; stop one first */
  too_many_engine_games: 'most';
  /** you have {most} unfinished games here; finish or resign one first */
  too_many_games: 'most';
  /** after 100 half-moves without capture or pawn move it is a draw */
  too_many_halfmoves: never;
  /** too many lines are waiting for an answer */
  too_many_lines: never;
  /** at most {most} messages a second are read */
  too_many_messages: 'most';
  /** {most} of your reviews are running; wait until one is done */
  too_many_reviews: 'most';
  /** {most} programs are using engines already; try again later */
  too_many_sessions: 'most';
  /** too many games and pictures are waiting for their turn; try again in a moment */
  too_much_to_read: never;
  /** that was too much at once; try again in {seconds} seconds */
  too_often: 'seconds';
  /** the bounds of `{name}` leave no room: {min} to {max} */
  tune_bounds: 'name' | 'min' | 'max';
  /** a test function has 1 to 1000 dimensions, not {value} */
  tune_dimensions: 'value';
  /** only the built-in engine can be tuned, as in builtin:Hash=1, not `{engine}` */
  tune_engine: 'engine';
  /** {path}: line {line} does not follow from the lines before it */
  tune_journal: 'path' | 'line';
  /** this is not a line of the journal of a tuning */
  tune_line: never;
  /** there is nothing to tune; name parameters under [parameters] */
  tune_nothing: never;
  /** {path} was begun with other settings; choose another file */
  tune_other: 'path';
  /** `{name}` allows {min} to {max}, not {value} */
  tune_range: 'name' | 'min' | 'max' | 'value';
  /** `{setting}` of {method} is out of range */
  tune_setting: 'method' | 'setting';
  /** `{name}` begins at {value}, which is not between {min} and {max} */
  tune_start: 'name' | 'min' | 'max' | 'value';
  /** the step of `{name}` is {min} to {max}, not {value} */
  tune_step: 'name' | 'min' | 'max' | 'value';
  /** {path} already exists; add --resume to continue it */
  tune_there: 'path';
  /** there is no parameter or group `{name}`; groups are core, clock, game and prefixes as in lmr_* */
  tune_unknown: 'name';
  /** a match needs two engines or more */
  two_engines: never;
  /** the closing `{sign}` is missing */
  unclosed: 'sign';
  /** a game that was lost on time can't be taken back */
  undo_lost_on_time: never;
  /** nobody has asked to take a move back */
  undo_not_asked: never;
  /** you have no move to take back */
  undo_nothing: never;
  /** no move can be taken back before it is settled who plays first */
  undo_opening: never;
  /** after the position come bm, am and id, not `{code}` */
  unknown_operation: 'code';
  /** there is no option `{name}`; the main ones are Threads, Hash, EvalCache, MultiPV and OwnBook */
  unknown_option: 'name';
  /** there is no piece `{code}`, only {known} */
  unknown_piece: 'code' | 'known';
  /** {variant} has no rule `{rule}`, only: {known} */
  unknown_rule: 'variant' | 'rule' | 'known';
  /** there is no game `{name}`; there are {known} */
  unknown_variant: 'name' | 'known';
  /** `{key}` must be a list of moves, not {value} */
  value_moves: 'key' | 'value';
  /** `{key}` must be a text, not {value} */
  value_text: 'key' | 'value';
  /** `win` must be a number of plies, negative if the second player wins, not {value} */
  value_win: 'value';
  /** the name of a variant has at most {most} characters */
  variant_long: 'most';
  /** there is a variation before the first move */
  variation_first: never;
  /** a variation has no `)` */
  variation_unclosed: never;
  /** there is a `)` without its `(` */
  variation_unopened: never;
  /** variations are nested more than {most} deep */
  variations_deep: 'most';
  /** a row is made of `x`, `o`, `-` and digits, not `{sign}` */
  wall_row_sign: 'sign';
  /** the weights are refused: {reason} */
  weights_refused: 'reason';
  /** White */
  white: never;
  /** `win_length` is at most the board size, {size} */
  win_length: 'size';
  /** with {first} `x` and {second} `o` it is {side}'s turn */
  wrong_turn: 'first' | 'second' | 'side';
  /** this is not a WTHOR file: its board is not 8 by 8 */
  wthor_board: never;
  /** {number} is not a cell; cells are 11 to 88, row and column */
  wthor_cell: 'number';
  /** this is not a WTHOR file: its header is incomplete */
  wthor_header: never;
  /** this is not a WTHOR file: it announces {games} games, but has {bytes} bytes of them */
  wthor_length: 'games' | 'bytes';
  /** it has more than 60 moves */
  wthor_long: never;
  /** a WTHOR file holds games of {known} from the start */
  wthor_variant: 'known';
  /** a WTHOR file can only be written as a whole */
  wthor_whole: never;
}
