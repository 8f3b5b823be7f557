/** A game with its variations. */

/** @import {AnnotatedGame, AnnotatedMove, Quality, Score} from './types.js' */

/**
 * @typedef {object} TreeNode
 * @property {string} move
 * @property {string} [shown] the move as people write it, where that is another way
 * @property {number} ply
 * @property {TreeNode|null} parent
 * @property {TreeNode[]} children the main one first
 * @property {Quality} [quality]
 * @property {Score} [score]
 * @property {string} [note] what a file says of the move
 * @property {number[]} [nags] its marks, by the numbers of PGN
 */

/** @typedef {Omit<AnnotatedGame, 'line'>} About what a file says of the game */

export class Tree {
  constructor() {
    /** @type {TreeNode} */
    this.root = { move: '', ply: 0, parent: null, children: [] };
    this.here = this.root;
    /** @type {Partial<About>} */
    this.about = {};
  }

  /** @param {string[]} moves */
  static of(moves) {
    const tree = new Tree();
    for (const move of moves) tree.play(move);
    return tree;
  }

  /** A game that came from a file. @param {AnnotatedGame} game */
  static ofGame({ line, ...about }) {
    const tree = new Tree();
    tree.about = about;
    tree.#add(line);
    tree.here = tree.mainLine().at(-1) ?? tree.root;
    return tree;
  }

  /** @param {AnnotatedMove[]} line from the current position on */
  #add(line) {
    for (const { move, note, nags, variations } of line) {
      const before = this.here;
      this.play(move);
      const next = this.here;
      if (note) next.note = note;
      if (nags) next.nags = nags;
      for (const variation of variations ?? []) {
        this.here = before;
        this.#add(variation);
      }
      this.here = next;
    }
  }

  /** The game for a file. @returns {Partial<About> & {line: AnnotatedMove[]}} */
  game() {
    /** @param {TreeNode|undefined} first @param {TreeNode[]} others @returns {AnnotatedMove[]} */
    const line = (first, others) => {
      const moves = [];
      for (let at = first, instead = others; at; [at, ...instead] = at.children) {
        const variations = instead.map((other) => line(other, []));
        moves.push({ move: at.move, ...(at.note ? { note: at.note } : {}), ...(at.nags ? { nags: at.nags } : {}), ...(variations.length > 0 ? { variations } : {}) });
      }
      return moves;
    };
    const [first, ...others] = this.root.children;
    return { ...this.about, line: line(first, others) };
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

  /**
   * The whole tree as text: what is known of the game in brackets, marks and notes after their move, then the
   * variations that replace it, in parentheses.
   */
  text() {
    const about = Object.entries(this.about).filter(([, value]) => value?.length).map(([key, value]) => `[${key} ${encodeURIComponent(JSON.stringify(value))}]`);
    /** @param {TreeNode} node @returns {string} */
    const after = (node) => {
      const [main, ...others] = node.children;
      if (!main) return '';
      const variations = others.map((other) => `(${[annotated(other), after(other)].filter(Boolean).join(' ')})`);
      return [annotated(main), ...variations, after(main)].filter(Boolean).join(' ');
    };
    return [...about, after(this.root)].filter(Boolean).join(' ');
  }

  /** Reads what `text` wrote; the current move is then the last of the main line. @param {string} text */
  static parse(text) {
    const tree = new Tree();
    /** @type {TreeNode[]} */
    const stack = [];
    for (const word of text.match(/[()]|\{[^}]*\}|\[[^\]]*\]|[^\s()]+/g) ?? []) {
      if (word.startsWith('[')) tree.#read(word);
      else if (word.startsWith('{')) tree.here.note = word.slice(1, -1);
      else if (word.startsWith('$')) (tree.here.nags ??= []).push(Number(word.slice(1)));
      else if (word === '(') {
        stack.push(tree.here);
        tree.back();
      } else if (word === ')') tree.here = stack.pop() ?? tree.root;
      else tree.play(word);
    }
    tree.here = tree.mainLine().at(-1) ?? tree.root;
    return tree;
  }

  /** Reads something about the game. A link that was damaged says nothing. @param {string} word */
  #read(word) {
    const [key = '', value = ''] = word.slice(1, -1).split(' ');
    try {
      Object.assign(this.about, { [key]: JSON.parse(decodeURIComponent(value)) });
    } catch {
      delete (/** @type {any} */ (this.about)[key]);
    }
  }
}

/** A move with its marks and its note. @param {TreeNode} node */
function annotated({ move, nags = [], note }) {
  return [move, ...nags.map((nag) => `$${nag}`), ...(note ? [`{${note.replaceAll('}', ')')}}`] : [])].join(' ');
}
