/** A game with its variations. */

/** @import {Quality, Score} from './types.js' */

/**
 * @typedef {object} TreeNode
 * @property {string} move
 * @property {string} [shown] the move as people write it, where that is another way
 * @property {number} ply
 * @property {TreeNode|null} parent
 * @property {TreeNode[]} children the main one first
 * @property {Quality} [quality]
 * @property {Score} [score]
 */

export class Tree {
  constructor() {
    /** @type {TreeNode} */
    this.root = { move: '', ply: 0, parent: null, children: [] };
    this.here = this.root;
  }

  /** @param {string[]} moves */
  static of(moves) {
    const tree = new Tree();
    for (const move of moves) tree.play(move);
    return tree;
  }

  /** Goes on by a move, along what is there or by a new variation. @param {string} move */
  play(move) {
    const known = this.here.children.find((child) => child.move === move);
    if (known) this.here = known;
    else {
      /** @type {TreeNode} */
      const next = { move, ply: this.here.ply + 1, parent: this.here, children: [] };
      this.here.children.push(next);
      this.here = next;
    }
  }

  /** The moves from the start to a node. @param {TreeNode} [node] */
  path(node = this.here) {
    const moves = [];
    for (let at = node; at.parent; at = at.parent) moves.unshift(at.move);
    return moves;
  }

  /** Notes how people write the moves to a node. @param {TreeNode} node @param {string[]} [shown] from the start to it */
  name(node, shown) {
    for (let at = node; shown && at.parent; at = at.parent) at.shown = shown[at.ply - 1] ?? at.move;
  }

  /** The ends of all lines. @param {TreeNode} [node] @returns {TreeNode[]} */
  leaves(node = this.root) {
    return node.children.length > 0 ? node.children.flatMap((child) => this.leaves(child)) : [node];
  }

  /** The nodes of the main line, without the root. */
  mainLine() {
    const line = [];
    for (let at = this.root.children[0]; at; at = at.children[0]) line.push(at);
    return line;
  }

  /** @param {number} plies */
  back(plies = 1) {
    for (; plies > 0 && this.here.parent; plies--) this.here = this.here.parent;
  }

  /** @param {number} plies */
  forward(plies = 1) {
    for (; plies > 0 && this.here.children[0]; plies--) this.here = this.here.children[0];
  }

  /** To the move before or after among those played from the same position. @param {number} by */
  sibling(by) {
    const all = this.here.parent?.children ?? [];
    this.here = all[all.indexOf(this.here) + by] ?? this.here;
  }

  /** Makes the line of the current move the main one. */
  promote() {
    for (let at = this.here; at.parent; at = at.parent) {
      const { children } = at.parent;
      children.splice(children.indexOf(at), 1);
      children.unshift(at);
    }
  }

  /** Removes the current move and all after it. */
  remove() {
    const gone = this.here;
    if (!gone.parent) return;
    gone.parent.children = gone.parent.children.filter((child) => child !== gone);
    this.here = gone.parent;
  }

  /** The whole tree as text, variations in parentheses after the move they replace. */
  text() {
    /** @param {TreeNode} node @returns {string} */
    const after = (node) => {
      const [main, ...others] = node.children;
      if (!main) return '';
      const variations = others.map((other) => `(${[other.move, after(other)].filter(Boolean).join(' ')})`);
      return [main.move, ...variations, after(main)].filter(Boolean).join(' ');
    };
    return after(this.root);
  }

  /** Reads what `text` wrote; the current move is then the last of the main line. @param {string} text */
  static parse(text) {
    const tree = new Tree();
    /** @type {TreeNode[]} */
    const stack = [];
    for (const word of text.match(/[()]|[^\s()]+/g) ?? []) {
      if (word === '(') {
        stack.push(tree.here);
        tree.back();
      } else if (word === ')') tree.here = stack.pop() ?? tree.root;
      else tree.play(word);
    }
    tree.here = tree.mainLine().at(-1) ?? tree.root;
    return tree;
  }
}
