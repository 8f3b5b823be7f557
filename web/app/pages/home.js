/** `<home-page>`: choose a game and an opponent; recent games. */
import { allVariants, get, variantOf } from '../api.js';
import '../board/board.js';
import { sideName } from '../board/board.js';
import { el, redraw } from '../dom.js';
import { named, t } from '../i18n.js';
import { labelled, sayError, segments, select } from '../parts/controls.js';
import { icon } from '../parts/icons.js';
import { outcomeText, seatName } from '../parts/player-strip.js';
import { openImport } from '../parts/share-dialog.js';
import { CLOCKS, analyse, keepWish, lastWish, setupOf, startGame } from './new-game.js';
import { sampleBoard } from './sample.js';

/** @import {GameState, Variant} from '../types.js' */

export class HomePage extends HTMLElement {
  #wish = lastWish();
  #options = el('section', { class: 'panel padded options', 'aria-label': t('home.options') });
  #recent = el('section', { class: 'recent' });

  get variant() {
    return this.#wish.variant;
  }

  open() {
    const variants = allVariants();
    if (!variants.some(({ name }) => name === this.#wish.variant)) {
      // The first variants are small. Most people come for a board with points.
      this.#wish.variant = (variants.find(({ board }) => board.surface === 'points') ?? variants[0])?.name ?? '';
    }
    this.replaceChildren(
      el('div', { class: 'home' },
        el('section', { class: 'games', 'aria-label': t('home.choose') },
          el('h1', null, t('home.title')),
          el('div', { class: 'cards', role: 'radiogroup', 'aria-label': t('home.choose') }, ...variants.map((one) => this.#card(one, variants.filter(({ board }) => board.surface === one.board.surface).indexOf(one))))),
        this.#options,
        this.#recent));
    this.#drawOptions();
    this.#drawRecent();
  }

  /** @param {Variant} variant @param {number} at */
  #card(variant, at) {
    const card = el('button', {
      class: 'card', type: 'button', role: 'radio', 'aria-checked': String(variant.name === this.#wish.variant),
      onclick: () => {
        this.#wish.variant = variant.name;
        for (const other of this.querySelectorAll('.card')) other.setAttribute('aria-checked', String(other === card));
        this.#changed();
      },
    }, sampleBoard(variant, at), el('span', { class: 'card-title' }, named(`variant.${variant.name}`, variant.title)));
    return card;
  }

  #changed() {
    keepWish(this.#wish);
    this.#drawOptions();
  }

  #drawOptions() {
    const wish = this.#wish;
    const variant = variantOf(wish.variant);
    const pick = (/** @type {Partial<typeof wish>} */ change) => {
      Object.assign(wish, change);
      this.#changed();
    };
    const withEngine = wish.opponent === 'engine' || wish.opponent === 'engines';
    const withColour = wish.opponent === 'engine' || wish.opponent === 'link';
    redraw(this.#options,
      el('div', null, el('h2', null, named(`variant.${variant.name}`, variant.title)),
        el('p', { class: 'dim small' }, named(`variant.${variant.name}.about`, variant.description))),
      segments(t('home.opponent'), [
        { value: 'engine', text: t('opponent.engine') }, { value: 'screen', text: t('opponent.screen') },
        { value: 'link', text: t('opponent.link') }, { value: 'engines', text: t('opponent.engines') },
      ], wish.opponent, (opponent) => pick({ opponent: /** @type {any} */ (opponent) })),
      ...(withEngine ? [this.#level(variant, wish.opponent === 'engines' ? sideName(variant.sides, 'first') : '', 'level')] : []),
      ...(wish.opponent === 'engines' ? [this.#level(variant, sideName(variant.sides, 'second'), 'other')] : []),
      ...(withColour ? [labelled(t('home.colour'), [
        { value: 'first', text: sideName(variant.sides, 'first') }, { value: 'second', text: sideName(variant.sides, 'second') },
        { value: 'random', text: t('home.random') },
      ], wish.colour, (colour) => pick({ colour: /** @type {any} */ (colour) }))] : []),
      select(t('home.clock'), CLOCKS.map((value) => ({ value, text: value || t('home.no-clock') })), wish.clock, (clock) => pick({ clock })),
      ...this.#rules(variant),
      el('div', { class: 'row' },
        el('button', { class: 'primary large grow', onclick: () => startGame(wish, setupOf(wish, variant)).catch(sayError) }, icon('play'), t('home.play')),
        el('button', { class: 'large', onclick: () => analyse(setupOf(wish, variant)) }, icon('analyse'), t('nav.analyse'))),
      el('button', { class: 'plain', onclick: () => openImport(wish.variant) }, icon('share'), t('import.title')));
  }

  /** @param {Variant} variant @param {string} who @param {'level'|'other'} which */
  #level(variant, who, which) {
    const top = variant.levels.at(-1)?.level ?? 10;
    const text = () => {
      const level = this.#wish[which];
      const name = variant.levels.find((one) => one.level === level)?.name ?? '';
      return `${who ? `${who}: ` : ''}${t('level', { level })} · ${named(`level.${level}`, name)}`;
    };
    const caption = el('span', null, text());
    const slider = el('input', {
      type: 'range', min: variant.levels[0]?.level ?? 1, max: top, step: 1, value: Math.min(this.#wish[which], top),
      oninput: () => {
        this.#wish[which] = Number(slider.value);
        caption.textContent = text();
      },
      onchange: () => keepWish(this.#wish),
    });
    return el('label', { class: 'field' }, caption, slider);
  }

  /** @param {Variant} variant */
  #rules(variant) {
    const { sizes } = variant.board;
    const wish = this.#wish;
    const choices = [];
    if (sizes && sizes[0] < sizes[1]) {
      const all = Array.from({ length: sizes[1] - sizes[0] + 1 }, (_, at) => String(sizes[0] + at));
      choices.push(select(t('home.size'), all.map((value) => ({ value, text: `${value} × ${value}` })), String(wish.sizes[variant.name] ?? sizes[2]),
        (value) => {
          wish.sizes[variant.name] = Number(value);
          this.#changed();
        }));
    }
    for (const rule of variant.rules) {
      const now = wish.rules[variant.name]?.[rule.key] ?? rule.default;
      choices.push(select(named(`rule.${rule.key}`, rule.title),
        rule.values.map((value) => ({ value, text: named(`rule.${rule.key}.${value}`, value.replaceAll('_', ' ')) })), now, (value) => {
          (wish.rules[variant.name] ??= {})[rule.key] = value;
          this.#changed();
        }));
    }
    if (choices.length === 0) return [];
    const [size, opening, ...more] = choices;
    const details = more.length > 0 && el('details', { class: 'more' }, el('summary', null, t('home.more-rules')), el('div', { class: 'pairs-of-fields' }, ...more));
    return [el('div', { class: 'pairs-of-fields' }, size, opening), ...(details ? [details] : [])];
  }

  async #drawRecent() {
    /** @type {GameState[]} */
    const games = await get('games?limit=12').catch(() => []);
    if (games.length === 0) return;
    this.#recent.replaceChildren(el('h2', null, t('home.recent')), el('ul', { class: 'recent-list' }, ...games.map((game) => {
      const variant = variantOf(game.variant);
      const who = `${seatName(game.seats.first, false)} – ${seatName(game.seats.second, false)}`;
      return el('li', null, el('a', { href: `#/game/${game.id}` },
        el('b', null, named(`variant.${variant.name}`, variant.title)), el('span', { class: 'dim' }, who),
        el('span', { class: 'dim small' }, `${outcomeText(game, variant)} · ${t('moves.at', { count: game.given.length + game.moves.length })}`)));
    })));
  }
}

customElements.define('home-page', HomePage);
