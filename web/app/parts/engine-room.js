/** `<engine-room>`: what the engines are doing, with their caches and options. The key D opens it on any page. */
import { Live, get, plainName, post, put, variantOf } from '../api.js';
import { el, onceAFrame } from '../dom.js';
import { named, number, optionHelp, short, t } from '../i18n.js';
import { Tree } from '../tree.js';
import { currentRoute, gamePath, readGame } from '../links.js';
import { scoreText } from '../score.js';
import { ask, errorText, say, sayError, select, toggle } from './controls.js';
import { icon } from './icons.js';

/** @import {Key} from '../i18n.js' */
/** @import {EngineView, Lookup, Option, QueuedPosition, Setup, TableEntry} from '../types.js' */

/** How many positions of the queue are shown, and how many of the moves that led to them. */
const SHOWN_POSITIONS = 12;
const SHOWN_MOVES = 6;

/** @type {Record<QueuedPosition['reason'], string>} */
const REASONS = { current: 'on the board', played: 'was played', start: 'start of the game' };

export class EngineRoom extends HTMLElement {
  /** @type {() => string|undefined} */
  #shown = () => undefined;
  /** @type {Live|null} */
  #live = null;
  #variant = '';
  /** The queue of idle improvement that is shown. */
  #queue = '';
  #now = el('section');
  #body = el('div', { class: 'column' });
  #found = el('div', { class: 'small' });

  /** The panel shows the engine of the page's variant. @param {() => string|undefined} variant */
  follow(variant) {
    this.#shown = variant;
  }

  /** Closes it where it is a page of its own, when another page opens. */
  makeRoom() {
    if (this.classList.contains('open') && matchMedia('(max-width: 1199px)').matches) this.toggle();
  }

  toggle() {
    if (this.classList.toggle('open')) this.#open(this.#shown());
    else this.#live?.close();
  }

  /** @param {string} [variant] */
  async #open(variant) {
    this.#live?.close();
    this.#body.replaceChildren();
    this.setAttribute('role', 'complementary');
    this.setAttribute('aria-label', t('nav.engine'));
    /** @type {EngineView[]} */
    const engines = await get('engines').catch((error) => (sayError(error), []));
    const engine = engines.find((one) => one.variant === variant) ?? engines.find((one) => plainName(one.variant) === plainName(variant ?? '')) ?? engines[0];
    const choice = engines.map((one) => ({ value: one.variant, text: title(one.variant) }));
    this.replaceChildren(
      el('div', { class: 'row spread' }, el('h2', null, t('nav.engine')),
        el('button', { class: 'icon plain', 'aria-label': t('close'), onclick: () => this.toggle() }, icon('close'))),
      ...(engine ? [select(t('room.engine'), choice, engine.variant, (value) => this.#open(value)), this.#now, this.#body] : [el('p', { class: 'dim' }, t('room.none'))]));
    if (!engine) return;
    this.#variant = engine.variant;
    this.#queue = '';
    this.#found.replaceChildren();
    this.#body.replaceChildren(
      ...['times', 'search_tt', 'eval_cache', 'memory'].map((part) => el('section', { 'data-part': part })),
      this.#idle(engine), await this.#switches(), this.#browser());
    this.#draw(engine);
    this.#live = new Live(`${this.#path}/live`, (message) => this.#draw(message));
  }

  get #path() {
    return `engines/${encodeURIComponent(this.#variant)}`;
  }

  #draw = onceAFrame((/** @type {EngineView|null} */ engine) => {
    if (!engine) return;
    this.#drawNow(engine);
    const part = (/** @type {string} */ name) => this.#body.querySelector(`[data-part="${name}"]`);
    const { times, queue, caches, idle, memory } = engine;
    const ms = (/** @type {number} */ value) => (times.count === 0 ? '–' : `${number(value)} ms`);
    part('times')?.replaceChildren(el('h3', null, t('room.times')), figures([
      ['room.last', ms(times.last)], ['room.mean', ms(times.mean)], ['room.least', ms(times.least)], ['room.most', ms(times.most)],
      ['room.queue', `${queue.live} / ${queue.analysis} / ${queue.matches} / ${queue.idle}`],
    ]));
    part('search_tt')?.replaceChildren(...cache(t('room.search_tt'), caches.search_tt), byDepth(caches.search_tt_by_depth));
    part('eval_cache')?.replaceChildren(...cache(t('room.eval_cache'), caches.eval_cache));
    part('memory')?.replaceChildren(el('h3', null, t('room.memory')), figures([
      ['room.resident', memory.resident === null ? '–' : megabytes(memory.resident)],
      ['room.engines', `${megabytes(memory.engines)} / ${megabytes(memory.limit)}`],
    ]));
    part('idle-state')?.replaceChildren(figures([
      ['room.state', t(idleState(idle))], ['room.share', `${number(idle.share)} %`], ['room.steps', short(idle.steps)], ['room.improved', short(idle.improved)],
    ]));
    this.#drawQueue(part('idle-queue'), idle.queue);
  });

  /** The positions that idle improvement searches next. Drawn only when they change, so that they can be clicked.
   * @param {Element|null} list @param {QueuedPosition[]} queue */
  #drawQueue(list, queue) {
    const shown = JSON.stringify(queue);
    if (!list || shown === this.#queue) return;
    this.#queue = shown;
    list.replaceChildren(...queue.slice(0, SHOWN_POSITIONS).map((next) => el('li', null,
      el('a', { href: `#/${gamePath('analyse', setupOf(this.#variant, next), next.moves.join(' '))}` }, ...lineOf(next)),
      ` · ${named(`idle.${next.reason}`, REASONS[next.reason])} · ${t('info.depth')} ${next.known} → ${next.target}`)));
  }

  /** What the search looks at right now. @param {EngineView} engine */
  #drawNow({ last, busy }) {
    this.#now.replaceChildren(el('h3', null, `${t('room.search')}${busy ? ` · ${named(`busy.${busy}`, busy)}` : ''}`), figures([
      ['info.depth', last ? `${last.depth}/${last.seldepth}` : '–'],
      ['info.score', scoreText(last?.score)],
      ['info.nodes', short(last?.nodes ?? 0)],
      ['info.speed', `${short(last?.nps ?? 0)}/s`],
      ['info.stage', last ? named(`stage.${last.stage}`, last.stage) : '–'],
    ]), el('p', { class: 'now dim' }, (last?.line ?? []).slice(0, 16).join(' ')));
  }

  /** @param {EngineView} engine */
  #idle(engine) {
    return el('section', null, el('h3', null, t('room.idle')),
      toggle(t('room.idle.on'), engine.idle.on, (on) => this.#call(post(`${this.#path}/idle`, { on }))),
      el('div', { 'data-part': 'idle-state' }), el('ol', { 'data-part': 'idle-queue', class: 'small dim ideas' }));
  }

  async #switches() {
    /** @type {Option[]} */
    const options = await get(`${this.#path}/options`).catch((error) => (sayError(error), []));
    const set = (/** @type {string} */ name, /** @type {number} */ value) => this.#call(put(`${this.#path}/options`, { name, value }));
    const rows = options.map((option) => {
      const field = option.kind === 'switch'
        ? toggle(option.name, option.value === 1, (on) => set(option.name, Number(on)))
        : numberField(option, (value) => set(option.name, value));
      field.title = optionHelp(option);
      return field;
    });
    return el('section', null, el('h3', null, t('room.switches')),
      el('button', { onclick: () => ask(t('room.flush.sure'), t('room.flush'), () => this.#call(post(`${this.#path}/flush`)), 'danger') }, icon('trash'), t('room.flush')),
      el('details', { class: 'options' }, el('summary', null, t('room.options')), ...rows));
  }

  /** Looks positions up in the Search TT. */
  #browser() {
    const moves = el('input', { type: 'text', class: 'grow', placeholder: t('room.moves'), 'aria-label': t('room.moves') });
    const look = async () => {
      const query = new URLSearchParams();
      const route = currentRoute();
      if (moves.value) query.set('moves', moves.value);
      else if (route.page === 'analyse') {
        const { setup, moves: tree, ply } = readGame(route);
        query.set('moves', Tree.parse(tree).mainLine().slice(0, ply ?? undefined).map(({ move }) => move).join(' '));
        if (setup.position) query.set('position', setup.position);
      }
      try {
        this.#drawFound(await get(`${this.#path}/lookup?${query}`), query);
      } catch (error) {
        // What was found before is of another position.
        this.#found.replaceChildren(el('p', { class: 'wrong', role: 'alert' }, errorText(error)));
      }
    };
    return el('section', null, el('h3', null, t('room.browser')),
      el('div', { class: 'row' }, moves, el('button', { onclick: look }, t('room.look'))), this.#found);
  }

  /** @param {Lookup} found @param {URLSearchParams} query what was looked up */
  #drawFound({ entry, children }, query) {
    const position = query.get('position');
    const link = (/** @type {string} */ move) => gamePath('analyse', setupOf(this.#variant, { position }), [query.get('moves'), move].filter(Boolean).join(' '));
    const row = (/** @type {string} */ move, /** @type {TableEntry} */ one) => el('tr', null,
      el('td', null, el('a', { href: `#/${link(move === '·' ? '' : move)}` }, move)), el('td', { class: 'figure' }, scoreText(one.score)), el('td', { class: 'figure' }, one.depth),
      el('td', null, named(`bound.${one.bound}`, one.bound)), el('td', null, one.move ?? ''), el('td', { class: 'figure' }, one.age));
    if (!entry && children.length === 0) return this.#found.replaceChildren(el('p', { class: 'dim' }, t('room.not-found')));
    return this.#found.replaceChildren(el('div', { class: 'scroll-x' }, el('table', null,
      el('tr', null, ...['', t('info.score'), t('info.depth'), t('room.bound'), t('room.best'), t('room.age')].map((text) => el('th', null, text))),
      ...(entry ? [row('·', entry)] : []),
      ...children.map((child) => row(child.move, child.entry)))));
  }

  /** @param {Promise<unknown>} done */
  #call(done) {
    done.then(() => say(t('done')), sayError);
  }
}

/** @param {EngineView['idle']} idle @returns {Key} */
function idleState({ on, share, on_battery, resting, done }) {
  if (!on || share === 0) return 'room.off';
  if (on_battery) return 'room.battery';
  if (done) return 'room.done';
  return resting ? 'room.resting' : 'room.working';
}

/** @param {string} variant @param {{position: string|null}} next @returns {Setup} */
function setupOf(variant, { position }) {
  return position ? { variant, position } : { variant };
}

/** The last moves that were played, and after them the likely ones. @param {QueuedPosition} next */
function lineOf({ moves, shown, played }) {
  const all = shown ?? moves;
  const past = all.slice(0, played);
  const last = past.slice(-SHOWN_MOVES).join(' ');
  const before = past.length > SHOWN_MOVES ? `… ${last}` : last;
  return [before || t('room.start'), ' ', el('b', null, all.slice(played).join(' '))];
}

/** @param {Option} option @param {(value: number) => void} chosen */
function numberField({ name, min, max, value }, chosen) {
  const field = el('input', { type: 'number', min, max, value, onchange: () => chosen(Number(field.value)) });
  return el('label', { class: 'field number-field' }, name, field);
}

/** @param {[Key, string][]} pairs */
function figures(pairs) {
  return el('dl', null, ...pairs.flatMap(([key, value]) => [el('dt', null, t(key)), el('dd', null, value)]));
}

/** How often searches of each depth found what they looked up. @param {import('../types.js').DepthRate[]} rates */
function byDepth(rates) {
  return el('details', { class: 'small' }, el('summary', null, t('room.by-depth')), el('dl', null,
    ...rates.filter(({ probes }) => probes > 0).flatMap(({ depth, probes, hit_rate }) =>
      [el('dt', null, `${t('info.depth')} ${depth}`), el('dd', null, `${figure('hit_rate', hit_rate)} · ${short(probes)}`)])));
}

/** @param {string} name @param {Record<string, number>} counters `fill` and rates are per mille */
function cache(name, counters) {
  const share = el('span');
  share.style.transform = `scaleX(${(counters['fill'] ?? 0) / 1000})`;
  return [el('h3', null, name), el('div', { class: 'meter' }, share), el('dl', null,
    ...Object.entries(counters).flatMap(([key, value]) => [el('dt', null, named(`cache.${key}`, key.replace('_', ' '))), el('dd', null, figure(key, value))]))];
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${number(bytes / 1048576, 1)} MB`;
}

/** @param {string} key @param {number} value */
function figure(key, value) {
  if (key === 'bytes') return megabytes(value);
  if (key === 'fill' || key.endsWith('_rate')) return `${number(value / 10, 1)} %`;
  return short(value);
}

/** @param {string} name */
function title(name) {
  const variant = variantOf(name);
  return `${named(`variant.${variant.name}`, variant.title)}${name.slice(variant.name.length).replaceAll(/[:,]/g, ' ')}`;
}

customElements.define('engine-room', EngineRoom);
