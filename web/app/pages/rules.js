/** `<rules-page>`: the rules of a game with pictures, and a lesson of small tasks on a real board. */
import { allVariants, get, plainName, post, variantOf } from '../api.js';
import { GameBoard } from '../board/board.js';
import { el } from '../dom.js';
import { named, t } from '../i18n.js';
import { go } from '../links.js';
import { announce, errorText } from '../parts/controls.js';
import { icon } from '../parts/icons.js';
import { sayWhy } from '../parts/refused.js';
import { sound } from '../sound.js';
import { showTitle } from '../title.js';
import { keepWish, lastWish } from './new-game.js';

/** @import {Guide, Lesson, RulePart, View} from '../types.js' */
/** @import {Route} from '../links.js' */

export class RulesPage extends HTMLElement {
  #name = '';
  /** @type {Lesson[]} */
  #lessons = [];
  #solved = 0;
  #lesson = el('section', { class: 'panel padded lesson', 'aria-labelledby': 'lesson-title' });

  get variant() {
    return this.#name;
  }

  /** @param {Route} route */
  async open(route) {
    const wanted = plainName(route.rest[0] ?? '');
    this.#name = allVariants().some(({ name }) => name === wanted) ? wanted : allVariants()[0]?.name ?? '';
    const variant = variantOf(this.#name);
    const title = named(`variant.${variant.name}`, variant.title);
    showTitle(`${t('rules.title', { game: title })}`);
    try {
      /** @type {Guide} */
      const guide = await get(`variants/${encodeURIComponent(this.#name)}/guide`);
      this.#lessons = guide.lessons;
      this.replaceChildren(
        el('header', { class: 'row spread' }, el('h1', null, t('rules.title', { game: title })), this.#others()),
        el('p', { class: 'dim' }, named(`variant.${variant.name}.about`, variant.description)),
        el('div', { class: 'rules-columns' },
          el('ol', { class: 'rule-parts' }, ...guide.rules.map((part, at) => this.#part(part, at))),
          el('div', { class: 'column' }, this.#lesson,
            el('button', { class: 'primary large', onclick: () => this.#play() }, icon('play'), t('rules.play', { game: title })))));
      this.#drawLesson();
    } catch (error) {
      this.replaceChildren(el('p', { class: 'panel padded' }, errorText(error)));
    }
  }

  /** The rules of other games. */
  #others() {
    const list = el('select', { 'aria-label': t('home.choose'), value: this.#name, onchange: () => go(`rules/${list.value}`) },
      ...allVariants().map((one) => el('option', { value: one.name }, named(`variant.${one.name}`, one.title))));
    return list;
  }

  /** @param {RulePart} part @param {number} at */
  #part(part, at) {
    const board = new GameBoard();
    board.setAttribute('small', '');
    board.show({ variant: part.variant, view: part.view, playable: true });
    return el('li', { class: 'panel' }, el('div', { class: 'picture' }, board), el('p', null, named(`rules.${this.#name}.${at}`, part.text)));
  }

  #drawLesson() {
    const lesson = this.#lessons[this.#solved];
    const head = el('div', { class: 'row spread' }, el('h2', { id: 'lesson-title' }, t('rules.lesson')),
      el('span', { class: 'dim' }, `${Math.min(this.#solved + 1, this.#lessons.length)} / ${this.#lessons.length}`));
    if (!lesson) {
      this.#lesson.replaceChildren(head, el('p', { class: 'praise', role: 'status' }, t('rules.done')),
        el('button', { onclick: () => this.#again() }, icon('again'), t('rules.again')));
      return;
    }
    const board = new GameBoard();
    const says = el('p', { class: 'says', role: 'status' });
    const next = el('button', { class: 'primary', hidden: true, onclick: () => this.#next() }, t('rules.next'));
    board.show({ variant: lesson.variant, view: lesson.view, playable: true });
    board.addEventListener('move', (event) => this.#try(lesson, board, says, next, /** @type {CustomEvent<string>} */ (event).detail));
    board.addEventListener('refused', (event) =>
      sayWhy(board, { variant: lesson.variant.name, position: lesson.view.text }, /** @type {CustomEvent} */ (event).detail));
    this.#lesson.replaceChildren(head, el('p', { class: 'task' }, named(`lesson.${this.#name}.${this.#solved}.task`, lesson.task)),
      el('div', { class: 'picture' }, board), el('div', { class: 'row lesson-foot' }, says, next));
  }

  /**
   * @param {Lesson} lesson
   * @param {GameBoard} board
   * @param {HTMLElement} says
   * @param {HTMLButtonElement} next
   * @param {string} move
   */
  async #try(lesson, board, says, next, move) {
    const right = lesson.accepted.includes(move);
    const text = right ? named(`lesson.${this.#name}.${this.#solved}.praise`, lesson.praise) : t('rules.wrong');
    says.textContent = text;
    says.className = right ? 'says praise' : 'says';
    announce(text);
    sound(right ? 'end' : 'refused');
    if (!right) return board.show({ view: { ...lesson.view } });
    /** @type {View} */
    const view = await post('positions', { variant: lesson.variant.name, position: lesson.view.text, moves: [move] });
    board.show({ view, playable: false });
    next.hidden = false;
    next.focus();
    return undefined;
  }

  #next() {
    this.#solved++;
    this.#drawLesson();
  }

  #again() {
    this.#solved = 0;
    this.#drawLesson();
  }

  #play() {
    keepWish({ ...lastWish(), variant: this.#name });
    go('');
  }
}

customElements.define('rules-page', RulesPage);
