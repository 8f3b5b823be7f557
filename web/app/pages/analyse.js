/** `<analyse-page>`: a game with its variations, and what the engine thinks of every position in it. */
import { Analysis } from '../analysis.js';
import { allVariants, bookAt, loadVariant, plainName, variantOf, viewAt } from '../api.js';
import { GameBoard } from '../board/board.js';
import { landings } from '../board/geometry.js';
import { moveArrow, moveCells } from '../board/moves.js';
import { el, redraw } from '../dom.js';
import { named, t } from '../i18n.js';
import { bindKeys } from '../keys.js';
import { gamePath, go, readGame } from '../links.js';
import { announce, errorText, iconButton, labelled, openMenu, say, sayError, select } from '../parts/controls.js';
import { BookMoves } from '../parts/book-moves.js';
import { resultSentence } from '../parts/ending.js';
import { EngineLines } from '../parts/engine-lines.js';
import { EvalBar, firstShade } from '../parts/eval-bar.js';
import { MoveTree } from '../parts/move-tree.js';
import { openPlayOn } from '../parts/play-on-dialog.js';
import { sayWhy } from '../parts/refused.js';
import { SetupEditor } from '../parts/setup-editor.js';
import { openShare } from '../parts/share-dialog.js';
import { cellText, scoreOrder, winChance } from '../score.js';
import { settings } from '../settings.js';
import { Tree } from '../tree.js';

/** @import {Info, Setup, View} from '../types.js' */
/** @import {Route} from '../links.js' */
/** @import {Arrow, CellValue} from '../board/marks.js' */

/** How long one position is searched: long enough to trust, short enough for a battery. */
const TIME_MS = 60000;

/** Reports come faster than anybody reads; each one that is drawn costs a phone a frame or two. */
const PAUSE_MS = 200;

/** Moves that lose less of the winning chance than this are nearly as good as the best. */
const NEARLY = 0.15;

export class AnalysePage extends HTMLElement {
  /** @type {Setup} */
  #setup = { variant: '' };
  #tree = new Tree();
  /** @type {View|null} */
  #view = null;
  /** @type {Info|null} */
  #info = null;
  #running = true;
  #threats = false;
  /** Cells the search is restricted to, or null. @type {Set<number>|null} */
  #allowed = null;
  #restricting = false;
  #editing = false;
  #flipped = false;
  /** A move of the link was refused. The link stays as it is until somebody goes on from here. */
  #refusedLink = false;
  /** @type {string[]|null} */
  #preview = null;
  /** @type {Arrow[]} */
  #own = [];
  /** @type {(() => void)[]} */
  #ends = [];

  #board = new GameBoard();
  #bar = new EvalBar();
  #lines = new EngineLines();
  #book = new BookMoves();
  #moves = new MoveTree();
  #editor = new SetupEditor();
  #actions = el('div', { class: 'actions row' });
  #title = el('div', { class: 'row spread analyse-title' });
  /** When the next report may be drawn. */
  #next = 0;
  /** A report waits to be drawn. */
  #waits = 0;
  #analysis = new Analysis((info) => this.#hear(info), (error) => error && sayError(error));

  get variant() {
    return this.#setup.variant;
  }

  /** @param {Route} route */
  open(route) {
    const { setup, moves, ply } = readGame(route);
    this.#setup = setup.variant ? setup : { variant: (allVariants().find(({ board }) => board.surface === 'points') ?? allVariants()[0])?.name ?? '' };
    this.#tree = Tree.parse(moves);
    if (ply !== null) this.#tree.back(Math.max(0, this.#tree.here.ply - ply));
    this.className = 'analyse-page';
    this.replaceChildren(
      el('div', { class: 'board-box' }, this.#bar, this.#board),
      el('div', { class: 'side' },
        el('h1', { class: 'unseen' }, t('nav.analyse')),
        this.#title,
        el('div', { class: 'panel lines-box' }, this.#lines, this.#book),
        this.#actions,
        el('div', { class: 'panel editor-box hidden' }, this.#editor),
        el('div', { class: 'panel moves-box' }, this.#moves)));
    this.#listen();
    this.#ends.push(bindKeys(this.#keys()), settings.watch((now, before) => {
      if (now.lines !== before.lines || now.values !== before.values) this.#ask();
      this.#draw();
    }));
    this.#go();
  }

  disconnectedCallback() {
    clearTimeout(this.#waits);
    this.#analysis.close();
    for (const end of this.#ends) end();
  }

  /** @returns {import('../keys.js').Binding[]} */
  #keys() {
    return [
      { keys: 'ArrowLeft', does: 'keys.back', run: () => this.#walk(() => this.#tree.back()) },
      { keys: 'ArrowRight', does: 'keys.forward', run: () => this.#walk(() => this.#tree.forward()) },
      { keys: 'ArrowUp', does: 'keys.previous', run: () => this.#walk(() => this.#tree.sibling(-1)) },
      { keys: 'ArrowDown', does: 'keys.next', run: () => this.#walk(() => this.#tree.sibling(1)) },
      { keys: 'Home', does: 'keys.start', run: () => this.#walk(() => this.#tree.back(9999)) },
      { keys: 'End', does: 'keys.end', run: () => this.#walk(() => this.#tree.forward(9999)) },
      { keys: ' ', does: 'keys.best', run: () => this.#playBest() },
      { keys: 'e', does: 'keys.run', run: () => this.#run(!this.#running) },
      { keys: 't', does: 'keys.threats', run: () => this.#toggleThreats() },
      { keys: 'r', does: 'keys.restrict', run: () => this.#restrict() },
      { keys: 'v', does: 'keys.values', run: () => this.#nextValues() },
      { keys: 'p', does: 'keys.setup', run: () => this.#edit() },
      { keys: 'f', does: 'keys.flip', run: () => this.#flip() },
      { keys: 'm', does: 'keys.main', run: () => this.#walk(() => this.#tree.promote()) },
      { keys: 'Delete Backspace', does: 'keys.remove', run: () => this.#walk(() => this.#tree.remove()) },
      { keys: 'g', does: 'keys.play-on', run: () => this.#playOn() },
      { keys: 's', does: 'keys.share', run: () => this.#share() },
    ];
  }

  #listen() {
    this.#board.addEventListener('move', (event) => this.#walk(() => this.#tree.play(/** @type {CustomEvent} */ (event).detail)));
    this.#board.addEventListener('refused', (event) =>
      !this.#editing && sayWhy(this.#board, { ...this.#setup, moves: this.#tree.path() }, /** @type {CustomEvent} */ (event).detail));
    this.#board.addEventListener('cell', (event) => this.#cell(/** @type {CustomEvent} */ (event).detail));
    this.#board.addEventListener('mark', (event) => this.#mark(/** @type {CustomEvent} */ (event).detail));
    this.#moves.addEventListener('goto', (event) => this.#walk(() => (this.#tree.here = /** @type {CustomEvent} */ (event).detail)));
    this.#lines.addEventListener('preview', (event) => {
      this.#preview = /** @type {CustomEvent} */ (event).detail;
      this.#draw();
    });
    this.#lines.addEventListener('choose', (event) => this.#walk(() => {
      if (!this.#threats) for (const move of /** @type {CustomEvent} */ (event).detail) this.#tree.play(move);
    }));
    this.#book.addEventListener('choose', (event) => this.#walk(() => this.#tree.play(/** @type {CustomEvent} */ (event).detail)));
    this.#editor.addEventListener('change', (event) => {
      this.#board.show({ view: /** @type {CustomEvent} */ (event).detail, picking: true, values: [], arrows: [], numbers: new Map(), allowed: null });
    });
    this.#editor.addEventListener('done', (event) => this.#edited(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {() => void} step */
  #walk(step) {
    if (this.#editing) return;
    this.#refusedLink = false;
    step();
    this.#go();
  }

  /** Shows the current position and analyses it. */
  async #go() {
    const node = this.#tree.here;
    this.#preview = null;
    this.#own = [];
    this.#info = null;
    this.#allowed = null;
    this.#restricting = false;
    const last = this.#tree.mainLine().at(-1) ?? this.#tree.root;
    if (!this.#refusedLink) history.replaceState(null, '', `#/${gamePath('analyse', this.#setup, this.#tree.text(), node === last ? undefined : node.ply)}`);
    try {
      await loadVariant(this.#setup.variant);
      const view = await viewAt(this.#setup, this.#tree.path());
      if (node !== this.#tree.here) return;
      this.#view = view;
      this.#tree.name(node, view.shown);
      if (node.move) announce(node.shown ?? node.move);
      this.#draw();
      this.#ask();
      this.#showBook(node);
      if (view.shown) await this.#nameAll();
    } catch (error) {
      this.#refused(error, node);
    }
  }

  /** Without an answer nothing is listed; the analysis does not need the book. @param {import('../tree.js').TreeNode} node */
  async #showBook(node) {
    const moves = await bookAt(this.#setup, this.#tree.path(node)).catch(() => []);
    if (node === this.#tree.here) this.#book.show(moves);
  }

  /** Names the moves of lines that came with a link as people write them. */
  async #nameAll() {
    const tree = this.#tree;
    for (const leaf of tree.leaves().filter((node) => node.parent && node.shown === undefined)) {
      // A line that can't be played stays as it is until somebody goes there.
      const view = await viewAt(this.#setup, tree.path(leaf)).catch(() => null);
      if (view) tree.name(leaf, view.shown);
      else leaf.shown = leaf.move;
      if (tree === this.#tree) this.#moves.show(tree);
    }
  }

  /**
   * A link can hold illegal moves. The moves before them are still shown.
   * @param {unknown} error
   * @param {import('../tree.js').TreeNode} node
   */
  #refused(error, node) {
    if (node.parent && error && /** @type {any} */ (error).status === 422) {
      if (!this.#refusedLink) sayError(error);
      this.#refusedLink = true;
      this.#tree.remove();
      this.#go();
    } else if (!this.#view) {
      this.replaceChildren(el('div', { class: 'panel padded column' }, el('p', null, errorText(error)), el('a', { class: 'button', href: '#/' }, t('nav.play'))));
    } else sayError(error);
  }

  #ask() {
    const view = this.#view;
    if (!view || !this.#running || view.outcome || this.#editing) {
      this.#analysis.stop();
      // What was found in this position stays visible.
      this.#lines.show(this.#info, view?.outcome ? 0 : this.#rows(), view?.outcome ? resultSentence(view.outcome, variantOf(this.#setup.variant)) : t('analyse.stopped'));
      return;
    }
    const only = this.#allowed ? view.legal.filter(({ to }) => to !== null && this.#allowed?.has(to)).map(({ text }) => text) : [];
    const wide = variantOf(this.#setup.variant).value_on_cells && settings.value.values !== 'off';
    this.#analysis.ask({
      setup: this.#setup, moves: this.#tree.path(), lines: wide ? Math.max(settings.value.lines, view.legal.length) : settings.value.lines,
      ...(only.length > 0 ? { only } : {}), ...(this.#threats ? { threats: true } : {}), limits: { time_ms: TIME_MS },
    });
    this.#lines.show(this.#info, this.#rows(), t('analyse.starting'));
  }

  #rows() {
    return settings.value.lines;
  }

  /** @param {Info} info */
  #hear(info) {
    this.#info = info;
    const best = info.lines[0];
    if (best && !this.#threats) this.#tree.here.score = best.score;
    if (this.#waits) return;
    this.#waits = setTimeout(() => this.#drawReport(), this.#next - performance.now());
  }

  /** Draws the latest report, if it still belongs to the position. */
  #drawReport() {
    this.#waits = 0;
    this.#next = performance.now() + PAUSE_MS;
    const info = this.#info;
    if (!info) return;
    const best = info.lines[0];
    this.#lines.show(info, this.#rows());
    if (best && !this.#threats) this.#bar.show(best.score, variantOf(this.#setup.variant));
    if (!this.#preview) this.#drawBoard();
  }

  #draw() {
    this.#drawTitle();
    this.#drawActions();
    this.#moves.show(this.#tree);
    this.#bar.show(this.#tree.here.score, variantOf(this.#setup.variant), this.#view?.outcome);
    this.#lines.dataset['shade'] = firstShade(variantOf(this.#setup.variant));
    this.#drawBoard();
  }

  #drawBoard() {
    const variant = variantOf(this.#setup.variant);
    const view = this.#view;
    if (!view || this.#editing) return;
    const common = { variant, flipped: this.#flipped };
    if (this.#preview && !this.#threats) {
      const line = this.#preview;
      viewAt(this.#setup, [...this.#tree.path(), ...line]).then((later) => {
        if (this.#preview !== line) return;
        this.#board.show({ ...common, view: later, playable: false, picking: false, values: [], arrows: [], allowed: null, numbers: this.#numbers(line.length) });
      }, () => undefined);
      return;
    }
    this.#board.show({
      ...common, view, playable: !this.#restricting, picking: this.#restricting, values: this.#values(view), heat: settings.value.values === 'heat',
      arrows: [...this.#arrows(view), ...this.#own], allowed: this.#allowed, numbers: settings.value.numbers ? this.#numbers(0) : new Map(),
    });
  }

  /** Numbers on stones: of the previewed line, or of the game. @param {number} previewed */
  #numbers(previewed) {
    const { board } = variantOf(this.#setup.variant);
    const moves = [...this.#tree.path(), ...(this.#preview ?? [])];
    const skip = previewed > 0 ? moves.length - previewed : 0;
    const numbers = new Map();
    landings(board, moves).forEach((cell, at) => cell !== null && at >= skip && numbers.set(cell, at + 1 - skip));
    return numbers;
  }

  /** @param {View} view @returns {CellValue[]} */
  #values(view) {
    const lines = this.#info?.lines ?? [];
    if (settings.value.values === 'off' || this.#threats || lines.length === 0) return [];
    const sign = view.side === 'first' ? 1 : -1;
    const worth = lines.map((line) => sign * scoreOrder(line.score));
    const best = Math.max(...worth);
    // Heat shows how much a move loses against the best one.
    const variant = variantOf(this.#setup.variant);
    const scale = variant.chance * 2;
    return lines.flatMap((line, at) => {
      const cells = line.moves[0] ? moveCells(variant.board, view, line.moves[0]) : null;
      if (!cells || cells.from !== undefined) return [];
      return [{ cell: cells.to, text: cellText(line.score), heat: Math.exp(-(best - (worth[at] ?? 0)) / scale), best: at === 0 }];
    });
  }

  /** @param {View} view @returns {Arrow[]} */
  #arrows(view) {
    const lines = this.#info?.lines ?? [];
    const { board } = variantOf(this.#setup.variant);
    if (this.#threats) return this.#dangers(view).flatMap((line) => moveArrow(board, view, line.moves[0] ?? '', 'threat'));
    return lines.slice(0, 3).reverse().flatMap((line) => moveArrow(board, view, line.moves[0] ?? '', line.rank <= 1 ? 'best' : 'other'))
      .filter((arrow) => arrow.from !== undefined);
  }

  /** What the other side would do: its best moves, and none that would help whoever is threatened. @param {View} view */
  #dangers(view) {
    const variant = variantOf(this.#setup.variant);
    const [best, ...rest] = this.#info?.lines.slice(0, 3) ?? [];
    if (!best) return [];
    const chance = (/** @type {Info['lines'][0]} */ line) => (view.side === 'first' ? 1 - winChance(line.score, variant) : winChance(line.score, variant));
    return [best, ...rest.filter((line) => chance(best) - chance(line) < NEARLY)];
  }

  #drawTitle() {
    const variants = allVariants().map(({ name, title }) => ({ value: name, text: named(`variant.${name}`, title) }));
    redraw(this.#title,
      select(t('home.choose'), variants, plainName(this.#setup.variant), (variant) => go(gamePath('analyse', { variant }))),
      labelled(t('analyse.lines'), [1, 2, 3, 5].map((value) => ({ value, text: String(value) })), settings.value.lines, (lines) => settings.set({ lines: Number(lines) })),
      el('span', { class: 'opening dim' }, this.#view?.opening ?? ''));
  }

  #drawActions() {
    /** @type {{icon: import('../parts/icons.js').Icon, label: string, caption: string, run: () => void, key?: string, pressed?: boolean, disabled?: boolean}[]} */
    const rare = [
      { icon: 'star', label: t('analyse.restrict'), caption: t('analyse.restrict.short'), run: () => this.#restrict(), key: 'R', pressed: this.#restricting || this.#allowed !== null },
      { icon: 'setup', label: t('setup.title'), caption: t('setup.short'), run: () => this.#edit(), key: 'P', pressed: this.#editing },
      { icon: 'flip', label: t('play.flip'), caption: t('play.flip.short'), run: () => this.#flip(), key: 'F' },
      { icon: 'play', label: t('analyse.play-on'), caption: t('analyse.play-on.short'), run: () => this.#playOn(), key: 'G', disabled: !this.#view || this.#view.outcome !== null },
      { icon: 'trash', label: t('keys.remove'), caption: t('remove.short'), run: () => this.#walk(() => this.#tree.remove()) },
      { icon: 'share', label: t('share.title'), caption: t('share.title'), run: () => this.#share(), key: 'S' },
      { icon: 'review', label: t('review.title'), caption: t('review.title'), run: () => go(gamePath('review', this.#setup, this.#tree.text())), disabled: this.#tree.mainLine().length === 0 },
    ];
    const narrow = matchMedia('(max-width: 900px)').matches;
    redraw(this.#actions,
      iconButton('first', t('keys.start'), () => this.#walk(() => this.#tree.back(9999))),
      iconButton('back', t('keys.back'), () => this.#walk(() => this.#tree.back()), { key: '←' }),
      iconButton('forward', t('keys.forward'), () => this.#walk(() => this.#tree.forward()), { key: '→' }),
      iconButton('last', t('keys.end'), () => this.#walk(() => this.#tree.forward(9999))),
      iconButton('power', t('analyse.run'), () => this.#run(!this.#running), { key: 'E', pressed: this.#running, caption: t('opponent.engine') }),
      iconButton('threat', t('analyse.threats'), () => this.#toggleThreats(), { key: 'T', pressed: this.#threats, caption: t('analyse.threats.short') }),
      // A star that is pressed is pressed again to end the choice.
      ...(narrow ? [
        this.#restricting || this.#allowed ? iconButton('star', t('analyse.restrict'), () => this.#restrict(), { pressed: true, caption: t('done') })
          : iconButton('more', t('play.more'), () => openMenu(t('play.more'), rare), { caption: t('play.more') }),
      ] : rare.map(({ icon, label, run, ...options }) => iconButton(icon, label, run, options))));
  }

  /** @param {boolean} on */
  #run(on) {
    this.#running = on;
    this.#draw();
    this.#ask();
  }

  #playBest() {
    const best = this.#info?.lines[0]?.moves[0];
    if (best && !this.#threats) this.#walk(() => this.#tree.play(best));
  }

  #toggleThreats() {
    this.#threats = !this.#threats;
    this.#info = null;
    this.#draw();
    this.#ask();
  }

  /** First call: choose cells; second: search only those; third: search all again. */
  #restrict() {
    if (this.#restricting) this.#restricting = false;
    else if (this.#allowed) this.#allowed = null;
    else {
      this.#restricting = true;
      this.#allowed = new Set();
      say(t('analyse.restrict.how'));
    }
    if (!this.#restricting && this.#allowed?.size === 0) this.#allowed = null;
    this.#info = this.#restricting ? this.#info : null;
    this.#draw();
    if (!this.#restricting) this.#ask();
  }

  /** @param {number} cell */
  #cell(cell) {
    if (this.#editing) return this.#editor.put(cell);
    if (!this.#allowed?.delete(cell)) this.#allowed?.add(cell);
    return this.#drawBoard();
  }

  /** @param {{from: number, to: number}} mark */
  #mark({ from, to }) {
    const same = (/** @type {Arrow} */ arrow) => (arrow.from ?? arrow.to) === from && arrow.to === to;
    if (this.#own.some(same)) this.#own = this.#own.filter((arrow) => !same(arrow));
    else this.#own.push(from === to ? { to, kind: 'own' } : { from, to, kind: 'own' });
    this.#drawBoard();
  }

  #nextValues() {
    /** @type {('off'|'values'|'heat')[]} */
    const all = ['values', 'heat', 'off'];
    settings.set({ values: all[(all.indexOf(settings.value.values) + 1) % 3] ?? 'off' });
  }

  #edit() {
    if (!this.#view) return;
    if (this.#editing) return this.#edited(null);
    this.#editing = true;
    this.#analysis.stop();
    this.#showEditor();
    this.#editor.begin(this.#setup, variantOf(this.#setup.variant), this.#view);
    return this.#drawActions();
  }

  /** @param {string|null} position */
  #edited(position) {
    this.#editing = false;
    this.#showEditor();
    if (position !== null) {
      this.#setup = { ...this.#setup, position };
      this.#tree = new Tree();
    }
    this.#go();
  }

  #showEditor() {
    this.#editor.parentElement?.classList.toggle('hidden', !this.#editing);
    this.#moves.parentElement?.classList.toggle('hidden', this.#editing);
    this.classList.toggle('editing', this.#editing);
  }

  #flip() {
    this.#flipped = !this.#flipped;
    this.#drawBoard();
  }

  #playOn() {
    if (this.#view && !this.#view.outcome && !this.#editing) openPlayOn(this.#setup, this.#tree.path(), this.#view.side);
  }

  #share() {
    openShare(this.#setup, this.#tree.path(), this.#tree.text());
  }
}

customElements.define('analyse-page', AnalysePage);
