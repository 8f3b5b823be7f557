/**
 * `<setup-editor>`: sets up a position. The board reports cells, the server checks the position.
 * Events: `change` (detail: a view to show), `done` (detail: the text of the position).
 */
import { pieceName, sideName } from '../board/board.js';
import { pieceCodes, pieceTile } from '../board/pieces.js';
import { post } from '../api.js';
import { el, svg } from '../dom.js';
import { named, t } from '../i18n.js';
import { errorText, segments, select, toggle } from './controls.js';

/** @import {Setup, Side, Unseen, Variant, View} from '../types.js' */

export class SetupEditor extends HTMLElement {
  /** @type {{setup: Setup, variant: Variant, view: View}|null} */
  #of = null;
  /** @type {(string|null)[]} */
  #cells = [];
  /** @type {Side} */
  #side = 'first';
  /** @type {string|null} */
  #hand = null;
  /** What was chosen of what pieces do not show. @type {Record<string, string>} */
  #chosen = {};
  #unseen = el('div', { class: 'unseen-fields' });
  #message = el('p', { class: 'small', role: 'alert' });
  #text = el('input', { type: 'text', 'aria-label': t('setup.text'), class: 'grow' });

  /** @param {Setup} setup @param {Variant} variant @param {View} view */
  begin(setup, variant, view) {
    this.#of = { setup, variant, view };
    this.#chosen = {};
    this.#cells = [...view.cells];
    this.#side = view.side;
    this.#drawUnseen(view.unseen ?? []);
    const codes = pieceCodes(variant);
    this.#hand = codes[0] ?? null;
    this.#text.value = view.text;
    this.className = 'column padded';
    const palette = [...codes, null].map((code) => {
      const button = el('button', {
        class: 'icon', 'aria-pressed': String(code === this.#hand), 'aria-label': pieceName(code, variant), title: pieceName(code, variant),
        onclick: () => {
          this.#hand = code;
          for (const other of palette) other.setAttribute('aria-pressed', String(other === button));
        },
      }, code ? pieceTile(code, variant) : svg('svg', { viewBox: '-52 -52 104 104' }, svg('path', { class: 'icon-path', d: 'M-25 -25L25 25M25 -25L-25 25' })));
      return button;
    });
    this.replaceChildren(
      el('h2', null, t('setup.title')),
      // A row of pieces for each side.
      el('div', { class: codes.length > 2 ? 'palette palette-sides' : 'palette' }, ...palette),
      segments(t('setup.side'), [{ value: 'first', text: sideName(variant, 'first') }, { value: 'second', text: sideName(variant, 'second') }], this.#side, (side) => {
        this.#side = /** @type {Side} */ (side);
        this.#check();
      }),
      this.#unseen,
      el('div', { class: 'row' }, this.#text, el('button', { onclick: () => this.#read() }, t('setup.read'))),
      this.#message,
      el('div', { class: 'row' },
        el('button', { class: 'primary', onclick: () => this.#finish() }, t('setup.done')),
        el('button', { onclick: () => this.#clear() }, t('setup.clear')),
        el('button', { onclick: () => this.dispatchEvent(new CustomEvent('done', { detail: null })) }, t('cancel'))));
    this.#show();
  }

  /** A cell of the board was chosen. @param {number} cell */
  put(cell) {
    this.#cells[cell] = this.#cells[cell] === this.#hand ? null : this.#hand;
    this.#check();
  }

  /** @param {Unseen[]} unseen */
  #drawUnseen(unseen) {
    this.#chosen = { ...this.#chosen, ...Object.fromEntries(unseen.map(({ key, value }) => [key, value])) };
    this.#unseen.replaceChildren(...unseen.map(({ key, value, values }) => {
      const [label, choose] = [named(`unseen.${key}`, key), (/** @type {string} */ wanted) => {
        this.#chosen[key] = wanted;
        this.#check();
      }];
      if (values.join() === 'no,yes') return toggle(label, value === 'yes', (on) => choose(on ? 'yes' : 'no'));
      return select(label, values.map((one) => ({ value: one, text: one === '-' ? '–' : one })), value, choose);
    }));
  }

  #clear() {
    this.#cells = this.#cells.map(() => null);
    this.#check();
  }

  /** Shows the cells as they are, a position or not. */
  #show() {
    if (!this.#of) return;
    const view = { ...this.#of.view, cells: [...this.#cells], side: this.#side, legal: [], last: [], line: [], forbidden: [], checked: [], outcome: null };
    this.dispatchEvent(new CustomEvent('change', { detail: view }));
  }

  /** @returns {Promise<string|null>} the text of the position, if it is one */
  async #check() {
    this.#show();
    if (!this.#of) return null;
    const { variant } = this.#of.setup;
    try {
      const view = await post('positions/arranged', { variant, cells: this.#cells, side: this.#side, unseen: this.#chosen });
      this.#drawUnseen(view.unseen ?? []);
      this.#message.textContent = '';
      this.#text.value = view.text;
      return view.text;
    } catch (error) {
      this.#message.textContent = errorText(error);
      return null;
    }
  }

  async #finish() {
    const text = await this.#check();
    if (text !== null) this.dispatchEvent(new CustomEvent('done', { detail: text }));
  }

  /** Takes the position from its text. */
  async #read() {
    if (!this.#of) return;
    const { variant } = this.#of.setup;
    try {
      /** @type {View} */
      const view = await post('positions', { variant, position: this.#text.value });
      this.#cells = [...view.cells];
      this.#side = view.side;
      this.#drawUnseen(view.unseen ?? []);
      this.#message.textContent = '';
      this.#show();
    } catch (error) {
      this.#message.textContent = errorText(error);
    }
  }
}

customElements.define('setup-editor', SetupEditor);
