/** How a game has ended, in the person's own terms. */
import { seatsOf } from '../api.js';
import { sideName } from '../board/board.js';
import { named, t } from '../i18n.js';

/** @import {GameState, Side, Variant} from '../types.js' */

/**
 * The side that this browser plays; none if it looks on, or plays both.
 * @param {GameState} state
 * @returns {Side|null}
 */
export function ownSide({ id, swapped }) {
  const { first, second } = seatsOf(id);
  if (Boolean(first) === Boolean(second)) return null;
  return Boolean(first) === !swapped ? 'first' : 'second';
}

/** How games end that nobody has won and that are no draw. */
const UNDECIDED = ['stopped', 'expired'];

/** Whether a game that is over has a result. @param {NonNullable<GameState['end']>} end */
export function isDecided(end) {
  return !UNDECIDED.includes(end.reason);
}

/**
 * What the end means for this browser's player.
 * @param {GameState} state
 * @returns {'won'|'lost'|'drawn'|'seen'}
 */
export function resultOf(state) {
  const mine = ownSide(state);
  if (!state.end || !isDecided(state.end)) return 'seen';
  if (state.end.winner === null) return 'drawn';
  if (mine === null) return 'seen';
  return state.end.winner === mine ? 'won' : 'lost';
}

/** How a game has ended, for whoever looks on. @param {import('../types.js').Outcome} outcome @param {Variant} variant */
export function resultSentence({ winner, reason: code }, variant) {
  const reason = named(`reason.${code}`, code);
  return winner === null ? t('end.drawn', { reason }) : t('play.won', { side: sideName(variant, winner), reason });
}

/** How a game stands or has ended, for this browser's player. @param {GameState} state @param {Variant} variant */
export function outcomeText(state, variant) {
  const { status, end } = state;
  if (!end) return t(`status.${status}`);
  if (!isDecided(end)) return t(`end.${/** @type {'stopped'|'expired'} */ (end.reason)}`);
  const result = resultOf(state);
  return result === 'seen' ? resultSentence(end, variant) : t(`end.${result}`, { reason: named(`reason.${end.reason}`, end.reason) });
}
