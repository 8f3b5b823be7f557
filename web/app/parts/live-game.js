/** `<live-game>`: one game of a match at full size: board, players with clocks and scores, moves and their graph. */
import { viewAt } from '../api.js';
import { GameBoard, sideName } from '../board/board.js';
import { el, redraw } from '../dom.js';
import { t } from '../i18n.js';
import { scoreText, winChance } from '../score.js';
import { Tree } from '../tree.js';
import { EvalBar } from './eval-bar.js';
import { MoveTree } from './move-tree.js';
import { clockText, token } from './player-strip.js';
import { ScoreGraph } from './score-graph.js';

/** @import {LiveBoard, Score, Variant, View} from '../types.js' */

export class LiveGame extends HTMLElement {
  #board = new GameBoard();
  #bar = new EvalBar();
  #moves = new MoveTree();
  #graph = new ScoreGraph();
  #players = [el('div', { class: 'panel live-player' }), el('div', { class: 'panel live-player' })];
  /** The game that is drawn, and the one to be drawn after it. @type {{game: LiveBoard, variant: Variant, name: string}|null} */
  #next = null;
  #drawing = false;
  /** The move that is looked at; the last one unless somebody went back. @type {number|null} */
  #ply = null;
  #number = -1;

  connectedCallback() {
    const [first, second] = this.#players;
    this.#graph.className = 'graph';
    this.replaceChildren(el('div', { class: 'board-box' }, this.#bar, this.#board), el('div', { class: 'side' },
      second ?? '', el('div', { class: 'panel graphs' }, el('h2', null, t('review.graph')), this.#graph),
      el('div', { class: 'panel moves-box' }, this.#moves), first ?? ''));
    const to = (/** @type {number} */ ply) => {
      this.#ply = ply === this.#next?.game.moves.length ? null : ply;
      this.#redraw();
    };
    this.#graph.addEventListener('seek', (event) => to(/** @type {CustomEvent} */ (event).detail));
    this.#moves.addEventListener('goto', (event) => to(/** @type {CustomEvent} */ (event).detail.ply));
  }

  /** @param {LiveBoard} game @param {Variant} variant as it looks @param {string} name its full name */
  show(game, variant, name) {
    if (game.number !== this.#number) this.#ply = null;
    this.#number = game.number;
    this.#next = { game, variant, name };
    this.#redraw();
  }

  /** Moves can come faster than positions are answered, so only the latest is asked for. */
  async #redraw() {
    if (this.#drawing) return;
    this.#drawing = true;
    let done = false;
    while (!done && this.#next) {
      const { game, variant, name } = this.#next;
      const ply = this.#ply;
      const setup = { variant: name, ...(game.position ? { position: game.position } : {}) };
      const whole = await viewAt(setup, game.moves).catch(() => null);
      const view = ply === null ? whole : await viewAt(setup, game.moves.slice(0, ply)).catch(() => null);
      if (whole && view) this.#draw(game, variant, view, whole);
      done = ply === this.#ply && game === this.#next.game;
    }
    this.#drawing = false;
  }

  /** @param {LiveBoard} game @param {Variant} variant @param {View} view @param {View} whole the last position */
  #draw(game, variant, view, whole) {
    const scores = game.scores ?? [];
    const ply = this.#ply ?? game.moves.length;
    this.#board.show({ variant, view, playable: false });
    this.#bar.show(lastScore(scores, ply), variant, view.outcome);
    const tree = Tree.of(game.moves);
    tree.name(tree.here, whole.shown);
    tree.back(game.moves.length - ply);
    this.#moves.show(tree);
    const points = [null, ...scores].map((score) => (score ? 2 * winChance(score, variant) - 1 : null));
    this.#graph.show({ label: t('review.graph'), points, cursor: ply });
    this.#players.forEach((strip, at) => {
      const side = at === 0 ? 'first' : 'second';
      const left = game.left_ms?.[at];
      const own = lastScore(scores.map((score, move) => (moverOf(whole, game.moves.length, move) === side ? score : null)), ply);
      strip.classList.toggle('turn', !view.outcome && view.side === side);
      redraw(strip, token(variant, at, 'token'), el('div', { class: 'who' }, el('b', null, at === 0 ? game.first : game.second), el('span', null, sideName(variant, side))),
        el('span', { class: 'figure', title: t('info.score') }, own ? scoreText(own) : ''), left === null || left === undefined ? '' : el('time', null, clockText(left)));
    });
  }
}

/** Who made a move: sides take turns, passes included. @param {View} whole after the last move @param {number} count @param {number} move from 0 */
function moverOf({ side }, count, move) {
  const even = (count - move) % 2 === 0;
  return even === (side === 'first') ? 'first' : 'second';
}

/** The last score that is known up to a move. @param {(Score|null)[]} scores @param {number} ply */
function lastScore(scores, ply) {
  return scores.slice(0, ply).findLast((score) => score !== null) ?? null;
}

customElements.define('live-game', LiveGame);
