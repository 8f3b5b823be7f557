/** What is said below the board of a game: an invitation, a move that waits, the end, what players say. */
import { variantOf } from '../api.js';
import { sideName } from '../board/board.js';
import { el } from '../dom.js';
import { named, t } from '../i18n.js';
import { go } from '../links.js';
import { iconButton, openMenu } from '../parts/controls.js';
import { outcomeText, ownSide } from '../parts/ending.js';
import { icon } from '../parts/icons.js';
import { settings } from '../settings.js';

/** @import {GameState, Legal, Side} from '../types.js' */

/** What players can say to each other, as the server knows it. */
const MESSAGES = ['hello', 'good_luck', 'well_played', 'oops', 'thanks', 'good_game'];

/** @param {(message: string) => void} say */
export function openMessages(say) {
  openMenu(t('play.say'), MESSAGES.map((message) => ({
    icon: /** @type {const} */ ('message'), label: named(`message.${message}`, message), run: () => say(message),
  })));
}

/**
 * What was said, or what became of an offer.
 * @param {GameState} state
 * @param {{by: Side, message: string}|null} said
 * @param {Side|null} mine
 */
export function news(state, said, mine) {
  if (said) {
    const side = sideName(variantOf(state.variant), said.by);
    return [el('p', { class: 'said' }, el('b', null, `${side}: `), named(`message.${said.message}`, said.message))];
  }
  const { declined } = state.offers;
  if (!declined) return null;
  return [el('p', null, t(mine === declined.by ? `play.${declined.what}.declined` : `play.${declined.what}.refused`))];
}

/** A move waits: it can be played or taken back. @param {Legal} move @param {{confirm(): void, cancel(): void}} board */
export function placing(move, board) {
  const name = move.shown ?? move.text;
  return [
    el('button', { class: 'primary large grow place', onclick: () => board.confirm() }, t(move.from === undefined ? 'play.place' : 'play.place.move', { move: name })),
    el('button', { class: 'large', onclick: () => board.cancel() }, t('cancel'))];
}

/**
 * Who opened the link learns what is played, and takes the seat.
 * @param {GameState} state
 * @param {Side} side
 * @param {(name: string) => void} join
 */
export function joining(state, side, join) {
  const variant = variantOf(state.variant);
  const host = state.seats[side === 'first' ? 'second' : 'first'].name ?? t('seat.person');
  const name = el('input', { type: 'text', maxlength: 30, value: settings.value.name, placeholder: t('seat.name'), 'aria-label': t('seat.name') });
  return [el('div', { class: 'column joining' },
    el('p', null, t('play.invited', { host, game: named(`variant.${variant.name}`, variant.title) }), ' ',
      el('a', { href: `#/rules/${variant.name}` }, t('nav.rules'))),
    el('div', { class: 'row' }, name,
      el('button', { class: 'primary large grow', onclick: () => join(name.value.trim()) }, t('play.join', { side: sideName(variant, side) }))))];
}

/**
 * The end: in one's own terms, and what comes next.
 * @param {GameState} state
 * @param {() => void} review
 * @param {(() => void)|null} rematch for those who played
 */
export function ending(state, review, rematch) {
  const mine = ownSide(state);
  const variant = variantOf(state.variant);
  const next = mine && sideName(variant, mine === 'first' ? 'second' : 'first');
  const again = state.rematch_id ? t('play.rematch.accept') : next ? t('play.rematch.as', { side: next }) : t('play.rematch');
  return [
    el('p', { class: 'outcome' }, outcomeText(state, variant)),
    el('p', { class: 'dim small' }, t('moves.count', { count: state.given.length + state.moves.length })),
    el('div', { class: 'row next' },
      el('button', { class: 'primary', onclick: review }, icon('review'), t('review.title')),
      ...(rematch ? [iconButton('again', again, rematch, { wide: true })] : []),
      iconButton('add', t('play.new'), () => go(''), { wide: true }))];
}
