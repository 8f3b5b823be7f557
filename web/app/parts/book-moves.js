/**
 * `<book-moves>`: what the opening book knows of a position, one row per move; hidden if it knows nothing.
 * Event: `choose` (detail: the move that was clicked).
 */
import { el } from '../dom.js';
import { named, number, t } from '../i18n.js';
import { scoreText } from '../score.js';

/** @import {BookMove} from '../types.js' */

/** More moves than this are of no use beside the lines of the engine. */
const MOST = 6;

export class BookMoves extends HTMLElement {
  /** @param {BookMove[]} moves */
  show(moves) {
    this.classList.toggle('hidden', moves.length === 0);
    const head = ['book.move', 'book.score', 'book.share', 'book.games', 'book.source'];
    this.replaceChildren(el('table', null,
      el('caption', null, t('book.title')),
      el('thead', null, el('tr', null, ...head.map((key) => el('th', { scope: 'col' }, t(/** @type {any} */ (key)))))),
      el('tbody', null, ...moves.slice(0, MOST).map((move) => this.#row(move)))));
  }

  /** @param {BookMove} move */
  #row(move) {
    const games = move.won + move.drawn + move.lost;
    const button = el('button', null, move.shown ?? move.move);
    button.addEventListener('click', () => this.dispatchEvent(new CustomEvent('choose', { detail: move.move })));
    return el('tr', null,
      el('td', null, button),
      el('td', null, move.score ? scoreText(move.score) : '–'),
      el('td', null, `${number(100 * move.share, 0)} %`),
      el('td', null, games > 0 ? `${move.won} / ${move.drawn} / ${move.lost}` : '–'),
      el('td', null, named(`source.${move.source}`, move.source)));
  }
}

customElements.define('book-moves', BookMoves);
