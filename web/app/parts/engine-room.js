/** `<engine-room>`: what the engines are doing, with their caches and switches; beside any page, by the key D. */
import { Live, get, plainName, post, put, variantOf } from '../api.js';
import { el, onceAFrame } from '../dom.js';
import { named, number, short, t } from '../i18n.js';
import { currentRoute, readGame } from '../links.js';
import { scoreText } from '../score.js';
import { ask, say, sayError, select, toggle } from './controls.js';
import { icon } from './icons.js';

/** @import {Key} from '../i18n.js' */

export class EngineRoom extends HTMLElement {
  /** @type {() => string|undefined} */
  #shown = () => undefined;
  /** @type {Live|null} */
  #live = null;
  #variant = '';
  #now = el('section');
  #body = el('div', { class: 'column' });
  #found = el('div', { class: 'small' });

  /** The panel shows the engine of the page's variant. @param {() => string|undefined} variant */
  follow(variant) {
    this.#shown = variant;
  }

  toggle() {
    if (this.classList.toggle('open')) this.#open(this.#shown());
    else this.#live?.close();
  }

  /** @param {string} [variant] */
  async #open(variant) {
    this.#live?.close();
    this.setAttribute('role', 'complementary');
    this.setAttribute('aria-label', t('nav.engine'));
    /** @type {any[]} */
    const engines = await get('engines').catch((error) => (sayError(error), []));
    const names = engines.map((one) => one.variant);
    this.#variant = names.includes(variant) ? /** @type {string} */ (variant) : (names.find((name) => plainName(name) === plainName(variant ?? '')) ?? names[0] ?? '');
    this.replaceChildren(
      el('div', { class: 'row spread' }, el('h2', null, t('nav.engine')),
        el('button', { class: 'icon plain', 'aria-label': t('close'), onclick: () => this.toggle() }, icon('close'))),
      ...(names.length === 0
        ? [el('p', { class: 'dim' }, t('room.none'))]
        : [select(t('room.engine'), names.map((value) => ({ value, text: title(value) })), this.#variant, (value) => this.#open(value)), this.#now, this.#body]));
    if (names.length === 0) return;
    this.#draw(engines.find((one) => one.variant === this.#variant));
    this.#live = new Live(`engines/${encodeURIComponent(this.#variant)}/live`, (message) => this.#hear(message));
  }

  #hear = onceAFrame((/** @type {any} */ message) => {
    if (message.type === 'info' || message.type === 'thinking') this.#drawNow(message.info ?? message);
    else this.#draw(message.engine ?? message);
  });

  /** What the search looks at right now. @param {any} info */
  #drawNow(info) {
    const line = info.line ?? info.lines?.[0]?.moves ?? [];
    const score = info.score ?? info.lines?.[0]?.score;
    this.#now.replaceChildren(el('h3', null, t('room.search')), figures([
      ['info.depth', `${info.depth ?? 0}${info.seldepth ? `/${info.seldepth}` : ''}`],
      ['info.score', scoreText(score)],
      ['info.nodes', short(info.nodes ?? 0)],
      ['info.speed', `${short(info.nps ?? 0)}/s`],
      ['info.stage', named(`stage.${info.stage}`, info.stage ?? '–')],
    ]), el('p', { class: 'now dim' }, line.slice(0, 16).join(' ')));
  }

  /** @param {any} engine */
  #draw(engine) {
    if (!engine?.caches) return;
    if (engine.last) this.#drawNow(engine.last);
    // A person who is choosing something is not interrupted.
    if (this.#body.contains(document.activeElement) && this.#body.childElementCount > 0) return this.#refresh(engine);
    this.#body.replaceChildren(
      el('section', { 'data-part': 'times' }), el('section', { 'data-part': 'search_tt' }), el('section', { 'data-part': 'eval_cache' }),
      el('section', { 'data-part': 'idle' }), this.#switches(engine), this.#browser());
    return this.#refresh(engine);
  }

  /** @param {any} engine */
  #refresh(engine) {
    const part = (/** @type {string} */ name) => this.#body.querySelector(`[data-part="${name}"]`);
    const { times = {}, queue = {}, caches, idle = {} } = engine;
    const ms = (/** @type {number|undefined} */ value) => (value === undefined || value === null ? '–' : `${number(value)} ms`);
    part('times')?.replaceChildren(el('h3', null, t('room.times')), figures([
      ['room.last', ms(times.last)], ['room.mean', ms(times.mean)], ['room.least', ms(times.least)], ['room.most', ms(times.most)],
      ['room.queue', `${queue.live ?? 0} / ${queue.analysis ?? 0} / ${queue.idle ?? 0}`],
    ]));
    for (const name of ['search_tt', 'eval_cache']) {
      part(name)?.replaceChildren(...cache(/** @type {'search_tt'|'eval_cache'} */ (name), caches[name] ?? {}));
    }
    part('idle')?.replaceChildren(el('h3', null, t('room.idle')),
      figures([['room.state', t(idle.on ? (idle.resting ? 'room.resting' : 'room.working') : 'room.off')], ['room.steps', short(idle.steps ?? 0)]]),
      toggle(t('room.idle.on'), Boolean(idle.on), (on) => this.#call(post(`engines/${encodeURIComponent(this.#variant)}/idle`, { on }))),
      el('ol', { class: 'small dim' }, ...(idle.queue ?? []).slice(0, 8).map((/** @type {any} */ task) => el('li', null, taskText(task)))));
  }

  /** @param {any} engine */
  #switches(engine) {
    const options = (engine.options ?? []).filter((/** @type {any} */ option) => !option.advanced);
    const set = (/** @type {string} */ name, /** @type {unknown} */ value) =>
      this.#call(put(`engines/${encodeURIComponent(this.#variant)}/options`, { name, value: String(value) }));
    const shown = options.map((/** @type {any} */ option) => {
      const label = named(`option.${option.name}`, option.name);
      if (option.kind === 'check' || option.kind === 'switch' || (option.min === 0 && option.max === 1)) {
        const on = option.value === true || String(option.value) === 'true' || String(option.value) === '1';
        return toggle(label, on, (value) => set(option.name, option.min === 0 ? Number(value) : value));
      }
      const field = el('input', { type: 'number', min: option.min, max: option.max, value: option.value, onchange: () => set(option.name, field.value) });
      return el('label', { class: 'field' }, label, field);
    });
    return el('section', null, el('h3', null, t('room.switches')),
      el('button', { onclick: () => ask(t('room.flush.sure'), t('room.flush'), () => this.#call(post(`engines/${encodeURIComponent(this.#variant)}/flush`))) }, icon('trash'), t('room.flush')),
      el('details', null, el('summary', null, t('room.options')), ...shown));
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
        query.set('moves', tree.replace(/\([^)]*\)/g, '').split(/\s+/).slice(0, ply ?? undefined).join(' '));
        if (setup.position) query.set('position', setup.position);
      }
      try {
        this.#drawFound(await get(`engines/${encodeURIComponent(this.#variant)}/lookup?${query}`));
      } catch (error) {
        sayError(error);
      }
    };
    return el('section', null, el('h3', null, t('room.browser')),
      el('div', { class: 'row' }, moves, el('button', { onclick: look }, t('room.look'))), this.#found);
  }

  /** @param {any} answer */
  #drawFound(answer) {
    const row = (/** @type {string} */ move, /** @type {any} */ entry) => el('tr', null,
      el('td', null, move), el('td', { class: 'figure' }, scoreText(entry.score)), el('td', { class: 'figure' }, entry.depth),
      el('td', null, named(`bound.${entry.bound}`, entry.bound)), el('td', null, entry.move ?? entry.best ?? ''), el('td', { class: 'figure' }, entry.age ?? ''));
    const children = (answer.children ?? []).filter((/** @type {any} */ child) => child.entry);
    if (!answer.entry && children.length === 0) return this.#found.replaceChildren(el('p', { class: 'dim' }, t('room.not-found')));
    return this.#found.replaceChildren(el('div', { class: 'scroll-x' }, el('table', null,
      el('tr', null, ...['', t('info.score'), t('info.depth'), t('room.bound'), t('room.best'), t('room.age')].map((text) => el('th', null, text))),
      ...(answer.entry ? [row('·', answer.entry)] : []),
      ...children.map((/** @type {any} */ child) => row(child.move, child.entry)))));
  }

  /** @param {Promise<unknown>} done */
  #call(done) {
    done.then(() => say(t('done')), sayError);
  }
}

/** @param {[Key, string][]} pairs */
function figures(pairs) {
  return el('dl', null, ...pairs.flatMap(([key, value]) => [el('dt', null, t(key)), el('dd', null, value)]));
}

/** @param {'search_tt'|'eval_cache'} name @param {Record<string, any>} counters */
function cache(name, counters) {
  const fill = Number(counters['fill'] ?? counters['hashfull'] ?? 0);
  const share = el('span');
  share.style.transform = `scaleX(${Math.min(1, fill > 1 ? fill / 1000 : fill)})`;
  return [el('h3', null, t(`room.${name}`)), el('div', { class: 'meter' }, share), el('dl', null,
    ...Object.entries(counters).filter(([, value]) => typeof value === 'number').flatMap(([key, value]) =>
      [el('dt', null, named(`cache.${key}`, key.replaceAll('_', ' '))), el('dd', null, figure(key, value))]))];
}

/** @param {string} key @param {number} value */
function figure(key, value) {
  if (key === 'bytes') return `${number(value / 1048576, 1)} MB`;
  if (key === 'fill' || key.endsWith('rate')) return `${number(value * 100, 1)} %`;
  return short(value);
}

/** @param {any} task */
function taskText(task) {
  return typeof task === 'string' ? task : [task.position ?? task.moves?.join?.(' ') ?? task.text, task.depth].filter(Boolean).join(' · ');
}

/** @param {string} name */
function title(name) {
  const variant = variantOf(name);
  return `${named(`variant.${variant.name}`, variant.title)}${name.slice(variant.name.length).replaceAll(/[:,]/g, ' ')}`;
}

customElements.define('engine-room', EngineRoom);
