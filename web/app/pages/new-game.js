/** A new game: the choices, remembered for the next time, and the request to the server. */
import { get, keepSeats, post, variantOf } from '../api.js';
import { gamePath, go } from '../links.js';
import { levelFor } from '../rating.js';
import { settings } from '../settings.js';

/** @import {Seat, Setup, Side, Variant} from '../types.js' */

/** A minute each; what one takes goes to the other. */
export const HOURGLASS = 'hourglass';

/**
 * @typedef {object} Wish
 * @property {string} variant plain name
 * @property {Record<string, number>} sizes by variant
 * @property {Record<string, Record<string, string>>} rules by variant
 * @property {'engine'|'screen'|'link'|'engines'} opponent
 * @property {number} level
 * @property {number} other level of the second engine
 * @property {'first'|'second'|'random'} colour
 * @property {string} clock as `3+2`, minutes and seconds, or empty
 * @property {boolean} adaptive the level follows the person's strength
 * @property {string} persona the engine's style, or empty
 * @property {Record<string, string>} starts by variant: empty, `fair`, `handicap key` or `opening name`
 * @property {boolean} listed everybody sees the invitation
 * @property {boolean} details clock, board and rules are shown
 * @property {Record<string, string>} moveTimes by variant: milliseconds of a move of the engine, or empty for what its level needs
 */

export const CLOCKS = ['', '1+0', '3+0', '3+2', '5+0', '7+5', '15+10', HOURGLASS];
export const MOVE_TIMES = ['', '100', '500', '1000', '3000', '10000', '30000', '60000'];

const KEY = 'polyply.wish';

/** @returns {Wish} */
export function lastWish() {
  /** @type {Wish} */
  const wish = { variant: '', sizes: {}, rules: {}, opponent: 'engine', level: 3, adaptive: false, persona: '', starts: {}, other: 5, colour: 'first', clock: '', listed: false, details: false, moveTimes: {} };
  try {
    return { ...wish, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return wish;
  }
}

/** @param {Wish} wish */
export function keepWish(wish) {
  localStorage.setItem(KEY, JSON.stringify(wish));
}

/**
 * The variant with its size and the rules that differ from its own.
 * @param {Wish} wish
 * @param {Variant} variant
 * @returns {Setup}
 */
export function setupOf(wish, variant) {
  const size = wish.sizes[variant.name];
  const usual = variant.board.sizes?.[2];
  const chosen = wish.rules[variant.name] ?? {};
  const rules = variant.rules.flatMap(({ key, default: usually }) => {
    const value = chosen[key];
    return value !== undefined && value !== usually ? [`,${key}=${value}`] : [];
  });
  return { variant: `${variant.name}${size && size !== usual ? `:${size}` : ''}${rules.join('')}` };
}

/** @param {string} text @returns {{initial_ms: number, increment_ms: number, hourglass?: boolean}|undefined} */
export function clockOf(text) {
  if (text === HOURGLASS) return { initial_ms: 60000, increment_ms: 0, hourglass: true };
  const [minutes, seconds] = text.split('+').map(Number);
  return text === '' || minutes === undefined ? undefined : { initial_ms: minutes * 60000, increment_ms: (seconds ?? 0) * 1000 };
}

/** The engine's time for a move, in milliseconds: as chosen, or as the game has it. @param {Wish} wish @param {Variant} variant */
export function moveTime(wish, variant) {
  return wish.moveTimes[variant.name] ?? String(variant.move_ms ?? '');
}

/** The level to play at: the chosen one, or one that suits the person. @param {Wish} wish @param {Variant} variant */
export function wishedLevel(wish, variant) {
  return wish.adaptive && wish.opponent === 'engine' ? levelFor(variant) : wish.level;
}

/** @param {Wish} wish @param {Variant} variant @returns {{first: Seat, second: Seat}} */
function seats(wish, variant) {
  /** @type {Seat} */
  const engine = { kind: 'engine', level: wishedLevel(wish, variant), ...(wish.persona && wish.opponent === 'engine' ? { persona: wish.persona } : {}) };
  /** @type {Seat} */
  const person = { kind: 'person', ...(settings.value.name && wish.opponent === 'link' ? { name: settings.value.name } : {}) };
  if (wish.opponent === 'screen') return { first: person, second: person };
  if (wish.opponent === 'engines') return { first: engine, second: { kind: 'engine', level: wish.other } };
  /** @type {Seat} */
  const other = wish.opponent === 'engine' ? engine : { kind: 'open' };
  /** @type {Side} */
  const mine = wish.colour === 'random' ? (Math.random() < 0.5 ? 'first' : 'second') : wish.colour;
  return mine === 'first' ? { first: person, second: other } : { first: other, second: person };
}

/**
 * Creates the game and goes there.
 * @param {Wish} wish
 * @param {Setup} setup
 * @param {string[]} [moves]
 */
export async function startGame(wish, setup, moves) {
  keepWish(wish);
  const clock = clockOf(wish.clock);
  const variant = variantOf(setup.variant);
  const time = clock ? '' : moveTime(wish, variant);
  const start = moves?.length || setup.position ? {} : await startOf(wish, setup, variant);
  const made = await post('games', { ...setup, ...(moves?.length ? { moves } : {}), ...start, ...seats(wish, variant), ...(clock ? { clock } : {}), ...(time ? { move_ms: Number(time) } : {}), ...(wish.opponent === 'link' && wish.listed ? { listed: true } : {}) });
  keepSeats(made.game.id, made.seat_tokens);
  go(`game/${made.game.id}`);
}

/**
 * Where the game starts, if not as usual.
 * @param {Wish} wish
 * @param {Setup} setup
 * @param {Variant} variant
 * @returns {Promise<{position?: string, moves?: string[]}>}
 */
async function startOf(wish, setup, variant) {
  const [kind, ...rest] = (wish.starts[variant.name] ?? '').split(' ');
  const name = rest.join(' ');
  if (kind === 'fair') return post('positions/fair', { variant: setup.variant });
  if (kind === 'handicap') {
    const position = variant.handicaps.find(({ key }) => key === name)?.position;
    return position ? { position } : {};
  }
  if (kind !== 'opening') return {};
  const openings = await get(`variants/${encodeURIComponent(variant.name)}/openings`);
  const moves = openings.find((/** @type {{name: string}} */ opening) => opening.name === name)?.moves;
  return moves ? { moves } : {};
}

/** @param {Setup} setup */
export function analyse(setup) {
  go(gamePath('analyse', setup));
}
