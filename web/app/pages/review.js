/** `<review-page>`: a whole game judged move by move: graphs, marks, accuracy, and mistakes to be tried again. */
import { Live, get, loadVariant, post, variantOf, viewAt } from '../api.js';
import { GameBoard, sideName } from '../board/board.js';
import { moveArrow } from '../board/moves.js';
import { el, onceAFrame, redraw } from '../dom.js';
import { number, t } from '../i18n.js';
import { bindKeys } from '../keys.js';
import { gamePath, go, readGame } from '../links.js';
import { announce, errorText, iconButton, say, sayError, select } from '../parts/controls.js';
import { resultSentence } from '../parts/ending.js';
import { EvalBar } from '../parts/eval-bar.js';
import { MoveTree } from '../parts/move-tree.js';
import { token } from '../parts/player-strip.js';
import { ScoreGraph } from '../parts/score-graph.js';
import { openShare } from '../parts/share-dialog.js';
import { momentList } from '../parts/words.js';
import { QUALITIES, isMistake, qualityName } from '../quality.js';
import { resultShare, resultText, scoreText, winChance } from '../score.js';
import { Tree } from '../tree.js';

/** @import {Review, ReviewedMove, Setup, Side, View} from '../types.js' */
/** @import {Route} from '../links.js' */

export class ReviewPage extends HTMLElement {
  /** @type {Setup} */
  #setup = { variant: '' };
  #tree = new Tree();
  /** @type {View|null} */
  #view = null;
  /** @type {Review|null} */
  #review = null;
  #id = '';
  /** How far a deeper review has got, while there is one. @type {Review|null} */
  #deeper = null;
  #flipped = false;
  /** Whose mistakes count. @type {Side|'both'} */
  #whose = 'both';
  /** The move that is being tried again. @type {ReviewedMove|null} */
  #retry = null;
  /** The plies whose better move was found or asked for. @type {Set<number>} */
  #known = new Set();
  /** What became of the last try. */
  #said = '';
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
  #head = el('div', { class: 'row spread review-head' });

  get variant() {
    return this.#setup.variant;
  }

  /** @param {Route} route */
  async open(route) {
    const { setup, moves, side } = readGame(route);
    this.#setup = setup;
    this.#tree = Tree.parse(moves);
    this.#whose = side ?? 'both';
    this.className = 'analyse-page review-page';
    this.#graph.className = 'graph';
    this.#losses.className = 'graph losses';
    this.replaceChildren(
      el('div', { class: 'board-box' }, this.#bar, this.#board),
      el('div', { class: 'side' },
        this.#head,
        this.#progress,
        el('div', { class: 'panel padded comment-box' }, this.#comment),
        this.#actions,
        el('div', { class: 'panel graphs' }, el('h2', null, t('review.graph')), this.#graph, el('h2', null, t('review.losses')), this.#losses),
        el('div', { class: 'panel padded' }, this.#summary),
        el('div', { class: 'panel moves-box' }, this.#moves)));
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
      this.#flipped = side === 'second' && variantOf(setup.variant).board.facing;
    } catch (error) {
      this.#comment.replaceChildren(el('p', null, errorText(error)));
      return;
    }
    this.#begin();
    this.#go();
  }

  disconnectedCallback() {
    this.#live?.close();
    for (const end of this.#ends) end();
  }

  /** Shows the review of the game, which the server may have had for long. @param {'deep'} [effort] */
  async #begin(effort) {
    try {
      const { id } = await post('reviews', { ...this.#setup, moves: this.#tree.mainLine().map((node) => node.move), ...(effort ? { level_of_effort: effort } : {}) });
      this.#live?.close();
      this.#id = id;
      const review = await get(`reviews/${id}`);
      this.#hear(review);
      if (!review.done) this.#live = new Live(`reviews/${id}/live`, (message) => this.#hear(message));
    } catch (error) {
      // A link can hold illegal moves. The analysis shows the moves before them.
      if (/** @type {any} */ (error).status === 422) location.replace(`#/${gamePath('analyse', this.#setup, this.#tree.text())}`);
      this.#comment.replaceChildren(el('p', null, errorText(error)));
    }
  }

  #hear = onceAFrame((/** @type {Review} */ review) => {
    this.#progress.value = review.progress;
    this.#progress.classList.toggle('finished', review.done);
    if (review.done) this.#live?.close();
    // The verdicts of a review stay until a deeper one has all of its own.
    this.#deeper = !review.done && this.#review?.done ? review : null;
    if (this.#deeper) return this.#draw();
    this.#review = review;
    this.#tree.mainLine().forEach((node, at) => {
      const judged = review.moves[at];
      if (!judged) return;
      node.quality = judged.quality;
      node.score = judged.score_after;
      if (judged.shown) node.shown = judged.shown.text;
    });
    return this.#draw();
  });

  /** @param {() => void} step */
  #walk(step) {
    this.#retry = null;
    this.#said = '';
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

  /** How the game has ended, where the current move is its last. */
  #end() {
    return this.#retry ? null : this.#view?.outcome ?? null;
  }

  /** The better move at the current mistake is kept back until it was tried or asked for. */
  #isSecret() {
    const move = this.#here();
    return move !== null && this.#counts(move) && !this.#known.has(this.#tree.here.ply);
  }

  /** A mistake of a side whose mistakes count. @param {ReviewedMove} move */
  #counts(move) {
    return isMistake(move.quality) && (this.#whose === 'both' || move.side === this.#whose);
  }

  #draw() {
    const variant = variantOf(this.#setup.variant);
    const judged = this.#here();
    const before = this.#tree.here.ply === 0 ? this.#review?.moves[0]?.score_before : undefined;
    this.#bar.show(this.#retry ? this.#retry.score_before : judged?.score_after ?? before, variant, this.#end());
    this.#moves.show(this.#tree);
    this.#drawHead();
    this.#drawGraphs();
    this.#drawComment();
    this.#drawActions();
    this.#drawSummary();
    if (!this.#view) return;
    const better = judged && !this.#retry && !this.#isSecret() && judged.quality !== '' && judged.best !== judged.text ? judged.best : null;
    this.#board.show({ variant, view: this.#view, playable: this.#retry !== null, flipped: this.#flipped, arrows: [], values: [] });
    if (better) this.#showBetter(better);
  }

  #drawHead() {
    const variant = variantOf(this.#setup.variant);
    const deep = this.#review?.level_of_effort === 'deep';
    redraw(this.#head, el('h1', null, t('review.title')),
      select(t('review.whose'), [
        { value: 'both', text: t('review.both') }, { value: 'first', text: sideName(variant, 'first') }, { value: 'second', text: sideName(variant, 'second') },
      ], this.#whose, (whose) => {
        this.#whose = /** @type {Side|'both'} */ (whose);
        this.#draw();
      }),
      el('button', { disabled: !this.#review?.done || deep || this.#deeper !== null, onclick: () => this.#begin('deep') }, t(deep ? 'review.is-deep' : 'review.deeper')));
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
    const end = this.#review?.end;
    const first = moves[0];
    const after = line.map((_, at) => (!moves[at] ? null : end && at === line.length - 1 ? resultShare(end) : winChance(moves[at]?.score_after, variant)));
    const points = [first ? winChance(first.score_before, variant) : null, ...after].map((chance) => (chance === null ? null : 2 * chance - 1));
    const dots = moves.flatMap((move, at) => (this.#counts(move) ? [{ at: at + 1, kind: qualityName(move.quality) }] : []));
    const cursor = this.#tree.here.ply;
    this.#graph.show({ label: t('review.graph'), points, dots, cursor });
    const losses = [0, ...line.map((_, at) => (moves[at]?.win_chance_drop ?? 0) * (moves[at]?.side === 'second' ? -1 : 1))];
    this.#losses.show({ label: t('review.losses'), points: losses.map((loss) => Math.max(-1, Math.min(1, loss * 2))), form: 'bars', cursor });
  }

  #drawComment() {
    const variant = variantOf(this.#setup.variant);
    const move = this.#here();
    const said = this.#said && el('p', null, el('b', null, this.#said));
    if (this.#retry) {
      redraw(this.#comment, said || el('p', null, el('b', null, t('review.retry.now', { side: sideName(variant, this.#retry.side) }))),
        el('p', null, this.#revealButton()));
    } else if (!move) {
      redraw(this.#comment, el('p', { class: 'dim' }, t(this.#tree.here.ply === 0 ? 'review.start' : 'review.waiting')));
    } else redraw(this.#comment, ...this.#verdict(move), said || '', ...this.#better(move));
  }

  /** @param {ReviewedMove} move */
  #verdict(move) {
    const name = qualityName(move.quality);
    const end = this.#end();
    return [
      el('p', null, el('b', null, (move.shown ?? move).text), ' ', move.quality && el('span', { class: `quality quality-${name}` }, move.quality), ' ',
        t(/** @type {any} */ (`quality.${name}`)), el('span', { class: 'dim' }, ` · ${scoreText(move.score_before)} → ${end ? resultText(end) : scoreText(move.score_after)}`)),
      end && el('p', { class: 'outcome-line' }, resultSentence(end, variantOf(this.#setup.variant))),
    ];
  }

  /** The better move, or the ways to find it. @param {ReviewedMove} move */
  #better(move) {
    if (this.#isSecret()) return [el('p', { class: 'row' }, el('button', { class: 'primary', onclick: () => this.#again() }, t('review.retry')), this.#revealButton())];
    const { best, line } = move.shown ?? move;
    const words = move.best === move.text ? t('review.was-best') : [t('review.best', { move: best }), ...(line.length > 1 ? [line.slice(1, 8).join(' ')] : [])].join(': ');
    return [el('p', { class: 'dim small' }, words)];
  }

  #revealButton() {
    return el('button', { onclick: () => this.#reveal() }, t('review.reveal'));
  }

  #drawActions() {
    redraw(this.#actions,
      iconButton('first', t('keys.start'), () => this.#walk(() => this.#tree.back(9999))),
      iconButton('back', t('keys.back'), () => this.#walk(() => this.#tree.back()), { key: '←' }),
      iconButton('forward', t('keys.forward'), () => this.#walk(() => this.#tree.forward()), { key: '→' }),
      iconButton('last', t('keys.end'), () => this.#walk(() => this.#tree.forward(9999))),
      iconButton('mistake', t('review.next'), () => this.#nextMistake(), { key: 'N', wide: true, disabled: !this.#mistakes().length }),
      iconButton('analyse', t('nav.analyse'), () => this.#analyse(), { key: 'A' }),
      iconButton('flip', t('play.flip'), () => this.#flip(), { key: 'F' }));
  }

  #drawSummary() {
    const variant = variantOf(this.#setup.variant);
    const summary = this.#review?.summary;
    if (!summary) return;
    const share = (/** @type {number} */ value) => `${number(value, 1)} %`;
    this.#summary.replaceChildren(el('table', null,
      el('tr', null, el('td'), ...[0, 1].map((at) => el('th', { class: 'figure' }, token(variant, at, 'mini'), ' ', sideName(variant, at === 0 ? 'first' : 'second')))),
      el('tr', null, el('td', null, t('review.accuracy')), ...[summary.first, summary.second].map((side) => el('td', { class: 'figure accuracy' }, share(side.accuracy)))),
      ...QUALITIES.filter((quality) => quality !== '').map((quality) => el('tr', null,
        el('td', null, el('span', { class: `quality quality-${qualityName(quality)}` }, quality), ' ', t(/** @type {any} */ (`quality.${qualityName(quality)}`))),
        ...[summary.first, summary.second].map((side) => el('td', { class: 'figure' }, side.counts[quality] ?? 0))))),
      ...(this.#review?.done ? [momentList(this.#review.moves, this.#whose === 'both' ? null : this.#whose, (ply) => this.#seek(ply))] : []));
  }

  #mistakes() {
    return (this.#review?.moves ?? []).flatMap((move, at) => (this.#counts(move) ? [at + 1] : []));
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
    this.#said = '';
    this.#tree.back();
    this.#go();
  }

  /** Shows the better move, and the mistake again. */
  #reveal() {
    const retrying = this.#retry !== null;
    this.#known.add(this.#tree.here.ply + (retrying ? 1 : 0));
    this.#walk(() => retrying && this.#tree.forward());
  }

  /** The server searches another move as long as it has searched those of the game. @param {string} text */
  async #tried(text) {
    const retry = this.#retry;
    if (!retry) return;
    this.#comment.replaceChildren(el('p', { class: 'dim' }, t('review.retry.looking')));
    const move = this.#view?.legal.find((legal) => legal.text === text)?.shown ?? text;
    const ply = this.#tree.here.ply + 1;
    try {
      const { good } = await post(`reviews/${this.#id}/tries`, { ply, move: text });
      if (this.#retry !== retry) return;
      const words = t(good ? 'review.retry.good' : 'review.retry.bad', { move });
      if (good) {
        this.#known.add(ply);
        this.#walk(() => this.#tree.forward());
      }
      this.#said = words;
      announce(words);
    } catch (error) {
      sayError(error);
    }
    this.#draw();
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
