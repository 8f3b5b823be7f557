/** What is known of the person's strength in a game: both numbers and their history. */
import { el, svg } from '../dom.js';
import { day, number, t } from '../i18n.js';
import { forgetRatings, ratingOf } from '../rating.js';
import { ask, openDialog } from './controls.js';

/** @import {Variant} from '../types.js' */

const WIDTH = 320;
const HEIGHT = 90;

/** The person's strength in a few words. @param {Variant} variant */
export function strengthText(variant) {
  const { rating, deviation, history } = ratingOf(variant);
  if (history.length === 0) return t('rating.none');
  return t('rating.you', { rating: number(rating), error: number(2 * deviation), games: history.length });
}

/** @param {Variant} variant @param {() => void} changed */
export function openRating(variant, changed) {
  const { history } = ratingOf(variant);
  const rows = history.slice(-12).reverse().map((game) => el('tr', null,
    el('td', null, day(game.at)), el('td', null, `${t('level', { level: game.level })} (${number(game.opponent)})`),
    el('td', null, t(game.result === 1 ? 'rating.won' : game.result === 0 ? 'rating.lost' : 'rating.drawn')),
    el('td', { class: 'figure' }, number(game.rating))));
  const dialog = openDialog(t('rating.title'),
    el('p', null, strengthText(variant)), el('p', { class: 'dim small' }, t('rating.about')),
    ...(history.length > 1 ? [curve(history.map(({ rating }) => rating), history.map(({ opponent }) => opponent))] : []),
    ...(rows.length ? [el('table', null, el('tbody', null, ...rows)),
      el('button', { onclick: () => { dialog.close(); ask(t('rating.forget.sure'), t('rating.forget'), () => { forgetRatings(); changed(); }, 'danger'); } }, t('rating.forget'))] : []));
}

/** The person's strength as a line, the opponents' as dots. @param {number[]} own @param {number[]} others */
function curve(own, others) {
  const all = [...own, ...others];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (/** @type {number} */ at) => (own.length > 1 ? (at / (own.length - 1)) * (WIDTH - 8) + 4 : WIDTH / 2);
  const y = (/** @type {number} */ value) => HEIGHT - 4 - ((value - low) / Math.max(1, high - low)) * (HEIGHT - 8);
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'rating-curve', role: 'img', 'aria-label': t('rating.title') },
    ...others.map((value, at) => svg('circle', { cx: x(at), cy: y(value), r: 2, class: 'opponent' })),
    svg('polyline', { points: own.map((value, at) => `${x(at)},${y(value)}`).join(' ') }));
}
