/**
 * `<game-board>`: the board of any game, drawn from the server's description.
 *
 * Events: `move` (detail: the text of a legal move), `pending` (detail: a move that waits to be confirmed, or null),
 * `premove` (detail: `{from, to}` or null), `refused` (detail: `{cell, from}` where nothing can be played), `cell`
 * (detail: a cell, if the page wants cells instead of moves), `mark` (detail: `{from, to}`), `hover` (detail: a cell or
 * null).
 */
import { svg } from '../dom.js';
import { t } from '../i18n.js';
import { settings } from '../settings.js';
import { sound } from '../sound.js';
import { animate } from './animate.js';
import { CELL, Geometry, cellName } from './geometry.js';
import { drawArrows, drawChecked, drawForbidden, drawHints, drawLast, drawLine, drawNumbers, drawValues } from './marks.js';
import { drawLoupe } from './loupe.js';
import { WALL, drawPiece } from './pieces.js';
import { followPointer } from './pointer.js';
import { openPromotion } from './promotion.js';
import { drawPlate, drawSurface } from './surface.js';
import { showTheme, themeOf } from './theme.js';
import { explainOnce, showTip } from './tip.js';

/** @import {Legal, Variant, View} from '../types.js' */
/** @import {Arrow, CellValue} from './marks.js' */

/**
 * @typedef {object} Shown
 * @property {Variant} variant
 * @property {View} view
 * @property {boolean} playable moves may be chosen
 * @property {boolean} picking cells are chosen instead of moves
 * @property {boolean} flipped
 * @property {Arrow[]} arrows
 * @property {CellValue[]} values
 * @property {boolean} heat
 * @property {Map<number, number>} numbers
 * @property {Set<number>|null} allowed cells the analysis is restricted to
 * @property {'first'|'second'|null} premoves the side that may choose a move for its next turn
 * @property {{from: number, to: number}|null} premove the move that it has chosen
 */

/** From this side of a cell on, in pixels of the page, one tap plays: what a fingertip, and what a mouse hits. */
const FINGER = 34;
const MOUSE = 14;

let boards = 0;

export class GameBoard extends HTMLElement {
  /** @type {Partial<Shown>} */
  #shown = {};
  #number = ++boards;
  /** @type {Geometry|null} */
  #geometry = null;
  /** @type {SVGSVGElement|null} */
  #svg = null;
  /** @type {Record<string, SVGGElement>} */
  #layers = {};
  /** @type {(SVGGElement|null)[]} */
  #pieces = [];
  /** @type {SVGRectElement[]} */
  #cells = [];
  /** @type {number|null} */
  #selected = null;
  #cursor = 0;
  /** @type {ReturnType<typeof followPointer>|null} */
  #pointer = null;
  /** @type {HTMLDialogElement|null} */
  #chooser = null;
  /** The move that waits to be confirmed, if there is one. @type {Legal[]} */
  #pending = [];

  /** @type {(() => void)|null} */
  #unwatch = null;

  connectedCallback() {
    this.#unwatch = settings.watch((now, before) => {
      if (now.coordinates !== before.coordinates) this.#build();
      else if (now.legal !== before.legal) this.#drawMarks();
    });
  }

  disconnectedCallback() {
    this.#unwatch?.();
    this.#chooser?.close();
  }

  /** @param {Partial<Shown>} change */
  show(change) {
    const before = this.#shown;
    this.#shown = { ...before, ...change };
    const { view, variant } = this.#shown;
    if (!view || !variant) return;
    const rebuilt =
      !this.#svg || before.variant !== variant || Boolean(before.flipped) !== Boolean(this.#shown.flipped);
    if (rebuilt) return this.#build();
    if (before.view !== view) {
      this.#selected = null;
      this.#pointer?.forget();
      this.querySelector('.tip')?.remove();
      this.#drawPieces(before.view);
      this.#label();
      this.#forgetPending();
    }
    this.#drawMarks();
  }

  /** Puts the focus on the cells. */
  focusCells() {
    this.#svg?.focus();
  }

  /** Plays the move that waits to be confirmed. */
  confirm() {
    const [move] = this.#pending;
    if (move) this.#take(move, 'direct');
  }

  /** Takes the move back that waits to be confirmed. */
  cancel() {
    this.#selected = null;
    this.#forgetPending();
    this.#drawMarks();
  }

  /** Explains once, in a line of an element, how the board is played by this pointer. @param {boolean} touch @param {HTMLElement} place */
  explain(touch, place) {
    const { legal, forbidden } = this.#view;
    if (legal.length === 0 || !this.#svg) return;
    const say = (/** @type {string} */ what, /** @type {string} */ text) => explainOnce(this, place, what, text);
    if (this.#shown.premoves) say('premove', t('explain.premove'));
    else if (forbidden.length > 0) say('crosses', t('explain.crosses'));
    else if (touch && this.#mode('touch') === 'confirm') say('place', t('explain.place'));
    else if (legal.some(({ from }) => from !== undefined)) say('pieces', t('explain.pieces'));
  }

  /** The position that it shows. */
  get view() {
    return this.#shown.view;
  }

  get #view() {
    return /** @type {View} */ (this.#shown.view);
  }

  get #variant() {
    return /** @type {Variant} */ (this.#shown.variant);
  }

  #build() {
    const { variant, flipped } = this.#shown;
    this.toggleAttribute('data-flipped', Boolean(flipped));
    if (!variant) return;
    const { board } = variant;
    const coordinates = settings.value.coordinates && !this.hasAttribute('small');
    const geometry = new Geometry(board, Boolean(flipped), coordinates);
    this.#geometry = geometry;
    const layer = (/** @type {string} */ name) => (this.#layers[name] = svg('g', { class: name, 'aria-hidden': 'true' }));
    const drawing = svg('svg', { class: 'board', viewBox: `0 0 ${geometry.width} ${geometry.height}` },
      svg('g', { id: `content-${this.#number}` }, drawSurface(board, geometry, coordinates), layer('under'), layer('stones'),
        board.surface === 'columns' && drawPlate(geometry), layer('over'), layer('ghost')), layer('cursor'), layer('aim'));
    this.#svg = drawing;
    showTheme(this, variant);
    this.#pieces = [];
    this.classList.toggle('fine', geometry.columns > 10);
    this.style.setProperty('--aspect', String(geometry.width / geometry.height));
    this.replaceChildren(drawing);
    if (this.hasAttribute('small')) drawing.setAttribute('aria-hidden', 'true');
    else this.#makeGrid(drawing);
    this.#drawPieces();
    this.#label();
    this.#drawMarks();
  }

  /** The board as a grid for people who hear it or use the keyboard. @param {SVGSVGElement} drawing */
  #makeGrid(drawing) {
    const geometry = /** @type {Geometry} */ (this.#geometry);
    drawing.setAttribute('role', 'grid');
    drawing.setAttribute('tabindex', '0');
    drawing.setAttribute('aria-label', t('board.label'));
    const grid = svg('g', { class: 'grid' });
    this.#cells = [];
    for (let row = 0; row < geometry.rows; row++) {
      const line = svg('g', { role: 'row' });
      for (let column = 0; column < geometry.columns; column++) {
        const cell = row * geometry.columns + column;
        const { x, y } = geometry.centre(cell);
        const box = svg('rect', {
          role: 'gridcell', id: `cell-${this.#number}-${cell}`, class: 'cell',
          x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL,
        });
        this.#cells.push(box);
        line.append(box);
      }
      grid.append(line);
    }
    drawing.append(grid);
    this.#cursor = Math.floor(geometry.rows / 2) * geometry.columns + Math.floor(geometry.columns / 2);
    drawing.addEventListener('keydown', (event) => this.#key(event));
    // A click also focuses, but a mouse needs no cursor.
    drawing.addEventListener('focus', () => drawing.matches(':focus-visible') && this.#moveCursor(this.#cursor));
    drawing.addEventListener('blur', () => this.#layers['cursor']?.replaceChildren());
    this.#pointer = followPointer(drawing, {
      cellAt: (x, y) => this.#cellAt(x, y),
      mode: (pointer) => this.#mode(pointer),
      landing: (cell) => this.#landing(cell).length > 0,
      movable: (cell) => this.#movesFrom(cell).length > 0,
      aim: (cell, x, y) => this.#aim(cell, x, y),
      hover: (cell) => {
        this.#drawGhost(cell);
        this.#tell('hover', cell);
      },
      carry: (cell, x, y) => this.#carry(cell, x, y),
      choose: (cell, mode) => {
        this.#cursor = cell;
        this.#layers['cursor']?.replaceChildren();
        this.#choose(cell, mode);
      },
      mark: (from, to) => this.#tell('mark', { from, to }),
    });
  }

  /** @param {number} x @param {number} y */
  #cellAt(x, y) {
    const matrix = this.#svg?.getScreenCTM();
    if (!matrix || !this.#geometry) return null;
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return this.#geometry.cellAt(point.x, point.y);
  }

  /** @param {string} name @param {unknown} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Moves that go to a cell: from the chosen one, or those that only name where they go. @param {number} cell */
  #landing(cell) {
    if (!this.#shown.playable || this.#shown.picking) return [];
    const { legal } = this.#view;
    const { board } = this.#variant;
    // Any cell of a column drops a disc there.
    const same = (/** @type {number|null} */ to) =>
      to !== null && (board.surface === 'columns' ? to % board.columns === cell % board.columns : to === cell);
    const found = legal.filter((move) => same(move.to) && (move.from === undefined || move.from === this.#selected));
    // Moving the selected piece comes before placing a new one.
    const chosen = found.filter((move) => move.from !== undefined);
    return chosen.length > 0 ? chosen : found;
  }

  /** @param {number} cell */
  #movesFrom(cell) {
    if (this.#shown.premoves) {
      const code = this.#view.cells[cell] ?? null;
      return code !== null && ownedBy(code, this.#variant.sides[this.#shown.premoves === 'first' ? 0 : 1].piece) ? [/** @type {Legal} */ ({ text: '', to: null, from: cell })] : [];
    }
    if (!this.#shown.playable || this.#shown.picking) return [];
    return this.#view.legal.filter((move) => move.from === cell);
  }

  /** How a pointer plays here. Where cells are large enough, one tap is enough. @param {string} pointer */
  #mode(pointer) {
    const { tap } = settings.value;
    if (tap !== 'auto') return tap;
    return this.#cellSize() >= (pointer === 'touch' ? FINGER : MOUSE) ? 'direct' : 'confirm';
  }

  /** The side of a cell on the screen. */
  #cellSize() {
    const box = this.#svg?.getBoundingClientRect();
    return box && this.#geometry ? (box.width / this.#geometry.width) * CELL : 0;
  }

  /**
   * A cell was chosen.
   * @param {number} cell
   * @param {'direct'|'confirm'|'slide'} [mode]
   */
  #choose(cell, mode = 'direct') {
    this.querySelector('.tip')?.remove();
    if (this.#shown.picking) return this.#tell('cell', cell);
    if (this.#shown.premoves) return this.#choosePremove(cell);
    const [waiting] = this.#pending;
    if (waiting && this.#meets(waiting, cell)) return this.confirm();
    const moves = this.#landing(cell);
    const [move] = moves;
    if (waiting && !move) this.cancel();
    if (!move) return this.#select(cell);
    if (moves.length > 1 && move.promotes) return this.#promote(moves, mode);
    return this.#take(move, mode);
  }

  /** A move goes to this cell. @param {Legal} move @param {number} cell */
  #meets({ to }, cell) {
    const { board } = this.#variant;
    return to !== null && (board.surface === 'columns' ? to % board.columns === cell % board.columns : to === cell);
  }

  /** Plays a move, or shows it until it is confirmed. @param {Legal} move @param {'direct'|'confirm'|'slide'} mode */
  #take(move, mode) {
    if (mode === 'confirm') {
      this.#pending = [move];
      this.#selected = move.from ?? null;
      this.#drawGhost();
      this.#drawMarks();
      this.#tell('pending', move);
    } else {
      this.#forgetPending();
      this.#tell('move', move.text);
    }
  }

  /** Nothing can be played there: something is picked up, or the page is asked why. @param {number} cell */
  #select(cell) {
    const from = this.#movesFrom(cell);
    const before = this.#selected;
    this.#selected = from.length > 0 && before !== cell ? cell : null;
    this.#drawMarks();
    if (from.length > 0 || before === cell) return;
    if (this.#shown.playable) sound('refused');
    // Choosing another target than allowed keeps the piece in hand.
    if (before !== null && this.#shown.playable) this.#selected = before;
    this.#drawMarks();
    this.#tell('refused', { cell, ...(before === null ? {} : { from: before }) });
  }

  /** A move for the next turn, while the opponent thinks. @param {number} cell */
  #choosePremove(cell) {
    const code = this.#view.cells[cell] ?? null;
    const own = code !== null && ownedBy(code, this.#variant.sides[this.#shown.premoves === 'first' ? 0 : 1].piece);
    const from = this.#selected;
    const planned = this.#shown.premove ?? null;
    this.#selected = null;
    if (planned) this.#tell('premove', null);
    else if (from !== null && from !== cell && !own) this.#tell('premove', { from, to: cell });
    else if (own && from !== cell) this.#selected = cell;
    this.#drawMarks();
  }

  /** Asks what a man becomes. @param {Legal[]} moves @param {'direct'|'confirm'|'slide'} mode */
  #promote(moves, mode) {
    this.#chooser?.remove();
    const [{ to }] = /** @type {[Legal]} */ (moves);
    const square = /** @type {SVGRectElement} */ (this.#cells[to ?? 0]).getBoundingClientRect();
    this.#pending = moves.slice(0, 1);
    this.#drawGhost();
    this.#chooser = openPromotion(this, square, moves, this.#variant, (code) => pieceName(code, this.#variant), (move) => {
      this.#forgetPending();
      if (move) this.#take(move, mode);
    });
  }

  /** Says something at a cell. @param {number} cell @param {string} text @param {string} [rules] a link */
  say(cell, text, rules) {
    const { x, y } = /** @type {Geometry} */ (this.#geometry).centre(cell);
    const { width, height } = /** @type {Geometry} */ (this.#geometry);
    showTip(this, { x: x / width, y: y / height }, text, rules);
  }

  #forgetPending() {
    const waited = this.#pending.length > 0;
    this.#pending = [];
    this.#drawGhost();
    if (waited) this.#tell('pending', null);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) this.#moveCursor(/** @type {Geometry} */ (this.#geometry).step(this.#cursor, step[0], step[1]));
    else if (event.key === 'Enter' || event.key === ' ') this.#choose(this.#cursor);
    else if (event.key === 'Escape' && (this.#selected !== null || this.#pending.length > 0)) this.cancel();
    else return;
    event.preventDefault();
  }

  /** @param {number} cell */
  #moveCursor(cell) {
    this.#cursor = cell;
    const { x, y } = /** @type {Geometry} */ (this.#geometry).centre(cell);
    this.#svg?.setAttribute('aria-activedescendant', `cell-${this.#number}-${cell}`);
    this.#layers['cursor']?.replaceChildren(svg('rect', { x: x - 46, y: y - 46, width: 92, height: 92, rx: 14 }));
  }

  /** @param {string} code */
  #piece(code) {
    return drawPiece(code, this.#variant);
  }

  /** @param {View} [before] */
  #drawPieces(before) {
    const { cells, last } = this.#view;
    const geometry = /** @type {Geometry} */ (this.#geometry);
    const layer = /** @type {SVGGElement} */ (this.#layers['stones']);
    const changed = [];
    for (let cell = 0; cell < geometry.cells; cell++) {
      const code = cells[cell] ?? null;
      const drawn = this.#pieces[cell] ?? null;
      if (drawn && drawn.dataset['code'] === code) continue;
      if (!drawn && code === null) continue;
      let piece = null;
      if (code !== null) {
        const { x, y } = geometry.centre(cell);
        piece = svg('g', { transform: `translate(${x} ${y})`, 'data-code': code }, this.#piece(code));
        layer.append(piece);
      }
      this.#pieces[cell] = piece;
      changed.push({ cell, old: drawn, now: piece });
    }
    animate(changed, geometry, this.#variant.board.surface, before ? last : null);
  }

  #label() {
    if (this.#cells.length === 0) return;
    const { cells, last, line, forbidden, checked = [] } = this.#view;
    const { board } = this.#variant;
    this.#cells.forEach((box, cell) => {
      const code = cells[cell] ?? null;
      const words = [cellName(board, cell), pieceName(code, this.#variant)];
      if (last.includes(cell)) words.push(t('board.last'));
      if (line.includes(cell)) words.push(t('board.line'));
      if (forbidden.includes(cell)) words.push(t('board.forbidden'));
      if (checked.includes(cell)) words.push(t('board.checked'));
      const label = words.join(', ');
      if (box.getAttribute('aria-label') !== label) box.setAttribute('aria-label', label);
    });
  }

  #drawMarks() {
    const geometry = this.#geometry;
    const [under, over] = [this.#layers['under'], this.#layers['over']];
    if (!geometry || !under || !over) return;
    const { view, playable, picking, arrows = [], values = [], heat = false, numbers, allowed, premove } = this.#shown;
    const { cells, last, line, forbidden, checked = [], legal } = /** @type {View} */ (view);
    const { board } = this.#variant;
    // A ring on a pencilled nought would look like a part of it.
    const square = (board.surface === 'squares' && (board.checkered || board.pieces === 'marks')) || isPencilled(this.#variant);
    const chosen = this.#selected;
    const targets = !playable || picking ? [] : chosen !== null
      ? legal.filter((move) => move.from === chosen).map((move) => move.to)
      : sparse(legal, geometry.cells) ? legal.filter((move) => move.from === undefined).map((move) => move.to) : [];
    const hints = settings.value.legal ? [...new Set(targets.filter((to) => to !== null))] : [];
    const taken = (/** @type {number} */ cell) => cells[cell] !== null;
    const dark = (/** @type {number} */ cell) => this.#variant.sides[cells[cell] === 'x' ? 0 : 1].name === 'black';
    const planned = premove ? [premove.from, premove.to] : this.#shown.premoves && chosen !== null ? [chosen] : [];
    under.replaceChildren(...planned.map((cell) => premoveMark(geometry, cell)),
      ...(square ? drawLast(geometry, chosen === null ? last : [...last, chosen], true) : []), ...drawChecked(geometry, checked));
    const worth = values.filter(({ cell }) => !taken(cell) || square);
    const named = new Set(worth.map(({ cell }) => cell));
    over.replaceChildren(
      ...(allowed ? [...allowed].map((cell) => allowedMark(geometry, cell)) : []),
      ...drawForbidden(geometry, playable ? forbidden : []),
      ...drawHints(geometry, hints.filter((cell) => !named.has(cell)), taken),
      ...drawValues(geometry, worth, heat),
      ...drawLine(geometry, line),
      ...(numbers ? drawNumbers(geometry, numbers, dark) : []),
      ...(square || numbers?.size ? [] : drawLast(geometry, last, false)),
      ...drawArrows(geometry, premove ? [...arrows, { ...premove, kind: 'other' }] : arrows));
  }

  /** The move that waits, or else the one that a cell under the pointer would be. @param {number|null} [cell] */
  #drawGhost(cell = null) {
    const layer = this.#layers['ghost'];
    if (!layer) return;
    for (const piece of this.#pieces) piece?.classList.remove('carried');
    const [waiting] = this.#pending;
    const move = waiting ?? (cell === null ? undefined : this.#landing(cell)[0]);
    if (!move || move.to === null || (!waiting && move.from !== undefined)) return layer.replaceChildren();
    const { x, y } = /** @type {Geometry} */ (this.#geometry).centre(move.to);
    const placed = this.#view.side === 'first' ? 'x' : 'o';
    const code = move.promotes ?? (move.from === undefined ? placed : this.#view.cells[move.from] ?? placed);
    if (waiting && move.from !== undefined) this.#pieces[move.from]?.classList.add('carried');
    layer.replaceChildren(
      ...(waiting && move.from !== undefined ? drawArrows(/** @type {Geometry} */ (this.#geometry), [{ from: move.from, to: move.to, kind: 'own' }]) : []),
      svg('g', { class: waiting ? 'ghost-piece firm' : 'ghost-piece', transform: `translate(${x} ${y})` },
        this.#piece(code), Boolean(waiting) && svg('circle', { class: 'firm-ring', r: 49 })));
  }

  /** Shows large what letting go would choose, for the finger covers it. @param {number|null} cell @param {number} x @param {number} y */
  #aim(cell, x, y) {
    const layer = /** @type {SVGGElement} */ (this.#layers['aim']);
    const matrix = this.#svg?.getScreenCTM();
    const open = cell !== null && this.#landing(cell).length > 0;
    if (!matrix || !open) return layer.replaceChildren();
    const finger = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    const code = this.#view.side === 'first' ? 'x' : 'o';
    layer.replaceChildren(drawLoupe(/** @type {Geometry} */ (this.#geometry), `content-${this.#number}`, cell, finger, this.#piece(code)));
    return undefined;
  }

  /** @param {number|null} cell @param {number} x @param {number} y */
  #carry(cell, x, y) {
    const layer = /** @type {SVGGElement} */ (this.#layers['ghost']);
    for (const piece of this.#pieces) piece?.classList.remove('carried');
    if (cell === null) return layer.replaceChildren();
    const code = this.#view.cells[cell];
    const matrix = this.#svg?.getScreenCTM();
    if (!code || !matrix) return undefined;
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    this.#pieces[cell]?.classList.add('carried');
    layer.replaceChildren(svg('g', { transform: `translate(${point.x} ${point.y}) scale(1.15)` },
      this.#piece(code)));
    return undefined;
  }
}

/** Hints help where few cells are open; where nearly all are, they would be noise. @param {Legal[]} legal @param {number} cells */
function sparse(legal, cells) {
  return legal.length < cells / 3;
}

/** @param {Geometry} geometry @param {number} cell */
function allowedMark(geometry, cell) {
  const { x, y } = geometry.centre(cell);
  return svg('rect', { class: 'allowed', x: x - 40, y: y - 40, width: 80, height: 80, rx: 12 });
}

/** @param {Geometry} geometry @param {number} cell */
function premoveMark(geometry, cell) {
  const { x, y } = geometry.centre(cell);
  return svg('rect', { class: 'premove', x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL });
}

/** A piece is of the same side as another: codes of two letters begin with the side. @param {string} code @param {string} other */
function ownedBy(code, other) {
  return code.charAt(0) === other.charAt(0);
}

/** @param {string|null} code @param {Variant} variant */
export function pieceName(code, variant) {
  if (code === null) return t('board.empty');
  if (code === WALL) return t('board.wall');
  if (code.length === 2) {
    const man = /** @type {import('../i18n.js').Key} */ (`man.${code.slice(1)}`);
    return `${t(code.startsWith('w') ? 'side.white' : 'side.black')} ${t(man)}`;
  }
  return sideName(variant, code === 'x' ? 'first' : 'second');
}

/** Stones are drawn as crosses and noughts. @param {Variant} variant */
function isPencilled(variant) {
  return variant.board.pieces === 'stones' && themeOf(variant).pieces === 'marks';
}

/** Stones that are drawn as crosses and noughts are called so. @param {Variant} variant @param {'first'|'second'} side */
export function sideName(variant, side) {
  const at = side === 'first' ? 0 : 1;
  if (isPencilled(variant)) return t(at === 0 ? 'side.cross' : 'side.nought');
  return t(/** @type {import('../i18n.js').Key} */ (`side.${variant.sides[at].name}`));
}

customElements.define('game-board', GameBoard);
