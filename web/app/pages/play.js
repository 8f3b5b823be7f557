/** `<play-page>`: one game, played or watched. */
import { ApiError, Live, get, keepSeats, loadVariant, plainName, post, seatsOf, variantOf, viewAt } from '../api.js';
import { GameBoard, sideName } from '../board/board.js';
import { landings } from '../board/geometry.js';
import { el, redraw } from '../dom.js';
import { named, t } from '../i18n.js';
import { bindKeys } from '../keys.js';
import { fullLink, gamePath, go } from '../links.js';
import { announce, ask, copy, errorText, iconButton, say, sayError } from '../parts/controls.js';
import { MoveTree } from '../parts/move-tree.js';
import { PlayerStrip, outcomeText } from '../parts/player-strip.js';
import { openShare } from '../parts/share-dialog.js';
import { settings } from '../settings.js';
import { sound } from '../sound.js';
import { Tree } from '../tree.js';

/** @import {GameState, Setup, Side} from '../types.js' */
/** @import {Route} from '../links.js' */
/** @import {Arrow} from '../board/marks.js' */

export class PlayPage extends HTMLElement {
  #id = '';
  /** @type {GameState|null} */
  #state = null;
  #tree = new Tree();
  /** Shows an earlier move than the last. */
  #past = false;
  #flipped = false;
  /** The state was drawn. */
  #shown = false;
  #thinking = false;
  /** @type {Arrow[]} */
  #arrows = [];
  /** @type {Live|null} */
  #live = null;
  /** @type {(() => void)[]} */
  #ends = [];

  #board = new GameBoard();
  #moves = new MoveTree();
  #above = new PlayerStrip();
  #below = new PlayerStrip();
  #actions = el('div', { class: 'actions row' });
  #notice = el('div', { class: 'notice', role: 'status' });
  #lost = el('div', { class: 'lost hidden', role: 'status' }, t('play.lost'));

  get variant() {
    return this.#state?.variant;
  }

  /** @param {Route} route */
  async open(route) {
    this.#id = route.rest[0] ?? '';
    this.className = 'game-page';
    try {
      /** @type {GameState} */
      const state = await get(`games/${encodeURIComponent(this.#id)}`);
      await loadVariant(state.variant);
      this.#state = state;
    } catch (error) {
      this.replaceChildren(el('div', { class: 'panel padded column' },
        el('p', null, error instanceof ApiError && error.status === 404 ? t('play.unknown') : errorText(error)),
        el('a', { class: 'button', href: '#/' }, t('nav.play'))));
      return;
    }
    this.#flipped = this.#mine('second') && !this.#mine('first');
    this.#above.classList.add('above');
    this.#below.classList.add('below');
    this.replaceChildren(
      el('h1', { class: 'unseen' }, named(`variant.${plainName(this.#state.variant)}`, variantOf(this.#state.variant).title)),
      el('div', { class: 'board-box' }, this.#board), this.#above, this.#below,
      el('div', { class: 'panel moves-box' }, this.#moves),
      el('div', { class: 'controls' }, this.#notice, this.#actions, this.#lost));
    this.#board.addEventListener('move', (event) => this.#play(/** @type {CustomEvent<string>} */ (event).detail));
    this.#moves.addEventListener('goto', (event) => this.#goto(() => (this.#tree.here = /** @type {CustomEvent} */ (event).detail)));
    this.#ends.push(
      bindKeys([
        { keys: 'ArrowLeft', does: 'keys.back', run: () => this.#goto(() => this.#tree.back()) },
        { keys: 'ArrowRight', does: 'keys.forward', run: () => this.#goto(() => this.#tree.forward()) },
        { keys: 'Home ArrowUp', does: 'keys.start', run: () => this.#goto(() => this.#tree.back(9999)) },
        { keys: 'End ArrowDown', does: 'keys.end', run: () => this.#goto(() => this.#tree.forward(9999)) },
        { keys: 'u', does: 'keys.undo', run: () => this.#send('undo') },
        { keys: 'y', does: 'keys.redo', run: () => this.#send('redo') },
        { keys: 'h', does: 'keys.hint', run: () => this.#hint() },
        { keys: 'f', does: 'keys.flip', run: () => this.#flip() },
        { keys: 'a', does: 'keys.analyse', run: () => this.#analyse() },
        { keys: 's', does: 'keys.share', run: () => this.#share() },
        { keys: 'n', does: 'keys.new', run: () => go('') },
      ]),
      settings.watch(() => this.#draw()));
    this.#hear({ type: 'state', ...this.#state });
    this.#live = new Live(`games/${this.#id}/live`, (message) => this.#hear(message), (open) => this.#lost.classList.toggle('hidden', open));
  }

  disconnectedCallback() {
    this.#live?.close();
    for (const end of this.#ends) end();
  }

  /** The token by which this browser plays a side. @param {Side} side */
  #token(side) {
    const other = side === 'first' ? 'second' : 'first';
    return seatsOf(this.#id)[this.#state?.swapped ? other : side];
  }

  /** @param {Side} side */
  #mine(side) {
    return this.#token(side) !== undefined;
  }

  /** Who acts now. While it is being settled who plays first, that is not always the side to move. */
  #acts() {
    const { view } = /** @type {GameState} */ (this.#state);
    return view.swap?.acts ?? view.side;
  }

  /** @returns {Setup} */
  #setup() {
    const { variant, position } = /** @type {GameState} */ (this.#state);
    return { variant, ...(position ? { position } : {}) };
  }

  /** @param {any} message */
  #hear(message) {
    if (message.type === 'thinking') {
      if (!this.#thinking) {
        this.#thinking = true;
        this.#drawPlayers();
      }
      return;
    }
    if (message.type !== 'state') return;
    const before = this.#state;
    /** @type {GameState} */
    const state = message;
    // Our own change comes twice: as the answer and as a message.
    if (this.#shown && before?.version === state.version && before.moves.length === state.moves.length) return;
    this.#shown = true;
    this.#state = state;
    this.#thinking = state.thinking;
    const texts = [...state.given, ...state.moves.map(({ text }) => text)];
    if (this.#tree.mainLine().map((node) => node.move).join() !== texts.join()) {
      const count = before?.moves.length ?? 0;
      this.#tree = Tree.of(texts);
      this.#tree.name(this.#tree.here, state.view.shown);
      this.#past = false;
      this.#arrows = [];
      if (state.moves.length > count) this.#announceMove(state, before);
    }
    if (state.status === 'over' && before?.status !== 'over') {
      sound('end');
      announce(this.#outcome());
    }
    this.#draw();
  }

  /** @param {GameState} state @param {GameState|null} before */
  #announceMove(state, before) {
    const last = state.moves.at(-1);
    if (!last) return;
    const mover = state.view.side === 'first' ? 'second' : 'first';
    announce(t('play.moved', { side: sideName(variantOf(state.variant).sides, mover), move: state.view.shown?.at(-1) ?? last.text }));
    const count = (/** @type {GameState|null} */ one) => one?.view.cells.filter((code) => code !== null).length ?? 0;
    sound(count(state) <= count(before) ? 'capture' : 'move');
  }

  #draw() {
    const state = this.#state;
    if (!state) return;
    const variant = variantOf(state.variant);
    this.#moves.show(this.#tree);
    this.#drawPlayers();
    this.#drawActions();
    if (this.#past) {
      viewAt(this.#setup(), this.#tree.path()).then((view) => {
        if (this.#past) this.#board.show({ variant, view, playable: false, flipped: this.#flipped, arrows: [], numbers: this.#numbers() });
      }, sayError);
    } else {
      this.#board.show({
        variant, view: state.view, playable: state.status === 'playing' && this.#mine(this.#acts()) && !state.view.swap?.choices.length, flipped: this.#flipped,
        arrows: this.#arrows, numbers: this.#numbers(),
      });
    }
  }

  #numbers() {
    const { view, variant } = /** @type {GameState} */ (this.#state);
    const numbers = new Map();
    if (!settings.value.numbers) return numbers;
    landings(variantOf(variant).board, this.#tree.path()).forEach((cell, at) => cell !== null && view.cells[cell] && numbers.set(cell, at + 1));
    return numbers;
  }

  #drawPlayers() {
    const state = /** @type {GameState} */ (this.#state);
    const variant = variantOf(state.variant);
    /** @type {[Side, Side]} */
    const order = this.#flipped ? ['first', 'second'] : ['second', 'first'];
    [this.#above, this.#below].forEach((strip, at) => {
      const side = order[at] ?? 'first';
      strip.show(state, side, variant, { mine: this.#mine(side) && !this.#alone(), thinking: this.#thinking && state.view.side === side });
    });
  }

  #drawActions() {
    const state = /** @type {GameState} */ (this.#state);
    const playing = state.status === 'playing';
    const seated = this.#mine('first') || this.#mine('second');
    const pass = playing && this.#mine(state.view.side) ? state.view.legal.find((move) => move.to === null) : undefined;
    const choices = this.#mine(this.#acts()) ? (state.view.swap?.choices ?? []) : [];
    this.#notice.replaceChildren(...this.#notices());
    redraw(this.#actions, ...[
      pass && el('button', { class: 'primary', onclick: () => this.#play(pass.text) }, t('play.pass')),
      ...choices.map((choice) =>
        el('button', { class: 'primary', onclick: () => this.#send('choice', { choice }) }, named(`choice.${choice}`, choice))),
      playing && seated && settings.value.tap === 'confirm' && iconButton('check', t('tap.confirm'), () => this.#board.confirm()),
      seated && iconButton('undo', t('play.undo'), () => this.#send('undo'), { key: 'U', disabled: state.moves.length === 0 || Boolean(state.view.swap) }),
      seated && iconButton('again', t('play.redo'), () => this.#send('redo'), { key: 'Y', disabled: state.undone === 0 }),
      playing && seated && iconButton('hint', t('play.hint'), () => this.#hint(), { key: 'H' }),
      playing && seated && this.#drawButton(),
      playing && seated && iconButton('flag', t('play.resign'), () => ask(t('play.resign.sure'), t('play.resign'), () => this.#send('resign'))),
      state.status === 'over' && seated && iconButton('again', t('play.rematch'), () => this.#rematch(), { wide: true }),
      state.status === 'over' && iconButton('review', t('review.title'), () => this.#review(), { wide: true }),
      iconButton('flip', t('play.flip'), () => this.#flip(), { key: 'F' }),
      iconButton('analyse', t('nav.analyse'), () => this.#analyse(), { key: 'A' }),
      iconButton('share', t('share.title'), () => this.#share(), { key: 'S' }),
    ].filter((part) => part !== false && part !== undefined));
  }

  /** Who is asked for a draw: the other player, or both at this screen. */
  #drawButton() {
    const offer = () => this.#send('draw', { answer: 'offer' });
    if (!this.#alone()) return iconButton('draw', t('play.draw'), offer);
    return iconButton('draw', t('play.draw.agree'), () => ask(t('play.draw.sure'), t('play.draw.agree'), offer));
  }

  #notices() {
    const state = /** @type {GameState} */ (this.#state);
    const open = state.seats.first.kind === 'open' ? 'first' : state.seats.second.kind === 'open' ? 'second' : null;
    const seated = this.#mine('first') || this.#mine('second');
    if (open && seated) {
      const link = fullLink(`game/${this.#id}`);
      return [el('p', null, t('play.invite')), el('div', { class: 'row' },
        el('input', { type: 'text', class: 'grow', readonly: true, value: link, 'aria-label': t('play.invite') }),
        iconButton('copy', t('copy'), () => copy(link), { wide: true }))];
    }
    if (open) {
      return [el('button', { class: 'primary large', onclick: () => this.#join(open) },
        t('play.join', { side: sideName(variantOf(state.variant).sides, open) }))];
    }
    if (state.status === 'over') {
      return [el('p', { class: 'outcome' }, this.#outcome()),
        ...(state.rematch_id && seated ? [el('button', { class: 'primary', onclick: () => this.#rematch() }, t('play.rematch.accept'))] : [])];
    }
    const offered = this.#offered();
    if (offered) return offered;
    const { swap } = state.view;
    if (swap) {
      const side = sideName(variantOf(state.variant).sides, swap.acts);
      return [el('p', null, swap.place > 0 ? t('play.swap.place', { side, count: swap.place }) : t('play.swap.choose', { side }))];
    }
    if (this.#past) {
      return [el('button', { onclick: () => this.#goto(() => this.#tree.forward(9999)) }, t('play.to-last'))];
    }
    const side = sideName(variantOf(state.variant).sides, this.#acts());
    const yours = this.#mine(this.#acts()) && !(this.#mine('first') && this.#mine('second'));
    return [el('p', { class: 'dim' }, yours ? t('play.your-turn') : t('play.turn', { side }))];
  }

  /** What the opponent asks for: a draw, or to take back a move. */
  #offered() {
    const { offers } = /** @type {GameState} */ (this.#state);
    for (const what of /** @type {('draw'|'undo')[]} */ (['draw', 'undo'])) {
      const by = offers[what];
      if (!by || this.#mine(by) || !this.#mine(by === 'first' ? 'second' : 'first')) continue;
      return [el('span', null, t(`play.${what}.offered`)),
        el('button', { class: 'primary', onclick: () => this.#send(what, { answer: 'accept' }) }, t('play.accept')),
        el('button', { onclick: () => this.#send(what, { answer: 'decline' }) }, t('play.decline'))];
    }
    return null;
  }

  /** Both seats are at this screen. */
  #alone() {
    return this.#mine('first') && this.#mine('second');
  }

  #outcome() {
    const state = /** @type {GameState} */ (this.#state);
    return outcomeText(state, variantOf(state.variant));
  }

  /** @param {() => void} walk */
  #goto(walk) {
    walk();
    this.#past = this.#tree.here !== (this.#tree.mainLine().at(-1) ?? this.#tree.root);
    this.#draw();
  }

  /** @param {string} move */
  #play(move) {
    this.#send('moves', { move });
  }

  /** @param {string} what @param {object} [body] */
  async #send(what, body) {
    const state = this.#state;
    if (!state) return undefined;
    const token = this.#token(this.#acts()) ?? this.#token('first') ?? this.#token('second');
    try {
      const answer = await post(`games/${this.#id}/${what}`, body, token);
      // Messages about later changes may have come before this answer.
      if (answer?.view && answer.version > state.version && this.#state === state) this.#hear({ type: 'state', ...answer });
      return answer;
    } catch (error) {
      sayError(error);
      this.#draw();
      return undefined;
    }
  }

  async #hint() {
    const hint = await this.#send('hint');
    const legal = this.#state?.view.legal.find(({ text }) => text === hint?.move);
    const move = legal?.shown ?? hint?.move;
    if (!legal || legal.to === null) return move && say(t('play.hint.is', { move }));
    this.#arrows = [{ ...(legal.from === undefined ? {} : { from: legal.from }), to: legal.to, kind: 'best' }];
    announce(t('play.hint.is', { move }));
    return this.#draw();
  }

  /** @param {Side} side */
  async #join(side) {
    const joined = await this.#send('join', { side });
    if (!joined) return;
    keepSeats(this.#id, joined.seat_tokens);
    this.#flipped = this.#mine('second') && !this.#mine('first');
    this.#draw();
  }

  async #rematch() {
    const made = await this.#send('rematch');
    if (!made) return;
    // The tokens are valid there too, with sides swapped.
    const { first, second } = seatsOf(this.#id);
    keepSeats(made.rematch_id, { ...(second ? { first: second } : {}), ...(first ? { second: first } : {}) });
    go(`game/${made.rematch_id}`);
  }

  #flip() {
    this.#flipped = !this.#flipped;
    this.#draw();
  }

  #analyse() {
    go(gamePath('analyse', this.#setup(), this.#tree.text(), this.#tree.here.ply));
  }

  #review() {
    go(gamePath('review', this.#setup(), this.#tree.text()));
  }

  #share() {
    openShare(this.#setup(), this.#tree.path(), this.#tree.text());
  }
}

customElements.define('play-page', PlayPage);
