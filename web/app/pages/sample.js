/** A corner of a board with a few pieces, as the picture of a game. */
import { GameBoard } from '../board/board.js';

/** @import {Variant, View} from '../types.js' */

/** Where pieces stand in the picture, by what they stand on. */
const PICTURES = {
  points: ['.....', '.ox..', '.xxo.', '..ox.', '....x'],
  squares: ['....', '.xo.', '.oxx', '..o.'],
  columns: ['.....', '.....', '..o..', '.xxo.', 'oxoxx'],
};

/** @param {Variant} variant */
export function sampleBoard(variant) {
  const { surface, checkered, pieces } = variant.board;
  const men = pieces === 'chessmen';
  const rows = men ? ['....', '.x..', '..o.', '....'] : variant.board.columns < 4 ? ['x..', '.o.', '..x'] : PICTURES[surface];
  const columns = rows[0]?.length ?? 0;
  const cells = rows.flatMap((row) => [...row]).map((code) =>
    code === '.' ? null : !men ? code : code === 'x' ? 'wN' : 'bQ');
  /** @type {View} */
  const view = {
    variant: variant.name, text: '', side: 'first', cells, legal: [], last: [], line: [], forbidden: [], counters: {}, outcome: null,
    board: { surface, checkered, pieces, columns, rows: rows.length, coordinates: { columns: [], rows: [] } },
  };
  const board = new GameBoard();
  board.setAttribute('small', '');
  board.show({ variant, view });
  return board;
}
