/** `<review-page>`: a whole game judged move by move: graphs, marks, accuracy, and mistakes to be tried again. */
import { Analysis } from '../analysis.js';
import { Live, get, loadVariant, post, remove, variantOf, viewAt } from '../api.js';
import { GameBoard, sideName } from '../board/board.js';
import { moveArrow } from '../board/moves.js';
import { el, onceAFrame, redraw } from '../dom.js';
import { number, t } from '../i18n.js';
import { bindKeys } from '../keys.js';
import { gamePath, go, readGame } from '../links.js';
import { announce, errorText, iconButton, say, sayError, segments } from '../parts/controls.js';
import { EvalBar } from '../parts/eval-bar.js';
import { MoveTree } from '../parts/move-tree.js';
import { token } from '../parts/player-strip.js';
import { ScoreGraph } from '../parts/score-graph.js';
import { openShare } from '../parts/share-dialog.js';
import { QUALITIES, isMistake, qualityName } from '../quality.js';
import { scoreText, winChance } from '../score.js';
import { Tree } from '../tree.js';

/** @import {Review, ReviewedMove, Score, Setup, View} from '../types.js' */
/** @import {Route} from '../links.js' */

/** A retry is good when it gives away less than this share of the winning chances. */
const GOOD_ENOUGH = 0.05;

export class ReviewPage extends HTMLElement {
  /** @type {Setup} */
  #setup = { variant: '' };
  #tree = new Tree();
  /** @type {View|null} */
  #view = null;
  /** @type {Review|null} */
  #review = null;
  #id = '';
  #effort = 'normal';
  #flipped = false;
  /** The move that is being tried again. @type {ReviewedMove|null} */
  #retry = null;
  /** @type {Live|null} */
  #live = null;
  /** @type {(() => void)[]} */
  #ends = [];

  #board = new GameBoard();
  #bar = new EvalBar();
  #graph = new ScoreGraph();
  #losses = new ScoreGraph();
  #moves = new MoveTree();
  #progress = el('progress', { max: 1, 'aria-label': t('review.progress') });
  #summary = el('div', { class: 'summary' });
  #comment = el('div', { class: 'comment', role: 'status' });
  #actions = el('div', { class: 'actions row' });
  #analysis = new Analysis((info) => this.#judge(info), () => undefined);

  get variant() {
    return this.#setup.variant;
  }

  /** @param {Route} route */
  async open(route) {
    const { setup, moves } = readGame(route);
    this.#setup = setup;
    this.#tree = Tree.parse(moves);
    this.className = 'analyse-page review-page';
    this.#graph.className = 'graph';
    this.#losses.className = 'graph losses';
    this.replaceChildren(
      this.#bar, el('div', { class: 'board-box' }, this.#board),
      el('div', { class: 'side' },
        el('div', { class: 'row spread' }, el('h1', null, t('review.title')), segments(t('review.effort'), [
          { value: 'quick', text: t('review.quick') }, { value: 'normal', text: t('review.normal') }, { value: 'deep', text: t('review.deep') },
        ], this.#effort, (effort) => this.#begin(effort))),
        this.#progress,
        el('div', { class: 'panel graphs' }, el('h2', null, t('review.graph')), this.#graph, el('h2', null, t('review.losses')), this.#losses),
        el('div', { class: 'panel padded' }, this.#comment),
        this.#actions,
        el('div', { class: 'panel moves-box' }, this.#moves),
        el('div', { class: 'panel padded' }, this.#summary)));
    for (const graph of [this.#graph, this.#losses]) {
      graph.addEventListener('seek', (event) => this.#seek(/** @type {CustomEvent} */ (event).detail));
    }
    this.#moves.addEventListener('goto', (event) => this.#walk(() => (this.#tree.here = /** @type {CustomEvent} */ (event).detail)));
    this.#board.addEventListener('move', (event) => this.#tried(/** @type {CustomEvent} */ (event).detail));
    this.#ends.push(bindKeys([
      { keys: 'ArrowLeft', does: 'keys.back', run: () => this.#walk(() => this.#tree.back()) },
      { keys: 'ArrowRight', does: 'keys.forward', run: () => this.#walk(() => this.#tree.forward()) },
      { keys: 'Home', does: 'keys.start', run: () => this.#walk(() => this.#tree.back(9999)) },
      { keys: 'End', does: 'keys.end', run: () => this.#walk(() => this.#tree.forward(9999)) },
      { keys: 'n', does: 'keys.mistake', run: () => this.#nextMistake() },
      { keys: 'r', does: 'keys.retry', run: () => this.#again() },
      { keys: 'a', does: 'keys.analyse', run: () => this.#analyse() },
      { keys: 'f', does: 'keys.flip', run: () => this.#flip() },
      { keys: 's', does: 'keys.share', run: () => openShare(this.#setup, this.#tree.path(), this.#tree.text()) },
    ]));
    try {
      await loadVariant(setup.variant);
    } catch (error) {
      this.#comment.replaceChildren(el('p', null, errorText(error)));
      return;
    }
    this.#begin(this.#effort);
    this.#go();
  }

  disconnectedCallback() {
    this.#analysis.close();
    this.#stop();
    for (const end of this.#ends) end();
  }

  #stop() {
    this.#live?.close();
    if (this.#id && !this.#review?.done) remove(`reviews/${this.#id}`).catch(() => undefined);
  }

  /** @param {string} effort */
  async #begin(effort) {
    this.#effort = effort;
    this.#stop();
    try {
      const { id } = await post('reviews', { ...this.#setup, moves: this.#tree.mainLine().map((node) => node.move), level_of_effort: effort });
      this.#id = id;
      this.#hear(await get(`reviews/${id}`));
      this.#live = new Live(`reviews/${id}/live`, (message) => this.#hear(message));
    } catch (error) {
      // A link can hold illegal moves. The analysis shows the moves before them.
      if (/** @type {any} */ (error).status === 422) location.replace(`#/${gamePath('analyse', this.#setup, this.#tree.text())}`);
      this.#comment.replaceChildren(el('p', null, errorText(error)));
    }
  }

  #hear = onceAFrame((/** @type {Review} */ review) => {
    this.#review = review;
    this.#tree.mainLine().forEach((node, at) => {
      const judged = review.moves[at];
      if (judged) {
        node.quality = judged.quality;
        node.score = judged.score_after;
      }
    });
    this.#progress.value = review.progress;
    this.#progress.classList.toggle('finished', review.done);
    if (review.done) this.#live?.close();
    this.#draw();
  });

  /** @param {() => void} step */
  #walk(step) {
    this.#retry = null;
    step();
    this.#go();
  }

  /** @param {number} ply */
  #seek(ply) {
    if (ply === this.#tree.here.ply) return;
    this.#walk(() => (this.#tree.here = this.#tree.mainLine()[ply - 1] ?? this.#tree.root));
  }

  async #go() {
    const node = this.#tree.here;
    try {
      const view = await viewAt(this.#setup, this.#tree.path());
      if (node !== this.#tree.here) return;
      this.#view = view;
      this.#tree.name(node, view.shown);
      this.#draw();
    } catch (error) {
      sayError(error);
    }
  }

  /** The verdict on the current move. */
  #here() {
    return this.#review?.moves[this.#tree.here.ply - 1] ?? null;
  }

  #draw() {
    const variant = variantOf(this.#setup.variant);
    const judged = this.#here();
    const score = judged?.score_after ?? this.#review?.moves[0]?.score_before;
    this.#bar.show(this.#retry ? this.#retry.score_before : score, variant);
    this.#moves.show(this.#tree);
    this.#drawGraphs();
    this.#drawComment();
    this.#drawActions();
    this.#drawSummary();
    if (!this.#view) return;
    const better = judged && !this.#retry && judged.quality !== '' && judged.best !== judged.text ? judged.best : null;
    this.#board.show({ variant, view: this.#view, playable: this.#retry !== null, flipped: this.#flipped, arrows: [], values: [] });
    if (better) this.#showBetter(better);
  }

  /** The better move is drawn from the position before. @param {string} best */
  async #showBetter(best) {
    const node = this.#tree.here;
    if (!node.parent) return;
    const before = await viewAt(this.#setup, this.#tree.path(node.parent)).catch(() => null);
    if (before && node === this.#tree.here && !this.#retry) this.#board.show({ arrows: moveArrow(variantOf(this.#setup.variant).board, before, best, 'best') });
  }

  #drawGraphs() {
    const variant = variantOf(this.#setup.variant);
    const moves = this.#review?.moves ?? [];
    const line = this.#tree.mainLine();
    const chance = (/** @type {Score|undefined} */ score) => 2 * winChance(score, variant) - 1;
    const first = moves[0];
    const points = [first ? chance(first.score_before) : null, ...line.map((_, at) => (moves[at] ? chance(moves[at]?.score_after) : null))];
    const dots = moves.flatMap((move, at) => (isMistake(move.quality) ? [{ at: at + 1, kind: qualityName(move.quality) }] : []));
    const cursor = this.#tree.here.ply;
    this.#graph.show({ label: t('review.graph'), points, dots, cursor });
    const losses = [0, ...line.map((_, at) => (moves[at]?.win_chance_drop ?? 0) * (moves[at]?.side === 'second' ? -1 : 1))];
    this.#losses.show({ label: t('review.losses'), points: losses.map((loss) => Math.max(-1, Math.min(1, loss * 2))), form: 'bars', cursor });
  }

  #drawComment() {
    const move = this.#here();
    if (this.#retry) {
      this.#comment.replaceChildren(el('p', null, el('b', null, t('review.retry.now', { side: sideName(variantOf(this.#setup.variant).sides, this.#view?.side ?? 'first') }))));
      return;
    }
    if (!move) {
      this.#comment.replaceChildren(el('p', { class: 'dim' }, t('review.start')));
      return;
    }
    const name = qualityName(move.quality);
    const shown = move.shown ?? move;
    this.#comment.replaceChildren(
      el('p', null, el('b', null, shown.text), ' ', move.quality && el('span', { class: `quality quality-${name}` }, move.quality), ' ',
        t(/** @type {any} */ (`quality.${name}`)), el('span', { class: 'dim' }, ` · ${scoreText(move.score_before)} → ${scoreText(move.score_after)}`)),
      el('p', { class: 'dim small' }, move.best === move.text ? t('review.was-best') : [t('review.best', { move: shown.best }), ...(shown.line.length > 1 ? [shown.line.slice(1, 8).join(' ')] : [])].join(': ')));
  }

  #drawActions() {
    const move = this.#here();
    redraw(this.#actions,
      iconButton('first', t('keys.start'), () => this.#walk(() => this.#tree.back(9999))),
      iconButton('back', t('keys.back'), () => this.#walk(() => this.#tree.back()), { key: '←' }),
      iconButton('forward', t('keys.forward'), () => this.#walk(() => this.#tree.forward()), { key: '→' }),
      iconButton('last', t('keys.end'), () => this.#walk(() => this.#tree.forward(9999))),
      iconButton('mistake', t('review.next'), () => this.#nextMistake(), { key: 'N', wide: true, disabled: !this.#mistakes().length }),
      iconButton('again', t('review.retry'), () => this.#again(), { key: 'R', wide: true, disabled: !move || !isMistake(move.quality) }),
      iconButton('analyse', t('nav.analyse'), () => this.#analyse(), { key: 'A' }),
      iconButton('flip', t('play.flip'), () => this.#flip(), { key: 'F' }));
  }

  #drawSummary() {
    const variant = variantOf(this.#setup.variant);
    const summary = this.#review?.summary;
    if (!summary) return;
    const share = (/** @type {number} */ value) => `${number(value, 1)} %`;
    this.#summary.replaceChildren(el('table', null,
      el('tr', null, el('td'), ...[0, 1].map((at) => el('th', { class: 'figure' }, token(variant, at, 'mini'), ' ', sideName(variant.sides, at === 0 ? 'first' : 'second')))),
      el('tr', null, el('td', null, t('review.accuracy')), ...[summary.first, summary.second].map((side) => el('td', { class: 'figure accuracy' }, share(side.accuracy)))),
      ...QUALITIES.filter((quality) => quality !== '').map((quality) => el('tr', null,
        el('td', null, el('span', { class: `quality quality-${qualityName(quality)}` }, quality), ' ', t(/** @type {any} */ (`quality.${qualityName(quality)}`))),
        ...[summary.first, summary.second].map((side) => el('td', { class: 'figure' }, side.counts[quality] ?? 0))))));
  }

  #mistakes() {
    return (this.#review?.moves ?? []).flatMap((move, at) => (isMistake(move.quality) ? [at + 1] : []));
  }

  #nextMistake() {
    const all = this.#mistakes();
    const next = all.find((ply) => ply > this.#tree.here.ply) ?? all[0];
    if (next !== undefined) return this.#seek(next);
    // Not known before all moves are judged.
    return this.#review?.done ? say(t('review.none')) : undefined;
  }

  /** Back to before the mistake, for another try. */
  #again() {
    const move = this.#here();
    if (!move || !isMistake(move.quality)) return;
    this.#retry = move;
    this.#tree.back();
    this.#go();
  }

  /** @param {string} text */
  #tried(text) {
    const retry = this.#retry;
    if (!retry) return;
    if (text === retry.best) return this.#verdict(true, text);
    // Another move can be as good as the engine's, so it is searched for a moment.
    this.#comment.replaceChildren(el('p', { class: 'dim' }, t('review.retry.looking')));
    this.#analysis.ask({ setup: this.#setup, moves: this.#tree.path(), lines: 1, only: [text], limits: { time_ms: 800 } });
    this.#analysis.ended = () => {
      const line = this.#tryInfo?.lines[0];
      const variant = variantOf(this.#setup.variant);
      const sign = this.#view?.side === 'first' ? 1 : -1;
      const drop = sign * (winChance(retry.score_before, variant) - winChance(line?.score, variant));
      if (this.#retry) this.#verdict(drop < GOOD_ENOUGH, text);
    };
    return undefined;
  }

  /** @type {import('../types.js').Info|null} */
  #tryInfo = null;

  /** @param {import('../types.js').Info} info */
  #judge(info) {
    this.#tryInfo = info;
  }

  /** @param {boolean} good @param {string} text */
  #verdict(good, text) {
    const move = this.#view?.legal.find((legal) => legal.text === text)?.shown ?? text;
    const words = t(good ? 'review.retry.good' : 'review.retry.bad', { move });
    say(words, !good);
    announce(words);
    if (good) this.#walk(() => this.#tree.forward());
    else this.#draw();
  }

  #analyse() {
    go(gamePath('analyse', this.#setup, this.#tree.text(), this.#tree.here.ply));
  }

  #flip() {
    this.#flipped = !this.#flipped;
    this.#draw();
  }
}

customElements.define('review-page', ReviewPage);
