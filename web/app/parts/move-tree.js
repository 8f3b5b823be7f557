/** `<move-tree>`: the moves of a game with their variations. Event: `goto` (detail: a node). */
import { el } from '../dom.js';
import { t } from '../i18n.js';
import { qualityName } from '../quality.js';

/** @import {Tree, TreeNode} from '../tree.js' */

export class MoveTree extends HTMLElement {
  /** @type {Map<HTMLElement, TreeNode>} */
  #nodes = new Map();
  #drawn = '';

  connectedCallback() {
    this.setAttribute('role', 'navigation');
    this.setAttribute('aria-label', t('moves.label'));
    this.addEventListener('click', (event) => {
      const node = this.#nodes.get(/** @type {HTMLElement} */ (event.target).closest('button') ?? this);
      if (node) this.dispatchEvent(new CustomEvent('goto', { detail: node }));
    });
  }

  /** @param {Tree} tree */
  show(tree) {
    const drawing = `${tree.text()} ${everyNode(tree.root).map((node) => `${node.shown}${node.quality}`).join()}`;
    if (drawing !== this.#drawn) {
      this.#drawn = drawing;
      this.#nodes.clear();
      const parts = this.#line(tree.root, true);
      this.replaceChildren(...aboutGame(tree), ...(parts.length > 0 ? parts : [el('p', { class: 'empty' }, t('moves.none'))]));
    }
    for (const [button, node] of this.#nodes) {
      const here = node === tree.here;
      button.classList.toggle('here', here);
      if (here) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
      if (here) this.#keepInSight(button);
    }
    if (tree.here === tree.root) this.scrollTop = 0;
  }

  /** @param {HTMLElement} button */
  #keepInSight(button) {
    const [top, height] = [button.offsetTop - this.offsetTop, button.offsetHeight];
    if (top < this.scrollTop || top + height > this.scrollTop + this.clientHeight) this.scrollTop = top - this.clientHeight / 2;
  }

  /**
   * What follows a node.
   * @param {TreeNode} node
   * @param {boolean} numbered the first move needs its number
   * @returns {Node[]}
   */
  #line(node, numbered) {
    const parts = [];
    for (let at = node; at.children[0]; ) {
      const [main, ...others] = at.children;
      parts.push(...this.#move(main, numbered));
      numbered = others.length > 0 || main.note !== undefined;
      for (const other of others) {
        parts.push(el('span', { class: 'variation' }, ...this.#move(other, true), ...this.#line(other, false)));
      }
      at = main;
    }
    return parts;
  }

  /** @param {TreeNode} node @param {boolean} numbered */
  #move(node, numbered) {
    const button = el('button', null, node.shown ?? node.move,
      node.quality && el('span', { class: `quality quality-${qualityName(node.quality)}` }, node.quality),
      !node.quality && node.nags && el('span', { class: 'quality' }, node.nags.map((nag) => NAGS[nag] ?? `$${nag}`).join(' ')));
    const note = node.note ? [el('span', { class: 'note' }, noteText(node.note))] : [];
    this.#nodes.set(button, node);
    const first = node.ply % 2 === 1;
    const count = el('span', { class: 'number' }, moveNumber(node.ply));
    return first || numbered ? [el('span', { class: 'numbered' }, count, button), ...note] : [button, ...note];
  }
}

/** The number of a move, with dots if it is the second player's. @param {number} ply */
export function moveNumber(ply) {
  return `${Math.ceil(ply / 2)}${ply % 2 === 1 ? '.' : '…'}`;
}

/** The marks of PGN that have a sign of their own. @type {Record<number, string>} */
const NAGS = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

/** A note with its clock as people read it. @param {string} note */
function noteText(note) {
  return note.replaceAll(/\[%(?:clk|emt) ([^\]]*)\]/g, '⏱ $1');
}

/** Who played, and how it ended, as the file says. @param {Tree} tree */
function aboutGame({ about: { players, result, date, settings = [], comment } }) {
  const event = settings.find(([name]) => name === 'Event')?.[1];
  const facts = [players?.some(Boolean) && players.map((name) => name || '?').join(' – '), result !== '*' && result, event !== '?' && event, date].filter(Boolean);
  return [facts.length > 0 && el('p', { class: 'about' }, facts.join(' · ')), comment && el('p', { class: 'note' }, comment)].filter((part) => part !== false && part !== undefined && part !== '');
}

/** @param {TreeNode} node @returns {TreeNode[]} */
function everyNode(node) {
  return [node, ...node.children.flatMap(everyNode)];
}

customElements.define('move-tree', MoveTree);
