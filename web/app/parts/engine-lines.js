/**
 * `<engine-lines>`: the reports of a search, one row per line.
 * Events: `preview` (detail: the moves of a line up to the one under the pointer, or null), `choose` (the same, clicked).
 */
import { el, onceAFrame } from '../dom.js';
import { named, number, short, t } from '../i18n.js';
import { scoreText } from '../score.js';

/** @import {Info} from '../types.js' */

export class EngineLines extends HTMLElement {
  #facts = el('div', { class: 'facts', 'aria-hidden': 'true' });
  #rows = el('ol');
  /** @type {string[]} */
  #drawn = [];
  /** The pointer or the focus is on the lines. They stay as they are until it leaves, so that nothing changes under it. */
  #held = false;
  /** What came meanwhile. @type {(() => void)|null} */
  #later = null;

  connectedCallback() {
    this.replaceChildren(this.#facts, this.#rows);
    this.#rows.addEventListener('pointerover', (event) => this.#tell('preview', event));
    this.#rows.addEventListener('focusin', (event) => this.#tell('preview', event));
    for (const end of ['pointerleave', 'focusout']) this.#rows.addEventListener(end, () => this.#letGo());
    this.#rows.addEventListener('click', (event) => {
      this.#tell('choose', event);
      this.#letGo();
    });
  }

  /** @param {string} name @param {Event} event */
  #tell(name, event) {
    const button = /** @type {HTMLElement} */ (event.target).closest('button');
    const moves = button?.dataset['moves'];
    if (!moves) return;
    this.#held = name === 'preview';
    this.dispatchEvent(new CustomEvent(name, { detail: moves.split(' ') }));
  }

  #letGo() {
    this.#held = false;
    this.#later?.();
    this.dispatchEvent(new CustomEvent('preview', { detail: null }));
  }

  /**
   * @param {Info|null} info
   * @param {number} rows how many there is room for
   * @param {string} [instead] what to say while there is nothing
   */
  show = onceAFrame((/** @type {Info|null} */ info, /** @type {number} */ rows, /** @type {string} */ instead = '') => {
    this.#facts.replaceChildren(...(info
      ? [
          fact(t('info.depth'), `${info.depth}/${info.seldepth}`),
          fact(t('info.nodes'), short(info.nodes)),
          fact(t('info.speed'), `${short(info.nps)}/s`),
          fact(t('info.time'), `${number(info.time_ms / 1000, 1)} s`),
          fact('', named(`stage.${info.stage}`, info.stage)),
        ]
      : [el('span', null, instead)]));
    this.#later = () => this.#list(info, rows);
    // What belongs to another position must go at once.
    if (!this.#held || !info) this.#later();
  });

  /** @param {Info|null} info @param {number} rows */
  #list(info, rows) {
    this.#later = null;
    this.#held = false;
    for (let row = 0; row < rows; row++) {
      const line = info?.lines[row];
      const shown = line?.shown ?? line?.moves ?? [];
      const text = line ? `${scoreText(line.score)} ${line.bound} ${shown.join(' ')}` : '';
      if (this.#drawn[row] === text && this.#rows.children[row]) continue;
      this.#drawn[row] = text;
      const item = el('li', null, line && el('span', { class: `worth ${lead(line.score)}` }, boundSign(line.bound) + scoreText(line.score)),
        line && el('span', { class: 'moves' }, ...line.moves.slice(0, 24).map((move, at) =>
          el('button', { 'data-moves': line.moves.slice(0, at + 1).join(' '), tabindex: at === 0 ? 0 : -1 }, shown[at] ?? move))));
      const old = this.#rows.children[row];
      if (old) old.replaceWith(item);
      else this.#rows.append(item);
    }
    while (this.#rows.children.length > rows) this.#rows.lastElementChild?.remove();
  }
}

/** @param {string} label @param {string} value */
function fact(label, value) {
  return el('span', null, label && `${label} `, el('b', null, value));
}

/** @param {import('../types.js').Score} score */
function lead(score) {
  return (score.win ?? score.discs ?? score.cp ?? 0) < 0 ? 'second' : 'first';
}

/** @param {string} bound */
function boundSign(bound) {
  return bound === 'at_least' || bound === 'lower' ? '≥' : bound === 'at_most' || bound === 'upper' ? '≤' : '';
}

customElements.define('engine-lines', EngineLines);
