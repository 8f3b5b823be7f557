/** Ideas behind moves in the words of players: what a move overlooked or gave away, which kind of move a hint is about. */
import { el } from '../dom.js';
import { named, t } from '../i18n.js';
import { moveNumber } from './move-tree.js';

/** @import {ReviewedMove, Variant} from '../types.js' */

/** The name of an idea: "the open three", "a corner". @param {string} motif */
export function motifName(motif) {
  return named(`motif.${motif}`, motif.replaceAll('_', ' '));
}

/** Why a move was a mistake, as a sentence. @param {ReviewedMove} move */
export function whySentence(move) {
  const best = (move.shown ?? move).best;
  if (!move.why) return best ? t('why.better', { move: best }) : '';
  const { mistake, motif, cell } = move.why;
  return t(mistake === 'gave' ? 'why.gave' : 'why.overlooked', { what: motifName(motif), cell: cell ?? best });
}

/** Where on the board a cell is: "upper left". @param {number} cell @param {Variant} variant @param {boolean} turned */
export function regionName(cell, { board: { columns, rows } }, turned) {
  const third = (/** @type {number} */ at, /** @type {number} */ of) => Math.min(2, Math.floor((3 * at) / of));
  let [row, column] = [third(Math.floor(cell / columns), rows), third(cell % columns, columns)];
  if (turned) [row, column] = [2 - row, 2 - column];
  const name = /** @type {const} */ ([
    ['region.upper-left', 'region.upper', 'region.upper-right'],
    ['region.left', 'region.middle', 'region.right'],
    ['region.lower-left', 'region.lower', 'region.lower-right'],
  ])[row]?.[column];
  return t(name ?? 'region.middle');
}

/** The three moves of a side, or of both, that cost most, in the order of the game. @param {ReviewedMove[]} moves @param {'first'|'second'|null} side */
function moments(moves, side) {
  const costly = moves.map((move, at) => ({ move, ply: at + 1 })).filter(({ move }) => (side === null || move.side === side) && move.win_chance_drop >= 0.05);
  return costly.sort((one, other) => other.move.win_chance_drop - one.move.win_chance_drop).slice(0, 3).sort((one, other) => one.ply - other.ply);
}

/**
 * The moments that decided a game.
 * @param {ReviewedMove[]} moves
 * @param {'first'|'second'|null} side
 * @param {(ply: number) => void} show
 */
export function momentList(moves, side, show) {
  const found = moments(moves, side);
  return el('section', { class: 'moments', 'aria-label': t('moments.title') }, el('h2', null, t('moments.title')),
    found.length === 0 ? el('p', { class: 'dim small' }, t('moments.none')) : el('ol', null, ...found.map(({ move, ply }) => el('li', null,
      el('button', { class: 'plain', onclick: () => show(ply) }, el('b', null, `${moveNumber(ply)} ${(move.shown ?? move).text}`), ' ', whySentence(move))))));
}
