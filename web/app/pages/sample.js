/** A corner of a board with a few pieces, as the picture of a game. */
import { GameBoard } from '../board/board.js';

/** @import {Variant, View} from '../types.js' */

/** Where pieces stand in the picture, by what they stand on. */
const PICTURES = {
  points: [
    ['o....', '.xo..', '.oxx.', '..ox.', '....x'],
    ['...o.', 'xxxxx', '.ooo.', '..o..', '.....'],
    ['.o..x', '...x.', '..xo.', '.xo..', 'x.o..'],
    ['x....', '.o...', '..ox.', '.oox.', '...x.'],
  ],
  squares: [['....', '.xo.', '.oxx', '..o.']],
  columns: [['.....', '.....', '..o..', '.xxo.', 'oxoxx']],
};

/** @param {Variant} variant @param {number} at which of its kind it is, so that neighbours differ */
export function sampleBoard(variant, at) {
  const { surface, pieces } = variant.board;
  const men = pieces === 'chessmen';
  const rows = men ? ['....', '.x..', '..o.', '....'] : variant.board.columns < 4 ? ['x..', '.o.', '..x'] : PICTURES[surface][at % PICTURES[surface].length] ?? [];
  const columns = rows[0]?.length ?? 0;
  const cells = rows.flatMap((row) => [...row]).map((code) =>
    code === '.' ? null : !men ? code : code === 'x' ? 'wN' : 'bQ');
  /** @type {View} */
  const view = { variant: variant.name, text: '', side: 'first', cells, legal: [], last: [], line: [], forbidden: [], counters: {}, outcome: null };
  const board = new GameBoard();
  board.setAttribute('small', '');
  board.show({ variant: { ...variant, board: { ...variant.board, columns, rows: rows.length } }, view });
  return board;
}
