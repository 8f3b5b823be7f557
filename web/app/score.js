/** Scores as people read them; always from the first player's side. */
import { number } from './i18n.js';

/** @import {Score, Variant} from './types.js' */

/** Proven wins that are more plies away have no known distance: endgame tables do not tell it. */
const COUNTED = 500;

/**
 * `+0.35`, `+4` discs, `#4` if the first player wins with the fourth move from here, `#-4` if the second does: people
 * count the winner's moves, the server counts plies. `#+` and `#-` are wins at an unknown distance.
 * @param {Score|null|undefined} score
 */
export function scoreText(score) {
  if (!score) return '–';
  if (score.win !== undefined && Math.abs(score.win) > COUNTED) return `#${score.win < 0 ? '-' : '+'}`;
  if (score.win !== undefined) return `#${score.win < 0 ? '-' : ''}${Math.ceil(Math.abs(score.win) / 2)}`;
  if (score.discs !== undefined) return signed(score.discs, 0);
  return signed((score.cp ?? 0) / 100, 2);
}

/** How a game has ended: `1–0`, `½–½`, or the difference of points. @param {import('./types.js').Outcome} outcome */
export function resultText({ winner, points }) {
  if (points !== undefined) return signed(points, 0);
  return winner === null ? '½–½' : winner === 'first' ? '1–0' : '0–1';
}

/** The first player's share of a game that is over. @param {import('./types.js').Outcome} outcome */
export function resultShare({ winner }) {
  return winner === null ? 0.5 : winner === 'first' ? 1 : 0;
}

/** A score for a cell, where there is little room. @param {Score} score */
export function cellText(score) {
  return score.cp === undefined ? scoreText(score) : signed(score.cp / 100, Math.abs(score.cp) < 1000 ? 1 : 0);
}

/** A number with its sign; nothing has none. @param {number} value @param {number} digits */
export function signed(value, digits) {
  const shown = Number(value.toFixed(digits));
  return `${shown > 0 ? '+' : shown < 0 ? '−' : ''}${number(Math.abs(shown), digits)}`;
}

/**
 * The first player's chance of winning, from 0 to 1.
 * @param {Score|null|undefined} score
 * @param {Variant} variant
 */
export function winChance(score, variant) {
  if (!score) return 0.5;
  if (score.win !== undefined) return score.win > 0 || Object.is(score.win, 0) ? 1 : 0;
  return 1 / (1 + Math.exp(-(score.discs ?? score.cp ?? 0) / variant.chance));
}

/** A number to compare scores by. @param {Score} score */
export function scoreOrder(score) {
  if (score.win !== undefined) return score.win > 0 ? 1e6 - score.win : -1e6 - score.win;
  return score.discs ?? score.cp ?? 0;
}
