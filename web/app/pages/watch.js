/** `<watch-page>`: matches between engines, running and finished: boards, results and graphs. */
import { Live, get, isOperator, loadVariant, post, variantOf, viewAt } from '../api.js';
import { GameBoard } from '../board/board.js';
import { el, onceAFrame } from '../dom.js';
import { named, number, refusal, t } from '../i18n.js';
import { gamePath } from '../links.js';
import { errorText, sayError } from '../parts/controls.js';
import { icon } from '../parts/icons.js';
import { LiveGame } from '../parts/live-game.js';
import { ScoreGraph } from '../parts/score-graph.js';
import { signed } from '../score.js';
import { fleetPanel } from './fleet.js';
import { matchForm } from './new-match.js';

/** @import {Route} from '../links.js' */
/** @import {Match, PlayedGame} from '../types.js' */

/** The list of games is loaded again at most this often. */
const PAUSE = 2000;

export class WatchPage extends HTMLElement {
  /** @type {Live|null} */
  #live = null;
  /** @type {string|undefined} */
  variant;

  /** @param {Route} route */
  open(route) {
    this.className = 'watch-page';
    const id = route.rest[0];
    return id ? this.#match(id) : this.#list();
  }

  disconnectedCallback() {
    this.#live?.close();
  }

  async #list() {
    /** @type {Match[]} */
    const matches = await get('matches').catch((error) => (sayError(error), []));
    this.replaceChildren(
      el('h1', null, t('watch.title')),
      el('div', { class: 'watch-columns' },
        el('section', { class: 'panel padded column' }, el('h2', null, t('watch.matches')),
          matches.length === 0 ? el('p', { class: 'dim' }, t('watch.none')) : this.#table(matches)),
        isOperator() ? matchForm() : el('p', { class: 'panel padded dim' }, t('watch.operator'))),
      ...(isOperator() ? [fleetPanel()] : []));
  }

  /** @param {Match[]} matches */
  #table(matches) {
    return el('div', { class: 'scroll-x' }, el('table', null,
      el('tr', null, ...[t('watch.match'), t('watch.score'), t('watch.elo'), ''].map((text, at) => el('th', { class: at > 0 ? 'figure' : '' }, text))),
      ...matches.map((match) => el('tr', null,
        el('td', null, el('a', { href: `#/watch/${encodeURIComponent(match.id)}` }, title(match)), el('div', { class: 'dim small' }, match.players.join(' – '))),
        el('td', { class: 'figure' }, match.players.length > 2 ? '' : scoreLine(match.score)), el('td', { class: 'figure' }, eloText(match.elo)), el('td', null, el('span', { class: 'dim' }, t(`watch.${stateOf(match)}`)))))));
  }

  /** @param {string} id */
  async #match(id) {
    this.#live?.close();
    try {
      const match = await get(`matches/${encodeURIComponent(id)}`);
      this.variant = match.variant;
      await loadVariant(match.variant);
      const boards = el('div', { class: 'live-boards' });
      const game = new LiveGame();
      game.className = 'analyse-page live-game hidden';
      this.#chosen = null;
      const elo = new ScoreGraph();
      const llr = new ScoreGraph();
      elo.className = llr.className = 'graph';
      const head = el('div', { class: 'row spread' });
      const facts = el('div', { class: 'scroll-x' });
      const games = el('section', { class: 'panel padded column hidden' });
      this.replaceChildren(head, game, el('div', { class: 'watch-columns' },
        el('section', { class: 'column' }, boards, games),
        el('section', { class: 'column' },
          el('div', { class: 'panel padded' }, facts),
          el('div', { class: 'panel graphs' }, el('h2', null, t('watch.elo')), elo, el('h2', null, t('watch.llr')), llr))));
      const draw = onceAFrame((/** @type {Match} */ now) => {
        this.#drawMatch(now, { head, facts, boards, game, elo, llr });
        this.#askGames(now, games, game);
      });
      draw(match);
      this.#live = new Live(`matches/${encodeURIComponent(id)}/live`, draw);
    } catch (error) {
      this.replaceChildren(el('div', { class: 'panel padded column' }, el('p', null, errorText(error)), el('a', { class: 'button', href: '#/watch' }, t('watch.title'))));
    }
  }

  /**
   * @param {Match} match
   * @param {{head: HTMLElement, facts: HTMLElement, boards: HTMLElement, game: LiveGame, elo: ScoreGraph, llr: ScoreGraph}} parts
   */
  #drawMatch(match, { head, facts, boards, game, elo, llr }) {
    const tell = (/** @type {'stop'|'resume'|'end'} */ what, /** @type {'close'|'play'|'pause'} */ picture, /** @type {string} */ text) =>
      el('button', { onclick: () => post(`matches/${encodeURIComponent(match.id)}/${what}`).then(() => (match.running ? undefined : this.#match(match.id))).catch(sayError) }, icon(picture), text);
    // Messages come many times a second, and buttons must stay in place meanwhile.
    const state = stateOf(match);
    if (head.dataset['state'] !== state) {
      head.dataset['state'] = state;
      head.replaceChildren(el('h1', null, title(match)), el('div', { class: 'row' },
        el('span', { class: 'dim' }, t(`watch.${state}`)),
        isOperator() && state === 'running' && tell('stop', 'pause', t('watch.pause')), isOperator() && state === 'paused' && tell('resume', 'play', t('watch.resume')),
        isOperator() && (state === 'running' || state === 'paused') && tell('end', 'close', t('watch.stop'))));
    }
    const tournament = match.players.length > 2;
    const row = (/** @type {string} */ label, /** @type {string|number} */ value) => el('tr', null, el('td', null, label), el('td', { class: 'figure' }, value));
    facts.replaceChildren(tournament ? standings(match) : '', el('table', null,
      ...(tournament ? [] : [row(t('watch.players'), match.players.join(' – ')), row(t('watch.score'), scoreLine(match.score))]),
      row(t('watch.games'), `${match.played} / ${match.games ?? '∞'}`),
      ...(tournament ? [] : [row(t('watch.elo'), eloText(match.elo))]),
      ...(match.llr_bounds ? [row(t('watch.llr'), signed(match.llr_series.at(-1) ?? 0, 2))] : []),
      row(t('watch.faults'), match.faults),
      ...(match.error ? [row(t('watch.error'), refusal(match.error))] : [])));
    const far = Math.max(50, ...match.elo_series.map((point) => Math.abs(point.elo)));
    elo.parentElement?.classList.toggle('hidden', tournament);
    graph(elo, match.elo_series.map((point) => point.elo), t('watch.elo'), far, [], [far, -far].map((value) => ({ value, text: signed(value, 0) })));
    const bounds = match.llr_bounds ?? [];
    llr.parentElement?.classList.toggle('without-test', bounds.length === 0);
    graph(llr, match.llr_series, t('watch.llr'), Math.max(...bounds.map(Math.abs)) * 1.15, bounds, bounds.map((value) => ({ value, text: signed(value, 2) })));
    this.#drawBoards(match, boards, game);
  }

  /** When the list of games was last loaded, and how many there were. */
  #asked = { at: 0, played: -1 };

  /** The games that have ended, to be looked at. @param {Match} match @param {HTMLElement} box @param {LiveGame} shown */
  async #askGames(match, box, shown) {
    const { at, played } = this.#asked;
    if (match.played === played || (match.running && performance.now() - at < PAUSE)) return;
    this.#asked = { at: performance.now(), played: match.played };
    /** @type {PlayedGame[]} */
    const games = await get(`matches/${encodeURIComponent(match.id)}/games`).catch(() => []);
    box.classList.toggle('hidden', games.length === 0);
    // While none is played, the last one is shown.
    if (match.boards.length === 0 && games[0]) {
      shown.classList.remove('hidden');
      shown.show(games[0], variantOf(match.variant), match.variant);
    }
    const scrolled = box.lastElementChild?.scrollTop ?? 0;
    box.replaceChildren(el('h2', null, t('watch.played')), el('div', { class: 'scroll-x games-list' }, el('table', null, ...games.map((game) => {
      const setup = { variant: match.variant, ...(game.position ? { position: game.position } : {}) };
      return el('tr', null, el('td', { class: 'dim' }, game.number + 1), el('td', null, `${game.first} – ${game.second}`),
        el('td', { class: 'figure' }, game.result), el('td', { class: 'dim small' }, named(`ended.${game.reason}`, game.reason)),
        el('td', { class: 'figure' }, el('a', { href: `#/${gamePath('analyse', setup, game.moves.join(' '))}` }, t('moves.count', { count: game.moves.length }))));
    }))));
    if (box.lastElementChild) box.lastElementChild.scrollTop = scrolled;
  }

  /** The number of the game that is shown at full size; the first of those being played without it. @type {number|null} */
  #chosen = null;

  /** One game at full size; the others small, to be chosen. @param {Match} match @param {HTMLElement} boards @param {LiveGame} shown */
  #drawBoards(match, boards, shown) {
    const variant = variantOf(match.variant);
    const main = match.boards.find(({ number }) => number === this.#chosen) ?? match.boards[0];
    const others = match.boards.filter((game) => game !== main);
    if (main) {
      shown.classList.remove('hidden');
      shown.show(main, variant, match.variant);
    }
    while (boards.children.length > others.length) boards.lastElementChild?.remove();
    others.forEach((game, at) => {
      let box = /** @type {HTMLElement|undefined} */ (boards.children[at]);
      if (!box) boards.append((box = el('button', { class: 'live-board' }, new GameBoard(), el('span', { class: 'dim small' }))));
      this.#drawSmall(box, game, match, variant);
    });
  }

  /** @param {HTMLElement} box @param {Match['boards'][0]} game @param {Match} match @param {import('../types.js').Variant} variant */
  async #drawSmall(box, game, match, variant) {
    box.onclick = () => (this.#chosen = game.number);
    const view = await viewAt({ variant: match.variant, ...(game.position ? { position: game.position } : {}) }, game.moves).catch(() => null);
    const [board, caption] = box.children;
    board?.setAttribute('small', '');
    if (caption) caption.textContent = `${game.first} – ${game.second}`;
    if (view && board) /** @type {GameBoard} */ (board).show({ variant, view, playable: false });
  }
}

/**
 * A series on a scale that shows its extremes.
 * @param {ScoreGraph} drawing
 * @param {number[]} series
 * @param {string} label
 * @param {number} scale
 * @param {number[]} bounds
 * @param {{value: number, text: string}[]} marks what heights mean
 */
function graph(drawing, series, label, scale, bounds, marks) {
  const clamp = (/** @type {number} */ value) => Math.max(-1, Math.min(1, value / scale));
  drawing.show({ label, points: series.length > 0 ? series.map(clamp) : [0], bounds: bounds.map(clamp), scale: marks.map(({ value, text }) => ({ at: clamp(value), text })) });
}

/** @param {Match} match */
function title(match) {
  const variant = variantOf(match.variant);
  return match.name ?? named(`variant.${variant.name}`, variant.title);
}

/** @param {Match} match @returns {'running'|'paused'|'stopped'|'finished'} */
function stateOf(match) {
  if (match.running) return 'running';
  if (isDecided(match)) return 'finished';
  return match.resumable ? 'paused' : 'stopped';
}

/** All games were played, or the sequential test knows: there is nothing to go on with. @param {Match} match */
function isDecided({ played, games, llr_series: series, llr_bounds: bounds }) {
  const llr = series.at(-1);
  return (games !== null && played >= games) || (bounds !== null && llr !== undefined && (llr <= bounds[0] || llr >= bounds[1]));
}

/** How all players of a tournament stand, the best first. @param {Match} match */
function standings(match) {
  const points = (/** @type {Match['score']} */ { wins, draws }) => wins + draws / 2;
  const order = [...match.standings].sort((one, other) => (other.elo?.value ?? 0) - (one.elo?.value ?? 0) || points(other.score) - points(one.score));
  return el('table', { class: 'standings' },
    el('tr', null, ...[t('watch.players'), t('watch.score'), t('watch.elo')].map((text, at) => el('th', { class: at > 0 ? 'figure' : '' }, text))),
    ...order.map(({ name, score, elo }) => el('tr', null, el('td', null, name), el('td', { class: 'figure' }, scoreLine(score)), el('td', { class: 'figure' }, eloText(elo)))));
}

/** @param {Match['score']} score */
function scoreLine({ wins, draws, losses }) {
  return `+${wins} =${draws} −${losses}`;
}

/** @param {Match['elo']} elo */
function eloText(elo) {
  if (!elo || elo.value === null) return '–';
  return `${signed(elo.value, 1)} ± ${elo.error === null ? '∞' : number(elo.error, 1)}`;
}

customElements.define('watch-page', WatchPage);
