/** Names of the marks that a review gives moves. */

/** @import {Quality} from './types.js' */

/** @type {Record<Quality, string>} */
const NAMES = { '!!': 'brilliant', '!': 'good', '': 'fine', '?!': 'doubtful', '?': 'mistake', '??': 'blunder' };

/** @param {Quality} quality */
export function qualityName(quality) {
  return NAMES[quality] ?? 'fine';
}

/** The marks from best to worst. */
export const QUALITIES = /** @type {Quality[]} */ (Object.keys(NAMES));

/** @param {Quality} quality */
export function isMistake(quality) {
  return quality.startsWith('?');
}
