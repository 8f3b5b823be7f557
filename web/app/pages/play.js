/** `<play-page>`: one game, played or watched. */
import { ApiError, Live, get, keepSeats, loadVariant, plainName, post, seatsOf, variantOf, viewAt } from '../api.js';
import { GameBoard, sideName } from '../board/board.js';
import { landings } from '../board/geometry.js';
import { el, redraw } from '../dom.js';
import { named, number, t } from '../i18n.js';
import { bindKeys } from '../keys.js';
import { gamePath, go } from '../links.js';
import { announce, ask, errorText, iconButton, openMenu, say, sayError } from '../parts/controls.js';
import { outcomeText, ownSide, resultOf } from '../parts/ending.js';
import { invitation } from '../parts/invitation.js';
import { MoveTree } from '../parts/move-tree.js';
import { PlayerStrip, seatName } from '../parts/player-strip.js';
import { sayWhy } from '../parts/refused.js';
import { openShare } from '../parts/share-dialog.js';
import { settings } from '../settings.js';
import { sound } from '../sound.js';
import { showTitle } from '../title.js';
import { Tree } from '../tree.js';
import { countGame } from '../rating.js';
import { Coach, Hint } from './play-coach.js';
import { ending, joining, news, openMessages, placing } from './play-notices.js';

/** @import {GameState, Legal, Presence, Setup, Side} from '../types.js' */
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
  /** The move that waits for "Place here". @type {Legal|null} */
  #pending = null;
  /** The move for the next turn. @type {{from: number, to: number}|null} */
  #premove = null;
  /** @type {Presence|null} */
  #presence = null;
  /** What a player said last. @type {{by: Side, message: string}|null} */
  #said = null;
  /** @type {Arrow[]} */
  #arrows = [];
  #coach = new Coach();
  #hints = new Hint();
  /** What the hint says so far. */
  #hinted = '';
  /** Hints or moves taken back helped the person: the game says little of strength. */
  #helped = false;
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
  #controls = el('div', { class: 'controls' }, this.#notice, this.#actions, this.#lost);

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
    this.#turn();
    this.#above.classList.add('above');
    this.#below.classList.add('below');
    this.replaceChildren(
      el('h1', { class: 'unseen' }, named(`variant.${plainName(this.#state.variant)}`, variantOf(this.#state.variant).title)),
      el('div', { class: 'board-box' }, this.#board), this.#above, this.#below,
      el('div', { class: 'panel moves-box' }, this.#moves),
      this.#controls);
    const hear = (/** @type {string} */ name, /** @type {(detail: any) => void} */ run) =>
      this.#board.addEventListener(name, (event) => run(/** @type {CustomEvent} */ (event).detail));
    hear('move', (move) => this.#play(move));
    hear('pending', (move) => {
      this.#pending = move;
      this.#drawActions();
    });
    hear('premove', (move) => {
      this.#premove = move;
      this.#draw();
    });
    hear('refused', (tap) => this.#explainRefusal(tap));
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
        { keys: 'p', does: 'keys.pause', run: () => this.#pause() },
        { keys: 'f', does: 'keys.flip', run: () => this.#flip() },
        { keys: 'a', does: 'keys.analyse', run: () => this.#analyse() },
        { keys: 's', does: 'keys.share', run: () => this.#share() },
        { keys: 'n', does: 'keys.new', run: () => go('') },
      ]),
      settings.watch(() => this.#draw()));
    this.#hear({ type: 'state', ...this.#state });
    this.#live = new Live(`games/${this.#id}/live`, (message) => this.#hear(message), (open) => this.#lost.classList.toggle('hidden', open));
    this.#greet();
  }

  /** Tells the server which seats are here. */
  #greet() {
    for (const token of Object.values(seatsOf(this.#id))) this.#live?.greet(token);
  }

  /** Each player sees the board from the own side, in games where players sit opposite. */
  #turn() {
    const { variant } = /** @type {GameState} */ (this.#state);
    this.#flipped = variantOf(variant).board.facing && this.#mine('second') && !this.#mine('first');
  }

  /** Where the bar's "Analyse" leads from here. */
  get analysis() {
    return this.#state ? gamePath('analyse', this.#setup(), this.#tree.text(), this.#tree.here.ply) : undefined;
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
    if (message.type === 'presence') {
      this.#presence = message;
      return this.#drawPlayers();
    }
    if (message.type === 'says') return this.#hearSaid(message);
    if (message.type !== 'state') return;
    const before = this.#state;
    /** @type {GameState} */
    const state = message;
    // Our own change comes twice: as the answer and as a message.
    if (this.#shown && before?.version === state.version && before.moves.length === state.moves.length) return;
    this.#shown = true;
    this.#state = state;
    this.#thinking = state.thinking;
    if (before) this.#saySwap(state, before);
    const texts = [...state.given, ...state.moves.map(({ text }) => text)];
    if (this.#tree.mainLine().map((node) => node.move).join() !== texts.join()) {
      const count = before?.moves.length ?? 0;
      this.#tree = Tree.of(texts);
      this.#tree.name(this.#tree.here, state.view.shown);
      this.#past = false;
      this.#arrows = [];
      this.#said = null;
      this.#hints.forget();
      this.#hinted = '';
      this.#coachMove(state, before);
      if (state.moves.length > count) this.#announceMove(state, before);
    }
    if (state.status === 'over' && before?.status !== 'over') {
      sound(resultOf(state) === 'lost' ? 'lost' : 'end');
      announce(this.#outcome());
      this.#rate(state);
    }
    this.#draw();
    this.#playPremove();
  }

  /** Lets the coach judge the person's own move. @param {GameState} state @param {GameState|null} before */
  #coachMove(state, before) {
    const mine = ownSide(state);
    const count = before?.moves.length ?? 0;
    if (state.moves.length < count) {
      this.#helped = true;
      this.#coach.forget();
    }
    const own = mine !== null && before?.view.side === mine && state.moves.length === count + 1;
    if (!own || !settings.value.coach || this.#between()) return;
    this.#helped = true;
    const moves = [...state.given, ...state.moves.map(({ text }) => text)];
    this.#coach.judge(this.#setup(), moves, () => this.#drawActions());
  }

  /** Counts the game for the person's strength. @param {GameState} state */
  #rate(state) {
    const result = resultOf(state);
    if (this.#helped || result === 'seen' || ownSide(state) === null) return;
    const change = countGame(state, variantOf(state.variant), result);
    if (change) say(t('rating.changed', { before: number(change.before), after: number(change.after) }));
  }

  /** Plays the move that was chosen while the opponent thought, if it is possible now. */
  #playPremove() {
    const state = /** @type {GameState} */ (this.#state);
    const planned = this.#premove;
    if (!planned || state.status !== 'playing' || !this.#mine(this.#acts())) return;
    this.#premove = null;
    // The first of several promotions is the strongest.
    const move = state.view.legal.find(({ from, to }) => from === planned.from && to === planned.to);
    if (move) this.#play(move.text);
    else this.#draw();
  }

  /** The side that may choose a move for its next turn: the opponent thinks, and pieces are moved. @returns {Side|null} */
  #premoves() {
    const state = /** @type {GameState} */ (this.#state);
    const mine = ownSide(state);
    const moves = state.view.legal.some(({ from }) => from !== undefined);
    return state.status === 'playing' && mine && this.#acts() !== mine && moves && !this.#past ? mine : null;
  }

  /** Says at the cell why nothing can be played there. @param {{cell: number, from?: number}} tap */
  #explainRefusal(tap) {
    const state = this.#state;
    if (!state || this.#past || state.status !== 'playing' || !(this.#mine('first') || this.#mine('second'))) return;
    if (!this.#mine(this.#acts())) this.#board.say(tap.cell, t('play.wait'));
    else sayWhy(this.#board, { ...this.#setup(), moves: this.#tree.path() }, tap);
  }

  /** Says what the other player has chosen. @param {GameState} state @param {GameState} before */
  #saySwap(state, before) {
    const mine = ownSide(state);
    if (!before.view.swap?.choices.length || state.view.swap?.choices.length || !mine || ownSide(before) === before.view.swap.acts) return;
    const side = sideName(variantOf(state.variant), mine);
    const words = state.view.swap ? t('play.swap.two') : t(state.swapped === before.swapped ? 'play.swap.stayed' : 'play.swap.swapped', { side });
    say(words);
    announce(words);
  }

  /** @param {{by: Side, message: string}} said */
  #hearSaid({ by, message }) {
    this.#said = { by, message };
    this.#drawActions();
    if (!this.#mine(by)) sound('turn');
  }

  /** @param {GameState} state @param {GameState|null} before */
  #announceMove(state, before) {
    const last = state.moves.at(-1);
    if (!last) return;
    const mover = state.view.side === 'first' ? 'second' : 'first';
    announce(t('play.moved', { side: sideName(variantOf(state.variant), mover), move: state.view.shown?.at(-1) ?? last.text }));
    const count = (/** @type {GameState|null} */ one) => one?.view.cells.filter((code) => code !== null).length ?? 0;
    const yours = this.#mine(this.#acts()) && !this.#alone();
    sound(yours && document.hidden ? 'turn' : count(state) <= count(before) ? 'capture' : 'move');
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
        variant, view: state.view, playable: this.#playable(), flipped: this.#flipped,
        arrows: this.#arrows, numbers: this.#numbers(), premoves: this.#premoves(), premove: this.#premove,
      });
      // Below the board on an upright phone, else beside it: nothing of the board is hidden.
      const place = matchMedia('(max-width: 900px) and (min-height: 481px)').matches ? this.#board : this.#controls;
      if (this.#playable() || this.#premoves()) this.#board.explain(matchMedia('(pointer: coarse)').matches, place);
    }
    this.#showTitle();
  }

  #playable() {
    const state = /** @type {GameState} */ (this.#state);
    return state.status === 'playing' && this.#mine(this.#acts()) && !state.view.swap?.choices.length;
  }

  /** The title says what is going on, and a badge when it is this browser's turn. */
  #showTitle() {
    const state = /** @type {GameState} */ (this.#state);
    const variant = variantOf(state.variant);
    const game = named(`variant.${variant.name}`, variant.title);
    const yours = state.status === 'playing' && this.#mine(this.#acts()) && !this.#alone();
    const what = state.status === 'over' ? this.#outcome()
      : state.status === 'waiting' ? t('status.waiting')
      : state.paused ? t('play.paused')
      : yours ? t('play.your-turn') : t('play.turn', { side: sideName(variant, this.#acts()) });
    showTitle(`${what} · ${game}`, yours);
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
    // Oneself sits below; where players sit opposite, the strips turn with the board.
    const secondBelow = variant.board.facing ? this.#flipped : ownSide(state) === 'second';
    /** @type {[Side, Side]} */
    const order = secondBelow ? ['first', 'second'] : ['second', 'first'];
    [this.#above, this.#below].forEach((strip, at) => {
      const side = order[at] ?? 'first';
      const people = state.seats.first.kind === 'person' && state.seats.second.kind === 'person' && !this.#alone();
      strip.show(state, side, variant, {
        mine: this.#mine(side) && !this.#alone(), thinking: this.#thinking && state.view.side === side,
        ...(people && this.#presence ? { here: this.#presence[side] } : {}),
      });
    });
  }

  #drawActions() {
    const state = /** @type {GameState} */ (this.#state);
    const playing = state.status === 'playing';
    const seated = this.#mine('first') || this.#mine('second');
    const pass = playing && this.#mine(state.view.side) ? state.view.legal.find((move) => move.to === null) : undefined;
    const choices = this.#mine(this.#acts()) ? (state.view.swap?.choices ?? []) : [];
    redraw(this.#notice, ...this.#notices());
    this.#notice.className = `notice ${state.status === 'over' ? `ending ending-${resultOf(state)}` : ''}`;
    redraw(this.#actions, ...[
      pass && el('button', { class: 'primary', onclick: () => this.#play(pass.text) }, t('play.pass')),
      ...choices.map((choice) =>
        el('button', { class: 'primary', onclick: () => this.#send('choice', { choice }) }, named(`choice.${choice}`, choice))),
      seated && this.#action('undo', 'play.undo', () => this.#send('undo'), { key: 'U', disabled: !this.#canUndo() }),
      playing && seated && !this.#between() && this.#action('hint', 'play.hint', () => this.#hint(), { key: 'H' }),
      playing && seated && this.#drawButton(),
      playing && this.#owned() && (state.paused ? this.#action('play', 'play.resume', () => this.#pause(), { key: 'P' })
        : this.#action('pause', 'play.pause', () => this.#pause(), { key: 'P' })),
      playing && this.#owned() && this.#action('close', 'play.stop', () => ask(t('play.stop.sure'), t('play.stop'), () => this.#send('stop'), 'danger')),
      playing && seated && this.#action('flag', 'play.resign', () => ask(t('play.resign.sure'), t('play.resign'), () => this.#send('resign'), 'danger')),
      this.#between() && seated && this.#action('message', 'play.say', () => openMessages((message) => this.#send('messages', { message }))),
      ...this.#rareActions(),
    ].filter((part) => part !== false && part !== undefined));
  }

  /** @param {import('../parts/icons.js').Icon} picture @param {import('../i18n.js').Key} label @param {() => void} run @param {{key?: string, disabled?: boolean}} [options] */
  #action(picture, label, run, options = {}) {
    return iconButton(picture, t(label), run, { ...options, caption: t(/** @type {any} */ (`${label}.short`)) });
  }

  /** What is rarely done: buttons where there is room, else a menu. */
  #rareActions() {
    const state = /** @type {GameState} */ (this.#state);
    const seated = this.#mine('first') || this.#mine('second');
    /** @type {{icon: import('../parts/icons.js').Icon, label: string, caption: string, run: () => void, key?: string, disabled?: boolean}[]} */
    const rare = [
      ...(seated && !this.#between() ? [{ icon: /** @type {const} */ ('redo'), label: t('play.redo'), caption: t('play.redo.short'), run: () => this.#send('redo'), key: 'Y', disabled: state.undone === 0 }] : []),
      { icon: 'flip', label: t('play.flip'), caption: t('play.flip.short'), run: () => this.#flip(), key: 'F' },
      { icon: 'analyse', label: t('nav.analyse'), caption: t('nav.analyse'), run: () => this.#analyse(), key: 'A' },
      { icon: 'share', label: t('share.title'), caption: t('share.title'), run: () => this.#share(), key: 'S' },
      { icon: 'rules', label: t('nav.rules'), caption: t('nav.rules'), run: () => go(`rules/${plainName(state.variant)}`) },
    ];
    if (matchMedia('(max-width: 900px)').matches) {
      return [iconButton('more', t('play.more'), () => openMenu(t('play.more'), rare), { caption: t('play.more') })];
    }
    return rare.map(({ icon: picture, label, run, ...options }) => iconButton(picture, label, run, options));
  }

  /** A game between engines that this browser began. */
  #owned() {
    return seatsOf(this.#id).owner !== undefined;
  }

  /** Lets the engines rest, or go on. */
  #pause() {
    const state = this.#state;
    if (state?.status === 'playing' && this.#owned()) this.#send('pause', { paused: !state.paused });
  }

  /** A game between people who do not share a screen. */
  #between() {
    const { seats } = /** @type {GameState} */ (this.#state);
    return seats.first.kind !== 'engine' && seats.second.kind !== 'engine' && !this.#alone();
  }

  /** There is a move of one's own to take back. */
  #canUndo() {
    const state = /** @type {GameState} */ (this.#state);
    if (state.view.swap || state.moves.length === 0 || (state.status === 'over' && this.#between())) return false;
    return this.#alone() || state.moves.length > 1 || !this.#mine(state.view.side);
  }

  /** Who is asked for a draw: the other player, or both at this screen. */
  #drawButton() {
    const offer = () => this.#send('draw', { answer: 'offer' });
    if (!this.#alone()) return this.#action('draw', 'play.draw', offer);
    return this.#action('draw', 'play.draw.agree', () => ask(t('play.draw.sure'), t('play.draw.agree'), offer));
  }

  #notices() {
    const state = /** @type {GameState} */ (this.#state);
    const variant = variantOf(state.variant);
    const open = state.seats.first.kind === 'open' ? 'first' : state.seats.second.kind === 'open' ? 'second' : null;
    const seated = this.#mine('first') || this.#mine('second');
    if (open && seated) return [invitation(`game/${this.#id}`)];
    if (open) return joining(state, open, (name) => this.#join(open, name));
    if (state.status === 'over') return ending(state, () => this.#review(), seated ? () => this.#rematch() : null);
    if (this.#pending) return placing(this.#pending, this.#board);
    const offered = this.#offered();
    if (offered) return offered;
    if (this.#premove) {
      return [el('p', { class: 'grow' }, t('play.premove')), el('button', { onclick: () => this.#cancelPremove() }, t('cancel'))];
    }
    const { swap } = state.view;
    if (swap) {
      const side = sideName(variant, swap.acts);
      return [el('p', null, swap.place > 0 ? t('play.swap.place', { side, count: swap.place }) : t('play.swap.choose', { side }))];
    }
    if (this.#past) {
      return [el('button', { onclick: () => this.#goto(() => this.#tree.forward(9999)) }, t('play.to-last'))];
    }
    const told = this.#alone() ? null : news(state, this.#said, ownSide(state));
    if (told) return told;
    if (this.#hinted) {
      return [el('p', { class: 'grow hinted' }, this.#hinted),
        ...(this.#hints.step < 3 ? [el('button', { onclick: () => this.#hint() }, t('hint.more'))] : [])];
    }
    const coached = settings.value.coach ? this.#coach.words(this.#canUndo() ? () => this.#send('undo') : null) : null;
    if (coached) return coached;
    if (state.paused) return [el('p', { class: 'dim' }, t('play.paused'))];
    const yours = this.#mine(this.#acts()) && !this.#alone();
    return [el('p', { class: yours ? 'yours' : 'dim' }, yours ? t('play.your-turn') : t('play.turn', { side: sideName(variant, this.#acts()) }))];
  }

  #cancelPremove() {
    this.#premove = null;
    this.#draw();
  }

  /** What is asked for: by the opponent, with buttons to answer; by oneself, with what became of it. */
  #offered() {
    const { offers } = /** @type {GameState} */ (this.#state);
    for (const what of /** @type {('draw'|'undo')[]} */ (['draw', 'undo'])) {
      const by = offers[what];
      if (!by || this.#alone()) continue;
      if (this.#mine(by)) {
        return [el('span', null, t(`play.${what}.asked`)), el('button', { onclick: () => this.#send(what, { answer: 'decline' }) }, t('play.withdraw'))];
      }
      if (!this.#mine(by === 'first' ? 'second' : 'first')) continue;
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
    const token = this.#token(this.#acts()) ?? this.#token('first') ?? this.#token('second') ?? seatsOf(this.#id).owner;
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

  /** Says a little more each time: where to look, which kind of move, the move. */
  async #hint() {
    const state = this.#state;
    if (!state) return;
    this.#helped = true;
    const told = await this.#hints.next(() => this.#send('hint'), state.view.legal, variantOf(state.variant), this.#flipped);
    if (!told || this.#state !== state) return;
    this.#hinted = told.words;
    const { legal } = told;
    if (legal && legal.to !== null) this.#arrows = [{ ...(legal.from === undefined ? {} : { from: legal.from }), to: legal.to, kind: 'best' }];
    announce(told.words);
    this.#draw();
  }

  /** @param {Side} side @param {string} name */
  async #join(side, name) {
    settings.set({ name });
    const joined = await this.#send('join', { side, ...(name ? { name } : {}) });
    if (!joined) return;
    keepSeats(this.#id, joined.seat_tokens);
    this.#greet();
    this.#turn();
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
    go(gamePath('review', this.#setup(), this.#tree.text(), undefined, this.#state && ownSide(this.#state)));
  }

  /** With the names of the players and the result. */
  #share() {
    const { seats, end } = /** @type {GameState} */ (this.#state);
    const whole = Tree.of(this.#tree.mainLine().map(({ move }) => move));
    whole.about = {
      players: [seatName(seats.first, false), seatName(seats.second, false)],
      result: !end ? '*' : end.winner === null ? '1/2-1/2' : end.winner === 'first' ? '1-0' : '0-1',
    };
    openShare(this.#setup(), this.#tree.path(), whole.text());
  }
}

customElements.define('play-page', PlayPage);
