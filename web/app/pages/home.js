/** `<home-page>`: choose a game and an opponent; recent games. */
import { allVariants, get, isExposed, plainName, seatsOf, variantOf } from '../api.js';
import '../board/board.js';
import { sideName } from '../board/board.js';
import { el, redraw } from '../dom.js';
import { day, named, number, t } from '../i18n.js';
import { labelled, openDialog, sayError, segments, select, toggle } from '../parts/controls.js';
import { icon } from '../parts/icons.js';
import { outcomeText, ownSide, resultOf } from '../parts/ending.js';
import { personaName, seatName } from '../parts/player-strip.js';
import { openRating, strengthText } from '../parts/rating-panel.js';
import { openImport } from '../parts/share-dialog.js';
import { gamePath } from '../links.js';
import { settings } from '../settings.js';
import { showTitle } from '../title.js';
import { CLOCKS, HOURGLASS, MOVE_TIMES, analyse, keepWish, lastWish, moveTime, setupOf, startGame, wishedLevel } from './new-game.js';
import { sampleBoard } from './sample.js';

/** @import {GameState, Variant} from '../types.js' */

/** Screens without room for the settings beside the cards. */
const NARROW = '(max-width: 900px)';

export class HomePage extends HTMLElement {
  #wish = lastWish();
  #options = el('section', { class: 'panel padded options', 'aria-label': t('home.options') });
  #recent = el('section', { class: 'recent' });
  /** Named openings that were asked for. @type {{variant: string, name: string}[]} */
  #openings = [];
  /** @type {Set<string>} */
  #asked = new Set();
  /** @type {HTMLDialogElement|null} */
  #sheet = null;

  get variant() {
    return this.#wish.variant;
  }

  /** Where the bar's "Analyse" leads from here. */
  get analysis() {
    return gamePath('analyse', setupOf(this.#wish, variantOf(this.#wish.variant)));
  }

  open() {
    showTitle(t('home.title'));
    const variants = allVariants();
    // Variants come in the order that their games declare; what was played last stands before them.
    const last = variants.find(({ name }) => name === this.#wish.variant);
    this.#wish.variant = (last ?? variants[0])?.name ?? '';
    const cards = last ? [last, ...variants.filter((one) => one !== last)] : variants;
    this.replaceChildren(
      el('div', { class: 'home' },
        el('section', { class: 'games', 'aria-label': t('home.choose') },
          el('h1', null, t('home.title')),
          el('div', { class: 'cards' }, ...cards.map((one) => this.#card(one, variants.filter(({ board }) => board.surface === one.board.surface).indexOf(one))))),
        this.#options,
        this.#recent));
    this.#drawOptions();
    this.#drawRecent();
  }

  disconnectedCallback() {
    this.#sheet?.close();
  }

  /** @param {Variant} variant @param {number} at */
  #card(variant, at) {
    const card = el('button', {
      class: 'card', type: 'button', 'data-variant': variant.name, 'aria-pressed': String(variant.name === this.#wish.variant),
      onclick: () => {
        this.#wish.variant = variant.name;
        for (const other of this.querySelectorAll('.card')) other.setAttribute('aria-pressed', String(other === card));
        this.#changed();
        if (matchMedia(NARROW).matches) this.#openSheet();
      },
    }, sampleBoard(variant, at), el('span', { class: 'card-title' }, named(`variant.${variant.name}`, variant.title)));
    return card;
  }

  /** Where there is no room beside the cards, the settings come up with Play in sight. */
  #openSheet() {
    const variant = variantOf(this.#wish.variant);
    this.#sheet = openDialog(named(`variant.${variant.name}`, variant.title), this.#options);
    this.#sheet.classList.add('sheet');
    this.#sheet.addEventListener('close', () => this.querySelector('.games')?.after(this.#options));
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
    const start = () => {
      this.#sheet?.close();
      startGame(wish, setupOf(wish, variant)).catch(sayError);
    };
    redraw(this.#options,
      el('div', { class: 'about' }, el('h2', null, named(`variant.${variant.name}`, variant.title)),
        el('p', { class: 'dim small' }, named(`variant.${variant.name}.about`, variant.description), ' ', el('a', { href: `#/rules/${variant.name}` }, t('nav.rules')))),
      segments(t('home.opponent'), [
        { value: 'engine', text: t('opponent.engine') }, { value: 'screen', text: t('opponent.screen') },
        { value: 'link', text: t('opponent.link') }, { value: 'engines', text: t('opponent.engines') },
      ], wish.opponent, (opponent) => pick({ opponent: /** @type {any} */ (opponent) })),
      ...(wish.opponent === 'engine' ? this.#partner(variant) : []),
      ...(withEngine && !(wish.adaptive && wish.opponent === 'engine') ? [this.#level(variant, wish.opponent === 'engines' ? sideName(variant, 'first') : '', 'level')] : []),
      ...(wish.opponent === 'engines' ? [this.#level(variant, sideName(variant, 'second'), 'other')] : []),
      ...(withColour ? [labelled(t('home.colour'), [
        { value: 'first', text: sideName(variant, 'first') }, { value: 'second', text: sideName(variant, 'second') },
        { value: 'random', text: t('home.random') },
      ], wish.colour, (colour) => pick({ colour: /** @type {any} */ (colour) }))] : []),
      ...(wish.opponent === 'link' ? [this.#name()] : []),
      ...(wish.opponent === 'link' && isExposed() ? [toggle(t('home.listed'), wish.listed, (listed) => pick({ listed }))] : []),
      this.#details(variant, withEngine),
      el('div', { class: 'row start' },
        el('button', { class: 'primary large grow', onclick: start }, icon('play'), t('home.play')),
        el('button', { class: 'large', onclick: () => analyse(setupOf(wish, variant)) }, icon('analyse'), t('nav.analyse'))),
      el('button', { class: 'plain', onclick: () => openImport(wish.variant) }, icon('import'), t('import.title')));
  }

  /** Whether the level follows the person's strength, and which style the engine plays. @param {Variant} variant */
  #partner(variant) {
    const wish = this.#wish;
    const change = (/** @type {Partial<typeof wish>} */ part) => {
      Object.assign(wish, part);
      this.#changed();
    };
    const level = wishedLevel(wish, variant);
    const elo = variant.levels.find((one) => one.level === level)?.elo ?? 0;
    const suits = variant.personas.filter(({ levels: [low, high] }) => low <= level && level <= high);
    const personas = [{ value: '', text: t('persona.none') }, ...suits.map(({ name }) => ({ value: name, text: personaName(name) }))];
    return [
      el('div', { class: 'row spread' }, toggle(t('rating.adaptive'), wish.adaptive, (adaptive) => change({ adaptive })),
        el('button', { class: 'plain small strength', onclick: () => openRating(variant, () => this.#drawOptions()) }, strengthText(variant))),
      ...(wish.adaptive ? [el('p', { class: 'dim small' }, t('rating.opponent', { level, elo: number(elo) }))] : []),
      select(t('persona.title'), personas, suits.some(({ name }) => name === wish.persona) ? wish.persona : '', (persona) => change({ persona })),
      ...(wish.persona ? [el('p', { class: 'dim small' }, named(`persona.${wish.persona}.about`, ''))] : []),
    ];
  }

  /** Where the game starts. @param {Variant} variant */
  #start(variant) {
    const wish = this.#wish;
    const usual = setupOf(wish, variant).variant === variant.name;
    const choices = [
      { value: '', text: t('start.usual') }, { value: 'fair', text: t('start.fair') },
      ...(usual ? variant.handicaps.map(({ key, title }) => ({ value: `handicap ${key}`, text: named(`handicap.${variant.name}.${key}`, title) })) : []),
      ...this.#openings.filter(({ variant: of }) => of === variant.name).map(({ name }) => ({ value: `opening ${name}`, text: name })),
    ];
    const now = wish.starts[variant.name] ?? '';
    if (variant.named_openings > 0) this.#loadOpenings(variant);
    return select(t('start.title'), choices, choices.some(({ value }) => value === now) ? now : '', (value) => {
      wish.starts[variant.name] = value;
      this.#changed();
    });
  }

  /** The names of openings are asked for once. @param {Variant} variant */
  async #loadOpenings(variant) {
    if (this.#asked.has(variant.name)) return;
    this.#asked.add(variant.name);
    /** @type {{name: string}[]} */
    const found = await get(`variants/${encodeURIComponent(variant.name)}/openings`).catch(() => []);
    this.#openings.push(...[...new Set(found.map(({ name }) => name))].map((name) => ({ variant: variant.name, name })));
    if (this.#wish.variant === variant.name && this.isConnected) this.#drawOptions();
  }

  /** What friends see. */
  #name() {
    const name = el('input', { type: 'text', maxlength: 30, value: settings.value.name, onchange: () => settings.set({ name: name.value.trim() }) });
    return el('label', { class: 'field' }, t('seat.name'), name);
  }

  /** @param {boolean} open */
  #keepDetails(open) {
    this.#wish.details = open;
    keepWish(this.#wish);
  }

  /** Clock, board and rules. @param {Variant} variant @param {boolean} withEngine */
  #details(variant, withEngine) {
    const wish = this.#wish;
    const times = [...new Set([...MOVE_TIMES, String(variant.move_ms ?? '')])].sort((one, other) => Number(one) - Number(other));
    const [rules, more] = this.#rules(variant);
    const fields = [
      select(t('home.clock'), CLOCKS.map((value) => ({ value, text: value === HOURGLASS ? t('home.hourglass') : value || t('home.no-clock') })), wish.clock, (clock) => {
        wish.clock = clock;
        this.#changed();
      }),
      ...(withEngine && !wish.clock ? [select(t('home.move-time'), times.map((value) => ({ value, text: value ? t('home.seconds', { seconds: number(Number(value) / 1000, Number(value) < 1000 ? 1 : 0) }) : t('home.move-time.level') })), moveTime(wish, variant), (time) => {
        wish.moveTimes[variant.name] = time;
        this.#changed();
      })] : []),
      this.#start(variant),
      ...(rules ?? []),
    ];
    const box = el('details', { class: 'more', ...(wish.details ? { open: true } : {}), ontoggle: () => this.#keepDetails(box.open) },
      el('summary', null, t('home.details')), el('div', { class: 'pairs-of-fields' }, ...fields, ...(more ?? [])));
    return box;
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
    return [choices.slice(0, 2), choices.slice(2)];
  }

  /** The last games, or as many as the server lists. @param {boolean} [whole] */
  async #drawRecent(whole = false) {
    /** @type {GameState[]} */
    const all = await get(`games?limit=${whole ? 100 : 40}`).catch(() => []);
    // Games in which nothing happened push nothing else out.
    const played = all.filter((/** @type {GameState} */ game) => game.moves.length > 0 || game.status === 'waiting');
    if (played.length === 0) return;
    const games = whole ? played : played.slice(0, 12);
    const list = el('ul', { class: 'recent-list' }, ...games.map(gameLine));
    this.#recent.replaceChildren(el('h2', null, t('home.recent')), ...(whole ? [this.#filter(games, list)] : []), list,
      ...(games.length < played.length ? [el('button', { class: 'more-games', onclick: () => this.#drawRecent(true).then(() => /** @type {HTMLElement|null} */ (this.#recent.querySelector('li:nth-child(13) a'))?.focus()) }, t('play.more'))] : []));
  }

  /** Chooses among the games of a list. @param {GameState[]} games @param {HTMLUListElement} list */
  #filter(games, list) {
    const occurring = allVariants().filter(({ name }) => games.some((game) => plainName(game.variant) === name));
    let [variant, mine] = ['', false];
    const none = el('p', { class: 'dim hidden' }, t('home.none'));
    const draw = () => {
      const wanted = games.filter((game) => (!variant || plainName(game.variant) === variant) && (!mine || Object.keys(seatsOf(game.id)).length > 0));
      list.replaceChildren(...wanted.map(gameLine));
      none.classList.toggle('hidden', wanted.length > 0);
    };
    return el('div', { class: 'row game-filter' },
      select(t('home.choose'), [{ value: '', text: t('home.every') }, ...occurring.map(({ name, title }) => ({ value: name, text: named(`variant.${name}`, title) }))], variant, (chosen) => {
        variant = chosen;
        draw();
      }),
      toggle(t('home.mine'), mine, (only) => {
        mine = only;
        draw();
      }), none);
  }
}

/** @param {GameState} game */
function gameLine(game) {
  const variant = variantOf(game.variant);
  const mine = ownSide(game);
  const who = `${seatName(game.seats.first, mine === 'first')} – ${seatName(game.seats.second, mine === 'second')}`;
  return el('li', null, el('a', { href: `#/game/${game.id}`, class: game.end ? `result result-${resultOf(game)}` : '' },
    el('b', null, named(`variant.${variant.name}`, variant.title)), el('span', { class: 'dim' }, who),
    el('span', { class: 'outcome-line small' }, outcomeText(game, variant)),
    el('span', { class: 'dim small' }, `${t('moves.at', { count: game.given.length + game.moves.length })} · ${day(game.created)}`)));
}

customElements.define('home-page', HomePage);
