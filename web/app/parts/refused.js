/** Why a tap on the board plays nothing, said at the cell. */
import { plainName, post } from '../api.js';
import { plainRefusal } from '../i18n.js';
import { announce } from './controls.js';

/** @import {GameBoard} from '../board/board.js' */
/** @import {Setup} from '../types.js' */

/**
 * @param {GameBoard} board
 * @param {Setup & {moves?: string[]}} place
 * @param {{cell: number, from?: number}} tap what the board's event `refused` tells
 */
export async function sayWhy(board, place, { cell, from }) {
  const view = board.view;
  const answer = await post('positions/refused', { ...place, to: cell, ...(from === undefined ? {} : { from }) }).catch(() => null);
  // The board may have moved on meanwhile.
  if (!answer?.refusal || board.view !== view) return;
  const text = plainRefusal(answer.refusal);
  board.say(cell, text, `#/rules/${plainName(place.variant)}`);
  announce(text);
}
