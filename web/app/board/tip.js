/** A sentence at a cell of a board, and one that explains something new once. */
import { el } from '../dom.js';
import { t } from '../i18n.js';
import { icon } from '../parts/icons.js';

/**
 * A sentence beside a place on the board, given in parts of its width and height.
 * @param {HTMLElement} board
 * @param {{x: number, y: number}} place from 0 to 1
 * @param {string} text
 * @param {string} [rules] where the rules are
 */
export function showTip(board, place, text, rules) {
  board.querySelector('.tip')?.remove();
  const tip = el('div', { class: `tip ${place.y < 0.5 ? 'tip-under' : 'tip-over'}`, role: 'status' },
    el('span', null, text), rules ? el('a', { href: rules }, t('nav.rules')) : null);
  tip.style.setProperty('--x', String(place.x));
  tip.style.setProperty('--y', String(place.y));
  board.append(tip);
}

const SEEN = 'polyply.seen';

/**
 * Explains something once in this browser, until it is closed or the board is used.
 * @param {HTMLElement} board
 * @param {HTMLElement} place where it is written
 * @param {string} what
 * @param {string} text
 */
export function explainOnce(board, place, what, text) {
  const seen = new Set((localStorage.getItem(SEEN) ?? '').split(' '));
  if (seen.has(what) || place.querySelector('.note')) return;
  const close = () => {
    localStorage.setItem(SEEN, [...seen, what].join(' ').trim());
    note.remove();
  };
  const note = el('div', { class: 'note', role: 'status' }, el('span', null, text),
    el('button', { class: 'icon plain', type: 'button', 'aria-label': t('close'), onclick: close }, icon('close')));
  place.prepend(note);
  board.addEventListener('pointerup', (event) => !note.contains(/** @type {Node} */ (event.target)) && close(), { once: true });
}
