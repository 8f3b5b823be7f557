/** Playing on from a position that was analysed. */
import { variantOf } from '../api.js';
import { sideName } from '../board/board.js';
import { el } from '../dom.js';
import { named, t } from '../i18n.js';
import { lastWish, startGame } from '../pages/new-game.js';
import { labelled, openDialog, sayError, select } from './controls.js';
import { icon } from './icons.js';

/** @import {Setup, Side} from '../types.js' */

/**
 * @param {Setup} setup
 * @param {string[]} moves
 * @param {Side} side to move
 */
export function openPlayOn(setup, moves, side) {
  const variant = variantOf(setup.variant);
  const wish = { ...lastWish(), colour: side };
  const dialog = openDialog(t('analyse.play-on'),
    labelled(t('home.opponent'), [
      { value: 'engine', text: t('opponent.engine') }, { value: 'screen', text: t('opponent.screen') }, { value: 'link', text: t('opponent.link') },
    ], (wish.opponent = wish.opponent === 'engines' ? 'engine' : wish.opponent), (opponent) => (wish.opponent = /** @type {any} */ (opponent))),
    labelled(t('home.colour'), (/** @type {Side[]} */ (['first', 'second'])).map((value) => ({ value, text: sideName(variant, value) })), side,
      (colour) => (wish.colour = /** @type {any} */ (colour))),
    select(t('opponent.engine'), variant.levels.map(({ level, name }) => ({ value: String(level), text: `${t('level', { level })} · ${named(`level.${level}`, name)}` })), String(wish.level),
      (level) => (wish.level = Number(level))),
    el('button', {
      class: 'primary',
      onclick: () => startGame(wish, setup, moves).then(() => dialog.close(), sayError),
    }, icon('play'), t('home.play')));
}
