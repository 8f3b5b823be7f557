/** The form for a match between engines. */
import { allVariants, get, post, variantOf } from '../api.js';
import { el, redraw } from '../dom.js';
import { named, optionHelp, t } from '../i18n.js';
import { go } from '../links.js';
import { errorText, iconButton, labelled, select, toggle } from '../parts/controls.js';
import { icon } from '../parts/icons.js';

/** @import {Option} from '../types.js' */

/** @typedef {{name: string, level?: number, options: {name: string, value: number}[]}} Player */

/** The most engines that the server allows. */
const MOST_PLAYERS = 16;

/** The limits on a move, with their defaults. */
const LIMITS = {
  nodes: { nodes: 5000 },
  movetime: { milliseconds: 100 },
  clock: { seconds: 10, increment: 0.1 },
  depth: { depth: 8 },
};

/** @typedef {keyof typeof LIMITS} Limit */

/** Makes the form. */
export function matchForm() {
  const form = new MatchForm();
  form.draw();
  return form.root;
}

class MatchForm {
  root = el('section', { class: 'panel padded column match-form' });
  #wrong = el('p', { class: 'small wrong', role: 'alert' });
  /** Options of the engine by variant, asked for when somebody wants to change one. @type {Map<string, Option[]>} */
  #options = new Map();

  #variant = (allVariants().find(({ board }) => board.surface === 'points') ?? allVariants()[0])?.name ?? '';
  #size = 0;
  /** @type {Player[]} */
  #players = [{ name: '', options: [] }, { name: '', options: [] }];
  #gauntlet = false;
  /** @type {Limit} */
  #limit = 'nodes';
  /** @type {Record<string, number>} */
  #amounts = Object.assign({}, ...Object.values(LIMITS));
  #random = true;
  #seed = 1;
  #games = 100;
  #concurrency = 1;
  #test = false;
  #bounds = [0, 5];

  draw() {
    const change = (/** @type {() => void} */ run) => {
      run();
      this.draw();
    };
    redraw(this.root,
      el('h2', null, t('watch.start')),
      el('div', { class: 'pairs-of-fields' },
        select(t('home.choose'), allVariants().map(({ name, title }) => ({ value: name, text: named(`variant.${name}`, title) })), this.#variant,
          (variant) => change(() => {
            this.#variant = variant;
            this.#size = 0;
            // The options of another engine come now.
            for (const player of this.#players) player.options = [];
          })),
        this.#sizes()),
      ...this.#players.map((player, at) => this.#player(player, at)),
      el('div', { class: 'row' },
        el('button', { class: 'plain', disabled: this.#players.length >= MOST_PLAYERS, onclick: () => change(() => this.#players.push({ name: '', options: [] })) }, icon('add'), t('match.add')),
        this.#players.length > 2 && toggle(t('match.gauntlet'), this.#gauntlet, (on) => (this.#gauntlet = on))),
      labelled(t('match.limit'), /** @type {Limit[]} */ (Object.keys(LIMITS)).map((value) => ({ value, text: t(`limit.${value}`) })), this.#limit,
        (limit) => change(() => (this.#limit = /** @type {Limit} */ (limit)))),
      el('div', { class: 'pairs-of-fields' }, ...Object.keys(LIMITS[this.#limit]).map((key) => this.#amount(key))),
      labelled(t('match.openings'), [{ value: 'random', text: t('openings.random') }, { value: 'start', text: t('openings.start') }], this.#random ? 'random' : 'start',
        (openings) => change(() => (this.#random = openings === 'random'))),
      el('div', { class: 'pairs-of-fields' },
        number(t('watch.games'), { value: this.#games, min: 2, step: 2, max: 100000 }, (value) => (this.#games = value)),
        number(t('match.concurrency'), { value: this.#concurrency, min: 1, max: Math.min(8, navigator.hardwareConcurrency) }, (value) => (this.#concurrency = value)),
        this.#random && number(t('match.seed'), { value: this.#seed, min: 0 }, (value) => (this.#seed = value))),
      ...this.#sequential(change),
      this.#wrong,
      el('button', { class: 'primary', onclick: () => this.#start() }, icon('play'), t('watch.begin')));
  }

  #sizes() {
    const { sizes } = variantOf(this.#variant).board;
    if (!sizes || sizes[0] >= sizes[1]) return null;
    const all = Array.from({ length: sizes[1] - sizes[0] + 1 }, (_, at) => String(sizes[0] + at));
    return select(t('home.size'), all.map((value) => ({ value, text: `${value} × ${value}` })), String(this.#size || sizes[2]),
      (value) => (this.#size = Number(value) === sizes[2] ? 0 : Number(value)));
  }

  /** @param {Player} player @param {number} at */
  #player(player, at) {
    const name = el('input', { type: 'text', value: player.name, maxlength: 40, placeholder: t('match.built-in'), spellcheck: false, oninput: () => (player.name = name.value) });
    return el('fieldset', null,
      el('legend', null, t('match.engine', { number: at + 1 })),
      el('div', { class: 'row' }, el('label', { class: 'field grow' }, t('match.name'), name),
        this.#level(player),
        this.#players.length > 2 && iconButton('trash', t('match.remove'), () => {
          this.#players.splice(at, 1);
          this.draw();
        })),
      ...player.options.map((option, place) => this.#option(player, option, place)),
      el('button', { class: 'plain', onclick: () => this.#addOption(player) }, icon('add'), t('match.option')));
  }

  /** @param {Player} player */
  #level(player) {
    const levels = variantOf(this.#variant).levels.filter(({ level }) => level < 10);
    return select(t('match.level'), [{ value: '', text: t('match.level.full') }, ...levels.map(({ level, name }) => ({ value: String(level), text: `${level} · ${named(`level.${level}`, name)}` }))],
      String(player.level ?? ''), (level) => {
        if (level) player.level = Number(level);
        else delete player.level;
      });
  }

  /** @param {Player} player @param {Player['options'][0]} option @param {number} place */
  #option(player, option, place) {
    const all = this.#options.get(this.#variant) ?? [];
    const known = all.find(({ name }) => name === option.name);
    const list = select(t('match.option.name'), all.map(({ name }) => ({ value: name, text: name })), option.name, (name) => {
      option.name = name;
      option.value = other(all.find((one) => one.name === name));
      this.draw();
    });
    if (known) list.title = optionHelp(known);
    return el('div', { class: 'row option-row' }, list,
      number(t('match.option.value'), { value: option.value, min: known?.min, max: known?.max }, (value) => (option.value = value)),
      iconButton('close', t('match.option.remove'), () => {
        player.options.splice(place, 1);
        this.draw();
      }));
  }

  /** @param {Player} player */
  async #addOption(player) {
    try {
      if (!this.#options.has(this.#variant)) this.#options.set(this.#variant, await get(`engines/${encodeURIComponent(this.#variant)}/options`));
    } catch (error) {
      this.#wrong.textContent = errorText(error);
      return;
    }
    const all = this.#options.get(this.#variant) ?? [];
    const free = all.find(({ name, kind }) => kind === 'switch' && !player.options.some((option) => option.name === name)) ?? all[0];
    if (free) player.options.push({ name: free.name, value: other(free) });
    this.draw();
  }

  /** @param {string} key of an amount */
  #amount(key) {
    const limits = { nodes: { min: 1 }, milliseconds: { min: 1 }, seconds: { min: 0.1, step: 'any' }, increment: { min: 0, step: 'any' }, depth: { min: 1, max: 60 } };
    return number(t(/** @type {import('../i18n.js').Key} */ (`limit.${key}.label`)), { value: this.#amounts[key] ?? 1, .../** @type {Record<string, object>} */ (limits)[key] },
      (value) => (this.#amounts[key] = value));
  }

  /** @param {(run: () => void) => void} change */
  #sequential(change) {
    const bound = (/** @type {number} */ at, /** @type {import('../i18n.js').Key} */ label) =>
      number(t(label), { value: this.#bounds[at] ?? 0, step: 'any' }, (value) => (this.#bounds[at] = value));
    return [
      toggle(t('match.sprt'), this.#test, (on) => change(() => (this.#test = on))),
      ...(this.#test ? [el('div', { class: 'pairs-of-fields' }, bound(0, 'match.elo0'), bound(1, 'match.elo1'))] : []),
    ];
  }

  /** The request to the server. */
  #wish() {
    const amount = (/** @type {string} */ key) => this.#amounts[key] ?? 1;
    const limit = {
      nodes: { nodes: amount('nodes') },
      movetime: { movetime: `${amount('milliseconds')}ms` },
      clock: { tc: `${amount('seconds')}+${amount('increment')}` },
      depth: { depth: amount('depth') },
    }[this.#limit];
    return {
      variant: `${this.#variant}${this.#size ? `:${this.#size}` : ''}`,
      engines: this.#players.map(({ name: given, level, options }) => {
        const name = given.trim() || (level ? t('level', { level }) : '');
        const parts = [...(name ? [`name=${name.replaceAll(',', '\\,')}`] : []), ...(level ? [`level=${level}`] : []), ...options.map((option) => `${option.name}=${option.value}`)];
        return `builtin${parts.length > 0 ? `:${parts.join(',')}` : ''}`;
      }),
      ...limit, games: this.#games, concurrency: this.#concurrency, gauntlet: this.#players.length > 2 && this.#gauntlet,
      ...(this.#random ? { seed: this.#seed } : { from_start: true }),
      ...(this.#test ? { sprt: this.#bounds.join(',') } : {}),
    };
  }

  async #start() {
    try {
      const { id } = await post('matches', this.#wish());
      go(`watch/${id}`);
    } catch (error) {
      this.#wrong.textContent = errorText(error);
    }
  }
}

/** A value that differs from the usual one. @param {Option} [option] */
function other(option) {
  if (!option) return 0;
  return option.kind === 'switch' ? 1 - option.default : option.default;
}

/** @param {string} label @param {Record<string, unknown>} props @param {(value: number) => void} chosen */
function number(label, props, chosen) {
  const field = el('input', { type: 'number', ...props, oninput: () => chosen(Number(field.value)) });
  return el('label', { class: 'field' }, label, field);
}
