/** How strong the person plays, game by game: Glicko-2 over the games against the engine on this device. Nothing leaves it. */

/** @import {GameState, Variant} from './types.js' */

/**
 * @typedef {{at: number, level: number, opponent: number, result: number, rating: number}} RatedGame result is 0, ½ or 1
 *
 * @typedef {object} Rating
 * @property {number} rating
 * @property {number} deviation
 * @property {number} volatility
 * @property {RatedGame[]} history the newest last
 * @property {string[]} [seen] the games that count already
 */

const KEY = 'polyply.ratings';
/** Glicko-2's own scale, as in Glickman's "Example of the Glicko-2 system". */
const SCALE = 173.7178;
const TAU = 0.5;
const OPPONENT_DEVIATION = 60;
const LEAST_DEVIATION = 45;
const KEPT = 100;

/** @returns {Record<string, Rating>} by the plain name of the variant */
function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/** Whoever has not played yet is taken for a casual player. @param {Variant} variant @returns {Rating} */
export function ratingOf(variant) {
  return stored()[variant.name] ?? { rating: variant.levels[2]?.elo ?? 1000, deviation: 350, volatility: 0.06, history: [] };
}

/** The level whose strength is nearest to the person's. @param {Variant} variant */
export function levelFor(variant) {
  const { rating } = ratingOf(variant);
  const distance = (/** @type {{elo: number}} */ { elo }) => Math.abs(elo - rating);
  return variant.levels.reduce((best, level) => (distance(level) < distance(best) ? level : best)).level;
}

/**
 * The rating after a game.
 * @param {{rating: number, deviation: number, volatility: number}} player
 * @param {number} opponent
 * @param {number} result
 */
export function rated({ rating, deviation, volatility }, opponent, result) {
  const phi = deviation / SCALE;
  const g = 1 / Math.sqrt(1 + (3 * (OPPONENT_DEVIATION / SCALE) ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + Math.exp((-g * (rating - opponent)) / SCALE));
  const variance = 1 / (g * g * expected * (1 - expected));
  const change = variance * g * (result - expected);
  const sigma = newVolatility(phi, volatility, variance, change);
  const wide = phi * phi + sigma * sigma;
  const narrow = 1 / Math.sqrt(1 / wide + 1 / variance);
  return {
    rating: rating + SCALE * narrow * narrow * g * (result - expected),
    deviation: Math.max(LEAST_DEVIATION, narrow * SCALE),
    volatility: sigma,
  };
}

/** Step 5 of the paper: where f is zero, by the Illinois method. @param {number} phi @param {number} sigma @param {number} variance @param {number} change */
function newVolatility(phi, sigma, variance, change) {
  const a = Math.log(sigma * sigma);
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x);
    const sum = phi * phi + variance + e;
    return (e * (change * change - sum)) / (2 * sum * sum) - (x - a) / (TAU * TAU);
  };
  let low = a;
  let high = change * change > phi * phi + variance ? Math.log(change * change - phi * phi - variance) : a - TAU;
  for (let tries = 0; change * change <= phi * phi + variance && f(high) < 0 && tries < 100; tries++) high -= TAU;
  let [atLow, atHigh] = [f(low), f(high)];
  for (let tries = 0; Math.abs(high - low) > 1e-6 && tries < 100; tries++) {
    const next = low + ((low - high) * atLow) / (atHigh - atLow);
    const value = f(next);
    if (value * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [next, value];
  }
  return Math.exp(low / 2);
}

/**
 * Counts a finished game against the engine, once. Games from a handicap, with moves taken back or with hints tell little of
 * strength, and do not count.
 * @param {GameState} state
 * @param {Variant} variant
 * @param {'won'|'drawn'|'lost'} outcome
 * @returns {{before: number, after: number}|null}
 */
export function countGame(state, variant, outcome) {
  const engine = [state.seats.first, state.seats.second].find(({ kind }) => kind === 'engine');
  const opponent = variant.levels.find(({ level }) => level === (engine?.level ?? 10))?.elo;
  const all = stored();
  const rating = ratingOf(variant);
  if (!engine || opponent === undefined || state.position || rating.seen?.includes(state.id)) return null;
  const result = { won: 1, drawn: 0.5, lost: 0 }[outcome];
  const next = rated(rating, opponent, result);
  const game = { at: Date.now(), level: engine.level ?? 10, opponent, result, rating: Math.round(next.rating) };
  all[variant.name] = { ...next, history: [...rating.history, game].slice(-KEPT), seen: [...(rating.seen ?? []), state.id].slice(-KEPT) };
  localStorage.setItem(KEY, JSON.stringify(all));
  return { before: rating.rating, after: next.rating };
}

/** Forgets what is known of the person. */
export function forgetRatings() {
  localStorage.removeItem(KEY);
}
