/** The choice of what a man becomes, at its square. */
import { el } from '../dom.js';
import { t } from '../i18n.js';
import { pieceTile } from './pieces.js';

/** @import {Legal, Variant} from '../types.js' */

/**
 * @param {HTMLElement} board
 * @param {DOMRect} square where it happens on the screen
 * @param {Legal[]} moves
 * @param {Variant} variant
 * @param {(code: string) => string} nameOf
 * @param {(move: Legal|null) => void} chosen
 */
export function openPromotion(board, square, moves, variant, nameOf, chosen) {
  /** @type {Legal|null} */
  let choice = null;
  // The tap that opened this still ends in a click, which may hit a button.
  let pressed = false;
  const dialog = el('dialog', {
    class: 'chooser', 'aria-label': t('board.promote'),
    onclose: () => {
      dialog.remove();
      chosen(choice);
    },
  }, ...moves.map((move) => el('button', {
    'aria-label': nameOf(move.promotes ?? ''),
    onclick: (/** @type {MouseEvent} */ event) => {
      if (!pressed && event.detail > 0) return;
      choice = move;
      dialog.close();
    },
  }, pieceTile(move.promotes ?? '', variant))));
  dialog.addEventListener('pointerdown', () => (pressed = true));
  dialog.addEventListener('click', (event) => pressed && event.target === dialog && dialog.close());
  board.append(dialog);
  const size = Math.max(44, Math.min(72, square.width));
  dialog.style.setProperty('--size', `${size}px`);
  // A column from the square towards the middle of the board, within the window.
  const height = size * moves.length + 8;
  const down = square.top + height < innerHeight;
  dialog.style.setProperty('left', `${Math.min(Math.max(4, square.left + square.width / 2 - size / 2 - 4), innerWidth - size - 12)}px`);
  dialog.style.setProperty('top', `${Math.max(4, down ? square.top - 4 : square.bottom - height + 4)}px`);
  dialog.showModal();
  return dialog;
}
