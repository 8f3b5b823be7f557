/** `<player-strip>`: a player's name, captured pieces and clock. */
import { pieceName, sideName } from '../board/board.js';
import { pieceTile } from '../board/pieces.js';
import { el } from '../dom.js';
import { named, t } from '../i18n.js';
import { isDecided } from './ending.js';

/** @import {GameState, Seat, Side, Variant} from '../types.js' */

export class PlayerStrip extends HTMLElement {
  #clock = el('time');
  #frame = 0;
  /** @type {number|null} */
  #ends = null;

  disconnectedCallback() {
    cancelAnimationFrame(this.#frame);
  }

  /**
   * @param {GameState} state
   * @param {Side} side
   * @param {Variant} variant
   * @param {{mine: boolean, thinking: boolean, here?: boolean}} facts here: a person who has the game open
   */
  show(state, side, variant, { mine, thinking, here }) {
    const at = side === 'first' ? 0 : 1;
    const seat = state.seats[side];
    const turn = state.status === 'playing' && state.view.side === side;
    const counts = Object.entries(state.view.counters).map(([name, pair]) =>
      el('span', { class: 'pairs', title: named(`counter.${name}`, name), 'aria-label': `${named(`counter.${name}`, name)} ${pair[at]}` },
        token(variant, name === 'captured' ? 1 - at : at), pair[at]));
    this.classList.toggle('turn', turn);
    this.replaceChildren(
      token(variant, at, 'token'),
      el('div', { class: 'who' }, el('b', null, seatName(seat, mine),
        here === undefined ? null : el('span', { class: here ? 'presence' : 'presence away', role: 'img', 'aria-label': t(here ? 'seat.here' : 'seat.away'), title: t(here ? 'seat.here' : 'seat.away') })),
        el('span', null, `${sideName(variant, side)}${thinking ? ` · ${t('play.thinking')}` : ''}`)),
      ...counts, ...material(state.view.cells, at, variant),
      ...(state.end && isDecided(state.end) ? [el('b', { class: state.end.winner === side ? 'points won' : 'points' }, pointsOf(state.end.winner, side))] : []));
    this.#runClock(state, side);
  }

  /** @param {GameState} state @param {Side} side */
  #runClock(state, side) {
    cancelAnimationFrame(this.#frame);
    const { clock } = state;
    if (!clock) return;
    this.append(this.#clock);
    const left = side === 'first' ? clock.first_ms : clock.second_ms;
    this.#ends = clock.running === side ? performance.now() + left : null;
    const draw = () => {
      const now = this.#ends === null ? left : Math.max(0, this.#ends - performance.now());
      const text = clockText(now);
      if (this.#clock.textContent !== text) this.#clock.textContent = text;
      this.classList.toggle('low', this.#ends !== null && now < 20000);
      if (this.#ends !== null && now > 0) this.#frame = requestAnimationFrame(draw);
    };
    draw();
  }
}

/** What men are worth, the dearest first. */
const WORTH = { Q: 9, R: 5, B: 3, N: 3, P: 1 };

/** The men that a side has taken for nothing, and what it is ahead. @param {(string|null)[]} cells @param {number} at @param {Variant} variant */
function material(cells, at, variant) {
  if (variant.board.pieces !== 'chessmen') return [];
  const [own, other] = [at, 1 - at].map((side) => variant.sides[side === 0 ? 0 : 1].piece.charAt(0));
  const count = (/** @type {string} */ code) => cells.filter((cell) => cell === code).length;
  const ahead = Object.entries(WORTH).map(([man, worth]) => ({ man, worth, more: count(own + man) - count(other + man) }));
  const taken = ahead.flatMap(({ man, more }) => Array.from({ length: Math.max(0, more) }, () => other + man));
  const sum = ahead.reduce((points, { worth, more }) => points + worth * more, 0);
  if (taken.length === 0) return [];
  return [el('span', { class: 'material', role: 'img', title: t('seat.material'), 'aria-label': `${t('seat.material')}: ${taken.map((code) => pieceName(code, variant)).join(', ')}` },
    ...taken.map((code) => pieceTile(code, variant, 'mini')), sum > 0 ? `+${sum}` : '')];
}

/** What the game has brought a side. @param {Side|null} winner @param {Side} side */
function pointsOf(winner, side) {
  return winner === null ? '½' : winner === side ? '1' : '0';
}

/** @param {number} ms */
export function clockText(ms) {
  const tenths = Math.ceil(ms / 100);
  const minutes = Math.floor(tenths / 600);
  const seconds = Math.floor((tenths % 600) / 10);
  const rest = ms < 20000 ? `.${tenths % 10}` : '';
  return `${minutes}:${String(seconds).padStart(2, '0')}${rest}`;
}

/** @param {Seat} seat @param {boolean} mine */
export function seatName(seat, mine) {
  if (seat.kind === 'open') return t('seat.open');
  if (seat.kind === 'engine') {
    const level = t('level', { level: seat.level ?? 10 });
    return seat.persona ? `${personaName(seat.persona)} · ${level}` : `Polyply · ${level}`;
  }
  return mine ? t('seat.you') : seat.name ?? t('seat.person');
}

/** Faces of the personas. @type {Record<string, string>} */
const FACES = { attacker: '⚔️', defender: '🛡️', gambler: '🎲', drawer: '🕊️' };

/** A persona with its face. @param {string} persona */
export function personaName(persona) {
  return `${FACES[persona] ?? ''} ${named(`persona.${persona}`, persona)}`.trim();
}

/** The piece of a side as a picture. @param {Variant} variant @param {number} at @param {string} [name] */
export function token(variant, at, name = '') {
  return pieceTile(variant.sides[at === 0 ? 0 : 1].piece, variant, name);
}

customElements.define('player-strip', PlayerStrip);
