/** What boards and pieces are made of, as chosen in the settings. */
import { plainName } from '../api.js';
import { named } from '../i18n.js';
import { settings } from '../settings.js';

/** @import {Variant} from '../types.js' */

/**
 * By themselves board and pieces are what people of the language play the game on: the words of the games say so.
 * @param {Variant} variant
 */
export function themeOf(variant) {
  const { board, pieces } = settings.value;
  const place = board === 'auto' ? named(`board.${plainName(variant.name)}`, 'wood') : board;
  return { board: place, pieces: pieces === 'auto' ? (place === 'paper' ? 'marks' : 'classic') : pieces };
}

/**
 * Notes on an element what its board and pieces are made of; the style sheet does the rest.
 * @param {HTMLElement|SVGElement} element
 * @param {Variant} variant
 */
export function showTheme(element, variant) {
  Object.assign(element.dataset, themeOf(variant));
}
