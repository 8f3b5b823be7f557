/** What boards and pieces are made of, as chosen in the settings. */
import { named } from '../i18n.js';
import { settings } from '../settings.js';

/** @import {Variant} from '../types.js' */

/**
 * Notes on an element what its board and pieces are made of; the style sheet does the rest. By themselves they are what
 * people of the language play the game on: the words of the games say so.
 * @param {HTMLElement|SVGElement} element
 * @param {Variant} variant
 */
export function showTheme(element, variant) {
  const { board, pieces } = settings.value;
  const place = board === 'auto' ? named(`board.${variant.name}`, 'wood') : board;
  element.dataset['board'] = place;
  element.dataset['pieces'] = pieces === 'auto' ? (place === 'paper' ? 'marks' : 'classic') : pieces;
}
