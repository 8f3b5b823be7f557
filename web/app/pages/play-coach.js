/** Coaching while one plays: what the last move cost, and hints in three steps. */
import { post } from '../api.js';
import { el } from '../dom.js';
import { number, t } from '../i18n.js';
import { motifName, regionName, whySentence } from '../parts/words.js';
import { qualityName } from '../quality.js';

/** @import {Legal, ReviewedMove, Setup, Variant} from '../types.js' */

/** From this loss of the chance to win on, taking back is offered. */
const BLUNDER = 0.1;

/** Judges the person's last move; the newest question counts. */
export class Coach {
  #asked = 0;
  /** @type {ReviewedMove|null} */
  verdict = null;

  forget() {
    this.#asked++;
    this.verdict = null;
  }

  /** @param {Setup} setup @param {string[]} moves to the one that is judged @param {() => void} known */
  async judge(setup, moves, known) {
    this.forget();
    const asked = this.#asked;
    // A coach who is too busy says nothing.
    const verdict = await post('coach', { ...setup, moves }).catch(() => null);
    if (asked !== this.#asked || !verdict) return;
    this.verdict = verdict;
    known();
  }

  /** What is said below the board. @param {(() => void)|null} takeBack */
  words(takeBack) {
    const { verdict } = this;
    if (!verdict) return null;
    const name = qualityName(verdict.quality);
    const cost = Math.round(100 * verdict.win_chance_drop);
    const isBad = verdict.win_chance_drop >= BLUNDER;
    return [
      el('p', { class: 'coach grow' },
        el('b', null, (verdict.shown ?? verdict).text), ' ',
        verdict.quality ? el('span', { class: `quality quality-${name}` }, verdict.quality) : '', ' ',
        cost > 0 ? t('coach.cost', { cost: number(cost) }) : t('coach.fine'),
        isBad ? ` ${whySentence(verdict)}` : ''),
      ...(isBad && takeBack ? [el('button', { class: 'primary', onclick: takeBack }, t('coach.take-back'))] : [])];
  }
}

/** A hint that says more each time: where to look, which kind of move, the move. */
export class Hint {
  /** @type {{move: string, motif: string|null, legal: Legal|undefined}|null} */
  #known = null;
  step = 0;

  forget() {
    this.#known = null;
    this.step = 0;
  }

  /**
   * The next step.
   * @param {() => Promise<{move: string, motif?: string|null}|undefined>} ask
   * @param {Legal[]} legal
   * @param {Variant} variant
   * @param {boolean} turned
   * @returns {Promise<{words: string, legal?: Legal}|null>} with the move in the last step
   */
  async next(ask, legal, variant, turned) {
    if (!this.#known) {
      const answer = await ask();
      if (!answer) return null;
      this.#known = { move: answer.move, motif: answer.motif ?? null, legal: legal.find(({ text }) => text === answer.move) };
    }
    const { move, motif, legal: found } = this.#known;
    this.step = Math.min(3, this.step + 1);
    const cell = found?.to ?? null;
    // Without a place or a name for the idea, the next step says more.
    if (this.step === 1 && cell === null) this.step = 2;
    if (this.step === 1 && cell !== null) return { words: t('hint.where', { region: regionName(cell, variant, turned) }) };
    if (this.step === 2 && !motif) this.step = 3;
    if (this.step === 2 && motif) return { words: t('hint.kind', { what: motifName(motif) }) };
    return { words: t('play.hint.is', { move: found?.shown ?? move }), ...(found ? { legal: found } : {}) };
  }
}
