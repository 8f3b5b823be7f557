/** From the text of a move to the cells it touches. */
import { cellName } from './geometry.js';

/** @import {BoardLook, View} from '../types.js' */
/** @import {Arrow} from './marks.js' */

/**
 * The cells of a move: from the list of legal moves, or from its text for a move that the other side would play.
 * @param {BoardLook} board
 * @param {View} view
 * @param {string} text
 * @returns {{from?: number, to: number}|null}
 */
export function moveCells(board, view, text) {
  const legal = view.legal.find((move) => move.text === text);
  if (legal) return legal.to === null ? null : { ...(legal.from === undefined ? {} : { from: legal.from }), to: legal.to };
  return namedCells(board, text);
}

/** @param {BoardLook} board @param {string} text */
function namedCells(board, text) {
  const names = new Map(Array.from({ length: board.columns * board.rows }, (_, cell) => [cellName(board, cell), cell]));
  const to = names.get(text);
  if (to !== undefined) return { to };
  for (let cut = 2; cut < text.length; cut++) {
    const from = names.get(text.slice(0, cut));
    for (const end of [text.length, text.length - 1]) {
      const target = names.get(text.slice(cut, end));
      if (from !== undefined && target !== undefined) return { from, to: target };
    }
  }
  return null;
}

/**
 * @param {BoardLook} board
 * @param {View} view
 * @param {string} text
 * @param {Arrow['kind']} kind
 * @returns {Arrow[]}
 */
export function moveArrow(board, view, text, kind) {
  const cells = moveCells(board, view, text);
  return cells ? [{ ...cells, kind }] : [];
}
