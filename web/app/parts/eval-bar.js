/** `<eval-bar>`: the first player's chance of winning as a bar, with the score. */
import { el } from '../dom.js';
import { t } from '../i18n.js';
import { cellText, resultShare, resultText, scoreText, winChance } from '../score.js';

/** @import {Score, Variant} from '../types.js' */

/** What stands for the first player has the colour of his pieces, where it can. @param {Variant} variant */
export function firstShade(variant) {
  return { white: 'light', red: 'red' }[variant.sides[0].name] ?? 'dark';
}

export class EvalBar extends HTMLElement {
  #share = el('div', { class: 'share' });
  #text = el('output');

  connectedCallback() {
    if (!this.hasAttribute('role')) this.append(this.#share, el('div', { class: 'middle' }), this.#text);
    this.setAttribute('role', 'meter');
    this.setAttribute('aria-label', t('bar.label'));
    this.setAttribute('aria-valuemin', '0');
    this.setAttribute('aria-valuemax', '100');
  }

  /**
   * @param {Score|null|undefined} score
   * @param {Variant} variant
   * @param {import('../types.js').Outcome|null} [outcome] of a game that is over
   */
  show(score, variant, outcome) {
    const chance = outcome ? resultShare(outcome) : winChance(score, variant);
    this.#share.style.setProperty('--chance', chance.toFixed(4));
    this.#text.textContent = outcome ? resultText(outcome) : score ? cellText(score) : '';
    this.dataset['ahead'] = chance >= 0.5 ? 'first' : 'second';
    this.dataset['shade'] = firstShade(variant);
    this.setAttribute('aria-valuenow', String(Math.round(chance * 100)));
    this.setAttribute('aria-valuetext', outcome ? resultText(outcome) : scoreText(score));
  }
}

customElements.define('eval-bar', EvalBar);
