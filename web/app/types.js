/**
 * The server's messages as types: the parts of its OpenAPI document that the app reads.
 *
 * @typedef {'first'|'second'} Side
 *
 * @typedef {object} Refusal why the server does not do something
 * @property {string} code
 * @property {Record<string, string|number|Refusal>} args
 * @property {string} message the sentence in English
 *
 * @typedef {{cp?: number, win?: number, discs?: number}} Score from the first player's side
 *
 * @typedef {object} BoardLook
 * @property {'points'|'squares'|'columns'} surface
 * @property {number} columns
 * @property {number} rows
 * @property {[number, number, number]|null} [sizes] least, most, default
 * @property {{columns: string[], rows: string[]}} coordinates
 * @property {boolean} checkered
 * @property {boolean} walls a position may have walls, with the code `#`
 * @property {boolean} facing the second player sees the board turned
 * @property {'stones'|'discs'|'marks'|'chessmen'} pieces
 *
 * @typedef {{key: string, title: string, values: string[], default: string}} Rule
 *
 * @typedef {object} Variant
 * @property {string} name
 * @property {string} title
 * @property {string} description
 * @property {[{name: string, piece: string}, {name: string, piece: string}]} sides a name is a colour, a piece a code
 * @property {BoardLook} board
 * @property {Rule[]} rules
 * @property {string[]} counters
 * @property {'cp'|'discs'} score_unit
 * @property {number} chance the score that wins 73 % of the games
 * @property {boolean} value_on_cells
 * @property {{level: number, name: string, elo: number}[]} levels
 * @property {{name: string, levels: [number, number]}[]} personas
 * @property {{key: string, title: string, position: string, favours: Side}[]} handicaps
 * @property {number} named_openings
 * @property {number|null} [move_ms] how long the engine usually thinks about a move
 * @property {string[]} formats
 *
 * @typedef {object} Setup what is played, and where it starts
 * @property {string} variant with its size and rules: `caro:15,opening=swap2`
 * @property {string} [position]
 *
 * @typedef {{text: string, shown?: string, to: number|null, from?: number, promotes?: string}} Legal a pass goes nowhere
 *
 * @typedef {{key: string, value: string, values: string[]}} Unseen what pieces do not show: who may still castle, what was captured
 *
 * @typedef {{winner: Side|null, reason: string, points?: number}} Outcome how a game ended
 *
 * @typedef {object} View a position as it is shown
 * @property {string} variant
 * @property {string} text
 * @property {Side} side
 * @property {(string|null)[]} cells
 * @property {Legal[]} legal
 * @property {string[]} [shown] the moves to here as people write them, where that is another way
 * @property {number[]} last
 * @property {number[]} line
 * @property {number[]} forbidden
 * @property {number[]} [checked] what has to be saved at once: a king in check
 * @property {Record<string, [number, number]>} counters
 * @property {Unseen[]} [unseen]
 * @property {Outcome|null} outcome
 * @property {{acts: Side, place: number, choices: string[]}|null} [swap] what settles who plays first
 * @property {string|null} [opening]
 *
 * @typedef {{rank: number, score: Score, bound: string, moves: string[], shown?: string[], depth: number, exact: boolean}} Line
 *
 * @typedef {{move: string, shown?: string, score: Score|null, depth: number, source: string, share: number, won: number, drawn: number, lost: number}} BookMove
 *
 * @typedef {object} Info what a search says on its way
 * @property {number} depth
 * @property {number} seldepth
 * @property {number} nodes
 * @property {number} nps
 * @property {number} time_ms
 * @property {number} hashfull
 * @property {string} stage
 * @property {Line[]} lines
 *
 * @typedef {{kind: 'person'|'engine'|'open', name?: string|null, level?: number|null, persona?: string}} Seat
 * @typedef {{text: string, ms: number, score?: Score, depth?: number, stage?: string}} PlayedMove
 *
 * @typedef {object} GameState
 * @property {string} id
 * @property {number} version counts its changes
 * @property {number} created
 * @property {string} variant
 * @property {string|null} position
 * @property {string[]} given moves it began with
 * @property {{first: Seat, second: Seat}} seats
 * @property {{first_ms: number, second_ms: number, running: Side|null}|null} clock
 * @property {PlayedMove[]} moves
 * @property {View} view
 * @property {'waiting'|'playing'|'over'} status
 * @property {boolean} swapped the token of the first seat plays second
 * @property {number} undone moves that were taken back
 * @property {boolean} thinking the engine is asked for its move
 * @property {boolean} paused the engines rest
 * @property {{winner: Side|null, reason: string}|null} end
 * @property {{draw: Side|null, undo: Side|null, declined: {what: 'draw'|'undo', by: Side}|null}} offers
 * @property {string} [rematch_id]
 *
 * @typedef {{first: boolean, second: boolean, watching: number}} Presence who has a game open
 *
 * @typedef {{text: string, variant: Variant, view: View}} RulePart
 * @typedef {{task: string, variant: Variant, view: View, accepted: string[], praise: string}} Lesson
 * @typedef {{rules: RulePart[], lessons: Lesson[]}} Guide how a game is explained
 *
 * @typedef {''|'!!'|'!'|'?!'|'?'|'??'} Quality
 *
 * @typedef {object} ReviewedMove
 * @property {string} text
 * @property {Side} side
 * @property {Score} score_before
 * @property {Score} score_after
 * @property {string} best
 * @property {string[]} line
 * @property {{text: string, best: string, line: string[]}} [shown] the same as people write it, where that is another way
 * @property {number} win_chance_drop
 * @property {number} loss
 * @property {Quality} quality
 * @property {number} accuracy
 * @property {{mistake: 'overlooked'|'gave', motif: string, cell: string|null}} [why] what was wrong with it
 *
 * @typedef {{accuracy: number, counts: Record<string, number>}} SideSummary
 * @typedef {{move: string, note?: string, nags?: number[], variations?: AnnotatedMove[][]}} AnnotatedMove a move as a file has it
 *
 * @typedef {object} AnnotatedGame a game as a file has it
 * @property {[string, string]} players
 * @property {string} result
 * @property {string} [reason]
 * @property {string} [detail]
 * @property {string} [date]
 * @property {(number|null)[]} [left_ms]
 * @property {string} [comment]
 * @property {[string, string][]} [settings]
 * @property {AnnotatedMove[]} line
 *
 * @typedef {object} Review
 * @property {number} progress
 * @property {boolean} done
 * @property {'quick'|'normal'|'deep'} level_of_effort
 * @property {Outcome} [end] by the rules
 * @property {ReviewedMove[]} moves
 * @property {{first: SideSummary, second: SideSummary}} summary
 *
 * @typedef {{depth: string, probes: number, hit_rate: number}} DepthRate look-ups in the Search TT; the rate is per mille
 *
 * @typedef {object} EngineView an engine and its caches as they are now
 * @property {string} variant
 * @property {string|null} busy
 * @property {{live: number, analysis: number, matches: number, idle: number}} queue
 * @property {{search_tt: Record<string, number>, search_tt_by_depth: DepthRate[], eval_cache: Record<string, number>}} caches
 * @property {{last: number, mean: number, least: number, most: number, count: number}} times
 * @property {{depth: number, seldepth: number, nodes: number, nps: number, stage: string, score: Score, line: string[]}|null} last
 * @property {{resident: number|null, engines: number, limit: number}} memory of the process and of all engines, in bytes
 * @property {{on: boolean, share: number, on_battery: boolean, resting: boolean, done: boolean, steps: number, improved: number, queue: QueuedPosition[]}} idle
 *
 * @typedef {object} QueuedPosition a position that idle improvement will search
 * @property {string|null} position where the game started, if not as usual
 * @property {string[]} moves from there
 * @property {string[]|null} shown the same as people write them, where that is another way
 * @property {number} played how many of them were played; the others are likely
 * @property {'current'|'played'|'start'} reason
 * @property {number} known the depth it is known to
 * @property {number} target the depth it will be searched to
 *
 * @typedef {{name: string, help: string, kind: string, value: number, default: number, min: number, max: number}} Option
 *
 * @typedef {{depth: number, score: Score, bound: string, move: string|null, age: number}} TableEntry
 * @typedef {{text: string, entry: TableEntry|null, children: {move: string, entry: TableEntry}[]}} Lookup
 *
 * @typedef {{number: number, first: string, second: string, position: string|null, moves: string[], scores?: (Score|null)[], left_ms?: (number|null)[]}} LiveBoard a game of a match
 *
 * @typedef {object} Match
 * @property {string} id
 * @property {string|null} name
 * @property {string} variant
 * @property {string[]} players
 * @property {boolean} running
 * @property {boolean} resumable
 * @property {number} played
 * @property {number|null} games
 * @property {{wins: number, draws: number, losses: number}} score
 * @property {{value: number|null, error: number|null}|null} elo
 * @property {{name: string, score: Match['score'], elo: Match['elo'], faults: number}[]} standings
 * @property {{games: number, elo: number, error: number}[]} elo_series
 * @property {number[]} llr_series
 * @property {[number, number]|null} llr_bounds
 * @property {number} faults
 * @property {LiveBoard[]} boards
 * @property {Refusal|null} error why it ended early
 *
 * @typedef {object} PlayedGame a game of a match that has ended
 * @property {number} number
 * @property {string} first
 * @property {string} second
 * @property {string} result
 * @property {string} reason
 * @property {string|null} position
 * @property {string[]} moves
 */
/**
 * The fleet that helps the server.
 * @typedef {object} FleetStatus
 * @property {{name: string, threads: number, busy: number, done: number, faults: number, refused: Record<string, string>}[]} workers
 * @property {{id: string, title: string, state: 'running'|'paused'|'cancelled', pieces: number|null, progress: {done: number, dead: number, rate: number}|null, running: number, waiting: number}[]} jobs
 * @property {{job: string, number: number, tries: number, reason: string}[]} dead
 * @property {{job: string, worker: string, reason: string}[]} aside
 */

export {};
